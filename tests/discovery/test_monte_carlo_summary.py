"""What is remarked of a Monte Carlo feature selection, and its lines on the terminal."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.data import Dataset
from tamis.data.checks import summarize_columns
from tamis.discovery.monte_carlo_summary import (
    NO_EDGE,
    NOTHING_KEPT,
    _has_mixed_kinds,
    family_test,
    search_remarks,
    summary_text,
)


def remarks(rule="permutations", size=1, edges=1, constant=0, level=0.05, given=(), balance=None):
    """Of a search that gives no cause for any, but for these."""
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[:, :constant] = 1.0
    data = Dataset(X, np.repeat(["a", "b"], 20), tuple("wxyz"))
    settings = {"balance": None, "projections": 10, "second_stage": 2, **dict(given)}
    ranking = {
        "cutoff": {"rule": rule, "size": size, "level": level},
        "accuracy": 0.9,
        "settings": {"balance": balance, "s": 100, "m": 4},
        "features": [{"column": j} for j in range(4)],
    }
    task = SimpleNamespace(data=data, columns=summarize_columns(X), settings=settings)
    return search_remarks(task, ranking, {"edges": [{}] * edges})


PROJECTIONS = "The number of projections was found on the observed classes: the level of the"


@pytest.mark.every
@pytest.mark.parametrize(
    ("given", "begins"),
    [
        ({}, []),
        ({"size": 0}, [NOTHING_KEPT]),
        (
            {"rule": "kmeans"},
            ["The cut-off 'kmeans' is no test: it keeps features of data without"],
        ),
        ({"rule": "kmeans", "size": 0}, [NOTHING_KEPT]),
        ({"edges": 0}, [NO_EDGE]),
        ({"constant": 1}, ["1 feature with one value only: no tree splits there."]),
        ({"constant": 2}, ["2 features with one value only"]),
        ({"given": {"second_stage": 2}}, []),
        ({"given": {"second_stage": 1}}, ["The graph has no second stage: most of its pairs met"]),
        ({"given": {"projections": "auto"}}, [PROJECTIONS]),
        ({"given": {"projections": "auto"}, "level": None}, []),
        ({"given": {"balance": "auto"}}, []),
        ({"balance": 5.0}, []),
        (
            {"given": {"balance": "auto"}, "balance": 5.0},
            [
                "The largest class is more than 5 times the smallest: no tree trained on more than "
                "5 times as many samples of a class as of the smallest (balance)."
            ],
        ),
    ],
)
def test_each_cause_has_its_remark(given, begins):
    found = remarks(**given)
    assert len(found) == len(begins)
    assert all(one.startswith(begin) for one, begin in zip(found, begins, strict=True))


@pytest.mark.parametrize(
    ("features", "maxima", "test"),
    [
        ([{"family_p_value": 0.05}, {"family_p_value": 0.9}], 19, (0.05, 19, 0.05)),
        ([{"family_p_value": 0.5}], 3, (0.5, 3, 0.25)),
        ([{"family_p_value": 0.05}], 0, None),
        ([{}], 19, None),
        ([], 19, None),
    ],
)
def test_the_family_p_is_that_of_the_best_feature(features, maxima, test):
    found = family_test({"features": features, "maxima": [0.1] * maxima})
    assert found == (test and dict(zip(("p_value", "n", "least"), test, strict=True)))


def feature(name, importance, p=None, kept=True):
    tested = {} if p is None else {"family_p_value": p, "p_value": p / 10}
    return {"name": name, "importance": importance, "selected": kept, **tested}


def edge(source, target, weight, se=None):
    return {"source": source, "target": target, "weight": weight, "se": se}


def content(features, edges=(), rules=(), size=None, level=None, test=None):
    size = len(features) if size is None else size
    return {
        "name": "made",
        "data": {"n_samples": 40, "n_features": 1234, "classes": ["a", "b", "c", "d"]},
        "permutation": test,
        "ranking": {
            "cutoff": {"size": size, "rule": "permutations", "level": level},
            "n_trees": 2500,
            "settings": {"m": 35},
            "accuracy": 0.8127,
            "features": features,
        },
        "graph": {"features": features, "edges": list(edges), "preset": {"features": 2}},
        "rules": {"rules": list(rules), "n_rules": 1500},
    }


def test_a_summary_has_features_edges_and_rules():
    conditions = [
        {"feature": "g1", "op": ">", "value": 0.5},
        {"feature": "g\x1b2", "op": "=", "value": "yes"},
    ]
    rule = {"conditions": conditions, "label": "a", "support": 9.0, "correct": 7.0}
    features = [feature("g1", 0.125, 0.05), feature("longer name", 0.0625, 0.5)]
    edges = [
        edge("g1", "longer name", 0.5, 0.0123),
        edge("other", "g1", 0.4),
        edge("g1", "other", 0.4),
        edge("longer name", "g1", 0.25),
    ]
    test = {"p_value": 0.05, "n": 19, "least": 0.05}
    found = content(features, edges, [rule, {**rule, "conditions": []}], level=0.05, test=test)
    assert summary_text(found).splitlines() == [
        "made: 40 samples, 1,234 features; 2,500 trees of 35 features, mean weighted accuracy "
        "0.813 (chance 0.250)",
        "  p        0.05, 19 permuted runs: the least possible (family p of the best feature)",
        "  kept     2 of 1,234 features, by permutations at level 0.05",
        "    feature          RI  family p  single p",
        "    g1            0.125      0.05     0.005",
        "    longer name  0.0625       0.5      0.05",
        "  edges    among the kept: antecedent -> given, weight (standard error)",
        "    g1 -> longer name  0.5 (0.012)",
        "    longer name -> g1  0.25",
        "  rules    best of 1,500, (samples/wrong ones)",
        "    IF g1 > 0.5 AND g?2 = yes THEN a (9.0/2.0)",
        "    IF true THEN a (9.0/2.0)",
    ]


def test_what_is_too_much_for_a_summary_is_counted():
    features = [feature(f"g{k}", 1 / (1 + k)) for k in range(12)]
    edges = [edge(f"g{k}", "g0", 1.0) for k in range(1, 8)]
    rule = {"conditions": [], "label": "a", "support": 9.0, "correct": 7.0}
    lines = summary_text(content(features, edges, [rule] * 7)).splitlines()
    assert lines[1] == "  kept     12 of 1,234 features, by permutations"
    assert lines[2].split() == ["feature", "RI"]
    assert [line.split()[0] for line in lines[3:13]] == [f"g{k}" for k in range(10)]
    assert lines[13] == "    and 2 more"
    assert [line.split()[0] for line in lines[15:20]] == [f"g{k}" for k in range(1, 6)]
    assert len(lines) == 20 + 1 + 5


def test_edges_of_the_best_are_shown_where_hardly_a_feature_is_kept():
    features = [feature("g1", 0.5), feature("g2", 0.25, kept=False), feature("g3", 0.1, kept=False)]
    edges = [edge("g1", "g2", 1.0), edge("g1", "g3", 0.5)]
    lines = summary_text(content(features, edges, size=1)).splitlines()
    assert lines[-2].startswith("  edges    among the best 2: ")
    assert lines[-1] == "    g1 -> g2  1"
    nothing = summary_text(content(features, [edge("g1", "g3", 0.5)], size=0)).splitlines()
    assert nothing[1:] == ["  kept     0 of 1,234 features, by permutations"]


@pytest.mark.parametrize(
    ("columns", "levels", "mixed"),
    [
        ("nn", {}, False),
        ("bn", {}, True),
        ("bb", {}, False),
        ("nn", {0: 3}, True),  # a category of many levels has few values too
        ("cn", {}, False),  # a constant is neither
        ("gn", {}, True),  # two values and gaps
        ("b" + "n" * 9, {}, True),
        ("b" + "n" * 10, {}, False),  # fewer than a tenth
        ("n" + "b" * 10, {}, False),
    ],
)
@pytest.mark.every
def test_few_values_beside_many_numbers_are_remarked_on(columns, levels, mixed):
    rng = np.random.default_rng(0)
    made = {
        "n": lambda: rng.normal(size=12),
        "b": lambda: np.arange(12) % 2.0,
        "c": lambda: np.ones(12),
        "g": lambda: np.where(np.arange(12) % 3 == 0, np.nan, np.arange(12) % 2),
    }
    X = np.column_stack([made[one]() for one in columns])
    for j, n in levels.items():
        X[:, j] = np.arange(12) % n
    names = tuple(f"x{j}" for j in range(len(columns)))
    kinds = {j: tuple("uvw") for j in levels}
    data = Dataset(X, np.repeat(["a", "b"], 6), names, levels=kinds)
    assert _has_mixed_kinds(data, summarize_columns(X)) is mixed
