"""What is asked of ontologies that may be wrong; answers must not contradict each other."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fuzz.spoiled_ontologies import ontologies
from ontology.made_up import content_of
from tamis.ontology import Ontology, read_ontology
from tamis.ontology.describe import class_lines, describe_class, describe_ontology, ontology_lines


def warm() -> None:
    """Valid files of each format, so that all is imported."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in ontologies().items():
            path = Path(folder, name)
            path.write_bytes(content)
            ask(path)


def ask(path: Path) -> None:
    """Read, describe, and write as an index, which is the same.

    Raises
    ------
    DataError
        The file is wrong.
    """
    ontology = read_ontology(path)
    check(ontology)
    assert ontology_lines(describe_ontology(ontology))
    for at in range(min(len(ontology), 20)):
        assert class_lines(describe_class(ontology, at))
    index = path.parent / "written.index"
    ontology.write(index)
    assert content_of(read_ontology(index)) == content_of(ontology)
    index.unlink()


def check(ontology: Ontology) -> None:
    """What is true of every ontology that was read."""
    n = len(ontology)
    assert n > 0
    assert list(ontology.iris) == sorted(set(ontology.iris))
    o = ontology
    columns = (
        o.labels,
        o.local_names,
        o.definitions,
        o.synonyms,
        o.related,
        o.parents,
        o.labelled,
        o.obsolete,
    )
    assert {len(one) for one in columns} == {n}
    assert all(ontology.labels)
    assert sorted(ontology.downwards) == list(range(n))  # so there are no circles
    for at in range(n):
        names = ontology.names_of(at)
        assert len(set(names)) == len(names)
        assert at not in ontology.parents[at]
    every = [k for one in ontology.properties for k in (*one.domains, *one.ranges)]
    every += [k for one in ontology.individuals for k in one.types]
    every += [one.owner for one in ontology.restrictions]
    assert all(0 <= k < n for k in every)
    assert all(-1 <= one.filler < n for one in ontology.restrictions)
    assert all(0 <= one.property < len(ontology.properties) for one in ontology.restrictions)
