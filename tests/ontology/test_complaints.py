"""What users of other programs complain of."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from itertools import product

import pytest

from ontology.as_obo import obo_text
from ontology.small_pairs import vocabulary
from tamis._core.errors import PlanError
from tamis.ontology import (
    Correspondence,
    Mapping,
    OntologyMatcher,
    read_mapping,
    read_ontology,
    resolve,
)
from tamis.ontology.describe import find_class
from tamis.ontology.made_up import make_vocabularies

MADE = make_vocabularies(40, 40, 28, noise=0.7, random_state=4)


@pytest.mark.parametrize("learner", ["aode", "logistic"])
@pytest.mark.parametrize("relaxation", [0.0, 0.5])
def test_nothing_below_the_threshold_is_mapped(tmp_path, learner, relaxation):
    """text2term (ccb-hms/ontology-mapper#32): `min_score` was kept by one of its mappers alone."""
    counts = []
    for threshold, assignment in product((0.2, 0.9), ("optimal", "none")):
        matcher = OntologyMatcher(
            ["name", "words"],
            learner,
            threshold=threshold,
            assignment=assignment,
            relaxation=relaxation,
        ).fit(MADE.source, MADE.target)
        found = matcher.match(MADE.source, MADE.target)
        found.write(tmp_path / "found.sssom.tsv")
        for mapping in (found, read_mapping(tmp_path / "found.sssom.tsv")):
            kept = [c.confidence for c in mapping.correspondences if c.status == "mapped"]
            assert all(confidence >= threshold for confidence in kept)
        counts.append(len(kept))
    assert min(counts[:2]) > max(counts[2:])  # so there is something below it


OPENED = """
import sys
seen = []
sys.addaudithook(lambda event, given: seen.append(str(given[0])) if event == "open" else None)
from tamis.ontology import read_ontology
found = read_ontology(sys.argv[1])
assert any(path.endswith("b.index") for path in seen)
print([path for path in seen if path.endswith((".obo", ".owl"))], "pyoxigraph" in sys.modules)
print(found.name, len(found))
"""


@pytest.mark.longer
def test_what_is_prepared_is_not_read_again(tmp_path):
    """text2term (ccb-hms/ontology-mapper#41): two minutes for each query of an ontology in its
    cache, since it loads the ontology itself besides."""
    mapped = []
    for name, one in (("a", MADE.source), ("b", MADE.target)):
        path = tmp_path / f"{name}.obo"
        path.write_text(obo_text(one))
        mapped.append(read_ontology(path))
        mapped[-1].write(tmp_path / f"{name}.index")
        path.unlink()
    opened = [read_ontology(tmp_path / f"{name}.index") for name in "ab"]
    found = [OntologyMatcher().fit(*pair).match(*pair) for pair in (mapped, opened)]
    assert found[0] == found[1]
    process = [sys.executable, "-c", OPENED, str(tmp_path / "b.index")]
    told = subprocess.run(process, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["[] False", "b.obo 40"]


def calls(work):
    """How many functions are called, of Python and of C."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += event.endswith("call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def big(n):
    return vocabulary("big", [f"name of class {k} in a vocabulary of diseases" for k in range(n)])


@pytest.mark.parametrize(
    "asked",
    [
        "name of class 7 in a vocabulary of diseases",
        "name of klass 7 in the vocabulary of diseases",
        "name " * 400,
    ],
)
def test_one_string_takes_no_minute(monkeypatch, asked):
    """OAK (INCATools/ontology-access-kit#803): a minute to annotate one string. Here each class
    costs a few calls, however the string is written."""
    monkeypatch.setattr("tamis.ontology.describe.MAX_COMPARED_NAMES", 100)

    def ask(ontology):
        with contextlib.suppress(PlanError):
            find_class(ontology, asked)

    some, more = big(1000), big(3000)
    assert calls(lambda: ask(more)) - calls(lambda: ask(some)) < 20 * 2000


def test_many_strings_take_as_long_as_they_are_many():
    """The same: a name is looked up, and not compared with those of all classes."""

    def look_up(n):
        ontology = big(n)
        pairs = zip(ontology.labels, ontology.labels, strict=True)
        mapping = Mapping(tuple(Correspondence(a, b) for a, b in pairs))
        return calls(lambda: resolve(mapping, ontology, ontology))

    assert look_up(2000) < 2.2 * look_up(1000)


def test_a_name_that_there_is_not_is_told_with_five_that_hold_it():
    labels = [f"{side} upper limb bone {k}" for k in range(3) for side in ("left", "right")]
    ontology = vocabulary("body", [*labels, "heart"])
    for asked, words in (
        ("LIMB ", f"did you mean one of {', '.join(map(repr, labels[:5]))}?"),
        ("haert", "did you mean 'heart'?"),
        ("spleen", "no name is like it"),
    ):
        with pytest.raises(PlanError) as error:
            find_class(ontology, asked)
        assert str(error.value) == f"class={asked!r} is no IRI and no name in 'body': {words}"
