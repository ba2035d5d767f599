"""C45Classifier: the tree in words, categories, missing values, weights, errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError, PlanError
from tamis.classifiers import C45Classifier, Rule

GOLF = """
sunny 75 70 yes play|sunny 80 90 yes no|sunny 85 85 no no|sunny 72 95 no no|sunny 69 70 no play
overcast 72 90 yes play|overcast 83 78 no play|overcast 64 65 yes play|overcast 81 75 no play
rain 71 80 yes no|rain 65 70 yes no|rain 75 80 no play|rain 68 80 no play|rain 70 96 no play
"""

GOLF_TREE = """\
outlook = sunny
|   humidity <= 75: play (2.0)
|   humidity > 75: no (3.0)
outlook = overcast: play (4.0)
outlook = rain
|   windy = no: play (3.0)
|   windy = yes: no (2.0)
outlook = snow: play (0.0)"""


def golf():
    """Quinlan's training set (C4.5, table 2.1), with a level of outlook that never occurs."""
    rows = [row.split() for row in GOLF.replace("\n", "|").split("|") if row]
    table = pd.DataFrame(rows, columns=["outlook", "temperature", "humidity", "windy", "class"])
    levels = ["sunny", "overcast", "rain", "snow"]
    table["outlook"] = pd.Categorical(table["outlook"], categories=levels)
    table["windy"] = pd.Categorical(table["windy"])
    y = table.pop("class")
    return table.astype({"temperature": float, "humidity": float}), y


def noisy(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 6))
    X[:, 1] += y
    X[:, 4] += 0.7 * y
    return X, y


def fitted(**parameters):
    X, y = golf()
    return C45Classifier(categorical_features="from_dtype", **parameters).fit(X, y), X, y


def test_quinlans_tree():
    """C4.5, figure 2.1, in the words of Weka."""
    model, X, y = fitted()
    assert model.tree_text() == GOLF_TREE
    assert (model.n_nodes_, model.n_leaves_) == (9, 6)
    assert (model.predict(X) == y).all()


def test_rules_say_what_the_tree_says():
    model, _, _ = fitted()
    rules = model.rules()
    assert [str(rule) for rule in rules] == [
        "IF outlook = sunny AND humidity <= 75 THEN play (2.0)",
        "IF outlook = sunny AND humidity > 75 THEN no (3.0)",
        "IF outlook = overcast THEN play (4.0)",
        "IF outlook = rain AND windy = no THEN play (3.0)",
        "IF outlook = rain AND windy = yes THEN no (2.0)",
    ]
    assert rules[0] == Rule((("outlook", "=", "sunny"), ("humidity", "<=", 75.0)), "play", 2.0, 2.0)


def test_rules_cover_each_sample_once_and_count_right():
    X, y = noisy()
    model = C45Classifier(prune=False).fit(X, y)
    rules, predicted = model.rules(), model.predict(X)
    assert len(rules) == model.n_leaves_ > 10
    covered = np.zeros(len(y), dtype=int)
    for rule in rules:
        meets = np.ones(len(y), dtype=bool)
        sides = [(name, op) for name, op, _ in rule.conditions]
        assert len(set(sides)) == len(sides)
        for name, op, value in rule.conditions:
            column = X[:, int(name[1:])]
            meets &= column <= value if op == "<=" else column > value
        assert rule.support == meets.sum()
        assert rule.correct == (y[meets] == rule.label).sum()
        assert (predicted[meets] == rule.label).all()
        covered += meets
    assert (covered == 1).all()


def test_a_tree_of_one_leaf():
    X, y = noisy(20)
    model = C45Classifier(min_samples_leaf=20).fit(X, y)
    counts = np.bincount(y)
    assert model.tree_text() == f": {counts.argmax()} (20.0/{float(counts.min())})"
    assert str(model.rules()[0]).startswith("IF true THEN")
    assert model.feature_importances_.tolist() == [0.0] * 6
    np.testing.assert_allclose(model.predict_proba(X), np.tile(counts / 20, (20, 1)))


def test_one_class():
    X, _ = noisy(10)
    model = C45Classifier().fit(X, np.zeros(10))
    assert model.predict_proba(X).tolist() == [[1.0]] * 10


def test_unknown_and_missing_categories_go_down_every_branch():
    model, X, _ = fitted()
    row = X.iloc[[0]].copy()
    row["outlook"] = pd.Categorical(["hail"], categories=["hail", "sunny"])
    row["humidity"] = 70.0
    # sunny and humidity <= 75: play; overcast: play; rain and windy: no
    expected = np.array([[5 / 14, 9 / 14]])
    np.testing.assert_allclose(model.predict_proba(row), expected)
    row["outlook"] = pd.Categorical([None], categories=["sunny"])
    np.testing.assert_allclose(model.predict_proba(row), expected)
    row["humidity"] = np.nan
    expected = np.array([[5 / 14 * 3 / 5 + 5 / 14, 5 / 14 * 2 / 5 + 4 / 14]])
    np.testing.assert_allclose(model.predict_proba(row), expected)


def test_a_branch_that_nobody_took_has_its_parents_distribution():
    model, X, _ = fitted()
    row = X.iloc[[0]].copy()
    row["outlook"] = pd.Categorical(["snow"])
    np.testing.assert_allclose(model.predict_proba(row), [[5 / 14, 9 / 14]])
    laplace, _, _ = fitted(laplace=True)
    np.testing.assert_allclose(laplace.predict_proba(row), [[6 / 16, 10 / 16]])


def test_categories_by_name_number_mask_and_type_are_the_same():
    X, y = golf()
    codes = X.apply(lambda c: c.cat.codes if c.dtype == "category" else c).astype(float)
    text = X.astype({"outlook": str, "windy": object})
    reference = C45Classifier(categorical_features=["outlook", "windy"]).fit(X, y)
    same = [
        (C45Classifier(categorical_features=[0, 3]), X),
        (C45Classifier(categorical_features=[0, -1]), text),
        (C45Classifier(categorical_features=[True, False, False, True]), codes.to_numpy()),
        (C45Classifier(categorical_features=np.array([0, 3])), codes.to_numpy()),
        (C45Classifier(categorical_features="from_dtype"), text),
    ]
    for model, table in same:
        model.fit(table, y)
        assert model.feature_[0] == 0
        assert set(model.feature_) == set(reference.feature_) == {-1, 0, 2, 3}
        np.testing.assert_array_equal(model.predict_proba(table), reference.predict_proba(X))
    lines = same[2][0].tree_text().split("\n")
    assert lines[0] == "x0 = 0"


def test_the_order_of_the_categories_may_change_between_fit_and_predict():
    model, X, y = fitted()
    other = X.copy()
    other["outlook"] = other["outlook"].cat.reorder_categories(
        ["snow", "rain", "sunny", "overcast"]
    )
    assert (model.predict(other) == y).all()


def test_missing_numbers_are_shared_out():
    X, y = noisy()
    X[::7, 1] = np.nan
    model = C45Classifier().fit(X, y)
    assert model.feature_[0] == 1
    np.testing.assert_allclose(model.counts_[1:3].sum(axis=0), model.counts_[0])
    assert model.counts_[1].sum() % 1 != 0  # fractions of samples
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_weights_are_repeated_samples_and_zero_is_none():
    X, y = noisy(80)
    times = np.random.default_rng(1).integers(0, 4, 80)
    weighted = C45Classifier().fit(X, y, sample_weight=times)
    repeated = C45Classifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighted.tree_text() == repeated.tree_text()
    assert weighted.n_nodes_ > 3


def test_c44_keeps_the_tree_and_smooths():
    X, y = noisy()
    c44 = C45Classifier(prune=False, collapse=False, laplace=True).fit(X, y)
    raw = C45Classifier(prune=False, collapse=False).fit(X, y)
    pruned = C45Classifier().fit(X, y)
    assert c44.n_nodes_ == raw.n_nodes_ > pruned.n_nodes_
    leaf = raw.feature_ < 0
    ours = c44.predict_proba(X)
    assert ours.min() > 0
    for probability in np.unique(ours[:, 0]):
        n0, n = raw.counts_[leaf, 0], raw.counts_[leaf].sum(axis=1)
        assert np.isclose((n0 + 1) / (n + 2), probability).any()


@pytest.mark.parametrize("n_features", [6, 1])
def test_less_confidence_prunes_more(n_features):
    X, y = noisy(400)
    sizes = [
        C45Classifier(confidence=c).fit(X[:, :n_features], y).n_nodes_ for c in (0.01, 0.25, 0.5)
    ]
    assert sizes == sorted(sizes)


def test_importances_are_gain_ratios_by_weight():
    X, y = noisy()
    model = C45Classifier().fit(X, y)
    total = np.zeros(6)
    for v in np.flatnonzero(model.feature_ >= 0):
        total[model.feature_[v]] += model.gain_ratio_[v] * model.counts_[v].sum() / len(y)
    np.testing.assert_allclose(model.feature_importances_, total / total.sum())
    assert model.feature_importances_.argmax() == 1
    assert (model.gain_ratio_[model.feature_ < 0] == 0).all()  # leaves


def test_small_thresholds_are_printed_in_full():
    X = np.repeat([0.00012345678, 0.5], 10)[:, None]
    model = C45Classifier().fit(X, np.repeat([0, 1], 10))
    assert model.tree_text().startswith("x0 <= 0.000123457: 0 (10.0)")


def test_a_saved_model_is_the_same():
    import skops.io

    model, X, _ = fitted()
    saved = skops.io.dumps(model)
    unknown = skops.io.get_untrusted_types(data=saved)
    assert unknown == ["tamis.classifiers.c45.classifier.C45Classifier"]
    again = skops.io.loads(saved, trusted=unknown)
    assert again.tree_text() == model.tree_text()
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prune": 1}, "prune=1: give True or False"),
        ({"laplace": "yes"}, "laplace='yes': give True or False"),
        ({"confidence": 0.0}, "confidence=0.0: give a number above 0 and at most 0.5"),
        ({"confidence": "low"}, "confidence='low': give a number"),
        ({"confidence": 0.6}, "confidence=0.6: give a number"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0: give a number of at least 1"),
        ({"min_samples_leaf": np.nan}, "min_samples_leaf=nan: give a number"),
        ({"categorical_features": "all"}, "categorical_features='all': give None, 'from_dtype'"),
        ({"categorical_features": "from_dtype"}, "'from_dtype' needs a data frame"),
        ({"categorical_features": [9]}, "categorical_features 9: X has columns 0 to 5"),
        ({"categorical_features": ["a"]}, "categorical_features 'a': X has no names"),
        ({"categorical_features": [True]}, "a mask of 6 booleans"),
    ],
)
def test_parameters_out_of_range(parameters, message):
    with pytest.raises(PlanError) as error:
        C45Classifier(**parameters).fit(*noisy(30))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_input_that_cannot_be_used():
    X, y = golf()
    with pytest.raises(DataError, match="column 'outlook' holds values that are not numbers"):
        C45Classifier().fit(X, y)
    with pytest.raises(PlanError, match="'windi' is not a column: did you mean 'windy'"):
        C45Classifier(categorical_features=["windi"]).fit(X, y)
    with pytest.raises(DataError, match="sample_weight of shape"):
        C45Classifier().fit(*noisy(30), sample_weight=-np.ones(30))
    with pytest.raises(DataError, match="zero in every row"):
        C45Classifier().fit(*noisy(30), sample_weight=np.zeros(30))
    model, X, _ = fitted()
    with (
        pytest.warns(UserWarning, match="valid feature names"),
        pytest.raises(DataError, match="has the categories 'sunny'"),
    ):
        model.predict(np.ones((1, 4)))
    mixed = pd.DataFrame({"a": [1, "x", None] * 5})
    with pytest.raises(DataError, match="column 'a' mixes kinds of categories"):
        C45Classifier(categorical_features=["a"]).fit(mixed, np.arange(15) % 2)


def test_the_middle_of_two_huge_values_is_between_them():
    X = np.array([[1.2e308], [1.3e308], [1.6e308], [1.7e308]])
    model = C45Classifier().fit(X, [0, 0, 1, 1])
    assert model.predict(X).tolist() == [0, 0, 1, 1]
