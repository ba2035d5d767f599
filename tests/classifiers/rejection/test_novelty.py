"""Distances to class means against the covariance matrix written out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf_shrinkage

from tamis._core.errors import ModelError
from tamis.classifiers.rejection.novelty import Distance, shrinkage_of


def classes(n, p, C=2, seed=0):
    """Correlated columns of very different sizes, and class codes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % C
    X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.3 * rng.normal(size=(p, p)))
    return (X + 2 * y[:, None] * (np.arange(p) < 2)) * 10.0 ** rng.integers(-3, 4, p), y


def plain_distance(X, y, new):
    """By the inverse of the covariance matrix within classes, shrunken."""
    n, p = X.shape
    means = {c: X[y == c].mean(axis=0) for c in np.unique(y)}
    left = np.array([row - means[c] for row, c in zip(X, y, strict=True)])
    free = max(n - len(means), 1)
    scale = np.sqrt((left**2).sum(axis=0) / free)
    scale[scale <= 1e-12 * np.abs(X).max(axis=0)] = 1.0
    left = left / scale
    own = left.T @ left / free
    shrinkage = ledoit_wolf_shrinkage(left, assume_centered=True)
    matrix = (1 - shrinkage) * own + shrinkage * np.trace(own) / p * np.eye(p)
    inverse = np.linalg.inv(matrix)
    found = []
    for row in new:
        away = [(row - mean) / scale for mean in means.values()]
        found.append(np.sqrt(min(d @ inverse @ d for d in away)))
    return np.array(found)


@pytest.mark.parametrize(("n", "p"), [(40, 1), (40, 5), (200, 20), (20, 20), (12, 60), (6, 30)])
@pytest.mark.parametrize("C", [2, 3])
def test_it_is_mahalanobis_distance_to_the_nearest_mean(n, p, C):
    X, y = classes(n, p, C)
    new = classes(15, p, C, seed=1)[0]
    if p == n:
        new = np.vstack([new, X[:2]])
    distance = Distance.of(X, y)
    np.testing.assert_allclose(distance.scores(new), plain_distance(X, y, new), rtol=1e-7)


def test_constant_columns_are_taken_in_their_own_unit():
    X, y = classes(30, 4)
    X[:, 2] = 7.5
    new = X[:5].copy()
    found = Distance.of(X, y)
    assert found.scale[2] == 1.0
    np.testing.assert_allclose(found.scores(new), plain_distance(X, y, new), rtol=1e-7)
    new[:, 2] += 100.0  # never seen to vary
    assert (found.scores(new) > 20).all()


def test_columns_that_are_all_constant_still_tell_rows_apart():
    X, y = np.ones((8, 3)), np.arange(8) % 2
    found = Distance.of(X, y)
    assert found.scores(X).tolist() == [0.0] * 8
    assert found.scores(np.array([[1.0, 1.0, 4.0]])).tolist() == [3.0]


@pytest.mark.parametrize(("n", "p"), [(60, 3), (500, 2), (15, 40)])
def test_one_row_at_a_time_is_as_a_batch(n, p):
    X, y = classes(n, p)
    found = Distance.of(X, y)
    single = [found.scores(row[None])[0] for row in X]
    np.testing.assert_allclose(single, found.scores(X), rtol=1e-12)


@pytest.mark.parametrize("p", [3, 40])
def test_units_do_not_matter(p):
    X, y = classes(30, p)
    units = 10.0 ** np.random.default_rng(4).integers(-5, 6, p)
    np.testing.assert_allclose(
        Distance.of(X * units, y).scores(X * units), Distance.of(X, y).scores(X), rtol=1e-7
    )


def test_numbers_near_the_largest():
    X, y = classes(30, 4)
    np.testing.assert_allclose(
        Distance.of(X * 1e200, y).scores(X * 1e200), Distance.of(X, y).scores(X), rtol=1e-7
    )


def test_a_class_that_was_never_seen_is_far():
    X, y = classes(90, 6, C=3)
    X[y == 2] += 40 * X.std(axis=0)
    found = Distance.of(X[y < 2], y[y < 2])
    assert found.scores(X[y == 2]).min() > 3 * found.scores(X[y < 2]).max()


def test_a_row_of_each_class_alone():
    X = np.array([[0.0, 1.0], [2.0, 5.0]])
    found = Distance.of(X, np.array([0, 1]))
    np.testing.assert_allclose(found.scores(X), 0)
    assert np.isfinite(found.scores(X + 1)).all()


@pytest.mark.parametrize(("n", "p"), [(20, 3), (10, 25)])
def test_read_back_it_is_the_same(n, p):
    X, y = classes(n, p)
    found = Distance.of(X, y)
    arrays = {k: np.ascontiguousarray(v, float) for k, v in found.to_arrays().items()}
    again = Distance.from_arrays(arrays, p, 2)
    assert again.scores(X).tolist() == found.scores(X).tolist()
    for name, array in arrays.items():
        for wrong in (array[None], array.astype(int), np.full_like(array, np.nan), array[:0]):
            with pytest.raises(ModelError) as error:
                Distance.from_arrays({**arrays, name: wrong}, p, 2)
            assert "\n" not in str(error.value)
        with pytest.raises(ModelError):
            Distance.from_arrays({k: v for k, v in arrays.items() if k != name}, p, 2)
    for name in ("scale", "spread", "rest"):
        with pytest.raises(ModelError, match="distance"):
            Distance.from_arrays({**arrays, name: -arrays[name]}, p, 2)
    with pytest.raises(ModelError):
        Distance.from_arrays(arrays, p, 1)
    with pytest.raises(ModelError):
        Distance.from_arrays(arrays, p + 1, 2)


@pytest.mark.parametrize(("n", "p"), [(40, 5), (20, 60), (30, 30), (12, 1)])
def test_the_shrinkage_is_scikit_learns(n, p):
    from sklearn.covariance import ledoit_wolf_shrinkage

    rng = np.random.default_rng(n + p)
    left = rng.normal(size=(n, p)) @ np.diag(rng.uniform(0.2, 3, p))
    found = shrinkage_of(left, np.linalg.svd(left, compute_uv=False))
    assert found == pytest.approx(ledoit_wolf_shrinkage(left, assume_centered=True), abs=1e-12)
