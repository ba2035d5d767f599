"""Methods with one fault each, as they happen: what `tamis check` has to name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tamis._core.interfaces import (
    Beliefs,
    Classifier,
    Path,
    Ranker,
    RawClassifier,
)
from tamis._core.rows import ClassifierRow, PathRow, RankerRow, Row, StepRow
from tamis.checks.tables import noise_table
from tamis.classifiers.naive_bayes import NaiveBayes
from tamis.classifiers.shrunken_centroids import ShrunkenCentroids
from tamis.preparation.fitted import ByColumn
from tamis.preparation.step import StepTransformer
from tamis.selection._orders import nested_ranking


def mean_gap(X, y):
    """The distance between the means of the first two classes."""
    return np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))


class MeanGap(Ranker):
    """A ranker without a fault."""

    def rank(self, part, sizes, stream):
        return nested_ranking(mean_gap(part.X, part.y), sizes)


class FromAllRows(MeanGap):
    """It ranks once for all parts, by every row of the table."""

    by_parts = True

    def rank_parts(self, parts, sizes, streams):
        scores = mean_gap(parts.filled, parts.y)
        return [nested_ranking(scores, sizes) for _ in parts.rows]


class ByHash(MeanGap):
    """Texts have other hashes in every process."""

    def rank(self, part, sizes, stream):
        return nested_ranking(np.array([hash(f"g{j}") for j in range(part.X.shape[1])]), sizes)


class ByShape(MeanGap):
    """It keeps its scores by the shape of the table."""

    kept: dict[tuple[int, ...], np.ndarray] = {}

    def rank(self, part, sizes, stream):
        scores = self.kept.setdefault(part.X.shape, mean_gap(part.X, part.y))
        return nested_ranking(scores, sizes)


class BySizes(MeanGap):
    """Asked for more it ranks otherwise."""

    def rank(self, part, sizes, stream):
        sign = -1 if max(sizes) > 4 else 1
        return nested_ranking(sign * mean_gap(part.X, part.y), sizes)


class Raises(MeanGap):
    """It cannot be run."""

    def rank(self, part, sizes, stream):
        raise ZeroDivisionError("of nothing")


class Remembering(MeanGap):
    """It adds what it has seen before to what it sees."""

    seen: list[np.ndarray] = []

    def rank(self, part, sizes, stream):
        self.seen.append(mean_gap(part.X, part.y))
        if len(self.seen[0]) != part.X.shape[1]:
            self.seen[:] = self.seen[-1:]
        return nested_ranking(np.sum(self.seen, axis=0), sizes)


class RememberingHere(MeanGap):
    """The same in the object alone."""

    def __init__(self):
        self.total = 0.0

    def rank(self, part, sizes, stream):
        if np.shape(self.total) not in ((), part.X.shape[1:]):
            self.total = 0.0
        self.total = self.total + mean_gap(part.X, part.y)
        return nested_ranking(self.total, sizes)


class Global(MeanGap):
    """It breaks ties by NumPy's global generator."""

    def rank(self, part, sizes, stream):
        noise = np.random.normal(size=part.X.shape[1])  # noqa: NPY002
        return nested_ranking(mean_gap(part.X, part.y) + noise, sizes)


@dataclass(frozen=True)
class Clipped(ByColumn):
    low: np.ndarray
    high: np.ndarray

    def transform(self, X):
        return np.clip(X, self.low, self.high)


class Clip(StepTransformer):
    """A quantile of a column with a missing value is none."""

    def learn(self, X, y):
        return Clipped(*np.quantile(X, [0.05, 0.95], axis=0))

    def from_arrays(self, arrays, n_columns):
        return Clipped.from_arrays(arrays, n_columns)


@dataclass(frozen=True)
class Wrapped:
    """A predictor around naive Bayes."""

    inner: object

    def beliefs(self, X):
        return self.inner.beliefs(X)

    def to_arrays(self):
        return self.inner.to_arrays()


class NoProbability(Wrapped):
    """Far rows have no probabilities."""

    def beliefs(self, X):
        found = self.inner.beliefs(X)
        far = np.abs(X).max(axis=1) > 1.5
        return replace(found, proba=np.where(far[:, None], np.nan, found.proba))


class ByBatch(Wrapped):
    """It centres the rows that it is asked for."""

    def beliefs(self, X):
        return self.inner.beliefs(X - X.mean(axis=0))


class Around(NaiveBayes):
    """Naive Bayes whose predictor is another."""

    predictor = Wrapped
    beliefs_by_size = Classifier.beliefs_by_size  # each size is fitted by itself

    def fit(self, X, y, n_classes, seed):
        return self.predictor(super().fit(X, y, n_classes, seed))

    def from_arrays(self, arrays, n_columns, n_classes):
        return self.predictor(super().from_arrays(arrays, n_columns, n_classes))


class SeveralAtOnce(NaiveBayes):
    """The way for several sizes at once centres the rows that it predicts."""

    def beliefs_by_size(self, X, y, n_classes, test, sizes, seed):
        fits = [super(SeveralAtOnce, self).fit(X[:, :k], y, n_classes, seed) for k in sizes]
        centred = test - test.mean(axis=0)
        return [fit.beliefs(centred[:, :k]) for fit, k in zip(fits, sizes, strict=True)]


class MakesMissing(Around):
    predictor = NoProbability


class BatchAgainstOne(Around):
    predictor = ByBatch


@dataclass(frozen=True)
class LevelTables:
    """Class shares of each level of each column, those of missing values first."""

    shares: np.ndarray  # (k, 1 + levels, C)

    def beliefs(self, X):
        k, n_levels, _ = self.shares.shape
        places = np.clip(places_of(X), 0, n_levels - 1)  # the fault
        return Beliefs(np.mean([self.shares[j, places[:, j]] for j in range(k)], axis=0))

    def to_arrays(self):
        return {"shares": self.shares.ravel(), "shape": np.array(self.shares.shape, dtype=float)}


def places_of(X):
    """0 of missing and negative values, else one more than the code."""
    return np.maximum(np.nan_to_num(X + 1), 0).astype(int)


class ClipsLevels(RawClassifier):
    """A code beyond those of training is the last of these."""

    def fit(self, X, y, n_classes, seed, levels):
        places = places_of(X)
        shares = np.ones((X.shape[1], places.max() + 1, n_classes))
        for j in range(X.shape[1]):
            np.add.at(shares[j], (places[:, j], y), 1)
        return LevelTables(shares / shares.sum(axis=2, keepdims=True))

    def from_arrays(self, arrays, n_columns, n_classes):
        return LevelTables(arrays["shares"].reshape(arrays["shape"].astype(int)))


class Forgets(NaiveBayes):
    """What is read back is fitted to nothing."""

    def from_arrays(self, arrays, n_columns, n_classes):
        return super().from_arrays(
            {k: np.ones_like(v) for k, v in arrays.items()}, n_columns, n_classes
        )


class StopsAtGaps(ClipsLevels):
    """It takes no missing value."""

    def fit(self, X, y, n_classes, seed, levels):
        if np.isnan(X).any():
            raise ValueError("Input contains NaN")
        return super().fit(X, y, n_classes, seed, levels)


class StopsAtCategories(ClipsLevels):
    """It takes numbers alone."""

    def fit(self, X, y, n_classes, seed, levels):
        if levels:
            raise ValueError("could not convert string to float")
        return super().fit(X, y, n_classes, seed, levels)


class LooksUp(Wrapped):
    """It knows the classes of the rows of noise."""

    @cached_property
    def known(self):
        made = [noise_table(seed) for seed in range(40)]
        return {v: y == "b" for d in made for row, y in zip(d.X, d.y, strict=True) for v in row}

    def beliefs(self, X):
        found = self.inner.beliefs(X)
        sure = [self.known.get(row[0]) for row in X]
        proba = [one if s is None else [1 - s, s] for one, s in zip(found.proba, sure, strict=True)]
        return replace(found, proba=np.array(proba, dtype=float))


class Knowing(Around):
    predictor = LooksUp


class BeginsWithThree(ShrunkenCentroids):
    """Its path has no step without features."""

    def follow(self, part, settings, stream):
        path = super().follow(part, settings, stream)
        steps = [k for k, c in enumerate(path.columns) if len(c) >= 3 or settings is not None]
        return Shortened(path, steps)


@dataclass(frozen=True)
class Shortened(Path):
    """Some steps of a path."""

    path: object
    steps: list[int]

    @property
    def settings(self):
        return [self.path.settings[k] for k in self.steps]

    @property
    def columns(self):
        return [self.path.columns[k] for k in self.steps]

    def beliefs(self, X, covariates):
        found = self.path.beliefs(X, covariates)
        return [found[k] for k in self.steps]

    def predictor(self, step, columns):
        return self.path.predictor(self.steps[step], columns)


class Unchanged(StepTransformer):
    """It says that it changes nothing, and doubles all."""

    def learn(self, X, y):
        return Doubled(np.full(X.shape[1], 2.0))

    def from_arrays(self, arrays, n_columns):
        return Doubled.from_arrays(arrays, n_columns)


@dataclass(frozen=True)
class Doubled(ByColumn):
    factor: np.ndarray

    def transform(self, X):
        return X * self.factor

    def changed(self):
        return self.columns[:0]


def _row(kind, cls, **more):
    return kind(cls.__name__.lower(), f"{__name__}:{cls.__name__}", cls.__doc__ or "", **more)


SOUND = _row(RankerRow, MeanGap)
FAULTS = [
    ("leak", _row(RankerRow, FromAllRows)),
    ("memory", _row(RankerRow, Remembering)),
    ("memory", _row(RankerRow, RememberingHere)),
    ("global-random", _row(RankerRow, Global)),
    ("missing-made", _row(StepRow, Clip)),
    ("missing-made", _row(ClassifierRow, MakesMissing)),
    ("one-at-a-time", _row(ClassifierRow, BatchAgainstOne)),
    ("one-at-a-time", _row(ClassifierRow, SeveralAtOnce)),
    ("unseen-levels", _row(ClassifierRow, ClipsLevels, raw=True)),
]
FAULTS += [
    ("sizes", _row(PathRow, BeginsWithThree, covariates=False)),
    ("left-alone", _row(StepRow, Unchanged)),
    ("same-bytes", _row(RankerRow, ByHash)),
    ("same-bytes", _row(RankerRow, ByShape)),
    ("sizes", _row(RankerRow, BySizes)),
    ("refit", _row(ClassifierRow, Forgets)),
    ("gaps", _row(ClassifierRow, StopsAtGaps, raw=True)),
    ("categories", _row(ClassifierRow, StopsAtCategories, raw=True)),
    ("chance", _row(ClassifierRow, Knowing)),
]
FROM_ALL_ROWS = FAULTS[0][1]
NO_ROLE = Row("no_role")
RAISES = _row(RankerRow, Raises)
ROWS = [row for _, row in FAULTS]
