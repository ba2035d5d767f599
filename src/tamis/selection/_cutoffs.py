"""Where a ranking is cut: thresholds, p-values, false discovery rate, and permutation p-values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest_hint
from ..metrics.false_discovery import benjamini_hochberg
from ._filters import FILTERS
from ._mtd import mtd_scorer
from ._mutual_information import information_scorer
from ._scored_input import scored_input

# shared work is done once
DISCRETE_FILTERS = [one.name for one in FILTERS.values() if one.takes.discrete]


@dataclass(frozen=True)
class Cutoffs:
    """Conditions that a feature must meet to be kept; None is no condition."""

    threshold: float | None = None
    max_p: float | None = None
    max_fdr: float | None = None

    def __post_init__(self):
        if self.threshold is not None and not _finite_number(self.threshold):
            raise PlanError(f"threshold={self.threshold!r}: give a number, or None")
        for name in ("max_p", "max_fdr"):
            value = getattr(self, name)
            if value is not None and not (_finite_number(value) and 0 < value <= 1):
                raise PlanError(f"{name}={value!r}: give a number above 0 and at most 1, or None")

    @property
    def given(self) -> bool:
        """Whether there is any condition."""
        return self.threshold is not None or self.by_p is not None

    @property
    def by_p(self) -> str | None:
        """The first condition on p-values, as text, or None."""
        for name in ("max_p", "max_fdr"):
            if getattr(self, name) is not None:
                return f"{name}={getattr(self, name)!r}"
        return None

    def passed(self, scores: np.ndarray, p_values: np.ndarray | None) -> np.ndarray:
        """Which features (p,) meet every condition; one without a score or p-value does not."""
        keep = np.ones(len(scores), dtype=bool)
        if self.threshold is not None:
            keep &= scores >= self.threshold
        if self.max_p is not None and p_values is not None:
            keep &= p_values <= self.max_p
        if self.max_fdr is not None and p_values is not None:
            keep &= benjamini_hochberg(p_values) <= self.max_fdr
        return keep


def _finite_number(value: Any) -> bool:
    real = isinstance(value, float | int | np.number) and not isinstance(value, bool)
    return real and bool(np.isfinite(value))


@dataclass(frozen=True)
class Permuted:
    """Scores and what became of them under permuted labels.

    Attributes
    ----------
    scores, reached, z : ndarray of shape (p,)
        Observed scores; how many permutations scored as high; the observed score in
        standard deviations of the permuted ones.
    pooled : ndarray of shape (p,)
        How many permuted scores of any feature are as high; only if requested.
    n_permutations : int
    """

    scores: np.ndarray
    reached: np.ndarray
    z: np.ndarray
    pooled: np.ndarray | None
    n_permutations: int

    @property
    def p_values(self) -> np.ndarray:
        """(1 + #{permuted >= observed}) / (1 + permutations); NaN without a score."""
        if self.pooled is None:
            p = (1 + self.reached) / (1 + self.n_permutations)
        else:
            scored = int((~np.isnan(self.scores)).sum())
            p = (1 + self.pooled) / (1 + self.n_permutations * scored)
        return np.where(np.isnan(self.scores), np.nan, p)


def permutation_p_values(
    score_func: str | Callable,
    X,
    y,
    n_permutations: int = 1000,
    *,
    pooled: bool = False,
    discrete_features: Any = False,
    random_state: int | None = None,
) -> np.ndarray:
    """P-values for scores that have none, by permuting the labels.

    ``p = (1 + #{permuted >= observed}) / (1 + B)``, never 0 (Phipson & Smyth 2010), with
    absolute scores; permuted scores within a relative 1e-12 count as equal.

    Parameters
    ----------
    score_func : {"mtd", "mutual_information"} or callable
        A function of (X, y) that returns scores or (statistics, p-values). By name the
        columns are sorted once for all permutations.
    X : array-like of shape (n_samples, n_features)
        May hold NaN if the score function takes it.
    y : array-like of shape (n_samples,)
    n_permutations : int, default=1000
    pooled : bool, default=False
        Compare with the permuted scores of all features at once: p-values down to
        1/(1 + B n_features), right only if the features' scores have one null
        distribution (not for features with different numbers of values).
    discrete_features : bool, mask or column indices, default=False
        For the two names; a callable has its own.
    random_state : int, default=None

    Returns
    -------
    p_values : ndarray of shape (n_features,)
        NaN where the score is NaN.

    Raises
    ------
    PlanError
        An unknown name, or no permutations.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import permutation_p_values
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 10)
    >>> X = rng.normal(size=(20, 2)) + np.outer(y, [3, 0])
    >>> permutation_p_values("mtd", X, y, 199, random_state=0)[0]
    np.float64(0.005)
    """
    found = permuted_scores(
        score_func, X, y, discrete_features, n_permutations, random_state, pooled
    )
    return found.p_values


def mixed_scores(
    X,
    y,
    discrete_features: Any,
    score: str = "mtd",
    n_permutations: int = 1000,
    random_state: int | None = None,
) -> np.ndarray:
    """Scores of a table of discrete and continuous features, on one scale.

    MTD and mutual information of discrete and of continuous features are not comparable;
    their permutation p-values are. A score is ``-log10 p``, and within one p-value (many
    features reach the least, ``1/(1 + B)``) it rises by less than a step of p with the
    observed score's distance from the mean of its permuted ones, in their standard
    deviations.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing, and left out feature by feature.
    y : array-like of shape (n_samples,)
    discrete_features : bool, mask of shape (n_features,) or column indices
    score : {"mtd", "mutual_information"}, default="mtd"
    n_permutations : int, default=1000
    random_state : int, default=None

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Higher is better; NaN where a feature cannot be scored.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import mixed_scores
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 20)
    >>> X = np.column_stack([rng.normal(size=40), y, rng.integers(0, 9, 40), rng.normal(size=40)])
    >>> X[:, 3] += 2 * y
    >>> scores = mixed_scores(X, y, [1, 2], n_permutations=99, random_state=0)
    >>> sorted(np.argsort(-scores)[:2].tolist())
    [1, 3]
    """
    if score not in DISCRETE_FILTERS:
        raise PlanError(f"score={score!r}: {nearest_hint(score, DISCRETE_FILTERS)}")
    found = permuted_scores(score, X, y, discrete_features, n_permutations, random_state)
    return combined_score(found)


def combined_score(found: Permuted) -> np.ndarray:
    """-log10 p, and z within one p-value, without reaching the next smaller p."""
    k = 1.0 + found.reached
    step = np.log10(np.where(k > 1, k / np.maximum(k - 1, 1), 2.0))
    share = 0.5 + 0.5 * found.z / (1 + np.abs(found.z))  # increasing, between 0 and 1
    return np.log10(1 + found.n_permutations) - np.log10(k) + step * share


def permuted_scores(
    score_func: str | Callable,
    X,
    y,
    discrete_features: Any,
    n_permutations: int,
    random_state: int | np.random.SeedSequence | None,
    pooled: bool = False,
) -> Permuted:
    """Score the labels given and permuted ones."""
    if not isinstance(n_permutations, int | np.integer) or n_permutations < 1:
        raise PlanError(f"n_permutations={n_permutations!r}: give a whole number of at least 1")
    X, codes, n_classes, discrete = scored_input(X, y, discrete_features)
    seed = random_state
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(seed)
    labels, noise = seed.spawn(2)
    score = _permutation_scorer(score_func, X, n_classes, discrete, int(noise.generate_state(1)[0]))
    rng = np.random.default_rng(labels)
    observed = score(codes)
    limit = observed - 1e-12 * np.abs(observed)
    scored = ~np.isnan(observed)
    order = np.argsort(limit[scored], kind="stable")
    reached, total = np.zeros(len(observed), np.int64), np.zeros(int(scored.sum()), np.int64)
    mean, squares = np.zeros(len(observed)), np.zeros(len(observed))
    for b in range(n_permutations):
        permuted = score(rng.permutation(codes))
        permuted[np.isnan(permuted)] = 0.0  # a class that lost all its values shows nothing
        reached += permuted >= limit
        apart = permuted - mean  # Welford (1962): mean and squares in one pass
        mean += apart / (b + 1)
        squares += apart * (permuted - mean)
        if pooled:
            fewer = np.searchsorted(np.sort(permuted[scored]), limit[scored][order], side="left")
            total[order] += len(total) - fewer
    spread = np.sqrt(squares / n_permutations)
    gap = observed - mean
    z = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 1e-12 * np.abs(mean))
    z[~scored] = np.nan
    everyone = np.zeros(len(observed), dtype=np.int64)
    everyone[scored] = total
    return Permuted(observed, reached, z, everyone if pooled else None, int(n_permutations))


def _permutation_scorer(
    score_func: str | Callable, X: np.ndarray, n_classes: int, discrete: np.ndarray, noise: int
) -> Callable[[np.ndarray], np.ndarray]:
    """A function of class codes that gives the absolute scores of the columns of X."""
    if callable(score_func):
        function = score_func

        def absolute_scores(codes):
            result = function(X, codes)
            scores = result[0] if isinstance(result, tuple) else result
            return np.abs(one_a_feature(scores, function, X.shape[1]))

        return absolute_scores
    if score_func not in DISCRETE_FILTERS:
        raise PlanError(
            f"score_func={score_func!r}: {nearest_hint(score_func, DISCRETE_FILTERS)}, or pass a "
            "function "
            "of (X, y)"
        )
    if score_func == "mtd":
        return mtd_scorer(X, n_classes, discrete)
    return information_scorer(X, n_classes, discrete, noise)


def one_a_feature(found: Any, function: Callable, p: int) -> np.ndarray:
    """What a user's function gives, as numbers (p,)."""
    scores = np.asarray(found, dtype=float)
    if scores.shape != (p,):
        raise PlanError(
            f"score_func={function!r} returned an array of shape {scores.shape}: it must give one "
            f"score a feature, shape ({p},)"
        )
    return scores
