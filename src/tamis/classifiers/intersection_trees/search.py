"""From a training set to its sets: cut into intervals, covered by them, or near to a row."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._core.errors import PlanError, nearest_hint
from ..._core.progress import Progress
from ..._core.settings import checked_count, checked_positive
from ..._core.streams import stream
from ...interactions.sets.flat_sets import FlatSets
from ...interactions.sets.intersection_confidence import chance_thresholds, each_of
from ...interactions.sets.intersection_search import PackedClasses, Thresholds, TreeSettings
from ...interactions.sets.maximal_sets import find_sets
from ...interactions.sets.number_search import NumberClasses, NumberSets, best_of_each, column_ends
from ...interactions.sets.packed_rows import not_binary
from ...interactions.sets.tree_settings import checked_branch, checked_thresholds
from ..base.folds import stratified_splits
from .rules import OPEN_END, RULES, SetRules

DISCRETIZERS = {
    "ameva": ("AmevaDiscretizer", {}),
    "caim": ("CAIMDiscretizer", {}),
    "chimerge": ("ChiMergeDiscretizer", {}),
    "equal_frequency": ("EqualFrequencyDiscretizer", {"n_bins": "cube_root"}),
    "equal_width": ("EqualWidthDiscretizer", {"n_bins": "cube_root"}),
    "mdl": ("MDLDiscretizer", {}),
}
MOST_MET = 20_000  # sets of a class that trees may come to


@dataclass(eq=False)
class SetParameters:
    """Parameters of classifiers by sets, in plans too; `DiscRITClassifier` describes them."""

    n_trees: int = 100
    depth: int = 10
    branch: float = 5
    min_size: int = 2
    theta: Any = "auto"
    theta_out: Any = None
    max_sets: int = 100
    rule: str = "bernoulli"


@dataclass(frozen=True)
class Sample:
    """A training set: numbers, NaN for missing, codes of categories in some columns."""

    X: np.ndarray
    codes: np.ndarray
    n_classes: int
    categorical: np.ndarray

    @property
    def members(self) -> list[np.ndarray]:
        """Rows of each class."""
        return [np.flatnonzero(self.codes == c) for c in range(self.n_classes)]

    @property
    def sizes(self) -> np.ndarray:
        """How many."""
        return np.bincount(self.codes, minlength=self.n_classes)


@dataclass(frozen=True)
class SearchSettings:
    """What the three have in common; `theta` None: by chance."""

    trees: TreeSettings
    theta: tuple[float, ...] | None
    theta_out: tuple[float, ...] | None
    max_sets: int
    absent: bool
    seed: int
    n_jobs: int | None = 1

    def thresholds(self, table: PackedClasses | NumberClasses) -> Thresholds:
        """As given, or from permuted labels."""
        least = self.theta
        if least is None:
            with Progress(1, "", quiet=True) as progress:
                least = chance_thresholds(
                    table, self.trees, self.seed, each_of(self.n_jobs, progress)
                )
        return Thresholds(least, self.theta_out or least)

    def of_classes(self, there: np.ndarray) -> SearchSettings:
        """The same for some of the classes."""

        def shares_of_present(shares: tuple[float, ...] | None) -> tuple[float, ...] | None:
            return None if shares is None else tuple(shares[c] for c in there)

        return replace(
            self, theta=shares_of_present(self.theta), theta_out=shares_of_present(self.theta_out)
        )

    def streams(self, n_classes: int) -> list[np.random.SeedSequence]:
        """One for the trees of each class."""
        return [stream(self.seed, "intersections", "trees", c) for c in range(n_classes)]


def settings_of(
    given: Any, n_classes: int, rule: str, seed: int, n_jobs: int | None = 1
) -> SearchSettings:
    """The parameters that users give an estimator, a selector or a method of plans, checked."""
    if rule not in RULES:
        raise PlanError(f"rule={rule!r}: {nearest_hint(rule, RULES)}")
    trees = TreeSettings(
        checked_count(given.n_trees, "n_trees", 1),
        checked_count(given.depth, "depth", 1),
        checked_branch(given.branch),
        checked_count(given.min_size, "min_size", 1),
        MOST_MET,
    )
    theta_out = given.theta_out
    least = checked_thresholds(given.theta, n_classes, "theta")
    most = None if theta_out is None else checked_thresholds(theta_out, n_classes, "theta_out")
    max_sets = checked_count(given.max_sets, "max_sets", 1)
    return SearchSettings(trees, least, most, max_sets, rule == "bernoulli", seed, n_jobs)


def item_rules(
    sample: Sample, discretizer: str | None, signed: bool, settings: SearchSettings
) -> SetRules:
    """Those of `discrete_rules`; without a discretiser sets of columns that are 1, or, where zeros
    count too, 0 or 1.

    Raises
    ------
    DataError
        The table holds something else.
    """
    if discretizer is not None:
        return discrete_rules(sample, discretizer, settings)
    X, p = sample.X, sample.X.shape[1]
    other = (X != 0) & (X != 1)
    if other.any():
        i, j = np.argwhere(other)[0]
        raise not_binary(X[i, j], f"column {j}")
    feature, values, items = np.arange(p), np.ones((p, 2)), X == 1
    if signed:
        feature, items = np.tile(feature, 2), np.hstack([items, ~items])
        values = np.vstack([values, np.zeros((p, 2))])
    return _rules_of_items(sample, items, feature, values, settings)


def discrete_rules(sample: Sample, discretizer: str, settings: SearchSettings) -> SetRules:
    """discRIT: sets of intervals between the cuts of a discretiser, and of categories."""
    X = sample.X
    feature, values, items = [], [], [np.zeros((len(X), 0), dtype=bool)]
    cuts = _cuts_of_numeric(sample, discretizer)
    for j in range(X.shape[1]):
        x = X[:, j]
        if sample.categorical[j]:
            n_levels = int(np.nanmax(x, initial=-1)) + 1
            values += [(_level_bit(level), 0.0) for level in range(n_levels)]
            items.append(x[:, None] == np.arange(n_levels))
        elif len(cuts[j]):
            n_levels = len(cuts[j]) + 1
            low = [-OPEN_END, *np.nextafter(cuts[j], OPEN_END)]  # an interval holds its upper end
            values += zip(low, [*cuts[j], OPEN_END], strict=True)
            place = np.where(np.isnan(x), -1, np.searchsorted(cuts[j], x, side="left"))
            items.append(place[:, None] == np.arange(n_levels))
        else:
            continue
        feature += [j] * n_levels
    ends = np.array(values).reshape(-1, 2)
    return _rules_of_items(
        sample, np.hstack(items), np.array(feature, dtype=np.int64), ends, settings
    )


def _rules_of_items(
    sample: Sample,
    items: np.ndarray,
    feature: np.ndarray,
    values: np.ndarray,
    settings: SearchSettings,
) -> SetRules:
    """Sets of 0/1 columns (n, k), as sets of the intervals of features that these stand for."""
    from ...kernels._bits import pack_rows

    sets = FlatSets.of([])
    counts = np.zeros((0, sample.n_classes), dtype=np.int64)
    origin = np.zeros(0, dtype=np.int64)
    if items.shape[1]:
        table = PackedClasses(pack_rows(items), sample.members, items.shape[1])
        found = find_sets(
            table,
            settings.thresholds(table),
            settings.trees,
            settings.streams(sample.n_classes),
            settings.n_jobs,
        )
        of_class = [np.flatnonzero(found.origin == c) for c in range(sample.n_classes)]
        few = np.concatenate([one[: settings.max_sets] for one in of_class])  # the best come first
        sets, counts, origin = found.sets.take(few), found.counts[few], found.origin[few]
    p = sample.X.shape[1]
    return SetRules(
        feature[sets.items],
        values[sets.items],
        sets.starts,
        counts,
        sample.sizes,
        np.zeros(p),
        np.ones(p),
        0.0,
        settings.absent,
        origin,
        sample.categorical,
    )


def covering_rules(sample: Sample, epsilon: float, settings: SearchSettings) -> SetRules:
    """covRIT: sets of intervals that cover the rows of a path."""
    table = NumberClasses(sample.X, sample.members, sample.categorical, float(epsilon))
    return _number_rules(sample, table, settings, np.zeros(sample.X.shape[1]), 1.0)


def relaxed_rules(
    sample: Sample, epsilon: float, radius: float, settings: SearchSettings
) -> SetRules:
    """relRIT: sets of values of a row that the rows of a path are near to; columns in 0..1."""
    low, high = column_ends(sample.X)
    numbers = ~sample.categorical
    low = np.where(numbers, low, 0.0)
    span = np.where(numbers & (high > low), high - low, 1.0)
    X = np.ascontiguousarray((sample.X - low) / span)
    table = NumberClasses(X, sample.members, sample.categorical, float(epsilon), float(radius))
    return _number_rules(sample, table, settings, low, span)


def _number_rules(
    sample: Sample, table: NumberClasses, settings: SearchSettings, low: np.ndarray, span: Any
) -> SetRules:
    p = sample.X.shape[1]
    thresholds = settings.thresholds(table)
    sizes = sample.sizes
    streams = settings.streams(sample.n_classes)
    parts: list[NumberSets] = []
    for c in range(sample.n_classes):
        met = table.grow(c, thresholds, settings.trees, streams[c], settings.n_jobs)
        parts.append(best_of_each(met, sizes, p, settings.max_sets))
    lengths = np.concatenate([np.diff(one.starts) for one in parts])
    return SetRules(
        np.concatenate([one.at for one in parts]),
        np.concatenate([one.values for one in parts]),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.concatenate([one.counts for one in parts]),
        sizes,
        low,
        np.broadcast_to(span, p).astype(np.float64),
        table.radius,
        settings.absent,
        np.concatenate([one.origin for one in parts]),
        sample.categorical,
    )


def _cuts_of_numeric(sample: Sample, discretizer: str) -> list[np.ndarray]:
    """Cut points of every numeric column."""
    if discretizer not in DISCRETIZERS:
        raise PlanError(f"discretizer={discretizer!r}: {nearest_hint(discretizer, DISCRETIZERS)}")
    name, settings = DISCRETIZERS[discretizer]
    made = getattr(importlib.import_module("tamis.data"), name)(**settings)
    return made.fit(sample.X, sample.codes).cuts_


def _level_bit(level: int) -> float:
    return np.array([1 << level], dtype=np.uint64).view(np.float64)[0]


def no_rules(sample: Sample, settings: SearchSettings) -> SetRules:
    """No set, and so the class shares."""
    items = np.zeros((len(sample.X), 0), dtype=bool)
    return _rules_of_items(sample, items, np.zeros(0, dtype=np.int64), np.zeros((0, 2)), settings)


def best_epsilon(
    given: float | None,
    sample: Sample,
    epsilons: tuple[float, ...],
    fit: Callable[[Sample, float, SearchSettings], SetRules],
    settings: SearchSettings,
) -> float:
    """The one that is given, else that with the greatest mean of recalls by five-fold
    cross-validation, ties to the smaller."""
    from ...metrics import balanced_classification_rate

    if given is not None:
        return checked_positive(given, "epsilon")
    splits = stratified_splits(sample.codes, 5, settings.seed % 2**32)  # scikit-learn takes no more
    best, chosen = -np.inf, epsilons[0]
    for epsilon in epsilons:
        predicted = np.full(len(sample.codes), -1)
        for train, test in splits:
            there, codes = np.unique(sample.codes[train], return_inverse=True)
            if len(there) > 1:
                part = Sample(sample.X[train], codes, len(there), sample.categorical)
                rules = fit(part, epsilon, settings.of_classes(there))
                predicted[test] = there[rules.beliefs(sample.X[test]).scores.argmax(axis=1)]
        seen = predicted >= 0
        if seen.any():
            rate = balanced_classification_rate(sample.codes[seen], predicted[seen])
            if rate > best + 1e-12:
                best, chosen = rate, epsilon
    return chosen
