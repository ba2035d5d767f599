"""The mean number of false selections stays under its bound, by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.selection._error_bounds import BOUNDS
from tamis.selection._stability import StabilitySelector

pytestmark = pytest.mark.slow

N, P, TRUE, RUNS = 60, 300, 4, 200


def independent(rng):
    return rng.normal(size=(N, P))


def autoregressive(rng, rho=0.9):
    X = rng.normal(size=(N, P))
    for j in range(1, P):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    return X[:, rng.permutation(P)]


def blocks(rng, rho=0.8, size=20):
    common = np.repeat(rng.normal(size=(N, P // size)), size, axis=1)
    return np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=(N, P))


@pytest.mark.parametrize("signal", [0.0, 1.2])
@pytest.mark.parametrize("design", [independent, autoregressive, blocks])
def test_false_selections_stay_under_every_bound(design, signal):
    """A false selection is a feature that labels do not shift, kept all the same.

    The r-concave bound is nearly reached without signal: at q = 20, threshold .75, independent
    columns, 2,600 runs gave a mean of .339 (standard error .011) where it promises .357. The
    runs and seeds here are fixed, so that the outcome is too.
    """
    y = np.arange(N) % 2
    settings = [(b, q, t) for b in BOUNDS for q, t in [(10, 0.6), (20, 0.75), (30, 0.9)]]
    false = dict.fromkeys(settings, 0)
    for run in range(RUNS):
        rng = np.random.default_rng([run, 7])
        X = design(rng)
        X[:, :TRUE] += signal * y[:, None]
        for q in {s[1] for s in settings}:
            found = StabilitySelector(q=q, threshold=1, bound=BOUNDS[0], random_state=run)
            kept = found.fit(X, y).probabilities_[TRUE if signal else 0 :]
            for s in settings:
                if s[1] == q:
                    false[s] += int((kept >= s[2] - 1e-12).sum())
    for (bound, q, threshold), count in false.items():
        promised = StabilitySelector(q=q, threshold=threshold, bound=bound)._control(P).pfer
        assert count / RUNS <= promised, (bound, q, threshold)
