"""Outer and inner splits: stratified, group-aware, repeatable, and checked before use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from ..._core.errors import PlanError, listed_names
from ..._core.response import ClassResponse, Response
from ..._core.streams import random_state
from ..plan import Split
from .given_batches import GivenBatches, given_batches

MAX_KEPT_ROWS = 1 << 20  # rows of training sets whose folds are kept: of all folds of most studies
HOLDOUT_FOLDS = 10  # folds that strata of a number are made for, where one test set is drawn
MAX_KEPT_RUN_ROWS = 1 << 17  # rows of permuted runs whose folds are kept
MAX_DRAWS = 100  # of folds, until every training set has the batches that it predicts
_own = threading.local()
# families by the genotypes are not looked for
IGNORE_RELATIVES_ADVICE = "`tamis genome study --relatives ignore`"
# samples of them in it: an inner fold holds out one of two
MIN_CLASS_SAMPLES = {"outer": 2, "inner": 1}


@dataclass(frozen=True)
class Labels:
    """What splitting looks at: codes of the outcome, and groups, predefined folds and batches if
    any; and how alike errors inside groups are taken to be (`Dataset.intra_group_correlation`).

    `outcome` says what the codes stand for; None: the classes.
    """

    y: np.ndarray
    classes: tuple[str, ...]
    groups: np.ndarray | None = None
    split: np.ndarray | None = None
    batches: np.ndarray | None = None  # by name
    every_batch: bool = False  # whether a training set must have each batch that it predicts
    intra_group_correlation: np.ndarray | None = None
    outcome: Response | None = None

    @cached_property
    def response(self) -> Response:
        """What the codes stand for."""
        return ClassResponse(self.classes) if self.outcome is None else self.outcome

    @property
    def learnt(self) -> np.ndarray:
        """What methods learn from (n,): class codes, or values."""
        return self.response.learnt(self.y)

    def strata(self, folds: int = 1) -> tuple[np.ndarray, tuple[str, ...]]:
        """What so many folds share out evenly (`Response.strata`)."""
        return self.response.strata(self.y, self.groups, folds)

    def take(self, rows: np.ndarray) -> Labels:
        """The labels of some rows."""
        others = (self.groups, self.split, self.batches, self.intra_group_correlation)
        groups, split, batches, alike = (None if a is None else a[rows] for a in others)
        keeps, outcome = self.every_batch, self.outcome
        return Labels(self.y[rows], self.classes, groups, split, batches, keeps, alike, outcome)

    @property
    def keeps_batches(self) -> bool:
        """Whether folds must be such that each batch they hold out is in their training set."""
        return self.every_batch and self.batches is not None

    @cached_property
    def fold_cache(self) -> dict[object, list[np.ndarray]]:
        """Test rows by split, seed and key, drawn once: every fold of a run asks for them."""
        return {}

    @cached_property
    def _parts(self) -> dict[bytes, Labels]:
        return {}

    @cached_property
    def _runs(self) -> dict[object, Labels]:
        return {}

    def of_run(self, key: object, codes: Callable[[], np.ndarray]) -> Labels:
        """These labels with the class codes of a permuted run, which are drawn once, as its folds
        are; of tables with many samples those of the last runs are kept."""
        found = self._runs.get(key)
        if found is None:
            if len(self._runs) * len(self.y) >= MAX_KEPT_RUN_ROWS:
                self._runs.clear()
            found = self._runs[key] = replace(self, y=codes())
        return found

    def __getstate__(self) -> dict[str, object]:
        """Without what is kept: a worker draws its own."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def training_labels(self, test: np.ndarray) -> Labels:
        """The labels of the training set that is left; of not too many their folds are drawn once
        too."""
        name = test.tobytes()
        found = self._parts.get(name)
        if found is None:
            found = self.take(training_rows(len(self.y), test))
            if len(self._parts) * len(self.y) < MAX_KEPT_ROWS:
                self._parts[name] = found
        return found

    @cached_property
    def given_batches(self) -> GivenBatches | None:
        """What the batches of groups say of their class, where groups lie in several."""
        if self.batch_codes is None or self.groups is None or not self.classes:
            return None
        return given_batches(self.y, self.group_codes, self.batch_codes)

    @cached_property
    def batch_names(self) -> np.ndarray:
        """Of all batches, in order; none where there are no batches."""
        return np.unique(self.batches) if self.batches is not None else np.zeros(0, dtype=str)

    @cached_property
    def group_codes(self) -> np.ndarray:
        """Integers (n,), the same for rows of one group; of each row without groups."""
        if self.groups is None:
            return np.arange(len(self.y))
        return np.unique(self.groups, return_inverse=True)[1]

    @cached_property
    def batch_codes(self) -> np.ndarray | None:
        """Codes into `batch_names` (n,)."""
        return None if self.batches is None else np.searchsorted(self.batch_names, self.batches)


def test_sets(labels: Labels, how: Split, where: str, seed: int, *key: object) -> list[np.ndarray]:
    """The test rows of each fold; the training set is the rest.

    Raises
    ------
    PlanError
        More folds than the rarest class has members (or groups), no predefined split, or a
        training set that would lack a class.
    """
    name = (how, where, seed, *key)
    found = labels.fold_cache.get(name)
    if found is None:
        found = labels.fold_cache[name] = _possible_tests(labels, how, where, seed, *key)
    return found


def _possible_tests(
    labels: Labels, how: Split, where: str, seed: int, *key: object
) -> list[np.ndarray]:
    if how.kind == "predefined":
        folds = predefined_tests(labels.split)
        _check_groups(labels, folds)
    elif how.kind == "leave-one-out":
        units = np.arange(len(labels.y)) if labels.groups is None else labels.groups
        folds = [np.flatnonzero(units == u) for u in np.unique(units)]
    else:
        for draw in range(MAX_DRAWS if labels.keeps_batches else 1):
            state = random_state(seed, where, *key, *([draw] if draw else []))
            folds = _drawn_folds(labels, how, where, state)
            if not scarce_batches(labels, folds, where):
                break
    folds = [test for test in folds if len(test)]
    check_training(labels, folds)
    check_batches(labels, folds, where)
    return folds


def _drawn_folds(labels: Labels, how: Split, where: str, state: int) -> list[np.ndarray]:
    """The test rows of folds drawn at random."""
    if how.kind == "holdout":
        return [_holdout_test(labels, how.test_size, where, state)]
    return _k_folds(labels, how.folds, where, state)


def predefined_tests(split: np.ndarray | None) -> list[np.ndarray]:
    """The test rows of the split that the data come with."""
    if split is None:
        raise PlanError("a predefined split needs a split column: name it with --split COLUMN")
    names, lower = np.unique(split), np.char.lower(split.astype(str))
    if set(lower) == {"train", "test"}:
        return [np.flatnonzero(lower == "test")]
    if len(names) < 2:
        raise PlanError(
            f"the predefined split has one fold only ({str(names[0])!r}) here: use two or more "
            "values, or 'train' and 'test' with another kind of inner split"
        )
    return [np.flatnonzero(split == name) for name in names]


def _k_folds(labels: Labels, folds: int, where: str, state: int) -> list[np.ndarray]:
    members, unit = members_of(labels)
    _check_members(labels, members, unit, folds, where)
    stratum, _ = labels.strata(folds)
    if labels.groups is None:
        tests = stratified_tests(rows_by_class(stratum), folds, state)
        if labels.keeps_batches:
            return _with_batches_apart(
                tests, labels, stratum, MIN_CLASS_SAMPLES[where], np.random.default_rng(state)
            )
        return tests
    return grouped_tests(stratum, labels.groups, folds, state)


def rows_by_class(y: np.ndarray) -> list[np.ndarray]:
    """The rows of each class there is, in the order of their first ones."""
    rows = [np.flatnonzero(y == c) for c in np.unique(y)]
    return sorted(rows, key=lambda own: own[0])


def stratified_tests(by_class: list[np.ndarray], folds: int, state: int) -> list[np.ndarray]:
    """The test rows of scikit-learn's ``StratifiedKFold(folds, shuffle=True, random_state=state)``,
    of the rows that `rows_by_class` gives.

    Made here because a study would load that library for nothing else, which takes longer than
    the study of a small table.
    """
    draw = _own_random_state(state)
    fold, start = np.empty(sum(len(rows) for rows in by_class), dtype=np.int64), 0
    for rows in by_class:  # as if sorted by class and dealt one by one: where does its share begin
        share = np.bincount(np.arange(start, start + len(rows)) % folds, minlength=folds)
        dealt = np.repeat(np.arange(folds), share)
        draw.shuffle(dealt)
        fold[rows] = dealt
        start += len(rows)
    order, ends = np.argsort(fold, kind="stable"), np.cumsum(np.bincount(fold, minlength=folds))
    return [
        order[end - size : end] for end, size in zip(ends, np.diff(ends, prepend=0), strict=True)
    ]


def grouped_tests(y: np.ndarray, groups: np.ndarray, folds: int, state: int) -> list[np.ndarray]:
    """The test rows of scikit-learn's ``StratifiedGroupKFold(folds, shuffle=True,
    random_state=state)``, bit by bit.

    Made here because that weighs each group against each fold by itself, which took two fifths of a
    study with groups; all folds at once are the same sums in the same order.
    """
    of_class, size = np.unique(y, return_inverse=True, return_counts=True)[1:]
    group = np.unique(groups, return_inverse=True)[1]
    place = np.arange(int(group.max()) + 1)
    _own_random_state(state).shuffle(place)
    counts = np.zeros((len(place), len(size)))
    np.add.at(counts, (group, of_class), 1)
    own = np.eye(folds)[:, :, None]
    held, fold = np.zeros((folds, len(size))), np.empty(len(place), dtype=np.int64)
    for at in place[np.argsort(-np.std(counts[place], axis=1), kind="stable")]:
        with_it = (held + own * counts[at]) / size  # (fold that gets it, fold, class)
        uneven = np.mean(np.std(with_it, axis=1), axis=1).tolist()
        rows = held.sum(axis=1).tolist()
        best = 0
        for k in range(1, folds):
            near = abs(uneven[k] - uneven[best]) <= 1e-8 + 1e-5 * abs(uneven[best])
            if uneven[k] < uneven[best] or (near and rows[k] < rows[best]):
                best = k
        held[best] += counts[at]
        fold[at] = best
    return [np.flatnonzero(fold[group] == k) for k in range(folds)]


def _own_random_state(state: int) -> np.random.RandomState:
    """``RandomState(state)``: the thread's own one, for to make one takes sixty times longer."""
    if not hasattr(_own, "draw"):
        _own.draw = np.random.RandomState()
    _own.draw.seed(state)
    return _own.draw


def _with_batches_apart(
    tests: list[np.ndarray],
    labels: Labels,
    y: np.ndarray,
    least: int,
    draw: np.random.Generator,
) -> list[np.ndarray]:
    """Folds that leave `least` samples of each batch they hold samples of, where that can be.

    A sample of a batch that a training set lacks changes places with another one of its class (or
    stratum, y).
    Nothing more is balanced: folds that had the same shares of the classes in every batch would
    repeat what chance made of them, and whatever finds the batch would score above chance.
    """
    codes = labels.batch_codes
    assert codes is not None
    fold = np.empty(len(y), dtype=np.int64)
    for k, test in enumerate(tests):
        fold[test] = k
    held = np.zeros((len(labels.batch_names), len(tests)), dtype=np.int64)
    np.add.at(held, (codes, fold), 1)

    def samples_lacking(batch: int) -> int:
        own = held[batch]
        return int(np.maximum(least - (own.sum() - own), 0)[own > 0].sum())

    def exchange_folds(i: int, j: int) -> None:
        for row, to in ((i, fold[j]), (j, fold[i])):
            held[codes[row], fold[row]] -= 1
            held[codes[row], to] += 1
        fold[[i, j]] = fold[[j, i]]

    for batch in draw.permutation(len(held)):
        for i in draw.permutation(np.flatnonzero(codes == batch)) if samples_lacking(batch) else ():
            for j in draw.permutation(np.flatnonzero((y == y[i]) & (fold != fold[i]))):
                mine, other = samples_lacking(batch), samples_lacking(codes[j])
                exchange_folds(i, j)
                if samples_lacking(batch) < mine and samples_lacking(codes[j]) <= other:
                    break
                exchange_folds(i, j)
            if not samples_lacking(batch):
                break
    return [np.flatnonzero(fold == k) for k in range(len(tests))]


def _holdout_test(labels: Labels, share: float, where: str, state: int) -> np.ndarray:
    """Test rows of about the share requested; with groups, from complete folds of them."""
    members, unit = members_of(labels)
    _check_members(labels, members, unit, 2, where)
    if labels.groups is None:
        from sklearn.model_selection import StratifiedShuffleSplit

        draw = StratifiedShuffleSplit(1, test_size=share, random_state=state)
        try:
            ((_, test),) = draw.split(np.zeros(len(labels.y)), labels.strata(HOLDOUT_FOLDS)[0])
        except ValueError as error:
            raise PlanError(
                f"{where}.test_size = {share} leaves one side of {len(labels.y)} samples with "
                "fewer rows than classes: choose a share nearer to 0.3"
            ) from error
        return np.sort(test)
    folds = _k_folds(labels, min(20, int(members.min())), where, state)
    held = np.cumsum([len(test) for test in folds[:-1]])
    enough = int(np.abs(held - share * len(labels.y)).argmin()) + 1
    return np.sort(np.concatenate(folds[:enough]))


def members_of(labels: Labels) -> tuple[np.ndarray, str]:
    """Samples of each class, or groups that hold it: what folds have to share out; and a word."""
    y, names = labels.strata()
    if labels.groups is None:
        return np.bincount(y, minlength=len(names)), "sample"
    held = [len(np.unique(labels.groups[y == c])) for c in range(len(names))]
    return np.array(held), "group"


def _check_members(labels: Labels, members: np.ndarray, unit: str, folds: int, where: str) -> None:
    """StratifiedKFold only warns when a class is smaller than the folds; refuse it."""
    few = np.flatnonzero(members < folds)
    if len(few):
        _, strata = labels.strata()
        names = ", ".join(
            labels.response.stratum_text(strata[c], int(members[c]), unit) for c in few[:3]
        )
        names += " in a training set" if where == "inner" else ""
        least = int(members.min())
        enough = 3 if where == "outer" else 2  # a training set is split again inside
        way_out = f"fewer than the {folds} {where} folds: use at most {least}"
        if least < enough:
            more = "more of it or leave the class out" if labels.classes else "more"
            way_out = f"too few for {where} folds, which need {enough} at least: collect {more}"
        if labels.intra_group_correlation is not None:
            way_out += (
                f"; groups are families by the genotypes, which {IGNORE_RELATIVES_ADVICE} splits"
            )
        raise PlanError(f"{names}, {way_out}")


def _check_groups(labels: Labels, folds: list[np.ndarray]) -> None:
    """A predefined split may not cut a group."""
    if labels.groups is None:
        return
    for test in folds:
        inside = np.isin(np.arange(len(labels.y)), test)
        cut = sorted(set(labels.groups[inside]) & set(labels.groups[~inside]))
        if cut:
            raise PlanError(
                f"the predefined split puts rows of one group on both sides: {listed_names(cut)}; "
                "mend the split column or leave out --group"
            )


def check_training(labels: Labels, folds: list[np.ndarray]) -> None:
    """Refuse training sets that lack a class."""
    for left in _left_for_training(labels, folds):
        if (left == 0).any():
            missing = [labels.classes[c] for c in np.flatnonzero(left == 0)]
            raise PlanError(
                f"a training set would have no sample of class {listed_names(missing)}: "
                "use fewer folds, other groups, or leave the class out"
            )


def check_members(labels: Labels, folds: list[np.ndarray], least: int) -> None:
    """Refuse training sets with fewer than `least` samples of a class (`SelectorTakes.members`)."""
    for left in _left_for_training(labels, folds):
        if (left < least).any():
            few = [labels.classes[c] for c in np.flatnonzero(left < least)]
            raise PlanError(
                f"a training set would have fewer than {least} samples of class "
                f"{listed_names(few)}, and a method of the plan splits it in halves: use more "
                "folds, a method without halves, or leave the class out"
            )


def scarce_batches(labels: Labels, folds: list[np.ndarray], where: str) -> list[str]:
    """Batches of which a training set that predicts them has fewer samples than it must."""
    if not labels.keeps_batches or labels.batch_codes is None:
        return []
    sizes = np.bincount(labels.batch_codes)
    scarce = np.zeros(len(sizes), dtype=bool)
    for test in folds:
        held = np.bincount(labels.batch_codes[test], minlength=len(sizes))
        scarce |= (held > 0) & (sizes - held < MIN_CLASS_SAMPLES[where])
    return [str(name) for name in labels.batch_names[scarce]]


def check_batches(labels: Labels, folds: list[np.ndarray], where: str) -> None:
    """Refuse training sets that have too little of a batch that they predict a sample of."""
    scarce = scarce_batches(labels, folds, where)
    if scarce:
        left, way_out = "no sample", ""
        if MIN_CLASS_SAMPLES[where] > 1:  # a training set is split again inside
            left = "fewer than two samples"
            way_out = "use more folds (a batch needs three samples), "
        raise PlanError(
            f"a training set would have {left} of batch {listed_names(scarce)}, and a step "
            "centres "
            f'samples of it: {way_out}leave the batch out, or say unseen = "keep" for that step'
        )


def _left_for_training(labels: Labels, folds: list[np.ndarray]) -> list[np.ndarray]:
    """Samples of each class in the training set of each fold."""
    y, names = labels.strata()
    total = np.bincount(y, minlength=len(names))
    return [total - np.bincount(y[test], minlength=len(total)) for test in folds]


def training_rows(n: int, test: np.ndarray) -> np.ndarray:
    """Rows that are not in `test`."""
    left = np.ones(n, dtype=bool)
    left[test] = False
    return np.flatnonzero(left)
