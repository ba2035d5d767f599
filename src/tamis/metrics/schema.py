"""What tests of methods over data sets and calibration come to, as JSON has it."""

from __future__ import annotations

from typing_extensions import TypedDict


class Friedman(TypedDict):
    """Friedman's test, as chi-squared and as Iman and Davenport's F (None: infinite)."""

    ties: str
    chi2: float
    df: int
    p_value: float
    F: float | None
    df1: int
    df2: int
    F_p_value: float


class Critical(TypedDict):
    """The critical difference of the Nemenyi test."""

    alpha: float
    q: float
    value: float


class RankedPair(TypedDict):
    """Two methods, the better ranked first; data sets on which it is better, equal, worse."""

    first: str
    second: str
    above: int
    on: int
    below: int
    rank_difference: float
    different: bool


class SignedRanks(TypedDict):
    """Wilcoxon's test of two methods."""

    statistic: float
    p_value: float


class RankTests(TypedDict):
    """Ranks over data sets and what tests say of them."""

    methods: list[str]
    datasets: list[str]
    higher_is_better: bool
    scores: list[list[float]]
    ranks: list[list[float]]
    average_ranks: list[float]
    friedman: Friedman
    friedman_corrected: Friedman
    alpha: float
    critical_differences: list[Critical]
    groups: list[list[str]]
    pairs: list[RankedPair]
    wilcoxon: SignedRanks | None
    by_source: RankTests | None


class WinLoss(TypedDict):
    """Significant wins and ties of every method against every other."""

    methods: list[str]
    datasets: list[str]
    alpha: float
    corrected: bool
    wins: list[list[int]]
    ties: list[list[int]]
    undefined: int


class DifferenceContent(TypedDict):
    """A `Difference`; None where undefined."""

    mean: float | None
    low: float | None
    high: float | None
    p_value: float | None


class RankedMethod(TypedDict):
    """A method in a diagram of ranks."""

    name: str
    rank: float


class RankDiagram(TypedDict):
    """What `tamis.plotting.critical_difference` draws."""

    methods: list[RankedMethod]
    groups: list[list[str]]
    critical_difference: float
    alpha: float
    n_sets: int


class CalibrationIndex(TypedDict):
    """The integrated calibration index, and what it would be of perfect probabilities."""

    mean: float | None
    perfect: dict[str, float | None]  # mean, and in 95 of 100 such samples from low to high
    note: str


class Calibration(TypedDict):
    """How far probabilities mean what they say."""

    slope: dict[str, float | str | None]
    index: CalibrationIndex


class NumberPoint(TypedDict):
    """A sample whose value is known."""

    sample: str
    observed: float
    predicted: float  # of held-out samples the mean over repeats
