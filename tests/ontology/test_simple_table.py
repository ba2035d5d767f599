"""Tables of two or three columns, and names that become IRIs."""

from __future__ import annotations

import pytest

from ontology.small_vocabularies import CMT, EDAS, ontology
from tamis._core.errors import DataError, PlanError
from tamis.ontology import Correspondence, Mapping, read_mapping, resolve


def read(folder, text, *ontologies, name="known.tsv", **others):
    path = folder / name
    path.write_text(text, newline="")
    return read_mapping(path, *ontologies, **others)


def rows(mapping, *fields):
    return [tuple(getattr(c, name) for name in fields) for c in mapping.correspondences]


def test_two_columns_are_pairs_that_a_person_accepts(tmp_path):
    found = read(tmp_path, "Author\tAgent\n\n# no comment\tx\nPaper\tPaper\n")
    assert rows(found, "source", "target", "relation", "status") == [
        ("# no comment", "x", "=", "accepted"),
        ("Author", "Agent", "=", "accepted"),
        ("Paper", "Paper", "=", "accepted"),
    ]


def test_delimiters_at_the_ends_of_lines_say_nothing(tmp_path):
    found = read(tmp_path, "Author\tAgent\t\t\nPaper\tPaper\t\n")
    assert {c.status for c in found.correspondences} == {"accepted"}


@pytest.mark.parametrize(
    ("third", "field", "values"),
    [
        ("= < >", "relation", "= < >"),
        ("skos:exactMatch broad NarrowMatch", "relation", "= < >"),
        ("yes no ?", "status", "accepted refused uncertain"),
        ("1 0 1", "status", "accepted refused accepted"),
        ("True false TRUE", "status", "accepted refused accepted"),
        ("0.5 0 1", "confidence", (0.5, 0.0, 1.0)),
    ],
)
def test_a_third_column_says_it_by_its_values(tmp_path, third, field, values):
    lines = "".join(f"a{k}\tb{k}\t{word}\n" for k, word in enumerate(third.split()))
    found = read(tmp_path, lines)
    expected = values.split() if isinstance(values, str) else values
    assert {c.source: getattr(c, field) for c in found.correspondences} == {
        f"a{k}": value for k, value in enumerate(expected)
    }
    if field == "confidence":
        assert {c.status for c in found.correspondences} == {"mapped"}


def test_a_header_names_columns_in_any_order(tmp_path):
    text = "Score,target_304,kind,source_303,Match\r\n0.5,b1,class,a1,yes\r\n0.75,b2,class,a2,\r\n"
    found = read(tmp_path, text, name="known.csv")
    assert rows(found, "source", "target", "confidence", "status") == [
        ("a2", "b2", 0.75, "uncertain"),
        ("a1", "b1", 0.5, "accepted"),
    ]
    assert found.remarks == ("columns not read: 'kind'",)


@pytest.mark.parametrize("name", ["known.csv", "known.tsv", "known.txt"])
@pytest.mark.parametrize("mark", ["\t", ";", ","])
def test_columns_are_separated_as_the_first_line_says(tmp_path, name, mark):
    found = read(
        tmp_path, f"\ufeffAuthor{mark}Agent{mark}ja\r\nPaper{mark}Paper{mark}NEIN\r\n", name=name
    )
    assert rows(found, "source", "target", "status") == [
        ("Author", "Agent", "accepted"),
        ("Paper", "Paper", "refused"),
    ]


def test_a_tab_goes_before_a_comma_in_a_label(tmp_path):
    found = read(tmp_path, "Author, first\tAgent; other\n", name="known.csv")
    assert rows(found, "source", "target") == [("Author, first", "Agent; other")]


@pytest.mark.shared
def test_the_shared_table_of_pairs_reads(shared_data):
    found = read_mapping(shared_data / "ontology/derived/303-304.tsv")
    assert len(found.correspondences) == 48
    assert found.correspondences[0].source.startswith("http://www.aifb.uni-karlsruhe.de/")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no pairs"),
        ("a\n", "line 1: a source and a target are needed"),
        ("a\tb\n\nc\t\n", "line 3: a source and a target are needed"),
        ("a\tb\t=\td\n" * 2 + "a\tb\t=\td\te\n", "line 3: 5 fields, and the table has 4"),
        ("a\tb\t=\nc\td\tyes\n", "line 2: the relation is 'yes'"),
        ("source\ttarget\tmatch\na\tb\tperhaps\n", "line 2: the answer is 'perhaps'; "),
        ("source\ttarget\tscore\na\tb\t7\n", "line 2: the confidence is '7'"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "name", ["http://cmt#Paper", "cmt:Paper", "http://cmt#P2", "P2", "Author", "AUTHOR"]
)
def test_names_become_iris(tmp_path, name):
    (found,) = read(tmp_path, f"{name}\tPaper\n", CMT, EDAS).correspondences
    assert found.source in CMT
    assert found.target == "http://edas#Paper"
    assert found.target_label == "Paper"


def test_identifiers_of_obo_go_by_prefix_and_number(tmp_path):
    hp = ontology("hp", {"HP_0000118": "abnormality"}, start="http://purl.obolibrary.org/obo/")
    split = ontology("mp", {"0000001": "phenotype"}, start="http://purl.obolibrary.org/obo/MP_")
    (found,) = read(tmp_path, "HP:0000118\tMP:0000001\n", hp, split).correspondences
    assert found.source == "http://purl.obolibrary.org/obo/HP_0000118"
    assert found.target == "http://purl.obolibrary.org/obo/MP_0000001"


@pytest.mark.parametrize(
    "start",
    ["http://x.org/made.owl#", "http://x.org/made.rdf#", "http://x.org/MADE/", "http://made_"],
)
def test_a_prefix_is_the_end_of_a_namespace(tmp_path, start):
    both = ontology("made", {"A": "a", "B": "b"}, start=start)
    (found,) = read(tmp_path, "made:A\tmade:B\n", both, both).correspondences
    assert (found.source, found.target) == (f"{start}A", f"{start}B")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("Auther\tPaper", "line 3: 'Auther' is no class of 'cmt.owl'; did you mean 'Author'\\?"),
        ("http://cmt#Auther\tPaper", "did you mean 'http://cmt#Author'"),
        (
            "paper\tPaper",
            "'paper' names 2 classes of 'cmt.owl', 'http://cmt#Paper' and 'http://cmt#",
        ),
        ("Class A\tClass B", "line 3: 'Class A' is no class of .*, and none has a name like it$"),
        ("Agent\tPerson", "'Agent' is no class of 'cmt.owl' but one of 'edas.owl'; are the two"),
        ("http://cmt#writes\tPaper", "is a property of 'cmt.owl'"),
    ],
)
def test_names_of_no_class_or_several_are_refused(tmp_path, pair, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, f"Author\tAuthor\n\n{pair}\n", CMT, EDAS)


def test_a_header_that_is_not_known_is_told_of(tmp_path):
    with pytest.raises(DataError, match="if this is a header, name the two columns"):
        read(tmp_path, "Class A\tClass B\nAuthor\tAuthor\n", CMT, EDAS)


def test_pairs_of_properties_are_left_out(tmp_path):
    text = "http://cmt#hasAuthor\thttp://edas#hasAuthor\nAuthor\tAuthor\n"
    found = read(tmp_path, text, CMT, EDAS)
    assert rows(found, "source_label") == [("author",)]
    assert found.remarks == ("1 row left out: a property, not a class",)


def test_two_names_of_one_class_are_one_pair():
    both = Mapping((Correspondence("Author", "Author"), Correspondence("cmt:Author", "Author")))
    assert len(resolve(both, CMT, EDAS).correspondences) == 1


def test_other_iris_stay_if_told():
    given = Mapping((Correspondence("http://other#1", "Paper"),))
    with pytest.raises(DataError, match="correspondence 1: 'http://other#1' is no class"):
        resolve(given, CMT, EDAS)
    (found,) = resolve(given, CMT, EDAS, absent="keep").correspondences
    assert (found.source, found.target) == ("http://other#1", "http://edas#Paper")


OLD = "http://purl.obolibrary.org/obo/HP_0000001"


@pytest.mark.parametrize("name", [OLD, "HP:0000001", "HP_0000001", "http://cmt#{gone}"])
def test_identifiers_of_another_version_are_left_out_if_told(tmp_path, name):
    lines = f"{name}\tPaper\nAuthor\tAuthor\n{OLD}\tAuthor\n"
    found = read(tmp_path, lines, CMT, EDAS, absent="leave out")
    assert rows(found, "source_label") == [("author",)]
    assert found.remarks == (f"2 rows left out: no class of 'cmt.owl', such as {name!r} (line 1)",)


def test_names_and_files_of_other_ontologies_are_refused_nevertheless(tmp_path):
    for text, message in (
        ("Author\tAuthor\nAuther\tPaper\n", "line 2: 'Auther' is no class .* 'Author'"),
        (f"{OLD}\tPaper\n", "line 1: .* is no class of 'cmt.owl'; is it of another version"),
        ("http://edas#Agent\tAuthor\nAuthor\tAuthor\n", "line 1: .* the wrong way round"),
    ):
        with pytest.raises(DataError, match=message):
            read(tmp_path, text, CMT, EDAS, absent="leave out")


def test_one_ontology_alone_is_refused(tmp_path):
    with pytest.raises(PlanError, match="give both source and target"):
        read(tmp_path, "a\tb\n", CMT)
