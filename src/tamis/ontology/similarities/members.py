"""What classes have: individuals and properties."""

from __future__ import annotations

import numpy as np

from ..names import name_stems, normalised_name
from ..pairs import Pairs, Side, bags_of, column_rarity, incidence_matrix, row_products
from .words import weighted_cosine


def instance_overlap(pairs: Pairs) -> np.ndarray:
    """Jaccard coefficient of the labels of the individuals; missing where one class has none."""
    held = [_individual_labels(side) for side in pairs.sides]
    names = {name: k for k, name in enumerate(sorted({n for one in held for s in one for n in s}))}
    bags = [
        incidence_matrix([[names[n] for n in sorted(s)] for s in one], len(names)) for one in held
    ]
    size = [np.asarray(bag.sum(axis=1)).ravel() for bag in bags]
    i, j = pairs.rows.T
    both = row_products(bags[0], bags[1], pairs.rows)
    either = size[0][i] + size[1][j] - both
    empty = (size[0][i] == 0) | (size[1][j] == 0)
    return np.where(empty, np.nan, both / np.maximum(either, 1)).astype(np.float32)


def property_cosine(pairs: Pairs) -> np.ndarray:
    """Cosine of the words of the properties that a class has as domain, range or in restrictions.

    Missing where one class has none.
    """
    bags = bags_of(_property_stems(pairs.source), _property_stems(pairs.target))
    return weighted_cosine(*bags, column_rarity(*bags), pairs.rows)


def _individual_labels(side: Side) -> list[set[str]]:
    found: list[set[str]] = [set() for _ in side.labels]
    for one in side.ontology.individuals:
        if name := normalised_name(one.label):
            for at in one.types:
                found[at].add(name)
    return found


def _property_stems(side: Side) -> list[list[str]]:
    """Stems of the properties of each class."""
    o = side.ontology
    found: list[list[str]] = [[] for _ in side.labels]
    stems = [name_stems(normalised_name(p.label)) for p in o.properties]
    for words, one in zip(stems, o.properties, strict=True):
        for at in (*one.domains, *one.ranges):
            found[at] += words
    for said in o.restrictions:
        found[said.owner] += stems[said.property]
    return found
