"""Coverage and width of the intervals of numeric studies: normal designs, long tails, wide tables.

    python benchmarks/number_coverage.py --tables 400 --parts normal    # 20 minutes

Each table has n samples and P features, of which five carry the signal. The procedure selects the
ten features of the largest correlation and fits ridge regression, its penalty by leave-one-out, all
of it on training parts. What is estimated is the expected score of the procedure when it learns
from as many samples as a training set has: the mean over tables of the score on new samples. The
ideal width is 2 × 1.96 standard deviations of the estimate over tables.

Prints TSV: Q2 that is estimated, then of each metric the coverage, the median width over the ideal
one, and the share of tables with an interval. `slope` is the calibration slope, without inflation.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np

import _harness  # one thread each
from tamis.metrics.held_out_numbers import HeldOutNumbers, NumberSampling
from tamis.metrics.number_metrics import (
    NUMBER_METRICS,
    FoldValues,
    NumberMetric,
    calibration_slope,
    slope_in_fold,
)

TRUE, CHOSEN, N_NEW, SIGNALS = 5, 10, 1000, {"none": 0.0, "weak": 0.35, "strong": 1.0}
PENALTIES = 10.0 ** np.arange(-4, 4.1, 0.5)  # of the mean eigenvalue
SLOPE = NumberMetric("slope", "", "", "", calibration_slope, (1.0, 0.0, 0.0),
                     least=-np.inf, in_fold=slope_in_fold)  # fmt: skip
METRICS = {**NUMBER_METRICS, "slope": SLOPE}
TAILS = {
    "normal": lambda e, rng: e,
    "lognormal": lambda e, rng: np.exp(e) - np.exp(0.5),
    "t3": lambda e, rng: e * np.sqrt(3 / rng.chisquare(3, e.shape)),
}


def _design(n, signal, **others):
    return {"n": n, "signal": signal, "size": 1, "folds": 10, "repeats": 1, "P": 200,
            "tails": "normal", **others}  # fmt: skip


PARTS = {
    "normal": [_design(n, s) for n in (40, 60, 100, 150, 300) for s in SIGNALS]
    + [_design(n, s, size=3) for n in (60, 150, 300) for s in SIGNALS],
    "tails": [_design(n, s, tails=t) for t in ("lognormal", "t3") for n in (40, 100, 300)
              for s in ("none", "strong")],
    "folds": [_design(n, s, **k) for k in ({"folds": 5}, {"repeats": 3}, {"folds": 5, "repeats": 5})
              for n in (60, 300) for s in SIGNALS],
    "one out": [_design(n, s, folds=n) for n in (40, 100) for s in SIGNALS],
    "others": [_design(n, s, P=P) for P in (1500, 20) for n in (40, 100) for s in SIGNALS],
}  # fmt: skip


def draw(rng, n, signal, P, size, tails):
    """Features and a number; groups of samples share half of the variance of both."""
    X, noise = rng.normal(size=(n, P)), rng.normal(size=n)
    if size > 1:
        unit = np.arange(n) // size
        X = np.sqrt(0.5) * (X + rng.normal(size=(n, P))[unit])
        noise = np.sqrt(0.5) * (noise + rng.normal(size=n)[unit])
    return X, SIGNALS[signal] * X[:, :TRUE].sum(axis=1) + TAILS[tails](noise, rng)


def fold_codes(rng, y, folds, size):
    """Shared out over five parts by value; whole groups at random."""
    n = len(y)
    if size > 1 or folds == n:
        return np.repeat(rng.permutation(n // size) % folds, size)
    part = np.argsort(np.argsort(y)) * 5 // n
    fold = np.empty(n, dtype=int)
    fold[np.lexsort((rng.random(n), part))] = np.arange(n) % folds
    return fold


def fitted(X, y, train):
    """Of F training sets (F, n) at once: chosen features (F, k), coefficients, intercepts."""
    t = train.astype(float)
    m = t.sum(axis=1, keepdims=True)
    mean, y_mean = t @ X / m, t @ y[:, None] / m
    var = t @ X**2 / m - mean**2
    r = np.abs((t * y) @ X / m - mean * y_mean) / np.sqrt(var)
    chosen = np.argpartition(-r, CHOSEN - 1, axis=1)[:, :CHOSEN]
    mean, sd = np.take_along_axis(mean, chosen, 1), np.sqrt(np.take_along_axis(var, chosen, 1))
    Z = (X[:, chosen].swapaxes(0, 1) - mean[:, None]) / sd[:, None]
    off = y - y_mean
    values, vectors = np.linalg.eigh((Z * t[..., None]).swapaxes(1, 2) @ Z)
    U = Z @ vectors
    to = ((t * off)[:, None] @ U)[:, 0]
    floor = values.mean(axis=1, keepdims=True)
    shrink = 1 / (values + PENALTIES[:, None, None] * floor)  # (penalties, F, k)
    left = [
        ((((off - (U @ (d * to)[..., None])[..., 0]) / (1 - 1 / m - (U**2 @ d[..., None])[..., 0])))
         ** 2 * t).sum(axis=1) for d in shrink
    ]  # fmt: skip
    best = shrink[np.argmin(left, axis=0), np.arange(len(t))]
    coef = (vectors @ (best * to)[..., None])[..., 0] / sd
    return chosen, coef, y_mean[:, 0] - (coef * mean).sum(axis=1), y_mean[:, 0]


def one_table(design, seed):
    """The estimate of each metric (value, low, high), and its score on new samples."""
    n, signal, size = design["n"], design["signal"], design["size"]
    rng = np.random.default_rng([seed, *(len(str(v)) for v in design.values()), n, design["P"]])
    X, y = draw(rng, n, signal, design["P"], size, design["tails"])
    repeats, truth = [], None
    for _ in range(design["repeats"]):
        fold = fold_codes(rng, y, design["folds"], size)
        chosen, coef, start, mean = fitted(X, y, fold != np.arange(design["folds"])[:, None])
        rows = [np.flatnonzero(fold == k) for k in range(design["folds"])]
        predicted = [
            X[own][:, c] @ b + a for own, c, b, a in zip(rows, chosen, coef, start, strict=True)
        ]
        repeats.append(
            [(own, y[own], p, m) for own, p, m in zip(rows, predicted, mean, strict=True)]
        )
        if truth is None:  # only true features, and the sum of the others, matter to new samples
            Z = rng.normal(size=(N_NEW, TRUE))
            z = SIGNALS[signal] * Z.sum(axis=1) + TAILS[design["tails"]](
                rng.normal(size=N_NEW), rng
            )
            known = chosen[0] < TRUE
            others = np.sqrt((coef[0][~known] ** 2).sum()) * rng.normal(size=N_NEW)
            p = Z[:, chosen[0][known]] @ coef[0][known] + others + start[0]
            new = FoldValues(z, p, np.full(N_NEW, mean[0]), np.zeros(N_NEW, dtype=int))
            truth = {name: metric(new) for name, metric in METRICS.items()}
    held = HeldOutNumbers.of(repeats)
    sampling = NumberSampling(np.arange(n) // size, resampled=True)
    found = {name: held.estimate(metric, sampling) for name, metric in METRICS.items()}
    return {k: (e.mean, e.low, e.high, truth[k]) for k, e in found.items()}


def coverage_of(design, tables, pool):
    """Truth, coverage, width over the ideal and share of tables with an interval, by metric."""
    made = list(pool.map(partial(one_table, design), range(tables), chunksize=10))
    found = {}
    for name in METRICS:
        value, low, high, truth = np.array([one[name] for one in made]).T
        given, truth = np.isfinite(low), truth.mean()
        inside = ((low <= truth) & (truth <= high))[given]
        width = np.median((high - low)[given]) if given.any() else np.nan
        ratio = width / (2 * 1.96 * np.nanstd(value))
        found[name] = truth, inside.mean() if given.any() else np.nan, ratio, given.mean()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    given = parser.parse_args()
    print(_harness.versions())
    head = list(_design(0, ""))
    print("part", *head, "truth", *METRICS, sep="\t")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for part in given.parts:
            for design in PARTS[part]:
                found = coverage_of(design, given.tables, pool)
                cells = [f"{c:.3f} {w:.2f} {s:.2f}" for _, c, w, s in found.values()]
                truth = f"{found['q2'][0]:.2f}"
                print(part, *design.values(), truth, *cells, sep="\t", flush=True)


if __name__ == "__main__":
    main()
