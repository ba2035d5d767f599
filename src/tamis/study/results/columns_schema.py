"""What `results.json` of a study holds where its table says more of columns than their values, or
where methods differ by a step that filters them (`schema` has all else)."""

from __future__ import annotations

from typing_extensions import TypedDict


class Place(TypedDict):
    """Where a feature is, and what its values count."""

    chromosome: str | None  # None: unknown, and so is the position
    position: int | None
    counted: str  # the allele whose copies are counted
    other: str


class ChromosomeEntry(TypedDict):
    """A chromosome, and the features on it that selection could choose from."""

    name: str
    first: int  # position
    last: int
    n: int


class PlacedFeatures(TypedDict):
    """Features that were chosen, most often by the headline first: one list a column."""

    name: list[str]
    chromosome: list[int]  # number among the chromosomes; -1: unknown
    position: list[int]
    frequency: list[float]  # share of the outer folds, of the headline
    by_method: dict[str, list[float]]
    in_final: list[bool]


class Places(TypedDict):
    """Where the features are that any method, the headline or the final model chose."""

    chromosomes: list[ChromosomeEntry]
    n_chosen: int  # of which `features` has ten thousand at most
    features: PlacedFeatures


class UnlikeShare(TypedDict):
    """Features that a procedure chose, and those of them whose values are missing unlike."""

    chosen: int
    unlike: int


class MissingByClass(TypedDict):
    """Features whose values are missing more in one class, at a false discovery rate of 5 % among
    all, by all samples."""

    tested: int
    unlike: int
    largest: float | None  # p of those
    unguarded: UnlikeShare  # of the headline and the final model, where no step looks for such
    methods: dict[str, UnlikeShare]


class KeptFeatures(TypedDict):
    """How many features a step keeps in outer training sets."""

    least: int
    mean: float
    most: int
    n_parts: int


class LeftOut(TypedDict):
    """Features that a step leaves out of all samples, each for the first reason that applies."""

    reason: str
    n: int


class PairedDifference(TypedDict):
    """The method with the step less the one without, over the outer folds, nobody declined."""

    mean: float | None
    low: float | None
    high: float | None
    p_value: float | None


class FilteredPair(TypedDict):
    """Two methods that differ by a step that chooses features by how well they were measured."""

    step: str
    without: str
    filtered: str
    n_features: int
    kept: KeptFeatures
    n_kept: int  # of all samples
    left_out: list[LeftOut]
    differences: dict[str, PairedDifference]  # by metric


class IntervalsKept(TypedDict):
    """What prediction intervals of new samples are made of."""

    models: int
    units: int  # samples, or groups
    grouped: bool
