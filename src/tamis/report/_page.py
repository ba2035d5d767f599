"""What the page of a study is drawn from: one dictionary a section, words and numbers as text."""

from __future__ import annotations

from typing import TypedDict

from ..plotting._axes import Series
from ..plotting.chosen_places import PlacesPicture
from ..plotting.cost_curve import OperatingPoint
from ..plotting.distribution import DistributionPicture
from ..plotting.frequency import ChosenShares
from ..plotting.intervals import IntervalsPicture
from ..plotting.learning_curve import CurvePicture
from ..plotting.number_scatter import PairsPicture
from ..plotting.permutations import PermutedRuns
from ..plotting.risk_coverage import Decided
from ..plotting.sizes import SizePicture
from ..study.results.curve_schema import RejectionPoint
from ..study.results.schema import Warned
from ._blocks import Section
from ._coverage import DeclinedView
from ._number_fit import FitView
from ._table import Cell, TableView


class Card(TypedDict):
    """The number to quote."""

    name: str
    value: str
    undefined: bool
    interval: str
    note: str


class FoundView(TypedDict):
    """Held-out samples of a class that were classified correctly."""

    label: str
    count: str
    least: str


class TopView(TypedDict):
    """The first features of the signature."""

    rows: list[list[Cell]]  # name, class with the highest mean, difference, share
    several: bool  # more than two classes
    heads: tuple[str, str]  # of the two middle columns
    note: str
    more: str
    parts: str


class HeadlineView(TypedDict):
    """The first screen, and every metric."""

    card: Card
    found: list[FoundView]
    top: TopView | None
    sentences: list[str]
    lines: list[tuple[str, str]]
    estimated: str
    declined: DeclinedView | None
    table: TableView


class MethodsView(TypedDict):
    """Methods side by side."""

    several: bool  # to choose from; else the page does not show them

    table: TableView
    spread: TableView
    chart: IntervalsPicture
    explanation: str
    differences: bool
    optimistic: bool
    notes: list[str]


class SizesView(TypedDict):
    """Score by number of features."""

    titles: list[str]  # of the charts

    charts: list[SizePicture]
    metric: str
    chosen_by: str
    note: str
    table: TableView


class LearningView(TypedDict):
    """Score by number of training samples."""

    metric: str
    sentence: str
    chart: CurvePicture
    table: TableView


class CurvesView(TypedDict):
    """ROC, precision and recall, calibration, decision curves."""

    titles: dict[str, str]  # what each shows

    charts: dict[str, list[Series]]
    prevalence: float | None
    several: bool
    positive: str
    methods: list[str]
    headline: bool
    ordered: bool
    note: str
    threshold: float | None
    constant: float | None
    chosen: list[float]  # thresholds that training sets learnt
    calibration: str  # slope and index of the headline, in words


class MatrixLine(TypedDict):
    """What predicting a class costs, by the true one."""

    label: str
    cells: list[str]


class CostsView(TypedDict):
    """What errors cost."""

    classes: list[str]
    matrix: list[MatrixLine]
    said: list[str]
    origin: str
    sentences: list[str]
    table: TableView
    chart: list[Series]
    operating: OperatingPoint | None
    note: str


class RejectionView(TypedDict):
    """Whom to decline."""

    sentences: list[str]
    table: TableView
    full: TableView
    chart: list[Series]
    decided: Decided
    points: list[RejectionPoint]
    shares: list[float]


class ConfusionCell(TypedDict):
    """Samples of a true class, predicted as one or declined."""

    text: str
    share: str
    right: bool
    shade: int


class ConfusionRow(TypedDict):
    """A predicted class, or the samples declined."""

    label: str
    cells: list[ConfusionCell]


class ConfusionView(TypedDict):
    """Predicted by true class."""

    classes: list[str]
    rows: list[ConfusionRow]
    declined: bool
    repeated: bool  # counts are means over repeats


class FilterLine(TypedDict):
    """A feature under one filter."""

    filter: str
    score: str
    p: str
    rank: str


class LevelsView(TypedDict):
    """Shares of all levels in the classes."""

    classes: list[str]
    rows: list[tuple[str, list[str]]]


class FeatureView(TypedDict):
    """One feature by itself."""

    id: str
    rank: int
    name: str
    chosen: str
    chart: DistributionPicture | None
    scatter: PairsPicture | None  # of a number
    scores: list[FilterLine]
    levels: LevelsView | None
    number_words: list[str]


class FinalView(TypedDict):
    """The saved model; a label where there are several methods."""

    label: str
    names: list[str]
    size: str
    model: str
    params: str
    decision: str
    intervals: str
    path: str


class FeaturesView(TypedDict):
    """The features chosen."""

    table: TableView
    n: str
    shown: str
    total: str
    chart: ChosenShares
    each: list[FeatureView]
    detailed: bool
    ranked: str
    positive: str
    logs: str
    beside: str
    drawn: str
    final: FinalView | None
    linked: bool
    grouped: bool


class PlacesView(TypedDict):
    """Where chosen variants are."""

    n: str
    chart: PlacesPicture
    methods: list[tuple[str, PlacesPicture]]
    note: str
    gathered: bool


class FilteredView(TypedDict):
    """A method with and without a step of quality control."""

    title: str
    said: list[str]
    scores: TableView
    left_out: TableView


class Fact(TypedDict):
    """A number of stability with what it means."""

    name: str
    help: str
    value: str


class StabilityView(TypedDict):
    """How stable the selection is."""

    title: str

    cards: list[Fact]
    verdict: str
    note: str
    table: TableView


class PermutationView(TypedDict):
    """The permuted runs."""

    title: str

    chart: PermutedRuns
    design: str
    outer: str
    n: str
    p: str
    floor: str
    without: str
    other_design: bool  # than that of the headline
    note: str
    table: TableView


class FoldsView(TypedDict):
    """The outer folds."""

    table: TableView
    n: str
    note: str


class ClassLine(TypedDict):
    """A class of the data."""

    label: str
    n: str
    share: str
    positive: bool


class DataView(TypedDict):
    """The table and the protocol."""

    facts: list[tuple[str, str]]
    classes: list[ClassLine]
    notes: list[str]
    digest: str
    versions: list[tuple[str, str]]
    plan: str


class CitationLink(TypedDict):
    """A reference with its address."""

    key: str
    text: str
    url: str


class FileLink(TypedDict):
    """A file beside the page."""

    title: str
    file: str
    href: str


class Page(TypedDict):
    """Everything that the page says."""

    title: str
    subtitle: str
    procedure: str
    headline: HeadlineView
    warnings: list[Warned]
    methods: MethodsView
    sizes: SizesView | None
    learning: LearningView | None
    curves: CurvesView | None
    fit: FitView | None
    costs: CostsView | None
    rejection: RejectionView | None
    confusion: ConfusionView | None
    features: FeaturesView
    places: PlacesView | None
    filtered: list[FilteredView]
    evidence: list[Section]
    stability: StabilityView
    permutation: PermutationView | None
    folds: FoldsView
    data: DataView
    methods_text: str
    citations: list[CitationLink]
    files: list[FileLink]
    version: str
