"""Limits of quality control and of inflated statistics, at the numbers themselves: what
docs/methods/genotype_quality.md says, by exact p-values written out here."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from common.bed_files import MISSING, NONE, ONE, TWO, write_cohort
from tamis.genome import open_genotypes, quality_control
from tamis.genome.quality.inflation import genomic_inflation, inflation_text

REASON = "reason"


def calls(two: int, one: int, none: int, missing: int = 0) -> np.ndarray:
    """Codes of so many samples, in that order."""
    return np.repeat([TWO, ONE, NONE, MISSING], [two, one, none, missing])


def reasons_of(tmp_path, rows, y=None, **limits):
    path = write_cohort(tmp_path / "made", np.stack(rows))
    return quality_control(open_genotypes(path), y, **limits)


def exact_hardy(two: int, one: int, none: int) -> Fraction:
    """Wigginton, Cutler and Abecasis (2005): the probabilities of as rare heterozygote counts."""
    n, copies = two + one + none, 2 * two + one

    def weight(het: int) -> Fraction:
        first = (copies - het) // 2
        ways = comb(n, first) * comb(n - first, het)
        return Fraction(ways * 2**het)

    every = {het: weight(het) for het in range(copies % 2, min(copies, 2 * n - copies) + 1, 2)}
    return sum(w for w in every.values() if w <= every[one]) / sum(every.values())


def test_a_tenth_of_missing_calls_is_too_much(tmp_path):
    """Of 200 samples 20, and of 100 variants 10 of a sample, but not 19 and 9."""
    usual = [calls(40, 90, 70)] * 98
    rows = [np.roll(calls(30, 80, 90 - m, m), 7) for m in (20, 19)]
    found = reasons_of(tmp_path, [*rows, *usual], sample_missing=None)
    assert found.frame()[REASON].tolist() == ["missing calls", *[""] * 99]
    codes = np.stack([calls(40, 90, 70)] * 100)
    codes[:10, 3] = codes[:9, 4] = MISSING
    found = reasons_of(tmp_path, codes)
    assert np.flatnonzero(~found.kept_samples).tolist() == [3]


def test_a_rarer_allele_below_one_in_a_hundred_is_too_rare(tmp_path):
    """Of 400 copies 3, but not 4; of either allele."""
    rows = [calls(0, k, 200 - k) for k in (3, 4)] + [calls(200 - k, k, 0) for k in (3, 4)]
    found = reasons_of(tmp_path, rows)
    assert found.frame()[REASON].tolist() == ["rare allele", "", "rare allele", ""]
    asked = reasons_of(tmp_path, rows, frequency=0.0075)
    assert asked.kept.all()


def test_hardy_weinberg_p_below_one_in_a_million_is_too_small(tmp_path):
    """Of 100 people, on either side of the limit: p = 9.5e-7, 9.4e-7, 1.06e-6 and 1.06e-6."""
    tables = [(12, 14, 74), (12, 75, 13), (5, 72, 23), (9, 10, 81)]
    p = np.array([float(exact_hardy(*table)) for table in tables])
    assert (np.abs(p / 1e-6 - 1) < 0.07).all()
    found = reasons_of(tmp_path, [calls(*table) for table in tables])
    np.testing.assert_allclose(found.frame().hardy_p, p, rtol=1e-9)
    assert (found.frame()[REASON] == "Hardy-Weinberg").tolist() == (p < 1e-6).tolist()
    asked = reasons_of(tmp_path, [calls(*table) for table in tables], hardy=1.2e-6)
    assert not asked.kept.any()


def unlike_missing(tmp_path, lost):
    """What is told of variants of 60 + 60 samples, so many calls missing in either class; and p."""
    y, at = np.repeat(["a", "b"], 60), np.arange(120)
    rows = [
        np.where((at < a) | ((at >= 60) & (at < 60 + b)), MISSING, calls(30, 60, 30))
        for a, b in lost
    ]
    p = np.array([stats.fisher_exact([[a, 60 - a], [b, 60 - b]]).pvalue for a, b in lost])
    limits = dict.fromkeys(["missing", "sample_missing", "hardy", "frequency"])
    return reasons_of(tmp_path, rows, y, **limits).differential(), p


def test_unlike_missing_calls_are_counted_below_1e_5(tmp_path):
    told, p = unlike_missing(tmp_path, [(25, 4), (16, 0), (21, 2), (23, 3), (9, 9)])
    assert ((p < 1e-5) == [True, True, False, False, False]).all()
    assert (np.abs(p[:4] / 1e-5 - 1) < 0.15).all()
    assert told["level"] == 1e-5
    assert told["all"] == told["kept"]
    assert (told["all"]["tested"], told["all"]["below"]) == (5, 2)


@pytest.mark.parametrize(
    ("lost", "times"), [((34, 20), 3), ((20, 8), 3), ((23, 11), 2), ((28, 14), 4)]
)
def test_bonferroni_is_a_family_wise_error_of_five_in_a_hundred(tmp_path, lost, times):
    """One variant of several tested: the product is between .0495 and .0502."""
    told, p = unlike_missing(tmp_path, [lost, *[(9, 9)] * (times - 1)])
    assert p[0] * times == pytest.approx(0.05, abs=5e-4)
    assert told["all"]["bonferroni"] == (p[0] * times < 0.05)


def test_variants_that_tell_of_people_have_a_rarer_allele_of_one_in_twenty(tmp_path):
    """Of 100 copies 5, but not 4; on either side, and in no linkage disequilibrium."""
    from tamis.genome.blocks.calls import count_calls
    from tamis.genome.quality.prune import frequent_pruned

    rng = np.random.default_rng(0)
    rows = [rng.permutation(calls(0, k, 50 - k)) for k in (5, 4)]
    rows += [rng.permutation(calls(50 - k, k, 0)) for k in (5, 4)]
    genotypes = open_genotypes(write_cohort(tmp_path / "made", np.stack(rows)))
    counts = count_calls(genotypes, 1, True)
    assert frequent_pruned(genotypes, counts, 1, True).tolist() == [0, 2]


def test_lambda_gc_is_over_the_median_of_chi_square():
    """P-values of chi-square statistics that are all 1.3 times as large as without inflation."""
    even = stats.chi2.isf((np.arange(999) + 0.5) / 999, 1)
    for factor in (1.0, 1.3):
        found = genomic_inflation(stats.chi2.sf(factor * even, 1))
        assert found == pytest.approx(factor, rel=1e-9)
    assert genomic_inflation(np.array([0.01])) == pytest.approx(
        stats.chi2.isf(0.01, 1) / stats.chi2.median(1)
    )


@pytest.mark.every
@pytest.mark.parametrize("m", [1000, 4000, 40_000])
def test_inflation_is_told_above_1_05_and_beyond_chance(m):
    """A sample median has the standard error 1 / (2 f sqrt(m)), f the density there: of lambda GC
    that is 2.33 / sqrt(m), twice which is let pass."""
    median = stats.chi2.median(1)
    error = 1 / (2 * stats.chi2.pdf(median, 1) * median * math.sqrt(m))
    edge = max(1.05, 1 + 2 * error)
    told, chance, none = "above 1.05: ", "within chance for so few variants", "without inflation"
    assert told in inflation_text(edge * 1.003, m, "look")
    below = inflation_text(edge / 1.003, m, "look")
    assert (chance if edge > 1.0532 else none) in below
    if chance in below:
        assert f"(standard error {error:.2f})" in below
    assert none in inflation_text(1.05, m, "look")
    assert told in inflation_text(1.05 + 2 * error, m, "look")
