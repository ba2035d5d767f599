"""Simulated truths for calibrated probabilities: how many features differ between the classes, and
by how much; see docs/results/calibration.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

COLUMNS, FRESH, BLOCK = 2000, 1000, 10


@dataclass(frozen=True)
class Design:
    """Columns of unit variance within the classes, of which the first of some blocks differ.

    Attributes
    ----------
    true : int
        Features that differ.
    size : float
        By how many standard deviations; with three classes the further ones are apart by as much.
    n : int
        Training samples.
    shares : tuple of float
        Of the classes.
    correlation : float
        Between two columns of a block of ten.
    heavy : bool
        A t distribution of 3 degrees of freedom in the place of the normal one.
    """

    true: int
    size: float
    n: int = 100
    shares: tuple[float, ...] = (0.5, 0.5)
    correlation: float = 0.0
    heavy: bool = False

    def drawn(self, draw: int, fresh: int = FRESH) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A table of `n` training and some new samples, their classes, and the true columns.

        Each feature sets one class apart from the others, by turns, up or down.
        """
        rng = np.random.default_rng([draw, self.n, self.true, round(100 * self.size)])
        C = len(self.shares)
        y = np.concatenate([_classes(m, self.shares, rng) for m in (self.n, fresh)])
        X = rng.standard_t(3, size=(len(y), COLUMNS)) / np.sqrt(3) if self.heavy else None
        X = rng.normal(size=(len(y), COLUMNS)) if X is None else X
        if self.correlation:
            shared = np.repeat(rng.normal(size=(len(y), COLUMNS // BLOCK)), BLOCK, axis=1)
            X = np.sqrt(self.correlation) * shared + np.sqrt(1 - self.correlation) * X
        true = np.arange(self.true) * BLOCK
        signs = rng.choice([-1, 1], self.true)
        X[:, true] += self.size * signs * (y[:, None] == 1 + np.arange(self.true) % max(C - 1, 1))
        return X, y, true


def data_set(X: np.ndarray, y: np.ndarray, n: int | None = None):
    """With the classes a, b and c; the first n samples for training and the others for testing."""
    from tamis.data import Dataset

    names = tuple(f"g{j}" for j in range(COLUMNS))
    split = None if n is None else np.where(np.arange(len(y)) < n, "train", "test")
    return Dataset(X, np.array(["a", "b", "c"])[y], names, name="drawn", split=split)


def _classes(m: int, shares: tuple[float, ...], rng: np.random.Generator) -> np.ndarray:
    """As near to the shares as whole samples allow, in random order."""
    ends = np.round(np.cumsum(shares) * m).astype(int)
    return rng.permutation(np.searchsorted(ends, np.arange(m), side="right"))


DESIGNS = {
    "15 of 1": Design(15, 1.0),
    "15 of 1, a fifth of cases": Design(15, 1.0, shares=(0.8, 0.2)),
    "15 of 1, three classes": Design(15, 1.0, shares=(0.4, 0.3, 0.3)),
    "15 of 1, 40 samples": Design(15, 1.0, n=40),
    "1 of 2.5": Design(1, 2.5),
    "2 of 1.5": Design(2, 1.5),
    "5 of 1": Design(5, 1.0),
    "10 of .8, correlated": Design(10, 0.8, correlation=0.5),
    "15 of .8, heavy tails": Design(15, 0.8, heavy=True),
    "150 of .25": Design(150, 0.25),
    "15 of .4": Design(15, 0.4),
    "15 of .4, 300 samples": Design(15, 0.4, n=300),
}
