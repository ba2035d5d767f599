"""Mapping files that were read as something else: prefixes, bars, other programs' columns."""

from __future__ import annotations

import pytest

from tamis._core.errors import DataError
from tamis.ontology import Mapping, evaluate_mapping, read_mapping

OBO = "http://purl.obolibrary.org/obo/"
BLOCK = f"#curie_map:\n#  A: {OBO}A_\n#  B: {OBO}B_\n"
PAIRS = [(f"{OBO}A_000000{k}", f"{OBO}B_000000{k}") for k in (1, 2, 3)]
ROWS = [(f"A:000000{k}", f"B:000000{k}", f"0.{k}") for k in (1, 2, 3)]


def table(header, rows=ROWS, block=BLOCK, separator="\t"):
    return block + "\n".join(separator.join(row) for row in [header, *rows]) + "\n"


def pairs_of(mapping):
    return sorted((c.source, c.target) for c in mapping.correspondences)


WITHOUT_PREDICATE = {  # text, which relation, a remark
    "prefixes alone": (
        table(("subject_id", "object_id", "confidence")),
        "=",
        "no predicate_id: each pair is taken as equivalent",
    ),
    "the predicate is said of the set": (
        table(
            ("subject_id", "object_id", "confidence"),
            block=BLOCK + "#predicate_id: skos:broadMatch\n",
        ),
        "<",
        None,
    ),
    "names of other columns": (table(("source", "target", "score")), "=", None),
    "a csv": (
        table(("subject_id", "object_id", "confidence"), separator=","),
        "=",
        "no predicate_id: each pair is taken as equivalent",
    ),
}


@pytest.mark.every
@pytest.mark.parametrize("case", WITHOUT_PREDICATE)
def test_prefixes_are_read_without_a_column_of_predicates(case, tmp_path):
    text, relation, remark = WITHOUT_PREDICATE[case]
    path = tmp_path / ("m.csv" if "csv" in case else "m.sssom.tsv")
    path.write_text(text)
    found = read_mapping(path, absent="keep")
    assert pairs_of(found) == PAIRS
    assert {c.relation for c in found.correspondences} == {relation}
    assert sorted(c.confidence for c in found.correspondences) == [0.1, 0.2, 0.3]
    assert (remark in found.remarks) == (remark is not None)


def test_prefixes_beside_the_file_are_read(tmp_path):
    (tmp_path / "m.sssom.yml").write_text(BLOCK.replace("#", ""))
    (tmp_path / "m.sssom.tsv").write_text(
        table(("subject_id", "object_id", "confidence"), block="")
    )
    assert pairs_of(read_mapping(tmp_path / "m.sssom.tsv", absent="keep")) == PAIRS


def test_what_a_person_justified_is_accepted_where_the_set_says_so(tmp_path):
    block = BLOCK + "#mapping_justification: semapv:ManualMappingCuration\n"
    (tmp_path / "m.tsv").write_text(table(("subject_id", "object_id", "confidence"), block=block))
    found = read_mapping(tmp_path / "m.tsv", absent="keep")
    assert {c.status for c in found.correspondences} == {"accepted"}


SLOTS = {
    "subject_id": ("A:1|A:2", "skos:exactMatch", "B:1", "semapv:LexicalMatching"),
    "object_id": ("A:1", "skos:exactMatch", "B:1|B:2", "semapv:LexicalMatching"),
    "predicate_id": ("A:1", "skos:exactMatch|skos:broadMatch", "B:1", "semapv:LexicalMatching"),
    "mapping_justification": ("A:1", "skos:exactMatch", "B:1", "semapv:A|semapv:B"),
}
COLUMNS = ("subject_id", "predicate_id", "object_id", "mapping_justification")


@pytest.mark.parametrize("slot", SLOTS)
def test_a_bar_in_a_slot_of_one_value_is_refused(slot, tmp_path):
    (tmp_path / "m.tsv").write_text(table(COLUMNS, [SLOTS[slot]]))
    with pytest.raises(DataError, match=rf"line 5: {slot} is '.*\|.*', and holds one value: write"):
        read_mapping(tmp_path / "m.tsv", absent="keep")


def test_a_bar_in_a_label_is_a_bar(tmp_path):
    rows = [("A:0000001", "left|right", "skos:exactMatch", "B:0000001")]
    (tmp_path / "m.tsv").write_text(
        table(("subject_id", "subject_label", "predicate_id", "object_id"), rows)
    )
    found = read_mapping(tmp_path / "m.tsv", absent="keep").correspondences
    assert [(c.source, c.source_label) for c in found] == [(PAIRS[0][0], "left|right")]


def test_a_bar_in_an_iri_of_a_plain_table_is_refused(tmp_path):
    (tmp_path / "m.tsv").write_text("source\ttarget\nhttp://a#1|http://a#2\thttp://b#1\n")
    with pytest.raises(DataError, match=r"line 2: 'http://a#1\|http://a#2' is no IRI"):
        read_mapping(tmp_path / "m.tsv", absent="keep")


def test_columns_as_agreement_maker_light_names_them(tmp_path):
    head = ("Source URI", "Source Label", "Target URI", "Target Label", "Similarity")
    rows = [(*head, "Relationship")]
    rows += [(a, "heart", b, "cor", "0.99", r) for (a, b), r in zip(PAIRS, "=<>", strict=True)]
    block = "#AgreementMakerLight Alignment File\n#Source ontology:\thttp://a\n"
    (tmp_path / "m.tsv").write_text(table(rows[0], rows[1:], block))
    found = read_mapping(tmp_path / "m.tsv", absent="keep")
    assert pairs_of(found) == PAIRS
    assert sorted((c.source, c.relation) for c in found.correspondences) == [
        (pair[0], relation) for pair, relation in zip(PAIRS, "=<>", strict=True)
    ]
    assert {(c.source_label, c.target_label) for c in found.correspondences} == {("heart", "cor")}
    assert {c.confidence for c in found.correspondences} == {0.99}
    assert found.remarks == ()


def test_lines_of_logmap_are_refused_with_what_to_do(tmp_path):
    lines = [f"{a}|{b}|=|0.91|CLS" for a, b in PAIRS]
    (tmp_path / "m.txt").write_text("\n".join([*lines, "http://x#p|http://y#q|=|1.0|OPROP"]))
    with pytest.raises(DataError, match="line 1: the columns stand between bars, as LogMap writes"):
        read_mapping(tmp_path / "m.txt", absent="keep")
    (tmp_path / "m.txt").write_text("\n".join(lines).replace("|", "\t"))
    assert pairs_of(read_mapping(tmp_path / "m.txt", absent="keep")) == PAIRS


@pytest.mark.parametrize("n", [1, 3])
def test_ids_that_differ_in_https_are_told(n, tmp_path):
    theirs = [pair if k >= n else pair_of_https(pair) for k, pair in enumerate(PAIRS)]
    (tmp_path / "m.tsv").write_text("\n".join(map("\t".join, theirs)))
    (tmp_path / "r.tsv").write_text("\n".join(map("\t".join, PAIRS)))
    found, true = (read_mapping(tmp_path / name, absent="keep") for name in ("m.tsv", "r.tsv"))
    remarks = evaluate_mapping(found, true, name="m.tsv", reference_name="r.tsv").remarks
    assert len(remarks) == 1
    says = "no id of m.tsv is in r.tsv"
    if n < len(PAIRS):
        says = f"{2 * n} ids differ from r.tsv in http and https alone"
    assert remarks[0].startswith(f"{says}, such as '{theirs[0][0]}' and '{PAIRS[0][0]}'")
    assert evaluate_mapping(true, true).remarks == ()


def pair_of_https(pair):
    return tuple(one.replace("http:", "https:") for one in pair)


def test_a_mapping_is_none_of_these(tmp_path):
    """What has a column of predicates is read as before."""
    rows = [("A:0000001", "skos:exactMatch", "B:0000001", "semapv:LexicalMatching")]
    (tmp_path / "m.tsv").write_text(table(COLUMNS, rows))
    found = read_mapping(tmp_path / "m.tsv", absent="keep")
    assert isinstance(found, Mapping)
    assert pairs_of(found) == PAIRS[:1]
    assert found.remarks == ()
