"""Training sets fitted together say to the bit what each says by itself."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.classifiers.base.by_parts import beliefs_by_parts
from tamis.classifiers.base.natural_scale import natural_beliefs_by_size
from tamis.classifiers.classifier_labels import build_classifier

SIZES = [1, 2, 5, 40]  # of which the last is more than twice the rows


def problem(n_classes, seed=0, n=24, p=60):
    """A table, and four training sets with columns of their own."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, p)), np.resize(np.arange(n_classes), n)
    X[:, :10] += y[:, None]
    rows = [np.sort(rng.permutation(n)[: 15 + k]) for k in range(4)]
    tests = [np.setdiff1d(np.arange(n), own) for own in rows]
    columns = np.stack([rng.permutation(p)[: SIZES[-1]] for _ in rows])
    return X, y, rows, tests, columns


def together(label, parameters, X, y, rows, tests, columns):
    classifier, n_classes = build_classifier(label, parameters), int(y.max()) + 1
    codes = [y[own] for own in rows]
    return beliefs_by_parts(classifier, X, columns, rows, tests, codes, n_classes, SIZES)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [0.1, "analytic"])
def test_same_bits_as_one_by_one(n_classes, C):
    X, y, rows, tests, columns = problem(n_classes)
    found = together("logistic", {"C": C}, X, y, rows, tests, columns)
    assert found is not None
    classifier = build_classifier("logistic", {"C": C})
    for own, test, some, beliefs in zip(rows, tests, columns, found, strict=True):
        train, new = X[np.ix_(own, some)], X[np.ix_(test, some)]
        alone = natural_beliefs_by_size(classifier, train, y[own], n_classes, new, SIZES, 0)
        for one, other in zip(beliefs, alone, strict=True):
            assert one.proba.tobytes() == other.proba.tobytes()
            assert one.margin is other.margin is None


def test_what_needs_more_is_left_to_each():
    X, y, rows, tests, columns = problem(2)
    assert together("logistic", {"class_weight": "balanced"}, X, y, rows, tests, columns) is None
    assert together("knn", {}, X, y, rows, tests, columns) is None
    constant = X.copy()
    constant[:, columns[1, 0]] = 3.0  # the first size of one of them has nothing that varies
    assert together("logistic", {}, constant, y, rows, tests, columns) is None
    assert together("logistic", {}, X * 1e-90, y, rows, tests, columns) is None  # needs units
