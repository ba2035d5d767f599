"""Classifiers by sets: what they say against a direct computation, and what users meet."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from classifiers.set_classifiers import FIXED, KINDS, numeric_rules, two_classes
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis._core.streams import stream
from tamis.classifiers import DiscRITClassifier
from tamis.classifiers.base.folds import stratified_splits
from tamis.classifiers.intersection_trees import covrit, relrit
from tamis.classifiers.intersection_trees.rit import RIT
from tamis.classifiers.intersection_trees.rules import SetRules
from tamis.classifiers.intersection_trees.search import (
    DISCRETIZERS,
    Sample,
    item_rules,
    no_rules,
    settings_of,
)
from tamis.metrics import balanced_classification_rate
from tamis.selection import IntersectionSelector

kinds = pytest.mark.parametrize("kind", KINDS)


def with_categories(seed=0, missing=0.0):
    """A data frame with a column of text and one of codes."""
    X, y = two_classes(seed)
    rng = np.random.default_rng(seed + 100)
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(X.shape[1])])
    words = np.array(["low", "mid", "high", "other"])
    level = np.where(rng.random(len(y)) < 0.6, np.searchsorted(["a", "b", "c"], y), 3)
    frame["word"] = pd.Categorical(words[level], categories=list(words))
    frame["code"] = pd.Categorical(rng.integers(3, 6, len(y)))
    for name in frame:
        frame.loc[rng.random(len(y)) < missing, name] = np.nan
    return frame, y


def arrays_of(model):
    rules = model.rules_
    return [rules.at, rules.values, rules.starts, rules.counts, rules.origin, rules.sizes]


def assert_same(one, two):
    for a, b in zip(arrays_of(one), arrays_of(two), strict=True):
        np.testing.assert_array_equal(a.view(np.uint64), b.view(np.uint64))


def holds(condition, frame, low, span, radius):
    """How much rows hold what a frame of sets says in words."""
    held = np.ones(len(frame))
    for one in condition.split(" and "):
        if found := re.fullmatch(r"(\w+) in \{(.*)\}", one):
            held *= frame[found[1]].astype(str).isin(found[2].split(", "))
        elif found := re.fullmatch(r"(\w+) is (\w+)", one):
            held *= np.where(frame[found[1]].astype(str) == found[2], 1, np.exp(-1 / radius))
        elif found := re.fullmatch(r"(\w+) near (\S+)", one):
            apart = (frame[found[1]] - float(found[2])) / span[found[1]]
            held *= np.exp(-np.where(apart.isna(), 1, apart**2) / radius)
        elif found := re.fullmatch(r"(\S+) <= (\w+) <= (\S+)", one):
            held *= frame[found[2]].between(float(found[1]), float(found[3]))
        else:
            name, sign, end = re.fullmatch(r"(\w+) (<=|>=) (\S+)", one).groups()
            x = frame[name]
            held *= x <= float(end) if sign == "<=" else x >= float(end)
    return np.asarray(held, dtype=float)


@kinds
@pytest.mark.parametrize("rule", ["matched", "bernoulli"])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_predictions_are_what_the_frame_of_sets_says(kind, rule, missing):
    frame, y = with_categories(missing=missing)
    model = KINDS[kind](rule=rule, categorical_features="from_dtype").fit(frame, y)
    sets = model.frame()
    assert len(sets) > 5
    assert any("word" in names for names in sets["features"])
    numbers = frame.columns[:6]
    low, span = frame[numbers].min(), frame[numbers].max() - frame[numbers].min()
    other = frame.copy()
    other[numbers] += 0.02  # and on no cut
    new = pd.concat([frame, other], ignore_index=True)
    new["word"] = new["word"].astype(object)
    new.loc[3, "word"] = "unheard of"
    sizes = pd.Series(y).value_counts()
    held = np.array([holds(one, new, low, span, 0.4) for one in sets["condition"]]).T
    scores = []
    for label in model.classes_:
        n, shares = sizes[label], sets[f"prevalence {label}"].to_numpy()
        likely = (n * shares + 1) / (n + 2)
        score = np.log(n / len(y)) + held @ np.log(likely)
        if rule == "bernoulli":
            score += (1 - held) @ np.log(1 - likely)
        scores.append(score)
    scores = np.array(scores).T
    proba = np.exp(scores - scores.max(axis=1, keepdims=True))
    proba /= proba.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(new), proba, rtol=1e-9, atol=1e-12)
    assert (model.predict(new) == model.classes_[scores.argmax(axis=1)]).all()
    assert len(np.unique(model.predict(new))) == 3


@kinds
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_training_rows_hold_what_is_counted(kind, missing):
    """An interval and the item it stands for are the same, to the last tie."""
    frame, y = with_categories(3, missing)
    model = KINDS[kind](categorical_features="from_dtype").fit(frame, y)
    held = model.rules_.held(model._read_table(frame))
    sums = np.array([held[y == label].sum(axis=0) for label in model.classes_]).T
    assert len(sums)
    np.testing.assert_allclose(sums, model.rules_.counts)


@pytest.mark.parametrize("discretizer", DISCRETIZERS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_every_discretiser(discretizer, missing):
    X, y = two_classes(1, n=90, shift=3)
    rng = np.random.default_rng(1)
    X[rng.random(X.shape) < missing] = np.nan
    model = DiscRITClassifier(discretizer, **FIXED).fit(X, y)
    held = model.rules_.held(X)
    sums = np.array([held[y == label].sum(axis=0) for label in model.classes_]).T
    np.testing.assert_array_equal(sums, model.rules_.counts)
    assert len(sums)
    assert model.score(X, y) > 0.5  # the largest class has half of the rows


def test_an_unknown_discretiser_is_named():
    X, y = two_classes()
    with pytest.raises(PlanError, match=r"discretizer='amewa'.*ameva"):
        DiscRITClassifier("amewa").fit(X, y)


# what is told of sets


@kinds
def test_the_same_sets_on_other_columns(kind):
    rules, X = numeric_rules(kind)
    rng = np.random.default_rng(0)
    table = rng.normal(size=(len(X), 15))
    columns = rng.permutation(15)[: X.shape[1]]
    table[:, columns] = X
    used = columns[rules.columns]
    for others in (
        np.arange(15),
        used,
        np.sort(used)[::-1],
        np.append(used, [j for j in range(15) if j not in columns][:2]),
    ):
        moved = rules.among(columns, others)
        np.testing.assert_array_equal(
            moved.beliefs(table[:, others]).scores, rules.beliefs(X).scores
        )
        assert SetRules.from_arrays(moved.to_arrays(), len(others), 3)


def gaps_of(rules):
    shares = rules.counts / rules.sizes
    gaps = []
    for share, c in zip(shares, rules.origin, strict=True):
        gaps.append(share[c] - max(np.delete(share, c)))
    return np.array(gaps)


def sets_of(rules):
    return [
        (
            tuple(rules.at[a:b].tolist()),
            rules.values[a:b].tobytes(),
            tuple(rules.counts[s]),
            int(rules.origin[s]),
        )
        for s, (a, b) in enumerate(zip(rules.starts[:-1], rules.starts[1:], strict=True))
    ]


@kinds
def test_those_that_stand_out_most(kind):
    rules, _ = numeric_rules(kind)
    everything, gaps = sets_of(rules), gaps_of(rules)
    for n in (1, 3, len(rules), len(rules) + 5):
        few = rules.first(n)
        assert len(few) == min(n, len(rules))
        assert np.sort(gaps_of(few)) == pytest.approx(np.sort(gaps)[-n:])
        assert [one for one in everything if one in sets_of(few)] == sets_of(few)


@kinds
def test_occurrences_columns_and_terms(kind):
    rules, _ = numeric_rules(kind)
    gaps, features = gaps_of(rules), [one[0] for one in sets_of(rules)]
    counts = np.array([sum(j in one for one in features) for j in range(6)])
    assert rules.occurrences().tolist() == counts.tolist()
    assert set(rules.columns.tolist()) == set(np.flatnonzero(counts))
    assert (np.diff(counts[rules.columns]) <= 0).all()
    terms = rules.terms()
    assert {(term.features, term.class_) for term in terms} == {
        (one, int(c)) for one, c in zip(features, rules.origin, strict=True)
    }
    assert len({(term.features, term.class_) for term in terms}) == len(terms)
    for term in terms:
        alike = [
            s
            for s, one in enumerate(features)
            if one == term.features and rules.origin[s] == term.class_
        ]
        assert term.about["difference"] == pytest.approx(gaps[alike].max())
        shares = rules.counts[alike, term.class_] / rules.sizes[term.class_]
        assert any(
            term.about["prevalence"] == share and gaps[s] == term.about["difference"]
            for s, share in zip(alike, shares, strict=True)
        )
    differences = [term.about["difference"] for term in terms]
    assert differences == pytest.approx(sorted(differences, reverse=True))


def test_a_set_of_a_signed_table_has_each_column_once():
    rng = np.random.default_rng(0)
    X, y = (rng.random((60, 8)) < 0.5).astype(float), np.repeat([0, 1], 30)
    given = RIT(n_trees=40, depth=4, branch=3, theta=0.1, theta_out=0.5, max_sets=300)
    settings = settings_of(given, 2, "matched", seed=0)
    rules = item_rules(Sample(X, y, 2, np.zeros(8, dtype=bool)), None, True, settings)
    assert (rules.values[:, 0] == 0).any()
    assert (rules.values[:, 0] == 1).any()
    for features, *_ in sets_of(rules):
        assert len(set(features)) == len(features)
    held = rules.held(X)
    for c in (0, 1):
        assert held[y == c].sum(axis=0).tolist() == rules.counts[:, c].tolist()


@pytest.mark.parametrize(("value", "told"), [(0.5, "0.5"), (2, "2"), (np.nan, "missing")])
def test_a_table_that_is_not_of_zeros_and_ones(value, told):
    X, y = np.zeros((6, 4)), np.array([0, 0, 0, 1, 1, 1])
    X[4, 2] = value
    with pytest.raises(DataError) as error:
        IntersectionSelector().rank(Part.of(X, y), [2], stream(0))
    text = str(error.value)
    assert "column 2" in text
    assert told in text
    assert "DiscRITClassifier" in text
    assert "CovRITClassifier" in text
    assert "\n" not in text


# tables however they come


@kinds
def test_categories_as_text_and_as_codes_are_the_same(kind):
    frame, y = with_categories(2, 0.1)
    model = KINDS[kind](categorical_features="from_dtype").fit(frame, y)
    codes = frame.copy()
    for name in ("word", "code"):
        codes[name] = frame[name].cat.codes.where(frame[name].notna(), np.nan)
    X = codes.to_numpy(dtype=float)
    other = KINDS[kind](categorical_features=[6, 7]).fit(X, y)
    assert_same(model, other)
    np.testing.assert_array_equal(model.predict_proba(frame), other.predict_proba(X))


@kinds
def test_sixty_four_categories_and_no_more(kind):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(140, 3)), np.repeat([0, 1], 70)
    X[:, 1] = np.tile(np.arange(70), 2)
    with pytest.raises(DataError, match=r"column 1 has 70 categories.*64"):
        KINDS[kind](categorical_features=[1]).fit(X, y)
    X[:, 1] %= 64
    model = KINDS[kind](categorical_features=[1], theta=0, min_size=1).fit(X, y)
    assert model.predict_proba(X).shape == (140, 2)
    held = model.rules_.held(X)
    sums = np.array([held[y == c].sum(axis=0) for c in (0, 1)]).T
    np.testing.assert_allclose(sums, model.rules_.counts)


@kinds
def test_a_row_that_lacks_everything(kind):
    """It holds no interval; to a value it is one apart in every feature."""
    rules, X = numeric_rules(kind)
    held = rules.held(np.full((1, X.shape[1]), np.nan))[0]
    sizes = np.diff(rules.starts)
    np.testing.assert_allclose(held, np.exp(-sizes / 0.4) if kind == "relrit" else 0 * sizes)


@kinds
def test_columns_without_any_value_play_no_part(kind):
    X, y = two_classes(4)
    more = np.hstack([X, np.full((len(X), 2), np.nan), np.ones((len(X), 1))])
    model, other = KINDS[kind]().fit(X, y), KINDS[kind]().fit(more, y)
    assert set(other.selected_) <= set(range(6))
    if kind == "discrit":  # trees are drawn alike
        assert_same(model, other)
    assert np.isfinite(other.predict_proba(more)).all()


@kinds
def test_where_there_is_no_set_classes_have_their_shares(kind):
    X, y = two_classes()
    model = KINDS[kind](min_size=7).fit(X, y)
    assert len(model.rules_) == len(model.frame()) == len(model.selected_) == 0
    shares = np.unique(y, return_counts=True)[1] / len(y)
    np.testing.assert_allclose(model.predict_proba(X), np.tile(shares, (len(X), 1)))
    assert set(model.predict(X)) == {"a"}


def test_that_there_is_no_set_is_read_back():
    """Two ends of an interval for each of no conditions."""
    X, y = np.zeros((3, 2)), np.array([0, 1, 1])
    sample = Sample(X, y, 2, np.zeros(2, dtype=bool))
    rules = no_rules(sample, settings_of(DiscRITClassifier(), 2, "matched", 0))
    again = SetRules.from_arrays(rules.to_arrays(), 2, 2)
    assert (len(again), again.values.shape, again.sizes.tolist()) == (0, (0, 2), [1, 2])


# epsilon


@pytest.mark.quick
@pytest.mark.parametrize(("kind", "room"), [("covrit", covrit), ("relrit", relrit)])
def test_epsilon_is_the_best_of_its_grid(kind, room):
    """As a loop over classifiers with each of them would choose."""
    X, y = two_classes(7, shift=0.8)
    plan = {"n_trees": 3, "rule": "matched", "random_state": 3}
    codes = np.unique(y, return_inverse=True)[1]
    rates = []
    for epsilon in room.EPSILONS:
        told = np.empty(len(y), dtype=np.int64)
        for train, test in stratified_splits(codes, 5, 3):
            model = KINDS[kind](**plan, epsilon=epsilon).fit(X[train], codes[train])
            told[test] = model.predict(X[test])
        rates.append(balanced_classification_rate(codes, told))
    best = room.EPSILONS[int(np.argmax(np.round(rates, 12)))]
    assert len(set(rates)) > 2
    model = KINDS[kind](**plan, epsilon=None).fit(X, y)
    assert model.epsilon_ == best
    assert_same(model, KINDS[kind](**plan, epsilon=best).fit(X, y))
    again = KINDS[kind](**plan, epsilon=None, n_jobs=2).fit(X, y)
    assert again.epsilon_ == best
    assert_same(model, again)


@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize("kind", ["covrit", "relrit"])
@pytest.mark.parametrize("theta", [0.3, [0.2, 0.3, 1.0]])
def test_a_class_of_one_sample(kind, theta):
    """A fold's training set may lack it."""
    X, y = two_classes(7)
    few = np.append(np.flatnonzero(y != "c"), np.flatnonzero(y == "c")[0])
    model = KINDS[kind](epsilon=None, theta=theta, n_trees=4).fit(X[few], y[few])
    assert model.predict_proba(X).shape == (len(X), 3)


@pytest.mark.parametrize("kind", ["covrit", "relrit"])
def test_a_long_seed(kind):
    X, y = two_classes(7)
    model = KINDS[kind](epsilon=None, n_trees=4, random_state=2**40 + 1).fit(X, y)
    assert model.epsilon_ > 0


@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, "wide"])
@pytest.mark.parametrize("kind", ["covrit", "relrit"])
def test_a_wrong_epsilon_is_named(kind, wrong):
    X, y = two_classes()
    with pytest.raises(PlanError, match="epsilon"):
        KINDS[kind](epsilon=wrong).fit(X, y)


# what must not matter


@kinds
@pytest.mark.parametrize("theta", ["auto", 0.2])
def test_threads_change_nothing(kind, theta):
    X, y = two_classes(9)
    models = [
        KINDS[kind](theta=theta, n_trees=30, min_size=1, n_jobs=n_jobs).fit(X, y)
        for n_jobs in (1, 2)
    ]
    assert len(models[0].rules_)
    assert_same(*models)


@pytest.mark.parametrize("theta", ["auto", 0.15])
def test_discrit_with_cuts_by_frequency_sees_the_order_of_values_alone(theta):
    X, y = two_classes(6)
    plan = {**FIXED, "discretizer": "equal_frequency", "theta": theta}
    model, other = (DiscRITClassifier(**plan).fit(table, y) for table in (X, np.exp(X)))
    assert len(model.rules_)
    for name in ("at", "starts", "counts", "origin"):
        np.testing.assert_array_equal(getattr(model.rules_, name), getattr(other.rules_, name))
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(np.exp(X)))


@pytest.mark.parametrize("kind", ["covrit", "relrit"])
@pytest.mark.parametrize("theta", ["auto", 0.3])
def test_where_scales_begin_and_how_long_they_are(kind, theta):
    """On numbers that computers shift and stretch without rounding."""
    X, y = two_classes(6)
    X = np.round(X * 64) / 64
    moved = X * np.array([1, 4, 0.5, 2, 1, 8]) + np.array([0, 16, -8, 3, 100, 0])
    model, other = (KINDS[kind](theta=theta).fit(table, y) for table in (X, moved))
    assert len(model.rules_)
    for name in ("at", "starts", "counts", "origin"):
        np.testing.assert_array_equal(getattr(model.rules_, name), getattr(other.rules_, name))
    if kind == "relrit":
        np.testing.assert_array_equal(model.rules_.values, other.rules_.values)
    near = X + 1 / 256
    there = moved + np.array([1, 4, 0.5, 2, 1, 8]) / 256
    np.testing.assert_array_equal(model.predict_proba(near), other.predict_proba(there))
