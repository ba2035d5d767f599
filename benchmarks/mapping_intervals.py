"""How often 95 % intervals of a mapping's precision, recall and F1 hold the truth.

A reference of n pairs; each is found with probability R. Wrong pairs come so that the expected
precision is P: a share `together` of the misses (as far as P allows) are mapped to a wrong partner,
so that one error is in both counts; the others come by themselves, a Poisson number. The rules for
F1: ours; a share of D or of the union (which takes errors for independent); draws of precision
and recall from their Jeffreys posteriors; the percentile bootstrap of groups.

A second table has pairs that share classes: groups of 1, 2, 5 or 10 pairs, all found or all missed.

    python benchmarks/mapping_intervals.py
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import product

sys.modules.setdefault("coverage", None)  # type: ignore[arg-type]  # numba would import this file

import numpy as np  # noqa: E402

from _harness import markdown, versions  # noqa: E402
from tamis.metrics.intervals import share_limits  # noqa: E402
from tamis.ontology.evaluation_counts import Counts  # noqa: E402

SIZES = (10, 20, 50, 150, 500, 1500)
SHARES = (0.5, 0.7, 0.9, 0.95, 0.98)
TOGETHER = (0.0, 0.5, 1.0)
GROUPS, GROUP_SHARES = (1, 2, 5, 10), (0.7, 0.15, 0.1, 0.05)  # pairs in a group
DRAWS = 400  # of a bootstrap, and of posteriors


@dataclass(frozen=True)
class Drawn:
    """Counts of many mappings, (runs,) each: right, missed alone, wrong alone, both at once."""

    right: np.ndarray
    missed: np.ndarray
    wrong: np.ndarray
    both: np.ndarray

    def counts(self) -> list[Counts]:
        found = []
        for tp, fn, fp, both in zip(self.right, self.missed, self.wrong, self.both, strict=True):
            fp, fn = int(fp + both), int(fn + both)
            tp, squares = int(tp), fp + fn + 2 * int(both)
            found.append(Counts(tp, fp, fn, tp + fp, tp + fn, tp, squares))
        return found

    def f1(self) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            total = 2 * self.right + self.missed + self.wrong + 2 * self.both
            return 2 * self.right / total


def drawn(
    rng: np.random.Generator, n: int, precision: float, recall: float, together: float, runs: int
) -> Drawn:
    """Mappings of a design; those without any pair are drawn like the others."""
    right = rng.binomial(n, recall, runs)
    expected = n * recall * (1 - precision) / precision  # wrong pairs
    share = min(1.0, expected / (n * (1 - recall))) * together
    both = rng.binomial(n - right, share)
    alone = max(expected - n * (1 - recall) * share, 0.0)
    return Drawn(right, n - right - both, rng.poisson(alone, runs), both)


def of_posteriors(rng: np.random.Generator, some: Drawn) -> tuple[np.ndarray, np.ndarray]:
    """Limits by draws of precision and recall, each from its Jeffreys posterior."""
    tp, fp, fn = some.right, some.wrong + some.both, some.missed + some.both
    size = (DRAWS, len(tp))
    p, r = rng.beta(tp + 0.5, fp + 0.5, size), rng.beta(tp + 0.5, fn + 0.5, size)
    return tuple(np.quantile(2 * p * r / (p + r), [0.025, 0.975], axis=0))


def of_bootstrap(rng: np.random.Generator, some: Drawn) -> tuple[np.ndarray, np.ndarray]:
    """Limits by the percentiles of F1 of groups drawn again."""
    parts = np.stack([some.right, some.missed, some.wrong, some.both], axis=1)
    again = rng.multinomial(
        parts.sum(axis=1), parts / parts.sum(axis=1, keepdims=True), size=(DRAWS, len(parts))
    )
    scores = Drawn(*np.moveaxis(again, -1, 0)).f1()
    return tuple(np.nanquantile(scores, [0.025, 0.975], axis=0))


def cell(rng: np.random.Generator, design: tuple, runs: int) -> dict[str, tuple[float, float]]:
    """Share of intervals that hold the truth, and their mean width, by rule."""
    n, precision, recall, together = design
    some = drawn(rng, n, precision, recall, together, runs)
    kept = some.right + some.wrong + some.both > 0  # else precision is undefined
    some = Drawn(*(part[kept] for part in (some.right, some.missed, some.wrong, some.both)))
    f1 = 2 * precision * recall / (precision + recall)
    counts = some.counts()
    sides = {
        name: [getattr(one, name)() for one in counts] for name in ("precision", "recall", "f1")
    }
    limits = {
        name: (np.array([e.low for e in found]), np.array([e.high for e in found]))
        for name, found in sides.items()
    }
    tp, errors = some.right, some.missed + some.wrong + 2 * some.both
    limits["f1, share of D"] = share_limits(some.f1(), tp + errors / 2, exact=True)
    low, high = share_limits(tp / (tp + errors), (tp + errors).astype(float), exact=True)
    limits["f1, share of the union"] = 2 * low / (1 + low), 2 * high / (1 + high)
    limits["f1, posteriors"] = of_posteriors(rng, some)
    limits["f1, bootstrap"] = of_bootstrap(rng, some)
    for name in ("precision", "recall"):
        value = np.array([e.value for e in sides[name]])
        size = np.array([one.n_found if name == "precision" else n for one in counts], dtype=float)
        limits[f"{name}, Jeffreys"] = share_limits(value, size)
    truth = {"precision": precision, "recall": recall, "f1": f1}
    told = {}
    for rule, (low, high) in limits.items():
        true = truth[rule.partition(",")[0]]
        told[rule] = float(np.mean((low <= true) & (true <= high))), float(np.mean(high - low))
    return told


def single(rng: np.random.Generator, runs: int) -> list[list[str]]:
    """Lowest coverage of the designs of each size, by rule."""
    found: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    lowest: dict[str, tuple[float, tuple]] = {}
    for design in product(SIZES, SHARES, SHARES, TOGETHER):
        for rule, (held, width) in cell(rng, design, runs).items():
            found[rule, design[0]].append((held, width))
            lowest[rule] = min(lowest.get(rule, (2.0, ())), (held, design))
    rows = []
    for rule, (held, (n, p, r, together)) in lowest.items():
        shares = [min(h for h, _ in found[rule, size]) for size in SIZES]
        width = np.mean([w for size in SIZES for _, w in found[rule, size]])
        where = f"n {n}, P {p}, R {r}, together {together}"
        rows.append([rule, *(f"{h:.3f}" for h in shares), f"{width:.3f}", f"{held:.3f} at {where}"])
    return rows


def grouped(
    rng: np.random.Generator, n: int, precision: float, recall: float, together: float
) -> Counts:
    """Counts of a mapping of n groups; wrong pairs come in such groups, too."""

    def sizes(some: int) -> np.ndarray:
        return rng.choice(GROUPS, some, p=GROUP_SHARES)

    reference = sizes(n)
    hit = rng.random(n) < recall
    expected = recall * (1 - precision) / precision  # wrong groups for each of the reference
    share = min(1.0, expected / (1 - recall)) * together
    both = ~hit & (rng.random(n) < share)
    wrong = sizes(rng.poisson(max(expected - (1 - recall) * share, 0.0) * n))
    found = np.concatenate([reference[hit], reference[both], wrong])
    errors = np.concatenate([reference[~hit] * (1 + both[~hit]), wrong])
    tp = int(reference[hit].sum())
    return Counts(
        tp,
        int(found.sum()) - tp,
        int(reference.sum()) - tp,
        *(int((part**2).sum()) for part in (found, reference, reference[hit], errors)),
    )


def in_groups(rng: np.random.Generator, runs: int) -> list[list[str]]:
    """Lowest coverage of the designs of each number of groups."""
    lowest: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(lambda: 2.0))
    for n, p, r, together in product(
        (10, 30, 100, 400), (0.7, 0.95, 0.999), (0.5, 0.8, 0.95), (0, 1)
    ):
        truth = {"precision": p, "recall": r, "f1": 2 * p * r / (p + r)}
        counts = [grouped(rng, n, p, r, together) for _ in range(runs)]
        for rule, true in truth.items():
            told = [getattr(one, rule)() for one in counts if one.n_found]
            held = float(np.mean([one.low <= true <= one.high for one in told]))
            lowest[rule][n] = min(lowest[rule][n], held)
    return [[rule, *(f"{h:.3f}" for h in held.values())] for rule, held in lowest.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1500)
    parser.add_argument("--parts", nargs="+", default=["single", "groups"])
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    error = math.sqrt(0.95 * 0.05 / asked.runs)
    print(f"{asked.runs:,} mappings a design (standard error {error:.3f}); {versions('numpy')}\n")
    rng = np.random.default_rng(asked.seed)
    if "single" in asked.parts:
        print(
            markdown(["rule", *map(str, SIZES), "mean width", "lowest"], single(rng, asked.runs)),
            "\n",
        )
    if "groups" in asked.parts:
        rows = in_groups(rng, asked.runs)
        print(markdown(["groups", "10", "30", "100", "400"], rows))


if __name__ == "__main__":
    main()
