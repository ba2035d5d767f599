"""Time and memory of readers go with what a file holds; what is more than that is told."""

from __future__ import annotations

import csv
import gzip
import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import bounded, limits, lines, memory, read_table, records
from tamis.data.coding import Kind, code_columns
from tamis.data.collect import Strings
from tamis.data.faults import FaultList
from tamis.data.lines import Lines
from tamis.data.raw import Text, parse_number, plain_integers, sort_levels

GOOD = "id,class,g1,g2\na,x,1,2\nb,y,3,4\nc,x,5,6\n"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("TAMIS_MOST_ROWS", "2", "has 3 rows or more, and at most 2 are read"),
        ("TAMIS_MOST_COLUMNS", "3", "has 4 columns, and at most 3 are read"),
        ("TAMIS_MOST_ROWS", "many", "TAMIS_MOST_ROWS is 'many': give a whole number"),
    ],
)
def test_a_limit_is_told_and_can_be_moved(tmp_path, monkeypatch, variable, value, message):
    path = tmp_path / "t.csv"
    path.write_text(GOOD)
    assert read_table(path, target="class").shape == (3, 2)
    monkeypatch.setenv(variable, value)
    with pytest.raises(DataError, match=message) as caught:
        read_table(path, target="class")
    assert variable in str(caught.value)


def test_parquet_says_its_rows_before_it_is_read(tmp_path, monkeypatch):
    pd.DataFrame({"class": list("ab") * 50, "g": 1.0}).to_parquet(tmp_path / "t.parquet")
    monkeypatch.setenv("TAMIS_MOST_ROWS", "99")
    with pytest.raises(DataError, match="has 100 rows, and at most 99"):
        read_table(tmp_path / "t.parquet", target="class")


def test_parquet_needs_eight_bytes_for_each_number(tmp_path, monkeypatch):
    path, needed = tmp_path / "t.parquet", []
    pd.DataFrame({"class": list("ab") * 5, "g": 1.0, "h": 2}).to_parquet(path)
    monkeypatch.setattr(memory, "check_memory", lambda *given: needed.append(given))
    read_table(path, target="class")
    assert needed[-1] == (8.0 * 10 * 2, path, "10 rows x 2 columns")


def test_what_expands_too_much_is_refused(tmp_path, monkeypatch):
    frame = (
        pd.DataFrame(np.zeros((5000, 50))).add_prefix("g").assign(**{"class": ["a", "b"] * 2500})
    )
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", target="class").shape == (5000, 50)
    monkeypatch.setattr(limits, "MAX_EXPANDED_BYTES", 0)
    monkeypatch.setenv("TAMIS_MOST_EXPANSION", "2")
    with pytest.raises(DataError, match=r"would take .* TAMIS_MOST_EXPANSION above 2"):
        read_table(tmp_path / "t.parquet", target="class")


@pytest.mark.parametrize("content", [b"x" * 100_000, b'c,z,"' + b"x" * 100_000, b"," * 100_000])
def test_an_endless_line_is_not_told(tmp_path, monkeypatch, content):
    monkeypatch.setattr(lines, "BLOCK_BYTES", 1 << 10)
    monkeypatch.setenv("TAMIS_LONGEST_LINE", "20000")
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(GOOD.encode() + content))
    with pytest.raises(DataError) as caught:
        read_table(path, target="class")
    assert "no line end" in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_field_without_end(tmp_path, monkeypatch):
    monkeypatch.setenv("TAMIS_LONGEST_FIELD", "1000")
    path = tmp_path / "t.csv"
    path.write_text(GOOD + 'd,"' + "long\n" * 300)
    with pytest.raises(DataError, match=r"line \d+ ends a field of more than 1,000 letters"):
        read_table(path, target="class")


@pytest.mark.parametrize("block", [7, 64, 1 << 20])
def test_lines_are_those_of_the_file(tmp_path, monkeypatch, block):
    """Peeked, taken, skipped or by blocks, whatever is read at once."""
    monkeypatch.setattr(lines, "BLOCK_BYTES", block)
    rng = np.random.default_rng(block)
    for end in (b"\n", b""):
        rows = [b"x" * int(n) for n in rng.integers(0, 40, 60)]
        path = tmp_path / "t.csv"
        path.write_bytes(b"\n \n\n" + b"\n".join(rows) + end)
        with Lines(path, False) as found:
            found.skip(lines.BLANK_LINES_PATTERN)
            first = next(k for k, row in enumerate(rows) if row)
            rest = rows[first:] if end or rows[-1] else rows[first:-1]
            assert found.number == 4 + first
            assert found.peek(5) == rest[:5]
            assert [found.line(), found.line()] == rest[:2]
            number, whole = 6 + first, b""
            for text, at in found:
                assert at == number
                assert text.endswith(b"\n")
                assert len(text) <= block or text.count(b"\n") == 1
                number += text.count(b"\n")
                whole += text
            assert whole == b"".join(row + b"\n" for row in rest[2:])


def plain_codes(text: Text, kind: Kind) -> tuple[list[float], tuple[str, ...]]:
    """A column by itself, cell by cell."""
    column = plain_integers(text) if kind.declared and kind.levels is None else text
    cells, values = column.labels, column.distinct()
    numbers = {v: parse_number(v) for v in values}
    if not kind.declared and values and all(v.lower() in ("true", "false") for v in values):
        return [np.nan if v is None else float(v.lower() == "true") for v in cells], ()
    if not kind.declared and not kind.typed and None not in numbers.values():
        return [np.nan if v is None else numbers[v] for v in cells], ()
    levels = tuple(sort_levels(values)) if kind.levels is None else kind.levels
    return [np.nan if v is None else float(levels.index(v)) for v in cells], levels


def test_columns_coded_together_equal_each_by_itself(monkeypatch):
    monkeypatch.setattr("tamis.data.coding.BLOCK_VALUES", 100)
    rng = np.random.default_rng(0)
    pools = [["AA", "AG", "GG"], ["b", "a"], ["1.0", "2", "10"], ["TRUE", "false"], ["3", "x"]]
    shared = sorted({v for pool in pools for v in pool})
    columns, kinds = {}, {}
    for k in range(60):
        pool = pools[k % 5]
        cells = [None if rng.random() < 0.2 else pool[rng.integers(len(pool))] for _ in range(30)]
        text = Text.of(cells)
        if k % 3:
            place = np.array([shared.index(v) for v in text.values] + [-1])
            text = Text(place[text.codes].astype(np.int32), shared)
        columns[f"c{k}"] = text
        if k % 4:
            kinds[f"c{k}"] = Kind(
                declared=k % 4 > 1, typed=k % 4 == 1, levels=tuple(pool) if k % 4 == 3 else None
            )
    X = np.zeros((30, 60))
    levels = code_columns(
        X, {name: j for j, name in enumerate(columns)}, columns, kinds, FaultList()
    )
    for j, (name, text) in enumerate(columns.items()):
        expected, own = plain_codes(text, kinds.get(name, Kind()))
        np.testing.assert_array_equal(X[:, j], expected)
        assert levels.get(name, ()) == own


def test_each_set_of_values_is_looked_at_once(tmp_path, monkeypatch):
    """Work grows with the different sets, not with the columns."""
    seen = []
    told = "tamis.data.coding.checks.refuse_free_text"
    monkeypatch.setattr(told, lambda levels, *_: seen.append(tuple(levels)))
    rng = np.random.default_rng(0)
    cells = rng.choice(["AA", "AG", "GG"], size=(12, 3000))
    cells[:3] = np.array([["AA"], ["AG"], ["GG"]])
    frame = pd.DataFrame(cells).add_prefix("rs").assign(**{"class": list("ab") * 6})
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", target="class")
    assert seen == [("AA", "AG", "GG")]
    assert set(data.levels.values()) == {("AA", "AG", "GG")}
    assert np.array_equal(data.X, (cells == "AG") + 2.0 * (cells == "GG"))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX's")
def test_a_pipe_is_no_table(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="is a pipe or a device, which can be read only once"):
        read_table(tmp_path / "pipe")


def test_paths_that_no_system_has(tmp_path):
    for path in ("x" * 5000, f"{tmp_path}/{'/'.join(['d' * 200] * 30)}", f"{tmp_path}/a\0b"):
        with pytest.raises(DataError, match=r"cannot read|no file") as caught:
            read_table(path)
        assert len(str(caught.value)) < 300


@pytest.mark.skipif(sys.platform != "linux", reason="others' file systems take text only")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_path_that_is_no_text(tmp_path, ending):
    frame = pd.DataFrame({"class": list("abab"), "g": range(4)})
    good = tmp_path / "t"
    frame.to_csv(good, index=False) if ending == "csv" else frame.to_parquet(good)
    path = os.fsencode(tmp_path) + b"/\xff." + ending.encode()
    os.rename(good, path)
    data = read_table(os.fsdecode(path), target="class")
    assert data.name == "\ufffd"
    assert data.shape == (4, 1)


@pytest.mark.parametrize(
    "metadata",
    [
        b"{",
        b"[]",
        b"1",
        b'{"index_columns": 5}',
        b'{"index_columns": [5, null, "x"]}',
        b"\xff",
        b"[" * 100_000,
        b'{"index_columns": null}',
    ],
)
def test_odd_pandas_metadata(tmp_path, metadata):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"class": list("abab"), "g": [1.0, 2, 3, 4]})
    pq.write_table(table.replace_schema_metadata({b"pandas": metadata}), tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", target="class").feature_names == ("g",)


def test_a_pandas_index_for_a_saved_model(tmp_path):
    """Columns that the model does not use are left out, but not the ids."""
    frame = pd.DataFrame({"g": [1.0, 2], "h": [3.0, 4]}, index=["s1", "s2"])
    frame.to_parquet(tmp_path / "t.parquet")
    data = read_table(tmp_path / "t.parquet", only=["h"])
    assert data.sample_names == ("s1", "s2")
    assert "h" in data.feature_names


def test_a_pattern_drops_no_index(tmp_path):
    frame = pd.DataFrame({"class": list("abab"), "gs": range(4), "g": range(4)}, index=list("wxyz"))
    frame.to_csv(tmp_path / "t.csv")
    kept = read_table(tmp_path / "t.csv", target="class", drop="*s*")
    assert kept.sample_names == tuple("wxyz")
    assert kept.feature_names == ("g",)
    with pytest.raises(DataError, match=r"drop names the column '\(\*'"):
        read_table(tmp_path / "t.csv", target="class", drop="(*")


def test_rows_that_end_with_a_delimiter_for_a_saved_model(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,g1,g2\ns1,1,2,\ns2,3,4,\n")
    data = read_table(path, only=["g2"], target="class", target_optional=True)
    assert data.sample_names == ("s1", "s2")
    assert data.X[:, data.feature_names.index("g2")].tolist() == [2, 4]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="times of processes are POSIX's")
@pytest.mark.parametrize(
    ("does", "message"),
    [
        (
            "import signal; signal.setitimer(signal.ITIMER_PROF, 0.05)\nwhile True: pass",
            "a part of it took more than 120 s of work; .*TAMIS_READER_SECONDS",
        ),
        ("import os; os.kill(os.getpid(), 11)", "the HDF5 library ended with -11"),
        ("import os; os.kill(os.getpid(), 9)", "does not fit in memory"),
        ("print('{', end='')", "the HDF5 library ended with 0"),
    ],
)
def test_a_library_that_hangs_or_crashes_is_one_line(tmp_path, monkeypatch, does, message):
    def begin(*_):
        return subprocess.Popen([sys.executable, "-c", does], stdout=subprocess.PIPE)

    pytest.importorskip("anndata")
    path = tmp_path / "t.h5ad"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    monkeypatch.setattr(bounded, "begin_reader", begin)
    with pytest.raises(DataError, match=message):
        read_table(path)


@pytest.mark.parametrize("seconds", ["0", "9" * 18])
def test_any_number_of_seconds_is_one(seconds, tmp_path, monkeypatch):
    anndata = pytest.importorskip("anndata")
    sheet = pd.DataFrame({"class": list("abab")}, index=list("wxyz"))
    anndata.AnnData(np.arange(8.0).reshape(4, 2), obs=sheet).write_h5ad(tmp_path / "t.h5ad")
    monkeypatch.setenv("TAMIS_READER_SECONDS", seconds)
    assert read_table(tmp_path / "t.h5ad", target="class").shape == (4, 2)


def test_fields_may_be_as_long_as_the_csv_module_can_be_told(tmp_path, monkeypatch):
    """On Windows a number of more than 31 bits is no size."""
    told = []
    monkeypatch.setattr(csv, "field_size_limit", lambda size: told.append(size) or 1)
    monkeypatch.setenv("TAMIS_LONGEST_FIELD", "9" * 18)
    path = tmp_path / "t.csv"
    path.write_text('"a",class\n1,x\n2,y\n3,x\n4,y\n')
    assert read_table(path, target="class").shape == (4, 1)
    assert max(told) < 2**31


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes have no such limit")
def test_a_cell_far_off_in_a_workbook_takes_no_memory(tmp_path):
    """A sheet is held with all its cells: 2**34 of them here, in a file of 5 KB."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["id", "class", "g1"])
    book.active["XFD1048576"] = 1
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(DataError, match="while being read: a cell may stand far below or beside"):
        read_table(tmp_path / "t.xlsx", target="class")


def test_a_workbook_without_a_value_is_one_line(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save(tmp_path / "t.xlsx")
    with pytest.raises(DataError, match="has no sheet with anything in it"):
        read_table(tmp_path / "t.xlsx")
    with pytest.raises(DataError, match="has nothing in its sheet 'Sheet'"):
        read_table(tmp_path / "t.xlsx", sheet=1)


@pytest.mark.parametrize(
    ("free", "line", "text"),
    [(1 << 10, 1 << 7, 1 << 8), (1 << 50, 64 << 20, (512 << 20) + 1000 * len(GOOD))],
)
def test_a_line_takes_an_eighth_and_strings_a_quarter_of_the_memory(
    tmp_path, monkeypatch, free, line, text
):
    """Or what a limit says, where that is less."""
    monkeypatch.setattr(memory, "available_bytes", lambda: free)
    path = tmp_path / "t.csv"
    path.write_text(GOOD)
    with Lines(path, zipped=False) as read:
        assert read.longest == line
    assert Strings(path).cap == text


def test_a_line_may_be_as_long_as_its_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 8 * 20)
    path = tmp_path / "t.csv"
    path.write_text(GOOD)
    with Lines(path, zipped=False) as read:
        assert read._longer(20) is False  # nothing more has come
        with pytest.raises(DataError, match="with no line end"):
            read._longer(21)


def test_strings_count_by_their_letters_and_a_hundred_each(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text(GOOD)
    monkeypatch.setattr(memory, "available_bytes", lambda: 4 * (300 + 9))
    strings = Strings(path)
    assert strings.codes(np.array([0, 1, 1, -1]), ["ab ", "cde"]).tolist() == [0, 1, 1, -1]
    assert strings.codes(np.array([0, 1]), ["cde", "fghi"]).tolist() == [1, 2]
    assert (strings.size, strings.cap) == (309, 309)
    assert strings.codes(np.array([0, 1]), ["NA", "ab"]).tolist() == [-1, 0]
    with pytest.raises(DataError, match=r"'t\.csv' does not fit .* more text than numbers"):
        strings.codes(np.array([0]), ["j"])


def test_records_come_in_blocks_of_so_many_letters(monkeypatch):
    """Two fields of two letters and their ends are six; a block has more than twelve."""
    monkeypatch.setattr(records, "BLOCK_BYTES", 12)
    rows = [(f"a{k}", f"b{k}") for k in range(7)]
    block = "".join(f"{a},{b}\n" for a, b in rows).encode()
    found = list(records.read_csv_blocks(iter([(block, 2)]), ",", 2, "t.csv"))
    assert [len(one.starts) for one in found] == [3, 3, 1]
    assert [
        (one.cell(r, 0), one.cell(r, 1)) for one in found for r in range(len(one.starts))
    ] == rows
