"""The made-up data on which Monte Carlo feature selection is shown."""

from __future__ import annotations

import numpy as np

from .._core.settings import checked_count
from .dataset import Dataset
from .made_up import made_up_generator

NAME = "mcfs_toy"
CLASS_SIZES = {"A": 40, "B": 20, "C": 10}
CORRUPTED_ROWS = {"A": 0, "B": 2, "C": 4}


def make_mcfs_toy(n_noise: int = 500, random_state: int | None = 0) -> Dataset:
    """Three classes, six informative features in pairs, and uniform noise.

    40 objects of class A, 20 of B and 10 of C. Features A1 and A2 have level A in every object
    of class A and level 0 elsewhere; B1 and B2 the same for B, but 0 in two objects of B (the
    same for both); C1 and C2 for C, but 0 in four objects of C.

    Parameters
    ----------
    n_noise : int, default=500
        Columns X1, X2, ... of uniform noise on [0, 1]; they come first.
    random_state : int or None, default=0
        For the noise and the corrupted objects.

    Returns
    -------
    Dataset
        `X` (70, n_noise + 6); the six informative columns are categorical.

    Raises
    ------
    PlanError
        `n_noise` or `random_state` is not a whole number of at least 0.

    References
    ----------
    Draminski & Koronacki (2018), rmcfs: an R package for Monte Carlo feature selection and
    interdependency discovery, J. Stat. Softw. 85(12), its function artificial.data.

    Examples
    --------
    >>> from tamis.data import make_mcfs_toy
    >>> make_mcfs_toy()
    Dataset('mcfs_toy': 70 x 506; A 40, B 20, C 10)
    """
    n_noise = checked_count(n_noise, "n_noise", 0)
    rng = made_up_generator(random_state, NAME)
    y = np.repeat(list(CLASS_SIZES), list(CLASS_SIZES.values()))
    noise = rng.uniform(size=(len(y), n_noise))
    columns, names, levels = [noise], [f"X{j + 1}" for j in range(n_noise)], {}
    for label in CLASS_SIZES:
        marker = (y == label).astype(float)
        rows = np.flatnonzero(y == label)
        marker[rng.choice(rows, CORRUPTED_ROWS[label], replace=False)] = 0.0
        for k in (1, 2):
            levels[len(names)] = ("0", label)
            names.append(f"{label}{k}")
            columns.append(marker[:, None])
    return Dataset(
        X=np.ascontiguousarray(np.hstack(columns)),
        y=y,
        feature_names=tuple(names),
        classes=tuple(CLASS_SIZES),
        levels=levels,
        name=NAME,
    )
