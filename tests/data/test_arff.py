"""ARFF: the header's types, quoting, sparse rows."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

HEAD = r"""% 1. Title: a test
@relation 'a test'
@attribute sepallength REAL
@attribute 'petal width, mm' NUMERIC
@attribute "a \"quoted\" name" integer
@attribute colour { red, 'dark blue', "it's" }
@ATTRIBUTE class {well,ill,never}

@DATA
"""


def write(tmp_path, text, name="t.arff"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_dense(tmp_path):
    body = "5.1, 3.5, 1, red, well\n% a remark\n\n?,2,2,'dark blue',ill\n1e-3,-2,3,'it\\'s',ill\n"
    data = read_table(write(tmp_path, HEAD + body), target="class")
    assert data.feature_names == (
        "sepallength",
        "petal width, mm",
        'a "quoted" name',
        "colour",
    )
    assert data.levels == {3: ("red", "dark blue", "it's")}
    expected = [[5.1, 3.5, 1, 0], [np.nan, 2, 2, 1], [1e-3, -2, 3, 2]]
    assert np.array_equal(data.X, expected, equal_nan=True)
    assert data.y.tolist() == ["well", "ill", "ill"]
    assert data.classes == ("ill", "well")


def test_plain_rows_take_the_fast_way_to_the_same_table(tmp_path):
    rows = "".join(f"{i}.25,{i},?,red,{'well' if i % 2 else 'ill'}\n" for i in range(50))
    rows = rows.replace("?", "3", 40)
    plain = read_table(write(tmp_path, HEAD + rows), target="class")
    quoted = read_table(write(tmp_path, HEAD + rows.replace("red", "'red'")), target="class")
    assert np.array_equal(plain.X, quoted.X, equal_nan=True)
    assert plain.X[:, 0].tolist() == [i + 0.25 for i in range(50)]
    path = tmp_path / "t.arff.gz"
    path.write_bytes(gzip.compress((HEAD + rows).encode()))
    zipped = read_table(path, target="class")
    assert np.array_equal(plain.X, zipped.X, equal_nan=True)


def test_a_long_comment_first(tmp_path):
    """Weka's own vote.arff opens with more comments than are looked at to tell the format."""
    path = tmp_path / "long.arff"
    text = "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n2,b\n"
    path.write_text("% what the columns mean\n" * 5000 + text)
    assert read_table(path, target="class").X.ravel().tolist() == [1.0, 2.0]


def test_sparse(tmp_path):
    body = "{0 1.5, 3 'dark blue', 4 ill}\n{}\n{1 -2e1,2 ?, 4 ill}, {3}\n"
    data = read_table(write(tmp_path, HEAD + body), target="class")
    expected = [[1.5, 0, 0, 1], [0, 0, 0, 0], [0, -20, np.nan, 0]]
    assert np.array_equal(data.X, expected, equal_nan=True)
    assert data.y.tolist() == ["ill", "well", "ill"]


def test_string_attribute_names_the_samples(tmp_path):
    head = "@relation r\n@attribute name string\n@attribute g numeric\n@attribute c {a,b}\n@data\n"
    data = read_table(write(tmp_path, head + "'s 1',1,a\n's 2',2,b\n"), target="c")
    assert data.sample_names == ("s 1", "s 2")
    assert data.X.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "1,2,3,green,ill\n1,2,3,red,well\n", "has the value 'green'"),
        (HEAD + "1,2,3,red\n", r"line 10 has 4 fields where 5"),
        (HEAD + "1,2,3,'red'\n", r"line 10 has 4 fields where 5"),
        (HEAD + "{0 1, 9 4}\n", "line 10: sparse entry '9 4'"),
        (HEAD + "{0 1 red}\n", "'sepallength' holds numbers, but row 1 has '1 red'"),
        (HEAD, "no rows after @data"),
        (HEAD.replace("@DATA", ""), "no @data section|is not understood"),
        (HEAD.replace("REAL", "relational"), "has the type 'relational'"),
        (
            HEAD.replace("'petal width, mm'", "sepallength") + "1,2,3,red,ill\n1,2,3,red,well\n",
            "duplicate names in",
        ),
    ],
)
def test_errors(tmp_path, text, message):
    with pytest.raises(DataError, match=message) as caught:
        read_table(write(tmp_path, text), target="class")
    assert "\n" not in str(caught.value)


def test_weka_sets_equal_their_parquet_copies(shared_data, tmp_path):
    """A shared set written out as ARFF comes back the same."""
    import pandas as pd

    frame = pd.read_parquet(shared_data / "uci" / "ionosphere.parquet")
    head = "@relation ionosphere\n@attribute class {b,g}\n" + "".join(
        f"@attribute {c} numeric\n" for c in frame.columns[1:]
    )
    body = frame.to_csv(index=False, header=False)
    data = read_table(write(tmp_path, head + "@data\n" + body), target="class")
    assert np.array_equal(data.X.astype("f4"), frame.iloc[:, 1:].to_numpy(dtype="f4"))
    assert data.y.tolist() == frame["class"].tolist()


@pytest.mark.parametrize("quoted", [False, True])
def test_declared_levels_are_levels_whatever_their_names(tmp_path, quoted):
    head = "@relation t\n@attribute f {NA,null,.,b}\n@attribute class {NA,ok}\n@data\n"
    rows = "NA,NA\nnull,ok\n.,NA\n?,ok\nb,ok\n"
    if quoted:
        rows = rows.replace("null", "'null'")
    data = read_table(write(tmp_path, head + rows), target="class")
    assert data.levels == {0: ("NA", "null", ".", "b")}
    np.testing.assert_array_equal(data.X[:, 0], [0, 1, 2, np.nan, 3])
    assert list(data.y) == ["NA", "ok", "NA", "ok", "ok"]


def test_a_question_mark_in_quotes_is_no_missing_value(tmp_path):
    text = "@relation t\n@attribute f {'?',b}\n@attribute class {a,b}\n@data\n'?',a\nb,b\n"
    with pytest.raises(DataError, match="line 5: a question mark in quotes is a value"):
        read_table(write(tmp_path, text), target="class")


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ("{'x ',x,y}", "'f' declares levels that differ in blanks around them alone, 'x ', 'x'"),
        ("{x,y,' x'}", "'f' declares levels that differ in blanks around them alone, 'x', ' x'"),
        ("{'',x}", "'f' declares an empty level"),
        ("{x,' '}", "'f' declares an empty level"),
    ],
)
def test_levels_that_would_be_read_as_another_are_refused(tmp_path, declared, says):
    head = f"@relation t\n@attribute f {declared}\n@attribute class {{a,b}}\n@data\n"
    with pytest.raises(DataError, match=says) as caught:
        read_table(write(tmp_path, head + "x,a\nx,b\n"), target="class")
    assert "\n" not in str(caught.value)


def test_blanks_around_a_quoted_level_are_no_part_of_it(tmp_path):
    head = "@relation t\n@attribute f {' x','y ', z, z}\n@attribute class {a,b}\n@data\n"
    data = read_table(write(tmp_path, head + "' x',a\n'y ',b\n z ,a\n"), target="class")
    assert data.levels == {0: ("x", "y", "z")}
    assert data.X[:, 0].tolist() == [0, 1, 2]


def test_what_is_missing(tmp_path):
    head = "@relation t\n@attribute x numeric\n@attribute f {NA,b}\n@attribute class {a,b}\n@data\n"
    body = "NA,NA,a\n.,b,b\n,,a\n?,?,b\n'',b,a\n1,b,b\n2,NA,a\n"
    data = read_table(write(tmp_path, head + body), target="class")
    nan = np.nan
    np.testing.assert_array_equal(data.X[:, 0], [nan, nan, nan, nan, nan, 1, 2])
    np.testing.assert_array_equal(data.X[:, 1], [0, 1, nan, nan, 1, 1, 0])


WEKA = (
    "@relation r\n@attribute a numeric{0}\n@attribute 'b c' real{0}\n@attribute class {{x,y}}{0}\n"
)
VALID = {  # as Weka reads them
    "commas": ("", "1,2,x\n3,4,y\n", False),
    "weights of attributes": (" {0.5}", "1,2,x\n3,4,y\n", False),
    "weights of rows": ("", "1,2,x,{5}\n3,4,y, {0.5}\n", True),
    "blanks and tabs": ("", "1 2 x\n3\t4\ty\n", False),
    "blanks beside commas": ("", "1, 2 ,x\n3,4 , y\n", False),
    "blanks and commas": ("", "1 2,x\n3,4 y\n", False),
    "blanks, quotes and a weight": ("", "1 2 'x'\n3\t4\ty {2}\n", True),
    "a sparse row with a weight": ("", "{0 1, 1 2, 2 x}, {3}\n3,4,y\n", True),
    "a sparse row with a weight behind a blank": ("", "{0 1, 1 2, 2 x} {3}\n3,4,y\n", True),
}


@pytest.mark.every
@pytest.mark.parametrize("case", VALID)
def test_valid_files_are_read_as_weka_does(tmp_path, case):
    weight, rows, weighted = VALID[case]
    (tmp_path / "t.arff").write_text(f"{WEKA.format(weight)}@data\n{rows}")
    data = read_table(tmp_path / "t.arff", target="class")
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.y.tolist() == ["x", "y"]
    assert data.feature_names == ("a", "b c")
    assert ("weights of rows are not used" in data.notes) == weighted


@pytest.mark.parametrize("row", ["1,2", "1,2,3,x", "1 2", "1 2 3 x"])
def test_rows_of_another_length_are_refused(tmp_path, row):
    (tmp_path / "t.arff").write_text(f"{WEKA.format('')}@data\n{row}\n3,4,y\n")
    with pytest.raises(DataError, match=r"line 6 has \d fields? where 3 are expected"):
        read_table(tmp_path / "t.arff", target="class")
