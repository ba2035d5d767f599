"""The discretisers against slow searches in exact arithmetic, published examples, manners."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from common.examples import settings
from data.slow_discretizers import (
    ameva,
    caim,
    midpoints,
    slow_chi_square,
    slow_chimerge,
    slow_mdl,
    slow_top_down,
    table_of,
)
from tamis._core.errors import TamisError
from tamis.data import (
    AmevaDiscretizer,
    CAIMDiscretizer,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
)
from tamis.kernels.cuts import CHI2_GRID, _chi_square, cut_midpoint

SUPERVISED = [MDLDiscretizer, AmevaDiscretizer, CAIMDiscretizer, ChiMergeDiscretizer]
EVERY = [*SUPERVISED, EqualWidthDiscretizer, EqualFrequencyDiscretizer]
every = pytest.mark.parametrize("kind", EVERY)
supervised = pytest.mark.parametrize("kind", SUPERVISED)


columns_and_classes = (
    st.integers(2, 4)
    .flatmap(
        lambda n_classes: st.lists(
            st.tuples(st.integers(0, 12), st.integers(0, n_classes - 1)), min_size=2, max_size=28
        )
    )
    .filter(lambda rows: len({c for _, c in rows}) > 1)
)


def fitted_cuts(estimator, rows):
    x = np.array([[v / 4.0] for v, _ in rows])
    return estimator.fit(x, [c for _, c in rows]).cuts_[0].tolist()


def split_rows(rows):
    return [v / 4.0 for v, _ in rows], [c for _, c in rows]


@settings(max_examples=150, deadline=None)
@given(columns_and_classes, st.integers(1, 5))
def test_mdl_equals_the_slow_search(rows, copies):
    rows = rows * copies  # small sets have few accepted cuts
    assert fitted_cuts(MDLDiscretizer(), rows) == slow_mdl(*split_rows(rows))


@settings(max_examples=150, deadline=None)
@given(columns_and_classes)
def test_caim_equals_the_slow_search(rows):
    x, y = split_rows(rows)
    assert fitted_cuts(CAIMDiscretizer(), rows) == slow_top_down(x, y, caim, len(set(y)))


@settings(max_examples=150, deadline=None)
@given(columns_and_classes)
def test_ameva_equals_the_slow_search(rows):
    x, y = split_rows(rows)
    assert fitted_cuts(AmevaDiscretizer(), rows) == slow_top_down(x, y, ameva, 0)


@settings(max_examples=150, deadline=None)
@given(columns_and_classes, st.sampled_from([0.5, 0.1, 0.05, 0.01]))
def test_chimerge_equals_the_slow_search(rows, alpha):
    x, y = split_rows(rows)
    assert fitted_cuts(ChiMergeDiscretizer(alpha), rows) == slow_chimerge(x, y, alpha)


@pytest.mark.parametrize("seed", range(4))
def test_longer_columns_equal_the_slow_searches(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 90)
    x = np.round(y * (seed % 3) + rng.normal(size=90), 1)
    rows = list(zip((4 * x).tolist(), y.tolist(), strict=True))
    xs, ys = split_rows(rows)
    slow = {
        MDLDiscretizer: slow_mdl(xs, ys),
        AmevaDiscretizer: slow_top_down(xs, ys, ameva, 0),
        CAIMDiscretizer: slow_top_down(xs, ys, caim, 3),
        ChiMergeDiscretizer: slow_chimerge(xs, ys, 0.05),
    }
    for kind, expected in slow.items():
        assert fitted_cuts(kind(), rows) == expected, kind


def test_equal_chi_squares_are_equal_to_the_bit():
    """Classes in any order and rows exchanged: the sum is the same, so a tie stays a tie."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        a, b = rng.integers(0, 30, (2, 5))
        a[0] += 1
        b[1] += 1
        table, sizes = np.array([a, b]), np.array([a.sum(), b.sum()])
        units = _chi_square(table, sizes, 0, 1)
        shuffled = table[:, rng.permutation(5)]
        assert units == _chi_square(shuffled, sizes, 0, 1) == _chi_square(table, sizes, 1, 0)
        exact = slow_chi_square(a.tolist(), b.tolist())
        assert abs(units / CHI2_GRID - float(exact)) < 1e-9


# Published examples, on the iris data


def test_kerbers_table_of_sepal_length():
    """The two tables of Kerber (1992): thresholds 4.6 (.90 level) and 1.4 (.50 level)."""
    X, y = load_iris(return_X_y=True)
    published = {
        0.1: {
            4.3: (45, 6, 1),
            5.5: (4, 15, 2),
            5.8: (1, 15, 10),
            6.3: (0, 14, 25),
            7.1: (0, 0, 12),
        },
        0.5: {
            4.3: (16, 0, 0),
            4.9: (4, 1, 1),
            5.0: (25, 5, 0),
            5.5: (2, 5, 0),
            5.6: (0, 5, 1),
            5.7: (2, 5, 1),
            5.8: (1, 3, 3),
            5.9: (0, 12, 7),
            6.3: (0, 6, 15),
            6.6: (0, 2, 0),
            6.7: (0, 5, 10),
            7.0: (0, 1, 0),
            7.1: (0, 0, 12),
        },
    }
    for alpha, table in published.items():
        codes = ChiMergeDiscretizer(alpha).fit(X, y).transform(X)[:, 0]
        found = {
            X[codes == k, 0].min(): tuple(np.bincount(y[codes == k], minlength=3).tolist())
            for k in np.unique(codes)
        }
        assert found == table


def test_caim_of_iris_as_the_peer_caimcaim_has_it():
    """PyPI's caimcaim 0.3: the last value of the first two intervals, and CAIM."""
    X, y = load_iris(return_X_y=True)
    fitted = CAIMDiscretizer().fit(X, y)
    peer = [[5.5, 6.2], [2.9, 3.0], [1.9, 4.7], [0.6, 1.7]]
    values = [26.636271740334553, 17.382507167267576, 45.55892255892255, 46.16156736446592]
    for j in range(4):
        cuts = fitted.cuts_[j]
        assert [X[X[:, j] <= cut, j].max() for cut in cuts] == peer[j]
        reached = caim(table_of(X[:, j].tolist(), y.tolist(), cuts.tolist()))
        np.testing.assert_allclose(float(reached), values[j], rtol=1e-14)


# What all of them keep


def small_table(seed=0, n=90):
    rng = np.random.default_rng(seed)
    y = np.array(["u", "v", "w"])[np.arange(n) % 3]
    X = rng.normal(size=(n, 5))
    X[:, 0] += 3 * (y == "u")
    X[:, 1] = np.round(X[:, 1] + 2 * (y == "v"))
    X[:, 3] = 2.0
    return X, y


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@every
def test_check_estimator(kind):
    results = check_estimator(kind(), on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 40


@every
def test_codes_intervals_and_labels_agree(kind):
    X, y = small_table()
    fitted = kind().fit(X, y)
    codes = fitted.transform(X)
    assert codes.dtype == np.float64
    assert len(fitted.cuts_) == 5
    assert len(fitted.cuts_[0]) > 0
    assert fitted.cuts_[3].tolist() == []
    assert fitted.labels_[3] == ("(-inf, inf)",)
    for j, cuts in enumerate(fitted.cuts_):
        assert (np.diff(cuts) > 0).all()
        edges = np.array([-np.inf, *cuts, np.inf])
        at = codes[:, j].astype(int)
        assert ((edges[at] < X[:, j]) & (X[:, j] <= edges[at + 1])).all()
        assert set(at) <= set(range(len(cuts) + 1))
        if kind is not EqualWidthDiscretizer:  # no interval of the others is empty
            assert set(at) == set(range(len(cuts) + 1))
        assert fitted.inverse_labels(j) == fitted.labels_[j]
        assert len(fitted.labels_[j]) == len(cuts) + 1
        words = fitted.inverse_transform(codes)[:, j]
        assert words.tolist() == [fitted.labels_[j][k] for k in at]


@every
def test_missing_values_are_skipped_and_kept(kind):
    X, y = small_table(1)
    holes = X.copy()
    holes[:30, 0] = np.nan
    holes[:, 4] = np.nan
    fitted = kind().fit(holes, y)
    alone = kind().fit(X[30:, :1], y[30:])
    assert np.array_equal(fitted.cuts_[0], alone.cuts_[0])
    assert fitted.cuts_[4].tolist() == []
    codes = fitted.transform(holes)
    assert np.array_equal(np.isnan(codes), np.isnan(holes))
    words = fitted.inverse_transform(codes)
    assert np.array_equal(pd.isna(words), np.isnan(holes))


@supervised
def test_a_feature_known_in_one_class_only_is_not_cut(kind):
    X, y = small_table(2)
    X[y != "u", 2] = np.nan
    assert kind().fit(X, y).cuts_[2].tolist() == []


@every
def test_values_beyond_the_training_range(kind):
    X, y = small_table()
    fitted = kind().fit(X, y)
    last = [float(len(cuts)) for cuts in fitted.cuts_]
    assert fitted.transform(np.full((1, 5), 1e300)).tolist() == [last]
    assert fitted.transform(np.full((1, 5), -1e300)).tolist() == [[0.0] * 5]


@every
def test_the_order_of_rows_and_the_unit_do_not_matter(kind):
    X, y = small_table(3)
    rows = np.random.default_rng(0).permutation(len(X))
    one, other = kind().fit(X, y), kind().fit(X[rows], y[rows])
    assert all(map(np.array_equal, one.cuts_, other.cuts_))
    doubled = kind().fit(X * 2.0, y)  # exact in floating point
    assert all(np.array_equal(2 * a, b) for a, b in zip(one.cuts_, doubled.cuts_, strict=True))


@supervised
def test_names_of_the_classes_do_not_matter(kind):
    """Sums over the classes then run in another order: ties must not be broken by rounding."""
    rng = np.random.default_rng(4)
    X, y = np.round(4 * rng.normal(size=(70, 1500))), rng.integers(0, 5, 70)
    one, other = kind().fit(X, y), kind().fit(X, np.array([3, 0, 4, 1, 2])[y])
    assert all(map(np.array_equal, one.cuts_, other.cuts_))


@every
@pytest.mark.parametrize("given", [[1, -2], ["b", "d"], [False, True, False, True, False]])
def test_categorical_columns_pass_through(kind, given):
    X, y = small_table(5)
    X[0, 1] = np.nan
    frame = pd.DataFrame(X, columns=list("abcde"))
    fitted = kind(categorical_features=given).fit(frame, y)
    assert fitted.is_categorical_.tolist() == [False, True, False, True, False]
    codes = fitted.transform(frame)
    np.testing.assert_array_equal(codes[:, [1, 3]], X[:, [1, 3]])
    words = fitted.inverse_transform(pd.DataFrame(codes, columns=frame.columns))
    np.testing.assert_array_equal(words[:, [1, 3]].astype(float), X[:, [1, 3]])
    assert fitted.labels_[1] == ()
    assert len(fitted.cuts_[0]) > 0
    with pytest.raises(TamisError, match="categorical"):
        fitted.inverse_labels("b")


@every
def test_pandas_output_and_names(kind):
    X, y = small_table()
    frame = pd.DataFrame(X, columns=list("abcde"), index=range(7, 97))
    fitted = kind().set_output(transform="pandas").fit(frame, y)
    out = fitted.transform(frame)
    assert list(out.columns) == list("abcde") == fitted.get_feature_names_out().tolist()
    assert out.index.equals(frame.index)
    assert np.array_equal(out.to_numpy(), clone(kind()).fit(X, y).transform(X))
    assert fitted.inverse_labels("a") == fitted.inverse_labels(0)


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (ChiMergeDiscretizer(alpha=0), "alpha=0: give a number between 0 and 1"),
        (ChiMergeDiscretizer(alpha="x"), "alpha='x'"),
        (EqualWidthDiscretizer(0), "n_bins=0: give 'cube_root' or a whole number"),
        (EqualFrequencyDiscretizer("sqrt"), "n_bins='sqrt'"),
        (EqualFrequencyDiscretizer(True), "n_bins=True"),
        (MDLDiscretizer([5]), "categorical_features 5: X has columns 0 to 4"),
        (MDLDiscretizer(["a"]), "categorical_features 'a': X has no names; give numbers"),
        (MDLDiscretizer(True), "categorical_features=True: give None, 'from_dtype', a mask"),
        (MDLDiscretizer("from_dtype"), "'from_dtype' needs a data frame"),
        (MDLDiscretizer([True]), "mask of 5 booleans"),
    ],
)
def test_bad_parameters(estimator, words):
    X, y = small_table()
    with pytest.raises(TamisError, match=words) as caught:
        estimator.fit(X, y)
    assert "\n" not in str(caught.value)


@supervised
def test_one_class_is_refused(kind):
    X, _ = small_table()
    with pytest.raises(TamisError, match="only one class: 'a'"):
        kind().fit(X, ["a"] * len(X))


def test_wrong_codes_and_names_are_refused():
    X, y = small_table()
    fitted = MDLDiscretizer().fit(pd.DataFrame(X, columns=list("abcde")), y)
    with pytest.raises(TamisError, match="'weight' is not a column: choose from"):
        fitted.inverse_labels("weight")
    with pytest.raises(TamisError, match="columns 0 to 4"):
        fitted.inverse_labels(5)
    plain = MDLDiscretizer().fit(X, y)
    for wrong in (-1.0, 0.5, 40.0):
        with pytest.raises(TamisError, match="column 0 holds"):
            plain.inverse_transform(np.full((1, 5), wrong))


def test_labels_stay_apart():
    fitted = EqualWidthDiscretizer(3).fit([[1.0], [1.0 + 3e-13]])
    assert len(set(fitted.labels_[0])) == 3
    assert EqualWidthDiscretizer(2).fit([[6.0], [7.0]]).labels_[0] == ("(-inf, 6.5]", "(6.5, inf)")


@every
def test_neighbouring_and_huge_numbers(kind):
    top = np.finfo(float).max
    for low, high in ((1.0, np.nextafter(1.0, 2)), (-top, top), (top / 2, top), (0.0, 5e-324)):
        x = np.repeat([low, high], 20)[:, None]
        y = np.repeat([0, 1], 20)
        estimator = kind(n_bins=2) if "n_bins" in kind().get_params() else kind()
        fitted = estimator.fit(x, y)
        assert fitted.transform(x).ravel().tolist() == y.tolist()
        assert np.isfinite(fitted.cuts_[0]).all()


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite)
def test_midpoint_separates(a, b):
    low, high = min(a, b), max(a, b)
    if low < high:
        assert low <= cut_midpoint(low, high) < high


@pytest.mark.parametrize(("n", "bins"), [(8, 2), (9, 3), (27, 3), (28, 4), (1000, 10), (1001, 11)])
def test_the_cube_root_of_the_known_values(n, bins):
    X = np.linspace(0, 1, n)[:, None]
    X = np.vstack([X, [[np.nan]] * 50])
    for kind in (EqualWidthDiscretizer, EqualFrequencyDiscretizer):
        assert len(kind("cube_root").fit(X).cuts_[0]) == bins - 1
    assert len(EqualWidthDiscretizer().fit(X).cuts_[0]) == bins - 1
    assert len(EqualFrequencyDiscretizer().fit(X).cuts_[0]) == 2


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 15), min_size=1, max_size=40), st.integers(1, 9))
def test_equal_frequency_takes_the_nearest_cut(values, bins):
    x = sorted(v / 2.0 for v in values)
    expected = set()
    for i in range(1, bins):
        share = Fraction(i * len(x), bins)
        distance = {c: abs(sum(v < c for v in x) - share) for c in midpoints(x)}
        if distance:
            expected.add(min(distance, key=lambda c: (distance[c], c)))
    fitted = EqualFrequencyDiscretizer(bins).fit(np.array(x)[:, None])
    assert fitted.cuts_[0].tolist() == sorted(expected)


def test_equal_frequency_without_ties_is_balanced():
    X = np.random.default_rng(0).normal(size=(103, 4))
    codes = EqualFrequencyDiscretizer(10).fit_transform(X)
    for j in range(4):
        counts = np.bincount(codes[:, j].astype(int))
        assert len(counts) == 10
        assert set(counts) <= {10, 11}


def test_equal_width():
    X = np.array([[0.0, 5.0], [10.0, 5.0], [3.0, 5.0]])
    fitted = EqualWidthDiscretizer(4).fit(X)
    np.testing.assert_allclose(fitted.cuts_[0], [2.5, 5.0, 7.5], rtol=1e-15)
    assert fitted.transform(X)[:, 0].tolist() == [0.0, 3.0, 1.0]


def test_in_a_pipeline():
    X, y = small_table()
    model = make_pipeline(CAIMDiscretizer(), DecisionTreeClassifier(random_state=0)).fit(X, y)
    assert model.score(X, y) > 0.7


def test_mdl_keeps_noise_whole():
    """Ameva, CAIM and ChiMerge cut noise, MDL hardly ever: the gain must pay for the cut."""
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(200, 300)), np.arange(200) % 2
    cut = {kind: np.mean([len(c) > 0 for c in kind().fit(X, y).cuts_]) for kind in SUPERVISED}
    assert cut[MDLDiscretizer] < 0.05
    assert cut[AmevaDiscretizer] == cut[CAIMDiscretizer] == 1
