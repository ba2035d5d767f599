"""Individuals: whatever is of a class of the file."""

from __future__ import annotations

from collections.abc import Mapping

from ..ontology_data import Individual
from .facts import BLANK_NODE_PREFIX, Facts, is_blank
from .names import label_of, names_of
from .vocabulary import INDIVIDUAL, NIL, TYPE


def read_individuals(
    facts: Facts, position: Mapping[str, int], properties: Mapping[str, int]
) -> tuple[Individual, ...]:
    """Nodes with the type of a class of the file, or declared to be individuals; by name.

    Identifiers of blank nodes differ from one reading to the next, so they are numbered, in the
    order of their classes and labels.
    """
    named, blank = [], []
    for node in facts.subjects(TYPE):
        types = set(facts.nodes(node, TYPE))
        classes = tuple(sorted(position[one] for one in types if one in position))
        if not (classes or INDIVIDUAL in types) or node in position or node in properties:
            continue
        if node == NIL:  # the end of every list
            continue
        if is_blank(node):
            blank.append((classes, names_of(facts, node).label))
        else:
            named.append(Individual(node, label_of(facts, node), classes))
    numbered = (
        Individual(f"{BLANK_NODE_PREFIX}{number}", label, classes)
        for number, (classes, label) in enumerate(sorted(blank), 1)
    )
    return (*sorted(named), *numbered)
