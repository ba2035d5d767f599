"""What the study engine knows of a method: a handful of interfaces.

A family brings a subclass of `Ranker`, `PathClassifier`, `Classifier`, `Step`, `Decision` or
`Rule`, and a row of the registry (`rows.Row`) that names it. The engine knows nothing else of it.
What a method may leave out has its default here, so that all of it can be read in one place. What
passes through them is in `method_data.py` and can be imported from here, too. What a study reads
its numbers from where they are no matrix is in `tables.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

import numpy as np

from .arrays import unfit_part_error
from .method_data import BELIEF_KINDS as BELIEF_KINDS
from .method_data import MIN_PROBABILITY as MIN_PROBABILITY
from .method_data import (
    Arrays,
    Beliefs,
    Decided,
    Part,
    Ranking,
    ScaledParts,
    Seeds,
    Term,
)
from .method_data import Evidence as Evidence
from .method_data import Kind as Kind
from .method_data import RuleInput as RuleInput
from .parameters import StepSettings
from .recalibration import Recalibration as Recalibration
from .rule import Rule as Rule


class Ranker:
    """What ranks the columns of a training set."""

    by_parts: ClassVar[bool] = False  # it has `rank_parts` beside `rank`

    @property
    def walks(self) -> bool:
        """Whether `rank_parts` goes by blocks of columns, and so has no need of a matrix."""
        return False

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """Rank the columns of the part; `path` holds the sizes, whatever others are requested."""
        raise NotImplementedError

    def rank_parts(
        self, parts: Any, sizes: Sequence[int], streams: Sequence[Seeds]
    ) -> list[Ranking]:
        """Rank the `TrainingParts` of an outer fold; what they share is computed once."""
        raise NotImplementedError

    def rank_runs(
        self, runs: Sequence[Any], sizes: Sequence[int], streams: Sequence[Sequence[Seeds]]
    ) -> list[list[Ranking]]:
        """Rank the `TrainingParts` of many outer folds of one table, of true and permuted labels:
        those of `rank_parts`, whatever the other folds are. `scores` may be left out."""
        return [self.rank_parts(p, sizes, own) for p, own in zip(runs, streams, strict=True)]

    def check_columns(self, p: int) -> None:
        """Refuse what so many columns cannot have, before anything runs."""


class FittedStep:
    """A step fitted to a training set.

    Attributes
    ----------
    columns : ndarray
        Which of its p inputs each output is, rising; p, p + 1 and so on for what it creates.
    training : ndarray of shape (n, k) or None
        What training rows would be as new ones, where `transform` differs (``groups``).
    """

    training: np.ndarray | None = None

    if TYPE_CHECKING:

        @property
        def columns(self) -> np.ndarray:
            """Often a field."""

    takes_tables: ClassVar[bool] = False  # it has `transform_table`

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The outputs for rows of its inputs X (m, p), NaN for missing; each row by itself."""
        raise NotImplementedError

    def transform_table(self, table: Any) -> np.ndarray:
        """The outputs of all rows of a table that is no matrix (n, k), equal to `transform`."""
        raise NotImplementedError

    def changed(self) -> np.ndarray:
        """Outputs with other numbers than the inputs they are, where nothing is missing."""
        return np.arange(len(self.columns))

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The step for some of its outputs, in this order, and the inputs it needs for them."""
        raise NotImplementedError

    def to_arrays(self) -> Arrays:
        """All it has learnt, for the model file."""
        raise NotImplementedError


class BatchedStep(FittedStep):
    """One that is given the codes of batches too, ``transform(X, batch)``."""

    def knows(self, batch: np.ndarray) -> np.ndarray:
        """Which codes (m,) training rows had."""
        raise NotImplementedError


class Step:
    """What prepares a table before anything is ranked: imputation, a filter, a normalisation.

    It gives a number wherever its input is one, and in a column that it creates wherever all inputs
    are; it drops no column that `columns` does not leave out. `fit_chain` refuses others.

    An argument ``batch`` of `learn` takes codes of batches (``unseen``, "refuse" or "keep", says
    what is done with one not seen), ``names`` the names of its columns, ``groups`` (or that of
    `learn_table`) which rows belong together: `FittedStep.training` is then what each would be if
    its group had been left out.

    Attributes
    ----------
    scope : {"row", "training"}
        "row": nothing is learnt and no column dropped; at the start of a list a study takes it
        once, before the folds, and `learn` sees no row.
    by_column : bool
        What it makes of a column depends on that column alone, so that it can have tables that are
        no matrix.
    keeps : bool
        It keeps some columns, by numbers that each has by itself (`statistics`, `finish`).
    on_table : {"", "choose", "create"}
        A table that is no matrix may be handed to it itself, if no step before has made a matrix of
        it: it keeps some columns (`choose`), or creates others in the place of all (`learn_table`).
    on_matrix : bool
        It has `learn`.
    gives_reasons : bool
        It has `reasons`: methods that differ by such a step alone are reported side by side.
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

    def to_arrays(self) -> Arrays:
        """All it is made of, for the model file."""


class Classifier:
    """What is fitted on the columns that a ranking chose.

    One that takes weights has a further argument ``weights``, an ndarray of shape (n,) or None:
    what each row counts, above 0. One that takes raw tables is a `RawClassifier`.

    Attributes
    ----------
    scaled : bool
        Columns come to it by the training set's mean and standard deviation.
    one_unit : bool
        It compares columns, which therefore keep a common unit.
    takes_constants : bool
        It wants columns that are all constant; else the class shares are the model then.
    draws : bool
        It draws random numbers, from its seed.
    by_columns : bool
        X in Fortran's order, its columns over twice its rows, costs it no copy.
    """

    scaled: ClassVar[bool] = False
    by_columns: ClassVar[bool] = False
    takes_constants: ClassVar[bool] = False
    draws: ClassVar[bool] = True

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
        each class: of balanced weights, equal shares; None: theirs, as of most. Probabilities are
        brought back to the natural scale."""
        return None

    def prior_of(self, y: np.ndarray, n_classes: int) -> np.ndarray | None:
        """The same for a training set of these class codes."""
        return self.prior(np.bincount(y, minlength=n_classes))

    def with_shares(self) -> Any:
        """The same with the class shares as prior, where it has another."""
        return self

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """Beliefs for the leading columns of as many of the sizes as it can serve at once, the
        least first: those of `fit` on the columns of each. The others are fitted one by one.

        X (n, k) and test (m, k) are as `fit` has them: filled, in units, standardised if it is
        `scaled`. Some column of the first size varies. Sizes rise.
        """
        return []

    def beliefs_of_parts(self, parts: ScaledParts, sizes: Sequence[int]) -> list[Beliefs] | None:
        """Beliefs of the test rows of many training sets, one after the other: for the leading
        columns of each size those of `beliefs_by_size`, set by set. None: it serves one at a time.

        Some column of the first size varies in every training set. Sizes rise.
        """
        return None


class Regressor(Classifier):
    """What predicts a number: `fit` is given values y (n,), n_classes is 1, and `Beliefs.value` is
    what its predictors say. Other than that it is as a `Classifier`."""

    draws: ClassVar[bool] = False

    def prior_of(self, y: np.ndarray, n_classes: int) -> np.ndarray | None:
        """None: there are no classes."""
        return None


class RawClassifier(Classifier):
    """A classifier that takes a table as it is; its row says so (`ClassifierTakes.raw`).

    Its predictor sees such a table too: codes that no training row has, and missing values in
    columns without one in training. What it learns must not depend on the number of levels.
    """

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> Predictor:
        """Fit on X (n, k) and codes y; NaN is missing, and `levels` says which columns hold codes
        of categories, and how many are declared."""
        raise NotImplementedError


class Path:
    """A classifier fitted at every step of its own path, the simplest first: that has no features
    and believes the class shares, so that there is a step for every size that a plan asks for.

    Attributes
    ----------
    settings : sequence of mappings
        What sets each step: a threshold, a penalty.
    columns : sequence of ndarray
        Columns of X that each step uses, the most important first.
    """

    if TYPE_CHECKING:

        @property
        def settings(self) -> Sequence[StepSettings]:
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

    def follow(self, part: Part, settings: Sequence[StepSettings] | None, stream: Seeds) -> Path:
        """Fit every step; `settings` are those of the outer training set, None there."""
        raise NotImplementedError

    def count(self) -> int:
        """Steps, at most."""
        raise NotImplementedError

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of a `Classifier`."""
        raise NotImplementedError


class Decision:
    """From beliefs to labels: arg-max, costs, thresholds, rejection.

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
    by_distance : bool
        It does not decide by the largest score and has `distance`.
    by_prior : bool
        It divides by the class prior that probabilities stand for, where there is one.
    """

    @property
    def by_distance(self) -> bool:
        """Often a class attribute."""
        return False

    @property
    def by_prior(self) -> bool:
        """False of most."""
        return False

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
        """Itself, of one that declines no sample."""
        return self

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fitted on one row a sample of inner beliefs; the decision itself stays as it is."""
        return self

    def decide(self, beliefs: Beliefs) -> Decided:
        """Of new samples, each by itself."""
        raise NotImplementedError

    def distance(self, beliefs: Beliefs) -> np.ndarray:
        """How far each sample (m,) is from being decided otherwise."""
        raise NotImplementedError

    def recalibrated(self) -> str:
        """What a recalibration under it learnt, in words."""
        return ""

    def report_text(self, names: Sequence[str]) -> str:
        """What `fit` learnt, in words; `names` are those of the classes."""
        return ""

    def doubt(self, names: Sequence[str], grouped: bool) -> str:
        """Why what it was to guarantee does not hold, or ""; `grouped`: samples come in groups."""
        return ""

    def idle(self) -> str:
        """Why it declines no sample, or all samples; empty where it does neither."""
        return ""

    def scale(self, beliefs: Beliefs) -> str:
        """What the certainty of samples is, in words; their beliefs as decided on."""
        return "higher is more certain"

    def to_arrays(self) -> Arrays:
        """What `fit` learnt."""
        return {}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """Fitted again; `ModelError` where the arrays do not fit together."""
        if arrays:
            raise unfit_part_error(next(iter(arrays)))
        return self
