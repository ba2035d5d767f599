"""Classes of 270 and 30: recalls of every classifier, weighted or not, under each decision.

Each table is drawn ten times: 270 training samples of one class, 30 of the other, and the rest of
the table, or 600 new samples, to judge. Costs are those of class_sizes, where an error on the rarer
class costs nine times one on the other: charged once, they give the labels of `balanced`.

    python benchmarks/unequal_classes.py [--draws 10]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from dataclasses import replace

from _harness import markdown, shared_folder, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

from tamis.classifiers.base.natural_scale import fit_natural
from tamis.classifiers.classifier_labels import build_classifier, is_natural, takes_raw
from tamis.classifiers.costs.minimum_risk import MinimumRisk
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.classifiers.decisions.balanced import Balanced
from tamis.data import read_table

LARGE, RARE = 270, 30
NONE, BALANCED = {"class_weight": "none"}, {"class_weight": "balanced"}
CLASSIFIERS = [
    ("logistic", NONE),
    ("logistic", BALANCED),
    ("lda", {}),
    ("lda_equal", {}),
    ("shrinkage_discriminant", {}),
    ("shrinkage_discriminant", {"priors": "empirical"}),
    ("diagonal_discriminant", {}),
    ("diagonal_discriminant", {"priors": "equal"}),
    ("naive_bayes", {}),
    ("knn", {"n_neighbors": 5}),
    ("tree", {"min_samples_leaf": 5}),
    ("tree", {"min_samples_leaf": 5, **BALANCED}),
    ("forest", {"n_estimators": 100}),
    ("forest", {"n_estimators": 100, **BALANCED}),
    ("svm_linear", {}),
    ("svm_linear", BALANCED),
    ("svm_rbf", {}),
    ("svm_rbf", BALANCED),
    ("c45", {}),
    ("aode", {}),
    ("cost_weighted(logistic)", {}),
    ("cost_weighted(forest)", {"n_estimators": 100}),
    ("costing(lda)", {}),
    ("cost_resampled(naive_bayes)", {}),
]
COSTS = np.array([[0.0, LARGE], [RARE, 0.0]]) / 2  # rows called, columns true
DECISIONS = {
    "arg_max": ArgMax(),
    "balanced": Balanced(),
    "minimum_risk": MinimumRisk(COSTS),
}


def made_up(shift: float, informative: int, rng: np.random.Generator):
    """Twenty normal columns, some of which differ; 600 new samples."""
    y = np.repeat([0, 1], [LARGE + 300, RARE + 300])
    X = rng.normal(size=(len(y), 20))
    X[y == 1, :informative] += shift
    train = np.concatenate([np.flatnonzero(y == 0)[:LARGE], np.flatnonzero(y == 1)[:RARE]])
    return X, y, train


def drawn(name: str, rng: np.random.Generator):
    """Rows of a shared table: numeric columns, the rarer class of the two last."""
    data = read_table(shared_folder() / "uci" / f"{name}.parquet", target="class")
    columns = [j for j in range(data.shape[1]) if j not in data.levels]
    X, y = data.X[:, columns], data.codes
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    counts = np.bincount(y)
    keep = np.flatnonzero(np.isin(y, np.argsort(-counts)[:2]))
    rare = counts.argsort()[-2]
    X, y = X[keep], (y[keep] == rare).astype(int)
    train = [rng.permutation(np.flatnonzero(y == c))[:n] for c, n in enumerate((LARGE, RARE))]
    return X, y, np.concatenate(train)


TABLES = {
    "few columns, strong": lambda rng: made_up(1.5, 2, rng),
    "many columns, weak": lambda rng: made_up(0.5, 15, rng),
    "wdbc": lambda rng: drawn("wdbc", rng),
    "spam": lambda rng: drawn("spam", rng),
}


def recalls(table, draws: int) -> Iterator[tuple[str, dict, str, np.ndarray]]:
    """(classifier, its settings, decision, both recalls)."""
    for label, settings in CLASSIFIERS:
        found: dict[str, list] = {name: [] for name in DECISIONS}
        for seed in range(draws):
            X, y, train = table(np.random.default_rng(seed))
            test = np.setdiff1d(np.arange(len(y)), train)
            levels = {} if takes_raw(label) else None
            built = build_classifier(label, settings, COSTS)
            fitted = fit_natural(built, X[train], y[train], 2, seed, levels)
            beliefs = fitted.beliefs(X[test])
            if is_natural(label):
                shares = np.array([LARGE, RARE]) / (LARGE + RARE)
                beliefs = replace(beliefs, prior=np.tile(shares, (len(test), 1)))
            for name, decision in DECISIONS.items():
                codes = decision.decide(beliefs).codes
                found[name].append([np.mean(codes[y[test] == c] == c) for c in (0, 1)])
        for name, values in found.items():
            yield label, settings, name, np.mean(values, axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=10)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    rows: dict[tuple[str, str], list[str]] = {}
    for table in TABLES.values():
        for label, settings, name, (large, rare) in recalls(table, options.draws):
            said = {k: v for k, v in settings.items() if k in ("class_weight", "priors")}
            who = " ".join([label, *said.values()])
            rows.setdefault((who, name), []).append(f"{large:.2f} {rare:.2f}")
    print(
        f"Recall of the class of {LARGE}, then of that of {RARE}; mean of {options.draws} draws.\n"
    )
    print(markdown(["classifier", "decision", *TABLES], [[*k, *v] for k, v in rows.items()]))
    print("\n" + versions("scikit-learn", "numba"))


if __name__ == "__main__":
    main()
