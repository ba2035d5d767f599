"""read_table: what it decides, file by file."""

from __future__ import annotations

import gzip
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError, MissingExtraError
from tamis.data import Dataset, load_golub, read_table
from tamis.data.lines import BLOCK_BYTES

TABLE = "id,class,g1,g2\na,ill,1.5,2\nb,well,,3\nc,ill,-4e-3,7\nd,well,0.25,9\n"
X = np.array([[1.5, 2], [np.nan, 3], [-0.004, 7], [0.25, 9]])


@pytest.fixture
def write(tmp_path):
    def put(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


def check(data: Dataset) -> None:
    assert data.feature_names == ("g1", "g2")
    assert data.sample_names == ("a", "b", "c", "d")
    assert data.classes == ("ill", "well")
    assert data.y.tolist() == ["ill", "well", "ill", "well"]
    assert data.X.dtype == np.float64
    assert data.X.flags.c_contiguous
    assert np.array_equal(data.X, X, equal_nan=True)


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_and_line_ends(write, delimiter, end):
    check(read_table(write(TABLE.replace(",", delimiter).replace("\n", end)), target="class"))


@pytest.mark.parametrize(
    "change",
    [
        lambda t: "\ufeff" + t,
        lambda t: t.rstrip("\n"),
        lambda t: t + "\n\n",
        lambda t: t.replace("\n", "\n\n"),
        lambda t: t.replace(",", " , "),
        lambda t: t.replace("\n", ",\n"),  # a trailing delimiter everywhere
        lambda t: t.replace("\n", ",\n").replace("g2,\n", "g2\n"),  # but in the header
        lambda t: t.replace("id,", ",", 1),
        lambda t: "\n".join(",".join(f'"{c}"' for c in r.split(",")) for r in t.split()) + "\n",
        lambda t: t.replace("1.5", '"1.5"').replace("a,", '"a",'),
        lambda t: t.replace("1.5", "+1.5"),
    ],
    ids=[
        "bom",
        "no-newline",
        "blank-end",
        "blanks",
        "padded",
        "trailing",
        "trailing-body",
        "unnamed",
        "quoted",
        "some-quoted",
        "plus",
    ],
)
def test_dialects(write, change):
    check(read_table(write(change(TABLE)), target="class"))


@pytest.mark.parametrize("mark", ["", "NA", "NaN", "nan", "null", "NULL", "?", "N/A", ".", '"NA"'])
def test_missing_markers(write, mark):
    data = read_table(write(TABLE.replace("well,,", f"well,{mark},")), target="class")
    check(data)
    assert any(note.startswith("1 missing value ") for note in data.notes)


def test_whitespace_and_r_write_table(write):
    body = "".join(
        f'"{i}"  "{c}" {v}   {w}\n'
        for i, c, v, w in (
            ("a", "ill", 1.5, 2),
            ("b", "well", "NA", 3),
            ("c", "ill", -0.004, 7),
            ("d", "well", 0.25, 9),
        )
    )
    check(read_table(write('"class" "g1" "g2"\n' + body, "t.txt"), target="class"))
    spaced = read_table(write(('"class" "g1" "g2"\n' + body).replace('"a"', '"a b"')))
    assert spaced.sample_names[0] == "a b"
    tabs = '"class"\t"g1"\t"g2"\n' + "\t".join(["a", "ill", "1", "2"]) + "\n" + "b\twell\t2\t\n"
    data = read_table(write(tabs), target="class")
    assert data.sample_names == ("a", "b")
    assert np.isnan(data.X[1, 1])


def test_quoted_names_with_commas_and_messy_quotes(write):
    text = 'id,class,"gene, one",g2\n"a, b",ill,1,2\n"say ""x""",well,3,4\n"two\nlines",ill,5,6\n'
    data = read_table(write(text), target="class")
    assert data.feature_names == ("gene, one", "g2")
    assert data.sample_names == ("a, b", 'say "x"', "two\nlines")
    assert data.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    stray = read_table(write('id\tclass\tg\na 5"\tx\t1\nb\ty\t2\n'), target="class")
    assert stray.sample_names == ('a 5"', "b")


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize(
    ("delimiter", "options"),
    [(",", {}), ("\t", {}), (";", {}), ("^", {"separator": "^"}), (" ", {})],
)
def test_line_ends_in_a_quoted_header(write, zipped, delimiter, options):
    """As the csv module reads it, with either line end."""
    body = "a,ill,1,2\nb,well,3,4\nc,ill,5,6\n"
    headers = {
        'id,class,"gene\none",g2\n': ("gene\none", "g2"),
        '"id",class,"a\n\nb","say ""g""\n2"\n': ("a\n\nb", 'say "g"\n2'),
        '"the\nid","class",g1,"' + "long\n" * 30 + '"\n': ("g1", ("long\n" * 30).strip()),
    }
    for header, names in headers.items():
        if delimiter == " " and '""' in header:
            continue  # doubled quotes among blanks are none
        for end in ("\n", "\r\n"):
            text = (header + body).replace(",", delimiter).replace("\n", end)
            content = gzip.compress(text.encode()) if zipped else text
            data = read_table(write(content), target="class", **options)
            assert data.feature_names == names
            assert data.sample_names == ("a", "b", "c")
            assert data.X.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_line_ends_in_the_header_of_samples(write):
    text = 'probe,"s\n1",s2\ng1,1,2\nclass,a,b\n'
    assert read_table(write(text), target="class", transpose=True).sample_names == ("s\n1", "s2")


def test_stray_quotes_in_a_header(write):
    data = read_table(write('id,class,5" disk,g2\na,x,1,2\nb,y,3,4\n'), target="class")
    assert data.feature_names == ('5" disk', "g2")
    assert data.X.tolist() == [[1, 2], [3, 4]]


def test_gzip_and_separator(write):
    check(read_table(write(gzip.compress(TABLE.encode()), "table.csv.gz"), target="class"))
    odd = write(TABLE.replace(",", "^"))
    check(read_table(odd, target="class", separator="^"))
    with pytest.raises(DataError, match="separator"):
        read_table(odd, separator="ab")


def test_name_of_the_table(write):
    assert read_table(write(gzip.compress(TABLE.encode()), "my.set.tsv.gz")).name == "my.set"
    assert read_table(write(TABLE, "my.set.csv")).name == "my.set"


def test_many_blocks_equal_pandas(write):
    """More than one block, text columns anywhere, one that starts empty."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(20_000, 12)).round(6)).add_prefix("x")
    frame.insert(3, "colour", rng.choice(["red", "blue"], size=len(frame)))
    frame.insert(7, "class", rng.choice(["u", "v"], size=len(frame)))
    frame["late"] = ""
    frame.loc[15_000:, "late"] = "yes"
    frame.loc[5:70, "x4"] = np.nan
    path = write(frame.to_csv(index=False))
    assert path.stat().st_size > 2 * BLOCK_BYTES
    data = read_table(path, target="class")
    numeric = [j for j in range(14) if j not in data.levels]
    assert np.array_equal(data.X[:, numeric], frame.filter(regex="^x").to_numpy(), equal_nan=True)
    assert data.levels == {3: ("blue", "red"), 13: ("yes",)}
    assert np.isnan(data.X[:15_000, 13]).all()
    assert (data.X[15_000:, 13] == 0).all()
    assert (data.X[:, 3] == (frame["colour"] == "red")).all()


def test_classes_stay_text_and_sort_as_numbers(write):
    text = "g,class\n" + "".join(f"{i},{c}\n" for i, c in enumerate([10, 2, 1, 10, 2, 1]))
    data = read_table(write(text), target="class")
    assert data.classes == ("1", "2", "10")
    floats = read_table(write(text.replace(",1\n", ",1.0\n")), target="class")
    assert floats.classes == ("1", "2", "10")


def test_positive(write):
    path = write(TABLE)
    assert read_table(path, target="class", positive="ill").classes == ("well", "ill")
    with pytest.raises(DataError, match="did you mean 'ill'"):
        read_table(path, target="class", positive="il")
    numbered = write("g,class\n1,1\n2,0\n3,1\n")
    assert read_table(numbered, target="class", positive=0).classes == ("1", "0")


def test_categories_booleans_integers(write):
    text = "class,flag,grade,code,x\n" + "".join(
        f"{c},{f},{g},{k},{i}\n"
        for i, (c, f, g, k) in enumerate(
            zip(
                "abababab",
                ["TRUE", "false"] * 4,
                ["low", "high", "low", "NA"] * 2,
                "12345678",
                strict=True,
            )
        )
    )
    data = read_table(write(text), target="class")
    assert data.levels == {1: ("high", "low")}
    assert data.X[:, 0].tolist() == [1, 0] * 4
    assert data.X[:3, 1].tolist() == [1, 0, 1]
    assert np.isnan(data.X[3, 1])
    assert data.X[:, 2].tolist() == list(range(1, 9))
    assert "1 text column is categorical: 'grade'" in data.notes
    declared = read_table(write(text), target="class", categorical="code")
    assert declared.levels[2] == tuple("12345678")


def test_first_text_column_is_id_only_if_different(write):
    twice = read_table(write("kind,class,g\nu,a,1\nv,b,2\nu,a,3\nv,b,4\n"), target="class")
    assert twice.feature_names == ("kind", "g")
    assert twice.levels == {0: ("u", "v")}
    assert twice.sample_names == ("1", "2", "3", "4")
    assert twice.X.flags.c_contiguous
    once = read_table(write("kind,class,g\nu,a,1\nv,b,2\n"), target="class")
    assert once.sample_names == ("u", "v")
    assert any("sample ids: column 'kind'" in note for note in once.notes)
    named = read_table(write("n,class,g\n7,a,1\n8,b,2\n"), target="class", id="n")
    assert named.sample_names == ("7", "8")
    hint = read_table(write("patient_id,class,g\n7,a,1\n8,b,2\n9,b,2\n"), target="class")
    assert any("id='patient_id'" in note for note in hint.notes)


@pytest.mark.parametrize("start", [0, 1])
def test_a_first_column_that_counts_the_rows_is_no_feature(write, start):
    for name in ("sample", "Patient_ID", "id"):
        rows = [f"{start + k},{'ab'[k % 2]},{k * k}" for k in range(4)]
        data = read_table(write("\n".join([f"{name},class,g1", *rows])), target="class")
        assert data.feature_names == ("g1",)
        assert data.sample_names == tuple(str(start + k) for k in range(4))
        assert data.X.tolist() == [[0], [1], [4], [9]]
        assert any(f"column {name!r}" in note and "counts the rows" in note for note in data.notes)


@pytest.mark.parametrize(
    ("name", "numbers"), [("sample", [2, 3, 4, 5]), ("sample", [1, 3, 2, 4]), ("age", [1, 2, 3, 4])]
)
def test_other_numbers_in_the_first_column_are_a_feature(write, name, numbers):
    rows = [f"{k},{'ab'[k % 2]},{k * k}" for k in numbers]
    data = read_table(write("\n".join([f"{name},class,g1", *rows])), target="class")
    assert data.feature_names == (name, "g1")
    assert data.X[:, 0].tolist() == numbers
    assert any("different whole numbers" in note for note in data.notes) == (name == "sample")


def test_roles_in_the_table(write):
    text = "id,class,who,fold,age,sex,g\n" + "".join(
        f"s{i},{'ab'[i % 2]},{i // 2},{i % 3},{30 + i},{'fm'[i // 2 % 2]},{i}.5\n" for i in range(8)
    )
    data = read_table(
        write(text), target="class", group="who", split="fold", covariates=["sex", "age", "sex"]
    )
    assert data.feature_names == ("age", "sex", "g")
    assert data.covariates == (1, 0)
    assert data.groups.tolist() == ["0", "0", "1", "1", "2", "2", "3", "3"]
    assert data.split.tolist() == ["0", "1", "2"] * 2 + ["0", "1"]
    assert data.levels == {1: ("f", "m")}


def test_drop_names_and_patterns(write):
    path = write("class,AFFX_1,AFFX_2,empty,g\na,1,2,,3\nb,1,2,NA,4\n")
    data = read_table(path, target="class", drop=["AFFX*", "<empty>"])
    assert data.feature_names == ("g",)
    assert data.X.tolist() == [[3], [4]]
    with pytest.raises(DataError, match="did you mean 'empty'"):
        read_table(path, target="class", drop="empti")


def test_without_target(write):
    data = read_table(write("id,g1\na,1\nb,2\n"))
    assert data.y is None
    assert data.classes == ()
    absent = read_table(write("id,g1\na,1\nb,2\n"), target="class", target_optional=True)
    assert absent.y is None
    with pytest.raises(DataError, match="there is no target column 'class'"):
        read_table(write("id,g1\na,1\nb,2\n"), target="class")


SHEET = "sample\tclass\tage\tsex\td\nd\twell\t4\tf\t1\nb\twell\t2\tm\t1\na\till\t1\tf\t1\n"
SHEET += "zz\till\t9\tm\t1\nc\till\t3\tm\t1\n"


def test_sample_sheet(write):
    sheet = write(SHEET, "sheet.tsv")
    table = write(TABLE.replace("class", "kind"))
    data = read_table(table, samples=sheet, target="class", covariates=["age", "sex"], drop="kind")
    assert data.feature_names == ("g1", "g2", "age", "sex")
    assert data.X[:, 2].tolist() == [1, 2, 3, 4]
    assert data.X[:, 3].tolist() == [0, 1, 1, 0]
    assert data.levels == {3: ("f", "m")}
    assert data.covariates == (2, 3)
    assert data.y.tolist() == ["ill", "well", "ill", "well"]
    assert any("1 row of the sample sheet has no data: 'zz'" in n for n in data.notes)
    short = write("sample,class\na,ill\nb,well\n", "short.csv")
    with pytest.raises(DataError, match=r"2 of 4 samples .* 'c', 'd'; add them"):
        read_table(table, samples=short, target="class")
    both = read_table(write(TABLE), samples=sheet, target="class")
    assert both.feature_names == ("g1", "g2")
    assert any("is in the table and in the sample sheet" in n for n in both.notes)
    twice = write("sample,class\na,ill\na,well\n", "twice.csv")
    with pytest.raises(DataError, match="duplicate sample ids"):
        read_table(table, samples=twice, target="class")
    with pytest.raises(DataError, match="name it with id="):
        read_table(write("g1,g2\n1,2\n3,4\n"), samples=sheet, target="class")


TURNED = "probe,a,b,c,d\ng1,1.5,,-4e-3,0.25\ng2,2,3,7,9\n"


def test_transposed(write):
    sheet = write(SHEET, "sheet.tsv")
    check(read_table(write(TURNED), transpose=True, samples=sheet, target="class"))
    check(
        read_table(
            write(TURNED.replace("probe", "")), transpose=True, samples=sheet, target="class"
        )
    )
    short = TURNED.replace("probe,", "")
    check(read_table(write(short), transpose=True, samples=sheet, target="class"))
    inside = write(TURNED + "class,ill,well,ill,well\nstage,i,ii,i,ii\nAFFX,1,1,1,1\n")
    data = read_table(inside, transpose=True, target="class", drop="AFFX*")
    assert data.feature_names == ("g1", "g2", "stage")
    assert data.levels == {2: ("i", "ii")}
    assert data.classes == ("ill", "well")
    with pytest.raises(DataError, match=r"column 'g2' holds numbers, but row 'c' has 'abc'"):
        read_table(write(TURNED.replace("7", "abc")), transpose=True)
    with pytest.raises(DataError, match="duplicate names"):
        read_table(write(TURNED.replace("g2", "g1")), transpose=True)


def test_transposed_parquet(tmp_path, write):
    frame = pd.DataFrame(X.T, columns=list("abcd"))
    frame.insert(0, "gene", ["g1", "g2"])
    frame.to_parquet(tmp_path / "turned.parquet", index=False)
    sheet = write(SHEET, "sheet.tsv")
    check(read_table(tmp_path / "turned.parquet", transpose=True, samples=sheet, target="class"))


def test_parquet(tmp_path):
    frame = pd.DataFrame(X, columns=["g1", "g2"], index=list("abcd"))
    frame["class"] = ["ill", "well", "ill", "well"]
    frame.to_parquet(tmp_path / "t.parquet")
    check(read_table(tmp_path / "t.parquet", target="class"))
    frame.index.name = "sample"
    frame.to_parquet(tmp_path / "t.parquet")
    check(read_table(tmp_path / "t.parquet", target="class"))
    more = pd.DataFrame(
        {
            "class": ["1", "2", "1", "2"],
            "flag": [True, False, None, True],
            "n": pd.array([1, None, 3, 4], dtype="Int64"),
            "f": np.array([1, 2, 3, 4], "f4"),
            "kind": pd.Categorical(["u", "v", "u", None]),
            "coded": ["1", "1", "2", "2"],
            "a": [1.0, 2, 3, 4],
            "a.b": [5.0, 6, 7, 8],
        }
    )
    more.to_parquet(tmp_path / "m.parquet", index=False)
    data = read_table(tmp_path / "m.parquet", target="class", categorical="f")
    assert data.feature_names == ("flag", "n", "f", "kind", "coded", "a", "a.b")
    assert data.levels == {2: ("1", "2", "3", "4"), 3: ("u", "v"), 4: ("1", "2")}
    expected = [
        [1, 1, 0, 0, 0, 1, 5],
        [0, np.nan, 1, 1, 0, 2, 6],
        [np.nan, 3, 2, 0, 1, 3, 7],
        [1, 4, 3, np.nan, 1, 4, 8],
    ]
    assert np.array_equal(data.X, np.array(expected), equal_nan=True)
    stamped = more.assign(when=pd.Timestamp("2020-01-01"))
    stamped.to_parquet(tmp_path / "s.parquet", index=False)
    with pytest.raises(DataError, match=r"'when' has the type timestamp.*drop="):
        read_table(tmp_path / "s.parquet", target="class")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1" + b"junk" * 20)
    with pytest.raises(DataError, match="not a readable Parquet file"):
        read_table(tmp_path / "bad.parquet")


def test_h5ad(tmp_path):
    anndata = pytest.importorskip("anndata")
    import scipy.sparse as sp

    obs = pd.DataFrame(
        {"class": pd.Categorical(["ill", "well", "ill", "well"]), "age": [1, 2, 3, 4]},
        index=list("abcd"),
    )
    for matrix in (X, sp.csr_matrix(np.nan_to_num(X)), sp.csc_matrix(np.nan_to_num(X))):
        path = tmp_path / "t.h5ad"
        a = anndata.AnnData(matrix, obs=obs, var=pd.DataFrame(index=["g1", "g2"]))
        a.write_h5ad(path)
        data = read_table(path, target="class", covariates="age")
        assert data.feature_names == ("g1", "g2", "age")
        assert data.X[:, 2].tolist() == [1, 2, 3, 4]
        dense = matrix.toarray() if sp.issparse(matrix) else matrix
        assert np.array_equal(data.X[:, :2], dense, equal_nan=True)
        assert data.classes == ("ill", "well")
        assert data.sample_names == ("a", "b", "c", "d")


def test_h5ad_without_the_library(tmp_path, monkeypatch):
    (tmp_path / "t.h5ad").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0" * 100)
    monkeypatch.setitem(sys.modules, "anndata", None)
    with pytest.raises(MissingExtraError, match=r".\[h5ad\]"):
        read_table(tmp_path / "t.h5ad")


def test_shared_sets_equal_pandas(shared_data):
    path = shared_data / "expression" / "alon.parquet"
    frame = pd.read_parquet(path)
    data = read_table(path, target="class")
    assert data.feature_names == tuple(frame.columns[1:])
    assert np.array_equal(data.X, frame.iloc[:, 1:].to_numpy(dtype=float))
    assert data.y.tolist() == frame["class"].tolist()
    german = read_table(shared_data / "uci" / "german.parquet", target="class")
    frame = pd.read_parquet(shared_data / "uci" / "german.parquet").drop(columns="class")
    assert len(german.levels) > 5
    for j, levels in german.levels.items():
        assert [levels[int(c)] for c in german.X[:, j]] == frame.iloc[:, j].astype(str).tolist()


def test_golub():
    data = load_golub()
    assert data.shape == (38, 3051)
    assert data.classes == ("ALL", "AML")
    assert (data.y == "ALL").sum() == 27
    assert len(set(data.feature_names)) == 3051
    assert data.X[0, 0] == -1.45769
    assert data.X.flags.c_contiguous
    # multtest standardises each array; five decimals are kept
    assert np.allclose(data.X.mean(axis=1), 0, atol=1e-5)
    assert np.allclose(data.X.std(axis=1, ddof=1), 1, atol=1e-5)


def test_notes(write):
    rows = "a,1,2,7\nb,1,3,7\na,1,2,7\nb,1,4,7\n"
    data = read_table(write("class,g1,g2,g3\n" + rows), target="class")
    assert "2 constant columns" in data.notes
    assert any(n.startswith("1 row the same as another row") for n in data.notes)
    some = read_table(write("class,g1,g2,g3\n" + rows), only=["g1", "g3"])  # as a model does
    assert not any("row" in note for note in some.notes)


def test_import_is_light():
    code = textwrap.dedent("""
        import sys, tamis.data
        heavy = {"pandas", "pyarrow", "numba", "scipy", "sklearn", "anndata"} & set(sys.modules)
        assert not heavy, heavy
        assert tamis.data.Dataset.__name__ == "Dataset"
        assert sorted(tamis.data.__all__) == dir(tamis.data)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
