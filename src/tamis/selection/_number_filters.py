"""Univariate filters that serve numbers: one row each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._core.errors import DataError
from .._core.response import NUMBERS, RESPONSE_KINDS
from .._core.row_groups import Display
from ..data.class_codes import checked_numbers, checked_values
from ._filters import FilterPromises, FilterRow, FilterTakes, Shortcuts
from ._moments import moment_ratio
from ._number_dependence import distance_correlation, information_of_number
from ._parts import TrainingParts

MIN_SHARE = 1e-12  # of the variance of y, below which covariates leave nothing of it
EPS, TINY = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).tiny)
Sums = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # n, Sxx, Sxy, Syy of training sets


def part_sums(parts: TrainingParts) -> Sums:
    """Rows (K, 1), sums of squares and products (K, p), and of y (K, 1), of every training set."""
    from ..kernels.co_moments import part_co_moments

    counts = np.array([[len(rows)] for rows in parts.rows], dtype=np.float64)
    y = np.asarray(parts.y, dtype=np.float64)
    squares, products, own = part_co_moments(parts.filled, y, parts.rows)
    for k in range(len(parts)) if len(parts.incomplete) else ():  # filled with its own medians
        columns = np.ascontiguousarray(parts.matrix(k)[:, parts.incomplete])
        one = part_co_moments(columns, y[parts.rows[k]], [np.arange(len(columns))])
        squares[k, parts.incomplete], products[k, parts.incomplete] = one[0][0], one[1][0]
    return counts, squares, products, own[:, None]


def _sums_of(X: np.ndarray, y: np.ndarray) -> Sums:
    """The same of one training set."""
    from ..kernels.co_moments import part_co_moments

    X, y = np.ascontiguousarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    squares, products, own = part_co_moments(X, y, [np.arange(len(X))])
    return np.array([[float(len(X))]]), squares, products, own[:, None]


def correlations(sums: Sums) -> np.ndarray:
    """Pearson's r (K, p), 0 of a constant column."""
    _, squares, products, own = sums
    return np.clip(moment_ratio(products, np.sqrt(squares * own)), -1.0, 1.0)


def correlation(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Pearson's correlation of each feature with a number, and its p-value.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,), finite

    Returns
    -------
    r : ndarray of shape (n_features,)
        From -1 to 1; 0 of a constant feature.
    p_values : ndarray of shape (n_features,)
        Two-sided, by t = r sqrt((n - 2)/(1 - r²)) with n - 2 degrees of freedom; NaN for n < 3.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import correlation
    >>> r, p = correlation(np.array([[1.0], [2.0], [3.0], [5.0]]), [1.0, 2.0, 2.5, 4.0])
    >>> float(r[0].round(4)), float(p[0].round(4))
    (0.9954, 0.0046)
    """
    X, y = checked_values(X, y)
    r = correlations(_sums_of(X, y))[0]
    return r, correlation_p_values(r, len(X))


def correlation_p_values(r: np.ndarray, n: int) -> np.ndarray:
    """Two-sided p-values of correlations of n samples."""
    from scipy.special import stdtr

    if n < 3:
        return np.full(len(r), np.nan)
    with np.errstate(divide="ignore"):
        t = np.abs(r) * np.sqrt((n - 2) / np.maximum(1 - r * r, 0.0))
    return 2 * stdtr(n - 2, -t)


def spearman(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Spearman's rank correlation of each feature with a number, and its p-value.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,), finite

    Returns
    -------
    rho : ndarray of shape (n_features,)
        Pearson's r of mid-ranks, from -1 to 1; 0 of a constant feature.
    p_values : ndarray of shape (n_features,)
        Two-sided, by t of n - 2 degrees of freedom, as `scipy.stats.spearmanr`; NaN for n < 3.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import spearman
    >>> rho, p = spearman(np.array([[1.0], [4.0], [9.0], [7.0]]), [1.0, 2.0, 2.5, 4.0])
    >>> float(rho[0].round(4)), float(p[0].round(4))
    (0.8, 0.2)
    """
    X, y = checked_values(X, y)
    rho = _rank_correlations(X, y, np.ones((1, len(X)), dtype=bool))[0]
    return rho, correlation_p_values(rho, len(X))


def _rank_correlations(
    X: np.ndarray, y: np.ndarray, parts_mask: np.ndarray, n_classes: int = 1
) -> np.ndarray:
    """Spearman's rho (K, p) in every part, 0 of a constant column."""
    from ..kernels.rank_products import rank_products

    squares, products, own = rank_products(X, y, parts_mask)
    scale = np.sqrt(squares.astype(float) * own.astype(float)[:, None])
    return np.clip(moment_ratio(products.astype(float), scale), -1.0, 1.0)


def variance(X, y=None) -> np.ndarray:
    """Variance of each feature, which looks at no outcome.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : ignored

    Returns
    -------
    variances : ndarray of shape (n_features,)
        With n - 1 in the denominator; 0 of a single sample.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import variance
    >>> variance(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])).tolist()
    [1.0, 0.0]
    """
    X, nothing = checked_values(X, np.zeros(len(X)))
    return _variances(_sums_of(X, nothing))[0]


def _variances(sums: Sums) -> np.ndarray:
    counts, squares, _, _ = sums
    return squares / np.maximum(counts - 1, 1)


def moderated_regression_statistics(sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Moderated t (K, p) and degrees of freedom (K,): see `moderated_regression_t`."""
    from ..kernels.ebayes import fit_prior

    counts, squares, products, own = sums
    found, freedom = np.empty_like(squares), np.empty(len(squares))
    for k, (n, Q, P, S) in enumerate(zip(counts[:, 0], squares, products, own[:, 0], strict=True)):
        df = max(n - 2, 1.0)
        rest = np.maximum(Q - moment_ratio(P * P, np.full_like(P, S)), 0.0)
        d0, s02 = fit_prior(rest / df, df)
        post = np.full_like(rest, s02) if np.isinf(d0) else (rest + d0 * s02) / (df + d0)
        found[k] = moment_ratio(P, np.sqrt(post * S))
        freedom[k] = min(d0 + df, df * len(rest))
    return found, freedom


def moderated_regression_t(X, y, covariates=None) -> tuple[np.ndarray, np.ndarray]:
    """Moderated t of the slope of each feature on a number, and its p-value.

    That of limma's ``eBayes(lmFit(t(X), model.matrix(~ y)))``: residual variances, of n - 2 degrees
    of freedom, are shrunk towards a prior fitted to all features (Smyth 2004), so that the value of
    one depends on the others.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,), finite
    covariates : array-like of shape (n_samples, n_covariates), finite, optional
        Further columns of the design: ``model.matrix(~ y + covariates)``. Each costs a degree of
        freedom, unless it follows from the others.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)

    Raises
    ------
    DataError
        No residual degree of freedom is left (fewer than three samples without covariates), and a
        t would be that of the prior alone; or the covariates determine y.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import moderated_regression_t
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(20, 50)), rng.normal(size=20)
    >>> t, p = moderated_regression_t(X + np.outer(y, np.arange(50) == 3), y)
    >>> int(abs(t).argmax())
    3
    """
    from scipy.special import stdtr

    X, y = checked_values(X, y)
    n = len(X)
    if covariates is not None:
        X, y, rank = _beside_covariates(X, y, covariates)
        n -= rank
    if n < 3:
        raise DataError(
            f"moderated_regression_t: {len(X)} samples leave no residual degree of freedom: give "
            "more samples or fewer covariates"
        )
    sums = np.array([[float(n)]]), *_sums_of(X, y)[1:]
    statistics, df = moderated_regression_statistics(sums)
    return statistics[0], 2 * stdtr(df[0], -np.abs(statistics[0]))


def _beside_covariates(
    X: np.ndarray, y: np.ndarray, covariates: object
) -> tuple[np.ndarray, np.ndarray, int]:
    """What covariates leave of X and y, and their rank beside the intercept (Frisch-Waugh)."""
    Z, _ = checked_numbers(covariates, y)
    Z = Z - Z.mean(axis=0)
    U, d, _ = np.linalg.svd(Z / np.maximum(np.sqrt((Z * Z).sum(axis=0)), TINY), full_matrices=False)
    U = U[:, d > d.max(initial=0.0) * len(Z) * EPS]
    X, centred = X - X.mean(axis=0), y - y.mean()
    rest = centred - U @ (U.T @ centred)
    if not rest @ rest > MIN_SHARE * (centred @ centred):
        raise DataError("moderated_regression_t: the covariates determine y: leave some out")
    return X - U @ (U.T @ X), rest, U.shape[1]


def _correlation_parts(parts: TrainingParts) -> np.ndarray:
    return correlations(part_sums(parts))


def _spearman_parts(parts: TrainingParts) -> np.ndarray:
    return parts.at_once(_rank_correlations)


def _variance_parts(parts: TrainingParts) -> np.ndarray:
    return _variances(part_sums(parts))


def _moderated_parts(parts: TrainingParts) -> np.ndarray:
    return moderated_regression_statistics(part_sums(parts))[0]


_TESTS = FilterPromises(tests=True)
NUMBER_FILTERS: dict[str, FilterRow] = {
    one.name: replace(one, sklearn=False, takes=replace(one.takes, outcomes=NUMBERS))
    for one in (
        FilterRow(
            "correlation", title="correlation",
            summary="Pearson's correlation with the number", page="regression.md",
            score=correlation,
            shortcuts=Shortcuts(parts=_correlation_parts), promises=_TESTS,
            display=Display(show_in_report=True),
        ),
        FilterRow(
            "moderated_regression_t", title="moderated t of the slope",
            summary="limma's moderated t of the slope on the number", cite=("smyth2004",),
            page="regression.md", score=moderated_regression_t,
            shortcuts=Shortcuts(parts=_moderated_parts), promises=_TESTS,
            takes=FilterTakes(needs_all_columns=True), display=Display(show_in_report=True),
        ),
        FilterRow(
            "spearman", title="rank correlation",
            summary="Spearman's rank correlation with the number", cite=("spearman1904",),
            page="regression.md", score=spearman, shortcuts=Shortcuts(parts=_spearman_parts),
            promises=_TESTS,
        ),
        FilterRow(
            "distance_correlation", title="distance correlation",
            summary="distance correlation with the number: any dependence", cite=("szekely2007",),
            page="regression.md", score=distance_correlation,
            promises=FilterPromises(signed=True),
        ),
        FilterRow(
            "mutual_information", title="mutual information",
            summary="mutual information with the number, nearest-neighbour estimator",
            cite=("kraskov2004",), page="regression.md", score=information_of_number,
            promises=FilterPromises(signed=True), display=Display(measure="nats"),
        ),
    )
} | {
    "variance": FilterRow(
        "variance", title="variance", summary="variance of the feature, without the outcome",
        page="filters.md", score=variance, shortcuts=Shortcuts(parts=_variance_parts),
        promises=FilterPromises(signed=True), sklearn=False,
        takes=FilterTakes(outcomes=RESPONSE_KINDS),
    ),
}  # fmt: skip
