"""How well single columns tell classes apart, against plain references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kruskal
from sklearn.metrics import roc_auc_score

from common.examples import settings
from tamis.data import Dataset
from tamis.data.leak_detection.separation import (
    Separations,
    by_chance,
    by_values,
    class_separations,
    on_open_scale,
    value_codes,
)
from tamis.data.leak_detection.watched import Watched

VALUES = st.sampled_from([0.0, 1.0, 2.0, np.nan])


def data_of(X: np.ndarray, y: np.ndarray, **more) -> Dataset:
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, np.array([f"c{c}" for c in y]), names, **more)


def separations_of(data: Dataset) -> Separations:
    return class_separations(Watched.of(data))


def plain_by_values(values: list[float], y: list[int], n_classes: int) -> float:
    """Each sample by itself: the class whose share of this value is largest among the others."""
    right = np.zeros(n_classes)
    keys = ["none" if v != v else v for v in values]
    for i, key in enumerate(keys):
        shares = []
        for c in range(n_classes):
            others = [k for k in range(len(y)) if k != i and y[k] == c]
            same = sum(keys[k] == key for k in others)
            shares.append(same / max(len(others), 1))
        own = shares.pop(y[i])
        right[y[i]] += own > max(shares)
    rate = np.mean([right[c] / y.count(c) for c in range(n_classes)])
    return max((rate * n_classes - 1) / (n_classes - 1), 0.0)


@settings(max_examples=60, deadline=None)
@given(arrays(float, (14, 2), elements=VALUES), st.integers(2, 3), st.randoms())
def test_values_decide_as_the_plain_loop_has_it(X, n_classes, chance):
    y = [k % n_classes for k in range(14)]
    chance.shuffle(y)
    found = by_values(X, np.array(y), n_classes)
    for j in range(2):
        assert found[j] == pytest.approx(plain_by_values(X[:, j].tolist(), y, n_classes))


def test_two_classes_are_separated_as_the_area_says():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = np.column_stack([rng.normal(size=60) + shift * y for shift in (0, 1, -2, 30)])
    X = np.column_stack([X, np.round(X[:, 1] * 20)])  # with ties
    areas = np.array([roc_auc_score(y, x) for x in X.T])
    np.testing.assert_allclose(
        separations_of(data_of(X, y)).found, np.abs(2 * areas - 1), atol=1e-12
    )


def test_several_classes_are_separated_as_kruskal_and_wallis_have_it():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 80)
    X = rng.normal(size=(80, 5)) + np.outer(y % 3, [0, 0.5, 1, 2, 50])
    found, n, sizes = separations_of(data_of(X, y)).found, 80, np.bincount(y).astype(float)
    most = (n**3 - n - (sizes**3 - sizes).sum()) / (n**3 - n)
    for j in range(5):
        h, p = kruskal(*(X[y == c, j] for c in range(4)))
        assert found[j] ** 2 == pytest.approx(h / (n - 1) / most)
        assert by_chance(found[j], sizes) == pytest.approx(p)
    blocks = np.choose(y, [5.0, -1.0, 9.0, 0.0]) + rng.random(80)
    assert separations_of(data_of(blocks[:, None], y)).found[0] == pytest.approx(1.0)


def test_gaps_are_left_out_unless_a_class_has_hardly_a_value():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 30)
    x = rng.normal(size=60) + 2 * y
    lost = x.copy()
    lost[::5] = np.nan
    there = ~np.isnan(lost)
    whole = data_of(lost[:, None], y)
    alone = data_of(x[there, None], y[there])
    assert separations_of(whole).found[0] == pytest.approx(separations_of(alone).found[0])
    lost[2:30] = np.nan
    assert separations_of(data_of(lost[:, None], y)).found[0] == 0.0


def test_categories_count_by_their_values_alone():
    y = np.repeat([0, 1], 10)
    codes = np.where(y == 1, np.arange(20) % 2, 2 + np.arange(20) % 3).astype(float)[:, None]
    mixed = np.array([1, 3, 0, 2, 4])[codes.astype(int)].astype(float)
    levels = {0: tuple("abcde")}
    assert separations_of(data_of(codes, y, levels=levels)).found[0] == pytest.approx(1.0)
    assert separations_of(data_of(mixed, y, levels=levels)).found[0] == pytest.approx(1.0)
    different = data_of(np.arange(20.0)[:, None], y, levels={0: tuple(map(str, range(20)))})
    assert separations_of(different).found[0] == 0.0


def test_columns_of_few_values_are_found():
    rng = np.random.default_rng(3)
    X = np.column_stack(
        [
            rng.integers(0, 3, 200),
            rng.normal(size=200),
            np.r_[np.zeros(70), rng.normal(size=130)],
            np.full(200, np.nan),
        ]
    )
    table = Watched.of(data_of(X, np.arange(200) % 2))
    assert table.few_valued.tolist() == [0, 3]
    assert value_codes(X[:, [0]]).max() == 2


def test_more_samples_prove_more():
    perfect = np.array(1.0)
    few, many = (float(on_open_scale(perfect, np.array([n, n]))) for n in (5, 500))
    assert 1.5 < few < many == pytest.approx(np.arctanh(0.995))
