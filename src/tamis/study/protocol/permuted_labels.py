"""Labels permuted for runs under the null: what may be exchanged, given groups and batches."""

from __future__ import annotations

import numpy as np

from ..._core.streams import generator
from .splits import Labels


def permuted_codes(labels: Labels, seed: int, *key: object, within: bool = False) -> np.ndarray:
    """Labels permuted for a run under the null.

    Groups are permuted as units: those of one label exchange their labels; in groups where labels
    vary (matched pairs, say) they are permuted inside the group. `within`: inside each part of
    the predefined split, whose class shares are then those of the study in every run, as
    exchangeability needs. Always inside batches, which may differ in their shares of the classes;
    where groups lie in several batches their labels are drawn given their batches.
    """
    draw = generator(seed, *key)
    split = labels.split if within else None
    strata = [a for a in (split, _exchangeable_among(labels)) if a is not None]
    if not strata:
        return _permuted_labels(labels.y, labels.groups, draw)
    out = labels.y.copy()
    crossed = labels.given_batches
    given = np.zeros(len(out), dtype=bool)  # rows whose labels are drawn given their batches
    if crossed is not None:
        among = np.zeros(len(out), dtype=np.int64)
        if split is not None:
            among = np.unique(split, return_inverse=True)[1]
        base = crossed.drawn(among, generator(seed, "given batches"))
        given = crossed.pure_rows
        out[given] = crossed.drawn(among, draw, base)[crossed.group[given]]
    places = np.unique(np.column_stack(strata), axis=0, return_inverse=True)[1]
    for k in np.unique(places[~given]):
        rows = np.flatnonzero((places == k) & ~given)
        part = labels.take(rows)
        out[rows] = _permuted_labels(part.y, part.groups, draw)
    return out


def _exchangeable_among(labels: Labels) -> np.ndarray | None:
    """Among which rows labels may be exchanged, by name (n,): those of one batch. A group in which
    labels vary is permuted inside each batch it has rows in."""
    if labels.batches is None or labels.groups is None:
        return labels.batches
    among = np.empty(len(labels.y), dtype=object)
    for at, name in enumerate(np.unique(labels.groups)):
        rows = np.flatnonzero(labels.groups == name)
        own = labels.batches[rows]
        pure = (labels.y[rows] == labels.y[rows[0]]).all()
        among[rows] = own if pure else [f"{at}\0\0{batch}" for batch in own]
    return among.astype(str)


def _permuted_labels(
    y: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
) -> np.ndarray:
    """Labels of some rows, permuted."""
    if groups is None:
        return draw.permutation(y)
    members = [np.flatnonzero(groups == name) for name in np.unique(groups)]
    pure = [rows for rows in members if (y[rows] == y[rows[0]]).all()]
    out = y.copy()
    if pure:
        dealt = draw.permutation([y[rows[0]] for rows in pure])
        for rows, label in zip(pure, dealt, strict=True):
            out[rows] = label
    for rows in members:
        if not (y[rows] == y[rows[0]]).all():
            out[rows] = draw.permutation(y[rows])
    return out
