"""What has to hold of every metric: each check takes its row, and names none."""

from __future__ import annotations

import inspect
import math
import pickle
import re
from itertools import permutations

import numpy as np
import pytest

from tamis import metrics
from tamis._core.errors import PlanError
from tamis._core.registry import row_names
from tamis._core.rows import DecisionRow
from tamis.metrics import CRITERIA
from tamis.metrics.beliefs import class_means
from tamis.metrics.ranks import areas_of
from tamis.metrics.registry import COMBINED_CRITERIA
from tamis.study.results.schema import FoldEntry


def sample(C, n=40, seed=0):
    """True codes holding every class, predicted codes, and beliefs with many ties."""
    rng = np.random.default_rng(seed)
    true = np.concatenate([np.arange(C), rng.integers(0, C, n - C)])
    proba = np.round(rng.dirichlet(np.ones(C), n) + 0.3 * np.eye(C)[true], 1) + 0.05
    proba /= proba.sum(axis=1, keepdims=True)
    return true, proba.argmax(axis=1), proba


def has_its_words(metric):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.name)
    assert metric.name not in COMBINED_CRITERIA.keys() | FoldEntry.__annotations__.keys()
    assert metric.label
    assert metric.meaning
    assert metric.definition
    assert not metric.definition.endswith(".")
    for function in (metric.chance_of, metric.constant):  # their docstrings stand in the docs
        assert function is None or function.__doc__
    assert metric.tune in CRITERIA
    assert {metric.decide, metric.decide_two or metric.decide} <= set(row_names(DecisionRow))


def is_made_of_one_thing(metric):
    assert (metric.of_confusion is None) != (metric.of_beliefs is None)
    assert metric.of_pairs is None or metric.of_samples is None
    assert metric.covered or metric.most_classes is None
    made = metric.of_confusion or metric.of_pairs or metric.of_samples
    assert made or not metric.covered


def equals_its_function(metric):
    """On labels as users have them."""
    if not metric.function:
        return
    function = getattr(metrics, metric.function)
    for C in (2, 3):
        true, pred, proba = sample(C)
        given = [true, pred if metric.needs == "labels" else proba]
        if "costs" in inspect.signature(function).parameters:
            given.append(1 - np.eye(C))
        assert metric(true, pred, proba) == pytest.approx(function(*given), abs=1e-12)


def looks_only_at_what_it_needs(metric):
    for C in (2, 3):
        true, pred, proba = sample(C)
        value = metric(true, pred, proba)
        assert type(value) is float
        assert metric.least < value < metric.most
        if metric.needs == "labels":
            assert metric(true, pred, None) == value
            assert math.isnan(metric(true, np.full_like(pred, -1), None))  # all declined
        else:
            assert metric(true, np.zeros_like(pred), proba) == value
            with pytest.raises(PlanError, match="needs class probabilities"):
                metric(true, pred, None)


def is_best_where_all_is_right(metric):
    assert metric.direction in (-1, 1)
    best = metric.most if metric.direction > 0 else metric.least
    for C in (2, 3):
        true, _, _ = sample(C)
        wrong = (true + 1) % C
        assert metric(true, true, np.eye(C)[true]) == pytest.approx(best, abs=1e-12)
        assert metric.least <= metric(true, wrong, np.eye(C)[wrong]) <= metric.most


def does_not_depend_on_the_order_of_classes(metric):
    """But for a metric of the positive of two."""
    rng = np.random.default_rng(0)
    for C in (3,) if metric.of_positive else (2, 3):
        true, pred, _ = sample(C)
        parts = rng.multinomial(13, np.full(C, 1 / C), 4 * len(true))
        first, second = np.sort(parts, axis=1)[:, :-3:-1].T
        proba = parts[first > second][: len(true)] / 13  # of equals the first would win
        value = metric(true, pred, proba)
        for order in permutations(range(C)):
            new = np.array(order)
            moved = np.empty_like(proba)
            moved[:, new] = proba
            assert metric(new[true], new[pred], moved) == pytest.approx(value, abs=1e-12)


def takes_matrices_in_a_stack(metric):
    """Which intervals need."""
    if metric.of_confusion is None:
        return
    for C in (2, 3):
        stack = np.random.default_rng(0).integers(1, 9, (2, 4, C, C))
        own = [[metric.of_confusion(matrix) for matrix in row] for row in stack]
        np.testing.assert_allclose(metric.of_confusion(stack), own, atol=1e-12)


def takes_one_class_and_a_great_many_samples(metric):
    """As resamples have them, and tables of a biobank; nothing is divided by 0, nor overflows."""
    if metric.of_confusion is None:
        return
    for C in (2, 3):
        one = np.zeros((C, C), dtype=np.int64)
        one[0, 0] = 9
        with np.errstate(all="raise"):
            assert not np.isinf(metric.of_confusion(one))
        few = np.random.default_rng(0).integers(1, 9, (C, C))
        assert metric.of_confusion(few * 10**9) == pytest.approx(metric.of_confusion(few))


def is_what_its_interval_is_made_of(metric):
    for C in (2, 3):
        true, pred, proba = sample(C)
        value = metric(true, pred, proba)
        if metric.of_pairs is not None:
            halves = [slice(0, None, 2), slice(1, None, 2)]
            pairs = metric.of_pairs(true, proba)
            assert pairs.shape == (2, C)
            assert areas_of(pairs).mean() == pytest.approx(value, abs=1e-12)
            assert all((metric.of_pairs(true[h], proba[h])[1] <= pairs[1]).all() for h in halves)
        if metric.of_samples is not None:
            numbers = metric.of_samples(true, proba)
            assert numbers.shape == true.shape
            assert ((numbers >= 0) & (numbers <= 1)).all()
            mean = class_means(true, numbers, C).mean() if metric.balanced else numbers.mean()
            if metric.scaled_by is not None:
                mean = 1 - mean / metric.scaled_by(np.bincount(true, minlength=C))
            assert mean == pytest.approx(value, abs=1e-12)


def no_labels_without_the_features_beat_chance_and_some_reach_it(metric, several=(2, 3)):
    """Drawn at random, each class with a probability of its own; and one class for all."""
    if metric.chance_of is None or metric.of_confusion is None:
        return
    for C in several:
        rng = np.random.default_rng(C)
        counts = np.array([120, 48, 72])[:C]
        ways = [*np.eye(C), np.full(C, 1 / C), counts / counts.sum()]
        ways += [*rng.dirichlet(np.ones(C), 30)]
        drawn = np.array([[rng.multinomial(n, q, 2000).T for n in counts] for q in ways])
        drawn = drawn.transpose(0, 3, 2, 1)  # way, draw, predicted, true
        means = metric.direction * metric.of_confusion(drawn).mean(axis=1)
        best = metric.direction * metric.chance(counts)
        near = 0.005 * max(1.0, metric.most)
        assert max(means) == pytest.approx(best, abs=near)
        alone = np.isclose(means[:C], best, rtol=0, atol=1e-12)
        answer = metric.constant(counts) if metric.constant is not None else None
        if answer is None:
            assert alone.all() or not alone.any()
        else:
            assert alone.argmax() == answer
            assert alone.any()


def no_beliefs_without_the_features_beat_chance_and_some_reach_it(metric):
    """Over all orders of the samples: beliefs of any kind, and the same for every sample."""
    if metric.chance_of is None or metric.of_beliefs is None:
        return
    for counts in ((2, 4), (1, 3), (2, 2, 2)):
        C, n = len(counts), sum(counts)
        true = np.repeat(np.arange(C), counts)
        proba = np.random.default_rng(n).dirichlet(np.ones(C), n)  # without ties
        orders = [list(order) for order in permutations(range(n))]
        means = [np.mean([metric(true, true, proba[order]) for order in orders])]
        for same in (*np.eye(C), np.full(C, 1 / C), np.array(counts) / n):
            means.append(metric(true, true, np.tile(same, (n, 1))))
        best = max(metric.direction * mean for mean in means)
        assert best == pytest.approx(metric.direction * metric.chance(counts), abs=1e-9)


def has_no_chance_without_a_formula_or_a_second_class(metric):
    assert (metric.chance([30, 10, 20]) is None) == (metric.chance_of is None)
    assert metric.chance([5, 0]) is None
    assert metric.constant is None or metric.chance_of is not None


def travels_to_other_processes(metric):
    true, pred, proba = sample(3)
    assert pickle.loads(pickle.dumps(metric))(true, pred, proba) == metric(true, pred, proba)


CHECKS = (
    has_its_words,
    is_made_of_one_thing,
    equals_its_function,
    looks_only_at_what_it_needs,
    is_best_where_all_is_right,
    does_not_depend_on_the_order_of_classes,
    takes_matrices_in_a_stack,
    takes_one_class_and_a_great_many_samples,
    is_what_its_interval_is_made_of,
    no_labels_without_the_features_beat_chance_and_some_reach_it,
    no_beliefs_without_the_features_beat_chance_and_some_reach_it,
    has_no_chance_without_a_formula_or_a_second_class,
    travels_to_other_processes,
)
