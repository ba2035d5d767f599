"""Headers and remarks that begin with a number sign: which line names the columns."""

from __future__ import annotations

import gzip

import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

ROWS = ["P1\till\t5\t1.5", "P2\twell\t6\t2.5", "P3\till\t7\t0.5", "P4\twell\t8\t4"]
HEADER = "SampleID\tclass\tG1\tG2"
MARKED = "#SampleID\tclass\tG1\tG2"
TYPES = "#q2:types\tcategorical\tnumeric\tnumeric"
CASES = {
    "marked": ([MARKED], 0),
    "marked with a blank": (["# SampleID\tclass\tG1\tG2"], 0),
    "a remark above": (["#made by us", MARKED], 1),
    "a remark below": ([MARKED, "#exported today"], 1),
    "remarks on both sides": (["#one", MARKED, "#two", "#three"], 3),
    "types of QIIME 2": ([MARKED, TYPES], 1),
    "types below an unmarked header": ([HEADER, TYPES], 1),
    "units below an unmarked header": ([HEADER, "#units\t\tmg\tml"], 1),
    "a remark below an unmarked header": ([HEADER, "#exported today"], 1),
    "heads of cBioPortal": (
        ["#Sample\tThe class\tOne gene\tOther gene", "#id\tdiagnosis\tof array\tof array",
         "#STRING\tSTRING\tNUMBER\tNUMBER", "#1\t1\t1\t1", HEADER],
        4,
    ),
    "an unmarked header under a remark as wide": (["#a\tb\tc\td", HEADER], 1),
    "an unmarked header under remarks": (["#a", "!b", HEADER], 2),
    "marked under a title": (["Table S1", MARKED], 0),
    "marked under a title and an empty line": (["Table S1", "", MARKED], 0),
    "two number signs": (["##fileformat=x\t1\t2\t3", MARKED], 1),
}  # fmt: skip


@pytest.mark.every
@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("case", CASES)
def test_the_line_that_names_the_columns(case, separator, tmp_path):
    head, remarks = CASES[case]
    text = "\n".join([*head, *ROWS, ""]).replace("\t", separator)
    for path, content in (("t.txt", text.encode()), ("t.txt.gz", gzip.compress(text.encode()))):
        (tmp_path / path).write_bytes(content)
        data = read_table(tmp_path / path, target="class")
        assert data.sample_names == ("P1", "P2", "P3", "P4")
        assert data.feature_names == ("G1", "G2")
        assert data.X.tolist() == [[5, 1.5], [6, 2.5], [7, 0.5], [8, 4]]
        notes = [note for note in data.notes if "of remarks" in note]
        assert len(notes) == (remarks > 0)
        assert all(note.startswith(f"{remarks} line") for note in notes)
        if remarks and separator == "\t" and "unmarked" not in case:
            shown = next(line for line in head if line not in (HEADER, MARKED))
            assert " ".join(shown.split())[:8] in notes[0]


def test_a_first_row_that_ends_early_takes_no_header_away(tmp_path):
    (tmp_path / "t.txt").write_text("\n".join([MARKED, ROWS[0][:-4], *ROWS[1:], ""]))
    with pytest.raises(DataError, match="line 2 has 3 fields where 4 are expected"):
        read_table(tmp_path / "t.txt", target="class")


def test_ids_of_number_signs_beside_a_name_of_commas_are_rows(tmp_path):
    text = (
        'id|g0|g1|", ,\'!, ,"|class\n#e|11.5|12|13|x\n#!NA|21|22|23|y\ns2|31|32|33|x\ns3|1|2|3|y\n'
    )
    (tmp_path / "t.txt").write_text(text)
    data = read_table(tmp_path / "t.txt", target="class", id="id")
    assert data.sample_names == ("#e", "#!NA", "s2", "s3")
    assert data.X[0].tolist() == [11.5, 12, 13]


def test_an_id_of_a_number_sign_between_blanks_is_a_row(tmp_path):
    """Though a name in the header has a comma, and the row none."""
    text = 'id "a,b" g2 class\n# 11.5 12.5 x\ns1 21.5 22.5 y\ns2 31.5 32.5 x\ns3 41.5 42.5 y\n'
    (tmp_path / "t.txt").write_text(text)
    data = read_table(tmp_path / "t.txt", target="class", id="id")
    assert data.sample_names == ("#", "s1", "s2", "s3")
    assert data.X[0].tolist() == [11.5, 12.5]
    assert data.notes == ()


def test_heads_of_cbioportal_over_text_alone(tmp_path):
    head = ["#Sample\tThe class\tA site", "#STRING\tSTRING\tSTRING", "ID\tclass\tsite"]
    rows = [f"P{k}\t{'xy'[k % 2]}\t{'uv'[k // 2 % 2]}" for k in range(8)]
    (tmp_path / "t.txt").write_text("\n".join([*head, *rows, ""]))
    data = read_table(tmp_path / "t.txt", target="class")
    assert data.feature_names == ("site",)
    assert data.shape[0] == 8


@pytest.mark.parametrize("header", [HEADER, MARKED])
def test_ids_may_begin_with_a_mark(header, tmp_path):
    (tmp_path / "t.txt").write_text("\n".join([header, *(f"#{row}" for row in ROWS), ""]))
    data = read_table(tmp_path / "t.txt", target="class")
    assert data.sample_names == ("#P1", "#P2", "#P3", "#P4")
    assert not any("remarks" in note for note in data.notes)


def test_features_in_rows_under_a_marked_header(tmp_path):
    lines = [
        "# Constructed from biom file",
        "#OTU ID\tS1\tS2\tS3",
        "#exported",
        "T1\t1\t2\t3",
        "T2\t4\t5\t7",
    ]
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    data = read_table(tmp_path / "t.txt", transpose=True)
    assert data.sample_names == ("S1", "S2", "S3")
    assert data.feature_names == ("T1", "T2")


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("first", ["#gene", "# Gene ID", "#probe", "#"])
@pytest.mark.parametrize(
    "row", [["class", *"xyxyx"], ["batch", "b0", "b0", "b1", "b1", "b0"], ["class", *"xxxyy"]]
)
def test_a_row_of_classes_under_a_marked_header_is_no_header(tmp_path, separator, first, row):
    lines = [[first, "s1", "s2", "s3", "s4", "s5"], row, ["g1", *"12345"], ["g2", *"67899"]]
    (tmp_path / "t.txt").write_text("".join(separator.join(line) + "\n" for line in lines))
    data = read_table(tmp_path / "t.txt", transpose=True, target=row[0])
    assert data.sample_names == ("s1", "s2", "s3", "s4", "s5")
    assert data.feature_names == ("g1", "g2")
    assert data.y.tolist() == row[1:]
    assert data.X.tolist() == [[1, 6], [2, 7], [3, 8], [4, 9], [5, 9]]


def test_a_row_of_other_texts_under_a_marked_header_of_genes_is_no_header(tmp_path):
    lines = ["#Gene ID\ts1\ts2\ts3", "visit\tJan\tFeb\tMar", "g1\t1\t2\t3", "g2\t4\t5\t7"]
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    data = read_table(tmp_path / "t.txt", transpose=True, drop=["visit"])
    assert data.sample_names == ("s1", "s2", "s3")
    assert data.X.tolist() == [[1, 4], [2, 5], [3, 7]]


@pytest.mark.parametrize("below", ["SampleID\tclass\tG1\tG2", "id\tclass\tG1\tG1"])
@pytest.mark.parametrize("above", ["#Patient\tThe class\tOne\tOther", "#\tgroup\tU/l\tmg"])
def test_words_on_columns_above_an_unmarked_header_stay_remarks(tmp_path, above, below):
    (tmp_path / "t.txt").write_text("\n".join([above, below, *ROWS, ""]))
    data = read_table(tmp_path / "t.txt", target="class", duplicates="suffix")
    assert data.sample_names == ("P1", "P2", "P3", "P4")
    assert data.feature_names == ("G1", "G2" if below.endswith("2") else "G1.2")


@pytest.mark.parametrize("separator", ["^", "~", ":"])
@pytest.mark.parametrize("remark", [[], ["# made by us"]])
def test_a_marked_header_is_cut_by_the_delimiter_that_is_named(tmp_path, separator, remark):
    lines = [*remark, *(line.replace("\t", separator) for line in [MARKED, *ROWS])]
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    data = read_table(tmp_path / "t.txt", target="class", separator=separator)
    assert data.sample_names == ("P1", "P2", "P3", "P4")
    assert data.X.tolist() == [[5, 1.5], [6, 2.5], [7, 0.5], [8, 4]]


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ('# id,class,"HLA-A,2",G2', "P1,ill,5,1\nP2,well,6,2\n"),
        ("#id,class,G1,G2", '"P,1",ill,5,1\n"P,2",well,6,2\n'),
        ("#id,class,G1,G2", "P1,ill,5,1,\nP2,well,6,2,\n"),
        ("#id,class,G1,G2,", "P1,ill,5,1\nP2,well,6,2\n"),
        ("# id;class;G1;G2;\n! units differ", "P1;ill;5;1\nP2;well;6;2\n"),
        ("#class,G1,G2", "P1,ill,5,1\nP2,well,6,2\n"),
        ("# a, b\n#id,class,G1,G2", "P1,ill,5,1,\nP2,well,6,2,\n"),
        ("# id class G1 G2", "P1 ill 5 1\nP2 well 6 2\n"),
        ("#id  class G1\tG2", "P1  ill 5   1\nP2  well 6   2\n"),
    ],
    ids=[
        "comma in a name",
        "comma in ids",
        "last delimiter",
        "header's last",
        "header's last, and a remark",
        "one short",
        "a remark of two fields",
        "blanks",
        "aligned",
    ],
)
def test_fields_of_a_marked_header_are_counted_as_they_are_cut(header, rows, tmp_path):
    (tmp_path / "t.csv").write_text(f"{header}\n{rows}")
    data = read_table(tmp_path / "t.csv", target="class")
    assert data.X.tolist() == [[5, 1], [6, 2]]
    assert data.y.tolist() == ["ill", "well"]
    assert data.sample_names == (("P,1", "P,2") if '"' in rows else ("P1", "P2"))
    assert data.feature_names == ("HLA-A,2" if '"' in header else "G1", "G2")


def test_a_remark_of_one_comma_less_is_no_header(tmp_path):
    text = "# made of all, here\nid,class,kind\nP1,ill,red\nP2,well,blue\nP3,ill,red\n"
    (tmp_path / "t.csv").write_text(text)
    data = read_table(tmp_path / "t.csv", target="class")
    assert (data.sample_names, data.feature_names) == (("P1", "P2", "P3"), ("kind",))
