"""What the study engine knows of a method: a handful of interfaces, and what passes through them.

A family brings a `Ranker`, a `PathClassifier`, a `Classifier` or a `Decision`, and a row of the
registry (`rows.Row`) that names it. The engine knows nothing else of it. What a study reads its
numbers from where they are no matrix is in `tables.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, Self

import numpy as np

Arrays = dict[str, np.ndarray]
Seeds = np.random.SeedSequence
Kind = Literal["labels", "order", "proba"]  # what is known of samples, least first
KINDS: tuple[Kind, ...] = ("labels", "order", "proba")
LEAST = float(np.finfo(float).eps)  # a probability of 0 says no more than "less than this"


@dataclass(frozen=True)
class Part:
    """A training part: all that a method may learn from.

    Attributes
    ----------
    X : ndarray of shape (n, p), float64
        Missing values are filled, but for rankers that take a table as it is, or a table with
        categories as codes (NaN).
    y : ndarray of shape (n,) of int64
        Class codes, 0 to n_classes - 1.
    n_classes : int
    covariates : ndarray of shape (n, q)
        Columns that are in every model, filled.
    levels : mapping of column to number of levels
        Columns of X that hold category codes; none where categories are spread over columns.
    outer : bool
        Whether this is an outer training part of the study itself: what is costly and only to
        be told, such as a graph, is computed there alone.
    own : bool
        Whether the method's own size is asked for.
    """

    X: np.ndarray
    y: np.ndarray
    n_classes: int
    covariates: np.ndarray
    levels: Mapping[int, int] = field(default_factory=dict)
    outer: bool = False
    own: bool = False

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, own: bool = False) -> Part:
        """A matrix and its class codes, and nothing else."""
        return cls(X, y, int(y.max()) + 1, np.zeros((len(X), 0)), own=own)


@dataclass(frozen=True)
class Beliefs:
    """What a fitted procedure says of m samples.

    Attributes
    ----------
    proba : ndarray of shape (m, C)
        Class probabilities.
    margin : ndarray of shape (m, C) or None
        Scores of the classes on the procedure's own scale, if it decides by them: the largest
        is its label, which need not be the most probable class.
    novelty : ndarray of shape (m,) or None
        How unlike the training samples; higher is stranger.
    samples : ndarray of shape (m,) or None
        Which sample each row is.
    costs : ndarray of shape (m, C, C) or None
        Where errors on each sample have costs of their own: of predicting the row's class where
        the column's is true. They come with the sample, and no classifier sees them.
    prior : ndarray of shape (m, C) or None
        The class prior that `proba` stands for: the class shares of the training part. None where
        the classifier declares none, such as one that decides by margins.
    """

    proba: np.ndarray
    margin: np.ndarray | None = None
    novelty: np.ndarray | None = None
    samples: np.ndarray | None = None
    costs: np.ndarray | None = None
    prior: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.proba)

    def take(self, rows: np.ndarray) -> Beliefs:
        """Those of some rows."""
        return Beliefs(self.proba[rows], *(None if a is None else a[rows] for a in self._others()))

    def averaged(self) -> Beliefs:
        """One row a sample, the mean of its repeats, in the order of `samples`."""
        assert self.samples is not None
        which, place, counts = np.unique(self.samples, return_inverse=True, return_counts=True)
        if len(which) == len(self.samples):
            return self.take(np.argsort(self.samples, kind="stable"))

        def mean(values: np.ndarray | None) -> np.ndarray | None:
            if values is None:
                return None
            total = np.zeros((len(which), *values.shape[1:]))
            np.add.at(total, place, values)
            return total / counts.reshape(-1, *[1] * (values.ndim - 1))

        proba = mean(self.proba)
        assert proba is not None
        return Beliefs(
            proba, mean(self.margin), mean(self.novelty), which, mean(self.costs), mean(self.prior)
        )

    def _others(self) -> tuple[np.ndarray | None, ...]:
        return self.margin, self.novelty, self.samples, self.costs, self.prior

    @property
    def scores(self) -> np.ndarray:
        """Margins, or the logarithms of the probabilities where there are none (m, C)."""
        return np.log(np.maximum(self.proba, LEAST)) if self.margin is None else self.margin

    @classmethod
    def joined(cls, parts: Sequence[Beliefs]) -> Beliefs:
        """Rows of several, one after the other; where only some have margins, `scores` of each:
        a training part may leave a classifier of margins nothing but the class shares."""
        margins = any(part.margin is not None for part in parts)
        return cls(
            np.concatenate([part.proba for part in parts]),
            np.concatenate([part.scores for part in parts]) if margins else None,
            _stacked([part.novelty for part in parts]),
            _stacked([part.samples for part in parts]),
            _stacked([part.costs for part in parts]),
            _stacked([part.prior for part in parts]),
        )


def _stacked(arrays: Sequence[np.ndarray | None]) -> np.ndarray | None:
    """All of them in one; None where one is missing."""
    there = [array for array in arrays if array is not None]
    return np.concatenate(there) if len(there) == len(arrays) else None


@dataclass(frozen=True)
class Term:
    """An interaction: features that act together.

    Attributes
    ----------
    features : tuple of int
        In an order that means something to the method, or rising.
    signs : tuple of int
        1 where a feature is high, -1 where low, 0 where that is not said; empty: none is said.
    class_ : int or None
        The class it speaks for.
    about : mapping of text to number
        Such as its weight.
    """

    features: tuple[int, ...]
    signs: tuple[int, ...] = ()
    class_: int | None = None
    about: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two terms the same: all but the numbers about them."""
        return self.features, self.signs, self.class_


@dataclass(frozen=True)
class Evidence:
    """What a ranking shows beside its order.

    Attributes
    ----------
    kind : str
        One section of the report each.
    content : mapping
        For JSON and the page, features by name.
    terms : sequence of Term
        Of features, the strongest first.
    title : str
        Of a number a feature, for the table of features; empty: there is none.
    numbers : mapping of feature to float
        That number; 0 for features not named.
    """

    kind: str
    content: Mapping[str, Any] = field(default_factory=dict)
    terms: Sequence[Term] = ()
    title: str = ""
    numbers: Mapping[int, float] = field(default_factory=dict)


class FittedStep(Protocol):
    """A step fitted to a training part.

    Attributes
    ----------
    columns : ndarray
        Which of its p inputs each output is, rising; p, p + 1 and so on for what it creates.

    May also define ``changed(kind)``, which outputs have other "moments", or another "order" of
    the rows, than the inputs they are, in columns without missing values; else all may have.
    """

    @property
    def columns(self) -> np.ndarray:
        """See above."""
        ...

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The outputs for rows of its inputs X (m, p), NaN for missing; each row by itself."""
        ...

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The step for some of its outputs, in this order, and the inputs it needs for them."""
        ...

    def to_arrays(self) -> Arrays:
        """All it has learnt, for the model file."""
        ...


class BatchedStep(FittedStep, Protocol):
    """One that is given the codes of batches too (`Row.batches`), ``transform(X, batch)``."""

    def knows(self, batch: np.ndarray) -> np.ndarray:
        """Which codes (m,) training rows had."""
        ...


class Step(Protocol):
    """What prepares a table before anything is ranked: imputation, a filter, a normalisation.

    It gives a number wherever its input is one, and in a column that it creates wherever all inputs
    are; it drops no column that `columns` does not leave out. `fit_chain` refuses others.

    With `Row.batches` it learns from codes of batches too, ``learn(X, y, batch)``.

    A table that is no matrix may be handed to a step itself, if no step before has made a matrix
    of it. One that keeps some columns as they are defines ``choose(table, rows, y)``, which (k,) of
    them, rising, by some rows and their class codes alone. One that creates columns in the place of
    all defines ``learn_table(table, rows, y)``, the fitted step, which then has
    ``transform_table(table)``, its outputs of all rows (n, k), equal to `transform`. A step without
    `learn` cannot have a matrix.

    May also say ``by_column = True``: what it makes of a column depends on that column alone, so
    that it can have tables that are no matrix. One that keeps some columns as they are then defines
    ``statistics(X, y)``, a dict of arrays of one entry a column, and ``finish(statistics, n)``, the
    fitted step from those of all columns and the number of rows.

    Attributes
    ----------
    scope : {"row", "training"}
        "row": nothing is learnt and no column dropped; at the start of a list a study takes it
        once, before the folds, and `learn` sees no row.

    May also define ``created``, the names of columns that it makes at most.

    One that chooses columns by how well they were measured may define ``reasons(table, rows, y)``,
    how many columns it leaves out for each reason, in words: methods that differ by such a step
    alone are told side by side. Where it leaves out those whose values are missing more in one
    class it has ``tests_missing`` true.
    """

    scope: Literal["row", "training"]

    def learn(self, X: np.ndarray, y: np.ndarray) -> FittedStep:
        """Fitted to training rows X (n, p), NaN for missing, and class codes y."""
        ...

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FittedStep:
        """What `FittedStep.to_arrays` gave; `ModelError` where it does not fit together."""
        ...


class Predictor(Protocol):
    """A fitted classifier as arrays, on its own columns."""

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        ...

    def to_arrays(self) -> Arrays:
        """All it is made of, for the model file."""
        ...


class Classifier(Protocol):
    """What is fitted on the columns that a ranking chose.

    May also define ``beliefs_by_size(X, y, n_classes, test, sizes, seed)``, which gives the
    beliefs for the leading columns of as many of the sizes as it can serve at once.

    One whose probabilities stand for another class prior than the training part's shares, such as
    one of balanced weights, defines ``prior(counts)``, that prior (C,) for so many training samples
    of each class, or None: `scaling.fit_natural` then brings them back to the natural scale.

    One whose row says ``weights`` has a further argument ``weights``, an ndarray of shape (n,) or
    None: what each row counts, above 0.
    """

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> Predictor:
        """Fit on X (n, k), some column of which varies, and codes y."""
        ...

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """What `Predictor.to_arrays` gave; `ModelError` where it does not fit together."""
        ...


class RawClassifier(Protocol):
    """A classifier that takes a table as it is; its row says ``raw``.

    Its predictor sees such a table too: codes that no training row has, and missing values in
    columns without one in training. What it learns must not depend on the number of levels.
    """

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int],
    ) -> Predictor:  # fmt: skip
        """Fit on X (n, k) and codes y; NaN is missing, and `levels` says which columns hold codes
        of categories, and how many are declared."""
        ...

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of a `Classifier`."""
        ...


class Path(Protocol):
    """A classifier fitted at every step of its own path, the simplest first: that has no features
    and believes the class shares, so that there is a step for every size that a plan asks for.

    May also define ``terms(step)``, the interactions that a step uses, as `Term` of columns.

    Attributes
    ----------
    settings : sequence of mappings
        What tells each step: a threshold, a penalty.
    columns : sequence of ndarray
        Columns of X that each step uses, the most important first.
    """

    settings: Sequence[Mapping[str, float]]
    columns: Sequence[np.ndarray]

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows, by every step."""
        ...

    def predictor(self, step: int, columns: np.ndarray) -> Predictor:
        """One step, as a predictor on [covariates, X[:, columns]]; `columns` holds all it uses."""
        ...


class PathClassifier(Protocol):
    """A classifier that selects along its own path (shrunken centroids, elastic net)."""

    def follow(
        self, part: Part, settings: Sequence[Mapping[str, float]] | None, stream: Seeds
    ) -> Path:
        """Fit every step; `settings` are those of the outer training part, None there."""
        ...

    def count(self) -> int:
        """Steps, at most."""
        ...

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of a `Classifier`."""
        ...


@dataclass(frozen=True)
class Decided:
    """What is decided of m samples.

    Attributes
    ----------
    codes : ndarray of shape (m,) of int64
        A class for every sample, also for those declined: the best guess.
    accepted : ndarray of shape (m,) of bool
        False where no decision is given.
    beliefs : Beliefs
        Those decided on, recalibrated if the decision does so.
    certainty : ndarray of shape (m,) or None
        By which some are declined, if they are; higher is surer.
    standing : ndarray of shape (m,) or None
        The share of the samples held out inside that were less certain: one scale for all training
        parts. Not of a model that was read back.
    """

    codes: np.ndarray
    accepted: np.ndarray
    beliefs: Beliefs
    certainty: np.ndarray | None = None
    standing: np.ndarray | None = None

    @property
    def told(self) -> np.ndarray:
        """Codes, -1 where declined."""
        return np.where(self.accepted, self.codes, -1)


class Decision(Protocol):
    """From beliefs to labels: arg-max, costs, thresholds, rejection, recalibration.

    Attributes
    ----------
    learns : bool
        Whether `fit` looks at its arguments; what learns is cross-fitted in the inner loop.

    May also say ``pools = True``, to be fitted to every inner belief, a row each, and not to the
    mean of a sample's repeats; and define ``doubt(names, grouped)``, why what was asked of it
    does not hold ("" where it does), `names` being those of the classes and `grouped` whether
    samples come in groups, and ``probability``, its threshold of the probability of the latter of
    two classes, or None.

    May also say ``by_sample = True``: `decide` looks at costs that samples bring, so that a table
    to predict must have them.

    One that does not decide by the largest score says ``distance(beliefs)``, how far each sample
    (m,) is from being decided otherwise. One that declines samples has ``whole``, the decision at
    full coverage, by which candidates are tuned.
    """

    @property
    def learns(self) -> bool:
        """Often a class attribute."""
        ...

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fitted on one row a sample of inner beliefs; the decision itself stays as it is."""
        ...

    def decide(self, beliefs: Beliefs) -> Decided:
        """Of new samples, each by itself."""
        ...

    def told(self, names: Sequence[str]) -> str:
        """What `fit` learnt, in words; `names` are those of the classes."""
        return ""

    def scale(self, beliefs: Beliefs) -> str:
        """What the certainty of samples is, in words; their beliefs as decided on."""
        return "higher is more certain"

    def to_arrays(self) -> Arrays:
        """What `fit` learnt."""
        ...

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """Fitted again; `ModelError` where the arrays do not fit together."""
        ...
