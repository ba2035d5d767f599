"""0/1 tables in which sets of features tell the class, and no feature does."""

from __future__ import annotations

import numpy as np

from .._core.settings import checked_count, checked_share
from .dataset import Dataset
from .made_up import made_up_generator, other_columns

NAME = "planted_interaction"


def make_planted_interaction(
    n_per_class: int = 500,
    n_features: int = 10_000,
    order: int = 3,
    prevalence: float = 0.5,
    density: float = 0.05,
    n_interactions: int = 1,
    signed: bool = False,
    random_state: int | None = 0,
) -> Dataset:
    """Two classes that differ in how often sets of 0/1 features are 1 together.

    In a case, all features of a planted set are 1 with probability `prevalence`; else each is 1
    with probability `density`. In a control each is 1, independently of the others, with
    probability ``q = prevalence + (1 - prevalence) * density``. That is its probability in cases
    too, so no feature says anything of the class by itself; any two features of a set do. All
    other features are 1 with probability `density` in both classes.

    Planted columns are denser than the others (`q` against `density`): a search that looks at
    variances finds them without the class.

    Parameters
    ----------
    n_per_class : int, default=500
        Controls, which come first, and cases.
    n_features : int, default=10_000
        All columns. X1, X2, ... come first; the planted ones are last, since ties are broken by
        column order. S1_2 is the second feature of the first set.
    order : int, default=3
        Features of a planted set.
    prevalence : float, default=0.5
        Share of the cases that have a set, drawn for each set by itself; with 0 nothing is planted.
    density : float, default=0.05
        How often a feature is 1 by chance.
    n_interactions : int, default=1
        Planted sets; no two have a feature in common.
    signed : bool, default=False
        Whether every second feature of a set is turned round: 0 where it is planted, and 1 with
        probability ``1 - density`` by chance. It is named S1_2_low.
    random_state : int or None, default=0
        The planted columns do not depend on the number of others.

    Returns
    -------
    Dataset
        `X` (2 * n_per_class, n_features), of 0 and 1; "case" is the positive class.

    Raises
    ------
    PlanError
        A number is out of range, or there are fewer features than the sets have.

    Examples
    --------
    A planted feature is as frequent in controls as in cases; the full set is not.

    >>> from tamis.data import make_planted_interaction
    >>> data = make_planted_interaction(n_features=1000)
    >>> data
    Dataset('planted_interaction': 1000 x 1000; control 500, case 500)
    >>> data.feature_names[-4:]
    ('X997', 'S1_1', 'S1_2', 'S1_3')
    >>> planted = data.X[:, -3:]
    >>> [planted[data.codes == code].mean().round(2).item() for code in (0, 1)]
    [0.54, 0.53]
    >>> [planted[data.codes == code].all(axis=1).mean().round(2).item() for code in (0, 1)]
    [0.17, 0.51]
    """
    n = checked_count(n_per_class, "n_per_class", 1)
    p = checked_count(n_features, "n_features", 1)
    order = checked_count(order, "order", 2)
    n_sets = checked_count(n_interactions, "n_interactions", 1)
    prevalence = checked_share(prevalence, "prevalence")
    density = checked_share(density, "density")
    others = other_columns(p, n_sets, order, "n_interactions")
    rng = made_up_generator(random_state, NAME)
    sets = np.empty((2, n, n_sets, order), dtype=bool)
    sets[0] = rng.random(sets.shape[1:]) < prevalence + (1 - prevalence) * density
    sets[1] = rng.random(sets.shape[1:]) < density
    sets[1] |= rng.random((n, n_sets, 1)) < prevalence
    if signed:
        sets[..., 1::2] ^= True
    X = np.empty((2 * n, p))
    X[:, :others] = rng.random((2 * n, others)) < density
    X[:, others:] = sets.reshape(2 * n, -1)
    names = [f"X{j + 1}" for j in range(others)]
    for s in range(n_sets):
        names += [f"S{s + 1}_{k + 1}{'_low' if signed and k % 2 else ''}" for k in range(order)]
    return Dataset(
        X=X,
        y=np.repeat(["control", "case"], n),
        feature_names=tuple(names),
        classes=("control", "case"),
        name=NAME,
    )
