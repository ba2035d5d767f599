"""AODE as a classifier: declared levels, parts of a table, weights, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis.classifiers import AODEClassifier
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier
from tamis.data import MDLDiscretizer

LEVELS = {0: ["a", "b", "c"], "kind": ["no", "yes"]}


def frame(n=160, seed=0, holes=0.1, C=2):
    """Two columns of text, two of numbers, gaps in all; the class tells something of three."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, C, n)
    table = pd.DataFrame(
        {
            "colour": np.array(["a", "b", "c"], object)[np.where(rng.random(n) < 0.5, y, 2)],
            "size": rng.normal(size=n) + 2 * y,
            "kind": np.array(["no", "yes"], object)[rng.integers(0, 2, n)],
            "age": np.round(rng.normal(size=n) - y, 1),
        }
    )
    gaps = rng.random(table.shape) < holes
    return table.mask(gaps), np.array(["u", "v", "w"])[y]


def declared(**more):
    cuts = {"size": [0.5, 1.5], 3: [-1.0, 0.0, 0.25]}
    return AODEClassifier(5, categories=LEVELS, cuts=cuts, **more)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_parts_in_any_order_give_the_bits_of_one_fit(seed, parts, weighted, subsumption):
    X, y = frame(seed=seed % 1000)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, len(y)) if weighted else None
    whole = declared(subsumption=subsumption, subsumption_support=3)
    whole.fit(X, y, sample_weight=weights)
    order, begun = rng.permutation(len(y)), declared(subsumption=subsumption, subsumption_support=3)
    for rows in np.array_split(order, parts):
        some = None if weights is None else weights[rows]
        if some is None or some.any():
            begun.partial_fit(X.iloc[rows], y[rows], classes=["v", "u"], sample_weight=some)
    for rows in (X, frame(seed=1)[0]):
        np.testing.assert_array_equal(
            begun.predict_joint_log_proba(rows), whole.predict_joint_log_proba(rows)
        )


def test_what_a_model_says_of_a_row():
    X, y = frame(C=3)
    model = AODEClassifier(categorical_features="from_dtype").fit(X, y)
    joint, proba = model.predict_joint_log_proba(X), model.predict_proba(X)
    logs = joint - logsumexp(joint, axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_log_proba(X), logs, rtol=1e-13)
    np.testing.assert_allclose(np.exp(logs), proba, rtol=1e-12)
    assert model.predict(X).tolist() == model.classes_[proba.argmax(axis=1)].tolist()
    assert model.class_count_.tolist() == [(y == label).sum() for label in "uvw"]
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), proba)


def test_numbers_are_cut_by_mdl_and_categories_are_those_declared_or_seen():
    X, y = frame()
    X["kind"] = pd.Categorical(X["kind"], ["yes", "no", "never"])
    model = AODEClassifier(categorical_features="from_dtype").fit(X, y)
    mdl = MDLDiscretizer().fit(X[["size", "age"]], y)
    assert [cuts.tolist() for cuts in model.cuts_] == [
        [],
        mdl.cuts_[0].tolist(),
        [],
        mdl.cuts_[1].tolist(),
    ]
    assert model.categories_[2].tolist() == ["yes", "no", "never"]
    assert model.n_levels_.tolist() == [3, len(mdl.cuts_[0]) + 1, 3, len(mdl.cuts_[1]) + 1]
    fewer = AODEClassifier(categorical_features="from_dtype").fit(
        X.assign(kind=frame()[0]["kind"]), y
    )
    assert np.abs(fewer.predict_proba(X) - model.predict_proba(X)).max() > 1e-4


def test_weight_two_is_a_sample_given_twice():
    X, y = frame()
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    model = AODEClassifier(10, categorical_features=[0, 2])
    twice = model.fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights)).predict_proba(X)
    np.testing.assert_array_equal(model.fit(X, y, sample_weight=weights).predict_proba(X), twice)
    halves = model.set_params(min_support=5).fit(X, y, sample_weight=weights / 2)
    assert halves.class_count_.sum() == weights.sum() / 2


def test_a_category_that_is_not_known_is_a_gap():
    X, y = frame(holes=0.0)
    model = AODEClassifier(categorical_features="from_dtype").fit(X, y)
    odd, gap = X.copy(), X.copy()
    odd.loc[3, "colour"], gap.loc[3, "colour"] = "violet", None
    np.testing.assert_array_equal(model.predict_proba(odd), model.predict_proba(gap))
    assert (model.predict_proba(odd)[3] != model.predict_proba(X)[3]).all()


def test_levels_and_classes_that_were_not_declared_are_refused():
    X, y = frame()
    with pytest.raises(DataError, match="column 'colour' holds 'c', which is none of its"):
        AODEClassifier(categories={"colour": ["a", "b"]}, categorical_features=[2]).fit(X, y)
    model = AODEClassifier(categorical_features="from_dtype")
    rows = (X["colour"] != "c") & (y == "u")
    model.partial_fit(X[rows], y[rows], classes=["u", "v"])
    before = model.predict_joint_log_proba(X)
    with pytest.raises(DataError, match="holds 'c'"):
        model.partial_fit(X, y)
    with pytest.raises(DataError, match="y has 'w', which is none of the classes 'u', 'v'"):
        model.partial_fit(X[rows], np.where(y[rows] == "u", "w", y[rows]))
    with pytest.raises(DataError, match="begun with 'u', 'v'"):
        model.partial_fit(X[rows], y[rows], classes=["u", "w"])
    with pytest.raises(DataError, match=r"column 1 holds 7\.0"):
        AODEClassifier(categories={1: [0, 1]}).fit([[0.5, 7], [0.25, 1]], [0, 1])
    np.testing.assert_array_equal(model.predict_joint_log_proba(X), before)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_support": 0}, "min_support=0: give a number above 0"),
        ({"m_estimate": -1}, "m_estimate=-1: give a number above 0"),
        ({"m_estimate": 1e-12}, "m_estimate=1e-12: give a number of at least 1e-9"),
        ({"subsumption": "yes"}, "subsumption='yes': give True or False"),
        ({"subsumption_support": np.nan}, "subsumption_support=nan: give a number of at least 0"),
        ({"categories": ["a"]}, "categories=.*give a mapping"),
        ({"categories": {0: ["a", "a"]}}, "give different values"),
        ({"categories": {"color": ["a"]}}, "categories 'color' is not a column: did you mean"),
        ({"cuts": {1: [2.0, 1.0]}}, "do not increase"),
        ({"cuts": {1: ["x"]}}, "give finite numbers for a column of numbers"),
        ({"cuts": {0: [1.0]}}, "give finite numbers for a column of numbers"),
    ],
)
def test_parameters_out_of_range_are_refused(settings, message):
    X, y = frame()
    with pytest.raises(PlanError, match=message):
        AODEClassifier(categorical_features=[0, 2]).set_params(**settings).fit(X, y)


def test_a_table_too_wide_is_refused_before_it_is_counted():
    X = np.zeros((4, 20000))
    with pytest.raises(DataError, match=r"20,000 columns of 20,000 levels need 38\.4 GB") as told:
        AODEClassifier().fit(X, [0, 1, 0, 1])
    assert "some 4,564 such columns fit" in str(told.value)
    wide = AODEClassifier().fit(X[:, :300], [0, 1, 0, 1])
    np.testing.assert_allclose(wide.predict_proba(X[:1, :300]), 0.5)


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("name", ["aode", "aodesr"])
@pytest.mark.parametrize("weighted", [False, True])
def test_in_a_plan_it_is_the_classifier_on_a_frame(name, C, weighted):
    """Weights need not be whole."""
    X, y = frame(C=C)
    new, rng = frame(seed=1, C=C)[0], np.random.default_rng(0)
    weights = rng.random(len(y)) + 0.5 if weighted else None
    parameters = {"min_support": 8.0, "m_estimate": 2.0}
    if name == "aodesr":
        parameters["subsumption_support"] = 4.0
    peer = AODEClassifier(
        **parameters, subsumption=name == "aodesr", categorical_features="from_dtype"
    ).fit(X, y, weights)

    def coded(table):
        out = table.copy()
        for j, known in ((0, ["a", "b", "c"]), (2, ["no", "yes"])):
            codes = pd.Categorical(table.iloc[:, j], known).codes
            out.isetitem(j, np.where(codes < 0, np.nan, codes))
        return out.to_numpy(dtype=float)

    labels = np.unique(y, return_inverse=True)[1]
    ours = fit_in_units(
        build_classifier(name, parameters), coded(X), labels, C, 0, {0: 9, 2: 2}, weights
    )
    for rows in (X, new):
        np.testing.assert_allclose(
            ours.beliefs(coded(rows)).proba, peer.predict_proba(rows), rtol=1e-12
        )
