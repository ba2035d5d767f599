"""separability: the distance is that of plain definitions, and the selection is repeated."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import wasserstein_distance
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectKBest, SelectorMixin, VarianceThreshold
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis._core.errors import TamisError
from tamis._core.own_code import OwnCodeError
from tamis.kernels.transport import transport_cost
from tamis.selection import FilterSelector, separability
from tamis.selection._separability_result import Separability

FITTED: list[tuple[int, np.ndarray]] = []  # by `Recorder`


class Recorder(SelectorMixin, BaseEstimator):
    """Keeps the first two columns, and records its seed and labels."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.kept = np.arange(X.shape[1]) < 2
        FITTED.append((self.random_state, y.copy()))
        X[:], y[:] = 0, y[0]  # a selector that spoils what it is given harms nobody
        return self

    def _get_support_mask(self):
        return self.kept


class Failing(Recorder):
    def fit(self, X, y):
        raise ValueError("no luck")


def table(n=30, p=40, shift=0.0, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes if classes > 2 else (np.arange(n) < n * 0.4).astype(int)
    X = rng.normal(size=(n, p))
    X[:, :3] += shift * y[:, None]
    return X, y


def test_one_column_is_the_area_between_the_distribution_functions():
    X, y = table(p=1)
    expected = wasserstein_distance(X[y == 0, 0], X[y == 1, 0]) / np.ptp(X)
    assert separability(X, y).least == pytest.approx(expected, rel=1e-12)
    assert separability(X, y, metric="manhattan").least == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("metric", "name"), [("euclidean", "euclidean"), ("manhattan", "cityblock")]
)
def test_standardised_columns_and_the_largest_distance(metric, name):
    X, y = table(shift=1)
    X[:, 3] = 0.1  # its deviation is rounding
    found = separability(X * 10.0 ** np.arange(40), y, [9, 0, 3, 1, 9], metric=metric)
    Z = (X - X.mean(axis=0))[:, [0, 1, 9]] / X.std(axis=0)[[0, 1, 9]]
    apart = cdist(Z, Z, name)
    D = (apart / apart.max())[np.ix_(y == 0, y == 1)]
    assert found.columns.tolist() == [0, 1, 3, 9]
    assert found.least == pytest.approx(transport_cost(D), rel=1e-9)
    assert not found.selected
    assert found.p_values is found.least_p_value is None


def test_hamming_distance_of_one_column_is_half_of_its_mtd():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, size=(50, 3)).astype(float), rng.integers(0, 2, 50)
    for j in range(3):
        found = separability(X, y, [j], metric="hamming").least
        shares = np.array([[(X[y == c, j] == w).mean() for w in range(4)] for c in (0, 1)])
        assert found == pytest.approx(np.abs(shares[0] - shares[1]).sum() / 2, abs=1e-12)


def test_a_metric_of_ones_own():
    X, y = table()
    half = separability(X, y, metric=lambda A: cdist(A[:, :1], A[:, :1]) / 2 / np.ptp(A[:, 0]))
    assert half.least == pytest.approx(separability(X, y, [0]).least / 2, rel=1e-9)
    assert "distance <lambda>" in half.summary()


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1e9, 1e300])
def test_neither_units_nor_orders_matter(size):
    X, y = table(shift=1)
    one, other = (
        separability(X, y, range(8)),
        separability(X[::-1, ::-1] * size, y[::-1], range(32, 40)),
    )
    assert other.least == pytest.approx(one.least, rel=1e-9)
    np.testing.assert_allclose(other.margin_errors, one.margin_errors, atol=1e-9)
    turned = separability(X, 1 - y, range(8))
    assert turned.least == pytest.approx(one.least, rel=1e-9)


def test_the_selection_is_repeated_on_permuted_labels():
    X, y = table(shift=2)
    labels = np.array(["b", "a"])[y]
    FITTED.clear()
    found = separability(X, labels, select=Recorder(), n_permutations=5, random_state=3)
    seeds, given = zip(*FITTED, strict=True)
    assert len(FITTED) == 6
    assert len(set(seeds)) == 1
    assert (given[0] == labels).all()
    assert len({tuple(one) for one in given}) == 6
    assert all(sorted(one) == sorted(labels) for one in given)
    assert found.least == separability(X, labels, [0, 1]).least
    assert (found.permuted < found.least).all()
    assert found.least_p_value == found.p_values[0] == 1 / 6


def test_permuted_distances_are_those_of_the_whole_procedure():
    X, y = table(p=60)
    select = FilterSelector("welch_t", size=5)
    found = separability(X, y, select=select, n_permutations=4, random_state=8)
    rng = np.random.default_rng(np.random.SeedSequence(8).spawn(2)[0])
    for distance, errors in zip(found.permuted[:, 0], found.permuted_errors, strict=True):
        labels = y[rng.permutation(len(y))]
        kept = FilterSelector("welch_t", size=5).fit(X, labels).get_support()
        alone = separability(X, labels, kept)
        assert distance == alone.least
        assert np.array_equal(errors, alone.margin_errors)
    assert not hasattr(select, "support_")
    more = separability(X, y, select=select, n_permutations=6, random_state=8)
    assert np.array_equal(more.permuted[:4], found.permuted)


def test_several_classes_are_compared_by_pairs():
    X, y = table(n=36, classes=3, shift=2)
    found = separability(X, y, select=FilterSelector(size=3), n_permutations=19, random_state=0)
    assert found.pairs == ((0, 1), (0, 2), (1, 2))
    assert found.least == found.distances.min() == float(found)
    assert found.distances.argmax() == 1  # 0 and 2
    least = found.permuted.min(axis=1)
    assert found.least_p_value == (1 + (least >= found.least).sum()) / 20
    assert found.frame()[["first", "second"]].values.tolist() == [
        ["0", "1"],
        ["0", "2"],
        ["1", "2"],
    ]
    assert "least of all pairs" in found.summary()
    assert "does not say that these two differ" in found.summary()
    assert len(found.margin_frame()) == 30
    charts = found.plot().charts
    assert len(charts) == 3
    nearest = found.frame().sort_values("distance").iloc[0]
    told = f"observed {nearest['distance']:.3f}, p = {nearest['p_value']:.2g}"
    assert told in charts[0]
    ticks = {tuple(re.findall(r'y="210"[^>]*>([^<]+)<', chart)) for chart in charts}
    assert len(ticks) == 1  # of the distances, so that charts can be compared
    assert len(*ticks) > 2


@pytest.mark.parametrize(
    "select",
    [
        SelectKBest(k=4),
        FilterSelector(size=4),
        make_pipeline(StandardScaler(), VarianceThreshold(), SelectKBest(k=4)),
    ],
    ids=lambda select: type(select).__name__,
)
def test_any_selector(select):
    X, y = table(shift=2)
    found = separability(X, y, select=select, n_permutations=3, random_state=0)
    kept = SelectKBest(k=4).fit(X, y).get_support(indices=True)
    assert found.columns.tolist() == kept.tolist()


def test_nothing_selected_is_no_distance():
    X, y = table()
    none = FilterSelector(size=None, max_fdr=1e-9)
    found = separability(X, y, select=none, n_permutations=3, random_state=0)
    assert found.least == 0
    assert found.least_p_value == 1
    assert len(found.columns) == 0
    assert (found.margin_errors == 0.5).all()
    assert separability(np.ones((4, 2)), [0, 0, 1, 1]).least == 0


def test_margins_of_classes_that_are_apart():
    X = np.array([[0.0], [0.0], [3.0], [4.0]])
    found = separability(X, [0, 0, 1, 1], margins=[0.75, 0.8, 1])
    assert found.least == pytest.approx(7 / 8)
    assert found.margin_errors[0].round(9).tolist() == [0, 0.25, 0.25]
    assert found.largest_margins(0.25).tolist() == [1]
    assert found.largest_margins(0)[0] == pytest.approx(7 / 8)
    assert (found.error_bounds <= found.margin_errors + 1e-9).all()
    assert found.guaranteed_errors[0, 0] == 0


def test_words_and_numbers_agree():
    X, y = table(shift=2)
    found = separability(X, y, select=FilterSelector(size=3), n_permutations=19, random_state=0)
    told = json.loads(json.dumps(found.to_dict()))
    pair = told["pairs"][0]
    assert pair["distance"] == told["least"] == found.frame()["distance"][0]
    assert pair["quantiles"] == pytest.approx(np.quantile(found.permuted[:, 0], [0.05, 0.5, 0.95]))
    few = found.margins[np.flatnonzero(found.margin_errors[0] <= 0.05)[-1]]
    most = (found.distances[0] / (1 - 2 * 0.05)).clip(max=1)  # 5 % margin errors on either side
    assert f"    margin {few:g} is possible" in found.summary()
    assert f"with 5% none is above {most:.3f}" in found.summary()
    assert f"{found.least:.3f}; same selection on 19 permuted labels" in found.summary()
    assert "Not compared" not in found.summary()
    margin = found.margin_frame().iloc[4]
    assert margin["permuted_0.5"] == np.median(found.permuted_errors[:, 0, 4])
    assert repr(found) == f"Separability(0 / 1: W1 {found.least:.3f}, p = 0.05)"
    alone = separability(X, y, [0, 1], margins=[])
    assert "Not compared with permuted labels" in alone.summary()
    assert "argin" not in alone.summary()
    assert alone.to_dict()["pairs"][0]["p_value"] is None
    assert alone.frame()["p_value"].isna().all()
    with pytest.raises(TamisError, match="give separability a selector"):
        alone.plot()


def by_hand(**changed):
    """Three classes, four permuted runs, two margins."""
    parts = {
        "classes": ("ill", "well", "other"),
        "counts": (5, 6, 7),
        "pairs": ((0, 1), (0, 2), (1, 2)),
        "columns": np.array([2, 5]),
        "n_features": 1500,
        "metric": "mean of columns",
        "selected": True,
        "distances": np.array([0.5, 0.25, 0.375]),
        "permuted": np.array([[0.5, 0.1, 0.2], [0.6, 0.1, 0.3], [0.1, 0.1, 0.4], [0.1, 0.25, 0.1]]),
        "margins": np.array([0.25, 0.5]),
        "capped": np.array([[0.25, 0.5], [0.125, 0.2], [0.2, 0.3]]),
        "margin_errors": np.array([[0.0, 0.05], [0.25, 0.3], [0.04, 0.2]]),
        "permuted_errors": np.full((4, 3, 2), 0.375),
    }
    return Separability(**(parts | changed))


ALONE = {"selected": False, "permuted": np.zeros((0, 3)), "permuted_errors": np.zeros((0, 3, 2))}


def test_p_values_count_permuted_distances_that_are_as_large():
    found = by_hand()
    assert found.p_values.tolist() == [3 / 5, 2 / 5, 2 / 5]
    assert found.least_p_value == 1 / 5  # the least of each run is 0.1
    assert (float(found), found.nearest) == (0.25, 1)
    assert repr(found) == "Separability(ill / other: W1 0.250, p = 0.2)"
    alone = by_hand(**ALONE)
    assert (alone.p_values, alone.least_p_value) == (None, None)
    assert repr(alone) == "Separability(ill / other: W1 0.250)"
    assert by_hand(permuted=np.full((3, 3), 0.25 - 1e-10)).least_p_value == 1.0  # as good as equal


def test_bounds_of_margins_follow_from_distances():
    found = by_hand()
    np.testing.assert_allclose(found.error_bounds, [[0, 0], [0.25, 0.3], [0.1, 0.2]])
    np.testing.assert_allclose(found.guaranteed_errors, [[0, 0], [0.5, 0.5], [0.3, 0.5]])
    np.testing.assert_allclose(found.largest_margins(0.25), [1.0, 0.5, 0.75])
    np.testing.assert_allclose(found.largest_margins(), np.array([0.5, 0.25, 0.375]) / 0.9)
    for error in (-0.01, 0.5):
        with pytest.raises(TamisError, match=r"give a number from 0 to below 0\.5"):
            found.largest_margins(error)


def test_frames_have_a_row_a_pair_and_margin():
    found = by_hand()
    frame, margins = found.frame(), found.margin_frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == [
        ("ill", "well"),
        ("ill", "other"),
        ("well", "other"),
    ]
    assert frame["n_first"].tolist() == [5, 5, 6]
    assert frame["n_second"].tolist() == [6, 7, 7]
    assert frame["distance"].tolist() == found.distances.tolist()
    assert frame["p_value"].tolist() == found.p_values.tolist()
    for q in (0.05, 0.5, 0.95):
        expected = np.quantile(found.permuted, q, axis=0)
        np.testing.assert_allclose(frame[f"permuted_{q}"], expected)
    assert margins["margin"].tolist() == [0.25, 0.5] * 3
    assert margins["margin_error"].tolist() == found.margin_errors.ravel().tolist()
    assert margins["capped_distance"].tolist() == found.capped.ravel().tolist()
    assert margins["bound"].tolist() == found.error_bounds.ravel().tolist()
    assert margins["guaranteed_at_third"].tolist() == found.guaranteed_errors.ravel().tolist()
    assert margins["permuted_0.5"].tolist() == [0.375] * 6
    alone = by_hand(**ALONE)
    assert alone.frame()[["p_value", "permuted_0.05"]].isna().all().all()
    assert alone.margin_frame()["permuted_0.5"].isna().all()


def test_a_summary_begins_with_the_pair_that_is_nearest():
    found = by_hand()
    assert found.summary().splitlines() == [
        "W1 between classes on 2 of 1,500 columns (mean of columns):",
        "  ill / other (5 and 7 samples): 0.250; same selection on 4 permuted labels: median "
        "0.100, 5% to 95% 0.100 to 0.227; p = 0.4",
        "    margin 0.25 has at least 25.0% margin errors (permuted: median 37.5%); with 5% none "
        "is above 0.278",
        "  well / other (6 and 7 samples): 0.375; same selection on 4 permuted labels: median "
        "0.250, 5% to 95% 0.115 to 0.385; p = 0.4",
        "    margin 0.25 is possible with 4.0% margin errors (permuted: median 37.5%); with 5% "
        "none is above 0.417",
        "  ill / well (5 and 6 samples): 0.500; same selection on 4 permuted labels: median "
        "0.300, 5% to 95% 0.100 to 0.585; p = 0.6",
        "    margin 0.5 is possible with 5.0% margin errors (permuted: median 37.5%); with 5% none "
        "is above 0.556",
        "  least of all pairs: 0.250, p = 0.2",
        "  Every p is of the hypothesis that no class differs from any other: a small one does not "
        "say that these two differ.",
        "  Margins describe these samples, not new ones.",
    ]
    none = {"margins": np.zeros(0), "capped": np.zeros((3, 0)), "margin_errors": np.zeros((3, 0))}
    lines = by_hand(**ALONE | none, n_features=1).summary().splitlines()
    assert lines[:2] == [
        "W1 between classes on 2 of 1 column (mean of columns):",
        "  ill / other (5 and 7 samples): 0.250",
    ]
    assert len(lines) == 5
    assert lines[-1].startswith("  Not compared with permuted labels: W1 is above 0 by chance")


def test_distances_are_drawn_beside_those_of_permuted_labels(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "tamis.plotting.permutations.permutation_histogram", lambda one: drawn.append(one) or "svg"
    )
    found = by_hand()
    assert len(found.plot().charts) == 3
    assert [one["metric"] for one in drawn] == [
        "W₁ between ill and other",
        "W₁ between well and other",
        "W₁ between ill and well",
    ]
    assert {one["domain"] for one in drawn} == {(0.1, 0.6)}
    assert drawn[0]["values"] == [0.1, 0.1, 0.1, 0.25]
    assert (drawn[0]["observed"], drawn[0]["p_value"]) == (0.25, 0.4)
    with pytest.raises(TamisError, match="give separability a selector"):
        by_hand(**ALONE).plot()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metric": "euclid"}, "metric='euclid': did you mean 'euclidean'?"),
        ({"columns": [0, 40]}, "columns=[0, 40]: give a mask of 40 columns, or indices from 0 to"),
        ({"columns": "a"}, "columns='a': give a mask"),
        ({"columns": [0.5]}, "columns=[0.5]: give a mask"),
        ({"columns": [0], "select": FilterSelector()}, "columns and select are both given"),
        ({"select": FilterSelector}, "give a selector with fit and get_support"),
        ({"select": "welch_t"}, "select='welch_t': give a selector"),
        ({"select": LogisticRegression()}, "leave it out"),
        ({"select": Failing()}, "'Failing' could not be fitted (ValueError: no luck)"),
        ({"select": FilterSelector(), "n_permutations": 0}, "n_permutations=0: give a whole"),
        ({"select": FilterSelector(), "random_state": -1}, "random_state=-1: give a whole number"),
        ({"margins": [0.5, 2]}, "margins=2: give a number from 0 to 1"),
        ({"margins": [0.0]}, "margins=0.0: give numbers above 0"),
        ({"margins": 0.5}, "margins=0.5: give numbers above 0"),
        ({"metric": lambda A: A}, "shape (30, 40): it must return"),
        ({"metric": lambda A: np.full((30, 30), 2.0)}, "they must lie from 0 to 1"),
        ({"metric": lambda A: np.full((30, 30), np.nan)}, "they must lie from 0 to 1"),
        ({"metric": lambda A: np.full((30, 30), 0.5)}, "not 0 from a sample to itself"),
        ({"y": np.zeros(30)}, "separability needs at least two classes"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_what_is_refused(changed, message):
    X, y = table()
    with pytest.raises(TamisError) as raised:
        separability(**{"X": X, "y": y, "random_state": 0} | changed)
    assert message in str(raised.value)
    assert isinstance(raised.value, OwnCodeError) == isinstance(
        changed.get("select"), Failing | LogisticRegression
    )


def test_missing_values_and_impossible_errors_are_refused():
    X, y = table()
    X[1, 1] = np.nan
    with pytest.raises(TamisError, match="X has 1 missing or infinite value: impute"):
        separability(X, y)
    X[1, 1] = 0
    with pytest.raises(TamisError, match=r"error=0\.5: give a number from 0 to below 0.5"):
        separability(X, y, [0]).largest_margins(0.5)
