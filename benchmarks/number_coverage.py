"""Coverage and width of the intervals of numeric studies, in normal designs and with long tails.

Each simulated table has n samples and 200 features. The procedure selects the ten features of the
largest correlation and fits ridge regression, in ten folds, all of it on the training part. What is
estimated is the expected score of the procedure when it learns from as many samples as a training
set has: the mean over tables of the score on 2,000 new samples. Prints a table; takes minutes.

Usage: python benchmarks/number_coverage.py [--tables 400]
"""

from __future__ import annotations

import argparse

import numpy as np

from tamis.kernels.ridge_number import ridge_number
from tamis.metrics.held_out_numbers import HeldOutNumbers, NumberSampling
from tamis.metrics.number_metrics import NUMBER_METRICS, FoldValues
from tamis.selection._number_filters import _sums_of, correlations

P, K, FOLDS, N_NEW = 200, 10, 10, 2000
SIGNALS = {"none": 0.0, "weak": 0.35, "strong": 1.0}


def draw(rng, n, signal, tails, groups=1):
    """Features and a number; groups of samples share a part of both."""
    X = rng.normal(size=(n, P))
    noise = rng.normal(size=n)
    if groups > 1:
        unit = np.arange(n) // groups
        X = np.sqrt(0.5) * X + np.sqrt(0.5) * rng.normal(size=(n, P))[unit]
        noise = np.sqrt(0.5) * noise + np.sqrt(0.5) * rng.normal(size=n)[unit]
    if tails == "lognormal":
        noise = np.exp(noise) - np.exp(0.5)
    if tails == "t3":
        noise = noise * np.sqrt(3 / rng.chisquare(3, n))
    return X, signal * X[:, :5].sum(axis=1) + noise


def fitted(X, y):
    order = np.argsort(-np.abs(correlations(_sums_of(X, y))[0]), kind="stable")[:K]
    center, scale = X[:, order].mean(axis=0), X[:, order].std(axis=0)
    ((coef, intercept, _),) = ridge_number((X[:, order] - center) / scale, y, [K])
    return lambda Z: ((Z[:, order] - center) / scale) @ coef + intercept


def one_table(rng, n, signal, tails, groups):
    X, y = draw(rng, n, signal, tails, groups)
    unit = np.arange(n) // groups
    fold = rng.permutation(unit.max() + 1)[unit] % FOLDS
    folds, truths = [], []
    for k in range(FOLDS):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        predict = fitted(X[train], y[train])
        folds.append((test, y[test], predict(X[test]), float(y[train].mean())))
        if k == 0:
            Z, z = draw(rng, N_NEW, signal, tails, 1)
            m = np.full(N_NEW, y[train].mean())
            truths = FoldValues(z, predict(Z), m, np.zeros(N_NEW, dtype=int))
    return HeldOutNumbers.of([folds]), unit, {k: m(truths) for k, m in NUMBER_METRICS.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=400)
    tables = parser.parse_args().tables
    designs = [(n, s, "normal", 1) for n in (40, 100, 300) for s in SIGNALS]
    designs += [(60, s, "normal", 3) for s in SIGNALS]
    designs += [(40, "strong", t, 1) for t in ("lognormal", "t3")]
    designs += [(100, "strong", t, 1) for t in ("lognormal", "t3")]
    print("n\tsignal\terrors\tgroups\tmetric\tvalue\tcoverage\tgiven\twidth\tideal")
    for n, signal, tails, groups in designs:
        rng = np.random.default_rng([n, len(signal), len(tails), groups])
        made = [one_table(rng, n, SIGNALS[signal], tails, groups) for _ in range(tables)]
        for name, metric in NUMBER_METRICS.items():
            truth = float(np.mean([one[2][name] for one in made]))
            found = [held.estimate(metric, NumberSampling.k_fold(unit)) for held, unit, _ in made]
            values = np.array([one.mean for one in found])
            given = [one for one in found if np.isfinite(one.low)]
            inside = [one.low <= truth <= one.high for one in given]
            width = np.median([one.high - one.low for one in given]) if given else np.nan
            ideal = 2 * 1.96 * values.std()
            cover = np.mean(inside) if inside else np.nan
            print(f"{n}\t{signal}\t{tails}\t{groups}\t{name}\t{truth:.3f}\t{cover:.3f}\t"
                  f"{len(given) / tables:.2f}\t{width:.3f}\t{ideal:.3f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
