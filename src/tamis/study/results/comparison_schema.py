"""What comparisons hold (docs/methods/comparison.md): the dictionaries of `to_dict()`, of which
page and JSON are drawn; of methods over data sets, and of studies of one table."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from ...metrics.schema import RankTests, WinLoss
from .plan_schema import SplitContent
from .schema import Costs, Ends, Estimate, Permutation

SCHEMA = 1


class ComparedData(TypedDict):
    """A data set and its study."""

    name: str
    folder: str
    source: str | None
    digest: str
    n_samples: int
    n_features: int
    classes: list[str]
    outer: str
    repeats: int
    tuned_on: str


class ComparedMethod(TypedDict):
    """A method, or the headline."""

    name: str
    average_rank: float
    mean_score: float
    best_on: int


class LeftOut(TypedDict):
    """A method that is not in all studies."""

    name: str
    missing_in: list[str]


class RankedScore(Ends):
    """A method's score on a data set."""

    dataset: str
    method: str
    rank: float
    note: NotRequired[str]  # why there is none, or no interval


class SetDifference(Ends):
    """Two methods on one data set: the first's score less the second's."""

    dataset: str
    first: str
    second: str
    p_value: float | None


class ComparisonContent(TypedDict):
    """A comparison of studies."""

    schema: int
    versions: dict[str, str]
    metric: str
    alpha: float
    datasets: list[ComparedData]
    methods: list[ComparedMethod]
    left_out: list[LeftOut]
    scores: list[RankedScore]
    ranks: RankTests
    win_loss: WinLoss
    win_loss_corrected: WinLoss
    differences: list[SetDifference]
    remarks: list[str]


class ComparedTable(TypedDict):
    """The table that several studies are of."""

    name: str
    n_samples: int
    n_features: int
    classes: list[str]


class ComparedStudy(Ends):
    """A study, with the score of its full procedure."""

    name: str
    folder: str
    methods: list[str]
    outer: str
    repeats: int
    seed: int | None
    n_groups: int | None
    tuned_on: str
    mean_size: float | None  # features that an outer training set chose, on average
    nogueira: float | None  # as the study shows it
    nogueira_in: str  # the folds that it is of


class StudyPair(Ends):
    """Two studies, the one with the better score first: its score less the other's."""

    first: str
    second: str
    n_folds: int  # in which both have a score; 0 where their folds differ
    p_value: float | None
    p_holm: float | None
    different: bool | None  # at alpha, by `p_holm`; None: not tested
    note: str  # why there is no interval, or nothing


class PlansContent(TypedDict):
    """Studies of one table compared."""

    schema: int
    kind: Literal["plans"]
    versions: dict[str, str]
    metric: str
    higher_is_better: bool
    alpha: float
    data: ComparedTable
    studies: list[ComparedStudy]
    pairs: list[StudyPair]
    remarks: list[str]


class ReadRejection(TypedDict):
    """Of a study's `Rejection` what is read."""

    full: dict[str, Estimate]


class ReadStability(TypedDict):
    """Of a study's `Stability`."""

    mean_size: float | None
    nogueira: Ends


class ReadProcedure(TypedDict):
    """Of a procedure."""

    rejection: NotRequired[ReadRejection]
    stability: ReadStability


class ReadFold(TypedDict):
    """Of a study's `FoldEntry`."""

    method: str
    size: int | None


class ReadHeadline(ReadProcedure):
    """Of a study's `Headline`."""

    folds: list[ReadFold]


class ReadMethod(ReadProcedure):
    """Of a study's `MethodEntry`."""

    name: str
    reference: bool
    metrics: dict[str, Estimate]
    n_possible: int


class ReadData(TypedDict):
    """Of a study's `DataSection`."""

    name: str
    digest: str
    values: str
    n_samples: int
    n_features: int
    classes: list[str]
    n_groups: int | None


class ReadProtocol(TypedDict):
    """Of a study's `Protocol`."""

    outer: str
    inner: str
    repeats: int
    metric: str


class NamedMethod(TypedDict):
    """A method of a plan."""

    name: str


class ReadPlan(TypedDict):
    """Of a study's plan."""

    response: NotRequired[str]  # "class" of earlier versions
    method: list[NamedMethod]
    outer: SplitContent
    seed: int


class ReadStudy(TypedDict):
    """Of ``results.json`` what a comparison reads."""

    metrics: dict[str, Estimate]
    headline: ReadHeadline
    methods: list[ReadMethod]
    permutation: Permutation
    data: ReadData
    protocol: ReadProtocol
    plan: ReadPlan
    costs: NotRequired[Costs]
