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
        table, target="class", samples=sheet, covariates=["age", "weight"],
        missing=["age=99", "-9"],
    )  # fmt: skip
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
        table, target="class", samples=sheet, covariates=["Größe"], blocks={"rna": block},
        encoding="windows-1250",
    )  # fmt: skip
    assert data.feature_names == ("Łódź", "Größe", "rna:g2")
