"""Sample sheets and blocks beside a table: what is said of one file reaches those it is meant
for."""

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

TABLE = "id,class,g1\ns1,x,1\ns2,y,2\ns3,x,3\ns4,y,-9\n"


@pytest.fixture
def write(tmp_path):
    def to_file(name, text, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return to_file


def column(data, name):
    return data.X[:, data.feature_names.index(name)].tolist()


def test_a_code_of_one_column_is_a_number_in_a_sample_sheet(write):
    """99 is 99.0, as pandas writes a column with gaps; other columns keep their 99."""
    table = write("t.csv", TABLE)
    sheet = write("s.csv", "id,age,weight\ns1,40.0,99\ns2,99.0,70\ns3,50.0,80\ns4,45.0,90\n")
    data = read_table(
        table,
        target="class",
        samples=sheet,
        covariates=["age", "weight"],
        missing=["age=99", "-9"],
    )
    np.testing.assert_array_equal(column(data, "age"), [40, np.nan, 50, 45])
    assert column(data, "weight") == [99, 70, 80, 90]
    np.testing.assert_array_equal(column(data, "g1"), [1, 2, 3, np.nan])


@pytest.mark.parametrize("code", ["age=-9,0", "age=-9"])
def test_a_code_in_a_table_of_decimal_commas(write, code):
    table = write("t.csv", "id;class;age\ns1;x;1,5\ns2;y;-9,0\ns3;x;2,5\ns4;y;3,5\n")
    data = read_table(table, target="class", missing=[code])
    np.testing.assert_array_equal(column(data, "age"), [1.5, np.nan, 2.5, 3.5])


def test_a_code_of_a_column_that_is_not_there(write):
    table = write("t.csv", TABLE)
    with pytest.raises(DataError, match="missing names the column 'g2', which"):
        read_table(table, target="class", missing=["g2=-9"])
    assert read_table(table, only=["g1"], missing=["g2=-9"]).shape[0] == 4  # for a saved model


def test_codes_of_blocks_are_of_their_own_columns(write):
    """Both blocks have a column g1; the first table is a block too."""
    table = write("t.csv", TABLE)
    other = write("o.csv", "id,g1,g2\ns1,1,4\ns2,-9,-9\ns3,3,5\ns4,4,6\n")

    def read(*missing):
        blocks = {"clin": table, "rna": other}
        return read_table(table, target="class", blocks=blocks, missing=missing)

    own = read("clin:g1=-9")
    np.testing.assert_array_equal(column(own, "clin:g1"), [1, 2, 3, np.nan])
    assert column(own, "rna:g1") == [1, -9, 3, 4]
    theirs = read("rna:g1=-9")
    np.testing.assert_array_equal(column(theirs, "rna:g1"), [1, np.nan, 3, 4])
    assert column(theirs, "clin:g1") == [1, 2, 3, -9]
    assert column(theirs, "rna:g2") == [4, -9, 5, 6]
    everywhere = read("-9")
    assert np.isnan(everywhere.X).sum() == 3
    with pytest.raises(DataError, match="block 'rna': missing names the column 'g7'"):
        read("rna:g7=-9")


def test_decimal_commas_limits_and_units_of_a_sample_sheet(write):
    """Decimals of the sheet are found out as the table's are; two ages with a limit are classes."""
    table = write("t.csv", TABLE)
    sheet = write(
        "s.csv",
        "id;bmi;crp;dose;young\ns1;21,5;<0,5;5 mg;<40\ns2;30,25;1,5;6;>=40\ns3;25;2;7;<40\n"
        "s4;27;3;8;>=40\n",
    )
    covariates = ["bmi", "crp", "dose", "young"]
    data = read_table(
        table, target="class", samples=sheet, covariates=covariates, limits="half", units="remove"
    )
    assert column(data, "bmi") == [21.5, 30.25, 25, 27]
    assert column(data, "crp") == [0.25, 1.5, 2, 3]
    assert column(data, "dose") == [5, 6, 7, 8]
    assert set(data.levels[data.feature_names.index("young")]) == {"<40", ">=40"}


def test_an_encoding_is_that_of_the_file_that_needs_it(write):
    """A table in Windows-1250, a sheet in UTF-8, a block in Parquet."""
    pd = pytest.importorskip("pandas")
    table = write("t.csv", "id,class,Łódź\ns1,x,1\ns2,y,2\ns3,x,3\ns4,y,4\n", "windows-1250")
    sheet = write("s.csv", "id,Größe\ns1,1\ns2,2\ns3,3\ns4,4\n")
    block = sheet.with_name("b.parquet")
    frame = pd.DataFrame({"g2": [1.0, 2, 3, 4]}, index=pd.Index(["s1", "s2", "s3", "s4"], name="i"))
    frame.to_parquet(block)
    data = read_table(
        table,
        target="class",
        samples=sheet,
        covariates=["Größe"],
        blocks={"rna": block},
        encoding="windows-1250",
    )
    assert data.feature_names == ("Łódź", "Größe", "rna:g2")


SHEET = "id,class,dose,pat\ns1,a,5 mg,3a\ns2,b,6 mg,3b\ns3,a,1,1\ns4,b,2,2\n"


def test_units_and_limits_leave_classes_groups_and_ids(write):
    table = write("t.csv", "id,g1\ns1,1\ns2,2\ns3,3\ns4,4\n")
    data = read_table(
        table,
        samples=write("s.csv", SHEET),
        target="class",
        group="pat",
        covariates="dose",
        units="remove",
    )
    assert data.groups.tolist() == ["3a", "3b", "1", "2"]
    assert column(data, "dose") == [5, 6, 1, 2]
    stages = SHEET.replace(",a,", ",>3,", 1).replace(",a,", ",3,", 1)
    data = read_table(table, samples=write("s.csv", stages), target="class", limits="value")
    assert data.y.tolist() == [">3", "b", "3", "b"]
    numbers = write("n.csv", "id,g1\n1,1\n2,2\n3,3\n12,4\n")
    sheet = write("m.csv", "id,class\n1,a\n2,b\n3,a\n12b,b\n")
    with pytest.raises(DataError, match="1 of 4 samples"):
        read_table(numbers, samples=sheet, target="class", id="id", units="remove")


@pytest.mark.parametrize(
    ("old", "new", "options", "says"),
    [
        ("6 mg", "6 g", {"units": "remove"}, r"'dose' has several units, 'g', 'mg'"),
        ("5 mg", "5%", {"units": "remove"}, r"'dose' has several units"),
        ("5 mg", "<5", {"units": "remove"}, r"limits of detection .* limits='value'"),
        ("5 mg", "pending", {"units": "remove"}, r"'dose' holds numbers, but row 1 has 'pending'"),
        ("5 mg", "n/a", {"units": "remove"}, r"missing values .* say missing=\['n/a'\]"),
    ],
)
def test_a_covariate_of_a_sheet_is_told_as_a_column_is(write, old, new, options, says):
    table = write("t.csv", "id,g1\ns1,1\ns2,2\ns3,3\ns4,4\n")
    text = SHEET.replace(old, new)
    with pytest.raises(DataError, match=says):
        read_table(
            table, samples=write("s.csv", text), target="class", covariates="dose", **options
        )
    data = read_table(
        table,
        samples=write("s.csv", text),
        target="class",
        covariates="dose",
        categorical="dose",
        **options,
    )
    assert data.levels


def test_points_between_thousands_of_a_sheet(write):
    table = write("t.csv", "id;g1\ns1;1,5\ns2;2\ns3;3\ns4;4\n")
    sheet = write("s.csv", "id;class;dose\ns1;a;1.234,5\ns2;b;1.100\ns3;a;2.000\ns4;b;900\n")
    data = read_table(
        table, samples=sheet, target="class", covariates="dose", decimal=",", thousands="."
    )
    assert column(data, "dose") == [1234.5, 1100, 2000, 900]


def test_what_is_utf_8_needs_no_encoding(write):
    """A table of UTF-8 beside a sheet of Windows-1250; workbooks have an encoding of their own."""
    openpyxl = pytest.importorskip("openpyxl")
    text = "id,g\nś1,1\nś2,2\nś3,3\nś4,4\n"
    sheet = write("s.csv", "id,class\nś1,zły\nś2,y\nś3,zły\nś4,y\n", "windows-1250")
    told = {"target": "class", "encoding": "windows-1250"}
    data = read_table(write("t.csv", text), samples=sheet, **told)
    assert data.y.tolist() == ["zły", "y", "zły", "y"]
    book = openpyxl.Workbook()
    for row in text.splitlines():
        book.active.append(row.split(","))
    book.save(sheet.with_name("t.xlsx"))
    data = read_table(sheet.with_name("t.xlsx"), samples=sheet, **told)
    assert data.sample_names == ("ś1", "ś2", "ś3", "ś4")


def test_what_was_decided_of_a_sheet_is_said(write):
    table = write("t.csv", "id,g1\ns1,1\ns2,2\ns3,3\ns4,4\n")
    sheet = write("s.csv", "id,class\ns1,Müller\ns2,y\ns3,Müller\ns4,y\n", "windows-1252")
    data = read_table(table, samples=sheet, target="class")
    assert any(note.startswith("sample sheet: the text is not UTF-8") for note in data.notes)


def test_marks_of_attributes_that_a_gct_has_beside_a_sheet(write):
    text = "#1.3\n2\t4\t0\t1\nid\ts1\ts2\ts3\ts4\nage\t99\t40\t50\t60\n"
    text += "G1\t1\t2\t3\t4\nG2\t4\t5\t6\t7\n"
    sheet = write("s.csv", "id,class\ns1,a\ns2,b\ns3,a\ns4,b\n")
    data = read_table(
        write("t.gct", text), samples=sheet, target="class", covariates="age", missing="age=99"
    )
    np.testing.assert_array_equal(column(data, "age"), [np.nan, 40, 50, 60])


def test_a_mark_as_single_precision_holds_it(write):
    pd = pytest.importorskip("pandas")
    path = write("x", "").with_name("t.parquet")
    frame = {"id": list("abcd"), "class": list("xyxy"), "g": np.float32([-99.9, 1.5, 2, 3])}
    pd.DataFrame(frame).to_parquet(path)
    data = read_table(path, target="class", missing="-99.9")
    np.testing.assert_array_equal(data.X[:, 0], [np.nan, 1.5, 2, 3])


def test_a_mark_with_a_comma_is_no_decimal_among_points(write):
    table = write("t.csv", 'id,class,g\na,x,"1,500"\nb,y,1.5\nc,x,2\nd,y,3\n')
    data = read_table(table, target="class", thousands=",", missing="1,500")
    assert column(data, "g")[1:] == [1.5, 2, 3]


@pytest.mark.parametrize("mark", ["g=p=0.05", "p=0.05"])
def test_a_mark_with_an_equals_sign_is_of_the_column_that_is_there(write, mark):
    table = write("t.csv", "id,class,g\na,x,p=0.05\nb,y,1.5\nc,x,2\nd,y,3\n")
    if mark == "p=0.05":
        with pytest.raises(DataError, match="missing names the column 'p'"):
            read_table(table, target="class", missing=mark)
        return
    np.testing.assert_array_equal(
        column(read_table(table, target="class", missing=mark), "g"), [np.nan, 1.5, 2, 3]
    )


def test_a_covariate_of_as_many_values_as_samples(write):
    n = 20_000
    table = write("t.csv", "id,g1\n" + "".join(f"s{k},{k % 7}\n" for k in range(n)))
    rows = (f"s{k};{'ab'[k % 2]};{k},5\n" for k in range(n))
    sheet = write("s.csv", "id;class;dose\n" + "".join(rows))
    data = read_table(table, samples=sheet, target="class", covariates="dose")
    np.testing.assert_array_equal(column(data, "dose"), np.arange(n) + 0.5)
