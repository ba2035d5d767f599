"""Every univariate score of one wide table in one call, beside scikit-learn and SciPy.

A made-up table of 100 samples and 22,000 features, two classes of unequal size; the discrete
filters see it cut at -1 and 1 (three values). Equal results are checked before any time is
told; a route is timed in the same run as its peer. Some filters stand beside a floor, too: a step
of NumPy that is hard to do without, timed in turns with them, in CPU seconds.

    python benchmarks/filters.py [--features 22000] [--repeats 5]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from _harness import markdown, timed, versions


@dataclass(frozen=True)
class Contest:
    """Ours and a peer's way to the same numbers."""

    name: str
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]
    same: Callable[[Any, Any], bool]
    peer_runs: int = 1
    library: bool = True  # False: plain NumPy without checks of its input, for comparison only


@dataclass(frozen=True)
class Floor:
    """Ours, and what NumPy needs for one step of it."""

    name: str
    ours: Callable[[], Any]
    step: str
    theirs: Callable[[], Any]
    within: float | None = None  # how many times the step is allowed


def floors(X: np.ndarray, D: np.ndarray, y: np.ndarray) -> list[Floor]:
    """The filters whose results `contests` has checked, beside their floors."""
    from tamis.selection import chi2, mtd, mutual_information, wilcoxon

    rows = np.ascontiguousarray(X.T)
    onehot = np.eye(2)[:, y]
    codes = np.concatenate([value == D for value in range(3)], axis=1).astype(np.float64)

    def sort() -> np.ndarray:
        return np.sort(rows, axis=1)

    def sort_columns() -> np.ndarray:
        return np.sort(np.ascontiguousarray(X.T), axis=1)

    def argsort_columns() -> np.ndarray:
        return np.argsort(np.ascontiguousarray(X.T), axis=1)

    def product() -> np.ndarray:
        return onehot @ codes

    def product_of_codes() -> np.ndarray:
        return onehot @ np.concatenate([v == D for v in range(3)], axis=1).astype(np.float64)

    def draws() -> np.ndarray:
        return np.random.RandomState(0).standard_normal(X.shape)

    transposed, transposing = "np.sort, transposed before", "transposition and np.sort"
    tests, information = lambda: wilcoxon(X, y), lambda: mutual_information(X, y, random_state=0)
    squares, distances = lambda: chi2(D, y), lambda: mtd(X, y)
    return [
        Floor("wilcoxon", tests, transposed, sort, 3),
        Floor("wilcoxon", tests, transposing, sort_columns),
        Floor("mtd", distances, transposed, sort, 3),
        Floor("mtd", distances, transposing, sort_columns),
        Floor("chi2", squares, "contingency product, codes 0/1 before", product, 3),
        Floor("chi2", squares, "codes 0/1 and contingency product", product_of_codes),
        Floor("mutual_information", information, "transposition and np.argsort", argsort_columns),
        Floor("mutual_information", information, "the draws of the noise", draws),
    ]


def close(a, b, rtol=1e-9, atol=1e-12) -> bool:
    return bool(np.allclose(a, b, rtol=rtol, atol=atol))


def column_wise(function: Callable, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A function of two samples, one column after the other."""
    positive, negative = y == 1, y == 0
    return np.array([function(x[positive], x[negative]) for x in np.ascontiguousarray(X.T)])


def contests(X: np.ndarray, D: np.ndarray, y: np.ndarray, repeats: int) -> list[Contest]:
    from scipy import stats
    from sklearn.feature_selection import f_classif, mutual_info_classif

    from tamis.selection import (
        chi2,
        fold_change,
        hsic,
        moderated_t,
        mtd,
        mutual_information,
        pearson,
        welch_t,
        wilcoxon,
    )

    a, b = X[y == 1], X[y == 0]

    def rank_sum(a, b, axis=0):
        return stats.mannwhitneyu(a, b, method="asymptotic", axis=axis).pvalue

    def pearson_is_f(ours, theirs):
        r, p = ours
        f = r**2 / (1 - r**2) * (len(y) - 2)
        return close(f, theirs[0]) and close(p, theirs[1], rtol=1e-7)

    def welch(x, z):
        return stats.ttest_ind(x, z, equal_var=False)

    def crosstab(x):
        values, codes = np.unique(x, return_inverse=True)
        counts = np.bincount(2 * codes + y, minlength=2 * len(values)).reshape(-1, 2)
        return stats.chi2_contingency(counts, correction=False)[:2]

    def distance(x, z):
        return stats.wasserstein_distance(x, z)

    Z = (X - X.mean(axis=0)) / X.std(axis=0)

    def moderates(ours, theirs):
        # SciPy has no moderated t; its pooled t has the same numerator, so the same sign
        return bool((np.sign(ours[0]) == np.sign(theirs[:, 0])).all())

    def p_by_p(ours, theirs):
        return close(ours[1], theirs)

    few = max(1, repeats)
    return [
        Contest("pearson", lambda: pearson(X, y), "f_classif", lambda: f_classif(X, y),
                pearson_is_f, few),
        Contest("welch_t", lambda: welch_t(X, y), "scipy ttest_ind, axis=0",
                lambda: welch(a, b), lambda u, v: close(u[1], v.pvalue, rtol=1e-7), few),
        Contest("moderated_t", lambda: moderated_t(X, y), "scipy ttest_ind, column by column (*)",
                lambda: column_wise(stats.ttest_ind, X, y), moderates),
        Contest("moderated_t", lambda: moderated_t(X, y), "f_classif (*)",
                lambda: f_classif(X, y), lambda u, v: u[0].shape == v[0].shape, few),
        Contest("fold_change", lambda: fold_change(X, y), "bare NumPy, means of two row sets",
                lambda: np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)), close, few,
                library=False),
        Contest("wilcoxon", lambda: wilcoxon(X, y), "scipy mannwhitneyu, axis=0",
                lambda: rank_sum(a, b), p_by_p, few),
        Contest("wilcoxon", lambda: wilcoxon(X, y), "scipy mannwhitneyu, column by column",
                lambda: column_wise(rank_sum, X, y), p_by_p),
        Contest("chi2", lambda: chi2(D, y), "scipy chi2_contingency, column by column",
                lambda: np.array([crosstab(x) for x in np.ascontiguousarray(D.T)]),
                lambda u, v: close(u[0], v[:, 0]) and close(u[1], v[:, 1])),
        Contest("mutual_information", lambda: mutual_information(X, y, random_state=0),
                "mutual_info_classif", lambda: mutual_info_classif(X, y, random_state=0), close),
        Contest("mutual_information, discrete",
                lambda: mutual_information(D, y, discrete_features=True),
                "mutual_info_classif, discrete",
                lambda: mutual_info_classif(D, y, discrete_features=True), close),
        Contest("mtd", lambda: mtd(X, y), "scipy wasserstein_distance, column by column",
                lambda: column_wise(distance, Z, y), close),
        Contest("hsic, linear", lambda: hsic(X, y), "f_classif (to rank alike)",
                lambda: f_classif(X, y)[0], lambda u, v: close(
                    u, v / (v + len(y) - 2) * (len(y) / (len(y) - 1)) ** 2), few),
        Contest("hsic, Gaussian", lambda: hsic(X, y, kernel="gaussian"),
                "bare NumPy, n x n matrices a column", lambda: plain_hsic(X, y), close,
                library=False),
    ]  # fmt: skip


def plain_hsic(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Biased HSIC, Gaussian kernel with the median distance, by its definition."""
    n = len(y)
    label = (y - y.mean()) / y.std()
    L = np.outer(label, label)  # already centred
    upper = np.triu_indices(n, 1)
    scores = np.empty(X.shape[1])
    for j, x in enumerate(np.ascontiguousarray(X.T)):
        gaps = np.abs(x[:, None] - x[None])
        K = np.exp(-((gaps / np.median(gaps[upper])) ** 2) / 2)
        scores[j] = (K * L).sum() / (n - 1) ** 2
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--features", type=int, default=22_000)
    parser.add_argument("--repeats", type=int, default=5, help="runs of quick routes; best counts")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    y = rng.permutation((np.arange(options.samples) < 0.4 * options.samples).astype(np.int64))
    X = rng.normal(size=(options.samples, options.features))
    X[:, :200] += np.linspace(2, 0, 200) * y[:, None]
    D = np.digitize(X, [-1.0, 1.0]).astype(np.float64)
    rows, wrong, slow = [], [], []
    for contest in contests(X, D, y, options.repeats):
        contest.ours()  # compile or load the kernels
        ours = timed(contest.ours, options.repeats)
        theirs = timed(contest.theirs, contest.peer_runs)
        label = f"{contest.name} against {contest.peer}"
        if not contest.same(ours.value, theirs.value):
            wrong.append(label)
        if contest.library and ours.wall > theirs.wall:
            slow.append(label)
        ratio = f"{theirs.wall / ours.wall:.1f}"
        rows.append([contest.name, f"{ours.wall:.3f}", contest.peer, f"{theirs.wall:.3f}", ratio])
    print(markdown(["tamis", "s", "peer", "s", "ratio"], rows))
    rows = []
    for floor in floors(X, D, y):
        pairs = [
            (timed(floor.ours).cpu, timed(floor.theirs).cpu) for _ in range(4 * options.repeats)
        ]
        ours, theirs = (1000 * min(times) for times in zip(*pairs, strict=True))
        if floor.within is not None and ours > floor.within * theirs:
            slow.append(f"{floor.name} beside {floor.step}")
        rows.append(
            [
                floor.name,
                f"{ours:.1f}",
                floor.step,
                f"{theirs:.1f}",
                f"{ours / theirs:.1f}",
                floor.within or "",
            ]
        )
    print()
    print(markdown(["tamis", "CPU ms", "floor", "CPU ms", "times", "at most"], rows))
    print(
        f"\n{options.samples} x {options.features:,}; "
        f"{versions('scikit-learn', 'scipy', 'numpy', 'numba')}; Tamis and the vectorised "
        f"peers best of {options.repeats}, the others once."
    )
    for word, labels in (("different results", wrong), ("slower", slow)):
        print(f"{word}: {'; '.join(labels) or 'none'}")
    raise SystemExit(1 if wrong or slow else 0)


if __name__ == "__main__":
    main()
