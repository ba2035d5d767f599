"""Bad input: one line that names the thing, the value and the way out."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import checks, memory, read_table, table

GOOD = "id,class,g1,g2\na,x,1,2\nb,y,3,4\nc,x,5,6\n"
CASES = {
    "empty": ("", {}, "is empty"),
    "blank": ("\n \n\n", {}, "is empty"),
    "header only": ("id,class,g1\n", {}, "header line but no rows"),
    "header and blanks": ("id,class,g1\n\n\n", {}, "header line but no rows"),
    "target": (GOOD, {"target": "clas"}, "no target column 'clas': did you mean 'class'"),
    "group": (GOOD, {"group": "patient"}, "no group column 'patient': choose from"),
    "split": (GOOD, {"split": "fold"}, "no split column 'fold'"),
    "id": (GOOD, {"id": "idd"}, "id names the column 'idd'.*did you mean 'id'"),
    "covariate": (GOOD, {"covariates": "age"}, "covariates names the column 'age'"),
    "categorical": (GOOD, {"categorical": "g3"}, "categorical names the column 'g3'"),
    "drop": (GOOD, {"drop": "z*"}, "drop names the column 'z\\*'"),
    "two roles": (GOOD, {"covariates": "class"}, "'class' is named both as target and as cov"),
    "dropped target": (GOOD, {"drop": "class"}, "both as target and as drop"),
    "one class": (GOOD.replace("y", "x"), {}, "one class only, 'x'"),
    "labels missing": (
        GOOD.replace("y", "") + "d,y,1,2\n",
        {},
        "no class label for 1 of 4 samples: 'b'; rem.*drop_unlabelled=True",
    ),
    "groups missing": (GOOD.replace("3", ""), {"group": "g1"}, "no group for 1 of 3 .*'b'"),
    "no value": (
        GOOD.replace(",1,", ",,").replace(",3,", ",NA,").replace(",5,", ",?,"),
        {},
        r"1 column has no value at all: 'g1'; leave them out with drop=",
    ),
    "infinite": (GOOD.replace("3", "-inf"), {}, "infinite value in column 'g1', sample 'b'"),
    "huge": (GOOD.replace("3", "1e999"), {}, "infinite value in column 'g1', sample 'b'"),
    "names": (GOOD.replace("g2", "g1"), {}, "duplicate names .*'g1'; make"),
    "ids": (
        GOOD.replace("c,", "a,"),
        {"id": "id"},
        "duplicate sample ids in column 'id': 'a'; if they are patients, study them with "
        r"group='id' \(rows of one patient .* split\); else make them unique",
    ),
    "unnamed ids": (GOOD.replace("id,", ",").replace("c,", "a,"), {}, "duplicate sample ids"),
    "id gap": (GOOD.replace("c,x", "NA,x"), {"id": "id"}, "id column 'id' is empty in row 3"),
    "ragged": (GOOD.replace("5,6", "5,6,7"), {}, "line 4 has 5 fields where 4 are expected"),
    "short": (GOOD.replace("5,6", "5"), {}, "line 4 has 3 fields where 4 are expected"),
    "ragged after blank": (GOOD.replace("c,x,5,6", "\nc,x,5"), {}, "line 5 has 3 fields"),
    "ragged quoted": (GOOD.replace("5,6", '"5"'), {}, "line 4 has 3 fields where 4 are expected"),
    "text": (
        GOOD.replace("3", "abc"),
        {},
        "'g1' holds numbers, but row 2 has 'abc'; correct it.*categorical=.*drop=",
    ),
    "text first": (GOOD.replace("1,2", "abc,2"), {}, "'g1' holds numbers, but row 1 has 'abc'"),
    "decimal comma": ("c;g;h\nx;1.5;1\ny;2,5;2\n", {"target": "c"}, "have a decimal comma"),
    "free text": ("class,t,g\nx,one,1\ny,two,2\nx,three,3\n", {}, "'t' has 3 different values"),
    "no features": ("class\nx\ny\n", {}, "no feature columns"),
    "numbers first": ("1.5,2.5,3\n1,2,3\n", {}, "starts with a line of numbers"),
    "open quote": (
        'id,class,"g1,g2\na,x,1,2\nb,y,3,4\n',
        {},
        "nothing closes the quote before 'g1,g2' in the header line; close or remove",
    ),
    "no name": ("class,,g\nx,1,2\ny,2,3\n", {}, "'column 2' has no name"),
    "trailing value": ("class,g,\nx,1,\ny,2,3\nx,4,\n", {}, "'column 3' has no name in the header"),
    "three": ("class,g\nx,1\ny,2\nz,3\n", {"positive": "x"}, "two classes; there are 3"),
    "greek": (GOOD.encode().replace(b"b,", b"\xe9\xe8,"), {}, r"0xe9 at position 23 \(line 3\)"),
    "nul": (GOOD.replace("3", "\0"), {}, r"NUL byte at position 27 \(line 3\)"),
    "old mac": (GOOD.replace("\n", "\r") + "\n", {}, "carriage returns|no rows"),
    "zip": (b"PK\x03\x04" + b"\0" * 50, {}, "is not a readable spreadsheet"),
    "binary": (b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0", {}, "unknown format"),
    "cut gzip": (gzip.compress(GOOD.encode() * 20)[:60], {}, "damaged gzip"),
    "empty gzip": (gzip.compress(b""), {}, "is empty"),
    "turned arff": ("@relation r\n@attribute a real\n@data\n1\n", {"transpose": True}, "not arff"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_line_errors(tmp_path, case):
    content, options, message = CASES[case]
    path = tmp_path / "table.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DataError, match=message) as caught:
        read_table(path, **{"target": "class", **options})
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path):
    (tmp_path / "golub.csv").write_text(GOOD)
    with pytest.raises(DataError, match=r"no file .*did you mean 'golub.csv'"):
        read_table(tmp_path / "golab.csv")
    with pytest.raises(DataError, match=r"did you mean 'golub.csv'"):
        read_table(tmp_path / "golub.tsv")
    (tmp_path / "notes.md").touch()
    with pytest.raises(
        DataError, match=r"the folder '/.*' holds 1 table, none with a similar name$"
    ):
        read_table(tmp_path / "labs.csv")  # which has half of the letters of golub.csv
    (tmp_path / "golub.csv").rename(tmp_path / "golub.md")
    with pytest.raises(DataError, match=r"holds 0 tables$"):
        read_table(tmp_path / "labs.csv")
    (tmp_path / "golub.md").rename(tmp_path / "golub.csv")
    with pytest.raises(DataError, match=r"there is no folder .*nowhere'$"):
        read_table(tmp_path / "nowhere" / "golub.csv")
    with pytest.raises(DataError, match="is a folder"):
        read_table(tmp_path)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_regression_is_refused(tmp_path, kind):
    def read(values, **options):
        frame = pd.DataFrame({"class": values, "g": range(len(values))})
        path = tmp_path / f"t.{kind}"
        frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
        return read_table(path, target="class", **options)

    with pytest.raises(DataError, match="21 different numbers: say regression=True"):
        read(list(range(21)) * 2)
    with pytest.raises(DataError, match="3 different numbers: say regression=True"):
        read([0.5, 1.25, 3.0])
    assert read(list(range(20)) * 2).classes == tuple(map(str, range(20)))
    assert read([0.5, 1.5] * 4).classes == ("0.5", "1.5")
    assert len(read(list(range(30)), categorical="class").classes) == 30


def test_text_levels_limit(tmp_path):
    def read(count, **options):
        names = [f"v{i}" for i in range(count)] * 2
        frame = pd.DataFrame({"class": list("ab") * count, "t": names, "g": 1.0})
        frame.to_csv(tmp_path / "t.csv", index=False)
        return read_table(tmp_path / "t.csv", target="class", **options)

    assert len(read(50).levels[0]) == 50
    with pytest.raises(DataError, match="'t' has 51 different values"):
        read(51)
    assert len(read(51, categorical="t").levels[0]) == 51


def test_repeated_rows_equal_a_plain_count():
    rng = np.random.default_rng(0)
    for p in (1, 3, 200):
        X = rng.integers(0, 2, size=(60, p)).astype(float)
        X[X == 1] = np.nan
        X[30:40] = X[:10]
        plain = len(X) - len({row.tobytes() for row in X})
        assert checks.count_repeated_rows(X) == plain


def test_summary_equals_numpy():
    X = np.array([[1, np.nan, 3, np.nan], [2, np.nan, 3, 5.0]])
    found = checks.summarize_columns(X)
    assert np.array_equal(found.low, [1, np.nan, 3, 5], equal_nan=True)
    assert np.array_equal(found.high, [2, np.nan, 3, 5], equal_nan=True)
    assert found.missing.tolist() == [0, 2, 0, 1]


def limited(code: str, path, gigabytes: float) -> subprocess.CompletedProcess:
    script = textwrap.dedent(f"""
        import resource
        import numpy, pandas, pyarrow.compute, pyarrow.parquet
        from tamis._core.errors import DataError
        from tamis.data import read_table
        pages = int(open("/proc/self/statm").read().split()[0])
        limit = pages * resource.getpagesize() + int({gigabytes} * 1e9)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        path = {str(path)!r}
        try:
            {code}
        except DataError as error:
            print("refused:", error)
    """)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


def sparse_csv(path, size: int) -> None:
    """A file that says it is large: real rows first, then a hole."""
    row = "x," + ",".join(["0"] * 1000) + "\n"
    with path.open("w") as file:
        file.write("class," + ",".join(f"g{i}" for i in range(1000)) + "\n" + row * 20)
        file.truncate(size)


@pytest.mark.skipif(sys.platform != "linux", reason="address-space limits are Linux's")
def test_too_large_is_refused_before_reading(tmp_path):
    sparse_csv(tmp_path / "big.csv", 1_000_000_000)
    done = limited('read_table(path, target="class")', tmp_path / "big.csv", 1.5)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused: 'big.csv' does not fit in memory: it needs about 4.")
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="address-space limits are Linux's")
@pytest.mark.parametrize("bomb", ["line", "rows", "text"])
def test_gzip_bombs(tmp_path, bomb):
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"class," + b",".join(b"g%d" % i for i in range(2000)) + b"\n")
        if bomb == "line":
            for _ in range(60):
                file.write(b"1" * 1_000_000)
        elif bomb == "rows":
            rows = (b"x" + b",0" * 2000 + b"\n") * 100
            for _ in range(160):  # 16,000 rows: 256 MB as numbers
                file.write(rows)
        else:
            for i in range(60):
                file.write((b"a%d" % i) * 500_000 + b",0" * 2000 + b"\n")
    done = limited("read_table(path)", path, 0.25)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused: 'bomb.csv.gz' "), done.stdout
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="address-space limits are Linux's")
def test_parquet_too_large(tmp_path):
    frame = pd.DataFrame(np.zeros((50_000, 100), "f4")).add_prefix("g")
    frame.to_parquet(tmp_path / "big.parquet")
    assert (tmp_path / "big.parquet").stat().st_size < 1_000_000
    done = limited("read_table(path)", tmp_path / "big.parquet", 0.08)
    assert done.returncode == 0, done.stderr
    assert "refused: 'big.parquet' does not fit in memory" in done.stdout


def test_memory_error_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(GOOD)

    def full(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("tamis.data.delimited.read_delimited", full)
    with pytest.raises(DataError, match="ran out of memory while being read"):
        read_table(tmp_path / "t.csv", target="class")


def test_available_memory_counts_the_cheapest_limit(tmp_path, monkeypatch):
    assert 0 < memory.available_bytes() < 1 << 62
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**9)
    with pytest.raises(DataError, match=r"needs about 2\.1 GB \(why\), 1\.0 GB is free"):
        memory.check_memory(2e9, tmp_path, "why")
    memory.check_memory(5e8, tmp_path, "why")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")
def test_what_a_process_holds_is_taken_off_its_limit(monkeypatch):
    held = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    monkeypatch.setattr(memory, "process_limits", lambda: {"-v": held + (64 << 20)})
    assert memory.available_bytes() <= 64 << 20


def test_a_sheet_of_each_workbook_is_kept_as_text(monkeypatch):
    found = []
    monkeypatch.setattr(table, "_read_one", lambda path, how: found.append(how))
    read_table("a.xlsx", target="c", sheet=2, samples_sheet="b")
    read_table("a.xlsx", target="c")
    assert [(how.sheet, how.samples_sheet) for how in found] == [("2", "b"), (None, None)]
