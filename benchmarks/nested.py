"""The same nested protocol by Tamis and by scikit-learn's Pipeline, GridSearchCV, cross_validate.

Outer 10 folds, inner 5, moderated-t ranking, k = 2..20, LDA, balanced accuracy. Both get the
same splits, and scikit-learn's SelectKBest gets Tamis' moderated t as its score function, so
only the protocol differs. Selected sets and predictions are compared before any time is told.

    python benchmarks/nested.py [--sets golub chowdary] [--repeats 3]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile

import numpy as np

from _harness import markdown, shared_set, timed, versions

SIZES = list(range(2, 21))
PLAN = {
    "method": [{"select": "moderated_t", "sizes": SIZES, "classify": "lda"}],
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "final": False,
    "describe": False,  # descriptions of features are no part of the protocol
}


def tamis_route(data):
    """Folds' selected sets and predictions by a Tamis study, result folder and all."""
    from tamis.study import run_study

    folder = tempfile.mkdtemp()
    try:
        return run_study(data, PLAN, folder + "/study", n_jobs=1), read_folds(folder + "/study")
    finally:
        shutil.rmtree(folder)


def read_folds(folder: str):
    """(features by name, predicted labels by sample) of every outer fold."""
    import csv

    with open(f"{folder}/tables/folds.tsv", encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file, delimiter="\t") if r["procedure"] == "moderated_t"]
    sets = [set(r["features"].split(";")) for r in rows]
    with open(f"{folder}/tables/predictions.tsv", encoding="utf-8", newline="") as file:
        predicted = {
            r["sample"]: r["predicted"]
            for r in csv.DictReader(file, delimiter="\t")
            if r["procedure"] == "moderated_t"
        }
    return sets, predicted


class InnerSplits:
    """The inner splits Tamis draws, for whichever outer training part scikit-learn passes.

    A part is recognised by its first fifty columns, which costs next to nothing.
    """

    def __init__(self, X, splits):
        self.by_part = {_key(X[train]): inner for train, _, inner in splits}

    def split(self, X, y=None, groups=None):
        return iter(self.by_part[_key(X)])

    def get_n_splits(self, X=None, y=None, groups=None):
        return 5


def _key(X) -> bytes:
    return np.ascontiguousarray(X[:, :50]).tobytes()


def scikit_route(data, X, splits):
    """The same by scikit-learn; `splits` are (train, test, inner) of every outer fold."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.feature_selection import SelectKBest
    from sklearn.model_selection import GridSearchCV, cross_validate
    from sklearn.pipeline import Pipeline

    steps = [("select", SelectKBest(absolute_moderated_t)), ("lda", LinearDiscriminantAnalysis())]
    search = GridSearchCV(
        Pipeline(steps), {"select__k": SIZES}, scoring="balanced_accuracy",
        cv=InnerSplits(X, splits), refit=first_of_best, n_jobs=1,
    )  # fmt: skip
    outer = [(train, test) for train, test, _ in splits]
    found = cross_validate(
        search, X, data.y, cv=outer, scoring="balanced_accuracy", return_estimator=True, n_jobs=1
    )
    names = np.array(data.feature_names)
    sets, predicted = [], {}
    for (_, test), model in zip(outer, found["estimator"], strict=True):
        sets.append(set(names[model.best_estimator_["select"].get_support()]))
        for row, label in zip(test, model.predict(X[test]), strict=True):
            predicted[data.sample_names[row]] = str(label)
    return sets, predicted


def absolute_moderated_t(X, y):
    """SelectKBest keeps the largest scores; the sign of t does not matter."""
    from tamis.selection import moderated_t

    statistics, p_values = moderated_t(X, y)
    return np.abs(statistics), p_values


def first_of_best(results):
    """Smallest k among the best: means that agree to 12 digits are ties."""
    return int(np.round(results["mean_test_score"], 12).argmax())


def splits_of(data):
    """(train, test, inner splits as positions in train) of every outer fold of the study."""
    from tamis.study.protocol.cells import Task, fold_of
    from tamis.study.run import prepare_study

    plan, design, _ = prepare_study(data, PLAN)
    splits = []
    for k in range(plan.outer.folds):
        fold = fold_of(design, plan, Task(0, 0, k, ()))
        train = fold.parts.rows[0]
        inner = [
            (np.searchsorted(train, rows), np.searchsorted(train, test))
            for rows, test in zip(fold.parts.rows[1:], fold.tests[1:], strict=True)
        ]
        splits.append((train, fold.tests[0], inner))
    return splits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=["golub", "chowdary"])
    parser.add_argument("--repeats", type=int, default=3, help="runs of Tamis; the best counts")
    options = parser.parse_args()
    rows = []
    for name in options.sets:
        data = shared_set(name)
        splits = splits_of(data)
        tamis_route(data)  # compile or load the kernels
        ours = timed(lambda: tamis_route(data), options.repeats)  # noqa: B023
        theirs = timed(lambda: scikit_route(data, data.X, splits))  # noqa: B023
        same_sets = sum(a == b for a, b in zip(ours.value[1][0], theirs.value[0], strict=True))
        same_labels = sum(ours.value[1][1][s] == p for s, p in theirs.value[1].items())
        n, p = data.shape
        rows.append(
            [name, f"{n} x {p:,}", f"{same_sets} of {len(splits)}", f"{same_labels} of {n}",
             f"{theirs.wall:.2f} ({theirs.cpu:.2f})", f"{ours.wall:.3f} ({ours.cpu:.3f})",
             f"{theirs.wall / ours.wall:.1f}", f"{theirs.cpu / ours.cpu:.1f}"]
        )  # fmt: skip
    header = ["set", "size", "same sets", "same predictions", "scikit-learn s (CPU)",
              "tamis s (CPU)", "ratio", "CPU ratio"]  # fmt: skip
    print(markdown(header, rows))
    print(f"\n{versions('scikit-learn', 'numpy', 'numba')}; Tamis best of {options.repeats}, "
          "with its result folder, intervals and tables; scikit-learn once.")  # fmt: skip


if __name__ == "__main__":
    main()
