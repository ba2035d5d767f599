"""Small classifiers by sets."""

from __future__ import annotations

import numpy as np

from tamis.classifiers import CovRITClassifier, DiscRITClassifier, RelRITClassifier

FIXED = {"theta": 0.3, "theta_out": 0.6, "n_trees": 15, "depth": 4, "random_state": 0}
KINDS = {
    "discrit": lambda **plan: DiscRITClassifier(**{**FIXED, **plan}),
    "covrit": lambda **plan: CovRITClassifier(**{"epsilon": 0.4, **FIXED, **plan}),
    "relrit": lambda **plan: RelRITClassifier(
        **{"epsilon": 2.0, "radius": 0.4, **FIXED, "theta_out": 0.8, **plan}
    ),
}


def two_classes(seed=0, n=60, p=6, shift=1.5):
    """Numbers with one decimal; the first half of the columns differ."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [n // 2, n // 3, n - n // 2 - n // 3])
    X = rng.normal(size=(n, p))
    X[:, : p // 2] += shift * y[:, None]
    return np.round(X, 1), np.array(["a", "b", "c"])[y]


def numeric_rules(kind, **plan):
    X, y = two_classes(5)
    model = KINDS[kind](**plan).fit(X, y)
    return model.rules_, X
