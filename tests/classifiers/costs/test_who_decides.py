"""Nobody counts a cost twice, and all who count it once agree where the border goes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from classifiers.costs.cost_problems import (
    ALARM,
    COSTS,
    MISS,
    Knowing,
    best_boundary,
    gaussian,
    least_loss,
    levels,
    true_proba,
)
from common.examples import settings
from common.null_studies import at_chance
from tamis.classifiers import (
    CostingClassifier,
    CostMatrix,
    CostResampledClassifier,
    CostWeightedClassifier,
    DataSpaceExpansionClassifier,
    MetaCostClassifier,
    MinimumRiskClassifier,
)
from tamis.metrics import balanced_classification_rate

TREE = DecisionTreeClassifier(random_state=0)
quick = settings(max_examples=25, deadline=None)


@st.composite
def whole_costs(draw, C):
    """Errors cost whole numbers, so that copies of rows are exact."""
    cells = draw(st.lists(st.integers(1, 6), min_size=C * C, max_size=C * C))
    return np.array(cells, dtype=float).reshape(C, C) * (1 - np.eye(C))


def untied(model, X):
    """Rows at which no two classes cost the same."""
    risks = np.sort(model.expected_costs(X), axis=1)
    return risks[:, 1] - risks[:, 0] > 1e-9


def test_true_probabilities_reach_the_least_loss():
    X, y = gaussian(200_000)
    found = MinimumRiskClassifier(Knowing(), COSTS).fit(X, y).predict(X)
    loss = COSTS[found, y]
    assert abs(loss.mean() - least_loss()) < 4 * loss.std() / np.sqrt(len(y))
    at_half = COSTS[true_proba(X).argmax(axis=1), y]
    assert at_half.mean() > 1.5 * least_loss()


@quick
@given(whole_costs(2), st.integers(0, 3))
def test_with_exact_probabilities_all_decide_alike(costs, seed):
    """A full tree knows the class shares at every value, weighted or not."""
    X, y = levels(seed=seed)
    plain = TREE.fit(X, y).predict_proba(X)
    risk = MinimumRiskClassifier(TREE, costs).fit(X, y)
    sure = untied(risk, X)
    expected = risk.predict(X)[sure]
    weighted = CostWeightedClassifier(TREE, costs)
    for model in (
        weighted,
        CostResampledClassifier(TREE, costs, random_state=0),
        DataSpaceExpansionClassifier(TREE, costs),
    ):
        model.fit(X, y)
        np.testing.assert_array_equal(model.predict(X)[sure], expected)
        if not isinstance(model, CostResampledClassifier):  # whose sizes are rounded
            np.testing.assert_allclose(model.predict_proba(X), plain, atol=1e-12)
        np.testing.assert_array_equal((model.decision_function(X) > 0)[sure], expected == 1)
    both = MinimumRiskClassifier(weighted, costs).fit(X, y)
    np.testing.assert_array_equal(both.predict(X)[sure], expected)


@quick
@given(whole_costs(3), st.integers(0, 3))
def test_expansion_is_minimum_risk_with_several_classes(costs, seed):
    X, y = levels(3, seed=seed)
    risk = MinimumRiskClassifier(TREE, costs).fit(X, y)
    sure = untied(risk, X)
    expanded = DataSpaceExpansionClassifier(TREE, costs).fit(X, y)
    np.testing.assert_array_equal(expanded.predict(X)[sure], risk.predict(X)[sure])
    if np.linalg.cond(expanded.expansion_) < 1e6:
        np.testing.assert_allclose(
            expanded.predict_proba(X), TREE.fit(X, y).predict_proba(X), atol=1e-8
        )


def test_weights_by_class_do_not_know_with_what_a_class_is_confused():
    """Costs of one column sum alike, and lie elsewhere: expansion sees it, weights cannot."""
    costs = np.array([[0, 9, 1], [1, 0, 9], [9, 1, 0.0]])
    X, y = levels(3)
    risk = MinimumRiskClassifier(TREE, costs).fit(X, y).predict(X)
    weighted = CostWeightedClassifier(TREE, costs).fit(X, y)
    assert (weighted.predict(X) == TREE.fit(X, y).predict(X)).all()
    assert (weighted.predict(X) != risk).mean() > 0.1


def test_probabilities_left_on_the_scale_of_costs_would_be_counted_twice():
    X, y = levels(seed=1)
    weighted = CostWeightedClassifier(TREE, COSTS).fit(X, y)
    own = weighted.estimator_.predict_proba(X)
    twice = CostMatrix(COSTS, [0, 1]).predict(own)
    once = CostMatrix(COSTS, [0, 1]).predict(weighted.predict_proba(X))
    np.testing.assert_array_equal(once, weighted.predict(X))
    assert (twice != once).mean() > 0.1


def boundary(model):
    grid = np.linspace(-3, 3, 60_001)[:, None]
    return float(grid[np.flatnonzero(model.predict(grid) == 1)[0], 0])


def standard_error(X, y, weights):
    """Of the border of a weighted logistic regression, by the sandwich of its scores."""
    model = LogisticRegression(C=np.inf, max_iter=1000).fit(X, y, weights)
    Z = np.column_stack([np.ones(len(X)), X])
    p = model.predict_proba(X)[:, 1]
    inverse = np.linalg.inv((Z * (weights * p * (1 - p))[:, None]).T @ Z)
    scores = Z * (weights * (y - p))[:, None]
    b0, b1 = model.intercept_[0], model.coef_[0, 0]
    gradient = inverse @ np.array([-1 / b1, b0 / b1**2])
    return float(np.sqrt(gradient @ (scores.T @ scores) @ gradient))


LOGISTIC = LogisticRegression(C=np.inf, max_iter=1000)


@pytest.mark.parametrize(
    "model",
    [
        MinimumRiskClassifier(LOGISTIC, COSTS),
        CostWeightedClassifier(LOGISTIC, COSTS),
        CostResampledClassifier(LOGISTIC, COSTS, "over", random_state=1),
        CostResampledClassifier(LOGISTIC, COSTS, "under", random_state=1),
        CostResampledClassifier(LOGISTIC, COSTS, "smote", random_state=1),
        CostingClassifier(LOGISTIC, COSTS, n_estimators=10, random_state=1),
        DataSpaceExpansionClassifier(LOGISTIC, COSTS),
    ],
    ids=["risk", "weights", "over", "under", "smote", "costing", "expansion"],
)
def test_all_find_the_border_of_least_loss(model):
    """A logistic regression is right about two Gaussians; the error is that of the thinned rows,
    the largest of all ways."""
    X, y = gaussian(40_000, seed=2)
    rng = np.random.default_rng(0)
    kept = (rng.random(len(y)) < np.where(y == 1, 1, ALARM / MISS)).astype(float)
    error = standard_error(X, y, kept)
    assert error < 0.05
    assert abs(boundary(model.fit(X, y)) - best_boundary()) < 4 * error
    away = np.abs(model.predict_proba(X)[:, 1] - true_proba(X)[:, 1]).max()
    assert away < 0.04


def test_a_relabelled_border_is_near_the_best():
    """MetaCost's model of new labels is a border again; here they part at one point."""
    X, y = gaussian(8000, seed=3)
    model = MetaCostClassifier(LOGISTIC.set_params(C=1.0), COSTS, 10, random_state=0).fit(X, y)
    weights = np.where(y == 1, MISS, ALARM)
    assert abs(boundary(model) - best_boundary()) < 4 * standard_error(X, y, weights)


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: MinimumRiskClassifier(GaussianNB(), "class_sizes"),
        lambda seed: MinimumRiskClassifier(GaussianNB(), "class_sizes", "sigmoid", cv=3),
        lambda seed: CostWeightedClassifier(GaussianNB(), "class_sizes"),
        lambda seed: CostResampledClassifier(GaussianNB(), "class_sizes", "over", 5, seed),
        lambda seed: CostResampledClassifier(TREE, "class_sizes", "smote", 5, seed),
        lambda seed: CostResampledClassifier(GaussianNB(), "class_sizes", "under", 5, seed),
        lambda seed: CostingClassifier(GaussianNB(), "class_sizes", 10, None, seed),
        lambda seed: MetaCostClassifier(GaussianNB(), "class_sizes", 10, random_state=seed),
        lambda seed: DataSpaceExpansionClassifier(GaussianNB(), "class_sizes"),
    ],
    ids=["risk", "sigmoid", "weights", "over", "smote", "under", "costing", "meta", "expansion"],
)
@pytest.mark.filterwarnings("ignore:MetaCost")
def test_where_there_is_nothing_to_find_all_are_at_chance(make):
    rates = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        y = (np.arange(80) % 4 == 0).astype(int)
        X, new, true = rng.normal(size=(80, 5)), rng.normal(size=(200, 5)), np.arange(200) % 2
        rates.append(balanced_classification_rate(true, make(seed).fit(X, y).predict(new)))
    assert at_chance(rates)
