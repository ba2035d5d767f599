"""Univariate filters for a number: one row each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._core.errors import DataError
from .._core.response import NUMBERS
from .._core.row_groups import Display
from ..data.class_codes import checked_numbers
from ._filters import FilterPromises, FilterRow, FilterTakes, Shortcuts
from ._moments import moment_ratio
from ._parts import TrainingParts

Sums = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # n, Sxx, Sxy, Syy of training sets


def part_sums(parts: TrainingParts) -> Sums:
    """Rows (K, 1), sums of squares and products (K, p), and of y (K, 1), of every training set."""
    from ..kernels.co_moments import part_co_moments

    counts = np.array([[len(rows)] for rows in parts.rows], dtype=np.float64)
    squares, products, own = part_co_moments(parts.filled, parts.y, parts.rows)
    for k in range(len(parts)) if len(parts.incomplete) else ():  # filled with its own medians
        columns = np.ascontiguousarray(parts.matrix(k)[:, parts.incomplete])
        one = part_co_moments(columns, parts.labels(k), [np.arange(len(columns))])
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
    (0.9908, 0.0092)
    """
    X, y = _checked(X, y)
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


def moderated_regression_t(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Moderated t of the slope of each feature on a number, and its p-value.

    That of limma's ``eBayes(lmFit(t(X), model.matrix(~ y)))``: residual variances, of n - 2 degrees
    of freedom, are shrunk towards a prior fitted to all features (Smyth 2004), so that the value of
    one depends on the others.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,), finite

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)

    Raises
    ------
    DataError
        Fewer than three samples: no residual degree of freedom is left, and a t would be that of
        the prior alone.

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

    X, y = _checked(X, y)
    if len(X) < 3:
        raise DataError(
            f"moderated_regression_t: {len(X)} samples leave no residual degree of freedom: give "
            "three or more"
        )
    statistics, df = moderated_regression_statistics(_sums_of(X, y))
    return statistics[0], 2 * stdtr(df[0], -np.abs(statistics[0]))


def _checked(X, y) -> tuple[np.ndarray, np.ndarray]:
    """X and y as finite numbers, of one length."""
    plain = all(type(a) is np.ndarray and a.dtype == np.float64 for a in (X, y))
    if plain and X.ndim == 2 and y.shape == X.shape[:1] and np.isfinite(X).all():
        found = y
    else:
        X, y = checked_numbers(X, y)
        found = np.asarray(y, dtype=np.float64)
    if not np.isfinite(found).all():
        raise DataError("y has a missing or infinite value: leave those samples out")
    return X, found


def _correlation_parts(parts: TrainingParts) -> np.ndarray:
    return correlations(part_sums(parts))


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
    )
}  # fmt: skip
