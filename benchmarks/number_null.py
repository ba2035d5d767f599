"""Studies of a number that nothing predicts: the level of the permutation test, and the scores.

    python benchmarks/number_null.py --studies 200  # 20 minutes on two cores

The default study of a number, with 19 permuted runs, of tables of 100 columns of noise: P(p <= a),
which is to be at most a plus two standard errors; mean Q2 and concordance, and how often either
exceeds the median of its permuted runs (one half where it is at its chance); and how often the
interval of either lies above the chance of independent samples.
"""

from __future__ import annotations

import argparse
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from tamis.data import Dataset
from tamis.study import run_study

FEATURES, PERMUTATIONS, LEVELS = 100, 19, (0.05, 0.1, 0.2)
SCORES = {"q2": 0.0, "concordance": 0.5}


def plain(rng: np.random.Generator) -> Dataset:
    return _table(rng.normal(size=(40, FEATURES)), rng.normal(size=40))


def groups(rng: np.random.Generator) -> Dataset:
    """Twenty groups of three; half of the variance, of features and number, is theirs."""
    unit = np.repeat(np.arange(20), 3)
    X = rng.normal(size=(60, FEATURES)) + rng.normal(size=(20, FEATURES))[unit]
    y = rng.normal(size=60) + rng.normal(size=20)[unit]
    return _table(X, y, groups=np.char.add("p", unit.astype(str)))


def batches(rng: np.random.Generator) -> Dataset:
    """Three batches that shift features and number."""
    unit = np.arange(60) % 3
    X = rng.normal(size=(60, FEATURES)) + rng.normal(size=(3, FEATURES))[unit]
    return _table(X, rng.normal(size=60) + unit, batches=np.char.add("b", unit.astype(str)))


def lognormal(rng: np.random.Generator) -> Dataset:
    return _table(rng.normal(size=(40, FEATURES)), np.exp(rng.normal(size=40)))


DESIGNS = {
    "40 samples": plain,
    "20 groups of three": groups,
    "60 samples in three batches": batches,
    "40 samples, lognormal": lognormal,
}


def _table(X: np.ndarray, y: np.ndarray, **parts: np.ndarray) -> Dataset:
    names = tuple(f"g{j:03}" for j in range(X.shape[1]))
    return Dataset(X, None, names, numbers=y, **parts)


def one_study(task: tuple[str, int]) -> dict[str, float]:
    """p, and the score, the mean of the permuted runs' and the lower limit of each metric."""
    design, seed = task
    data = DESIGNS[design](np.random.default_rng([seed, len(design)]))
    plan = {"response": "number", "permutations": PERMUTATIONS, "seed": seed, "final": False}
    with tempfile.TemporaryDirectory() as folder:
        found = run_study(data, plan, Path(folder) / "study", n_jobs=1).to_dict()
    p = found["permutation"]["p_value"]
    row = {"p": np.nan if p is None else p}
    for name in SCORES:
        estimate, chance = found["metrics"][name], found["chance"][name]["permuted"]
        row |= {
            name: estimate["mean"],
            f"{name}_permuted": chance["median"],
            f"{name}_low": np.nan if estimate["low"] is None else estimate["low"],
        }
    return row


def studies_of(design: str, seeds: range, workers: int = 2) -> dict[str, np.ndarray]:
    """What each study found, (studies,) by name."""
    tasks = [(design, seed) for seed in seeds]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        rows = list(pool.map(one_study, tasks, chunksize=5))
    return {key: np.array([row[key] for row in rows]) for key in rows[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200, help="of each design")
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    given = parser.parse_args()
    print(versions())
    rows = []
    for design in given.designs:
        found = studies_of(design, range(given.studies))
        p = found["p"][np.isfinite(found["p"])]
        row = [design, str(len(p))]
        for level in LEVELS:
            most = level + 2 * np.sqrt(level * (1 - level) / len(p))
            row.append(f"{np.mean(p <= level + 1e-9):.3f} ({most:.3f})")
        for name, chance in SCORES.items():
            score, permuted = found[name], found[f"{name}_permuted"]
            half = np.mean(score > permuted) + np.mean(score == permuted) / 2
            above = np.mean(found[f"{name}_low"] > chance)
            error = score.std() / np.sqrt(len(score))
            row += [f"{score.mean():.3f} ± {error:.3f}", f"{half:.3f}", f"{above:.3f}"]
        rows.append(row)
        print(row, flush=True)
    head = ["design", "studies", *(f"P(p <= {a})" for a in LEVELS)]
    for name in SCORES:
        head += [f"mean {name}", "above half of permuted", "interval above chance"]
    print(markdown(head, rows))


if __name__ == "__main__":
    main()
