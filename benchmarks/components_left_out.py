"""Principal components before a classifier, on shared expression sets: training rows by components
that were fitted to themselves, or by those of the others (`left_out`).

    python benchmarks/components_left_out.py [--sets alizadeh ...] [--repeats 2]

The rule, written before the figures: `left_out` is the default of `pca` if over the sets the mean
balanced accuracy of discriminant, neighbours and logistic regression on 5 and 10 components is
higher by more than two standard errors, and the area under the ROC curve no lower by more than
.005.
"""

from __future__ import annotations

import argparse
import sys
import tempfile

import numpy as np

from _harness import markdown, shared_set, versions

SETS = (
    "alizadeh",
    "apcolon",
    "arcene",
    "bhattacharjee",
    "bredel",
    "breast_tcga",
    "christensen",
    "dyrskjot",
    "glioma",
    "golub",
    "lung_ontario",
    "tomlins",
)
CLASSIFIERS = ("lda", "knn", "logistic")


def scores_of(name: str, repeats: int) -> dict[tuple[str, int, bool], tuple[float, float]]:
    """Balanced accuracy and AUC by classifier, components and `left_out`."""
    from tamis.study import run_study

    methods = [
        {
            "name": f"{classifier} {k} {left_out}",
            "select": "all",
            "classify": [classifier],
            "prepare": ["impute_median", {"name": "pca", "n_components": k, "left_out": left_out}],
        }
        for classifier in CLASSIFIERS
        for k in (5, 10)
        for left_out in (False, True)
    ]
    plan = {
        "outer": {"folds": 5, "repeats": repeats},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "final": False,
        "describe": False,
        "method": methods,
    }
    with tempfile.TemporaryDirectory() as folder:
        told = run_study(shared_set(name), plan, f"{folder}/study", n_jobs=2).to_dict()
    found = {}
    for method in told["methods"]:
        classifier, k, left_out = method["name"].split()
        metrics = method["metrics"]
        found[classifier, int(k), left_out == "True"] = (
            metrics["bcr"]["mean"],
            metrics["auc"]["mean"],
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--repeats", type=int, default=2)
    asked = parser.parse_args()
    print(versions())
    rows, gains = [], []
    for name in asked.sets:
        found = scores_of(name, asked.repeats)
        cells = [name]
        for classifier in CLASSIFIERS:
            for k in (5, 10):
                (plain, _), (left, _) = found[classifier, k, False], found[classifier, k, True]
                cells.append(f"{plain:.3f} {left:.3f}")
        pairs = [(found[c, k, True], found[c, k, False]) for c in CLASSIFIERS for k in (5, 10)]
        gains.append(np.mean([np.subtract(*pair) for pair in pairs], axis=0))
        rows.append([*cells, f"{gains[-1][0]:+.3f}", f"{gains[-1][1]:+.3f}"])
        print(*rows[-1], file=sys.stderr, flush=True)
    head = ["set", *(f"{c}, {k}" for c in CLASSIFIERS for k in (5, 10)), "rate", "AUC"]
    print("Balanced accuracy: components of their own, left out; and the mean gains\n")
    print(markdown(head, rows))
    mean, error = np.mean(gains, axis=0), np.std(gains, axis=0, ddof=1) / np.sqrt(len(gains))
    print(
        f"\nGain in rate {mean[0]:+.4f} (standard error {error[0]:.4f}), in AUC "
        f"{mean[1]:+.4f} ({error[1]:.4f})"
    )


if __name__ == "__main__":
    main()
