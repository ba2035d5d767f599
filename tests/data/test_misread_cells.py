"""What was once read wrongly without a word: marks, codes, names that stand twice, rows that are no
samples."""

import io

import numpy as np
import openpyxl
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

TWICE = "id,class,T,U,T\n" + "".join(f"s{k},{'xy'[k % 2]},{k},{k},{100 + k}\n" for k in range(6))


@pytest.fixture
def read(tmp_path):
    def reading(text, name="t.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_table(path, **{"target": "class", **options})

    return reading


@pytest.mark.parametrize("more", [{}, {"only": ("T", "U")}, {"drop": "U"}, {"keep": True}])
def test_a_mean_is_of_all_of_a_name_however_few_columns_are_read(read, tmp_path, more):
    if "keep" in more:
        (tmp_path / "panel.txt").write_text("T\n")
        more = {"keep": tmp_path / "panel.txt"}
    data = read(TWICE, duplicates="mean", **more)
    at = data.feature_names.index("T")
    np.testing.assert_array_equal(data.X[:, at], 50 + np.arange(6.0))
    assert "T.2" not in data.feature_names


def test_a_dropped_name_goes_wherever_it_stands(read):
    assert read(TWICE, drop="T", duplicates="suffix").feature_names == ("U",)


def test_codes_are_missing_before_a_mean_is_taken(read):
    data = read(TWICE.replace(",103\n", ",-9\n"), duplicates="mean", missing="-9")
    assert data.X[3, 0] == 3


@pytest.mark.parametrize("name", ["class", "site"])
def test_a_second_column_of_a_role_is_refused(read, name):
    text = TWICE.replace("U", name).replace(",T\n", ",V\n", 1)
    if name == "site":
        text = text.replace("T", "site", 1)
    with pytest.raises(DataError, match="is no feature: leave one of them in the file"):
        read(text, group="site" if name == "site" else None, duplicates="suffix")


def test_marks_between_thousands_part_three_digits(read):
    text = 'id,class,g\na,x,"1,234"\nb,y,"2,345,678.5"\nc,x,7\n'
    np.testing.assert_array_equal(read(text, thousands=",").X[:, 0], [1234, 2345678.5, 7])
    with pytest.raises(DataError, match=r"decimal comma"):
        read(text.replace("1,234", "1,5"), thousands=",")


GERMAN = "id;class;g;h\na;x;1.100;0,5\nb;y;2.101;1,5\nc;x;3.107;2,5\n"


def test_points_beside_decimal_commas_are_not_before_decimals(read):
    for options in ({}, {"decimal": ","}):
        with pytest.raises(DataError, match=r"thousands='\.'|thousands="):
            read(GERMAN, **options)
    data = read(GERMAN, decimal=",", thousands=".")
    np.testing.assert_array_equal(data.X, [[1100, 0.5], [2101, 1.5], [3107, 2.5]])


def test_points_that_may_part_thousands_are_told(read):
    notes = read(GERMAN.replace(",", ".").replace("0.5", "5").replace("1.5", "6")
                 .replace("2.5", "7")).notes  # fmt: skip
    assert any("if it stands between thousands" in note for note in notes)


def test_a_code_strikes_no_ids_and_no_classes(read):
    text = "id,class,g\n" + "".join(f"{k + 1},{k % 3},{k}\n" for k in range(120))
    data = read(text, missing=("99", "0"))
    assert data.feature_names == ("g",)
    assert data.sample_names[98] == "99"
    assert data.classes == ("0", "1", "2")
    assert np.isnan(data.X[[0, 99], 0]).all()
    assert np.isnan(data.X).sum() == 2


@pytest.mark.parametrize("row", ["id,class,T1,T2,T3", ",,mg/dl,mg/l,U/l"])
def test_a_second_header_is_no_sample(read, row):
    body = "".join(f"s{k},{'xy'[k % 2]},{k}.5,{k},{-k}.1\n" for k in range(8))
    with pytest.raises(DataError, match=r"row 1 has text in 3 columns of numbers"):
        read(f"id,class,a,b,c\n{row}\n{body}")


def test_a_footnote_is_told(read):
    body = "".join(f"s{k},{'xy'[k % 2]},{k}.5,{k}\n" for k in range(8))
    notes = read(f"id,class,a,b\n{body}n=8,x,,\n").notes
    assert any("1 row has no value at all ('9')" in note for note in notes)


@pytest.mark.parametrize("cells", [["8 %", "0.3"], ["8k", "3"], ["1x10^3", "2"], ["3 e-3", "1"]])
def test_factors_are_no_units(read, cells):
    rows = "".join(f"s{k},{'xy'[k % 2]},{cells[k % 2]}\n" for k in range(8))
    with pytest.raises(DataError):
        read(f"id,class,g\n{rows}", units="remove")


def test_a_hidden_sheet_is_not_read(read):
    book = openpyxl.Workbook()
    for name, factor in (("old", 10), ("Data", 1)):
        page = book.create_sheet(name)
        page.append(["id", "class", "g"])
        for k in range(6):
            page.append([f"s{k}", "xy"[k % 2], factor * (k + 0.5)])
    del book["Sheet"]
    book["old"].sheet_state = "hidden"
    book.active = 1
    out = io.BytesIO()
    book.save(out)
    assert read(out.getvalue(), "t.xlsx").X[1, 0] == 1.5


def test_text_that_is_partly_utf8_is_not_taken_for_another_encoding(read):
    text = "id,class,größe\na,x,1\n".encode() + "b,y,2\nm\xfcll,x,3\n".encode("latin-1")
    for start in (b"", b"\xef\xbb\xbf"):
        with pytest.raises(DataError, match="is not UTF-8 text"):
            read(start + text.replace("größe".encode(), b"g") if start else text)


def test_features_in_rows_of_one_name_keep_their_rows(read, tmp_path):
    text = "gene,a,b,c,d\nT,1,2,3,4\nT,x,y,x,y\nclass,u,v,u,v\ng,5,6,7,8\n"
    data = read(text, transpose=True, duplicates="first")
    assert data.feature_names == ("T", "g")
    np.testing.assert_array_equal(data.X, [[1, 5], [2, 6], [3, 7], [4, 8]])
