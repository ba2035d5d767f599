"""What `results.json` of a study holds (docs/json.md): the one place that types it.

The page, the summary on the terminal, the tables and comparisons are drawn from this dictionary.
Numbers that are undefined are None; a metric goes by its short name, a class by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired, cast

from typing_extensions import TypedDict

from ...metrics.estimates import Coverage
from ...metrics.schema import Calibration
from .columns_schema import FilteredPair, IntervalsKept, MissingByClass, Place, Places
from .curve_schema import Curves, RejectionPoint
from .evidence_schema import Interactions
from .number_schema import NumberFit, NumberRelation, NumberSummary
from .plan_schema import PlanContent

SCHEMA = 3
MODEL_NAME = "model.npz"  # the final model, in the folder of a study

__all__ = ["SCHEMA", "Coverage", "StudyContent"]


class Estimate(TypedDict):
    """A score of held-out predictions and its 95 % interval."""

    mean: float | None
    low: float | None
    high: float | None
    note: NotRequired[str]  # why one of them is undefined


class DataSection(TypedDict):
    """The table."""

    name: str
    digest: str
    values: str  # the digest of values and labels, whatever role columns have
    n_samples: int
    n_features: int
    target: str
    classes: list[str]  # the positive one last
    counts: dict[str, int]
    n_missing: int
    n_categorical: int
    n_groups: int | None
    covariates: list[str]
    notes: list[str]
    outcome: NotRequired[NumberSummary]  # of a number, which has no classes
    n_batches: NotRequired[int]
    blocks: NotRequired[dict[str, int]]  # name -> features, of several tables joined


class StudyRecord(DataSection):
    """``data.json`` as this version writes it."""

    versions: dict[str, str]
    code: NotRequired[dict[str, dict[str, str | None]]]


class Protocol(TypedDict):
    """How it was studied."""

    outer: str
    inner: str
    repeats: int
    permutations: int
    metric: str
    n_fits: int


class Spread(TypedDict):
    """A number over the permuted runs."""

    median: float
    least: float
    most: float
    n: int


class Chance(TypedDict):
    """A metric where there is nothing to find."""

    theory: float | None
    permuted: Spread | None


class Repeatability(TypedDict):
    """Nogueira's measure in the design of the permuted runs."""

    observed: float | None
    values: list[float | None]
    median: float | None
    most: float | None
    excess: float | None
    above: bool | None  # None: no verdict


class Permutation(TypedDict):
    """The permuted runs beside the run with true labels of the same design."""

    metric: str
    outer: str
    outer_short: str
    observed: float | None
    values: list[float | None]
    p_value: float | None
    n: int
    stability: Repeatability
    crossed: NotRequired[bool]  # labels of groups in several batches were drawn given these
    moved: NotRequired[float]  # with batches: of what free permutation would move, how much moved
    shifted: NotRequired[float]  # of the class shares, where that leaves no p-value


class Ends(TypedDict):
    """A number with its interval."""

    mean: float | None
    low: float | None
    high: float | None


class Stability(TypedDict):
    """How alike the selections of the training sets are."""

    asm: float | None
    nogueira: Ends
    jaccard: float | None
    common: int
    mean_size: float | None
    n_sets: int
    undefined_pairs: int


class FoldEntry(TypedDict):
    """What the headline procedure chose in an outer training set; beside it each of `METRICS`
    there, by its short name, which `fold_score` gives."""

    repeat: int | str
    fold: int | str
    method: str
    classify: str
    params: dict[str, object]
    size: int
    own: bool  # the size is the ranking's own
    inner: float | None
    threshold: NotRequired[float]  # of the probability of the positive of two classes
    coverage: float


def fold_score(fold: FoldEntry, metric: str) -> float | None:
    """A metric of an outer fold by its short name."""
    return cast(Mapping[str, float | None], fold).get(metric)


class BlockShare(TypedDict):
    """How many features of a block the training sets chose, and the final model."""

    mean: float
    least: int
    most: int
    final: int | None


class Rejection(TypedDict):
    """What declining samples came to."""

    error: Estimate  # error rate of those given a class
    declined_error: Estimate  # of those declined, by the best guess
    full_error: Estimate  # of all
    full: dict[str, Estimate]  # metrics of labels, of all
    shares: list[float | None]  # declined of those held out inside, by training set
    area: float  # AURC, by standing
    least_area: float
    points: list[RejectionPoint]


class Headline(TypedDict):
    """The procedure that picks method and grid point by inner score."""

    winners: dict[str, int]
    alone: bool
    uneven: float
    confusion: list[list[float]]  # rows predicted, columns true, of what was not declined
    declined: list[float]  # of each true class
    coverage: Coverage
    curves: Curves
    calibration: NotRequired[Calibration | None]  # None without probabilities
    stability: Stability
    folds: list[FoldEntry]
    cost_by_class: NotRequired[dict[str, float | None]]  # mean cost of a sample of the class
    fit: NotRequired[NumberFit]  # of a number
    blocks: NotRequired[dict[str, BlockShare]]
    rejection: NotRequired[Rejection]


class SizePoint(TypedDict):
    """A size, or the ranking's own, with its mean inner and its outer score."""

    size: float
    own: bool
    inner: float | None
    outer: float | None


class Difference(TypedDict):
    """A method less the best one over the outer folds."""

    against: str
    mean: float | None
    low: float | None
    high: float | None
    p_value: float | None


class MeanDeviation(TypedDict):
    """Of a metric over the outer folds."""

    mean: float | None
    sd: float | None


class InteractionChance(TypedDict):
    """The interactions of models in the design of the permuted runs."""

    size: float  # of a training set, on average, with the true labels
    sizes: list[float]  # the same in each permuted run
    repeatability: Repeatability


class ModelInteractions(Interactions):
    """Those of the chosen models, of which at most `kept` of `most` are kept of one."""

    most: int
    kept: int
    permuted: NotRequired[InteractionChance]


class EvidenceEntries(TypedDict):
    """What a method shows beside its scores, where there is any."""

    evidence: NotRequired[dict[str, dict[str, object]]]  # by kind, which plug-ins may add to
    interactions: NotRequired[ModelInteractions]


class MethodEntry(EvidenceEntries):
    """A method of the plan."""

    name: str
    select: str
    classify: list[str]
    label: str
    reference: bool  # shown beside the others, never chosen
    metrics: dict[str, Estimate]
    coverage: Coverage
    chance: dict[str, Chance]
    sizes: list[int]
    n_possible: int  # features that it could choose from
    stability: Stability
    repeatability: Repeatability
    size_curve: list[SizePoint]
    optimistic: float | None
    difference: Difference | None
    curves: Curves
    calibration: NotRequired[Calibration | None]
    cost_by_class: NotRequired[dict[str, float | None]]
    rejection: NotRequired[Rejection]
    fit: NotRequired[NumberFit]
    per_fold: dict[str, MeanDeviation]
    warnings: list[str]  # codes


class Near(TypedDict):
    """A near-duplicate."""

    name: str
    r: float


class Distribution(TypedDict):
    """Of a numeric feature in one class."""

    n: int
    min: float | None
    q1: float | None
    median: float | None
    q3: float | None
    max: float | None
    points: list[float]


class FilterScore(TypedDict):
    """A feature under one filter, on all samples."""

    score: float | None
    p_value: float | None
    fdr: NotRequired[float | None]  # Benjamini and Hochberg's, over all features
    rank: int


Shares = dict[str, dict[str, float | None]]  # class -> level -> share of the values


class FeatureEntry(TypedDict):
    """A feature that was chosen."""

    name: str
    frequency: float
    by_method: dict[str, float]
    in_final: bool
    group: list[Near]
    group_size: int
    group_frequency: float  # share of the outer folds that chose any of the group
    class_means: dict[str, float | None] | None
    class_shares: Shares | None
    missing: float
    missing_counts: dict[str, int]
    numbers: NotRequired[dict[str, dict[str, float]]]  # title -> method -> number
    block: NotRequired[str]
    place: NotRequired[Place]
    missing_p: NotRequired[float | None]  # of equally many missing values in all classes
    kind: NotRequired[Literal["categorical", "numeric"]]
    distribution: NotRequired[dict[str, Distribution] | Shares]
    relation: NotRequired[NumberRelation]
    scores: NotRequired[dict[str, FilterScore]]


class Final(TypedDict):
    """The model that is saved."""

    method: str
    title: str
    classify: str
    params: dict[str, object]
    size: int
    own: bool
    recalibrate: str
    decide: str
    reject: NotRequired[str]  # the rule about whom to decline
    recalibrated: NotRequired[str]  # what the recalibration learnt, in words
    decided: NotRequired[str]  # what they learnt, in words
    features: list[str]
    coefficients: NotRequired[list[float | None]]  # beside `features`, of a linear model
    intervals: NotRequired[IntervalsKept]  # prediction intervals of a number
    path: str


class Warned(TypedDict):
    """A caution."""

    code: str
    text: str


class Citation(TypedDict):
    """A reference."""

    key: str
    text: str


class TableFile(TypedDict):
    """A table beside the page."""

    file: str
    title: str


class ConstantChoice(TypedDict):
    """The cheapest prediction that looks at nothing."""

    predicted: str
    loss: float


class Costs(TypedDict):
    """What errors cost in this study."""

    matrix: list[list[float]] | None  # rows predicted, columns true; None if samples have their own
    columns: list[str]  # of the table, that hold samples' own costs
    origin: Literal["plan", "class_sizes"]
    threshold: float | None  # p* of two classes
    x: float | None  # their place on a cost curve
    constant: ConstantChoice
    constant_given: NotRequired[ConstantChoice]  # of those given a class, where some were declined


class ErrorsTogether(TypedDict):
    """A score by the bootstrap .632+, and what it is made of; all but the last two as scores."""

    estimate: float | None
    apparent: float | None  # learnt from all samples, judged on them
    left_out: float | None  # of each sample by the bootstrap samples without it
    no_information: float | None
    overfitting: float | None  # R
    weight: float | None  # of `left_out`


class BootstrapEstimate(TypedDict):
    """The bootstrap .632+ estimate of the full procedure, beside the headline."""

    n_samples: int  # bootstrap samples
    share: float  # different samples of the study in one, as a share, on average
    never_left_out: int  # samples that none of them leaves out
    metrics: dict[str, ErrorsTogether]


class CurvePoint(Estimate):
    """The score of the full procedure that learns from fewer samples."""

    share: float  # of the samples of an outer training set
    n_train: float  # samples learnt from, on average


class LastStep(TypedDict):
    """The score at all training samples less that at the largest share below."""

    mean: float | None
    low: float | None
    high: float | None
    p_value: float | None
    verdict: Literal["better", "worse", "no evidence"] | None  # None: no interval


class LearningCurve(TypedDict):
    """Score against training samples, on the same outer test sets."""

    metric: str
    points: list[CurvePoint]
    last: LastStep


class Scored(TypedDict):
    """What is computed from the predictions: the numbers of every procedure."""

    metrics: dict[str, Estimate]
    recalls: dict[str, Estimate]
    chance: dict[str, Chance]
    permutation: Permutation
    headline: Headline
    methods: list[MethodEntry]


class StudyFindings(Scored):
    """All that a study found, before it is judged and reported."""

    schema: int
    versions: dict[str, str]
    data: DataSection
    plan: PlanContent
    protocol: Protocol
    features: list[FeatureEntry]
    n_selected: int
    final: Final | None
    bootstrap: NotRequired[BootstrapEstimate]
    learning_curve: NotRequired[LearningCurve]
    costs: NotRequired[Costs]
    places: NotRequired[Places]
    missing_by_class: NotRequired[MissingByClass]
    filtered: NotRequired[list[FilteredPair]]


class StudyContent(StudyFindings):
    """``results.json``."""

    warnings: list[Warned]
    methods_text: str
    citations: list[Citation]
    tables: list[TableFile]
    labels: NotRequired[dict[str, str]]  # symbols of the features that are named above
