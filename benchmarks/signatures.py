"""Signature methods over many expression sets: error, size, stability, and who is near the best.

Each method is nested: outer folds (10, or as many as the smallest class has members), inner 5,
LDA on at most 20 features (PAM classifies by itself). Error is 1 - balanced accuracy.

    python benchmarks/signatures.py [--sets ...] [--out DIR] [--n-jobs 2] [--rfs-settings]

Finished studies in DIR are not run again, and unfinished ones go on. A study in DIR of another
plan (an older list of methods), of other data or of other versions is refused by name.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from _harness import markdown, shared_set, versions

SETS = (
    "alon",
    "golub",
    "shipp",
    "gordon",
    "chowdary",
    "borovecki",
    "west_er",
    "pomeroy",
    "gse2191",
    "beer",
    "laiho",
    "apcolon",
    "breast_tumors",
    "lung_ontario",
)
SIZES = list(range(2, 21))
METHODS = [
    {"name": "mtfc", "select": "mtfc"},
    {"name": "Pearson", "select": "pearson", "sizes": SIZES},
    {"name": "PAM", "select": "pam"},
    {"name": "SVM-RFE", "select": "svm_rfe", "sizes": SIZES},
    {"name": "HHSVM", "select": "hhsvm", "sizes": SIZES},
    {"name": "RFS", "select": "rfs", "sizes": SIZES},
]
# RFS alone, at other settings: how far its place depends on them (not for choosing among them)
RFS_SETTINGS = [
    {
        "name": f"lambda2 {l2:g}, {'PFER 1' if q is None else f'q {q}'}",
        "select": "rfs",
        "sizes": SIZES,
        "parameters": {"lambda2": l2, **({} if q is None else {"q": q})},
    }
    for l2 in (0.01, 0.1, 1.0)
    for q in (None, 20)
]


def study(name: str, folder: Path, n_jobs: int):
    """The finished study of one set, and the seconds it took (None if it was there already)."""
    from tamis.study import open_study
    from tamis.study.run import begin_study

    data = shared_set(name)
    least = int(np.bincount(data.codes).min())
    plan = {
        "permutations": 0,
        "final": False,
        "method": METHODS,
        "outer": {"folds": min(10, least)},
        "inner": {"folds": min(5, least - 1)},
    }
    start = time.perf_counter()
    # Refuses a folder with anything but this very study, finished or not.
    begun = begin_study(data, plan, folder, if_exists="resume")
    if (folder / "results.json").exists():
        return open_study(folder).to_dict(), None
    result = begun.run(n_jobs=n_jobs, quiet=False)
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


# title, figure, whether higher is better
VERDICTS = (
    ("nested error", "error", False),
    ("optimistic error", "optimistic", False),
    ("common share", "stability", True),
    ("ASM", "asm", True),
)


def verdict(found: dict) -> str:
    """Average ranks by each figure (1 is best), the distances l2, and the tests of the ranks."""
    from tamis.metrics import compare_methods

    names = [m["name"] for m in METHODS]
    columns, tests = {}, []
    for title, key, higher in VERDICTS:
        values = np.array([[found[s][m][key] for m in names] for s in found])
        whole = ~np.isnan(values).any(axis=1)
        sets = [s for s, there in zip(found, whole, strict=True) if there]
        tests.append(f"### Ranks by {title}\n")
        if not whole.all():
            left = [s for s in found if s not in sets]
            tests.append(f"Left out, because it is undefined for a method: {', '.join(left)}.\n")
        if len(sets) < 2:
            tests.append("Ranks need two data sets or more.\n")
            continue
        ranks = compare_methods(values[whole], names, sets, higher_is_better=higher)
        columns[f"rank by {title}"] = [f"{r:.2f}" for r in ranks.average_ranks]
        tests.append(f"```\n{ranks.summary()}\n```\n")
        if not higher:
            l2 = distances(values[whole])[1]
            columns[f"l2 of {title}"] = [f"{d:.3f}" for d in l2]
    rows = [[name, *(column[i] for column in columns.values())] for i, name in enumerate(names)]
    return "\n".join(["### Verdict\n", markdown(["method", *columns], rows), "", *tests])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--out", type=Path, default=Path("tamis-signatures"))
    parser.add_argument("--n-jobs", type=int, default=-1)
    parser.add_argument("--rfs-settings", action="store_true", help="RFS at six settings instead")
    options = parser.parse_args()
    if options.rfs_settings:
        METHODS[:] = RFS_SETTINGS
    from tamis._core.errors import TamisError

    found, seconds = {}, {}
    for name in options.sets:
        try:
            content, seconds[name] = study(name, options.out / name, options.n_jobs)
        except TamisError as error:
            print(f"{name}: {error}", file=sys.stderr)
            raise SystemExit(2) from None
        found[name] = figures(content)
    print(table("Nested error", "error", found, 3, np.nanmin))
    print(
        table(
            "Error at the best size on the outer folds (optimistic)",
            "optimistic",
            found,
            3,
            np.nanmin,
        )
    )
    print(table("Mean number of features", "size", found, 1, None))
    print(table("Features common to at least half of the folds", "common", found, 0, None))
    print(table("Common features as a share of the size", "stability", found, 2, np.nanmax))
    print(table("Adjusted stability (ASM)", "asm", found, 3, np.nanmax))
    print(verdict(found))
    took = [f"{k} {v:.0f} s" for k, v in seconds.items() if v is not None]
    print(f"{versions('scikit-learn', 'numpy')}\n\nTimes: {', '.join(took)}")


if __name__ == "__main__":
    main()
