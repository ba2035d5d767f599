"""`tamis ontology evaluate`."""

from __future__ import annotations

import json
from typing import get_type_hints

import pytest

from tamis._core.checked_json import checked_value
from tamis.ontology import Mapping
from tamis.ontology.evaluation_schema import EvaluationContent


@pytest.fixture
def files(tmp_path):
    found, reference = tmp_path / "found.tsv", tmp_path / "reference.tsv"
    found.write_text("http://a#1\thttp://b#1\nhttp://a#2\thttp://b#3\n")
    reference.write_text("".join(f"http://a#{k}\thttp://b#{k}\n" for k in range(1, 4)))
    return found, reference


def test_scores_and_kinds_of_errors_are_printed(tamis, files):
    code, out, err = tamis("ontology", "evaluate", *files)
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == [
        "found.tsv against reference.tsv: 1 of 3 reference pairs found, 1 of 2 pairs wrong",
        "  precision 0.500 (0.013 to 0.987)",
        "  recall    0.333 (0.008 to 0.906)",
        "  F1        0.400 (0.007 to 0.964)",
    ]


def test_json_is_as_its_schema_says(tamis, files):
    code, out, _ = tamis("ontology", "evaluate", *files, "--json")
    told = checked_value(json.loads(out), EvaluationContent, files[0])
    assert code == 0
    assert told["metrics"]["recall"]["mean"] == 1 / 3
    assert set(told) == set(get_type_hints(EvaluationContent))


def test_scores_without_what_the_mapping_was_learned_from(tamis, files, tmp_path):
    known = tmp_path / "known.tsv"
    known.write_text("http://a#1\thttp://b#1\n")
    files[0].write_text(
        "source\ttarget\tanswer\nhttp://a#1\thttp://b#1\tyes\nhttp://a#2\thttp://b#3\tyes\n"
    )
    code, out, err = tamis("ontology", "evaluate", *files)
    assert (code, err) == (0, "")
    # All of the table counts as accepted: nothing is left to a model.
    assert "decided" not in out
    rdf = tmp_path / "found.rdf"
    Mapping.read(files[0]).write(rdf)
    code, out, err = tamis("ontology", "evaluate", rdf, files[1], "--train", known)
    assert (code, err) == (0, "")
    assert out.splitlines()[4] == (
        "  without what a person decided, which says nothing of the model: 0 of 2 reference pairs "
        "found, 1 of 1 pair wrong"
    )
    assert tamis("ontology", "evaluate", *files, "--train", "missing.tsv")[0] == 2


def test_errors_are_written_as_a_table(tamis, files, tmp_path):
    table = tmp_path / "errors.tsv"
    for _ in range(2):  # its own file is written again
        code, out, err = tamis("ontology", "evaluate", *files, "--errors", table)
        assert code == 0, err
        assert out.splitlines()[-1] == f"  errors    {table}"
    header, *rows = (line.split("\t") for line in table.read_text().splitlines())
    assert header[:4] == ["error", "kind", "source", "target"]
    assert [row[:4] for row in rows][-1] == ["wrong", "wrong target", "http://a#2", "http://b#3"]
    code, _, err = tamis("ontology", "evaluate", *files, "--errors", files[1], "--force")
    assert (code, "this command reads it" in err) == (2, True)


def test_known_pairs_and_a_partial_reference(tamis, files, tmp_path):
    sheet = tmp_path / "x.review.tsv"
    sheet.write_text("match\tsource\ttarget\nno\thttp://a#2\thttp://b#3\n")
    files[0].write_text(files[0].read_text() + "http://a#8\thttp://b#9\n")
    code, out, err = tamis("ontology", "evaluate", *files, "--train", sheet, "--partial", "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["counts"]["mapping"] == 2
    assert told["left_to_model"]["counts"]["mapping"] == 1
    assert told["left_aside"] == {"pairs of classes that reference.tsv does not name": 1}


def test_faults_are_one_line_and_exit_code_2(tamis, files):
    files[0].write_text("http://a#1\n")
    code, out, err = tamis("ontology", "evaluate", *files)
    assert (code, out) == (2, "")
    assert err.startswith("tamis: 'found.tsv', line 1: a source and a target are needed")
    assert tamis("ontology", "evaluate", files[1], "missing.rdf")[0] == 2


def test_remarks_of_the_files_are_told(tamis, files):
    files[0].write_text("source\ttarget\tkind\nhttp://a#1\thttp://b#1\tclass\n")
    _, out, _ = tamis("ontology", "evaluate", *files)
    assert out.splitlines()[-1] == "  ! found.tsv: columns not read: 'kind'"


@pytest.mark.shared
def test_classes_are_told_from_properties_by_the_ontologies(tamis, shared_data):
    pytest.importorskip("tamis.ontology.reading")
    folder = shared_data / "ontology" / "conference"
    code, out, _ = tamis(
        "ontology",
        "evaluate",
        folder / "oaei2019-system-alignments/SANOM/cmt-confof.rdf",
        folder / "alignments/cmt-confOf.rdf",
        "--classes",
        *(folder / f"ontologies/{name}.owl" for name in ("cmt", "confOf")),
        "--json",
    )
    told = json.loads(out)
    assert (code, told["counts"]["reference"]) == (0, 10)
    assert told["left_aside"]["pairs of properties of cmt-confOf.rdf"] == 6
