"""Real ontologies, with all their faults: the numbers of classes, properties and individuals.

What the README of the data sets says was counted by owlready2, which does not see individuals
without owl:NamedIndividual; those were counted by hand in its text (101: 55 named, 56 blank).
"""

import hashlib
import json
import re
from pathlib import Path

import pytest

from tamis.ontology import read_ontology

ROW = re.compile(r"\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|(?: \d+ \|)?$", re.M)


@pytest.fixture(scope="session")
def ontologies(shared_data):
    """Name -> (file, classes, properties, the last number of its row)."""
    folder = shared_data / "ontology"
    if not folder.is_dir():
        pytest.skip("needs the shared ontologies")
    found = {}
    for name, *numbers in ROW.findall((folder / "README.md").read_text()):
        place = (
            f"benchmark/{name}/onto.rdf" if name.isdigit() else f"conference/ontologies/{name}.owl"
        )
        found[name] = (folder / place, *map(int, numbers))
    return found


@pytest.mark.shared
def test_counts_are_those_of_another_reader(ontologies):
    assert len(ontologies) == 51 + 6
    for name, (path, classes, properties, last) in ontologies.items():
        read = read_ontology(path)
        assert (len(read), len(read.properties)) == (classes, properties), name
        if not name.isdigit():
            assert len(read.individuals) == last, name


@pytest.mark.shared
def test_individuals_need_no_declaration(ontologies):
    read = read_ontology(ontologies["101"][0])
    blank = [one for one in read.individuals if one.name.startswith("_:")]
    assert (len(read.individuals) - len(blank), len(blank)) == (55, 56)
    assert all(one.types for one in read.individuals)
    for name in ("301", "302", "303", "304"):
        assert not read_ontology(ontologies[name][0]).individuals


@pytest.mark.shared
def test_names_that_are_given_twice_are_joined_and_said(ontologies):
    for name in ("205", "206", "207", "209", "210"):
        assert "rdf:ID" in "".join(read_ontology(ontologies[name][0]).remarks)


@pytest.mark.shared
def test_conference_ontologies_have_no_labels_and_many_parents(ontologies):
    read = read_ontology(ontologies["ekaw"][0])
    assert not read.labelled.any()
    assert read.labels[read.local_names.index("PC_Chair")] == "PC Chair"
    chair = read["http://ekaw#PC_Chair"]
    assert chair.parents
    assert read.restrictions


def digest(lines):
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


@pytest.mark.shared
def test_what_is_told_of_each_class_is_what_owlready2_tells(shared_data):
    """Digests of `tests/goldens/make_ontologies.py`.

    102 is left out where owlready2 does not read what OWL 1 writes: owl:intersectionOf of a class.
    """
    golden = Path(__file__).parents[1] / "goldens" / "owlready2_ontologies.json"
    for name, expected in json.loads(golden.read_text()).items():
        o = read_ontology(shared_data / "ontology" / name)
        above = {f"{o.iris[k]} {o.iris[p]}" for k, ups in enumerate(o.parents) for p in ups}
        labels = {
            f"{one.iri} {label}"
            for one, given in zip(o.classes, o.labelled, strict=True)
            if given
            for label in (one.label, *one.synonyms)
        }
        restrictions = {f"{o.iris[r.owner]} {o.properties[r.property].iri}" for r in o.restrictions}
        found = {
            "classes": o.iris,
            "properties": [p.iri for p in o.properties],
            "superclasses": above,
            "labels": labels,
            "restrictions": restrictions,
        }
        for what, lines in found.items():
            if "/102/" in name and what in ("superclasses", "restrictions"):
                continue
            assert [len(lines), digest(lines)] == expected[what], (name, what)
