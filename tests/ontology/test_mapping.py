"""A mapping in memory, as JSON, and what all formats have in common."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from common.examples import settings
from ontology.small_vocabularies import MAPPINGS
from tamis._core.errors import DataError, PlanError, StoreError
from tamis.ontology import Correspondence, Mapping, read_mapping
from tamis.ontology.mapping_files.reading import order_of

FOUND = Mapping(
    (
        Correspondence("http://a#1", "http://b#1", evidence={"name": 0.5, "path": None}),
        Correspondence("http://a#2", "http://b#3", "<", 0.75, "accepted", "two", "three"),
        Correspondence("http://a#4", "http://b#4", "=", 0.5, "uncertain", comment="who knows"),
        Correspondence("http://a#5", "http://b#5", "=", 0.25, "refused"),
    ),
    "http://a",
    "http://b",
    "a.owl",
    "b.obo",
    "tamis 0.1",
    {"seed": "0"},
    ("labels are few",),
)


def written(mapping, suffix):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"found{suffix}")
        mapping.write(path)
        return path.read_bytes(), read_mapping(path)


def said(mapping, *statuses):
    """What is said of each pair, in order."""
    rows = [c for c in mapping.correspondences if c.status in statuses]
    return sorted((c._replace(evidence=dict(c.evidence)) for c in rows), key=order_of)


def test_the_frame_has_a_row_a_correspondence_and_a_column_for_each_kind_of_evidence():
    frame = FOUND.frame()
    assert list(frame["relation"]) == ["=", "<", "=", "="]
    assert frame["name"].tolist()[0] == 0.5
    assert frame[["name", "path"]].isna().sum().tolist() == [3, 4]
    assert Mapping(()).frame().shape == (0, 8)


def test_pairs_that_may_be_narrower_or_broader_are_not_called_uncertain():
    pairs = (Correspondence("a:1", "b:1", relation, status="uncertain") for relation in "=<>")
    assert Mapping(tuple(pairs)).summary() == (
        "0 correspondences; 1 uncertain, 2 perhaps narrower or broader"
    )


def test_the_summary_counts_what_stands_and_what_does_not():
    head, remark = FOUND.summary().split("\n")
    assert head == (
        "a.owl and b.obo: 2 correspondences: 1 equivalent, 1 narrower; 1 refused, 1 uncertain"
    )
    assert remark == "labels are few"


def test_inverted_twice_is_the_same():
    assert FOUND.inverted().inverted() == FOUND
    turned = FOUND.inverted()
    assert (turned.source, turned.target) == (FOUND.target, FOUND.source)
    assert (turned.source_name, turned.target_name) == (FOUND.target_name, FOUND.source_name)
    first, back = FOUND.correspondences[0], turned.correspondences[0]
    assert (back.source, back.target) == (first.target, first.source)
    assert [c.relation for c in FOUND.inverted().correspondences] == ["=", ">", "=", "="]
    of_sides = Mapping((), settings={"subject_source_version": "1", "object_source_version": "2"})
    assert of_sides.inverted().settings == {
        "object_source_version": "1",
        "subject_source_version": "2",
    }


@pytest.mark.parametrize("suffix", [".json", ".rdf", ".sssom.tsv"])
def test_numbers_of_numpy_are_numbers(suffix):
    evidence = {"name": np.float32(0.25), "path": np.float32("nan")}
    one = Correspondence("http://a#1", "http://b#1", confidence=np.float64(0.5), evidence=evidence)
    (again,) = written(Mapping((one,)), suffix)[1].correspondences
    assert again.confidence == 0.5
    assert again.evidence.get("path") is None


def test_json_holds_everything():
    text, again = written(FOUND, ".json")
    assert again == FOUND
    assert json.loads(text) == FOUND.to_dict()


@settings(max_examples=25)
@given(MAPPINGS)
def test_json_reads_again(mapping):
    _, again = written(mapping, ".json")
    assert said(again, "mapped", "accepted", "refused", "uncertain") == said(
        mapping, "mapped", "accepted", "refused", "uncertain"
    )


@settings(max_examples=25)
@given(MAPPINGS)
def test_the_bytes_do_not_depend_on_the_order(mapping):
    turned = Mapping(mapping.correspondences[::-1], mapping.source, mapping.target)
    for suffix in (".sssom.tsv", ".rdf"):
        assert written(mapping, suffix)[0] == written(turned, suffix)[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "study"}, "is no mapping of Tamis"),
        ({"version": 2}, "schema 2; this one reads 1"),
        ({"correspondences": [{"source": "a"}]}, "correspondences.0.target"),
        ({"remarks": "none"}, "remarks"),
    ],
)
def test_json_is_held_against_its_schema(tmp_path, change, message):
    path = tmp_path / "found.json"
    path.write_text(json.dumps(FOUND.to_dict() | change))
    with pytest.raises((DataError, StoreError), match=message):
        read_mapping(path)


def test_json_refuses_a_confidence_above_one(tmp_path):
    content = FOUND.to_dict()
    content["correspondences"][1]["confidence"] = 1.5
    (path := tmp_path / "found.json").write_text(json.dumps(content))
    with pytest.raises(DataError, match=r"correspondence 2: the confidence is 1\.5"):
        read_mapping(path)


@pytest.mark.parametrize("text", ["", "{", "[" * 5000, '{"a": NaN}', "[]", "null"])
def test_what_is_no_json_of_a_mapping_is_refused(tmp_path, text):
    (path := tmp_path / "found.json").write_text(text)
    with pytest.raises(DataError, match=r"'found\.json' is no (JSON|mapping)"):
        read_mapping(path)


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(PlanError, match="a mapping is written as"):
        FOUND.write(tmp_path / "found.xlsx")
    (path := tmp_path / "found.xlsx").write_text("a\tb\n")
    with pytest.raises(PlanError, match="a mapping is read from"):
        read_mapping(path)
    with pytest.raises(DataError, match="does not exist"):
        read_mapping(tmp_path / "missing.tsv")
    with pytest.raises(DataError, match="is no file"):
        read_mapping(tmp_path)


def test_a_file_larger_than_any_mapping_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("TAMIS_LARGEST_MAPPING", "10")
    for name in ("known.tsv", "known.rdf", "known.json"):
        (tmp_path / name).write_text("a" * 11)
        with pytest.raises(DataError, match="TAMIS_LARGEST_MAPPING above 10"):
            read_mapping(tmp_path / name)
