"""Outer and inner splits: stratified, group-aware, repeatable, and checked before use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.errors import PlanError, listing
from .._core.streams import generator, random_state
from .plan import Split


@dataclass(frozen=True)
class Labels:
    """What splitting looks at: class codes, and groups and predefined folds if there are any."""

    y: np.ndarray
    classes: tuple[str, ...]
    groups: np.ndarray | None = None
    split: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> Labels:
        """The labels of some rows."""
        groups = None if self.groups is None else self.groups[rows]
        split = None if self.split is None else self.split[rows]
        return Labels(self.y[rows], self.classes, groups, split)


def test_sets(labels: Labels, how: Split, where: str, seed: int, *key: object) -> list[np.ndarray]:
    """The test rows of each fold; the training part is the rest.

    Raises
    ------
    PlanError
        More folds than the rarest class has members (or groups), no predefined split, or a
        training part that would lack a class.
    """
    y, n = labels.y, len(labels.y)
    rows = np.arange(n)
    if how.kind == "predefined":
        folds = _predefined(labels)
    elif how.kind == "leave-one-out":
        units = rows if labels.groups is None else labels.groups
        folds = [np.flatnonzero(units == u) for u in np.unique(units)]
    else:
        count = how.folds if how.kind == "k-fold" else max(2, round(1 / how.test_size))
        _check_members(labels, count, how, where)
        state = random_state(seed, where, *key)
        if labels.groups is not None:
            from sklearn.model_selection import StratifiedGroupKFold

            whole = StratifiedGroupKFold(count, shuffle=True, random_state=state)
            folds = [test for _, test in whole.split(rows, y, labels.groups)]
            if how.kind == "holdout":
                folds = folds[:1]
        elif how.kind == "holdout":
            from sklearn.model_selection import StratifiedShuffleSplit

            draw = StratifiedShuffleSplit(1, test_size=how.test_size, random_state=state)
            folds = [np.sort(test) for _, test in draw.split(rows, y)]
        else:
            from sklearn.model_selection import StratifiedKFold

            cut = StratifiedKFold(count, shuffle=True, random_state=state)
            folds = [test for _, test in cut.split(rows, y)]
    folds = [test for test in folds if len(test)]
    _check_training(labels, folds)
    return folds


def _predefined(labels: Labels) -> list[np.ndarray]:
    if labels.split is None:
        raise PlanError("a predefined split needs a split column: name it with --split COLUMN")
    names = np.unique(labels.split)
    lower = {str(name).lower(): name for name in names}
    if set(lower) == {"train", "test"}:
        return [np.flatnonzero(labels.split == lower["test"])]
    if len(names) < 2:
        raise PlanError(
            f"the predefined split has one fold only ({names[0]!r}) here: use two or more values, "
            "or 'train' and 'test' with another kind of inner split"
        )
    return [np.flatnonzero(labels.split == name) for name in names]


def _check_members(labels: Labels, folds: int, how: Split, where: str) -> None:
    """StratifiedKFold only warns when a class is smaller than the folds; refuse it."""
    if how.kind == "holdout":
        folds = 2
    unit = "members"
    members = np.bincount(labels.y, minlength=len(labels.classes))
    if labels.groups is not None:
        unit = "groups"
        members = np.array(
            [len(np.unique(labels.groups[labels.y == c])) for c in range(len(labels.classes))]
        )
    few = np.flatnonzero(members < folds)
    if len(few):
        names = ", ".join(f"{labels.classes[c]!r} has {members[c]}" for c in few[:3])
        least = int(members.min())
        way_out = (
            f"use at most {least} folds" if least >= 2 else "collect more of it or leave it out"
        )
        raise PlanError(
            f"{where} splits ask for {folds} folds, more than the {unit} of a class: "
            f"{names}; {way_out}"
        )


def _check_training(labels: Labels, folds: list[np.ndarray]) -> None:
    total = np.bincount(labels.y, minlength=len(labels.classes))
    for test in folds:
        left = total - np.bincount(labels.y[test], minlength=len(total))
        if (left == 0).any():
            missing = [labels.classes[c] for c in np.flatnonzero(left == 0)]
            raise PlanError(
                f"a training part would have no sample of class {listing(missing)}: "
                "use fewer folds, other groups, or leave the class out"
            )


def training_rows(n: int, test: np.ndarray, within: np.ndarray | None = None) -> np.ndarray:
    """Rows that are not in `test`; with `within`, positions are mapped to those rows."""
    inside = np.ones(n, dtype=bool)
    inside[test] = False
    kept = np.flatnonzero(inside)
    return kept if within is None else within[kept]


def permuted(labels: Labels, seed: int, *key: object) -> np.ndarray:
    """Labels permuted for a run under the null.

    Whole groups together: where every group has one label, labels are dealt to groups;
    where labels vary inside groups they are permuted within each group.
    """
    draw = generator(seed, *key)
    y, groups = labels.y, labels.groups
    if groups is None:
        return draw.permutation(y)
    names, index = np.unique(groups, return_inverse=True)
    first = np.array([y[index == g][0] for g in range(len(names))])
    if (first[index] == y).all():
        return draw.permutation(first)[index]
    out = y.copy()
    for g in range(len(names)):
        rows = np.flatnonzero(index == g)
        out[rows] = draw.permutation(y[rows])
    return out
