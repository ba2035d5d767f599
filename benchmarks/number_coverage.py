"""Coverage and width of the intervals of numeric studies: normal designs, long tails, wide tables.

    python benchmarks/number_coverage.py              # five minutes
    python benchmarks/number_coverage.py --check 20   # beside the package, table by table

Each table has n samples and P features, of which five carry the signal. The procedure selects the
ten features of the largest correlation and fits ridge regression, its penalty by leave-one-out, all
of it on training parts. What is estimated is the expected score of the procedure when it learns
from as many samples as a training set has: the mean over tables of the score of its models on new
samples. The ideal width is 2 × 1.96 standard deviations of the estimate over tables.

Prints TSV: the true Q2, then of each metric the coverage, the median width over the ideal one, and
the share of tables with an interval. `slope` is the calibration slope, without inflation.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import stdtrit

import _harness
from _number_tables import scores, simulate
from tamis.metrics.held_out_numbers import (
    MAX_KURTOSIS,
    TAIL_INFLATION,
    HeldOutNumbers,
    NumberSampling,
    fold_inflation,
)
from tamis.metrics.number_metrics import (
    NUMBER_METRICS,
    NumberMetric,
    calibration_slope,
    slope_in_fold,
)

SIGNALS = {"none": 0.0, "weak": 0.35, "strong": 1.0}
SLOPE = NumberMetric("slope", "", "", "", calibration_slope, (1.0, 0.0, 0.0),
                     least=-np.inf, in_fold=slope_in_fold)  # fmt: skip
METRICS = {**NUMBER_METRICS, "slope": SLOPE}
USUAL = {"size": 1, "folds": 10, "repeats": 1, "P": 200, "tails": "normal"}


def _designs(sizes, signals=tuple(SIGNALS), **others):
    return [{"n": n, "signal": s, **USUAL, **others} for n in sizes for s in signals]


ENDS = ("none", "strong")
PARTS = {
    "normal": _designs((40, 60, 100, 150, 300)) + _designs((60, 150, 300), size=3),
    "tails": _designs((40, 100, 300), ENDS, tails="lognormal")
    + _designs((40, 100, 300), ENDS, tails="t3"),
    "folds": _designs((60, 300), folds=5)
    + _designs((60, 300), repeats=3)
    + _designs((60, 300), folds=5, repeats=5),
    "one out": _designs((40,), folds=40) + _designs((100,), folds=100),
    "others": _designs((40, 100), P=1500) + _designs((40, 100), P=20),
}


def intervals(tables):
    """Estimate, limits and truth of each metric, (tables,) each; NaN: no interval."""
    T, R, F, s = tables.y.shape
    n, error = F * s, (tables.predicted - tables.y).reshape(T, R, -1)
    kurtosis = (error**4).mean(axis=(1, 2)) / (error**2).mean(axis=(1, 2)) ** 2
    every, units, found = scores(tables), n // tables.size, {}
    for name, (value, left) in every.items():
        metric, number = METRICS[name], np.sqrt(n * units)
        f = np.array([fold_inflation(metric, number, q2, R) for q2 in every["q2"][0]])
        if name == "slope":
            f[:] = 1.0
        f[kurtosis > MAX_KURTOSIS] *= TAIL_INFLATION
        B = left.shape[1]
        if metric.of_median:
            spread = B / (B - 1) * (left**2).sum(axis=1)
        else:
            with np.errstate(all="ignore"):
                scaled = np.vectorize(metric.scale)(left)
            off = scaled - scaled.mean(axis=1, keepdims=True)
            spread = (B - 1) / B * (off**2).sum(axis=1)
        reach = stdtrit(B - 1, 0.975) * np.sqrt(f * spread)
        if metric.of_median:
            shares = np.clip([0.5 - reach, 0.5 + reach], 0, 1).T
            quantiles = [
                np.quantile(np.abs(own), q, axis=1, method="hazen").mean(axis=1)
                for own, q in zip(error, shares, strict=True)
            ]
            low, high = np.array(quantiles).T
        else:
            middle, back = np.vectorize(metric.scale)(value), np.vectorize(metric.back)
            low, high = np.sort([back(middle - reach), back(middle + reach)], axis=0)
        if metric.of_squares:
            low = np.where(kurtosis > MAX_KURTOSIS, np.nan, low)
        found[name] = value, low, high, tables.truth[name]
    return found


def coverage(value, low, high, truth):
    """Coverage, median width over the ideal one, and share with an interval."""
    given = np.isfinite(low)
    if not given.any():
        return "-"
    inside = ((low <= truth.mean()) & (truth.mean() <= high))[given].mean()
    ratio = np.median((high - low)[given]) / (2 * 1.96 * value.std())
    return f"{inside:.3f} {ratio:.2f} {given.mean():.2f}"


def check(tables, found):
    """The package's own intervals are the same; above 100 units it takes blocks of them."""
    for i in range(len(tables.y)):
        repeats, rows = [], tables.unit[i]  # samples are units
        for own, y, p, m in zip(
            rows, tables.y[i], tables.predicted[i], tables.mean[i], strict=True
        ):
            repeats.append([(r, a, b, c[0]) for r, a, b, c in zip(own, y, p, m, strict=True)])
        held = HeldOutNumbers.of(repeats)
        sampling = NumberSampling(np.arange(rows[0].size), resampled=True)
        for name in NUMBER_METRICS:
            if name in found:
                own = held.estimate(METRICS[name], sampling)
                other = [column[i] for column in found[name][:3]]
                ends = [own.mean, own.low, own.high]
                np.testing.assert_allclose(ends, other, rtol=2e-5, atol=1e-6, err_msg=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--check", type=int, default=0, help="that many tables of up to 100")
    given = parser.parse_args()
    print(_harness.versions())
    print("part", "n", "signal", *USUAL, "truth", *METRICS, sep="\t")
    for part in given.parts:
        for design in PARTS[part]:
            if given.check and (design["n"] > 100 or design["size"] > 1 or design["P"] > 200):
                continue
            seed = [design["n"], *map(len, map(str, design.values())), design["P"]]
            kwargs = {**design, "signal": SIGNALS[design["signal"]]}
            tables = simulate(seed, given.check or given.tables, **kwargs)
            found = intervals(tables)
            if given.check:
                check(tables, found)
            truth = f"{tables.truth['q2'].mean():.2f}"
            cells = [coverage(*found[name]) if name in found else "-" for name in METRICS]
            print(part, *design.values(), truth, *cells, sep="\t", flush=True)


if __name__ == "__main__":
    main()
