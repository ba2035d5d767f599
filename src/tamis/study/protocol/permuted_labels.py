"""Labels permuted for runs under the null: what may be exchanged, given groups and batches."""

from __future__ import annotations

import numpy as np

from ..._core.streams import generator
from .splits import Labels


def permuted_codes(labels: Labels, seed: int, *key: object, within: bool = False) -> np.ndarray:
    """Codes permuted for a run under the null.

    Groups are permuted as units (`Response.permuted`): those of one label exchange their labels; in
    groups where labels vary (matched pairs, say) they are permuted inside the group. `within`:
    inside each part of the predefined split, whose class shares are then those of the study in
    every run, as exchangeability needs. Always inside batches, which may differ in their shares of
    the classes; where groups lie in several batches their labels are drawn given their batches.
    """
    draw = generator(seed, *key)
    split = labels.split if within else None
    strata = [a for a in (split, _exchangeable_among(labels)) if a is not None]
    if not strata:
        return labels.response.permuted(labels.y, labels.groups, draw)
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
        out[rows] = labels.response.permuted(part.y, part.groups, draw)
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
        pure = labels.response.is_unit(labels.y[rows])
        among[rows] = own if pure else [f"{at}\0\0{batch}" for batch in own]
    return among.astype(str)
