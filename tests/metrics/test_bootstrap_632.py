"""The .632+ formula: against the paper's sums, written out, and at its ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.metrics.bootstrap_632 import bootstrap_632_plus, left_out_errors, no_information_rate

rates = st.floats(0, 1)


@given(rates, rates, rates)
def test_the_estimate_lies_between_the_two_errors_it_weighs(apparent, left_out, chance):
    found = bootstrap_632_plus(apparent, left_out, chance)
    assert 0 <= found.overfitting <= 1
    assert 0.632 <= found.weight <= 1 + 1e-12
    low, high = sorted([apparent, left_out])
    assert low - 1e-12 <= found.estimate <= high + 1e-12


@given(rates, rates, rates)
def test_it_is_equation_32_where_chance_caps_nothing(apparent, left_out, chance):
    apparent, left_out, chance = sorted([apparent, left_out, chance])
    if chance - apparent < 1e-9:
        return
    R = (left_out - apparent) / (chance - apparent)
    plain = 0.368 * apparent + 0.632 * left_out
    paper = plain + (left_out - apparent) * 0.368 * 0.632 * R / (1 - 0.368 * R)
    assert bootstrap_632_plus(apparent, left_out, chance).estimate == pytest.approx(paper)


def test_what_is_undefined_stays_undefined():
    found = bootstrap_632_plus(0.1, float("nan"), 0.5)
    assert np.isnan([found.estimate, found.overfitting, found.weight]).all()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=30))
def test_no_information_is_the_error_over_all_pairs(pairs):
    true, said = np.array(pairs).T
    every = np.mean([a != b for a in true for b in said])
    shares, told = (np.bincount(v, minlength=3) / len(v) for v in (true, said))
    assert no_information_rate(shares, told) == pytest.approx(every)
    assert no_information_rate(np.full(3, 1 / 3), told) == pytest.approx(2 / 3)


@given(st.integers(0, 1000))
def test_each_row_is_judged_by_the_samples_without_it(seed):
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(rng.random(6) < 0.4) for _ in range(4)]
    wrong = [rng.random(len(own)) < 0.5 for own in rows]
    found = left_out_errors(rows, wrong, 6)
    for i in range(6):
        own = [w[list(r).index(i)] for r, w in zip(rows, wrong, strict=True) if i in r]
        assert np.isnan(found[i]) if not own else found[i] == pytest.approx(np.mean(own))
