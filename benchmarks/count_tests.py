"""Tests of two classes on simulated counts: error rates without a difference, and genes found.

    python benchmarks/count_tests.py [--tables 40]

Genes have expected counts of log-normal distribution, dispersions of .04 + 1/count times 10 over a
chi-square of 10 degrees of freedom, and samples depths that are even, unequal (up to four times and
down to a quarter) or unequal between the classes (a factor of 8). Of 2000 genes 100 differ by a
factor of two. Genes of fewer than ten counts in all are left out. Every way has the same tables.
"""

from __future__ import annotations

import argparse

import numpy as np

from _harness import markdown, versions
from tamis.preparation import VarianceStabilizer
from tamis.preparation.counts import log_cpm
from tamis.selection import benjamini_hochberg, moderated_t, voom_weights

GENES, TRUE = 2000, 100
DEPTHS = ("even", "unequal", "by class")


def by_voom(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moderated t with the weights of voom."""
    values, weights = voom_weights(X, y)
    return moderated_t(values, y, weights=weights)


WAYS = {
    "`log_cpm`, moderated t": lambda X, y: moderated_t(log_cpm(X), y),
    "`log_cpm`, limma-trend": lambda X, y: moderated_t(log_cpm(X), y, trend=True),
    "`vst`, moderated t": lambda X, y: moderated_t(VarianceStabilizer().fit_transform(X), y),
    "voom": by_voom,
}


def simulate(rng: np.random.Generator, n: int, depths: str, true: int) -> tuple[np.ndarray, ...]:
    """Counts, classes, and which genes differ."""
    y = np.repeat([0, 1], n // 2)
    counts = np.exp(rng.normal(np.log(30), 1.8, GENES))
    spread = {"even": 0.25, "unequal": 2.0, "by class": 0.3}[depths]
    depth = rng.uniform(-spread, spread, n) + (3 * y - 1.5 if depths == "by class" else 0)
    mu = counts * np.exp2(depth)[:, None]
    differ = rng.choice(GENES, true, replace=False)
    sign = rng.choice([-0.5, 0.5], true)
    mu[:, differ] *= np.exp2(np.where(y[:, None] == 1, sign, -sign))
    alpha = (0.04 + 1 / counts) * 10 / rng.chisquare(10, GENES)
    X = rng.negative_binomial(1 / alpha, 1 / (1 + alpha * mu)).astype(float)
    kept = X.sum(axis=0) >= 10
    return X[:, kept], y, np.isin(np.arange(GENES), differ)[kept]


def one_table(key: list[int], n: int, depths: str) -> list[list[float]]:
    """Of each way: share of p below .05 with no difference; true genes among the first as many;
    those found at a false discovery rate of 10 %, and the share of others among these."""
    rng = np.random.default_rng(key)
    null, tested = simulate(rng, n, depths, 0), simulate(rng, n, depths, TRUE)
    X, y, true = tested
    found = []
    for way in WAYS.values():
        statistics, p = way(X, y)
        hits = benjamini_hochberg(p) <= 0.1
        first = np.argsort(-np.abs(statistics))[: true.sum()]
        false = (hits & ~true).sum() / max(hits.sum(), 1)
        found.append(
            [(way(*null[:2])[1] < 0.05).mean(), true[first].sum(), (hits & true).sum(), false]
        )
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=40)
    n_tables = parser.parse_args().tables
    rows = []
    for n in (6, 20):
        for at, depths in enumerate(DEPTHS):
            tables = np.array([one_table([k, n, at], n, depths) for k in range(n_tables)])
            error = tables.std(axis=0, ddof=1) / np.sqrt(n_tables)
            for way, mean, se in zip(WAYS, tables.mean(axis=0), error, strict=True):
                rows.append(
                    [
                        str(n),
                        depths,
                        way,
                        f"{mean[0]:.3f} ({se[0]:.3f})",
                        f"{mean[1]:.1f} ({se[1]:.1f})",
                        f"{mean[2]:.1f}",
                        f"{mean[3]:.2f}",
                    ]
                )
    head = [
        "samples",
        "depths",
        "way",
        "p < .05, no difference",
        "true genes of the first 100",
        "found at FDR 10 %",
        "false among these",
    ]
    print(markdown(head, rows))
    print(versions("numpy", "scipy"))


if __name__ == "__main__":
    main()
