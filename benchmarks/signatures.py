"""Signature methods over many expression sets: error, size, stability, and who is near the best.

Each method is nested: outer folds (10, or as many as the smallest class has members), inner 5,
LDA on at most 20 features (PAM classifies by itself). Error is 1 - balanced classification rate.

    python benchmarks/signatures.py [--sets ...] [--out DIR] [--n-jobs 2]

Finished studies in DIR are not run again.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from _harness import markdown, shared_set, versions

SETS = (
    "alon", "golub", "shipp", "gordon", "chowdary", "borovecki", "west_er", "pomeroy", "gse2191",
    "beer", "laiho", "apcolon", "breast_tumors", "lung_ontario",
)  # fmt: skip
SIZES = list(range(2, 21))
METHODS = [
    {"name": "mtfc", "select": "mtfc"},
    {"name": "Pearson", "select": "pearson", "sizes": SIZES},
    {"name": "PAM", "select": "pam"},
    {"name": "SVM-RFE", "select": "svm_rfe", "sizes": SIZES},
]


def study(name: str, folder: Path, n_jobs: int):
    """The finished study of one set, and the seconds it took (None if it was there already)."""
    from tamis.study import open_study, run_study

    if (folder / "results.json").exists():
        return open_study(folder).to_dict(), None
    data = shared_set(name)
    least = int(np.bincount(data.codes).min())
    plan = {
        "permutations": 0, "final": False, "method": METHODS,
        "outer": {"folds": min(10, least)}, "inner": {"folds": min(5, least - 1)},
    }  # fmt: skip
    start = time.perf_counter()
    begun = (folder / "plan.json").exists()
    result = run_study(data, plan, folder, n_jobs=n_jobs, resume=begun, quiet=False)
    return result.to_dict(), time.perf_counter() - start


def figures(content: dict) -> dict[str, dict[str, float]]:
    """method -> what the tables show."""
    found = {}
    for method in content["methods"]:
        stable = method["stability"]
        size = stable["mean_size"]
        found[method["name"]] = {
            "error": 1 - method["metrics"]["bcr"]["mean"],
            "optimistic": 1 - method["optimistic"],
            "size": size,
            "common": stable["common"],
            "stability": stable["common"] / size if size else 0.0,
            "asm": np.nan if stable["asm"] is None else stable["asm"],
        }
    return found


def distances(values: np.ndarray, best=np.nanmin) -> np.ndarray:
    """Distance of each column from the best of its row: (l1 mean, l2 root of sum of squares)."""
    gap = np.abs(values - best(values, axis=1)[:, None])
    return np.array([np.nanmean(gap, axis=0), np.sqrt(np.nansum(gap**2, axis=0))])


def table(title: str, key: str, found: dict, digits: int, best) -> str:
    """One figure of every method on every set, and the distances from the best of each row."""
    names = [m["name"] for m in METHODS]
    values = np.array([[found[s][m][key] for m in names] for s in found])
    rows = [
        [s, *(f"{v:.{digits}f}" if v == v else "undefined" for v in row)]
        for s, row in zip(found, values, strict=True)
    ]
    if best is not None:
        l1, l2 = distances(values, best)
        rows.append(["*l1*", *(f"{v:.3f}" for v in l1)])
        rows.append(["*l2*", *(f"{v:.3f}" for v in l2)])
    return f"### {title}\n\n{markdown(['set', *names], rows)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--out", type=Path, default=Path("tamis-signatures"))
    parser.add_argument("--n-jobs", type=int, default=-1)
    options = parser.parse_args()
    found, seconds = {}, {}
    for name in options.sets:
        content, seconds[name] = study(name, options.out / name, options.n_jobs)
        found[name] = figures(content)
    print(table("Nested error", "error", found, 3, np.nanmin))
    print(table("Error at the best size on the outer folds (optimistic)", "optimistic", found, 3,
                np.nanmin))  # fmt: skip
    print(table("Mean number of features", "size", found, 1, None))
    print(table("Features common to at least half of the folds", "common", found, 0, None))
    print(table("Common features as a share of the size", "stability", found, 2, np.nanmax))
    print(table("Adjusted stability (ASM)", "asm", found, 3, np.nanmax))
    took = [f"{k} {v:.0f} s" for k, v in seconds.items() if v is not None]
    print(f"{versions('scikit-learn', 'numpy')}\n\nTimes: {', '.join(took)}")


if __name__ == "__main__":
    main()
