"""Bounds on the expected number of false selections of stability selection (PFER).

With q features selected on each half of the data, theta = q/p, and features kept that at
least a share pi of the 2B halves select, the expected number of kept features whose own
chance of selection is at most theta is bounded by

- Meinshausen & Buhlmann (2010), J. R. Stat. Soc. B 72, 417-473, theorem 1;
- Shah & Samworth (2013), J. R. Stat. Soc. B 75, 55-80: theorem 3 if the share of pairs of
  which both halves select such a feature has a unimodal distribution, and equation 8 if
  that share is r-concave with r = -1/2 and the share of halves with r = -1/4.

No more than all p features can be false, so a bound above p is given as p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import PlanError, counted_noun, nearest_hint
from .._core.settings import checked_count

SIGNIFICANCE_LEVEL = 0.05
BOUND_CHOICES = ("meinshausen_buhlmann", "unimodal", "r_concave")


@dataclass(frozen=True)
class ErrorControl:
    """What stability selection runs with, and what that promises.

    Attributes
    ----------
    q : int
        Features selected on each half.
    threshold : float
        Least selection probability of a feature that is kept, on the grid k/(2B).
    pfer : float
        The bound on the expected number of false selections at this q and threshold.
    p, n_pairs : int
        Number of features; pairs of halves, B.
    bound : str
    """

    q: int
    threshold: float
    pfer: float
    p: int
    n_pairs: int
    bound: str

    def to_dict(self) -> dict[str, object]:
        """As in results; p is there ``n_columns``."""
        return {
            "q": self.q,
            "threshold": self.threshold,
            "pfer": self.pfer,
            "bound": self.bound,
            "n_pairs": self.n_pairs,
            "n_columns": self.p,
        }


def is_inconclusive(n_stable: int, pfer: float) -> bool:
    """Whether the stable features may all be false: no more than ceil(`pfer`) of them.

    A bound of at most .05 is a test by itself (by Markov's inequality a single false selection
    has at most that probability), so that one stable feature is enough.

    Examples
    --------
    >>> (is_inconclusive(1, 0.98),
    ...  is_inconclusive(2, 0.98),
    ...  is_inconclusive(0, 0.01),
    ...  is_inconclusive(1, 0.01))
    (True, False, True, False)
    """
    return n_stable == 0 or (pfer > SIGNIFICANCE_LEVEL and n_stable <= math.ceil(pfer - 1e-12))


def verdict_words(n_stable: int, pfer: float) -> str:
    """Why so few stable features decide nothing; empty where there are more.

    Examples
    --------
    >>> verdict_words(1, 0.98)
    'inconclusive: the bound allows for 1 false feature, which may be this one'
    """
    if not is_inconclusive(n_stable, pfer):
        return ""
    if not n_stable:
        return "inconclusive: that none is stable does not show that none has an effect"
    allowed = counted_noun(math.ceil(pfer - 1e-12), "false feature")
    which = "which may be this one" if n_stable == 1 else f"which may be these {n_stable}"
    return f"inconclusive: the bound allows for {allowed}, {which}"


def solve_control(
    q: int | None = None,
    threshold: float | None = None,
    pfer: float | None = None,
    *,
    p: int,
    n_pairs: int = 50,
    bound: str = "unimodal",
) -> ErrorControl:
    """Give two of q, threshold and PFER, get the third.

    Parameters
    ----------
    q : int, default=None
        Features selected on each half. Solved for: the largest under the bound.
    threshold : float, default=None
        Least selection probability, above 0.5; rounded up to the grid k/(2B). Solved for:
        the least on the grid under the bound.
    pfer : float, default=None
        Largest expected number of false selections.
    p : int
        Number of features.
    n_pairs : int, default=50
        Complementary pairs, B.
    bound : {"meinshausen_buhlmann", "unimodal", "r_concave"}, default="unimodal"

    Returns
    -------
    ErrorControl
        Its ``pfer`` is the bound reached, at most the one requested.

    Raises
    ------
    PlanError
        Fewer than two features; not two of the three; a value out of range; a bound that does
        not hold at these values; nothing that meets the PFER requested.

    Examples
    --------
    >>> from tamis.selection._error_bounds import solve_control
    >>> round(solve_control(q=50, threshold=0.75, p=12000).pfer, 3)
    0.213
    >>> solve_control(threshold=0.75, pfer=1, p=12000).q
    108
    >>> solve_control(q=50, pfer=0.1, p=12000, bound="r_concave").threshold
    0.66
    """
    if bound not in BOUND_CHOICES:
        raise PlanError(f"unknown bound {bound!r}: {nearest_hint(bound, BOUND_CHOICES)}")
    checked_count(n_pairs, "n_pairs", 1)
    if p < 2:
        raise PlanError(
            f"n_features={p}: every half selects the only feature there is, so no error bound says "
            "anything: give two features or more, or a selector without one"
        )
    if sum(v is not None for v in (q, threshold, pfer)) != 2:
        raise PlanError(
            f"q={q!r}, threshold={threshold!r}, pfer={pfer!r}: give two of the three; the bound "
            "decides the third"
        )
    if q is not None and (not _is_integer(q) or not 1 <= q <= p):
        raise PlanError(f"q={q!r}: give a whole number from 1 to the number of features, {p}")
    if threshold is not None and not (_checked_real(threshold) and 0.5 < threshold <= 1):
        raise PlanError(f"threshold={threshold!r}: give a number above 0.5 and at most 1")
    if pfer is not None and not (_checked_real(pfer) and pfer > 0):
        raise PlanError(f"pfer={pfer!r}: give a number above 0")

    halves = 2 * int(n_pairs)
    if threshold is not None:
        level = math.ceil(threshold * halves - 1e-9)  # 0.57 * 100 is 56.99999999999999
        if q is None:
            assert pfer is not None
            q = _largest_q(p, level, halves, pfer, bound)
    else:
        assert q is not None
        assert pfer is not None
        under = np.flatnonzero(bounds_at(int(q), p, halves, bound) <= _rounding_slack(pfer))
        if not len(under):
            raise PlanError(
                f"q={q!r}, pfer={pfer!r}: no threshold reaches this with n_features={p} under "
                f"the {bound} bound: give a smaller q or a larger pfer"
            )
        level = int(under[0])
    value = float(bounds_at(int(q), p, halves, bound)[level])
    if not np.isfinite(value):
        most = int(p / math.sqrt(3))  # beyond it, at no threshold
        way = "a smaller q or a larger threshold" if q <= most else f"a q of at most {most}"
        raise PlanError(
            f"q={q!r}, threshold={level / halves:g}: the {bound} bound does not hold with "
            f"n_features={p}: give {way}"
        )
    return ErrorControl(int(q), level / halves, value, int(p), int(n_pairs), bound)


def bounds_at(q: int, p: int, halves: int, bound: str) -> np.ndarray:
    """The bound at each threshold k/(2B), k = 0..2B (`halves` is 2B); inf where none holds.

    At most p elsewhere.
    """
    theta, pairs = q / p, halves // 2
    level = np.arange(halves + 1) / halves
    value = np.full(halves + 1, np.inf)
    above = 2 * np.arange(halves + 1) > halves
    if bound == "meinshausen_buhlmann":
        value[above] = q * theta / (2 * level[above] - 1)
    elif bound == "unimodal":
        least = 0.5 + min(theta**2, 1 / halves + 0.75 * theta**2)
        if theta <= 1 / math.sqrt(3):
            valid = above & (level > least + 1e-12)
            low = 2 * (2 * level - 1 - 1 / halves)
            high = (1 + 1 / pairs) / (4 * (1 - level + 1 / halves))
            value[valid] = (q * theta / np.where(level <= 0.75, low, high))[valid]
    else:
        both = r_concave_tails(theta**2, pairs, -1 / 2)  # 2 pi - 1 is (k - B)/B
        one = r_concave_tails(theta, halves, -1 / 4)
        value[pairs:] = p * np.minimum(both, one[pairs:])
        value[~above] = np.inf
    return np.where(np.isinf(value), value, np.minimum(value, p))


def r_concave_tails(eta: float, steps: int, r: float) -> np.ndarray:
    """D(eta, k/steps, steps, r) of Shah & Samworth (2013) for k = 0..steps.

    The largest P(X >= k/steps) of an X on 0, 1/steps, ..., 1 with mean at most eta whose
    probabilities f are r-concave (f^r convex; r < 0). The extreme ones have f^r linear from
    0 to the end of the support: f(i) proportional to (1 + i/a)^(1/r), i = 0..l. For each end
    l the mean decides a; it rises with a from 0 to l/2, so that its root is found by
    bisection. Where k <= 2 eta steps a rising f may be feasible too, and 1 is returned.
    """
    tails = np.ones(steps + 1)
    first = math.floor(2 * eta * steps + 1e-9) + 1
    if first > steps:
        return tails
    i = np.arange(steps + 1)
    ends = np.arange(first, steps + 1)
    inside = i <= ends[:, None]

    def density_shape(log_a):
        with np.errstate(over="ignore"):
            f = np.where(inside, (1 + i * np.exp(-log_a)[:, None]) ** (1 / r), 0.0)
        return f / f.sum(axis=1, keepdims=True)

    low, high = np.full(len(ends), -100.0), np.full(len(ends), 50.0)
    for _ in range(60):
        middle = (low + high) / 2
        more = density_shape(middle) @ i < eta * steps
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    upper = density_shape(high)[:, ::-1].cumsum(axis=1)[:, ::-1]  # P(X >= k) for each end
    tails[first:] = upper[:, first:].max(axis=0)
    return tails


def _largest_q(p: int, level: int, halves: int, pfer: float, bound: str) -> int:
    """The largest q whose bound at a threshold is under the PFER; bounds rise with q."""

    def within_bound(q):
        return bounds_at(q, p, halves, bound)[level] <= _rounding_slack(pfer)

    if not within_bound(1):
        raise PlanError(
            f"threshold={level / halves:g}, pfer={pfer!r}: not even q=1 reaches this with "
            f"n_features={p} under the {bound} bound: give a larger threshold or pfer"
        )
    good, bad = 1, p + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if within_bound(middle) else (good, middle)
    return good


def _rounding_slack(pfer: float) -> float:
    return pfer * (1 + 1e-12)  # a bound equal to the PFER but for rounding is under it


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _checked_real(value: Any) -> bool:
    number = isinstance(value, float | int | np.number) and not isinstance(value, bool)
    return number and bool(np.isfinite(value))
