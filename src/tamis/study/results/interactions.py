"""Interactions over the outer folds: how often each was found, and how stable they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, perm
from typing import Any

import numpy as np

from ..._core.interfaces import Term
from ...metrics import nogueira_stability
from .evidence_schema import InteractionEntry, Interactions

MAX_SHOWN_INTERACTIONS = 30
MAX_INTEGER = 2**62


def interaction_stability(
    folds: Sequence[Sequence[Term]], names: Sequence[str], classes: Sequence[str], n_ranked: int
) -> Interactions:
    """How stable sets of interactions are, as for features, and the most frequent of them.

    Nogueira's measure counts each interaction as an item. How many there could be is the number
    of pairs, triples, ... of features of the sizes found: in every order if some are not rising,
    with either sign and for each class where terms say these. In a wide table agreement of random
    draws is next to none; training sets share samples, so that it is above 0 in noise too.

    Parameters
    ----------
    folds : sequence of sequences of Term
        Of each training set, features as columns of the Dataset.
    names : sequence of str
        Of those.
    classes : sequence of str
    n_ranked : int
        Features that selection could choose from.
    """
    terms: dict[Any, list[Term]] = {}
    for fold in folds:
        for key, term in {term.key: term for term in fold}.items():
            terms.setdefault(key, []).append(term)
    value = terms_nogueira(folds, n_ranked, len(classes))
    frequent = sorted(
        terms, key=lambda key: (-len(terms[key]), -_mean_weight(terms[key]), str(key))
    )
    return {
        "n_folds": len(folds),
        "mean_size": mean_size(folds),
        "nogueira": value if np.isfinite(value) else None,
        "n_different": len(terms),
        "terms": [
            _interaction_entry(terms[key], len(folds), names, classes)
            for key in frequent[:MAX_SHOWN_INTERACTIONS]
        ],
    }


def terms_nogueira(folds: Sequence[Sequence[Term]], n_ranked: int, n_classes: int) -> float:
    """Nogueira's measure over the sets of interactions of training sets; NaN without any."""
    place: dict[Any, int] = {}
    sets = [
        np.array([place.setdefault(k, len(place)) for k in dict.fromkeys(t.key for t in fold)], int)
        for fold in folds
    ]
    n_items = max(possible_terms([t for fold in folds for t in fold], n_ranked, n_classes), 2)
    return nogueira_stability(sets, max(n_items, len(place))).value if sets else float("nan")


def mean_size(folds: Sequence[Sequence[Term]]) -> float:
    """Different interactions of a training set, on average."""
    return float(np.mean([len({t.key for t in fold}) for fold in folds])) if folds else 0.0


def possible_terms(terms: Sequence[Term], n_ranked: int, n_classes: int) -> int:
    """How many interactions of these kinds there are among so many features, at most 2**62."""
    ordered = any(list(term.features) != sorted(term.features) for term in terms)
    kinds = {(len(t.features), bool(t.signs), t.class_ is not None) for t in terms}
    total = 0
    for order, signed, of_class in kinds:
        count = (perm if ordered else comb)(n_ranked, order)
        total += count * (2**order if signed else 1) * (n_classes if of_class else 1)
    return min(total, MAX_INTEGER)


def _mean_weight(found: Sequence[Term]) -> float:
    return float(np.mean([abs(next(iter(t.about.values()), 0.0)) for t in found]))


def _interaction_entry(
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
