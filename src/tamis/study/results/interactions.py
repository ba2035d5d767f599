"""Interactions over the outer folds: how often each was found, and how stable they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from ..._core.interfaces import Term
from ...metrics import nogueira_stability
from .schema import InteractionEntry, Interactions

SHOWN = 30


def interaction_stability(
    folds: Sequence[Sequence[Term]], names: Sequence[str], classes: Sequence[str], n_ranked: int
) -> Interactions:
    """How stable sets of interactions are, as for features, and the most frequent of them.

    Nogueira's measure counts each interaction as an item. How many there could be is the number
    of pairs, triples, ... of features of the sizes found, in order where a method's terms have
    one; it is so large that agreement by chance is next to none.

    Parameters
    ----------
    folds : sequence of sequences of Term
        Of each training part, features as columns of the Dataset.
    names : sequence of str
        Of those.
    classes : sequence of str
    n_ranked : int
        Features that selection could choose from.
    """
    place: dict[Any, int] = {}
    terms: dict[Any, list[Term]] = {}
    sets = []
    for fold in folds:
        found = {term.key: term for term in fold}
        for key, term in found.items():
            terms.setdefault(key, []).append(term)
        sets.append(np.array([place.setdefault(key, len(place)) for key in found], dtype=np.int64))
    orders = {len(term.features) for fold in folds for term in fold}
    possible = sum(comb(n_ranked, order) * 2**order for order in orders)
    value = nogueira_stability(sets, max(possible, len(place), 2)).value if sets else float("nan")
    frequent = sorted(terms, key=lambda key: (-len(terms[key]), -_weight(terms[key]), str(key)))
    return {
        "n_folds": len(folds),
        "mean_size": float(np.mean([len(s) for s in sets])) if sets else 0.0,
        "nogueira": value if np.isfinite(value) else None,
        "n_different": len(place),
        "terms": [_entry(terms[key], len(folds), names, classes) for key in frequent[:SHOWN]],
    }


def _weight(found: Sequence[Term]) -> float:
    return float(np.mean([abs(next(iter(t.about.values()), 0.0)) for t in found]))


def _entry(
    found: Sequence[Term], n_folds: int, names: Sequence[str], classes: Sequence[str]
) -> InteractionEntry:
    """One interaction: its features by name, in how many folds, and the mean of its numbers."""
    first = found[0]
    about = {
        key: float(np.mean([t.about[key] for t in found if key in t.about])) for key in first.about
    }
    return {
        "features": [names[j] for j in first.features],
        "signs": list(first.signs),
        "class": None if first.class_ is None else classes[first.class_],
        "frequency": len(found) / n_folds,
        "about": about,
    }
