"""mtd: the worked example of the source, properties, and the training sets of a fold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from tamis._core.errors import TamisError
from tamis.selection._mtd import mtd, mtd_parts
from tamis.selection._parts import TrainingParts

# "Randomly generated dataset for MTD Feature Selection, with 6 observations and 5 features"
EXAMPLE = np.array([list(row) for row in ("CBBBC", "BCABA", "CCCAA", "ABBAA", "BACCA", "CCAAB")])
LABELS = np.array([0, 1, 1, 0, 1, 1])


def test_worked_example():
    codes = np.searchsorted(["A", "B", "C"], EXAMPLE).astype(float)
    assert mtd(codes, LABELS, discrete_features=True).tolist() == [1, 2, 2, 0.5, 1]


def test_discrete_ignores_coding_and_missing_values():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, size=(50, 6)).astype(float), rng.integers(0, 3, 50)
    score = mtd(X, y, discrete_features=True)
    recoded = np.array([10.0, -3.0, 0.5, 7.0])[X.astype(int)]
    np.testing.assert_allclose(mtd(recoded, y, discrete_features=True), score, rtol=1e-12)
    X[:10, 2] = np.nan
    holes = mtd(X, y, discrete_features=True)
    own = mtd(X[10:, 2:3], y[10:], discrete_features=True)
    assert holes[2] == own[0]
    assert np.array_equal(np.delete(holes, 2), np.delete(score, 2))


def test_mixed_table_and_missing_values():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), np.array(["a", "b"])[np.arange(40) % 2]
    X[:, 1] = rng.integers(0, 3, 40)
    X[:7, 2] = np.nan
    score = mtd(X, y, discrete_features=[1])
    for j, rows in ((0, slice(None)), (2, slice(7, None))):
        z = (X[rows, j] - X[rows, j].mean()) / X[rows, j].std()
        expected = wasserstein_distance(z[y[rows] == "a"], z[y[rows] == "b"])
        np.testing.assert_allclose(score[j], expected, rtol=1e-12)
    assert score[1] == mtd(X[:, 1:2], y, discrete_features=True)[0]


@pytest.mark.parametrize("discrete", [False, True])
def test_several_classes(discrete):
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 6, size=(60, 5)).astype(float), np.arange(60) % 3
    if discrete:
        pairs = np.array(
            [
                mtd(X[np.isin(y, pair)], y[np.isin(y, pair)], discrete_features=True)
                for pair in ([0, 1], [0, 2], [1, 2])
            ]
        )
    else:  # one scale for all pairs: the standard deviation over all rows
        z = (X - X.mean(axis=0)) / X.std(axis=0)
        pairs = np.array(
            [
                [wasserstein_distance(z[y == a, j], z[y == b, j]) for j in range(5)]
                for a, b in ([0, 1], [0, 2], [1, 2])
            ]
        )
    largest = mtd(X, y, discrete_features=discrete)
    average = mtd(X, y, discrete_features=discrete, multiclass="mean")
    np.testing.assert_allclose(largest, pairs.max(axis=0), rtol=1e-12)
    np.testing.assert_allclose(average, pairs.mean(axis=0), rtol=1e-12)


@pytest.mark.parametrize("missing", [False, True])
def test_parts_equal_each_part_alone(missing):
    rng = np.random.default_rng(3)
    X, y = np.round(rng.normal(size=(50, 90)), 1), np.arange(50) % 3
    if missing:
        X[rng.random(50) < 0.3, 4] = np.nan
        X[:, 80][:30] = np.nan
    rows = [np.sort(rng.permutation(50)[:40]) for _ in range(6)]
    parts = TrainingParts(X, y, rows)
    together = mtd_parts(parts)
    assert together.shape == (6, 90)
    for k in range(6):
        assert np.array_equal(together[k], mtd(parts.matrix(k), parts.labels(k)))


def test_bad_parameters_are_named():
    X, y = np.zeros((4, 2)), [0, 0, 1, 1]
    with pytest.raises(TamisError, match="multiclass='men': did you mean 'mean'"):
        mtd(X, y, multiclass="men")
    with pytest.raises(TamisError, match="only one class"):
        mtd(X, [1, 1, 1, 1])


def test_constant_feature_has_none():
    assert mtd(np.full((6, 1), 2.7), LABELS)[0] == 0
    assert mtd(np.full((6, 1), 2.7), LABELS, discrete_features=True)[0] == 0
