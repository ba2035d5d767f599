"""Tables whose labels are drawn by lot, and how often a threshold is set on them."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from tamis.classifiers import RejectingClassifier

ESTIMATORS = {"logistic": LogisticRegression(), "machine": SVC()}


def null_table(seed, share=0.5):
    """60 to 200 rows of five columns, and labels in random order, a share of them 1."""
    rng = np.random.default_rng([seed, 11])
    n = int(rng.integers(60, 201))
    return rng.normal(size=(n, 5)), (rng.permutation(n) < share * n).astype(int)


def null_model(estimator, criterion, seed, share=0.5):
    """Fitted to such a table."""
    model = RejectingClassifier(ESTIMATORS[estimator], criterion=criterion, random_state=seed)
    return model.fit(*null_table(seed, share))


def thresholds_set(estimator, criterion, sets, share=0.5):
    """On how many of so many tables somebody may be declined."""
    models = [null_model(estimator, criterion, seed, share) for seed in range(sets)]
    for model in models:
        assert (model.threshold_ > -np.inf) == (model.p_value_ <= model.significance)
    return sum(model.threshold_ > -np.inf for model in models)
