"""Linear discriminant analysis, a column added or removed by updating.

ln p(x, c) = x' S^{-1} m_c - 1/2 m_c' S^{-1} m_c + ln prior_c + what all classes share, S pooled
within classes and divided by n. A further column adds n / d^2 (t mu_c - mu_c^2 / 2), where t and
mu_c are what the chosen columns leave of the row and of the class means (`updated_inverse`); a
column that goes takes the like of it away.
"""

from __future__ import annotations

import numpy as np

from ...kernels.within_classes import within_classes
from .fold_model import FoldModel
from .updated_inverse import CrossProducts, inverse_of

# chosen subsets whose state is held: those between which a search goes back and forth
MAX_KEPT_STATES = 4


class DiscriminantFold(FoldModel):
    """LDA on a fold; what is nearly singular is left to `refitted`.

    Parameters
    ----------
    train, test : ndarray of shape (n, p), (m, p)
    codes : ndarray of shape (n,)
    priors : ndarray of shape (C,)
        0 of a class without training rows.
    refitted : FoldModel
        The definition, in probabilities.
    """

    values = "log_joint"

    def __init__(self, train, test, codes, priors, refitted: FoldModel):
        there, compact = np.unique(codes, return_inverse=True)
        parts = within_classes(train, compact, len(there))
        self.n, self.there, self.refitted = len(train), there, refitted
        with np.errstate(divide="ignore"):
            self.priors = np.log(priors)[:, None]
        self.means = parts.means
        # rows held out and class means, from the same origin
        self.rows = np.vstack([test - parts.origin, parts.means])
        self.products = CrossProducts(parts.residuals, self.rows)
        self._states: dict[bytes, tuple[np.ndarray, ...] | None] = {}

    def of(self, columns: np.ndarray) -> np.ndarray:
        inverse = inverse_of(self.products.train[:, columns])
        if inverse is None:
            with np.errstate(divide="ignore"):
                return np.log(self.refitted.of(columns))
        return self._values(inverse, columns)

    def _values(self, inverse: np.ndarray, columns: np.ndarray) -> np.ndarray:
        rows, means = self.rows[: -len(self.there), columns], self.means[:, columns]
        directions = self.n * inverse @ means.T  # S^{-1} m_c
        own = (rows @ directions - 0.5 * np.einsum("ck,kc->c", means, directions)).T
        prior = np.broadcast_to(self.priors, (len(self.priors), len(rows)))
        return self._joined(prior, own[:, :, None])[:, :, 0]

    def _joined(self, values: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Values (C, m) and what is added to those of classes with training rows."""
        if len(self.there) == len(self.priors):
            own += values[:, :, None]
            return own
        out = np.repeat(values[:, :, None], own.shape[2], axis=2)
        out[self.there] += own
        return out

    def _state(self, chosen: np.ndarray) -> tuple[np.ndarray, ...] | None:
        """Inverse and cross products of the chosen columns, and their values; None if singular."""
        key = chosen.tobytes()
        if key not in self._states:
            while len(self._states) >= MAX_KEPT_STATES:
                self._states.pop(next(iter(self._states)))
            inverse = self.products.inverse(chosen)
            self._states[key] = (
                inverse
                if inverse is None
                else (inverse, self.products.with_all(chosen), self._values(inverse, chosen))
            )
        return self._states[key]

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        state = self._state(chosen)
        shape = (len(self.priors), len(self.rows) - len(self.there), len(new))
        if state is None:
            return np.full(shape, np.nan)
        inverse, products, values = state
        left = self.products.remainders(chosen, inverse, products, new)
        rows, means = left.rows[: -len(self.there)], left.rows[-len(self.there) :]
        # a column that is constant within the classes and not over them separates them perfectly
        pivots = np.where(np.isinf(left.pivots) & (means != 0).any(axis=0), np.nan, left.pivots)
        scaled = means * (self.n / pivots)
        own = rows * scaled[:, None, :]
        own -= (means * scaled / 2)[:, None, :]
        return self._joined(values, own)

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        state = self._state(chosen)
        m = len(self.rows) - len(self.there)
        if state is None:
            return np.full((len(self.priors), m, len(chosen)), np.nan)
        inverse, _, values = state
        left = self.rows[:, chosen] @ inverse  # (m + C, k)
        rows, means = left[:m], left[m:]
        share = self.n / np.diag(inverse)
        own = (means[:, None, :] / 2 - rows) * means[:, None, :] * share
        return self._joined(values, own)
