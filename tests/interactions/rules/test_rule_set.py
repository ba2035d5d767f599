"""Rules and sets of them: counts, p-values, what goes to JSON and CSV."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import PlanError
from tamis.classifiers import C45Classifier
from tamis.interactions import Rule, RuleSet

HOSTILE = ['a"<&>', "b,\nc", "d\t'", "é 基因 > 1"]
KEYS = {
    "conditions",
    "text",
    "label",
    "support",
    "correct",
    "accuracy",
    "coverage",
    "p_value",
    "p_adjusted",
    "trees",
    "test_support",
    "test_accuracy",
}


def some_rules(n=5, label="ill"):
    return tuple(
        Rule(
            ((HOSTILE[i % 4], ">", float(i)), ("z", "=", i)),
            label,
            10,
            5 + i % 5,
            40,
            12,
            i,
            20,
            9,
        )
        for i in range(n)
    )


def made(n=5, label="ill", other="well"):
    default = Rule((), other, 40, 28, 40, 28)
    return RuleSet(some_rules(n, label), (default,), ((label, 12), (other, 28)), 500)


@given(st.data())
def test_p_value_is_the_hypergeometric_tail(data):
    total = data.draw(st.integers(1, 40))
    of_class = data.draw(st.integers(0, total))
    support = data.draw(st.integers(1, total))
    low, high = max(0, support + of_class - total), min(support, of_class)
    correct = data.draw(st.integers(low, high))
    ways = sum(
        math.comb(of_class, k) * math.comb(total - of_class, support - k)
        for k in range(correct, high + 1)
    )
    rule = Rule((("a", ">", 0.0),), "x", float(support), float(correct), total, of_class)
    assert rule.p_value == pytest.approx(ways / math.comb(total, support), rel=1e-9)


def test_what_is_not_known_is_nan():
    rule = Rule((("a", ">", 0.0),), "x", 4.0, 3.0)
    assert rule.accuracy == 0.75
    assert all(np.isnan([rule.coverage, rule.p_value, rule.test_accuracy]))
    assert np.isnan(Rule(rule.conditions, "x", 4.5, 3.0, 10, 5).p_value)  # weights are shares
    row = rule.to_dict()
    assert set(row) == KEYS
    assert [k for k in KEYS if row[k] is None] == [
        k
        for k in KEYS
        if k in {"coverage", "p_value", "p_adjusted", "test_support", "test_accuracy"}
    ]


@given(seed=st.integers(0, 999))
def test_meets_is_a_loop_over_samples(seed):
    rng = np.random.default_rng(seed)
    numbers = np.where(rng.random(30) < 0.2, np.nan, rng.integers(0, 5, 30).astype(float))
    words = rng.choice(np.array(["yes", "no", None], dtype=object), 30)
    rule = Rule((("n", ">", 1.0), ("n", "<=", 3.0), ("w", "=", "yes")), "x", 1, 1)
    slow = [
        not np.isnan(v) and v > 1 and v <= 3 and w == "yes"
        for v, w in zip(numbers, words, strict=True)
    ]
    assert rule.meets(pd.DataFrame({"n": numbers, "w": words})).tolist() == slow
    with pytest.raises(PlanError, match="without conditions"):
        Rule((), "x", 1, 1).meets({})


def test_adjusted_p_values_are_those_of_benjamini_and_hochberg():
    found = made(9)
    p = found.frame()["p_value"].to_numpy()
    slow = [min(p[j] * len(p) / (p <= p[j]).sum() for j in np.flatnonzero(p >= q)) for q in p]
    np.testing.assert_allclose(found.p_adjusted, np.minimum(slow, 1), rtol=1e-12)
    assert (found.frame()["p_adjusted"] == found.p_adjusted).all()


@pytest.mark.parametrize(("label", "other"), [("ill", "well"), (1, 0), (True, False), (2.5, 1.0)])
def test_to_dict_is_json_with_the_agreed_keys(label, other):
    found = made(310, label, other)
    read = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert set(read) == {"rules", "rule_list", "networks", "classes", "n_trees", "n_rules"}
    assert (len(read["rules"]), read["n_rules"], read["n_trees"]) == (300, 310, 500)
    assert set(read["rules"][0]) == set(read["rule_list"][0]) == KEYS
    assert read["rules"][1]["conditions"] == [
        {"feature": HOSTILE[1], "op": ">", "value": 1.0},
        {"feature": "z", "op": "=", "value": 1},
    ]
    assert read["rules"][1]["text"] == f"IF b,\nc > 1 AND z = 1 THEN {label} (10/4)"
    assert read["rules"][3]["test_accuracy"] == 0.45
    assert read["rule_list"][-1]["conditions"] == []
    assert read["classes"] == [
        {"name": str(label), "size": 12.0},
        {"name": str(other), "size": 28.0},
    ]
    assert [network["label"] for network in read["networks"]] == [str(label), str(other)]


def test_networks_are_by_class():
    found = made()
    assert set(found.networks()) == {"ill", "well"}
    assert len(found.network("ill").conditions) == 9
    assert found.network("well").conditions == ()
    with pytest.raises(PlanError, match="label='il' is not a class: did you mean 'ill'"):
        found.network("il")


def test_what_is_read_back_is_equal(tmp_path):
    """Unknown counts are nan, and nan read back is another object."""
    unknown = Rule((("a", ">", 0.5),), "ill", 9.0, float("nan"))
    found = RuleSet((*some_rules(), unknown), (Rule((), "well", 40, 28),), (("ill", 12),), 500)
    joblib.dump(found, tmp_path / "rules.joblib")
    for again in (joblib.load(tmp_path / "rules.joblib"), copy.deepcopy(found)):
        assert again == found
        assert hash(again) == hash(found)
        assert set(again.rules) == set(found.rules)
    assert unknown != replace(unknown, correct=8.0)
    assert unknown != replace(unknown, test_support=3.0)
    assert unknown == replace(unknown, total=40)
    assert unknown != "IF a > 0.5 THEN ill"


def test_codes_are_named():
    found = made(3).named({"z": ["no", "yes", "maybe"]})
    assert [rule.conditions[1][2] for rule in found.rules] == ["no", "yes", "maybe"]
    assert found.rules[1].conditions[0] == made(3).rules[1].conditions[0]


@pytest.mark.parametrize("names", [["no"], []])
def test_a_code_without_a_name_is_refused(names):
    with pytest.raises(PlanError, match="'z' has no name for code"):
        made(3).named({"z": names})


def test_csv_is_the_frame(tmp_path):
    made().to_csv(tmp_path / "rules.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "rules.csv"), made().frame())
    empty = RuleSet((), (), (("a", 1),), 0)
    assert (len(empty.frame()), empty.summary()) == (0, "0 rules of 0 trees, a list of 0 rules")


def test_rules_of_a_c45_tree_know_their_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.where(X[:, 0] > 0.3, "high", "low")
    rules = C45Classifier().fit(X, y).rules()
    assert {rule.label for rule in rules} == {"high", "low"}
    for rule in rules:
        assert (rule.total, rule.of_class) == (90, (y == rule.label).sum())
        assert rule.coverage == 1.0
        assert rule.p_value < 1e-15
