"""What every rule learns, to arrays and back; and refused where they are damaged."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tamis._core.errors import ModelError
from tamis._core.interfaces import RuleInput
from tamis._core.registry import find_row, row_names
from tamis._core.rows import RuleRow
from tamis.classifiers.rejection.rule import ByCertainty

RULES = row_names(RuleRow)
GIVEN = {
    "coverage": {"at": 0.7},
    "cost": {"at": 0.2},
    "risk": {"at": 0.2, "confidence": 0.5},
    "conformal": {"at": 0.2},
}
every = pytest.mark.parametrize("name", RULES)


def built(name):
    row = find_row(name, RuleRow)
    return row.build(row.validated(GIVEN.get(name, {})))


def samples(n=80, seed=0):
    """Beliefs that are wrong where they are unsure."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    p = np.clip(0.5 + 0.45 * (2 * y - 1) * rng.random(n) - 0.1 * (2 * y - 1), 0.01, 0.99)
    proba = np.column_stack([1 - p, p])
    codes = proba.argmax(axis=1)
    return RuleInput(np.abs(p - 0.5), codes, proba), y


def stored(rule):
    return {k: np.ascontiguousarray(v, float) for k, v in rule.to_arrays().items()}


@every
def test_read_back_a_rule_declines_the_same(name):
    rule = built(name).fit(*samples())
    again = built(name).from_arrays(stored(rule))
    new, _ = samples(50, seed=1)
    assert again.accepts(new).tolist() == rule.accepts(new).tolist()
    assert stored(again) == stored(rule)
    assert again.report_text().partition(";")[0] == rule.report_text().partition(";")[0]
    declined = ~rule.accepts(new)
    assert declined.any() == (name != "nobody")
    assert not declined.all()


@pytest.mark.parametrize("name", [n for n in RULES if isinstance(built(n), ByCertainty)])
@pytest.mark.parametrize("threshold", [-math.inf, math.inf, 0.0, -3.5, 1e300, 5e-324])
def test_thresholds_of_any_size_are_kept(name, threshold):
    rule = replace(built(name), threshold=threshold)
    arrays = stored(rule)
    assert np.isfinite(arrays["threshold"]).all()
    assert built(name).from_arrays(arrays).threshold == threshold


@every
@pytest.mark.parametrize(
    "damage",
    [
        lambda a: a[None],
        lambda a: a[:0],
        lambda a: np.append(a, a),
        lambda a: a.astype(int),
        lambda a: a.astype(np.float32),
        lambda a: a * np.nan,
        lambda a: a + np.inf,
        lambda a: None,
        lambda a: a.tolist(),
        lambda a: a.astype(str),
    ],
)
def test_damaged_arrays_are_refused(name, damage):
    arrays = stored(built(name).fit(*samples()))
    for key, array in arrays.items():
        with np.errstate(all="ignore"):
            wrong = damage(array)
        with pytest.raises(ModelError) as error:
            built(name).from_arrays({**arrays, key: wrong})
        assert "\n" not in str(error.value)
        with pytest.raises(ModelError):
            built(name).from_arrays({})


@every
def test_fitting_leaves_the_rule_and_what_it_is_given_alone(name):
    rule = built(name)
    before, (told, y) = repr(rule), samples()
    copies = [a.copy() for a in (told.certainty, told.codes, told.proba, y)]
    once = rule.fit(told, y)
    assert repr(rule) == before
    for copy, array in zip(copies, (told.certainty, told.codes, told.proba, y), strict=True):
        assert np.array_equal(copy, array)
    assert stored(once.fit(told, y)) == stored(once)


@every
def test_each_sample_is_accepted_by_itself(name):
    rule = built(name).fit(*samples())
    new, _ = samples(30, seed=2)
    single = [
        rule.accepts(
            RuleInput(new.certainty[i : i + 1], new.codes[i : i + 1], new.proba[i : i + 1])
        )[0]
        for i in range(30)
    ]
    assert single == rule.accepts(new).tolist()
