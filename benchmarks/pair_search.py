"""All pairs of features: pairs a second, a wide table, and how often chance reports a pair.

    python benchmarks/pair_search.py [--parts rates loop wide null categories models power]

Rates are of the kernel alone, one thread, as a permuted run needs it; the loop is `pair_mtd` for
every pair of a small table, held equal to the search. Population interactions are those of the
features cut at the quantiles of both classes together, by numerical integration.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from itertools import combinations

import numpy as np

from _harness import markdown, timed, versions

TABLES = [
    (200, 2048, 2),
    (200, 2048, 3),
    (200, 2048, 4),
    (200, 2048, 5),
    (4000, 1024, 2),
    (4000, 1024, 3),
]  # samples, features, levels
DESIGNS = [  # correlation of all features, how many are shifted, by how many deviations
    (0.0, 0, 0.0),
    (0.0, 5, 1.0),
    (0.0, 5, 2.0),
    (0.0, 5, 3.0),
    (0.8, 0, 0.0),
    (0.5, 5, 2.0),
    (0.8, 5, 1.0),
    (0.8, 5, 2.0),
]


def rates_part(options) -> None:
    """Pairs a second by samples, levels and gaps."""
    from tamis.kernels.pair_bits import make_planes, order_features
    from tamis.kernels.pair_scan import scan_block

    print("## Pairs a second, one thread\n")
    rows = []
    for n, p, levels in TABLES:
        row = [n, f"{levels} x {levels}"]
        for missing in (0.0, 0.02):
            rng = np.random.default_rng(0)
            codes = rng.integers(0, levels, (p, n)).astype(np.int16)
            codes[rng.random((p, n)) < missing] = -1
            features = order_features(codes, np.full(p, levels), np.arange(p))
            planes = make_planes(features, rng.permutation(np.arange(n) % 2), 2)

            def every(features=features, planes=planes):
                for block in range(features.blocks):
                    scan_block(features, planes, block, True, 1)

            every()
            best = timed(every, options.repeats)
            row.append(f"{p * (p - 1) / 2 / best.cpu / 1e6:.0f}")
        rows.append(row)
    print(markdown(["samples", "levels", "M pairs/s", "with 2 % missing"], rows))


def loop_part(options) -> None:
    """A search without permuted runs against a loop of `pair_mtd`, both from the table on."""
    from tamis.interactions import pair_mtd, search_pairs

    print("## Against a loop of pair_mtd\n")
    rows = []
    for n, p in ((200, 100), (4000, 100), (200, 1000)):
        rng = np.random.default_rng(1)
        X, y = rng.integers(0, 3, (n, p)).astype(float), np.arange(n) % 2
        pairs = list(combinations(range(p), 2))[:4950]

        def loop(X=X, y=y, pairs=pairs):
            return [pair_mtd(X[:, a], X[:, b], y).interaction for a, b in pairs]

        def search(X=X, y=y):
            return search_pairs(X, y, n_permutations=0, keep=10)

        search(), loop(pairs=pairs[:2])
        slow, quick = timed(loop), timed(search, options.repeats)
        if p == 100:
            assert np.array_equal(np.sort(slow.value)[::-1][:10], quick.value.interaction)
        each = slow.cpu / len(pairs)
        n_pairs = p * (p - 1) // 2
        rows.append(
            [
                f"{n} x {p}",
                f"{n_pairs:,}",
                f"{each * 1e6:.0f}",
                f"{quick.cpu * 1e3:.1f}",
                f"{each * n_pairs / quick.cpu:,.0f}",
            ]
        )
    print(markdown(["table", "pairs", "loop, us a pair", "search, ms in all", "ratio"], rows))


def wide_part(options) -> None:
    """Twenty runs over all pairs of 20,000 features."""
    from tamis.interactions import search_pairs

    print("## 200 x 20,000, default settings\n")
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 20_000))
    y = (X[:, 700] > 0) ^ (X[:, 15_000] > 0)
    search_pairs(X[:, :100], y)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, cpu = time.perf_counter(), time.process_time()
    found = search_pairs(X, y, n_jobs=options.jobs, progress=True)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row = [
        f"{20 * found.n_pairs:,}",
        f"{wall:.0f}",
        f"{cpu:.0f}",
        f"{20 * found.n_pairs / cpu / 1e6:.0f}",
        f"{before:.0f}",
        f"{peak:.0f}",
    ]
    print(markdown(["pairs", "wall s", "CPU s", "M pairs/CPU-s", "MB before", "MB peak"], [row]))
    print(f"\n{found.summary()}")


def null_part(options) -> None:
    """How often a pair is reported where shifts are all that there is."""
    from tamis.interactions import search_pairs

    print(f"## Share of {options.sets} sets of 30 features with a pair reported\n")
    rows = []
    for n in (60, 200):
        for correlation, shifted, size in DESIGNS:
            row = [n, correlation, f"{shifted} by {size:g}" if shifted else "none"]
            for bins in (2, 3):
                reported = 0
                for seed in range(options.sets):
                    X, y = shifted_set(n, correlation, shifted, size, seed)
                    found = search_pairs(X, y, bins=bins, keep=1, random_state=seed)
                    reported += bool(found.significant.any())
                row += [
                    f"{reported / options.sets:.3f}",
                    f"{population_interaction(correlation, size, bins):.2f}",
                ]
            rows.append(row)
            print("; ".join(map(str, row)), flush=True)
    print()
    header = ["samples", "correlation", "shifted"]
    header += [f"bins={bins}: {what}" for bins in (2, 3) for what in ("reported", "population")]
    print(markdown(header, rows))


def shifted_set(n: int, correlation: float, shifted: int, size: float, seed: int):
    """Thirty normal features, equally correlated within the classes; some shifted in class 1."""
    rng = np.random.default_rng([seed, n])
    y = np.arange(n) % 2
    X = np.sqrt(1 - correlation) * rng.normal(size=(n, 30))
    X += np.sqrt(correlation) * rng.normal(size=(n, 1))
    X[:, :shifted] += size * y[:, None]
    return X, y


def population_interaction(correlation: float, size: float, bins: int) -> float:
    """Of a shifted feature and one that is not, both cut as in endless samples."""
    from scipy.optimize import brentq
    from scipy.stats import multivariate_normal, norm

    shares = np.arange(1, bins) / bins
    far = 12.0  # deviations, for infinity
    cuts = [
        [
            brentq(lambda t, q=q, s=s: (norm.cdf(t) + norm.cdf(t - s)) / 2 - q, -far, far)
            for q in shares
        ]
        for s in (size, 0.0)
    ]
    edges = [[-far, *own, far] for own in cuts]
    covariance = [[1, correlation], [correlation, 1]]
    cells = []
    for mean in ([0.0, 0.0], [size, 0.0]):
        below = [
            [multivariate_normal.cdf([a, b], mean, covariance) for b in edges[1]] for a in edges[0]
        ]
        cells.append(np.diff(np.diff(below, axis=0), axis=1))
    return interaction_of(*cells)


def interaction_of(zero: np.ndarray, one: np.ndarray) -> float:
    """Of a grid's probabilities in two classes, rounded to 1e-9."""
    from tamis.kernels.pair_transport import grid_transport

    gap = np.round(1e9 * (zero - one)).astype(np.int64)
    gap[0, 0] -= gap.sum()
    alone = np.abs(gap.sum(axis=0)).sum() + np.abs(gap.sum(axis=1)).sum()
    return (grid_transport(gap)[1] - alone) / 1e9


def categories_part(options) -> None:
    """Ten independent categories a table, as unlike in the classes as it comes."""
    from tamis.interactions import search_pairs

    shares, tables = [], max(options.sets // 4, 1)
    for population in range(150):
        rng = np.random.default_rng([population, 4])
        levels, n, share = (
            int(rng.integers(2, 5)),
            rng.choice([60, 200]),
            rng.choice([0.1, 0.25, 0.5]),
        )
        own = rng.dirichlet(np.full(levels, rng.choice([0.3, 1.0, 3.0])), 2)
        y = (np.arange(n) < share * n).astype(int)
        reported = 0
        for seed in range(tables):
            rng = np.random.default_rng([population, seed, 5])
            X = np.empty((n, 10))
            for c in (0, 1):
                X[y == c] = rng.choice(levels, ((y == c).sum(), 10), p=own[c])
            found = search_pairs(X, y, keep=1, categorical_features=range(10), random_state=seed)
            reported += bool(found.significant.any())
        shares.append(reported / tables)
    print(
        f"150 populations of 10 categories, {tables} tables each, share with a pair reported: mean "
        f"{np.mean(shares):.3f}, largest {np.sort(shares)[::-1][:3]}"
    )


def models_part(options) -> None:
    """Interactions in the population, from 2 million samples."""
    print("## Interaction in the population, by model, correlation and bins\n")
    rows, rng = [], np.random.default_rng(6)
    z = rng.normal(size=(2, 2_000_000))
    for correlation in (0.0, 0.5, 0.8):
        a, b = z[0], correlation * z[0] + np.sqrt(1 - correlation**2) * z[1]
        for name, odds in MODELS.items():
            risk = 1 / (1 + np.exp(-odds(a, b)))
            row = [name, correlation]
            for bins in (2, 3, 4, 5):
                inner = np.arange(1, bins) / bins
                levels = [np.digitize(x, np.quantile(x, inner)) for x in (a, b)]
                cells = [
                    np.bincount(levels[0] * bins + levels[1], w).reshape(bins, bins) / w.sum()
                    for w in (1 - risk, risk)
                ]
                row.append(f"{interaction_of(*cells):.3f}")
            rows.append(row)
    print(markdown(["log-odds", "correlation", *(f"bins={k}" for k in (2, 3, 4, 5))], rows))


def power_part(options) -> None:
    """How often one pair of 100 features is first and reported, by kind of effect."""
    from tamis.interactions import search_pairs

    sets = max(options.sets // 4, 1)
    print(f"## Share of {sets} sets of 100 features in which the pair is reported\n")
    rows = []
    for name, effect in EFFECTS.items():
        for n in (100, 200):
            row = [name, n]
            for bins in (2, 3, 4):
                found = 0
                for seed in range(sets):
                    rng = np.random.default_rng([seed, n, 3])
                    X = rng.normal(size=(n, 100))
                    y = (rng.random(n) < effect(X[:, 20], X[:, 70])).astype(int)
                    search = search_pairs(X, y, bins=bins, keep=1, random_state=seed)
                    found += bool(search.significant.any()) and search.terms[0] == (20, 70)
                row.append(f"{found / sets:.2f}")
            rows.append(row)
            print("; ".join(map(str, row)), flush=True)
    print()
    print(markdown(["class 1", "samples", "bins=2", "bins=3", "bins=4"], rows))


EFFECTS = {
    "exclusive or of both above the median, 10 % wrong": lambda a, b: np.where(
        (a > 0) ^ (b > 0), 0.9, 0.1
    ),
    "exclusive or of both in the upper third, 10 % wrong": lambda a, b: np.where(
        (a > 0.43) ^ (b > 0.43), 0.9, 0.1
    ),
    "log-odds 2 a b": lambda a, b: 1 / (1 + np.exp(-2 * a * b)),
    "both above the median, 10 % wrong": lambda a, b: np.where((a > 0) & (b > 0), 0.9, 0.1),
}
MODELS = {
    "2a": lambda a, b: 2 * a,
    "2a + 2b": lambda a, b: 2 * a + 2 * b,
    "2a - 2b": lambda a, b: 2 * a - 2 * b,
    "2a + b/2": lambda a, b: 2 * a + b / 2,
    "2a - b/2": lambda a, b: 2 * a - b / 2,
    "2ab": lambda a, b: 2 * a * b,
    "a + b + 2ab": lambda a, b: a + b + 2 * a * b,
    "2a + 2b + 2ab": lambda a, b: 2 * a + 2 * b + 2 * a * b,
}
PARTS = {
    "rates": rates_part,
    "loop": loop_part,
    "wide": wide_part,
    "null": null_part,
    "categories": categories_part,
    "models": models_part,
    "power": power_part,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--repeats", type=int, default=5, help="best counts")
    parser.add_argument("--sets", type=int, default=400, help="data sets a row")
    parser.add_argument("--jobs", type=int, default=1, help="threads, of the wide table")
    options = parser.parse_args()
    for part in options.parts:
        PARTS[part](options)
        print()
    print(f"{versions('numpy', 'numba')}; load {os.getloadavg()[0]:.1f} at the end.")


if __name__ == "__main__":
    main()
