"""Declining samples makes nothing of noise: those decided on are predicted at chance."""

from __future__ import annotations

import numpy as np
import pytest

from common.null_studies import PLAN, SEEDS, at_chance, noise_table
from common.studies import run_in_memory
from tamis.study.results.held_out import held_out

RULES = [
    {"name": "f_beta", "significance": False, "most": 0.5},
    {"name": "fisher", "significance": False, "most": 0.5},
    {"name": "coverage", "at": 0.6},
    {"name": "cost", "at": 6.5},
]
METHODS = [
    {
        "name": rule["name"],
        "select": "moderated_t",
        "sizes": [2, 5],
        "classify": "lda",
        "reject": rule,
    }
    for rule in RULES
]


@pytest.fixture(scope="module")
def found():
    """(rate of those decided on, share of these), study by study, of every rule."""
    rates = {name: [] for name in [*(m["name"] for m in METHODS), "headline"]}
    for seed in SEEDS:
        plan = {**PLAN, "method": METHODS, "seed": seed}
        _, _, design, _, collected = run_in_memory(noise_table(seed), plan)
        for name, choices in {**collected.methods, "headline": collected.headline}.items():
            held = held_out(choices, design.labels.y)
            rates[name].append((held.score("accuracy"), held.coverage))
    return rates


@pytest.mark.parametrize("name", [*(m["name"] for m in METHODS), "headline"])
def test_those_decided_on_are_predicted_at_chance(found, name):
    rates, shares = np.array(found[name]).T
    known = np.isfinite(rates)  # all of a table may be declined
    assert known.mean() > 0.8
    assert at_chance(rates[known])
    assert 0.1 < shares.mean() < 0.95
