"""The columns of the largest moderated t in the training sets of many runs.

A study of 22,000 columns uses the 200 best of each of thousands of training sets. Their statistics
need two things: the prior, which depends on all columns, and the moments of those that come into
question. Sums for the prior, and to see which columns these are, come from `screened_squares`, in a
fifth of the time of the moments themselves. What is chosen is decided by the moments of `_moments`,
and is what the full order of all columns begins with:

- The screened sums have a relative error of at most e (`relative_error`), so that a column whose
  screened statistic is below the k-th largest by a millionth cannot be among the k best.
- So the mean of the logarithms of the variances is off by at most e, and their variance V =
  psi'(d0 / 2) + psi'(d / 2) by at most 4 e sqrt(V). The statistic depends on the prior by the
  product d0 s0^2 alone, apart from a factor that all columns have in common; `_prior_error` bounds
  its error, and two columns can only change places if their statistics are nearer to each other
  than that, without being equal in both moments.

A training set where columns are as near as that has its full order found, as one by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..data.memory import available_bytes
from ._moderated import statistic_under_prior
from ._moments import ClassMoments
from ._orders import largest_values, order_of
from ._parts import Leading, TrainingParts

# of sums of squares at once: more would be given back to the system each time, and zeroed anew
MAX_SCREENED_BYTES = 1 << 24
FREE_MEMORY_SHARE = 16  # of what is free, if that is less
MIN_COLUMNS_PER_CHOSEN = 8  # fewer columns for each that is chosen: all moments are as quick
MAX_LEFT_SHARE = 0.25  # of the columns, whose screened sums are no use
SCREEN_MARGIN = 1e-6  # relative, of squared statistics: far above any error of a screened one
ROUNDING = 1e-14  # relative, of a statistic and of a mean of logarithms
INFINITE_PRIOR_GAP = 1e-9  # relative: as if d0 were above 1e9, where within sums hardly count


@dataclass(frozen=True)
class _Screened:
    """A training set after the screening: its prior, and the columns that come into question.

    Attributes
    ----------
    d0, s02 : float
        Degrees of freedom and variance of the prior.
    gap : float
        Relative difference of two statistics, above which their order is certain; infinite where
        nothing is.
    kept : ndarray of shape (k,)
        The columns, rising.
    """

    d0: float
    s02: float
    gap: float
    kept: np.ndarray

    @classmethod
    def of(
        cls, counts: np.ndarray, within: np.ndarray, between: np.ndarray, most: int
    ) -> _Screened:
        """From the rows of each class, and the screened sums of squares (p,)."""
        from ..kernels.ebayes import fit_prior
        from ..kernels.screened_moments import relative_error

        n = int(counts.sum())
        df, error = max(n - len(counts), 1), relative_error(n)
        d0, s02 = fit_prior(within / df, df)
        assert isinstance(s02, float)
        squares = between
        if np.isfinite(d0):
            squares = within + d0 * s02
            np.divide(between, squares, out=squares)
        least, kept = largest_values(squares, most, SCREEN_MARGIN)
        if not least * SCREEN_MARGIN > 2 * error:  # what is between classes may be rounding
            return cls(d0, s02, np.inf, np.zeros(0, dtype=np.intp))
        return cls(d0, s02, ROUNDING + _prior_error(d0, df, error), kept)

    def leading(self, m: ClassMoments, columns: np.ndarray, most: int) -> np.ndarray | None:
        """The best of the columns, by moments of these (k,)."""
        if not len(self.kept):
            return None
        within = m.within
        scores = np.abs(statistic_under_prior(m, within.copy(), self.d0, self.s02))
        order = order_of(scores, most + 1)
        falling, distance = scores[order], np.abs(_difference(m))[order]
        certain = falling[:-1] - falling[1:] > self.gap * falling[:-1]
        if not certain.all():
            within = within[order]
            same = (within[1:] == within[:-1]) & (distance[1:] == distance[:-1])
            if not (certain | same).all():
                return None
        found: np.ndarray = columns[order[:most]]
        return found


def _difference(m: ClassMoments) -> np.ndarray:
    """What the statistic has above its denominator, or with more classes in proportion to that."""
    return m.difference if len(m.counts) == 2 else m.between


def _prior_error(d0: float, df: int, error: float) -> float:
    """Bound of the relative error of d0 s0^2, of variances with a relative error of `error`."""
    from scipy.special import zeta

    if np.isinf(d0):
        return INFINITE_PRIOR_GAP
    if d0 == 0:
        return np.inf
    # psi'(y) is zeta(2, y); the error of d0 = 2 y is at most that of psi'(y), both relative, and
    # d ln(d0 s0^2) / d ln y = y psi'(y) <= 1 + 1 / y
    y, error = d0 / 2, error + ROUNDING
    spread = float(zeta(2, y))
    of_spread = 4 * error * np.sqrt(spread + float(zeta(2, df / 2))) / spread
    return error + (1 + 1 / y) * of_spread


def moderated_leading(runs: Sequence[TrainingParts], most: int) -> Leading:
    """The `most` columns of the largest moderated statistic in each training set of each run, the
    best first; None for a training set where rounding may decide. None if columns are too few for
    a screening, or have missing values.

    Parameters
    ----------
    runs : sequence of TrainingParts
        Of one table.
    most : int
    """
    X = runs[0].X
    if not isinstance(X, np.ndarray) or not all(parts.X is X for parts in runs):
        return None
    if len(runs[0].incomplete) or X.shape[1] < MIN_COLUMNS_PER_CHOSEN * most:
        return None
    room = min(MAX_SCREENED_BYTES, available_bytes() // FREE_MEMORY_SHARE)
    shift, found = X.mean(axis=0), list[list[np.ndarray | None]]()
    while len(found) < len(runs):  # as many at once as there is room for
        some, size = list[TrainingParts](), 0
        for parts in runs[len(found) :]:
            size += 2 * len(parts) * X.shape[1] * X.itemsize
            if some and size > room:
                break
            some.append(parts)
        leading = _leading_columns(X, shift, some, most)
        if leading is None:
            return None
        found += leading
    return found


def _leading_columns(
    X: np.ndarray, shift: np.ndarray, runs: Sequence[TrainingParts], most: int
) -> Leading:
    """The same of runs whose sums of squares have room; `shift` (p,) are means of the columns."""
    from ..kernels.gathered import gathered_submatrix
    from ..kernels.moments import grouped_rows, joined_groups
    from ..kernels.screened_moments import screened_squares

    grouped = [grouped_rows(len(X), one.y, one.rows, one.n_classes) for one in runs]
    together = joined_groups(grouped)
    within, between, left = screened_squares(X, shift, together)
    some, every = np.flatnonzero(left), np.arange(len(X))
    if len(some) > MAX_LEFT_SHARE * len(left):
        return None
    if len(some):
        moments = together.moments(gathered_submatrix(X, every, some))
        for k, m in enumerate(map(ClassMoments, *moments)):
            within[k, some], between[k, some] = m.within, m.between
    sums = zip(together.part_counts, within, between, strict=True)
    screened = (_Screened.of(*own, most) for own in sums)
    found = []
    for groups in grouped:
        parts = list(islice(screened, len(groups.of)))
        kept = np.zeros(X.shape[1], dtype=bool)
        for part in parts:
            kept[part.kept] = True
        columns = np.flatnonzero(kept)
        moments = groups.moments(gathered_submatrix(X, every, columns))
        exact = map(ClassMoments, *moments)
        found.append([one.leading(m, columns, most) for one, m in zip(parts, exact, strict=True)])
    return found
