"""Votes of selectors: who may vote, what each counts, and what a vote depends on."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from common.compressed import Compressed
from common.studies import make_data, run_in_memory
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis._core.registry import find_row
from tamis._core.rows import RankerRow
from tamis._core.streams import stream
from tamis.data.walks import MAX_BLOCK_COLUMNS
from tamis.metrics import nogueira_stability
from tamis.selection import (
    EliminationSelector,
    FilterSelector,
    HuberizedSVMSelector,
    StabilitySelector,
    VotingSelector,
)
from tamis.selection._filter_ranker import FilterRanker
from tamis.selection._halves import child_seed, complementary_halves
from tamis.selection._parts import TrainingParts
from tamis.selection._rank_aggregation import AGGREGATION_RULES, aggregate_rankings
from tamis.selection._voting import member_weights
from tamis.selection._voting_members import listed_scores, name_key

NS = "{http://www.w3.org/2000/svg}"

MIXED = ["wilcoxon", {"name": "svm_rfe", "step": 0.5}, "hhsvm"]
SETS = ("majority", "union", "intersection")


@pytest.fixture(scope="module")
def table():
    data = make_data(3, n=40, p=60)
    return data.X, data.y


def part_of(table, rows=slice(None)):
    X, y = table
    return Part.of(X[rows], np.unique(y, return_inverse=True)[1][rows])


@pytest.mark.parametrize("rule", AGGREGATION_RULES)
def test_members_rank_once_and_their_rankings_are_aggregated(table, rule, monkeypatch):
    calls = []
    for kind in (FilterRanker, EliminationSelector, HuberizedSVMSelector):
        real = kind.rank

        def counted(self, part, sizes, stream, real=real):
            calls.append(type(self).__name__)
            return real(self, part, sizes, stream)

        monkeypatch.setattr(kind, "rank", counted)
    part = part_of(table)
    found = VotingSelector(MIXED, rule, top=8).rank(part, [3, 60], stream(0))
    assert sorted(calls) == ["EliminationSelector", "FilterRanker", "HuberizedSVMSelector"]
    alone = [FilterSelector("wilcoxon"), EliminationSelector(step=0.5), HuberizedSVMSelector()]
    scores = np.array([listed_scores(one.rank(part, [8, 60], stream(1)), 60, 8) for one in alone])
    expected = aggregate_rankings(rule, scores, np.ones(3), 8)
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert found.members == ("wilcoxon", "svm_rfe (step 0.5)", "hhsvm")
    assert found.chosen == expected.chosen


@pytest.mark.parametrize("weights", ["equal", "stability"])
@pytest.mark.parametrize("rule", AGGREGATION_RULES)
def test_a_size_is_the_same_whatever_else_is_asked_for(table, rule, weights):
    vote = VotingSelector(MIXED, rule, top=8, weights=weights, n_subsamples=4)
    part = part_of(table)
    whole = vote.rank(part, [1, 5, 30, 60], stream(0)).path
    for k in (1, 5, 30, 60):
        np.testing.assert_array_equal(vote.rank(part, [k], stream(0)).path[k], whole[k])


@pytest.mark.parametrize("weights", ["equal", "stability"])
def test_parts_together_are_parts_alone(table, weights):
    X, codes = table[0], part_of(table).y
    rows = [np.arange(40), np.flatnonzero(np.arange(40) % 3), np.flatnonzero(np.arange(40) % 4)]
    vote = VotingSelector(["mtd", "wilcoxon", "svm_rfe"], weights=weights, n_subsamples=4)
    streams = [stream(0, k) for k in range(3)]
    together = vote.rank_parts(TrainingParts(X, codes, rows), [5], streams)
    for k, own in enumerate(together):
        alone = vote.rank(part_of(table, rows[k]), [5], streams[k])
        np.testing.assert_array_equal(own.scores, alone.scores)
        np.testing.assert_array_equal(own.weights, alone.weights)


def test_weights_are_the_stability_on_halves_of_the_training_part_alone(table):
    part, top, drawn = part_of(table), 8, child_seed(stream(7), *name_key("subsamples"))
    vote = VotingSelector(["wilcoxon", "svm_rfe"], top=top, weights="stability", n_subsamples=5)
    found = vote.rank(part, [3], stream(7))
    halves = [rows for k in range(3) for rows in complementary_halves(part.y, child_seed(drawn, k))]
    for name, ranker, value in zip(
        found.members,
        (FilterSelector("wilcoxon"), EliminationSelector()),
        found.stabilities,
        strict=True,
    ):
        sets = [
            ranker.rank(Part.of(part.X[rows], part.y[rows]), [top], stream(0)).path[top]
            for rows in halves[:5]
        ]
        if name == "svm_rfe":  # a rank sum has ties at the cut, which go by lot
            assert value == nogueira_stability(sets, 60).value
    np.testing.assert_array_equal(
        found.weights, np.maximum(found.stabilities, 0) / np.maximum(found.stabilities, 0).sum()
    )


def test_constant_columns_do_not_pass_for_stable():
    """Ties at the cut go by lot on each half: the first columns of a block are no stable choice."""
    X, y = np.zeros((30, 200)), np.arange(30) % 2
    X[:, :2] = np.random.default_rng(0).normal(size=(30, 2))
    vote = VotingSelector(["wilcoxon", "moderated_t"], weights="stability", size=3, random_state=0)
    assert (vote.fit(X, y).result_.stabilities < 0.2).all()


def test_weights_below_zero_are_none_and_if_all_are_they_are_equal():
    assert member_weights(np.array([0.5, -0.1, np.nan]), 3).tolist() == [0.5, 0.0, 0.0]
    assert member_weights(np.array([-0.5, np.nan]), 2).tolist() == [1.0, 1.0]
    assert member_weights(None, 2).tolist() == [1.0, 1.0]


def test_the_order_of_members_has_no_say(table):
    X, y = table
    one = VotingSelector(MIXED, weights="stability", random_state=0).fit(X, y)
    other = VotingSelector(MIXED[::-1], weights="stability", random_state=0).fit(X, y)
    np.testing.assert_allclose(one.weights_, other.weights_[::-1])
    np.testing.assert_array_equal(one.support_, other.support_)


def test_features_that_no_member_ranks_are_never_chosen(table):
    X, y = table
    cut = {"name": "welch_t", "max_p": 0.001}
    passed = FilterSelector("welch_t", size=None, max_p=0.001).fit(X, y).get_support()
    vote = VotingSelector([cut, {"name": "welch_t", "max_p": 1e-9}], size=60).fit(X, y)
    assert 0 < passed.sum() < 60
    np.testing.assert_array_equal(vote.get_support(), passed)
    nothing = VotingSelector(
        [{"name": "welch_t", "max_p": 1e-200}, {"name": "pearson", "max_p": 1e-200}],
        "union",
        size=None,
    )
    assert nothing.fit(X, y).get_support().sum() == 0
    assert "two members" not in nothing.result_.summary()


@pytest.mark.parametrize("rule", SETS)
def test_a_set_of_its_own_is_kept_without_a_size(table, rule):
    vote = VotingSelector(MIXED, rule, top=8, size=None).fit(*table)
    leading = vote.result_.leading
    expected = {
        "majority": leading.sum(axis=0) > 1.5,
        "union": leading.any(axis=0),
        "intersection": leading.all(axis=0),
    }[rule]
    np.testing.assert_array_equal(vote.get_support(), expected)


def test_objects_vote_as_names_do_and_stay_as_they_are(table):
    objects = [FilterSelector("wilcoxon"), FilterSelector("mtd"), EliminationSelector(step=0.5)]
    named = VotingSelector(["wilcoxon", "mtd", {"name": "svm_rfe", "step": 0.5}]).fit(*table)
    given = VotingSelector(objects).fit(*table)
    np.testing.assert_array_equal(named.scores_, given.scores_)
    assert given.result_.members == ("FilterSelector", "FilterSelector 2", "EliminationSelector")
    assert not any(hasattr(one, "scores_") for one in objects)


def test_a_random_member_draws_by_its_name(table):
    halves = StabilitySelector(n_pairs=3, q=5, threshold=0.6)
    one = VotingSelector([halves, "mtd"], random_state=1).fit(*table).result_
    other = VotingSelector(["wilcoxon", "mtd", halves], random_state=1).fit(*table).result_
    np.testing.assert_array_equal(one.ranks[0], other.ranks[2])
    third = VotingSelector([halves, "mtd"], random_state=2).fit(*table).result_
    assert (one.ranks[0] != third.ranks[0]).any()


def test_votes_walk_where_all_members_do():
    assert VotingSelector(["moderated_t", "trend"]).walks
    assert not VotingSelector(["moderated_t", "svm_rfe"]).walks
    assert not VotingSelector(["moderated_t", "trend"], weights="stability").walks


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"selectors": ["pam", "mtd"]}, "'pam', which selects along its own path"),
        ({"selectors": ["all", "mtd"]}, "'all', which ranks nothing"),
        ({"selectors": ["covariates", "mtd"]}, "'covariates', which ranks nothing"),
        ({"selectors": ["vote", "mtd"]}, "'vote', which is a vote itself"),
        ({"selectors": ["mcfs", "mtd"]}, "'mcfs', which takes the table as it is"),
        ({"selectors": ["mtdd", "wilcoxon"]}, "no ranker: did you mean 'mtd'?"),
        ({"selectors": ["a.b:C", "mtd"]}, "own code, 'a.b:C'"),
        ({"selectors": ["mtd"]}, "give a list of 2 members or more"),
        ({"selectors": ["mtd", {"name": "mtd"}]}, "has 'mtd' twice: give each member once"),
        ({"selectors": [{"step": 1}, "mtd"]}, "without a name"),
        ({"selectors": [{"name": "svm_rfe", "steps": 1}, "mtd"]}, "no parameter 'steps'"),
        ({"selectors": [{"name": "svm_rfe", "C": -1}, "mtd"]}, "svm_rfe: C = -1"),
        ({"rule": "bordo"}, "'bordo'"),
        ({"top": 0}, "top"),
        ({"n_subsamples": 1}, "n_subsamples"),
        ({"weights": "stable"}, "'stable'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(table, given, words):
    with pytest.raises(PlanError) as error:
        find_row("vote", RankerRow).validated(given)
    assert words in str(error.value)
    if "selectors" in given or "name" not in words:
        with pytest.raises(PlanError) as error:
            VotingSelector(**given).fit(*table)
        assert words in str(error.value)


@pytest.mark.parametrize("one", [3, FilterSelector, None])
def test_what_is_no_selector_is_refused(table, one):
    with pytest.raises(PlanError, match="give names such as 'moderated_t'"):
        VotingSelector(["mtd", one]).fit(*table)


def test_a_class_of_one_sample_has_no_halves(table):
    X, _ = table
    with pytest.raises(DataError, match="1 sample: each half needs one"):
        VotingSelector(weights="stability").fit(X, np.arange(40) == 0)


def test_a_plan_keeps_members_as_they_were_named():
    row = find_row("vote", RankerRow)
    once = row.validated({"selectors": ("mtd", {"name": "svm_rfe", "step": 1}, {"name": "hhsvm"})})
    assert once == {"selectors": ["mtd", {"name": "svm_rfe", "step": 1.0}, "hhsvm"]}
    assert row.validated(once) == once


def test_what_the_result_tells(table):
    vote = VotingSelector(MIXED, "majority", top=8, size=None).fit(*table)
    found = vote.result_
    told = found.to_dict()
    chosen = set(np.flatnonzero(vote.support_))
    tops = [set(np.flatnonzero(own)) for own in found.leading]
    assert told["n_chosen"] == len(chosen)
    for k, one in enumerate(told["members"]):
        others = [tops[j] for j in range(3) if j != k]
        assert one["shared"] == len(tops[k] & chosen)
        assert one["alone"] == len((tops[k] & chosen) - others[0] - others[1])
        overlap = [len(tops[k] & o) / max(len(tops[k]), len(o)) for o in others]
        assert one["agreement"] == pytest.approx(np.mean(overlap))
    frame = found.frame()
    assert frame["column"].tolist() == [f["column"] for f in told["features"]]
    assert frame["wilcoxon"].tolist() == [f["ranks"][0] for f in told["features"]]
    assert "3 chosen" in found.summary() or f"{len(chosen)} chosen" in found.summary()


def test_evidence_counts_a_feature_of_several_columns_once(table):
    found = VotingSelector(MIXED, top=8).fit(*table).result_
    owner = np.arange(60) // 2
    (evidence,) = found.evidence(owner, [f"g{j}" for j in range(30)])
    assert evidence.kind == "votes"
    votes = found.votes.reshape(30, 2).max(axis=1)
    assert evidence.numbers == {j: votes[j] for j in range(30) if votes[j]}
    assert evidence.content["n_chosen"] <= 8
    assert max(one["shared"] for one in evidence.content["members"]) <= evidence.content["n_chosen"]


def test_the_figure_has_a_mark_for_each_member(table):
    found = VotingSelector(MIXED, top=8).fit(*table).result_
    (chart,) = found.plot().charts
    root = ElementTree.fromstring(chart)
    rows = [g for g in root.iter(f"{NS}g") if g.find(f"{NS}circle") is not None]
    assert len(rows) == 20
    best = found.frame().iloc[0]
    assert rows[0].find(f"{NS}text").text == best["name"]
    places = [float(dot.get("cx")) for dot in rows[0].findall(f"{NS}circle")]
    ranks = best[["wilcoxon", "svm_rfe (step 0.5)", "hhsvm"]].tolist()
    assert sorted(range(3), key=places.__getitem__) == sorted(range(3), key=ranks.__getitem__)
    texts = [e.text for e in root.iter(f"{NS}text")]
    assert texts[-4:] == ["wilcoxon", "svm_rfe (step 0.5)", "hhsvm", "each votes for its first 8"]


@pytest.mark.longer
def test_a_table_that_is_no_matrix_has_the_same_votes_to_the_bit():
    X = np.round(2 * make_data(seed=5, n=30, p=MAX_BLOCK_COLUMNS + 50, informative=4).X) / 2
    dense = replace(make_data(seed=5, n=30, p=MAX_BLOCK_COLUMNS + 50, informative=4), X=X)
    packed = replace(dense, X=Compressed.of(X))
    members = ["moderated_t", "wilcoxon", {"name": "welch_t", "max_p": 0.1}]
    method = {"select": "vote", "sizes": [2, 5], "parameters": {"selectors": members}}
    plan = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "method": [method],
    }
    assert run_in_memory(packed, plan)[3] == run_in_memory(dense, plan)[3]
    method["parameters"] = {"selectors": [*members, "svm_rfe"]}
    with pytest.raises(PlanError, match="looks at all columns at once"):
        run_in_memory(packed, plan)


@pytest.mark.longer
def test_a_study_refuses_a_size_of_its_own_of_rules_that_have_none():
    plan = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "method": [{"select": "vote", "sizes": ["own"]}],
    }
    with pytest.raises(PlanError, match="'vote' has no size of its own: give numbers"):
        run_in_memory(make_data(n=24, p=20), plan)


def test_the_leading_features_of_a_member_are_those_it_selects():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(60, 6)), 10, axis=1) + 0.2 * rng.normal(size=(60, 60))
    y = np.repeat([0, 1], 30)
    X[y == 1, :20] += 1
    part = Part.of(X, y)
    found = VotingSelector(["moderated_t", "cluster"], top=5).rank(part, [5], stream(0))
    assert found.leading.sum(axis=1).tolist() == [5, 5]
    correlations = np.corrcoef(X[:, found.leading[1]].T)[np.triu_indices(5, 1)]
    assert np.abs(correlations).max() < 0.9 < np.abs(np.corrcoef(X[:, found.leading[0]].T)).max()
    assert found.leading[0].tolist() != found.leading[1].tolist()


def test_weights_by_stability_on_a_table_of_few_features():
    """Sets of all features are no choice: at most half of them tell how stable a member is."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 40))
    X[:, :5] += y[:, None]
    X[:, 39] = 1.0
    vote = VotingSelector(["moderated_t", "cluster"], weights="stability", random_state=0)
    weights = {one["name"]: one["weight"] for one in vote.fit(X, y).result_.to_dict()["members"]}
    assert weights["moderated_t"] > weights["cluster"] > 0
