"""Made-up cohorts: what is planted is there, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from genome.plink import read_plink, run_plink
from tamis._core.errors import PlanError
from tamis.genome import open_genotypes, simulate_cohort
from tamis.genome.readers.simulate import _allele_frequencies, joint_of_cases


def test_plink_reads_it_and_finds_what_was_planted(tmp_path):
    simulate_cohort(tmp_path / "made", 400, 500, 300, singles=[(7, 2.5)], missing=0.02, seed=2)
    genotypes = open_genotypes(tmp_path / "made")
    assert genotypes.shape == (900, 300)
    assert (genotypes.samples.phenotype == "2").sum() == 400
    calls = genotypes.calls()
    assert (calls < 0).mean() == pytest.approx(0.02, abs=0.002)
    run_plink("plink1.9", tmp_path, "--bfile", "made", "--assoc", "--hardy")
    table = read_plink(tmp_path / "out.assoc")
    assert table["P"].astype(float).idxmin() == 7
    assert float(table["OR"][7]) == pytest.approx(2.5, rel=0.25)
    hardy = read_plink(tmp_path / "out.hwe").query("TEST == 'UNAFF'")["P"].astype(float)
    assert (hardy < 0.05).mean() < 0.1


def test_the_frequencies_are_those_asked_for(tmp_path):
    simulate_cohort(tmp_path / "a", 300, 300, 400, frequencies=(0.2, 0.3), missing=0, seed=5)
    share = open_genotypes(tmp_path / "a").calls().mean(axis=0) / 2
    assert 0.15 < share.min() < 0.23
    assert 0.27 < share.max() < 0.36
    assert share.mean() == pytest.approx(0.25, abs=0.01)


def test_a_pair_acts_together_and_not_alone(tmp_path):
    simulate_cohort(tmp_path / "p", 3000, 3000, 20, pairs=[(3, 11, 4.0)], missing=0, seed=1)
    genotypes = open_genotypes(tmp_path / "p")
    calls, case = genotypes.calls(), genotypes.samples.phenotype == "2"
    for j in (3, 11):
        assert abs(calls[case, j].mean() - calls[~case, j].mean()) < 0.06
    same = (calls[:, 3] > 0) == (calls[:, 11] > 0)
    odds = [same[w].mean() / (1 - same[w].mean()) for w in (case, ~case)]
    assert odds[0] / odds[1] > 2


@pytest.mark.quick
@pytest.mark.parametrize(("divergence", "gap"), [(0.0, 0.0), (1e-9, 1e-3)])
def test_strata_without_divergence_share_their_frequencies(divergence, gap):
    drawn = _allele_frequencies(np.random.default_rng(3), 200, 3, (0.1, 0.4), divergence)
    assert drawn.shape == (200, 3)
    assert 0.1 < drawn.min() < drawn.max() < 0.4
    assert np.ptp(drawn, axis=1).max() <= gap


@pytest.mark.quick
def test_pairs_are_drawn_in_place_of_their_variants_alone(tmp_path):
    """Two of few people: all others have the calls that they have without pairs."""
    for name, pairs in (("alone", []), ("pair", [(3, 1, 9.0)])):
        simulate_cohort(tmp_path / name, 25, 25, 6, pairs=pairs, missing=0, seed=1)
    alone, pair = (open_genotypes(tmp_path / name).calls() for name in ("alone", "pair"))
    differing = (alone != pair).any(axis=0)
    assert differing.tolist() == [False, True, False, True, False, False]
    assert set(np.unique(pair)) == {0, 1, 2}


@pytest.mark.parametrize(("f", "g", "odds"), [(0.3, 0.1, 4.0), (0.5, 0.5, 0.2), (0.05, 0.4, 1.0)])
def test_the_margins_of_a_pair_are_those_of_controls(f, g, odds):
    table = joint_of_cases(f, g, odds)
    np.testing.assert_allclose(table.sum(axis=1), [f * f, 2 * f * (1 - f), (1 - f) ** 2], rtol=1e-9)
    np.testing.assert_allclose(table.sum(axis=0), [g * g, 2 * g * (1 - g), (1 - g) ** 2], rtol=1e-9)
    carriers = table[:2, :2].sum() * table[2, 2] / (table[:2, 2].sum() * table[2, :2].sum())
    if odds == 1:
        assert carriers == pytest.approx(1)
    else:
        assert (carriers > 1) == (odds > 1)


def test_calls_are_missing_among_heterozygous_cases(tmp_path):
    simulate_cohort(tmp_path / "d", 800, 800, 60, differential=0.5, missing=0.01, seed=4)
    genotypes = open_genotypes(tmp_path / "d")
    calls, case = genotypes.calls(), genotypes.samples.phenotype == "2"
    more = (calls[case] < 0).mean(axis=0) - (calls[~case] < 0).mean(axis=0)
    assert 15 < (more > 0.02).sum() < 45


def test_the_seed_decides_and_effects_change_their_variants_alone(tmp_path):
    common = {"missing": 0.01, "seed": 9}
    for name, more in (("a", {}), ("b", {}), ("c", {"singles": [(2, 9.0)]})):
        simulate_cohort(tmp_path / name, 40, 40, 30, **common, **more)
    a, b, c = (open_genotypes(tmp_path / name) for name in "abc")
    assert a.digest() == b.digest()
    changed = np.flatnonzero((a.calls() != c.calls()).any(axis=0))
    assert changed.tolist() == [2]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"n_variants": 0}, "n_variants"),
        ({"n_cases": 0}, "at least one of each"),
        ({"n_cases": [5, 5]}, "as many numbers"),
        ({"missing": 1.0}, "missing = 1.0"),
        ({"singles": [(99, 2.0)]}, "numbered from 0"),
        ({"singles": [(1, 2.0)], "pairs": [(1, 2, 2.0)]}, "different variants"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, asked, says):
    given = {"n_cases": 5, "n_controls": 5, "n_variants": 10, **asked}
    with pytest.raises(PlanError, match=says):
        simulate_cohort(tmp_path / "x", **given)
    assert not list(tmp_path.iterdir())
