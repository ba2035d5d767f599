"""Units of columns do not matter to any classifier, and no finite value is too far."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.registry import rows_of
from tamis._core.rows import ClassifierRow
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier

ROWS = [r for r in rows_of(ClassifierRow) if not (r.takes.is_meta_estimator or r.takes.costs)]
BINARY = [-1000, -540, -130, 60, 127, 1000]  # exponents: 1e-301, 1e-163, ..., 1e38, 1e301


def samples():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)) + 5, np.arange(60) % 2
    X[y == 1, 0] += 1.5
    return X, y, rng.normal(size=(20, 4)) + 5


def believed(row, X, y, rows):
    found = fit_in_units(build_classifier(row.name, {}), X, y, 2, 3, {} if row.takes.raw else None)
    beliefs = found.beliefs(rows)
    return beliefs.proba if beliefs.proba is not None else beliefs.margin


@pytest.mark.longer
@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_powers_of_two_as_units_change_nothing(row):
    X, y, rows = samples()
    plain = believed(row, X, y, rows)
    tolerance = 1e-12 if row.name == "naive_bayes" else 0  # smoothed by the table's variance
    for exponent in BINARY:
        unit = 2.0**exponent
        found = believed(row, X * unit, y, rows * unit)
        np.testing.assert_allclose(found, plain, rtol=0, atol=tolerance, err_msg=str(exponent))


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_samples_far_away_are_believed_something(row):
    X, y, _ = samples()
    rows = np.full((3, 4), 1e39) * np.array([[1], [-1], [1e-239]])
    assert np.isfinite(believed(row, X, y, rows)).all()
    for odd in (X * 1e-320, 1e-100 + X * 1e-170, X * [1, 1e-170, 1, 1e39]):
        assert np.isfinite(believed(row, odd, y, odd[:4])).all()
