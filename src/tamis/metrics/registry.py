"""The metrics a study can report, by short name: one row each.

A row says what the metric is, which way is better, what chance gives, how to compute it from
class codes, and of what it is made, on which its interval rests (`intervals.py`). Plans, results,
pages, the tables of docs/methods/metrics.md and the common tests follow from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest_hint
from .._core.interfaces import BELIEF_KINDS, Kind
from . import beliefs, ranks
from . import confusion_matrix as cells
from .number_metrics import NUMBER_METRICS, NumberMetric

LOG_SCORES = LOG_SCORE, BALANCED_LOG_SCORE = "log_score", "balanced_log_score"


@dataclass(frozen=True)
class Metric:
    """A score of predictions, called as ``metric(codes_true, codes_pred, proba)``.

    Attributes
    ----------
    name : str
        The short name in plans and JSON.
    label : str
        The name people read.
    definition : str
        What it is, for the table of the docs: a sentence without its full stop.
    meaning : str
        The same in a few words, for pages of results.
    function : str
        The function of `tamis.metrics` that is it on labels as users have them; empty: none.
    cite : str
        Where it is from, for the docs; empty: it needs no source.
    short : str
        The name where space is dear; empty: the label.
    title, head : str
        The name at the beginning of a line (empty: the label) and in a table's head (empty: the
        short name in capitals).
    of_costs : bool
        Samples may have costs of their own: then it is the mean of what was paid.
    of_order : bool
        It looks at the order of beliefs alone, and so at those before any recalibration.
    of_positive : bool
        With two classes, of the positive one alone.
    every_class : bool
        Of labels: undefined unless some sample of every class judged is accepted.
    direction : int
        +1 if higher is better, -1 if lower is.
    of_confusion : callable or None
        (..., C, C) counts, rows predicted -> (...). Set for metrics of predicted labels.
    of_beliefs : callable or None
        (codes, proba) -> float. Set for the others.
    of_pairs : callable or None
        (codes, proba) -> (2, C) pairs in the right order and all pairs, which add up over
        folds. Set for areas under the ROC curve.
    of_samples : callable or None
        (codes, proba) -> (n,) numbers in [0, 1]. Set where the metric is their mean, over
        samples or, if `balanced`, over classes.
    balanced : bool
    varies : str
        Which variance of `VarianceInflation` it has.
    scaled_by : callable or None
        It is 1 less the mean of `of_samples` over this number of the class counts.
    chance_of : callable or None
        Counts of the true classes -> the best expected value of predictions that do not look at
        the features. The docs have the first sentence of its docstring, as of `constant`.
    constant : callable or None
        Counts of the true classes -> the class that has this value if all samples are called it;
        None where no class has.
    least, most : float
        The smallest and the largest value there is.
    covered : bool
        Intervals made of what it is made of kept their coverage in simulated studies
        (`benchmarks/interval_coverage.py`); others get none.
    most_classes : int or None
        With how many classes, at the most, those of cross-validation did.
    decide, decide_two : str
        The decision that is best in expectation for it, or the nearest there is, and that for two
        classes if it is another; of plans that name none.
    tune : str
        The criterion by which candidates are compared inside, where a plan names none.
    """

    name: str
    label: str
    definition: str
    meaning: str
    function: str = ""
    cite: str = ""
    direction: int = 1
    of_confusion: Callable[[np.ndarray], Any] | None = None
    of_beliefs: Callable[[np.ndarray, np.ndarray], float] | None = None
    of_pairs: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    of_samples: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    balanced: bool = False
    varies: str = "labels"
    scaled_by: Callable[[np.ndarray], float] | None = None
    chance_of: Callable[[np.ndarray], float] | None = None
    constant: Callable[[np.ndarray], int | None] | None = None
    least: float = 0.0
    most: float = 1.0
    covered: bool = False
    most_classes: int | None = None
    short: str = ""
    title: str = ""
    head: str = ""
    every_class: bool = False
    of_costs: bool = False
    of_order: bool = False
    of_positive: bool = False
    decide: str = "arg_max"
    decide_two: str = ""
    tune: str = LOG_SCORE

    @property
    def asks(self) -> Kind:
        """The least that has to be known of samples: labels, an order, or probabilities."""
        if self.of_confusion is not None:
            return "labels"
        return "order" if self.of_pairs is not None else "proba"

    @property
    def brief(self) -> str:
        """The shortest name that people read."""
        return self.short or self.label

    @property
    def heading(self) -> str:
        """The name at the beginning of a line."""
        return self.title or self.label[:1].upper() + self.label[1:]

    @property
    def with_article(self) -> str:
        """``a balanced accuracy``, ``an AUC``."""
        return f"{'an' if self.brief[0] in 'aAeF' else 'a'} {self.brief}"

    @property
    def needs(self) -> str:
        """``"labels"`` if predicted labels suffice, ``"proba"`` if beliefs are needed."""
        return "proba" if self.of_confusion is None else "labels"

    def __call__(
        self, codes_true: np.ndarray, codes_pred: np.ndarray, proba: np.ndarray | None
    ) -> float:
        """The value for class codes (n,), predicted codes (n,) and beliefs (n, C).

        NaN where it is undefined, such as the AUC of samples of one class. `proba` may be
        None for a metric that needs labels only. A predicted code of -1 is a sample declined:
        metrics of labels are of the others.
        """
        if self.of_confusion is not None:
            C = n_classes(codes_true, codes_pred, proba)
            return self.of_counts(cells.confusion(codes_true, codes_pred, C), codes_true)
        if proba is None:
            others = ", ".join(row.name for row in METRICS.values() if row.needs == "labels")
            raise PlanError(
                f"metric {self.name!r} needs class probabilities, and there are none: choose a "
                f"metric of labels ({others})"
            )
        assert self.of_beliefs is not None
        return self.of_beliefs(codes_true, proba)

    def of_counts(self, matrix: np.ndarray, codes_true: np.ndarray) -> float:
        """The value of a confusion matrix (C, C) of samples of these classes, some declined.

        NaN where nothing was accepted; of what compares classes, where all of one was declined.
        """
        assert self.of_confusion is not None
        accepted = matrix.sum(axis=0)
        judged = np.bincount(codes_true, minlength=len(matrix))
        if not accepted.any() or (self.every_class and (accepted == 0)[judged > 0].any()):
            return float("nan")
        return float(self.of_confusion(matrix))

    def chance(self, counts: Sequence[int] | np.ndarray) -> float | None:
        """The best expected value of predictions that do not look at the features; None if no
        formula.

        Parameters
        ----------
        counts : sequence of C
            True samples of each class.

        Examples
        --------
        >>> METRICS["bcr"].chance([27, 11])
        0.5
        >>> METRICS["accuracy"].chance([30, 10])
        0.75
        """
        true = np.asarray(counts, dtype=np.float64)
        if self.chance_of is None or np.count_nonzero(true) < 2:
            return None
        return float(self.chance_of(true))


def n_classes(codes_true: np.ndarray, codes_pred: np.ndarray, proba: np.ndarray | None) -> int:
    """Classes of the beliefs, or as many as the codes show (at least two)."""
    if proba is not None:
        return proba.shape[-1]
    return max(2, int(codes_true.max()) + 1, int(codes_pred.max()) + 1)


def chance_share(true: np.ndarray) -> float:
    """1/C, of the classes present."""
    return 1.0 / np.count_nonzero(true)


def chance_half(true: np.ndarray) -> float:
    """1/2."""
    return 0.5


def chance_zero(true: np.ndarray) -> float:
    """0."""
    return 0.0


def chance_average_precision(true: np.ndarray) -> float:
    """(P−1)/(N−1) + (H_N/N)(N−P)/(N−1) of P among N, averaged over the classes.

    That of a random order without ties: each place i is positive with probability P/N and then
    has 1 + (i - 1)(P - 1)/(N - 1) positives up to it; H_N is the harmonic number. It tends to
    P/N from above: 0.35 and not 0.29 for 11 of 38.
    """
    counts = true[true > 0]
    N = counts.sum()
    harmonic = (1.0 / np.arange(1, N + 1)).sum()
    return float(np.mean(((counts - 1) + harmonic / N * (N - counts)) / (N - 1)))


def chance_accuracy(true: np.ndarray) -> float:
    """The largest π: the no-information rate."""
    return float(true.max() / true.sum())


def largest_class(true: np.ndarray) -> int:
    """The largest, of equal ones the first."""
    return int(true.argmax())


def positive_of_two(true: np.ndarray) -> int | None:
    """The positive of two."""
    return 1 if len(true) == 2 else None


def chance_brier(true: np.ndarray) -> float:
    """(1 − Σ π²)/2, of the class shares."""
    return beliefs.shares_brier(true)


def chance_f(true: np.ndarray) -> float:
    """2π/(1 + π) of the positive class; several classes: about 1/C.

    Predictions at random, class k with probability q_k, have about 2 pi_k q_k / (pi_k + q_k) for
    class k. That of one class is largest at q = 1, the mean over classes, which is concave, at
    q = pi.
    """
    if len(true) == 2:
        pi = true[1] / true.sum()
        return float(2 * pi / (1 + pi))
    return chance_share(true)


def chance_loss(true: np.ndarray, costs: np.ndarray | None = None) -> float:
    """The least Σ cost π; without costs 1 − the largest π."""
    if costs is None:
        return 1.0 - chance_accuracy(true)
    return float((costs @ true).min() / true.sum())


def cheapest_class(true: np.ndarray, costs: np.ndarray | None = None) -> int:
    """The cheapest; without costs the largest."""
    return largest_class(true) if costs is None else int((costs @ true).argmin())


def loss_metric(costs: np.ndarray | None = None, own: bool = False) -> Metric:
    """Expected loss for a cost matrix (rows predicted, columns true); without one, error rate.

    `own`: the matrix is but the mean of what samples have for themselves.

    Examples
    --------
    >>> codes, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> loss_metric(np.array([[0, 10], [1, 0]]))(codes, predicted, None)
    0.25
    """
    if costs is not None:
        costs = np.array(costs, dtype=np.float64)
    return Metric(
        "loss",
        "expected loss",
        "Σ cost × count / n; without costs the error rate",
        "mean cost of a prediction; lower is better",
        function="expected_loss",
        direction=-1,
        head="Loss",
        of_confusion=partial(cells.loss_of, costs=costs),
        chance_of=partial(chance_loss, costs=costs),
        constant=partial(cheapest_class, costs=costs),
        least=0.0 if costs is None else float(costs.min()),
        most=1.0 if costs is None else float(costs.max()),
        covered=True,
        of_costs=own,
    )


_ROWS = (
    Metric(
        "bcr", "balanced accuracy",
        "mean, over the classes present, of the share of the class predicted right",
        "share predicted right, averaged over the classes",
        function="balanced_classification_rate",
        of_confusion=cells.bcr_of, chance_of=chance_share, covered=True, every_class=True,
        head="Bal. accuracy", decide="balanced", tune=BALANCED_LOG_SCORE,
    ),
    Metric(
        "accuracy", "accuracy", "share predicted right", "share of the samples predicted right",
        function="accuracy",
        of_confusion=cells.accuracy_of, chance_of=chance_accuracy, constant=largest_class,
        covered=True, head="Accuracy",
    ),
    Metric(
        "f", "F-measure",
        "2TP/(2TP + FP + FN) of the positive class; several classes: their mean",
        "harmonic mean of precision and recall",
        function="f_measure",
        of_confusion=cells.f_of, chance_of=chance_f, constant=positive_of_two,
        covered=True, most_classes=2, of_positive=True, decide_two="best_f",
        title="F measure", head="F",
    ),
    Metric(
        "auc", "area under the ROC curve",
        "(sum of mid-ranks of positives − n₊(n₊+1)/2)/(n₊ n₋); several classes: mean of "
        "one-vs-rest",
        "chance that a sample of a class is ranked above one of another; mean over the folds",
        function="area_under_roc",
        cite="Fawcett (2006), An introduction to ROC analysis. *Pattern Recognition Letters* 27, "
        "861–874.",
        of_beliefs=ranks.auc_of, of_pairs=ranks.pairs_of, chance_of=chance_half, covered=True,
        decide="balanced", tune=BALANCED_LOG_SCORE, short="AUC", title="AUC", of_order=True,
    ),
    Metric(
        "auprc", "area under the precision-recall curve",
        "average precision, averaged over all classes (over both, with two)",
        "average precision, averaged over the classes; in a study, of all folds pooled",
        function="area_under_pr",
        of_beliefs=ranks.auprc_of, chance_of=chance_average_precision, title="AUPRC",
        of_order=True,
    ),
    Metric(
        "mcc", "Matthews correlation", "Matthews correlation; several classes: Gorodkin's R_K",
        "correlation of predicted and true class, −1 to 1",
        function="matthews",
        cite="Gorodkin (2004), Comparing two K-category assignments by a K-category correlation "
        "coefficient. *Computational Biology and Chemistry* 28, 367–374.",
        of_confusion=cells.mcc_of, chance_of=chance_zero, least=-1.0, covered=True,
        every_class=True, tune=BALANCED_LOG_SCORE,
    ),
    Metric(
        "bcm", "belief confusion metric",
        "(1/C) Σ_k mean over class k of P(class k given x)",
        "mean probability given to the true class, by class",
        function="belief_confusion_metric",
        of_beliefs=beliefs.bcm_of, of_samples=beliefs.own_beliefs, balanced=True,
        chance_of=chance_share, covered=True, decide="balanced", tune=BALANCED_LOG_SCORE,
        title="Belief confusion",
    ),
    Metric(
        "ccem", "correct-class enrichment",
        "(1 + (Σ winning probability of right predictions − Σ of wrong ones)/n)/2",
        "confidence when right, less confidence when wrong",
        function="correct_class_enrichment",
        of_beliefs=beliefs.ccem_of, of_samples=beliefs.enrichment_values, covered=True,
        title="Correct class enrichment",
    ),
    Metric(
        "brier", "Brier score",
        "mean of Σ_k (P(class k given x) − [k is its class])²/2; of two classes (p − y)²",
        "mean squared error of the probabilities; lower is better",
        function="brier_score",
        cite="Brier (1950), Verification of forecasts expressed in terms of probability. "
        "*Monthly Weather Review* 78, 1–3.",
        direction=-1, of_beliefs=beliefs.brier_of, of_samples=beliefs.squared_errors,
        varies="squares", chance_of=chance_brier, covered=True, head="Brier",
    ),
    Metric(
        "scaled_brier", "scaled Brier score",
        "1 − Brier/((1 − Σ π²)/2), π the class shares of the samples judged",
        "relative reduction of the class shares' squared error",
        function="scaled_brier_score",
        cite="Steyerberg et al. (2010), Assessing the performance of prediction models. "
        "*Epidemiology* 21, 128–138.",
        of_beliefs=beliefs.scaled_brier_of, of_samples=beliefs.squared_errors, varies="squares",
        scaled_by=beliefs.shares_brier, chance_of=chance_zero, least=-math.inf, covered=True,
        head="Scaled Brier",
    ),
    loss_metric(),
)  # fmt: skip

METRICS: dict[str, Metric] = {row.name: row for row in _ROWS}


# Criteria of the inner loop that are made of metrics, and what people call them.
COMBINED_CRITERIA: dict[str, str] = {
    "auc_ratio": "mean(AUC)/(sd(AUC)+.01)",
    "bcm_ccem_auprc": "mean of AUPRC, belief confusion metric and correct-class enrichment",
    LOG_SCORE: "logarithmic score",
    BALANCED_LOG_SCORE: "balanced logarithmic score",
}
CRITERIA = (*METRICS, *COMBINED_CRITERIA)
CRITERION_BELIEFS: dict[str, Kind] = {
    "auc_ratio": "order",
    "bcm_ccem_auprc": "proba",
    LOG_SCORE: "proba",
    BALANCED_LOG_SCORE: "proba",
}


def required_beliefs(criterion: str) -> Kind:
    """The least that a metric or criterion needs to know of samples."""
    return (
        CRITERION_BELIEFS[criterion] if criterion in CRITERION_BELIEFS else METRICS[criterion].asks
    )


def kind_suffices(known: Kind, required: Kind) -> bool:
    """Whether what is known of samples is enough for what is required.

    Examples
    --------
    >>> kind_suffices("order", "labels"), kind_suffices("order", "proba")
    (True, False)
    """
    return BELIEF_KINDS.index(known) >= BELIEF_KINDS.index(required)


def criterion_label(name: str) -> str:
    """What people call a criterion of the inner loop."""
    return COMBINED_CRITERIA[name] if name in COMBINED_CRITERIA else metric_row(name).label


def is_gain(criterion: str) -> bool:
    """Whether 0 of a criterion of the inner loop is what predicts without any feature, so that it
    is a gain; of a logarithmic score that is subtracted."""
    row = NUMBER_METRICS.get(criterion)
    return criterion in LOG_SCORES or (row is not None and row.chance_value == 0.0)


def metric_row(name: str) -> Metric | NumberMetric:
    """The metric of a short name, of classes or of a number; they share no name."""
    return METRICS[name] if name in METRICS else NUMBER_METRICS[name]


def get_metric(metric: str | Metric) -> Metric:
    """The metric of a short name; a `Metric` is returned as it is.

    Raises
    ------
    PlanError
        No metric has this name.
    """
    if isinstance(metric, Metric):
        return metric
    if metric not in METRICS:
        raise PlanError(f"no metric is called {metric!r}: {nearest_hint(metric, METRICS)}")
    return METRICS[metric]
