"""What the study engine knows of a method: a handful of interfaces, and what passes through them.

A family brings a subclass of `Ranker`, `PathClassifier`, `Classifier`, `Step`, `Decision` or
`Rule`, and a row of the registry (`rows.Row`) that names it. The engine knows nothing else of it.
What a method may leave out has its default here, so that all of it can be read in one place. What
a study reads its numbers from where they are no matrix is in `tables.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

import numpy as np

from .errors import plural

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


@dataclass(frozen=True)
class Ranking:
    """What a ranker found on one training part.

    Attributes
    ----------
    scores : ndarray of shape (p,)
        Higher is better; NaN never occurs (a column that cannot be scored has -inf).
    path : mapping of size to ndarray
        Chosen columns for each size, best first; nested only where the method is.
    chosen : int or None
        The method's own size, if it has one.
    p_values : ndarray of shape (p,) or None
        Where the method has them and they were asked for.
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
        return f"{type(self).__name__}({plural(len(self.scores), 'feature')}; best {best})"


class Ranker:
    """What ranks the columns of a training part."""

    by_parts: ClassVar[bool] = False  # it has `rank_parts`

    @property
    def walks(self) -> bool:
        """Whether `rank_parts` goes by blocks of columns, and so has no need of a matrix."""
        return False

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """Rank the columns of the part; `path` holds the sizes, whatever others are asked for."""
        raise NotImplementedError

    def rank_parts(
        self, parts: Any, sizes: Sequence[int], streams: Sequence[Seeds]
    ) -> list[Ranking]:
        """Rank the `TrainingParts` of an outer fold; what they share is computed once."""
        raise NotImplementedError

    def check_columns(self, p: int) -> None:
        """Refuse what so many columns cannot have, before anything runs."""


class FittedStep:
    """A step fitted to a training part.

    Attributes
    ----------
    columns : ndarray
        Which of its p inputs each output is, rising; p, p + 1 and so on for what it creates.
    """

    if TYPE_CHECKING:

        @property
        def columns(self) -> np.ndarray:
            """Often a field."""

    on_table: ClassVar[bool] = False  # it has `transform_table`

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The outputs for rows of its inputs X (m, p), NaN for missing; each row by itself."""
        raise NotImplementedError

    def transform_table(self, table: Any) -> np.ndarray:
        """The outputs of all rows of a table that is no matrix (n, k), equal to `transform`."""
        raise NotImplementedError

    def changed(self, kind: str) -> np.ndarray:
        """Outputs that have other "moments", or another "order" of the rows, than the inputs they
        are, in columns without missing values; all of them, unless a step says otherwise."""
        return np.arange(len(self.columns))

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The step for some of its outputs, in this order, and the inputs it needs for them."""
        raise NotImplementedError

    def to_arrays(self) -> Arrays:
        """All it has learnt, for the model file."""
        raise NotImplementedError


class BatchedStep(FittedStep):
    """One that is given the codes of batches too (`StepRow.batches`), ``transform(X, batch)``."""

    def knows(self, batch: np.ndarray) -> np.ndarray:
        """Which codes (m,) training rows had."""
        raise NotImplementedError


class Step:
    """What prepares a table before anything is ranked: imputation, a filter, a normalisation.

    It gives a number wherever its input is one, and in a column that it creates wherever all inputs
    are; it drops no column that `columns` does not leave out. `fit_chain` refuses others.

    With `StepRow.batches` it learns from codes of batches too, ``learn(X, y, batch)``.

    Attributes
    ----------
    scope : {"row", "training"}
        "row": nothing is learnt and no column dropped; at the start of a list a study takes it
        once, before the folds, and `learn` sees no row.
    by_column : bool
        What it makes of a column depends on that column alone, so that it can have tables that are
        no matrix.
    keeps : bool
        It keeps some columns as they are, by numbers that each has by itself: it has `statistics`
        and `finish`.
    on_table : {"", "choose", "create"}
        A table that is no matrix may be handed to it itself, if no step before has made a matrix of
        it: it keeps some columns (`choose`), or creates others in the place of all (`learn_table`).
    on_matrix : bool
        It has `learn`.
    gives_reasons : bool
        It chooses columns by how well they were measured and has `reasons`: methods that differ by
        such a step alone are told side by side.
    created : sequence of str
        Names of the columns that it makes at most.
    tests_missing : bool
        It leaves out columns whose values are missing more in one class.
    """

    scope: ClassVar[Literal["row", "training"]] = "training"
    by_column: ClassVar[bool] = False
    keeps: ClassVar[bool] = False
    on_table: ClassVar[Literal["", "choose", "create"]] = ""
    on_matrix: ClassVar[bool] = True
    gives_reasons: ClassVar[bool] = False

    @property
    def created(self) -> Sequence[str]:
        """None of most."""
        return ()

    @property
    def tests_missing(self) -> bool:
        """False of most."""
        return False

    def learn(self, X: np.ndarray, y: np.ndarray) -> FittedStep:
        """Fitted to training rows X (n, p), NaN for missing, and class codes y."""
        raise NotImplementedError

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FittedStep:
        """What `FittedStep.to_arrays` gave; `ModelError` where it does not fit together."""
        raise NotImplementedError

    def statistics(self, X: np.ndarray, y: np.ndarray) -> Arrays:
        """What the columns of X (n, p) are kept by, each an array (p,)."""
        raise NotImplementedError

    def finish(self, statistics: Arrays, n: int) -> Any:
        """The fitted step, from the statistics of all columns over n rows."""
        raise NotImplementedError

    def choose(self, table: Any, rows: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Columns of a table (k,) that stay, rising, by some rows and their class codes alone."""
        raise NotImplementedError

    def learn_table(self, table: Any, rows: np.ndarray, y: np.ndarray) -> FittedStep:
        """Fitted to some rows of a table and their class codes."""
        raise NotImplementedError

    def reasons(self, table: Any, rows: np.ndarray, y: np.ndarray) -> dict[str, int]:
        """How many columns it leaves out for each reason, in words."""
        raise NotImplementedError


class Predictor(Protocol):
    """A fitted classifier as arrays, on its own columns."""

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        ...

    def to_arrays(self) -> Arrays:
        """All it is made of, for the model file."""
        ...


class Classifier:
    """What is fitted on the columns that a ranking chose.

    One whose row says ``weights`` has a further argument ``weights``, an ndarray of shape (n,) or
    None: what each row counts, above 0. One whose row says ``raw`` is a `RawClassifier`.

    Attributes
    ----------
    scaled : bool
        Columns come to it by the training part's mean and standard deviation.
    one_unit : bool
        It compares columns, which therefore keep a common unit.
    takes_constants : bool
        It wants columns that are all constant; else the class shares are the model then.
    """

    scaled: ClassVar[bool] = False
    takes_constants: ClassVar[bool] = False

    @property
    def one_unit(self) -> bool:
        """False of most."""
        return False

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> Predictor:
        """Fit on X (n, k), some column of which varies, and codes y."""
        raise NotImplementedError

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """What `Predictor.to_arrays` gave; `ModelError` where it does not fit together."""
        raise NotImplementedError

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """The class prior (C,) that its probabilities stand for, of so many training samples of
        each class: of balanced weights, equal shares. They are brought back to the natural scale.
        None: the training part's shares, which is so of most."""
        return None

    def with_shares(self) -> Any:
        """The same with the class shares as prior, where it has another."""
        return self

    def beliefs_by_size(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, test: np.ndarray,
        sizes: Sequence[int], seed: int,
    ) -> list[Beliefs]:  # fmt: skip
        """Beliefs for the leading columns of as many of the sizes as it can serve at once."""
        return []


class RawClassifier(Classifier):
    """A classifier that takes a table as it is; its row says ``raw``.

    Its predictor sees such a table too: codes that no training row has, and missing values in
    columns without one in training. What it learns must not depend on the number of levels.
    """

    def fit(  # type: ignore[override]
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int],
    ) -> Predictor:  # fmt: skip
        """Fit on X (n, k) and codes y; NaN is missing, and `levels` says which columns hold codes
        of categories, and how many are declared."""
        raise NotImplementedError


class Path:
    """A classifier fitted at every step of its own path, the simplest first: that has no features
    and believes the class shares, so that there is a step for every size that a plan asks for.

    Attributes
    ----------
    settings : sequence of mappings
        What tells each step: a threshold, a penalty.
    columns : sequence of ndarray
        Columns of X that each step uses, the most important first.
    """

    if TYPE_CHECKING:

        @property
        def settings(self) -> Sequence[Mapping[str, float]]:
            """Often a field."""

        @property
        def columns(self) -> Sequence[np.ndarray]:
            """Often a field."""

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows, by every step."""
        raise NotImplementedError

    def predictor(self, step: int, columns: np.ndarray) -> Predictor:
        """One step, as a predictor on [covariates, X[:, columns]]; `columns` holds all it uses."""
        raise NotImplementedError

    def terms(self, step: int) -> Sequence[Term]:
        """The interactions that a step uses, of columns."""
        return ()


class PathClassifier:
    """A classifier that selects along its own path (shrunken centroids, elastic net)."""

    def follow(
        self, part: Part, settings: Sequence[Mapping[str, float]] | None, stream: Seeds
    ) -> Path:
        """Fit every step; `settings` are those of the outer training part, None there."""
        raise NotImplementedError

    def count(self) -> int:
        """Steps, at most."""
        raise NotImplementedError

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of a `Classifier`."""
        raise NotImplementedError


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


class Decision:
    """From beliefs to labels: arg-max, costs, thresholds, rejection, recalibration.

    Attributes
    ----------
    learns : bool
        Whether `fit` looks at its arguments; what learns is cross-fitted in the inner loop.
    pools : bool
        It is fitted to every inner belief, a row each, and not to the mean of a sample's repeats.
    by_sample : bool
        `decide` looks at costs that samples bring, so that a table to predict must have them.
    probability : float or None
        Its threshold of the probability of the latter of two classes.
    share : float or None
        The share of the samples held out inside that it declines, where a threshold does.
    full : Decision
        The same at full coverage, by which candidates are tuned.
    """

    @property
    def learns(self) -> bool:
        """Often a class attribute."""
        return False

    @property
    def pools(self) -> bool:
        """False of most."""
        return False

    @property
    def by_sample(self) -> bool:
        """False of most."""
        return False

    @property
    def probability(self) -> float | None:
        """None of most."""
        return None

    @property
    def share(self) -> float | None:
        """None of most."""
        return None

    @property
    def full(self) -> Decision:
        """Itself, of one that declines nobody."""
        return self

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fitted on one row a sample of inner beliefs; the decision itself stays as it is."""
        return self

    def decide(self, beliefs: Beliefs) -> Decided:
        """Of new samples, each by itself."""
        raise NotImplementedError

    def distance(self, beliefs: Beliefs) -> np.ndarray | None:
        """How far each sample (m,) is from being decided otherwise, of one that does not decide by
        the largest score."""
        return None

    def told(self, names: Sequence[str]) -> str:
        """What `fit` learnt, in words; `names` are those of the classes."""
        return ""

    def doubt(self, names: Sequence[str], grouped: bool) -> str:
        """Why what was asked of it does not hold ("" where it does); `grouped` says whether samples
        come in groups."""
        return ""

    def idle(self) -> str:
        """Why it declines nobody, or everybody; empty where it does neither."""
        return ""

    def scale(self, beliefs: Beliefs) -> str:
        """What the certainty of samples is, in words; their beliefs as decided on."""
        return "higher is more certain"

    def to_arrays(self) -> Arrays:
        """What `fit` learnt."""
        return {}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """Fitted again; `ModelError` where the arrays do not fit together."""
        return self


@dataclass(frozen=True)
class RuleInput:
    """What a rule is told of m samples.

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


class Rule:
    """Which samples are given a class.

    Attributes
    ----------
    needs : {"order", "proba"}
        The least that has to be known of samples.
    promises : bool
        It is about the rate of something among further samples, and so wants to be fitted to what
        single models say.
    by_sample : bool
        It looks at costs that samples bring.
    threshold : float or None
        The certainty below which it declines, where it does by one.
    """

    needs: ClassVar[Kind] = "order"
    promises: ClassVar[bool] = False
    by_sample: ClassVar[bool] = False
    threshold: float | None = None

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """Fitted to what is known of samples that were held out, and their codes."""
        raise NotImplementedError

    def accepts(self, given: RuleInput) -> np.ndarray:
        """Which samples are given a class (m,), each by itself."""
        raise NotImplementedError

    def told(self) -> str:
        """Whom it declines, in words."""
        return ""

    def doubt(self) -> str:
        """Why it declines nobody, or everybody; empty where it does neither."""
        return ""

    def to_arrays(self) -> Arrays:
        """What it learnt."""
        return {}

    def from_arrays(self, arrays: Arrays) -> Self:
        """Fitted again; `ModelError` where they do not fit."""
        return self
