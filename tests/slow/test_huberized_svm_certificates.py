"""Every point of the HHSVM path is certified: all sets, elbow widths, ridges and scales."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.classifiers import hhsvm_path

pytestmark = pytest.mark.slow

DELTAS, LAMBDA2 = [0.01, 0.1, 0.5, 1.0, 2.0], [0.0, 1e-6, 1e-2, 1.0, 10.0]
WIDE = ["golub", "alon", "gordon", "shipp", "chowdary"]
LONG = ["chen", "wdbc", "ionosphere", "pima"]


def shared_table(folder, name):
    import pandas as pd

    room = "uci" if name in LONG[1:] else "expression"
    frame = pd.read_parquet(folder / room / f"{name}.parquet")
    y = frame.pop("class").to_numpy()
    return frame.to_numpy(float), np.where(y == np.unique(y)[1], 1.0, -1.0)


def plain_certificate(columns, y, l1, l2, delta, b0, b):
    """KKT / l1 and relative gap by the formulas in docs/methods/hhsvm.md, over all columns."""
    short = np.maximum(1 - y * (b0 + b[b != 0] @ columns[b != 0]), 0)
    a = np.minimum(short / delta, 1)
    loss = np.where(short < delta, short**2 / (2 * delta), short - delta / 2)
    primal = loss.mean() + l1 * np.abs(b).sum() + l2 / 2 * b @ b
    z = columns @ (y * a) / len(y)
    wrong = np.where(b == 0, np.abs(z) - l1, np.abs(z - l2 * b - l1 * np.sign(b)))
    kkt = max(wrong.max(), abs((y * a).mean()))
    up, down = a[y > 0].sum(), a[y < 0].sum()
    a = np.where(y == (1 if up > down else -1), a * min(up, down) / max(up, down), a)
    z = np.abs(columns @ (y * a)) / len(y)
    shrunk = a * min(1, l1 / z.max())
    dual = (shrunk - delta / 2 * shrunk**2).mean()
    if l2 > 0:
        excess = np.maximum(z - l1, 0)
        dual = max(dual, (a - delta / 2 * a**2).mean() - excess @ excess / (2 * l2))
    return kkt / l1, max(primal - dual, 0) / primal


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("name", WIDE + LONG)
def test_shared_sets(shared_data, name, standardize):
    X, y = shared_table(shared_data, name)
    means = np.where((X[0] == X).all(axis=0), X[0], X.mean(axis=0))
    scale = X.std(axis=0) if standardize else np.ones(X.shape[1])
    scale[np.ptp(X, axis=0) == 0] = 1.0
    columns = np.ascontiguousarray(((X - means) / scale).T)
    for delta in DELTAS:
        for lambda2 in LAMBDA2:
            path = hhsvm_path(X, y, lambda2, delta, standardize=standardize)
            where = f"delta {delta}, lambda2 {lambda2}: {path.summary()}"
            assert path.converged.all(), where
            assert path.kkt.max() <= 1e-8, where
            assert path.gap.max() <= 1e-10, where
            for k in range(0, 100, 9):
                b0 = path.intercept[k] + means @ path.coef[k]
                kkt, gap = plain_certificate(
                    columns, y, path.lambdas[k], lambda2, delta, b0, path.coef[k] * scale
                )
                assert kkt <= 1e-8, where
                # at this point of the dual, where rounding of the margins counts 1 / delta times
                assert gap <= 1e-10 / min(delta, 1), where


def made_up(seed):
    """Correlated, repeated, constant, badly scaled columns; repeated rows; separable classes."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(4, 60)), int(rng.integers(1, 120))
    X = rng.normal(size=(n, p))
    kind = seed % 5
    if kind == 1:
        X = rng.integers(-1, 2, (n, p)) * 1.0
    elif kind == 2:
        X *= 10 ** rng.uniform(-3, 3, p)
    elif kind == 3:
        X = X * 0.1 + rng.normal(size=(n, 3)) @ rng.normal(size=(3, p))
    elif kind == 4:
        X = X[rng.integers(0, (n + 1) // 2, n)]
    if p > 3:
        X[:, 1], X[:, 2] = X[:, 0], 5.0
    y = np.where(rng.random(n) < rng.choice([0.5, 0.1]), 1, -1)
    y[:2] = 1, -1
    X[:, 0] += rng.choice([0, 3]) * y
    weights = rng.choice([0.0, 0.3, 1.0, 2.0], n)
    weights[:2] = 1.0
    return X, y, weights if rng.random() < 0.3 else None, rng


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("lambda2", LAMBDA2)
def test_made_up_tables(lambda2, delta):
    """The gap is within 1e-10 always. KKT / lambda is where the rounding of the coefficients
    allows it: on strongly correlated columns an ulp of b moves z by (1 / delta) |x|^2 ulp(b)."""
    for seed in range(400):
        X, y, weights, rng = made_up(seed)
        standardize, fit_intercept = bool(rng.integers(2)), rng.random() < 0.8
        path = hhsvm_path(
            X,
            y,
            lambda2,
            delta,
            lambdas=None if X.shape[1] > 1 else [0.1, 0.01],
            n_lambdas=20,
            min_ratio=0.01,
            standardize=standardize,
            fit_intercept=fit_intercept,
            sample_weight=weights,
        )
        assert path.gap.max() <= 1e-10, (seed, path.summary())
        assert path.kkt.max() <= 1e-8, (seed, path.summary())
        assert path.converged.all()
