"""Asserted superclasses, and what is done where they run in circles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from ..._core.errors import counted_noun, listed_names
from .facts import Facts, is_blank
from .vocabulary import BROADER, EQUIVALENT, INTERSECTION, NARROWER, NO_CLASSES, SUBCLASS, UNION


def asserted_parents(
    facts: Facts, position: Mapping[str, int]
) -> tuple[tuple[tuple[int, ...], ...], list[str]]:
    """Named superclasses of each class, without circles, and remarks.

    A class below itself means that all classes of the circle are the same. None of them is a
    superclass of another, then, and each gets the superclasses that any of them has outside. That
    does not depend on the order of the file. The same is done for classes that are stated to be
    equivalent.
    """
    above: list[set[int]] = [set() for _ in position]
    same: list[tuple[int, int]] = []
    missing: set[str] = set()
    for child, parent in _superclass_statements(facts):
        if child not in position:
            continue
        if parent in position:
            above[position[child]].add(position[parent])
        elif parent not in NO_CLASSES:
            missing.add(parent)
    for one, other in _equivalent_pairs(facts):
        if one in position and other in position:
            same.append((position[one], position[other]))
    parents, circles = without_circles(above, same)
    remarks = []
    if missing:
        remarks.append(
            f"{counted_noun(len(missing), 'superclass', 'superclasses')} "
            f"({listed_names(sorted(missing), 2)}) of other ontologies: not declared here, left out"
        )
    if circles:
        iris = list(position)
        first = [iris[k] for k in min(circles)]
        remarks.append(
            f"{counted_noun(len(circles), 'circle')} in the hierarchy ({listed_names(first, 3)}): "
            "classes of a circle mean the same, and none is above another"
        )
    return parents, remarks


def _superclass_statements(facts: Facts) -> Iterator[tuple[str, str]]:
    """Class and named superclass, as often as that is stated."""
    for name in (SUBCLASS, BROADER):
        for child in facts.subjects(name):
            for parent in facts.nodes(child, name):
                if not is_blank(parent):
                    yield child, parent
                else:
                    yield from ((child, one) for one in named_members(facts, parent))
    for parent in facts.subjects(NARROWER):
        yield from ((child, parent) for child in facts.nodes(parent, NARROWER))
    for child in facts.subjects(INTERSECTION):  # of a named class, as OWL 1 writes it
        if not is_blank(child):
            yield from ((child, one) for one in named_members(facts, child))
    for child in facts.subjects(EQUIVALENT):
        for other in facts.nodes(child, EQUIVALENT):
            if is_blank(other) and not is_blank(child):
                yield from ((child, one) for one in named_members(facts, other))
                for head in facts.nodes(other, UNION):
                    yield from ((one, child) for one in facts.members(head) if not is_blank(one))


def named_members(facts: Facts, expression: str) -> Iterator[str]:
    """Named classes of an intersection, also of one inside it."""
    waiting, seen = [expression], set()
    while waiting:
        if (node := waiting.pop()) in seen:
            continue
        seen.add(node)
        for head in facts.nodes(node, INTERSECTION):
            for one in facts.members(head):
                if is_blank(one):
                    waiting.append(one)
                else:
                    yield one


def _equivalent_pairs(facts: Facts) -> Iterator[tuple[str, str]]:
    """Pairs of named classes that are stated to be equivalent."""
    for one in facts.subjects(EQUIVALENT):
        yield from ((one, other) for other in facts.nodes(one, EQUIVALENT))


def without_circles(
    above: list[set[int]], same: list[tuple[int, int]]
) -> tuple[tuple[tuple[int, ...], ...], list[list[int]]]:
    """Superclasses of each class after circles are taken out, and the circles.

    Parameters
    ----------
    above : list of set of int
        Superclasses of each class.
    same : list of pairs of int
        Equivalent classes.

    Examples
    --------
    >>> without_circles([{1}, {0, 2}, set()], [])
    (((2,), (2,), ()), [[0, 1]])
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = len(above)
    pairs = [(child, parent) for child, ups in enumerate(above) for parent in ups]
    both = [*pairs, *same, *((b, a) for a, b in same)]
    if not both:
        return tuple(() for _ in above), []
    rows, columns = np.array(both).T
    graph = coo_matrix((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(n, n))
    _, group = connected_components(graph, directed=True, connection="strong")
    members = defaultdict(list)
    for at in np.flatnonzero(np.bincount(group)[group] > 1).tolist():
        members[int(group[at])].append(at)
    stated = {(a, b) for a, b in same} | {(b, a) for a, b in same}
    circles = []
    parents = [{k for k in ups if group[k] != group[at]} for at, ups in enumerate(above)]
    for together in members.values():
        shared = set().union(*(parents[at] for at in together))
        for at in together:
            parents[at] = shared
        inside = {(at, k) for at in together for k in above[at] if group[k] == group[at]}
        if inside - stated:
            circles.append(together)
    return tuple(tuple(sorted(one)) for one in parents), sorted(circles)
