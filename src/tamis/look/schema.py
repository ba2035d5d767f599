"""What ``look.json`` of a look at a table holds."""

from __future__ import annotations

from typing import Any, TypedDict

from ..genome.quality.quality_schema import QualityNumbers, QualityPicture
from ..genome.structure.relatives_schema import RelativesNumbers


class Named(TypedDict):
    """How many samples or columns have a name."""

    name: str
    n: int


class GroupsSeen(TypedDict):
    """What rows that belong together are like."""

    n: int
    largest: int
    single: int  # groups of one row
    several_classes: int  # groups that hold more than one


class BatchSeen(TypedDict):
    """A batch, and its samples of each class."""

    name: str
    n: int
    classes: list[int]


class CategoriesSeen(TypedDict):
    """A column of categories."""

    name: str
    covariate: bool
    levels: int
    commonest: str
    share: float | None  # of the values that are the commonest
    missing: float


class Quantiles(TypedDict):
    """Least, quartiles and largest of some numbers."""

    low: float
    q1: float
    median: float
    q3: float
    high: float


class Histogram(TypedDict):
    """How many there are in intervals of one width; what is below and above is in the ends."""

    start: float
    step: float
    counts: list[int]


class ValuesSeen(TypedDict):
    """Numbers of a block, or of all columns where there are no blocks (then `block` is empty)."""

    block: str
    columns: int  # of them numbers
    kind: str  # a key of `value_kinds.KINDS`
    text: str
    values: Quantiles | None  # quartiles of some of the values; least and largest of all
    columns_mean: Quantiles | None  # of the means of columns
    columns_sd: Quantiles | None
    scale: str  # of the histogram: a key of `value_kinds.SCALES`
    histogram: Histogram | None
    step: str  # of a plan, that takes their logarithms, where it is clear which; else empty
    unclear: bool  # whether the user has to say what the numbers are


class ShareSeen(TypedDict):
    """A column or sample, and how many of its values are missing."""

    name: str
    n: int
    share: float


class UnlikeSeen(TypedDict):
    """A column with values missing unlike in the classes."""

    name: str
    p: float
    shares: list[float]  # by class


class MissingSeen(TypedDict):
    """Values that are missing."""

    values: int
    share: float
    columns: int  # with any
    samples: int
    by_class: list[ShareSeen]
    worst_columns: list[ShareSeen]
    worst_samples: list[ShareSeen]
    tested: int
    unlike: int  # columns, after Bonferroni's correction at 5 %
    most_unlike: list[UnlikeSeen]
    column_histogram: Histogram | None
    sample_histogram: Histogram | None


class KindSeen(TypedDict):
    """Columns of one kind, the first of them by name."""

    kind: str
    n: int
    names: list[str]


class CopiesSeen(TypedDict):
    """Columns that tell the same."""

    n: int
    names: list[str]  # the first of them
    least_r: float  # the smallest absolute correlation that links two; 1 of categories
    categories: bool


class ColumnsSeen(TypedDict):
    """What columns are, and which tell the same as others."""

    kinds: list[KindSeen]
    categories: list[CategoriesSeen]
    threshold: float | None  # of the absolute correlation; None: too few samples to tell copies
    copies: int  # columns besides one of each set
    sets: int
    largest_sets: list[CopiesSeen]


class PairSeen(TypedDict):
    """Two samples that are alike, by the cosine of their standardised values."""

    samples: list[str]
    cosine: float
    classes: list[str]
    groups: list[str]
    batches: list[str]


class RowsSeen(TypedDict):
    """Samples that repeat others."""

    equal: list[list[str]]  # sets of samples with the same values, the first of them
    equal_rows: int  # rows besides one of each set
    near: list[list[str]]  # sets of nearly equal ones, the first of them
    near_sets: int
    closest: list[PairSeen]


class SampleSeen(TypedDict):
    """A sample's numbers: their quartiles, and the 5 % and 95 % quantiles as ends."""

    name: str
    label: str
    batch: str
    box: Quantiles


class ApartSeen(TypedDict):
    """A sample whose median lies far from those of the others, in robust standard deviations."""

    name: str
    median: float
    deviations: float


class SamplesSeen(TypedDict):
    """Samples side by side, of which many are thinned."""

    of: int
    columns: int  # that quantiles are taken of
    scale: str  # a key of `value_kinds.SCALES`
    boxes: list[SampleSeen]
    apart: list[ApartSeen]


class ComponentSeen(TypedDict):
    """A principal component: its share of the variance, and of that what labels account for."""

    share: float
    by_class: float | None
    by_batch: float | None


class ScatterPicture(TypedDict):
    """Samples on two components, as `plotting.component_scatter` draws them."""

    classes: list[str]
    samples: list[list[Any]]


class ComponentsSeen(TypedDict):
    """Principal components of standardised columns."""

    samples: int  # that they are of
    columns: int
    components: list[ComponentSeen]
    by_class: ScatterPicture
    by_batch: ScatterPicture | None


class Remark(TypedDict):
    """One line with its code."""

    code: str
    text: str


class SuspectSeen(TypedDict):
    """Columns that may be a leak (`tamis.data.leak_detection`)."""

    kind: str
    columns: list[str]
    text: str
    advice: str
    grave: bool


class NumberSeen(TypedDict):
    """Values of the number to predict, or their logarithms."""

    low: float
    median: float
    high: float


class Seen(TypedDict):
    """What a look at a table and one at a cohort have."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]
    command: str  # that a study is run with
    name: str
    samples: int
    target: str | None
    number: NumberSeen | None  # of a number to predict; `classes` are then its thirds
    positive: str | None
    classes: list[Named]
    groups: GroupsSeen | None
    batches: list[BatchSeen]
    split: list[Named]
    covariates: list[str]
    suspects: list[SuspectSeen]
    cautions: list[Remark]
    notes: list[str]


class LookContent(Seen):
    """Of a table."""

    features: int
    blocks: list[Named]
    values: list[ValuesSeen]
    missing: MissingSeen
    columns: ColumnsSeen
    rows: RowsSeen
    by_sample: SamplesSeen
    components: ComponentsSeen | None


class CohortContent(Seen):
    """Of genotypes."""

    variants: int
    chromosomes: list[Named]  # variants of each, in the order of the files
    called: float  # share of the calls that are there
    quality: QualityNumbers
    relatives: RelativesNumbers | None  # None where there is nothing to look at
    remarks: list[str]  # on relatives and populations
    components: ComponentsSeen | None
    picture: QualityPicture
