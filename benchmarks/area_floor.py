"""Coverage of the AUC's interval in whole studies whose permuted runs raise its lower limit.

    python benchmarks/area_floor.py --studies 150

Where at least 39 permuted runs give p <= .025 on the same folds, the lower limit is at least .5.
The truth is the mean AUC of final models on new samples; they learn from a quarter more.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from _harness import markdown, versions
from tamis.data import Dataset
from tamis.metrics import area_under_roc
from tamis.study import run_study

N, FEATURES, INFORMATIVE, FRESH = 60, 200, 10, 600
SHIFTS = (0.0, 0.3, 0.45, 0.6, 0.9)
PLAN = {
    "metric": "auc",
    "permutations": 39,
    "outer": {"folds": 5},
    "inner": {"folds": 2, "repeats": 1},
    "describe": False,
    "method": [{"select": "moderated_t", "sizes": [5, 10], "classify": "lda"}],
}


def drawn(shift: float, n: int, rng: np.random.Generator) -> Dataset:
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, FEATURES))
    X[:, :INFORMATIVE] += shift * y[:, None]
    return Dataset(X, np.array(["a", "b"])[y], tuple(f"g{j}" for j in range(FEATURES)))


def study(job: tuple[float, int]) -> tuple[float, float, float, float]:
    """Lower limit, upper limit, p, and the AUC of the final model on new samples."""
    shift, seed = job
    rng = np.random.default_rng([seed, round(100 * shift)])
    data, new = drawn(shift, N, rng), drawn(shift, FRESH, rng)
    with tempfile.TemporaryDirectory() as folder:
        result = run_study(data, {**PLAN, "seed": seed}, f"{folder}/study", n_jobs=1, quiet=True)
        scores = result.model.predict_proba(new)[:, 1]
        content = result.to_dict()
    area, p = content["metrics"]["auc"], content["permutation"]["p_value"]
    return area["low"], area["high"], p, area_under_roc(new.codes, scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=150, help="of each shift")
    given = parser.parse_args()
    print(versions())
    jobs = [(shift, seed) for shift in SHIFTS for seed in range(given.studies)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        found = dict(zip(jobs, pool.map(study, jobs), strict=True))
    rows = []
    for shift in SHIFTS:
        low, high, p, new = np.array([found[shift, s] for s in range(given.studies)]).T
        truth = new.mean()
        raised = low == 0.5
        rows.append([
            shift, f"{truth:.3f}", f"{np.mean((low <= truth) & (truth <= high)):.3f}",
            f"{np.mean(p <= 0.025):.3f}", f"{raised.mean():.3f}", f"{np.mean(low > truth):.3f}",
        ])  # fmt: skip
    header = ["shift", "true AUC", "covered", "p at most .025", "floor raised", "lies above"]
    print(markdown(header, rows))


if __name__ == "__main__":
    main()
