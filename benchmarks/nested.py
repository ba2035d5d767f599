"""The same nested protocol by Tamis, by scikit-learn in two ways, and by a loop written by hand.

Outer 10 folds, inner 5, moderated-t ranking, k = 2..20, LDA, balanced accuracy. All get the
same splits and Tamis' moderated t as their score function, so that only the protocol differs:

- *pipeline*: SelectKBest and LDA in a Pipeline, GridSearchCV inside cross_validate, which ranks
  anew for each k.
- *pipeline with memory*: the ranking is a step of its own, which ``Pipeline(memory=)`` keeps.
- *loop*: ranks once a training set, cuts the order at each k, fits scikit-learn's LDA on it.
- *strong loop*: the same in NumPy alone, as a good programmer writes it: the F statistic of the
  leading columns, and LDA by two singular value decompositions. It writes no file.

Selected sets and predictions are compared before any time is told; those of the strong loop, which
has another statistic, may differ.

    python benchmarks/nested.py [--sets golub chowdary] [--repeats 3]
"""

from __future__ import annotations

import argparse
import atexit
import shutil
import tempfile

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SelectKBest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline

from _harness import markdown, shared_set, timed, versions

SIZES, NAME = list(range(2, 21)), "nested"
PLAN = {
    "method": [{"name": NAME, "select": "moderated_t", "sizes": SIZES, "classify": "lda"}],
    "tune": "bcr",
    "decide": "arg_max",  # as scikit-learn has it
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "final": False,
    "describe": False,  # descriptions of features are no part of the protocol
}


def tamis_route(data):
    """Folds' selected sets and predictions by a Tamis study, result folder and all."""
    from tamis.study import run_study

    folder = new_folder()
    return run_study(data, PLAN, folder + "/study", n_jobs=1), read_folds(folder + "/study")


def new_folder() -> str:
    """One that goes when the benchmark ends: nobody's time is that of deleting files."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def read_folds(folder: str):
    """(features by name, predicted labels by sample) of every outer fold."""
    import csv

    with open(f"{folder}/tables/folds.tsv", encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file, delimiter="\t") if r["procedure"] == NAME]
    sets = [set(r["features"].split(";")) for r in rows]
    with open(f"{folder}/tables/predictions.tsv", encoding="utf-8", newline="") as file:
        predicted = {
            r["sample"]: r["predicted"]
            for r in csv.DictReader(file, delimiter="\t")
            if r["procedure"] == NAME
        }
    return sets, predicted


class InnerSplits:
    """The inner splits Tamis draws, for whichever outer training set scikit-learn passes.

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


class Ranked(TransformerMixin, BaseEstimator):
    """The leading columns of a ranking: what does not depend on k."""

    def fit(self, X, y):
        self.order_ = leading(X, y)
        return self

    def transform(self, X):
        return X[:, self.order_]


class Cut(TransformerMixin, BaseEstimator):
    """The first k of them."""

    def __init__(self, k=2):
        self.k = k

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[:, : self.k]


def leading(X, y):
    """Columns of the largest statistics, ties to the lower column."""
    return np.argsort(-absolute_moderated_t(X, y)[0], kind="stable")[: SIZES[-1]]


def pipeline_route(data, splits):
    """SelectKBest in a Pipeline; `splits` are (train, test, inner) of every outer fold."""
    steps = [("select", SelectKBest(absolute_moderated_t)), ("lda", LinearDiscriminantAnalysis())]
    found = searched(Pipeline(steps), "select__k", data, splits)
    return told(data, splits, found, lambda model: model["select"].get_support(indices=True))


def memory_route(data, splits):
    """The ranking kept by the Pipeline's memory, on disk as it does."""
    steps = [("rank", Ranked()), ("cut", Cut()), ("lda", LinearDiscriminantAnalysis())]
    found = searched(Pipeline(steps, memory=new_folder()), "cut__k", data, splits)
    return told(data, splits, found, lambda model: model["rank"].order_[: model["cut"].k])


def searched(pipeline, parameter, data, splits):
    """The best pipeline of every outer fold."""
    search = GridSearchCV(
        pipeline,
        {parameter: SIZES},
        scoring="balanced_accuracy",
        cv=InnerSplits(data.X, splits),
        refit=first_of_best,
        n_jobs=1,
    )
    outer = [(train, test) for train, test, _ in splits]
    found = cross_validate(
        search,
        data.X,
        data.y,
        cv=outer,
        scoring="balanced_accuracy",
        return_estimator=True,
        n_jobs=1,
    )
    return [one.best_estimator_ for one in found["estimator"]]


def loop_route(data, splits):
    """By hand: every training set is ranked once, and its order is cut."""
    X, y = data.X, data.y
    models, kept = [], []
    for train, _, inner in splits:
        scores = np.zeros((len(inner), len(SIZES)))
        for i, (rows, held) in enumerate(inner):
            own, other = X[train[rows]], train[held]
            order = leading(own, y[train[rows]])
            own, shown = own[:, order], X[np.ix_(other, order)]
            for j, k in enumerate(SIZES):
                model = LinearDiscriminantAnalysis().fit(own[:, :k], y[train[rows]])
                said = model.predict(shown[:, :k])
                scores[i, j] = balanced_accuracy_score(y[other], said)
        k = SIZES[int(np.round(scores.mean(axis=0), 12).argmax())]
        kept.append(leading(X[train], y[train])[:k])
        models.append(LinearDiscriminantAnalysis().fit(X[np.ix_(train, kept[-1])], y[train]))
    names, predicted = np.array(data.feature_names), {}
    for (_, test, _), model, columns in zip(splits, models, kept, strict=True):
        labels = model.predict(X[np.ix_(test, columns)])
        predicted |= {data.sample_names[i]: str(c) for i, c in zip(test, labels, strict=True)}
    return [set(names[columns]) for columns in kept], predicted


def strong_route(data, splits):
    """By hand, and quick: no library but NumPy."""
    X, (classes, codes) = data.X, np.unique(data.y, return_inverse=True)
    names, kept, predicted = np.array(data.feature_names), [], {}
    for train, test, inner in splits:
        scores = np.zeros((len(inner), len(SIZES)))
        for i, (rows, held) in enumerate(inner):
            own, other, y = X[train[rows]], train[held], codes[train[rows]]
            order = np.argsort(-f_statistics(own, y), kind="stable")[: SIZES[-1]]
            own, shown = own[:, order], X[np.ix_(other, order)]
            for j, k in enumerate(SIZES):
                said = lda_by_svd(own[:, :k], y, shown[:, :k])
                right = said == codes[other]
                scores[i, j] = np.mean([right[codes[other] == c].mean() for c in np.unique(y)])
        k = SIZES[int(np.round(scores.mean(axis=0), 12).argmax())]
        y = codes[train]
        kept.append(np.argsort(-f_statistics(X[train], y), kind="stable")[:k])
        said = lda_by_svd(X[np.ix_(train, kept[-1])], y, X[np.ix_(test, kept[-1])])
        predicted |= {
            data.sample_names[i]: str(classes[c]) for i, c in zip(test, said, strict=True)
        }
    return [set(names[columns]) for columns in kept], predicted


def f_statistics(X, y):
    """F of each column."""
    n, counts = len(X), np.bincount(y)
    means = np.array([X[y == c].mean(axis=0) for c in range(len(counts))])
    between = counts @ (means - counts @ means / n) ** 2 / (len(counts) - 1)
    within = sum(((X[y == c] - means[c]) ** 2).sum(axis=0) for c in range(len(counts)))
    return between / (within / (n - len(counts)))


def lda_by_svd(X, y, new):
    """Class codes of new rows, as scikit-learn's solver "svd" finds them."""
    n, counts = len(X), np.bincount(y)
    means = np.array([X[y == c].mean(axis=0) for c in range(len(counts))])
    centred, shares = X - means[y], counts / n
    scale = centred.std(axis=0)
    _, s, V = np.linalg.svd(centred / scale / np.sqrt(n - len(counts)), full_matrices=False)
    rank = int((s > 1e-4).sum())
    sphere = (V[:rank] / scale).T / s[:rank]
    centre = shares @ means
    far = np.sqrt(n * shares / (len(counts) - 1))[:, None] * (means - centre) @ sphere
    _, s, V = np.linalg.svd(far, full_matrices=False)
    turn = sphere @ V[s > 1e-4 * s[0]].T
    coef = (means - centre) @ turn
    bias = np.log(shares) - (coef**2).sum(axis=1) / 2
    return ((new - centre) @ turn @ coef.T + bias).argmax(axis=1)


def told(data, splits, models, columns_of):
    """Folds' selected sets and predictions."""
    names, sets, predicted = np.array(data.feature_names), [], {}
    for (_, test, _), model in zip(splits, models, strict=True):
        sets.append(set(names[columns_of(model)]))
        labels = model.predict(data.X[test])
        predicted |= {data.sample_names[i]: str(c) for i, c in zip(test, labels, strict=True)}
    return sets, predicted


PEERS = {
    "pipeline": pipeline_route,
    "pipeline with memory": memory_route,
    "loop by hand": loop_route,
    "strong loop": strong_route,
}


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
    from tamis.study.protocol.nested_cv import Task, fold_of
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
    parser.add_argument("--repeats", type=int, default=3, help="runs of Tamis and of the loop")
    options = parser.parse_args()
    rows = []
    for name in options.sets:
        data = shared_set(name)
        splits = splits_of(data)
        tamis_route(data)  # compile or load the kernels
        turns = [  # what the speed of the machine does meets both
            (timed(lambda: tamis_route(data)), timed(lambda: loop_route(data, splits)))  # noqa: B023
            for _ in range(options.repeats)
        ]
        ours, loop = (min(runs, key=lambda run: run.wall) for runs in zip(*turns, strict=True))
        sets, predicted = ours.value[1]
        n, p = data.shape
        for peer, route in PEERS.items():  # but the loop they take long
            if route is loop_route:
                theirs = loop
            else:
                repeats = options.repeats if route is strong_route else 1
                theirs = timed(lambda: route(data, splits), repeats)  # noqa: B023
            same_sets = sum(a == b for a, b in zip(sets, theirs.value[0], strict=True))
            same_labels = sum(predicted[s] == label for s, label in theirs.value[1].items())
            rows.append(
                [
                    name,
                    f"{n} x {p:,}",
                    peer,
                    f"{same_sets} of {len(splits)}",
                    f"{same_labels} of {n}",
                    f"{theirs.wall:.2f} ({theirs.cpu:.2f})",
                    f"{ours.wall:.3f} ({ours.cpu:.3f})",
                    f"{theirs.wall / ours.wall:.1f}",
                    f"{theirs.cpu / ours.cpu:.1f}",
                ]
            )
    header = [
        "set",
        "size",
        "peer",
        "same sets",
        "same predictions",
        "peer s (CPU)",
        "tamis s (CPU)",
        "ratio",
        "CPU ratio",
    ]
    print(markdown(header, rows))
    how = "with its result folder, intervals and tables"
    print(
        f"\n{versions('scikit-learn', 'numpy', 'numba')}; Tamis, {how}, and the loop best of "
        f"{options.repeats} in turns, the pipelines once."
    )


if __name__ == "__main__":
    main()
