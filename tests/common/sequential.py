"""Four tables that sequential searches are compared on, with their folds."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedKFold

SETS = ("breast_cancer", "wine", "golub", "made")


def made_set(name):
    """X, codes and five folds."""
    if name == "golub":
        from tamis.data import load_golub
        from tamis.selection import welch_t

        golub = load_golub()
        y = np.unique(golub.y, return_inverse=True)[1]
        best = np.argsort(-np.abs(welch_t(golub.X, y)[0]), kind="stable")
        X = golub.X[:, best[400:424]]  # among which no pair separates the classes
    elif name == "made":
        rng = np.random.default_rng(1)
        X = rng.normal(size=(120, 25))
        y = (X[:, 3] + 0.8 * X[:, 7] + rng.normal(size=120) > 0).astype(int)
    else:
        load = {"breast_cancer": load_breast_cancer, "wine": load_wine}[name]
        X, y = load(return_X_y=True)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    return X, y, list(folds)
