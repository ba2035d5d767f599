"""Ridge logistic regression beside scikit-learn's and a Newton loop written by hand in NumPy.

Standardised columns of two hidden factors, classes 0.5 standard deviations apart, C = 0.1,
balanced classes' weights. All routes get the table in memory; results are compared before any
time is taken: coefficients within 1e-6 of a tight fit (newton-cholesky, tolerance 1e-12; for the
wide table, by hand), no gradient left. scikit-learn is timed at its default solver and tolerance,
whose gradient is in the table, and by newton-cholesky (not on the wide table: its system has a
row a column). The second table is what a study asks for: the beliefs of 20 test rows on the
leading 5, 10, 20 and 50 columns, from columns as they are.

    python benchmarks/ridge_logistic.py [--seconds 1]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

from _harness import markdown, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from tamis.classifiers.ridge_logistic import RidgeLogistic

CASES = ((35, 50, 2), (100, 20, 2), (100, 50, 2), (100, 50, 4), (300, 50, 2), (90, 12600, 2))
SIZES = (5, 10, 20, 50)
C, TEST = 0.1, 20


def table(n: int, k: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns as they are and class codes, the last class half as large as the others."""
    rng = np.random.default_rng(0)
    y = rng.permutation(np.minimum(np.arange(n) * (2 * n_classes - 1) // (2 * n), n_classes - 1))
    X = rng.normal(size=(n, k)) + rng.normal(size=(n, 2)) @ rng.normal(size=(2, k))
    return 8 + 2 * (X + 0.5 * rng.normal(size=(n_classes, k))[y]), y


def balanced(y: np.ndarray) -> np.ndarray:
    """Weights of the rows."""
    counts = np.bincount(y)
    return (len(y) / (len(counts) * counts))[y]


def by_hand(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method with whole steps; the scores of a singular value decomposition if wide."""
    n, k = X.shape
    turned = None
    if k > n:
        left, spread, turned = np.linalg.svd(X, full_matrices=False)
        X = left * spread
    classes = int(y.max()) + 1
    K = 1 if classes == 2 else classes
    Z = np.column_stack([np.ones(n), X])
    size, w = Z.shape[1], balanced(y)
    ridge = np.full(size, 1 / C)
    ridge[0] = 0.0
    own = (y[:, None] == np.arange(classes)).astype(float)[:, -K:]
    B = np.zeros((K, size))
    for _ in range(50):
        eta = Z @ B.T
        if K == 1:
            p = 1 / (1 + np.exp(-eta))
        else:
            p = np.exp(eta - eta.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
        gradient = (w[:, None] * (p - own)).T @ Z + ridge * B
        if np.abs(gradient).max() < 1e-10:
            break
        hessian = np.empty((K, size, K, size))
        for a in range(K):
            for b in range(a + 1):
                bend = w * p[:, a] * ((a == b) - p[:, b])
                block = Z.T @ (bend[:, None] * Z)
                hessian[a, :, b], hessian[b, :, a] = block, block.T
            hessian[a, :, a] += np.diag(ridge)
            if K > 1:  # the same added to all intercepts changes nothing
                hessian[a, 0, :, 0] += 1.0
        whole = hessian.reshape(K * size, K * size)
        B = B - np.linalg.solve(whole, gradient.ravel()).reshape(K, size)
    coef = B[:, 1:] if turned is None else B[:, 1:] @ turned
    return coef, B[:, 0]


def scikit(solver: str, tol: float = 1e-4) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """By this solver."""

    def fit(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        model = LogisticRegression(
            C=C, class_weight="balanced", solver=solver, tol=tol, max_iter=10000
        ).fit(X, y)
        return model.coef_, model.intercept_

    return fit


def tamis(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ours."""
    found = RidgeLogistic(C, "balanced").fit(X, y, int(y.max()) + 1, 0)
    return found.coef, found.intercept


def gradient(X: np.ndarray, y: np.ndarray, found: tuple[np.ndarray, np.ndarray]) -> float:
    """The largest that is left, by the formulas."""
    coef, intercept = found
    eta = X @ coef.T + intercept
    full = np.hstack([np.zeros_like(eta), eta]) if len(coef) == 1 else eta
    p = np.exp(full - full.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    wrong = (balanced(y)[:, None] * (p - (y[:, None] == np.arange(p.shape[1]))))[:, -len(coef) :]
    return max(np.abs(wrong.T @ X + coef / C).max(), np.abs(wrong.sum(axis=0)).max())


def seconds(function: Callable[[], object], budget: float) -> float:
    """Median CPU seconds of a call, after one that is not counted."""
    function()
    clocks, end = [], time.perf_counter() + budget
    while time.perf_counter() < end or len(clocks) < 3:
        start = time.process_time()
        function()
        clocks.append(time.process_time() - start)
    return float(np.median(clocks))


def single_fits(budget: float) -> list[list[str]]:
    """A row a case."""
    rows = []
    for n, k, n_classes in CASES:
        X, y = table(n, k, n_classes)
        X, wide = StandardScaler().fit_transform(X), k > 1000
        tight = by_hand(X, y) if wide else scikit("newton-cholesky", 1e-12)(X, y)
        for route in (tamis, by_hand):
            coef, intercept = route(X, y)
            assert np.abs(coef - tight[0]).max() < 1e-6
            at = intercept - intercept.mean() if n_classes > 2 else intercept
            other = tight[1] - tight[1].mean() if n_classes > 2 else tight[1]
            assert np.abs(at - other).max() < 1e-6
            assert gradient(X, y, (coef, intercept)) < 1e-8 * n
        routes = {"tamis": tamis, "hand": by_hand, "lbfgs": scikit("lbfgs")}
        if not wide:
            routes["newton"] = scikit("newton-cholesky")
        took = {name: seconds(partial(route, X, y), budget) for name, route in routes.items()}
        left = [gradient(X, y, routes[name](X, y)) for name in ("tamis", "lbfgs")]
        per = [
            f"{1 / took[name]:,.0f}" if name in took else ""
            for name in ("tamis", "lbfgs", "newton", "hand")
        ]
        ratios = [f"{took[name] / took['tamis']:.1f}" for name in ("lbfgs", "hand")]
        rows.append([f"{n} x {k:,}", str(n_classes), *per, *ratios, *(f"{g:.0e}" for g in left)])
    return rows


def of_a_study(budget: float) -> list[list[str]]:
    """Beliefs on all sizes, a row a case."""
    rows = []
    for n, _, n_classes in [case for case in CASES if case[1] == max(SIZES)]:
        X, y = table(n + TEST, max(SIZES), n_classes)
        train, test, codes = X[:n], X[n:], y[:n]
        classifier = RidgeLogistic(C, "balanced")

        def ours(train=train, test=test, codes=codes, n_classes=n_classes, classifier=classifier):
            found = classifier.beliefs_by_size(train, codes, n_classes, test, SIZES, 0)
            return [one.proba for one in found]

        def peer(train=train, test=test, codes=codes, tol=1e-4, solver="lbfgs"):
            found = []
            for k in SIZES:
                scaler = StandardScaler().fit(train[:, :k])
                model = LogisticRegression(
                    C=C, class_weight="balanced", solver=solver, tol=tol, max_iter=1000
                ).fit(scaler.transform(train[:, :k]), codes)
                found.append(model.predict_proba(scaler.transform(test[:, :k])))
            return found

        tight = peer(tol=1e-12, solver="newton-cholesky")
        for one, other in zip(ours(), tight, strict=True):
            assert np.abs(one - other).max() < 1e-8
        took = [seconds(ours, budget), seconds(peer, budget)]
        rows.append(
            [f"{n} x {max(SIZES)}", str(n_classes)]
            + [f"{1e3 * t:.2f}" for t in took]
            + [f"{took[1] / took[0]:.0f}"]
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each time")
    budget = parser.parse_args().seconds
    print(f"Ridge logistic regression, C = {C}, balanced; {versions('scikit-learn', 'numpy')}\n")
    head = [
        "table",
        "classes",
        "tamis, fits/s",
        "lbfgs",
        "newton-cholesky",
        "by hand",
        "lbfgs / tamis",
        "by hand / tamis",
        "gradient left",
        "by lbfgs",
    ]
    print(markdown(head, single_fits(budget)))
    print(f"\nBeliefs of {TEST} rows on the leading {', '.join(map(str, SIZES))} columns, CPU ms\n")
    head = ["table", "classes", "tamis", "scikit-learn", "ratio"]
    print(markdown(head, of_a_study(budget)))


if __name__ == "__main__":
    main()
