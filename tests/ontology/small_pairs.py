"""Small vocabularies with everything that similarities look at, and pairs of their classes."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from tamis.ontology import Individual, Ontology, Property, Restriction
from tamis.ontology.pairs import Pairs, Side

WORDS = [
    "paper",
    "papers",
    "author",
    "chair",
    "pc",
    "program",
    "committee",
    "member",
    "regular",
    "of",
    "the",
    "review",
    "1",
]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
LABELS = NAMES | st.sampled_from(["", "—", "PCMember", "a"])


def vocabulary(name, labels, synonyms=None, parents=None, **more):
    """An ontology of these labels; its classes are `name#0000`, `name#0001`, unless `iris` says."""
    n = len(labels)
    iris = more.pop("iris", None) or [f"http://{name}#{k:04d}" for k in range(n)]
    given = {
        "iri": f"http://{name}",
        "iris": tuple(iris),
        "labels": tuple(labels),
        "local_names": tuple(iri.split("#")[-1] for iri in iris),
        "definitions": ("",) * n,
        "synonyms": tuple(synonyms or ((),) * n),
        "related": ((),) * n,
        "parents": tuple(parents or ((),) * n),
        "labelled": np.ones(n, dtype=bool),
        "obsolete": np.zeros(n, dtype=bool),
    }
    return Ontology(name, **{**given, **more})


@st.composite
def vocabularies(draw, name, most=5):
    """Any small vocabulary."""
    labels = draw(st.lists(LABELS, min_size=1, max_size=most))
    n = len(labels)
    synonyms = [tuple(draw(st.lists(NAMES, max_size=2))) for _ in labels]
    parents = [
        tuple(draw(st.lists(st.sampled_from(range(k)), max_size=2, unique=True))) if k else ()
        for k in range(n)
    ]
    definitions = tuple(
        draw(st.sampled_from(["", "who writes the paper", "a member"])) for _ in labels
    )
    some = st.lists(st.sampled_from(range(n)), max_size=2, unique=True).map(tuple)
    individuals = tuple(
        Individual(f"i{k}", label, draw(some))
        for k, label in enumerate(draw(st.lists(st.sampled_from(["Ann", "ann", "Bob", ""]))))
    )
    properties = tuple(
        Property(f"p{k}", label, "object", draw(some), draw(some))
        for k, label in enumerate(draw(st.lists(NAMES, max_size=2)))
    )
    restrictions = tuple(
        Restriction(draw(st.sampled_from(range(n))), k) for k in range(len(properties))
    )
    return vocabulary(
        name,
        labels,
        synonyms,
        parents,
        definitions=definitions,
        individuals=individuals,
        properties=properties,
        restrictions=restrictions,
    )


@st.composite
def pairs_of_classes(draw):
    """Some pairs of two small vocabularies."""
    source, target = draw(vocabularies("one")), draw(vocabularies("other"))
    every = list(product(range(len(source)), range(len(target))))
    rows = sorted(draw(st.sets(st.sampled_from(every), min_size=1)))
    return Pairs(Side(source), Side(target), np.array(rows, dtype=np.int32))


def all_pairs(source, target):
    """Every pair of two vocabularies."""
    rows = list(product(range(len(source)), range(len(target))))
    return Pairs(Side(source), Side(target), np.array(rows, dtype=np.int32).reshape(-1, 2))
