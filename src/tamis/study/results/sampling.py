"""How many independent samples stand behind held-out predictions, and how even folds are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...metrics import HeldOut, VarianceInflation
from ...metrics.intervals import effective_units, errors_above_chance, errors_alike, units_of
from ..plan import Split
from ..protocol.splits import Labels


def sampling_of(held: HeldOut, labels: Labels, outer: Split) -> VarianceInflation:
    """How many independent samples stand behind held-out predictions, by the split's kind.

    Errors inside a group correlate as they were seen to, and at least as much as
    `Dataset.intra_group_correlation` says where it is known. Areas count groups
    by how alike their scores were seen to be.
    """
    rows = np.unique(held.rows)
    some = labels.take(rows)
    alike = some.intra_group_correlation
    if alike is not None and some.groups is not None:
        hits = np.bincount(held.rows, held.predicted == held.codes)
        right = hits[rows] / np.bincount(held.rows)[rows]
        alike = np.maximum(alike, errors_alike(right, some.y, some.groups))
    C = len(labels.classes)
    units, shared = units_of(some.y, C, some.groups, alike)
    ordered = None
    if some.groups is not None:
        scores = held.scores_alike(some.y, some.groups)
        same = scores if alike is None else np.maximum(scores, alike)
        ordered = effective_units(some.y, C, some.groups, same)
    if len(held.folds) == held.n_repeats:  # one test set a repeat
        tested = len(held.rows) / held.n_repeats
        ratio, part = tested / (len(labels.y) - tested), tested / len(rows)
        found = VarianceInflation.holdout(units * part, ratio, held.n_repeats, shared)
        return replace(found, ordered=None if ordered is None else ordered * part)
    if outer.kind == "leave-one-out" or held.alone:
        return VarianceInflation.leave_one_out(units, shared)
    clear = errors_above_chance(held.matrix(), units)
    return replace(VarianceInflation.k_fold(units, held.n_repeats, shared, clear), ordered=ordered)


def uneven_shares(held: HeldOut, labels: Labels) -> float:
    """The gap between a class's share in a test set and in its training set, mean over samples.

    Stratified folds have next to none. Where a fold is rich in a class its training set is poor
    in it, and scores of labels lie below those of even shares, in noise below chance. That is of
    folds that are pooled: a single test set, such as another cohort, has its own shares.
    """
    if len(held.folds) <= len(held.repeats):
        return 0.0
    C = len(labels.classes)
    total = np.bincount(labels.y, minlength=C).astype(float)
    gaps = []
    for at in held.folds:
        test = np.bincount(held.codes[at], minlength=C)
        train = total - test
        gaps.append(np.abs(test / test.sum() - train / train.sum()).max())
    return float(np.average(gaps, weights=[at.stop - at.start for at in held.folds]))
