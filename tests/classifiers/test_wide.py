"""All columns of a wide table: the usual beliefs to the bit, with one copy of the rows."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from tamis.classifiers.base.natural_scale import natural_beliefs_by_size
from tamis.classifiers.base.wide import MIN_COLUMNS, wide_beliefs
from tamis.classifiers.classifier_labels import build_classifier
from tamis.kernels.ridge_logistic import ridge_logistic

P = MIN_COLUMNS + 700  # a last block that is not full


def wide_table(n_classes=2, n=60, p=P, seed=0):
    """A table with rows to learn from, in no order, and rows to predict."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.normal(3, 2, (n, p)) + (y[:, None] == 1) * (np.arange(p) < 20)
    rows = rng.permutation(n)
    return X, rows[: n - 12], rows[n - 12 :], y


def usual(classifier, X, columns, rows, test, y, n_classes):
    """As every other set of columns is learnt from."""
    train, near = X[np.ix_(rows, columns)], X[np.ix_(test, columns)]
    found = natural_beliefs_by_size(classifier, train, y, n_classes, near, [len(columns)], 0)
    return found[0]


@pytest.mark.quick
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("class_weight", ["none", "balanced"])
def test_beliefs_are_those_of_the_usual_way(n_classes, class_weight):
    X, rows, test, y = wide_table(n_classes)
    X[:, 5] = 7.0
    columns = np.random.default_rng(1).permutation(P)
    classifier = build_classifier("logistic", {"C": 0.01, "class_weight": class_weight})
    given = (classifier, X, columns, rows, test, y[rows], n_classes)
    found, expected = wide_beliefs(*given), usual(*given)
    assert found.proba.tobytes() == expected.proba.tobytes()
    assert found.scores.tobytes() == expected.scores.tobytes()


@pytest.mark.longer
@pytest.mark.parametrize("fault", ["constant", "far units", "few columns", "many rows", "another"])
def test_what_needs_more_goes_the_usual_way(fault):
    X, rows, test, y = wide_table(
        p=MIN_COLUMNS, n=60 if fault != "many rows" else MIN_COLUMNS // 2 + 12
    )
    name, columns = "logistic", np.arange(MIN_COLUMNS)
    if fault == "constant":
        X[:] = 1.0
    elif fault == "far units":
        X[:, 3] *= 1e-30
    elif fault == "few columns":
        columns = columns[1:]
    elif fault == "another":
        name = "lda"
    classifier = build_classifier(name, {})
    assert wide_beliefs(classifier, X, columns, rows, test, y[rows], 2) is None


@pytest.mark.longer
def test_fortran_order_is_for_wide_tables_alone():
    X, rows, _, y = wide_table()
    own = np.asfortranarray(X[rows])
    codes, weights = y[rows], np.ones(len(rows))
    (coef, intercept), *_ = ridge_logistic(own, codes, weights, 2, [P], [0.1])
    (same, as_well), *_ = ridge_logistic(X[rows], codes, weights, 2, [P], [0.1])
    assert coef.tobytes() == same.tobytes()
    assert intercept.tobytes() == as_well.tobytes()
    for wrong in (own[:, ::2], own):
        with pytest.raises(ValueError, match="Fortran"):
            ridge_logistic(wrong, codes, weights, 2, [40], [0.1])


@pytest.mark.longer
def test_rows_are_copied_once():
    X, rows, test, y = wide_table(p=8 * MIN_COLUMNS)
    columns = np.arange(X.shape[1])
    classifier = build_classifier("logistic", {})
    given = (classifier, X, columns, rows, test, y[rows], 2)
    wide_beliefs(*given)  # compiles
    tracemalloc.start()
    wide_beliefs(*given)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.25 * X.nbytes
