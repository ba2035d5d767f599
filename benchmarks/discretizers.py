"""Fitting the discretisers on a wide table, and MDL against the same search in NumPy.

    python benchmarks/discretizers.py [--rows 500] [--columns 20000] [--repeats 2]

One thread. A quarter of the columns are shifted by class. Cuts of the NumPy search are checked
to be equal on the columns it does (one in twenty, its time multiplied).
"""

from __future__ import annotations

import argparse

# isort: off
from _harness import markdown, timed, versions  # first: sets one thread

import numpy as np

import tamis.data as td

# isort: on

KINDS = (
    "MDLDiscretizer",
    "AmevaDiscretizer",
    "CAIMDiscretizer",
    "ChiMergeDiscretizer",
    "EqualWidthDiscretizer",
    "EqualFrequencyDiscretizer",
)


def entropy(counts: np.ndarray) -> np.ndarray:
    """Class entropy in bits of each row of counts."""
    shares = counts / counts.sum(axis=-1, keepdims=True)
    return -(shares * np.log2(shares, out=np.zeros_like(shares), where=shares > 0)).sum(axis=-1)


def numpy_mdl(x: np.ndarray, onehot: np.ndarray) -> list[float]:
    """Fayyad & Irani's cuts of a sorted column, each set searched by whole-array operations."""
    n = len(x)
    before = np.cumsum(onehot, axis=0)
    whole, places = before[-1], np.flatnonzero(x[:-1] < x[1:])
    if len(places) == 0:
        return []
    left, right = before[places], whole - before[places]
    sizes = places + 1
    rest = (sizes * entropy(left) + (n - sizes) * entropy(right)) / n
    i = int(np.argmin(rest))
    parts = (whole, left[i], right[i])
    k, k1, k2 = ((part > 0).sum() for part in parts)
    e, e1, e2 = (entropy(part) for part in parts)
    if e - rest[i] <= (np.log2(n - 1) + np.log2(3.0**k - 2) - (k * e - k1 * e1 - k2 * e2)) / n:
        return []
    at = sizes[i]
    cut = (x[at - 1] + x[at]) / 2
    return [*numpy_mdl(x[:at], onehot[:at]), cut, *numpy_mdl(x[at:], onehot[at:])]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--columns", type=int, default=20000)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, options.rows)
    X = rng.normal(size=(options.rows, options.columns))
    X[:, : options.columns // 4] += y[:, None]
    rows = []
    for name in KINDS:
        estimator = getattr(td, name)()
        estimator.fit(X[:, :2], y)  # compile or load
        fit = timed(lambda e=estimator: e.fit(X, y), options.repeats)
        transform = timed(lambda e=estimator: e.transform(X), options.repeats)
        mean = np.mean([len(cuts) for cuts in fit.value.cuts_])
        rows.append([name, f"{fit.wall:.2f}", f"{transform.wall:.2f}", f"{mean:.2f}"])
        if name == "MDLDiscretizer":
            ours = [fit.value.cuts_[j] for j in range(0, options.columns, 20)]
    onehot = np.eye(3)[y]

    def search() -> list[list[float]]:
        columns = np.ascontiguousarray(X[:, ::20].T)
        orders = np.argsort(columns, axis=1)
        return [numpy_mdl(c[o], onehot[o]) for c, o in zip(columns, orders, strict=True)]

    peer = timed(search, options.repeats)
    assert all(map(np.allclose, ours, peer.value))
    rows.append(["MDL, NumPy", f"{peer.wall * 20:.1f}", "", ""])
    print(markdown(["method", "fit, s", "transform, s", "cuts a column"], rows))
    print(f"\n{options.rows} x {options.columns:,}, 3 classes. {versions('numpy', 'numba')}.")


if __name__ == "__main__":
    main()
