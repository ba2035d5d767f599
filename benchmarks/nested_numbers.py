"""The nested protocol of a number by Tamis, by scikit-learn's Pipeline, and by two loops by hand.

150 samples of 20,000 features, ten of which carry the number. Outer 10 folds, inner 5; correlation,
k = 2..20, ridge regression whose penalty (25 multiples of the mean eigenvalue) leave-one-out
chooses, mean squared error. All get the same splits:

- *pipeline*: SelectKBest by r_regression, StandardScaler and RidgeCV in a Pipeline, GridSearchCV
  inside cross_validate, which ranks anew for each k.
- *loop of scikit-learn's parts*: ranks once a training set, cuts the order at each k.
- *NumPy loop*: correlations as a matrix product, all penalties of a k by one SVD, no files.
- *NumPy loop, all parts at once*: the same, the sums of all 60 training sets in three matrix
  products.

Selected sets and predictions are compared before any time is printed.

    python benchmarks/nested_numbers.py [--repeats 3] [--without pipeline]
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.feature_selection import SelectKBest, r_regression
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import nested
from _harness import markdown, timed, versions
from nested import NAME, SIZES, InnerSplits, new_folder
from tamis.data import Dataset
from tamis.kernels.ridge_number import PENALTIES

PLAN = {
    "response": "number",
    "method": [{"name": NAME, "select": "correlation", "sizes": SIZES, "predict": "ridge"}],
    "inner": {"folds": 5, "repeats": 1},
    "parsimony": 0,  # the best mean, as GridSearchCV has it
    "permutations": 0,
    "final": False,
    "describe": False,
}


def made_table(n: int = 150, p: int = 20_000) -> Dataset:
    """Ten features carry half of the variance of the number."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, p))
    y = X[:, :10].sum(axis=1) / np.sqrt(10) + rng.normal(size=n)
    return Dataset(X, None, tuple(f"g{j}" for j in range(p)), numbers=y, target="y", name="made")


class LooRidge(RidgeCV):
    """RidgeCV with penalties relative to the mean eigenvalue: n of k < n standardised columns."""

    def fit(self, X, y):
        self.alphas = PENALTIES * len(y)
        return super().fit(X, y)


def absolute_correlation(X, y):
    return np.abs(r_regression(X, y))


def tamis_route(data):
    """A study, result folder and all."""
    from tamis.study import run_study

    folder = new_folder()
    run_study(data, PLAN, folder + "/study", n_jobs=1)
    sets, predicted = nested.read_folds(folder + "/study")
    return sets, {name: float(value) for name, value in predicted.items()}


def pipeline_route(data, splits):
    steps = [
        ("select", SelectKBest(absolute_correlation)),
        ("scale", StandardScaler()),
        ("ridge", LooRidge()),
    ]
    search = GridSearchCV(
        Pipeline(steps),
        {"select__k": SIZES},
        scoring="neg_mean_squared_error",
        cv=InnerSplits(data.X, splits),
        n_jobs=1,
    )
    outer = [(train, test) for train, test, _ in splits]
    found = cross_validate(search, data.X, data.numbers, cv=outer, return_estimator=True, n_jobs=1)
    names, sets, predicted = np.array(data.feature_names), [], {}
    for (_, test, _), one in zip(splits, found["estimator"], strict=True):
        model = one.best_estimator_
        sets.append(set(names[model["select"].get_support()]))
        predicted |= dict(zip(_names(data, test), model.predict(data.X[test]), strict=True))
    return sets, predicted


def _names(data, rows):
    return [data.sample_names[i] for i in rows]


def nested_loop(data, splits, order_of, predict):
    """Rank each training set, predict by every k, take the best."""
    X, y = data.X, data.numbers
    names, sets, predicted = np.array(data.feature_names), [], {}
    for fold, (train, test, inner) in enumerate(splits):
        errors = np.zeros(len(SIZES))
        for part, (rows, held) in enumerate(inner):
            own, other = train[rows], train[held]
            order = order_of(fold, part + 1, own)
            values = predict(X[np.ix_(own, order)], y[own], X[np.ix_(other, order)], SIZES)
            errors += ((values - y[other]) ** 2).mean(axis=1)
        k = SIZES[int(errors.argmin())]
        order = order_of(fold, 0, train)[:k]
        values = predict(X[np.ix_(train, order)], y[train], X[np.ix_(test, order)], [k])
        sets.append(set(names[order]))
        predicted |= dict(zip(_names(data, test), values[0], strict=True))
    return sets, predicted


def best_of(r):
    """The leading columns, best first."""
    top = np.argpartition(-r, SIZES[-1])[: SIZES[-1]]
    return top[np.argsort(-r[top], kind="stable")]


def loop_route(data, splits):
    """scikit-learn's parts."""

    def order_of(fold, part, rows):
        return best_of(absolute_correlation(data.X[rows], data.numbers[rows]))

    def predict(X, y, new, sizes):
        scaler = StandardScaler().fit(X)
        X, new = scaler.transform(X), scaler.transform(new)
        return np.array([LooRidge().fit(X[:, :k], y).predict(new[:, :k]) for k in sizes])

    return nested_loop(data, splits, order_of, predict)


def ridge_by_svd(X, y, new, sizes):
    """All penalties of a size by one decomposition; leave-one-out chooses."""
    mean, sd = X.mean(axis=0), X.std(axis=0)
    X, new, n = (X - mean) / sd, (new - mean) / sd, len(y)
    middle, found = y.mean(), []
    for k in sizes:
        U, d, Vt = np.linalg.svd(X[:, :k], full_matrices=False)
        shrunk = d[:, None] ** 2 / (d[:, None] ** 2 + PENALTIES * n)
        Uy = U.T @ (y - middle)
        fits = middle + U @ (shrunk * Uy[:, None])
        leverage = 1 / n + U**2 @ shrunk
        best = (((y[:, None] - fits) / (1 - leverage)) ** 2).sum(axis=0).argmin()
        coef = Vt.T @ (d / (d**2 + PENALTIES[best] * n) * Uy)
        found.append(middle + new[:, :k] @ coef)
    return np.array(found)


def numpy_route(data, splits):
    """Correlations of each training set as a matrix product."""

    def order_of(fold, part, rows):
        X, y = data.X[rows], data.numbers[rows]
        X = X - X.mean(axis=0)
        return best_of(np.abs((y - y.mean()) @ X) / np.sqrt(np.einsum("ij,ij->j", X, X)))

    return nested_loop(data, splits, order_of, ridge_by_svd)


def parts_route(data, splits):
    """Correlations of all training sets in three matrix products."""
    X, y = data.X, data.numbers
    every = [[train, *(train[rows] for rows, _ in inner)] for train, _, inner in splits]
    masks = np.zeros((len(splits), len(every[0]), len(y)))
    for fold, parts in enumerate(every):
        for part, rows in enumerate(parts):
            masks[fold, part, rows] = 1
    flat = masks.reshape(-1, len(y))
    n = flat.sum(axis=1, keepdims=True)
    weights = flat * (y - flat @ y[:, None] / n)
    X = X - X.mean(axis=0)
    squares = flat @ (X * X) - (flat @ X) ** 2 / n
    orders = [best_of(r) for r in np.abs(weights @ X) / np.sqrt(squares)]

    def order_of(fold, part, rows):
        return orders[fold * len(every[0]) + part]

    return nested_loop(data, splits, order_of, ridge_by_svd)


PEERS = {
    "pipeline": pipeline_route,
    "loop of scikit-learn's parts": loop_route,
    "NumPy loop": numpy_route,
    "NumPy loop, all parts at once": parts_route,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="runs, the pipeline once")
    parser.add_argument("--without", nargs="*", default=[], help="peers to leave out")
    options = parser.parse_args()
    data = made_table()
    nested.PLAN.clear()
    nested.PLAN.update(PLAN)
    splits = nested.splits_of(data)
    tamis_route(data)  # compile or load the kernels
    ours = timed(lambda: tamis_route(data), options.repeats)
    sets, predicted = ours.value
    rows = []
    for name, route in PEERS.items():
        if name in options.without:
            continue
        repeats = 1 if route is pipeline_route else options.repeats
        theirs = timed(lambda: route(data, splits), repeats)  # noqa: B023
        same = sum(a == b for a, b in zip(sets, theirs.value[0], strict=True))
        gap = max(abs(predicted[s] - value) for s, value in theirs.value[1].items())
        rows.append(
            [
                name,
                f"{same} of {len(splits)}",
                f"{gap:.1e}",
                f"{theirs.wall:.2f} ({theirs.cpu:.2f})",
                f"{ours.wall:.2f} ({ours.cpu:.2f})",
                f"{theirs.cpu / ours.cpu:.1f}",
            ]
        )
    header = ["peer", "same sets", "largest gap", "peer s (CPU)", "tamis s (CPU)", "CPU ratio"]
    print(markdown(header, rows))
    print(f"\n{versions('scikit-learn', 'numpy', 'numba')}; {data.shape[0]} x {data.shape[1]:,}.")


if __name__ == "__main__":
    main()
