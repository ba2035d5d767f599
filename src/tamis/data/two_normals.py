"""Two normal classes that overlap: apart by their means (twonorm), or one around the other
(ringnorm)."""

from __future__ import annotations

import numpy as np

from .._core.errors import PlanError, value_text
from .._core.settings import checked_count
from .dataset import Dataset
from .made_up import made_up_generator


def make_twonorm(
    n_samples: int = 500, distance: float = 1.0, n_features: int = 2, random_state: int | None = 0
) -> Dataset:
    """Two classes of equal size and standard deviation 1, their means apart in every column.

    Parameters
    ----------
    n_samples : int, default=500
        Of both classes together; of an odd number the former has one more.
    distance : float, default=1
        Between the means in each column, in standard deviations.
    n_features : int, default=2
    random_state : int or None, default=0

    Returns
    -------
    Dataset
        Classes "a" and "b"; `X` (n_samples, n_features).

    Raises
    ------
    PlanError
        A number that cannot be.

    References
    ----------
    Breiman (1996), Bias, variance, and arcing classifiers, Technical Report 460, Berkeley.

    Examples
    --------
    >>> from tamis.data import make_twonorm
    >>> make_twonorm(distance=2.0)
    Dataset('twonorm': 500 x 2; a 250, b 250)
    """
    return _two_normals("twonorm", n_samples, distance, 1.0, n_features, random_state)


def make_ringnorm(
    n_samples: int = 500, n_features: int = 2, random_state: int | None = 0
) -> Dataset:
    """Two classes of equal size, the former of standard deviation 2 around the latter of 1, their
    means 1/sqrt(n_features) apart in every column.

    Parameters
    ----------
    n_samples : int, default=500
    n_features : int, default=2
    random_state : int or None, default=0

    Returns
    -------
    Dataset
        As of `make_twonorm`.

    Raises
    ------
    PlanError
        A number that cannot be.

    References
    ----------
    Breiman (1996), Bias, variance, and arcing classifiers, Technical Report 460, Berkeley.

    Examples
    --------
    >>> from tamis.data import make_ringnorm
    >>> make_ringnorm(100)
    Dataset('ringnorm': 100 x 2; a 50, b 50)
    """
    n_features = checked_count(n_features, "n_features", 1)
    apart = 1 / np.sqrt(n_features)
    return _two_normals("ringnorm", n_samples, apart, 2.0, n_features, random_state)


def _two_normals(
    name: str,
    n_samples: int,
    distance: float,
    spread: float,
    n_features: int,
    random_state: int | None,
) -> Dataset:
    """The former class around 0 with a standard deviation of `spread`, the latter of 1."""
    n, p = checked_count(n_samples, "n_samples", 2), checked_count(n_features, "n_features", 1)
    if not np.isfinite(distance):
        raise PlanError(f"distance = {value_text(distance)}: give a number")
    latter = np.arange(n) >= (n + 1) // 2
    noise = made_up_generator(random_state, name).normal(size=(n, p))
    X = noise * np.where(latter, 1.0, spread)[:, None] + distance * latter[:, None]
    names = tuple(f"x{j + 1}" for j in range(p))
    return Dataset(X, np.where(latter, "b", "a"), names, name=name)
