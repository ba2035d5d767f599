"""How often `tamis compare` finds a difference between plans of one table that are equally good.

The features of a table are blocks that are drawn alike, independent of each other; plan k selects
and learns in block k alone. So all plans are equally good in expectation, whatever the table: on
noise, and where some features of each block differ between the classes.

    python benchmarks/plan_comparison.py --plans 2  # eight minutes on one core
    python benchmarks/plan_comparison.py --plans 4 --sizes 40 --tables 200  # eight more
    python benchmarks/plan_comparison.py --plans 2 --sizes 40 --tables 20  # seconds
"""

from __future__ import annotations

import argparse
from itertools import combinations

from _harness import markdown, versions  # first: it sets the number of threads

# isort: split
import numpy as np

from _resampled import winners
from tamis.data import Dataset
from tamis.metrics.holm import holm_adjusted
from tamis.study.prepare import prepare_study
from tamis.study.results.held_out import paired_difference
from tamis.study.tasks import tasks_of

FEATURES, INFORMATIVE = 50, 4  # of a block
METHOD = {"select": "moderated_t", "sizes": [5], "classify": ["lda"]}
PLAN = {"inner": {"folds": 2, "repeats": 1}, "permutations": 0, "final": False, "describe": False}
LEVELS = (0.01, 0.05, 0.10)


def draw(n: int, shift: float, blocks: int, rng: np.random.Generator) -> Dataset:
    """A table of two classes of n/2, in blocks that are drawn alike."""
    y = np.repeat([0, 1], n // 2)
    X = rng.normal(size=(n, blocks, FEATURES))
    X[y == 1, :, :INFORMATIVE] += shift
    columns = np.arange(blocks * FEATURES).reshape(blocks, FEATURES)
    names = tuple(f"b{k}:g{j}" for k in range(blocks) for j in range(FEATURES))
    named = {f"b{k}": one for k, one in enumerate(columns)}
    return Dataset(X.reshape(n, -1), np.array(["a", "b"])[y], names, blocks=named)


def p_values(data: Dataset, outer: dict[str, int], seed: int) -> tuple[np.ndarray, float]:
    """Of every pair of plans, and the mean score of all plans."""
    held, scores = [], []
    for name in data.blocks:
        given = {**PLAN, "seed": seed, "outer": outer, "method": [{**METHOD, "blocks": [name]}]}
        plan, design, _ = prepare_study(data, given)
        held.append(winners(plan, design, tasks_of(plan, design)).headline)
        scores.append(np.mean([np.mean(c.predicted == design.labels.y[c.test]) for c in held[-1]]))
    y = design.labels.y
    pairs = combinations(held, 2)
    return np.array([paired_difference(*pair, y, "bcr").p_value for pair in pairs]), np.mean(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=400, help="tables a line")
    parser.add_argument("--sizes", nargs="+", type=int, default=[40, 80])
    parser.add_argument("--shifts", nargs="+", type=float, default=[0.0, 1.0])
    parser.add_argument("--plans", nargs="+", type=int, default=[2, 4])
    given = parser.parse_args()
    print(versions("numpy"), flush=True)
    header = [
        "plans",
        "samples",
        "shift",
        "outer folds",
        "score",
        *(f"rejected at {level:g}" for level in LEVELS),
        "standard error at 0.05",
        "no p-value",
    ]
    print(markdown(header, []), flush=True)
    for blocks in given.plans:
        for n in given.sizes:
            for shift in given.shifts:
                for outer in ({"folds": 10}, {"folds": 5, "repeats": 4}):
                    told = f"{outer['folds']} x {outer.get('repeats', 1)}"
                    print(line(blocks, n, shift, outer, told, given.tables), flush=True)


def line(blocks: int, n: int, shift: float, outer: dict[str, int], told: str, tables: int) -> str:
    """A row of the table: how often any pair is told apart, by Holm."""
    rng = np.random.default_rng([blocks, n, int(100 * shift), outer["folds"]])
    least, scores, undefined = [], [], 0
    for _ in range(tables):
        p, score = p_values(draw(n, shift, blocks, rng), outer, int(rng.integers(2**31)))
        undefined += int(np.isnan(p).sum())
        adjusted = holm_adjusted(p)
        least.append(np.nan_to_num(adjusted, nan=1.0).min())
        scores.append(score)
    rates = [float(np.mean(np.array(least) <= level)) for level in LEVELS]
    row = [
        blocks,
        n,
        shift or "none",
        told,
        f"{np.mean(scores):.2f}",
        *(f"{rate:.3f}" for rate in rates),
        f"{(0.05 * 0.95 / tables) ** 0.5:.3f}",
        undefined,
    ]
    return f"| {' | '.join(map(str, row))} |"


if __name__ == "__main__":
    main()
