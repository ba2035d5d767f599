"""What passes between the study engine and a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from .errors import MethodError, counted_noun

Arrays = dict[str, np.ndarray]
Seeds = np.random.SeedSequence
Kind = Literal["labels", "order", "proba"]  # what is known of samples, least first
BELIEF_KINDS: tuple[Kind, ...] = ("labels", "order", "proba")
# a probability of 0 says no more than "less than this"
MIN_PROBABILITY = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Part:
    """A training set: all that a method may learn from.

    Attributes
    ----------
    X : ndarray of shape (n, p), float64
        Missing values are filled, but for rankers that take a table as it is, or a table with
        categories as codes (NaN).
    y : ndarray of shape (n,)
        Class codes, 0 to n_classes - 1 (int64); or the values of a number (float64).
    n_classes : int
        Of a number 1.
    covariates : ndarray of shape (n, q)
        Columns that are in every model, filled.
    levels : mapping of column to number of levels
        Columns of X that hold category codes; none where categories are spread over columns.
    outer : bool
        Whether this is an outer training set of the study itself: what is costly and only
        reported, such as a graph, is computed there alone.
    own : bool
        Whether the method's own size is requested.
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
class ScaledParts:
    """Many training sets and the rows that each predicts, each on columns of its own, standardised.

    Attributes
    ----------
    train, test : ndarray of shape (N, k), (M, k), C order
        Their rows, one training set after the other.
    ends, test_ends : ndarray of shape (n_parts + 1,) of int64
        Where each begins and ends.
    codes : list of ndarray
        Class codes of the rows of each.
    n_classes : int
    """

    train: np.ndarray
    test: np.ndarray
    ends: np.ndarray
    test_ends: np.ndarray
    codes: list[np.ndarray]
    n_classes: int


@dataclass(frozen=True)
class Beliefs:
    """What a fitted procedure says of m samples.

    Attributes
    ----------
    proba : ndarray of shape (m, C)
        Class probabilities; of a number there is no class, and C is 0.
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
        The class prior that `proba` stands for: the class shares of the training set. None where
        the classifier declares none, such as one that decides by margins.
    before : Beliefs or None
        What the classifier itself said, where `proba` is recalibrated.
    value : ndarray of shape (m,) or None
        The number that is predicted, where the outcome is one.
    """

    proba: np.ndarray
    margin: np.ndarray | None = None
    novelty: np.ndarray | None = None
    samples: np.ndarray | None = None
    costs: np.ndarray | None = None
    prior: np.ndarray | None = None
    before: Beliefs | None = None
    value: np.ndarray | None = None

    @classmethod
    def of_values(cls, value: np.ndarray) -> Beliefs:
        """Numbers predicted (m,)."""
        return cls(np.zeros((len(value), 0)), value=value)

    def __len__(self) -> int:
        return len(self.proba)

    def take(self, rows: np.ndarray) -> Beliefs:
        """Those of some rows."""
        others = (None if a is None else a[rows] for a in self._others())
        before = None if self.before is None else self.before.take(rows)
        value = None if self.value is None else self.value[rows]
        return replace(Beliefs(self.proba[rows], *others), before=before, value=value)

    def averaged(self) -> Beliefs:
        """One row a sample, the mean of its repeats, in the order of `samples`."""
        assert self.samples is not None
        which, place, counts = np.unique(self.samples, return_inverse=True, return_counts=True)
        if len(which) == len(self.samples):
            return self.take(np.argsort(self.samples, kind="stable"))

        def mean_of_rows(values: np.ndarray | None) -> np.ndarray | None:
            if values is None:
                return None
            total = np.zeros((len(which), *values.shape[1:]))
            np.add.at(total, place, values)
            return total / counts.reshape(-1, *[1] * (values.ndim - 1))

        proba = mean_of_rows(self.proba)
        assert proba is not None
        return Beliefs(
            proba,
            mean_of_rows(self.margin),
            mean_of_rows(self.novelty),
            which,
            mean_of_rows(self.costs),
            mean_of_rows(self.prior),
            None if self.before is None else self.before.averaged(),
            mean_of_rows(self.value),
        )

    def _others(self) -> tuple[np.ndarray | None, ...]:
        return self.margin, self.novelty, self.samples, self.costs, self.prior

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but probabilities."""
        return all(one is None for one in (*self._others(), self.value))

    @property
    def own(self) -> Beliefs:
        """What the classifier itself said."""
        return self if self.before is None else self.before

    @property
    def scores(self) -> np.ndarray:
        """Margins, or the logarithms of the probabilities where there are none (m, C)."""
        return (
            np.log(np.maximum(self.proba, MIN_PROBABILITY)) if self.margin is None else self.margin
        )

    @classmethod
    def joined(cls, parts: Sequence[Beliefs]) -> Beliefs:
        """Rows of several, one after the other; where only some have margins, `scores` of each:
        a training set may leave a classifier of margins nothing but the class shares."""
        if all(part.is_plain for part in parts):
            return cls(np.concatenate([part.proba for part in parts]))
        margins = any(part.margin is not None for part in parts)
        return cls(
            np.concatenate([part.proba for part in parts]),
            np.concatenate([part.scores for part in parts]) if margins else None,
            _stacked_arrays([part.novelty for part in parts]),
            _stacked_arrays([part.samples for part in parts]),
            _stacked_arrays([part.costs for part in parts]),
            _stacked_arrays([part.prior for part in parts]),
            value=_stacked_arrays([part.value for part in parts]),
        )


def _stacked_arrays(arrays: Sequence[np.ndarray | None]) -> np.ndarray | None:
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
    content: Mapping[str, object] = field(default_factory=dict)
    terms: Sequence[Term] = ()
    title: str = ""
    numbers: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Ranking:
    """What a ranker found on one training set.

    Attributes
    ----------
    scores : ndarray of shape (p,)
        Higher is better; NaN never occurs (a column that cannot be scored has -inf). Of none where
        only the leading columns were looked for (`Ranker.rank_runs`).
    path : mapping of size to ndarray
        Chosen columns for each size, best first; nested only where the method is.
    chosen : int or None
        The method's own size, if it has one.
    p_values : ndarray of shape (p,) or None
        Where the method has them and they were requested.
    """

    scores: np.ndarray
    path: Mapping[int, np.ndarray] = field(default_factory=dict)
    chosen: int | None = None
    p_values: np.ndarray | None = None

    def evidence(self, owner: np.ndarray, names: Sequence[str]) -> Sequence[Evidence]:
        """What there is to show beside the order.

        Parameters
        ----------
        owner : ndarray of shape (p,)
            The feature behind each column; a category may be spread over several.
        names : sequence of str
            Of the features.
        """
        return ()

    def __repr__(self) -> str:
        best = ", ".join(map(str, np.argsort(-self.scores, kind="stable")[:3]))
        return f"{type(self).__name__}({counted_noun(len(self.scores), 'feature')}; best {best})"


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
        sets. Not of a model that was read back.
    """

    codes: np.ndarray
    accepted: np.ndarray
    beliefs: Beliefs
    certainty: np.ndarray | None = None
    standing: np.ndarray | None = None

    @property
    def labels(self) -> np.ndarray:
        """Codes, -1 where declined."""
        return np.where(self.accepted, self.codes, -1)


@dataclass(frozen=True)
class RuleInput:
    """What a rule is given of m samples.

    Attributes
    ----------
    certainty : ndarray of shape (m,)
        Higher is surer.
    codes : ndarray of shape (m,)
        Predicted, of all samples.
    proba : ndarray of shape (m, C)
    costs : ndarray of shape (C, C) or (m, C, C), or None
        What errors cost; None: 1 each.
    """

    certainty: np.ndarray
    codes: np.ndarray
    proba: np.ndarray
    costs: np.ndarray | None = None


def has_interface(name: str, made: Any, interface: type, gives: str) -> None:
    """Refuse what a method gives where it lacks the defaults of an interface.

    Raises
    ------
    MethodError
        With the class to inherit.
    """
    if not isinstance(made, interface):
        raise MethodError(
            f"{gives} of {name!r} gives a {type(made).__name__}: make that class a subclass of "
            f"{interface.__module__}.{interface.__name__}"
        )
