"""SSSOM TSV: what is written, and others' files."""

from __future__ import annotations

import pytest
from hypothesis import given

from common.examples import settings
from ontology.small_vocabularies import MAPPINGS, ontology
from ontology.test_mapping import FOUND, said, written
from tamis._core.errors import DataError
from tamis.ontology import Correspondence, Mapping, read_mapping
from tamis.ontology.mapping_files.curies import contracted_iris
from tamis.ontology.mapping_files.metadata_block import block_text, parsed_block
from tamis.ontology.mapping_files.sssom_writing import sssom_text

HEAD = "subject_id\tsubject_label\tpredicate_id\tobject_id\tmapping_justification\n"
MAP = "#curie_map:\n#  HP: http://purl.obolibrary.org/obo/HP_\n#  MP: http://x/MP_\n"


def read(folder, text, name="known.sssom.tsv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mapping(path)


def test_the_file_is_canonical():
    assert sssom_text(FOUND) == (
        "#curie_map:\n#  a: http://a#\n#  b: http://b#\n#  ns: http://\n"
        "#mapping_set_id: https://w3id.org/sssom/mappings/"
        f"{written(FOUND, '.sssom.tsv')[1].settings['mapping_set_id'][-36:]}\n"
        "#license: https://w3id.org/sssom/license/unspecified\n"
        "#subject_source: ns:a\n#object_source: ns:b\n"
        '#mapping_tool: tamis\n#mapping_tool_version: "0.1"\n'
        "#other: seed=0|source_name=a.owl|target_name=b.obo\n"
        '#comment: "labels are few\\n1 uncertain pair left out, which the JSON file has"\n'
        "#extension_definitions:\n"
        "#- slot_name: ext_name\n#  type_hint: xsd:double\n"
        "#- slot_name: ext_path\n#  type_hint: xsd:double\n"
        "subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tobject_label\t"
        "mapping_justification\tconfidence\text_name\n"
        "a:1\t\tskos:exactMatch\t\tb:1\t\tsemapv:CompositeMatching\t1\t0.5\n"
        "a:2\ttwo\tskos:broadMatch\t\tb:3\tthree\tsemapv:ManualMappingCuration\t0.75\t\n"
        "a:5\t\tskos:exactMatch\tNot\tb:5\t\tsemapv:ManualMappingCuration\t0.25\t\n"
    )


def test_what_is_written_reads_again():
    _, again = written(FOUND, ".sssom.tsv")
    assert (again.source, again.target, again.tool) == (FOUND.source, FOUND.target, FOUND.tool)
    assert (again.source_name, again.target_name) == ("a.owl", "b.obo")
    assert again.settings["seed"] == "0"
    assert again.remarks[0] == "labels are few"
    assert again.correspondences[0].evidence == {"name": 0.5}
    assert written(again, ".sssom.tsv")[1] == again


@settings(max_examples=25)
@given(MAPPINGS)
def test_all_but_uncertain_pairs_read_again(mapping):
    """Confidences have three decimals here. Evidence is there or not for the whole file."""
    _, again = written(mapping, ".sssom.tsv")
    statuses = ("mapped", "accepted", "refused")
    known = [
        c._replace(evidence={k: v for k, v in c.evidence.items() if v is not None})
        for c in said(again, *statuses)
    ]
    assert known == [
        c._replace(evidence={k: v for k, v in c.evidence.items() if v is not None})
        for c in said(mapping, *statuses)
    ]


@settings(max_examples=25)
@given(MAPPINGS)
def test_evidence_and_metadata_survive_a_second_round(mapping):
    _, again = written(mapping, ".sssom.tsv")
    assert written(again, ".sssom.tsv")[1].correspondences == again.correspondences


def test_what_others_say_of_their_set_is_kept(tmp_path):
    text = (
        (
            "#curie_map:\n#  HP: http://x/HP_\n#  orcid: https://orcid.org/\n#license: https://cc0\n"
            "#mapping_set_id: https://x/set\n#creator_id:\n#- orcid:0000\n#- orcid:0001\n"
            '#creator_label: "Ada|Bo"\n#mapping_date: 2022-05-02\n#mapping_set_version: "1.0"\n'
        )
        + HEAD
        + "HP:1\tone\tskos:exactMatch\tHP:2\tsemapv:LexicalMatching\n"
    )
    found = read(tmp_path, text)
    assert found.settings["license"] == "https://cc0"
    assert found.settings["creator_id"] == "https://orcid.org/0000|https://orcid.org/0001"
    again = sssom_text(found)
    assert "#mapping_set_id: https://x/set\n" in again
    assert "#creator_id:\n#- orcid:0000\n#- orcid:0001\n" in again
    assert '#mapping_date: "2022-05-02"\n' in again


def test_predicates_are_relations_and_others_are_told(tmp_path):
    rows = {
        "skos:exactMatch": "=",
        "owl:equivalentClass": "=",
        "skos:broadMatch": "<",
        "rdfs:subClassOf": "<",
        "skos:narrowMatch": ">",
        "sssom:superClassOf": ">",
        "semapv:crossSpeciesExactMatch": "=",
        "skos:closeMatch": None,
        "oio:hasDbXref": None,
        "owl:equivalentProperty": None,
    }
    text = (
        MAP
        + "#  oio: http://oio#\n"
        + HEAD
        + "".join(
            f"HP:{k}\t\t{name}\tMP:{k}\tsemapv:LexicalMatching\n" for k, name in enumerate(rows)
        )
    )
    found = read(tmp_path, text)
    assert [c.relation for c in found.correspondences] == list("==<<>>=")
    assert found.remarks == (
        "1 row left out: skos:closeMatch says neither equivalent, broader nor narrower",
        "1 row left out: oio:hasDbXref says neither equivalent, broader nor narrower",
        "1 row left out: a property, an individual or a literal, not a class",
    )


def test_who_said_it_is_the_status(tmp_path):
    text = (
        MAP
        + HEAD.replace("object_id", "predicate_modifier\tobject_id")
        + (
            "HP:1\t\tskos:exactMatch\t\tMP:1\tsemapv:LexicalMatching\n"
            "HP:2\t\tskos:exactMatch\t\tMP:2\tsemapv:ManualMappingCuration\n"
            "HP:3\t\tskos:exactMatch\tNot\tMP:3\tsemapv:ManualMappingCuration\n"
            "HP:4\t\tskos:exactMatch\t\tMP:4\tsemapv:MappingReview\n"
            "HP:5\t\tskos:exactMatch\t\tsssom:NoTermFound\tsemapv:ManualMappingCuration\n"
        )
    )
    found = read(tmp_path, text)
    assert [c.status for c in found.correspondences] == [
        "mapped",
        "accepted",
        "refused",
        "accepted",
    ]
    assert found.remarks == ("1 row left out: no term was found (sssom:NoTermFound)",)


def test_bom_crlf_quotes_external_metadata_and_missing_columns(tmp_path):
    (tmp_path / "known.sssom.yml").write_text(MAP.replace("#", ""))
    text = "subject_id\tpredicate_id\tobject_id\tcomment\r\n"
    text += 'HP:1\tskos:exactMatch\tMP:1\t"a ""b""\r\nc"\r\n'
    (found,) = read(tmp_path, b"\xef\xbb\xbf" + text.encode()).correspondences
    assert found.source == "http://purl.obolibrary.org/obo/HP_1"
    assert (found.confidence, found.comment) == (1.0, 'a "b"\r\nc')


def test_sources_of_the_rows_are_those_of_the_set(tmp_path):
    text = (
        MAP
        + "#  obo: http://obo/\n"
        + HEAD.replace("\n", "\tsubject_source\n")
        + ("HP:1\t\tskos:exactMatch\tMP:1\tx\tobo:hp\nHP:2\t\tskos:exactMatch\tMP:2\tx\tobo:hp\n")
    )
    assert read(tmp_path, text).source == "http://obo/hp"
    assert read(tmp_path, text.replace("obo:hp\nHP:2", "obo:mp\nHP:2")).source == ""


@pytest.mark.parametrize("tool", ["", "tool of others", "v2", "tamis 0.1", "a v2"])
def test_a_tool_is_read_as_it_was_written(tool):
    assert written(Mapping((), tool=tool), ".tsv")[1].tool == tool
    assert ("mapping_tool_version" in sssom_text(Mapping((), tool=tool))) == (
        tool in ("tamis 0.1", "a v2")
    )


def test_without_a_curie_map_identifiers_stay(tmp_path):
    found = read(tmp_path, HEAD + "HP:1\t\tskos:exactMatch\tMP:1\tx\n")
    assert found.correspondences[0].source == "HP:1"
    assert "no curie_map" in found.remarks[0]


def test_repeated_pairs_count_once_and_contradictions_are_refused(tmp_path):
    head = HEAD.replace("subject_label\t", "").replace("\n", "\tconfidence\n")
    head = MAP + head.replace("object_id", "predicate_modifier\tobject_id")
    row = "HP:1\tskos:exactMatch\t{}\tMP:1\t{}\t{}\n"
    found = read(tmp_path, head + row.format("", "x", 0.5) + row.format("", "y", 0.75))
    assert [c.confidence for c in found.correspondences] == [0.75]
    assert found.remarks == ("1 repeated row: of each pair the strongest counts",)
    by = "semapv:ManualMappingCuration"
    with pytest.raises(DataError, match=r"lines 5 and 6: .* are both accepted and refused"):
        read(tmp_path, head + row.format("", by, 1) + row.format("Not", by, 1))


EVIDENCE = (
    "#curie_map:\n#  a: http://a#\n#extension_definitions:\n"
    "#- {slot_name: ext_x, type_hint: xsd:double}\n"
    "subject_id\tpredicate_id\tobject_id\tmapping_justification\text_x\n"
)


def test_prefixes_are_told_apart_without_case_and_built_in_ones_are_not_declared():
    iris = ["http://x.org/hp#1", "http://y.org/HP#1", "http://www.w3.org/2002/07/owl#Thing"]
    curies, prefixes = contracted_iris(iris)
    assert list(curies.values()) == ["hp:1", "HP2:1", "owl:Thing"]
    assert prefixes == {"HP2": "http://y.org/HP#", "hp": "http://x.org/hp#"}


def test_evidence_that_is_no_number_is_undefined(tmp_path):
    text = EVIDENCE + "a:1\tskos:exactMatch\ta:2\tx\tnan\na:3\tskos:exactMatch\ta:4\tx\t0.5\n"
    assert [c.evidence for c in read(tmp_path, text).correspondences] == [{}, {"x": 0.5}]


@pytest.mark.parametrize("start", ["http://x.org/urn/", "http://x.org/http#", "urn:a/b:"])
def test_no_curie_looks_like_an_iri(start):
    given = Mapping((Correspondence(f"{start}5", "http://b#1"),))
    assert written(given, ".tsv")[1].correspondences == given.correspondences


ROW = "HP:1\t\tskos:exactMatch\tMP:1\tx\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MAP + HEAD + ROW.replace("MP:1", "MPO:1"), "line 5: the prefix 'MPO' .* mean 'MP'"),
        (MAP + HEAD + ROW.replace("MP:1", "Person"), "line 5: 'Person' is no identifier"),
        (MAP + HEAD + ROW.replace("HP:1", ""), "line 5: no subject_id"),
        (MAP + HEAD + ROW.replace("x\n", "x\ty\n"), "line 5: 6 fields, .* 5 columns"),
        (MAP + HEAD.replace("predicate_id", "predicat_id") + ROW, "did you mean 'predicat_id'"),
        (MAP + HEAD.replace("predicate_id", "Predicate_ID") + ROW, "did you mean 'Predicate_ID'"),
        (
            MAP + HEAD.replace("subject_label", "confidence") + ROW.replace("\t\t", "\t2\t"),
            "line 5: the confidence is '2'",
        ),
        (
            MAP
            + HEAD.replace("subject_label", "predicate_modifier")
            + ROW.replace("\t\t", "\tNo\t"),
            "line 5: the predicate_modifier is 'No'",
        ),
        ("#curie_map: &a\n#  HP: *a\n" + HEAD + ROW, "line 1 of its metadata has an anchor"),
        ("#a: [[[[[[[[[[1]]]]]]]]]]\n" + HEAD + ROW, "too many levels"),
        ("#a: b: c\n" + HEAD + ROW, "line 1 of its metadata is no YAML"),
        ("#- a\n" + HEAD + ROW, "no names with values"),
        ("#curie_map: 3\n" + HEAD + ROW, "curie_map does not give"),
        ((MAP + HEAD + ROW).encode("utf-16"), "UTF-16"),
        ((MAP + HEAD).encode() + b"HP:\xff\n", "is not UTF-8 text"),
        (MAP + HEAD + 'HP:1\t"open\tskos:exactMatch\tMP:1\tx\nHP:2\t', "line 5: .* not closed"),
        (MAP + HEAD + ROW.replace("MP:1", ""), "line 5: no object_id"),
        (EVIDENCE + "a:1\tskos:exactMatch\ta:2\tx\tinf\n", "line 6: ext_x is 'inf'"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message) as told:
        read(tmp_path, text)
    assert "\n" not in str(told.value)


def test_an_iri_that_no_curie_stands_for_is_refused():
    for iris in (("",), ("x",), ("http://a#x y", "http://a#x%20y")):
        with pytest.raises(DataError, match="cannot be written in SSSOM"):
            sssom_text(Mapping(tuple(Correspondence(iri, "http://b#1") for iri in iris)))


def test_iris_with_blanks_are_written_encoded_and_found_again(tmp_path):
    spaced = ontology("spaced", {"Program Committee": "board", "a|b": "either"})
    given = Mapping(tuple(Correspondence(iri, iri) for iri in spaced.iris))
    given.write(tmp_path / "known.sssom.tsv")
    assert "spaced:Program%20Committee" in (tmp_path / "known.sssom.tsv").read_text()
    again = read_mapping(tmp_path / "known.sssom.tsv", spaced, spaced)
    assert set(again.pairs) == set(given.pairs)


def test_formulas_of_spreadsheets_are_no_labels(tmp_path):
    given = Mapping((Correspondence("http://a#1", "http://b#1", source_label="=cmd|x"),))
    text, again = written(given, ".tsv")
    assert b"\t'=cmd|x\t" in text
    assert again.correspondences == given.correspondences


@settings(max_examples=25)
@given(MAPPINGS)
def test_metadata_are_yaml(mapping):
    texts = {f"k{k}": c.comment for k, c in enumerate(mapping.correspondences) if c.comment}
    block = block_text(texts)
    assert parsed_block("".join(line[1:] for line in block.splitlines(True)), "m") == texts


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "1.0",
        "12:30:00",
        "0x1F",
        "1e3",
        "3 pairs",
        "2022-05-02",
        "- a",
        "a: b",
        "a #b",
        "\x85\u2028",
        "é",
    ],
)
def test_texts_that_yaml_takes_for_others_are_quoted(text):
    block = block_text({"k": text})
    assert parsed_block(block[1:], "m") == {"k": text}


def test_literals_are_left_out(tmp_path):
    head = "subject_label\tpredicate_id\tobject_id\tmapping_justification\tsubject_type\n"
    found = read(tmp_path, MAP + head + "alice\tskos:exactMatch\tMP:1\tx\trdfs literal\n")
    assert not found.correspondences
    assert "a literal" in found.remarks[0]
