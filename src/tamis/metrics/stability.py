"""Stability of selection: how far the sets chosen in different folds agree."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from .._core.errors import DataError
from .._core.first_screen import FirstScreen
from ._sets import ChosenSets, Sets, mean_of
from .intervals import check_level

if TYPE_CHECKING:
    import pandas as pd


def lustgarten_stability(sets: Sets, n_features: int) -> float:
    """Lustgarten's adjusted stability measure (ASM), the mean over pairs of sets.

    S(a, b) = (|a & b| - |a||b|/n) / (min(|a|, |b|) - max(0, |a| + |b| - n)) compares the
    overlap with that of random sets of the same sizes. Identical sets of size k <= n/2 give
    1 - k/n, disjoint ones -(the larger size)/n: not 1 and 0.

    Parameters
    ----------
    sets : iterable of iterables of int
        The columns chosen in each fold, 0..n_features-1; sizes may differ.
    n_features : int
        The number of columns chosen from.

    Returns
    -------
    float
        Pairs with an empty or a full set are 0/0 and left out (`stability_summary` counts
        them); NaN if no pair is left.

    Raises
    ------
    DataError
        A column outside 0..n_features-1.

    References
    ----------
    Lustgarten, Gopalakrishnan and Visweswaran (2009), Measuring stability of feature
    selection in biomedical datasets. AMIA Annual Symposium Proceedings, 406-410.

    Examples
    --------
    >>> lustgarten_stability([[0, 1], [0, 1], [0, 1]], 10)
    0.8
    >>> lustgarten_stability([[0, 1], [2, 3, 4]], 10)
    -0.3
    """
    return ChosenSets(sets, n_features).lustgarten()[0]


def kuncheva_index(sets: Sets, n_features: int) -> float:
    """Kuncheva's consistency index, the mean over pairs of (r n - k^2) / (k (n - k)).

    Parameters
    ----------
    sets : iterable of iterables of int
        Columns chosen in each fold, all of the same size k; r is the overlap of a pair.
    n_features : int

    Returns
    -------
    float
        1 for identical sets, 0 expected by chance; NaN for k = 0, k = n or fewer than two sets.

    Raises
    ------
    DataError
        (a ValueError) Sets of different sizes.

    References
    ----------
    Kuncheva (2007), A stability index for feature selection. IASTED AIA, 390-395.

    Examples
    --------
    >>> kuncheva_index([[0, 1], [0, 1]], 10)
    1.0
    """
    held = ChosenSets(sets, n_features)
    k = int(held.sizes[0]) if held.M else 0
    if (held.sizes != k).any():
        raise DataError(
            f"Kuncheva's index needs sets of one size, these have {held.sizes.min()} to "
            f"{held.sizes.max()} features: use nogueira_stability, which equals it at equal sizes"
        )
    if held.M < 2 or k in (0, n_features):
        return float("nan")
    overlap = held.overlaps()[0]
    return mean_of((overlap * n_features - k * k) / (k * (n_features - k)))


@dataclass(frozen=True)
class NogueiraStability:
    """Nogueira's stability with its confidence interval; NaN where undefined.

    Attributes
    ----------
    value, low, high : float
        The interval is cut at 1, the largest value there is.
    variance : float
        Of the value, under independent draws of the sets.
    """

    value: float
    low: float
    high: float
    variance: float

    def __float__(self) -> float:
        return self.value


def nogueira_stability(sets: Sets, n_features: int, level: float = 0.95) -> NogueiraStability:
    """Nogueira's stability: 1 - mean_f(s_f^2) / (m (1 - m)), with a confidence interval.

    s_f^2 = M/(M-1) p_f (1 - p_f) for a feature chosen in a share p_f of the M sets, and m the
    mean share of the features that a set holds. Equals Kuncheva's index at equal sizes.

    Parameters
    ----------
    sets : iterable of iterables of int
        The columns chosen in each fold; sizes may differ.
    n_features : int
    level : float, default=0.95

    Returns
    -------
    NogueiraStability
        All NaN if fewer than two sets, or if every set is empty or every set is full.

    Raises
    ------
    DataError
        A column outside 0..n_features-1.

    References
    ----------
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms.
    JMLR 18(174), definition 4 and theorem 7.

    Examples
    --------
    >>> stability = nogueira_stability([[0, 1], [0, 1], [0, 2]], 10)
    >>> round(stability.value, 4), round(stability.low, 4), round(stability.high, 4)
    (0.5833, 0.3611, 0.8056)
    """
    check_level(level)
    return _with_interval(ChosenSets(sets, n_features), level)


def common_features(sets: Sets, share: float = 0.5) -> np.ndarray:
    """The features chosen in at least a share of the sets, in column order.

    Parameters
    ----------
    sets : iterable of iterables of int
    share : float, default=0.5
        Above 0, at most 1.

    Returns
    -------
    ndarray of int64

    Examples
    --------
    >>> common_features([[0, 1], [0, 2], [0, 3], [1, 4]]).tolist()
    [0, 1]
    """
    return ChosenSets(sets).common(share)


def common_feature_stability(sets: Sets, share: float = 0.5) -> float:
    """Number of features common to at least a share of the sets, over the mean size of a set.

    Parameters
    ----------
    sets : iterable of iterables of int
    share : float, default=0.5
        Above 0, at most 1.

    Returns
    -------
    float
        1 for identical sets; NaN if every set is empty or there is none.

    Examples
    --------
    >>> common_feature_stability([[0, 1], [0, 2], [0, 3], [1, 4]])
    1.0
    """
    held = ChosenSets(sets)
    common = len(held.common(share))
    return common / held.mean_size if held.M and held.mean_size > 0 else float("nan")


class LimitsContent(TypedDict):
    """A measure and its interval; None where undefined."""

    mean: float | None
    low: float | None
    high: float | None


class StabilityContent(TypedDict):
    """A `StabilitySummary` as JSON."""

    asm: float | None
    nogueira: LimitsContent
    jaccard: float | None
    common: int
    mean_size: float | None
    n_sets: int
    undefined_pairs: int


@dataclass(frozen=True, repr=False)
class StabilitySummary(FirstScreen):
    """Every stability measure of one collection of sets; NaN where undefined.

    Attributes
    ----------
    asm : float
        Lustgarten's measure, over the pairs where it is defined.
    undefined_pairs : int
        Pairs with an empty or a full set, which `asm` leaves out.
    nogueira : NogueiraStability
    jaccard : float
        Mean over pairs of overlap over union; pairs of two empty sets are left out.
    common : int
        Number of features chosen in at least half of the sets.
    mean_size : float
    n_sets : int
    """

    asm: float
    undefined_pairs: int
    nogueira: NogueiraStability
    jaccard: float
    common: int
    mean_size: float
    n_sets: int

    def to_dict(self) -> StabilityContent:
        """The same as plain numbers, as in ``results.json``; undefined ones are None."""
        return {
            "asm": _number_or_none(self.asm),
            "nogueira": {
                "mean": _number_or_none(self.nogueira.value),
                "low": _number_or_none(self.nogueira.low),
                "high": _number_or_none(self.nogueira.high),
            },
            "jaccard": _number_or_none(self.jaccard),
            "common": self.common,
            "mean_size": _number_or_none(self.mean_size),
            "n_sets": self.n_sets,
            "undefined_pairs": self.undefined_pairs,
        }

    def frame(self) -> pd.DataFrame:
        """One row as a pandas DataFrame."""
        import pandas as pd

        content = self.to_dict()
        ends = content["nogueira"]
        row = {name: value for name, value in content.items() if name != "nogueira"}
        row |= {"nogueira_low": ends["low"], "nogueira_high": ends["high"]}
        return pd.DataFrame([{**row, "nogueira": ends["mean"]}])

    def summary(self) -> str:
        """One line for people."""
        left_out = f" ({self.undefined_pairs} pairs undefined)" if self.undefined_pairs else ""
        return (
            f"{self.n_sets} sets of {self.mean_size:.1f} features on average: Lustgarten "
            f"{self.asm:.3f}{left_out}, Nogueira {self.nogueira.value:.3f} "
            f"[{self.nogueira.low:.3f}, {self.nogueira.high:.3f}], Jaccard {self.jaccard:.3f}; "
            f"{self.common} features in at least half of the sets"
        )


def stability_summary(sets: Sets, n_features: int, level: float = 0.95) -> StabilitySummary:
    """All stability measures at once, from one pass over the sets.

    Parameters
    ----------
    sets : iterable of iterables of int
        The columns chosen in each fold.
    n_features : int
    level : float, default=0.95
        For Nogueira's interval.

    Returns
    -------
    StabilitySummary

    Examples
    --------
    >>> stability_summary([[0, 1], [0, 1], []], 10).to_dict()["undefined_pairs"]
    2
    """
    check_level(level)
    held = ChosenSets(sets, n_features)
    asm, undefined = held.lustgarten()
    return StabilitySummary(
        asm=asm,
        undefined_pairs=undefined,
        nogueira=_with_interval(held, level),
        jaccard=held.jaccard(),
        common=len(held.common(0.5)) if held.M else 0,
        mean_size=held.mean_size,
        n_sets=held.M,
    )


def _with_interval(held: ChosenSets, level: float) -> NogueiraStability:
    value, variance = held.nogueira()
    reach = NormalDist().inv_cdf((1.0 + level) / 2.0) * variance**0.5
    high = min(value + reach, 1.0) if value == value else value
    return NogueiraStability(value, value - reach, high, variance)


def _number_or_none(value: float | int) -> float | int | None:
    return None if value != value else value
