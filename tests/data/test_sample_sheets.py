"""Which column of a sample sheet names the samples of the table."""

from __future__ import annotations

import pytest

from tamis._core.errors import DataError
from tamis.data import read_table


@pytest.fixture
def write(tmp_path):
    def put(content, name="table.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return put


def test_a_sheet_of_families_and_ids_joins_a_table_of_both_in_one_word(write):
    table = write("id,g1\n1_a,1\n1_b,2\n2_a,3\n2_c,4\n")
    rows = ["#FID IID class", "2 c ill", "2 a well", "1 a ill", "1 b well", "3 z ill"]
    sheet = write("\n".join(rows).replace(" ", "\t") + "\n", "s.tsv")
    for how in ({}, {"id": "id"}):
        data = read_table(table, samples=sheet, target="class", **how)
        assert data.y.tolist() == ["ill", "well", "well", "ill"]
        assert data.sample_names == ("1_a", "1_b", "2_a", "2_c")
        assert "sample sheet joined by FID_IID (its FID and IID in one word)" in data.notes
        assert any("1 row of the sample sheet has no data: '3_z'" in note for note in data.notes)
    grouped = read_table(table, samples=sheet, target="class", group="FID")
    assert grouped.groups.tolist() == ["1", "1", "2", "2"]
    fewer = write("FID,IID,class\n2,c,ill\n2,a,well\n1,a,ill\n", "fewer.csv")
    with pytest.raises(DataError, match=r"1 of 4 samples .* \(joined by FID_IID.*: '1_b'; add"):
        read_table(table, samples=fewer, target="class")
    own = write("FID,IID,class\n1,1_a,ill\n1,1_b,well\n2,2_a,ill\n2,2_c,well\n", "own.csv")
    assert (
        "sample sheet joined by its column 'IID'"
        in read_table(table, samples=own, target="class").notes
    )


def test_a_sheet_with_partners_is_joined_by_the_column_called_as_in_the_table(write):
    """Who is paired with whom is said by ids, too; joined by them classes would be turned round."""
    ids = [f"{kind}{k}" for k in range(4) for kind in "TN"]
    table = write("sample,g1\n" + "".join(f"{one},{k}.5\n" for k, one in enumerate(ids)))
    rows = [
        (f"{'NT'[one[0] == 'N']}{one[1]}", one, {"T": "tumour", "N": "normal"}[one[0]])
        for one in ids
    ]
    text = "".join(",".join(row) + "\n" for row in rows)
    sheet = write("matched,sample,class\n" + text, "s.csv")
    expected = [kind for _, _, kind in rows]
    assert read_table(table, samples=sheet, target="class").y.tolist() == expected
    other = write("matched,specimen,class\n" + text, "o.csv")
    says = "'matched' and 'specimen' all hold|'matched', 'specimen' all hold"
    with pytest.raises(DataError, match=says):
        read_table(table, samples=other, target="class")
    data = read_table(table, samples=other, target="class", id="specimen")
    assert data.y.tolist() == expected
