"""Penetrance tables against sums written out, and samples against the tables."""

from __future__ import annotations

import re
from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare, kstest

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.data import EpistasisModel, epistasis_model, make_epistasis

XOR = np.array([[0, 0.1, 0], [0.1, 0, 0.1], [0, 0.1, 0]])
DIAGONAL = np.array([[0, 0, 0.1], [0, 0.05, 0], [0.1, 0, 0]])


def frequencies(maf):
    return [(1 - maf) ** 2, 2 * maf * (1 - maf), maf**2]


def slow_heritability(model):
    w, k = frequencies(model.maf), model.prevalence
    genotypes = product(range(3), repeat=model.penetrance.ndim)
    variance = sum(prod(w[i] for i in g) * (model.penetrance[g] - k) ** 2 for g in genotypes)
    return variance / (k * (1 - k))


def slow_marginals(model):
    """Penetrance given the genotypes at each proper subset of the loci."""
    w, order = frequencies(model.maf), model.penetrance.ndim
    found = {}
    for size in range(order):
        for kept in combinations(range(order), size):
            found[kept] = np.zeros((3,) * size)
            for g in product(range(3), repeat=order):
                weight = prod(w[g[axis]] for axis in range(order) if axis not in kept)
                found[kept][tuple(g[axis] for axis in kept)] += weight * model.penetrance[g]
    return found


def greatest(error):
    return float(re.search(r"is (\S+); ask for less", str(error.value))[1])


def p_of_independence(cells, codes):
    counts = np.array([np.bincount(cells[codes == c].astype(int), minlength=81) for c in (0, 1)])
    return chi2_contingency(counts[:, counts.any(axis=0)])[1]


@pytest.mark.longer
@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 4),
    st.floats(0.05, 0.5),
    st.floats(0, 1),
    st.none() | st.floats(0.05, 0.95),
    st.integers(0, 2**32),
)
def test_a_model_is_pure_and_strict_and_of_the_heritability(order, maf, share, prevalence, seed):
    with pytest.raises(PlanError, match="the greatest found") as error:
        epistasis_model(order, maf, 1.0, seed, prevalence=prevalence)
    heritability = 0.99 * share * greatest(error)
    model = epistasis_model(order, maf, heritability, seed, prevalence=prevalence)
    assert model.penetrance.shape == (3,) * order
    assert model.penetrance.min() >= 0
    assert model.penetrance.max() <= 1
    assert prevalence in (None, model.prevalence)
    assert abs(model.heritability - heritability) <= 1e-12
    assert abs(slow_heritability(model) - heritability) <= 1e-12
    slow, fast = slow_marginals(model), model.marginals()
    assert list(slow) == list(fast)
    for kept in slow:
        assert np.abs(slow[kept] - model.prevalence).max() <= 1e-12
        assert np.abs(fast[kept] - model.prevalence).max() <= 1e-12


@pytest.mark.parametrize(
    ("table", "prevalence", "heritability"), [(XOR, 0.05, 0.053), (DIAGONAL, 0.025, 0.051)]
)
def test_published_tables(table, prevalence, heritability):
    """Ritchie, Hahn & Moore (2003), Genet. Epidemiol. 24:150-157."""
    model = EpistasisModel(table, 0.5, prevalence)
    assert round(model.heritability, 3) == heritability
    for found in model.marginals().values():
        assert np.abs(found - prevalence).max() < 1e-15


def test_marginals_of_a_table_that_is_not_pure():
    table = np.random.default_rng(0).uniform(size=(3, 3, 3))
    model = EpistasisModel(table, 0.3, 0.5)
    slow, fast = slow_marginals(model), model.marginals()
    for kept in slow:
        assert np.allclose(slow[kept], fast[kept], rtol=1e-14)


def test_the_prevalence_is_the_possible_one_nearest_to_one_half():
    assert epistasis_model(heritability=0.01).prevalence == 0.5
    pressed = epistasis_model(heritability=0.4)
    assert pressed.prevalence != 0.5
    assert min(pressed.penetrance.min(), 1 - pressed.penetrance.max()) < 1e-12


def test_no_heritability_is_no_effect():
    assert (epistasis_model(heritability=0).penetrance == 0.5).all()


@pytest.mark.parametrize("order", [2, 3])
def test_samples_have_the_genotypes_of_their_class(order):
    asked = {"order": order, "heritability": 0.05, "maf": 0.3, "random_state": 3}
    model = epistasis_model(**asked)
    data = make_epistasis(8000, order, **asked)
    cells = np.ravel_multi_index(data.X.T.astype(int), (3,) * order)
    for code in (0, 1):
        counts = np.bincount(cells[data.codes == code], minlength=3**order)
        assert chisquare(counts, 4000 * model.given(code == 1).ravel()).pvalue > 0.01
    assert p_of_independence(cells, data.codes) < 1e-10


def test_only_all_loci_together_tell_the_class():
    alone, pairs = [], []
    for seed in range(40):
        data = make_epistasis(
            1000, 3, order=3, heritability=0.05, maf=0.3, prevalence=0.3, random_state=seed
        )
        alone += [p_of_independence(x, data.codes) for x in data.X.T]
        pairs.append(p_of_independence(3 * data.X[:, 0] + data.X[:, 1], data.codes))
    assert kstest(alone, "uniform", alternative="greater").pvalue > 0.01  # small ones are rare
    assert kstest(pairs, "uniform", alternative="greater").pvalue > 0.01


def test_other_loci_are_in_hardy_weinberg_proportions():
    X = make_epistasis(4000, 202).X[:, :200]
    maf = X.mean(axis=0) / 2
    assert kstest(maf, "uniform", (0.05, 0.45)).pvalue > 0.01
    many = make_epistasis(4000, 2002).X[:, :2000].mean(axis=0) / 2
    near = [(many < 0.0625).mean(), (many > 0.4875).mean()]  # a share of 1/36 either end
    np.testing.assert_allclose(near, 1 / 36, atol=4 * np.sqrt(1 / 36 / 2000))
    expected = 4000 * np.array([frequencies(m) for m in maf])
    counts = np.array([np.bincount(x.astype(int), minlength=3) for x in X.T])
    ps = [chisquare(c, e, ddof=1).pvalue for c, e in zip(counts, expected, strict=True)]
    assert kstest(ps, "uniform").pvalue > 0.01


def test_the_table():
    data = make_epistasis(101, 10, order=2, n_models=2)
    assert data.shape == (101, 10)
    assert data.X.dtype == np.float64
    assert data.X.flags.c_contiguous
    assert set(np.unique(data.X)) == {0.0, 1.0, 2.0}
    assert data.classes == ("control", "case")
    assert data.codes.tolist() == [0] * 51 + [1] * 50
    assert data.feature_names[5:] == ("N6", "M0P1", "M0P2", "M1P1", "M1P2")


def test_every_model_has_its_own_loci():
    data = make_epistasis(6000, 4, heritability=0.1, maf=0.3, n_models=2)
    cells = [np.ravel_multi_index(data.X.T[2 * m : 2 * m + 2].astype(int), (3, 3)) for m in (0, 1)]
    for m in (0, 1):
        model = epistasis_model(heritability=0.1, maf=0.3, model=m)
        counts = np.bincount(cells[m][data.codes == 1], minlength=9)
        assert chisquare(counts, 3000 * model.given(True).ravel()).pvalue > 0.01
    joint = np.histogram2d(*(c[data.codes == 1] for c in cells), bins=9)[0]
    assert chi2_contingency(joint)[1] > 0.01


def test_seeds():
    one = make_epistasis(60, 10)
    assert one.digest() == make_epistasis(60, 10).digest()
    assert one.digest() != make_epistasis(60, 10, random_state=1).digest()
    assert np.array_equal(one.X[:, -2:], make_epistasis(60, 30).X[:, -2:])
    anew = [make_epistasis(60, 10, random_state=None).digest() for _ in range(2)]
    assert anew[0] != anew[1]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n_samples": 1}, "n_samples=1: give a whole number of at least 2"),
        ({"order": 1}, "order=1: give a whole number of at least 2"),
        ({"order": 5}, "order=5: give 2 to 4"),
        ({"maf": 0.6}, "maf=0.6: give a number from 0.01 to 0.5"),
        ({"heritability": -0.1}, "heritability=-0.1: give a number from 0 to 1"),
        ({"prevalence": 0}, "prevalence=0: give a number from 0.001 to 0.999"),
        ({"n_models": 0}, "n_models=0: give a whole number of at least 1"),
        ({"n_features": 3, "n_models": 2}, "n_features=3: give at least 4, for n_models=2"),
        ({"heritability": 0.9}, r"heritability=0.9: the greatest found .* maf=0.2 is 0\.5"),
        ({"heritability": 0.9, "prevalence": 0.1}, "maf=0.2 and prevalence=0.1 is 0"),
        ({"random_state": "one"}, "random_state='one': give a whole number of at least 0"),
    ],
)
def test_settings_that_are_refused(settings, said):
    with pytest.raises(PlanError, match=said):
        make_epistasis(**settings)
