"""Planted sets: frequencies as the model says, and no feature that tells the class alone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare, kstest

from tamis._core.errors import PlanError
from tamis.data import make_planted_interaction

N = 4000


def make(**settings):
    return make_planted_interaction(**{"n_per_class": N, "n_features": 20} | settings)


def columns(data, start):
    return data.X[:, [name.startswith(start) for name in data.feature_names]]


def p_of_independence(x, codes):
    return chi2_contingency([np.bincount(x[codes == c].astype(int), minlength=2) for c in (0, 1)])[
        1
    ]


def test_the_table():
    data = make_planted_interaction(n_per_class=30, n_features=12, order=2, n_interactions=2)
    assert data.shape == (60, 12)
    assert data.X.dtype == np.float64
    assert data.X.flags.c_contiguous
    assert set(np.unique(data.X)) == {0.0, 1.0}
    assert data.classes == ("control", "case")
    assert data.codes.tolist() == [0] * 30 + [1] * 30
    assert data.feature_names[7:] == ("X8", "S1_1", "S1_2", "S2_1", "S2_2")


@pytest.mark.parametrize(("prevalence", "density"), [(0.5, 0.05), (0.2, 0.4), (1.0, 0.1)])
def test_combinations_are_as_frequent_as_the_model_says(prevalence, density):
    data = make(prevalence=prevalence, density=density)
    planted = columns(data, "S1_")
    q = prevalence + (1 - prevalence) * density
    for pattern in product((0, 1), repeat=3):
        by_chance = np.where(pattern, density, 1 - density).prod()
        expected = np.where(pattern, q, 1 - q).prod(), (1 - prevalence) * by_chance
        expected += np.array([0, prevalence if all(pattern) else 0])
        for code in (0, 1):
            found = (planted[data.codes == code] == pattern).all(axis=1).mean()
            error = np.sqrt(expected[code] * (1 - expected[code]) / N)
            assert abs(found - expected[code]) <= 3.5 * error + 1e-12


def test_only_sets_tell_the_class():
    alone, whole = [], []
    for seed in range(40):
        data = make(n_per_class=500, n_interactions=2, random_state=seed)
        alone += [p_of_independence(x, data.codes) for x in columns(data, "S").T]
        for s in ("S1_", "S2_"):
            whole.append(p_of_independence(columns(data, s).all(axis=1), data.codes))
    assert kstest(alone, "uniform", alternative="greater").pvalue > 0.01  # small ones are rare
    assert max(whole) < 1e-10


def test_sets_are_drawn_apart_within_a_class():
    data = make(n_interactions=2)
    both = [columns(data, s)[data.codes == 1].all(axis=1).astype(int) for s in ("S1_", "S2_")]
    assert chi2_contingency(np.histogram2d(*both, bins=2)[0])[1] > 0.01


def test_the_others_are_of_the_density_in_both_classes():
    data = make(n_features=53, density=0.1)
    counts = columns(data, "X").reshape(2, N, 50).sum(axis=1).ravel()
    z2 = (counts - 0.1 * N) ** 2 / (0.1 * 0.9 * N)
    assert chisquare([np.sum(z2 > 1), np.sum(z2 <= 1)], [31.73, 68.27]).pvalue > 0.01


def test_signed_turns_every_second_feature_of_a_set_round():
    plain, signed = make(n_interactions=2), make(n_interactions=2, signed=True)
    low = [name.endswith("_low") for name in signed.feature_names]
    assert signed.feature_names[-3:] == ("S2_1", "S2_2_low", "S2_3")
    assert sum(low) == 2
    assert np.array_equal(signed.X[:, low], 1 - plain.X[:, low])
    assert np.array_equal(np.delete(signed.X, low, axis=1), np.delete(plain.X, low, axis=1))


def test_nothing_is_planted_with_prevalence_0():
    data = make(prevalence=0)
    triples = columns(data, "S").sum(axis=1)
    assert p_of_independence(triples >= 1, data.codes) > 0.01
    assert abs(columns(data, "S").mean() - 0.05) < 0.005


def test_seeds():
    one = make(n_per_class=50)
    assert one.digest() == make(n_per_class=50).digest()
    assert one.digest() != make(n_per_class=50, random_state=1).digest()
    wider = make(n_per_class=50, n_features=40)
    assert np.array_equal(columns(one, "S"), columns(wider, "S"))
    anew = [make(n_per_class=50, random_state=None).digest() for _ in range(2)]
    assert anew[0] != anew[1]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n_per_class": 0}, "n_per_class=0: give a whole number of at least 1"),
        ({"order": 1}, "order=1: give a whole number of at least 2"),
        ({"order": 2.0}, "order=2.0: give a whole number"),
        ({"n_interactions": True}, "n_interactions=True: give a whole number"),
        ({"prevalence": 1.5}, "prevalence=1.5: give a number from 0 to 1"),
        ({"density": float("nan")}, "density=nan: give a number from 0 to 1"),
        ({"density": "low"}, "density='low': give a number from 0 to 1"),
        ({"n_features": 5, "n_interactions": 2}, "n_features=5: give at least 6, for"),
        ({"random_state": -1}, "random_state=-1: give a whole number of at least 0"),
    ],
)
def test_settings_that_are_refused(settings, said):
    with pytest.raises(PlanError, match=said):
        make(**settings)
