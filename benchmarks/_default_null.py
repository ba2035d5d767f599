"""The default study where there is nothing to find: p-values, and each metric beside its chance."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from _harness import markdown

METRICS = ("bcr", "accuracy", "f", "auc", "mcc", "bcm", "loss")
SIZES = {"equal": (20, 20), "2:1": (26, 14), "4:1": (32, 8)}
COLUMNS, RUNS = 500, 19


def noise(sizes: tuple[int, int], seed: int):
    """A table in which nothing tells the class."""
    from tamis.data import Dataset

    y = np.repeat(["a", "b"], sizes)
    X = np.random.default_rng([seed, *sizes]).normal(size=(len(y), COLUMNS))
    return Dataset(X, y, tuple(f"g{j}" for j in range(COLUMNS)), name="noise")


def content_of(data, plan: dict) -> dict:
    """The results of a study of it."""
    from tamis.study import run_study

    said = {"outer": {"folds": 5}, "final": False, "describe": False, **plan}
    with tempfile.TemporaryDirectory() as folder:
        return run_study(data, said, Path(folder) / "study").to_dict()


def expected(content: dict, metric: str) -> float:
    """Of labels as frequent as the study's own, drawn regardless of the class.

    What a study prints as chance is the most that such labels reach, which is more for some.
    """
    matrix = np.array(content["headline"]["confusion"], dtype=float)  # rows predicted
    q, pi = matrix.sum(axis=1) / matrix.sum(), matrix.sum(axis=0) / matrix.sum()
    if metric in ("accuracy", "loss"):
        agreement = float(q @ pi)
        return agreement if metric == "accuracy" else 1 - agreement
    if metric == "f":
        return float(2 * pi[1] * q[1] / (pi[1] + q[1]))
    return content["chance"][metric]["theory"]


def report_null(studies: int) -> None:
    """Print how p-values are spread, and each metric's headline under its own decision."""
    from scipy.stats import kstest

    rows = []
    for name, sizes in SIZES.items():
        p = []
        for seed in range(studies):
            p.append(
                content_of(noise(sizes, seed), {"permutations": RUNS, "seed": seed})["permutation"][
                    "p_value"
                ]
            )
        p = np.array(p)
        spread = p - np.random.default_rng(0).random(len(p)) / (RUNS + 1)  # uniform if p is
        rows.append(
            [
                name,
                studies,
                f"{np.mean(p <= 0.05):.3f}",
                f"{np.mean(p <= 0.2):.3f}",
                f"{p.mean():.3f}",
                f"{kstest(spread, 'uniform').pvalue:.2f}",
            ]
        )
        print(f"null, {name}: p-values done", file=sys.stderr, flush=True)
    head = [
        "classes",
        "studies",
        "p at most .05",
        "at most .2",
        "mean (.525 expected)",
        "Kolmogorov-Smirnov p",
    ]
    print(f"\nNull tables of 40 x {COLUMNS}, {RUNS} permuted runs.\n\n" + markdown(head, rows))
    rows = []
    for metric in METRICS:
        for name, sizes in SIZES.items():
            gaps, values = [], []
            for seed in range(studies):
                plan = {"permutations": 0, "seed": seed, "metric": metric}
                content = content_of(noise(sizes, seed), plan)
                value = content["metrics"][metric]["mean"]
                values.append(value)
                gaps.append(value - expected(content, metric))
            mean, error = np.mean(gaps), np.std(gaps, ddof=1) / np.sqrt(studies)
            rows.append(
                [
                    metric,
                    content["plan"]["decide"]["name"],
                    name,
                    f"{np.mean(values):.3f}",
                    f"{mean:+.3f} ± {error:.3f}",
                    f"{mean / error:+.1f}",
                ]
            )
        print(f"null, {metric}: done", file=sys.stderr, flush=True)
    head = ["metric", "decision", "classes", "headline", "less chance", "standard errors"]
    print("\n" + markdown(head, rows))
