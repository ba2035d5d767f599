"""What clumps and scans take for near, alike and significant: at PLINK 1.9's numbers, as
docs/methods/clumping.md and mtd_scan.md have them."""

from __future__ import annotations

import numpy as np
import pytest

from common.bed_files import NONE, TWO, write_cohort
from tamis._core.errors import PlanError
from tamis.genome import clump_variants, mtd_scan, open_genotypes, pair_scan

PEOPLE = 200  # all homozygous, so that their haplotypes are known


def carriers(k: int = 0) -> np.ndarray:
    """Codes of a variant of half the people; of k of these and k of the others exchanged. Its
    correlation with that of k = 0 is 1 - k / 50."""
    has = np.arange(PEOPLE) < PEOPLE // 2
    has[:k], has[PEOPLE - k :] = False, True
    return np.where(has, TWO, NONE)


def clumped(tmp_path, rows, p_values, positions=None, **more):
    """One row a clump, of variants that are called v0, v1, ..."""
    path = write_cohort(tmp_path / "made", np.stack(rows))
    if positions is not None:
        lines = [f"1 v{j} 0 {at} A C\n" for j, at in enumerate(positions)]
        path.with_suffix(".bim").write_text("".join(lines))
    names = [f"v{j}" for j in range(len(rows))]
    return clump_variants(open_genotypes(path), names, p_values, **more).frame()


def test_members_are_counted_by_their_p_values_and_listed_below_one_in_a_hundred(tmp_path):
    p = [1e-9, 0.05, 0.0499, 0.01, 0.0099, 0.001, 0.00099, 0.0001, 0.000099]
    (row,) = clumped(tmp_path, [carriers()] * len(p), p).to_dict("records")
    assert [row[k] for k in ("TOTAL", "NSIG", "S05", "S01", "S001", "S0001")] == [8, 1, 2, 2, 2, 1]
    assert row["SP2"] == "v4(1),v5(1),v6(1),v7(1),v8(1)"


@pytest.mark.parametrize(("p", "clumps"), [(1e-4, 1), (1.01e-4, 0)])
def test_an_index_variant_has_a_p_value_of_one_in_ten_thousand_or_less(tmp_path, p, clumps):
    assert len(clumped(tmp_path, [carriers()] * 2, [p, 0.5])) == clumps


@pytest.mark.parametrize(("exchanged", "r2", "members"), [(14, 0.72**2, 1), (15, 0.7**2, 0)])
def test_members_have_a_squared_correlation_above_one_half(tmp_path, exchanged, r2, members):
    assert np.corrcoef(carriers() == TWO, carriers(exchanged) == TWO)[0, 1] ** 2 == pytest.approx(
        r2
    )
    (total,) = clumped(tmp_path, [carriers(), carriers(exchanged)], [1e-9, 0.5])["TOTAL"]
    assert total == members == (r2 > 0.5)


@pytest.mark.parametrize(("away", "members"), [(249_999, 1), (250_000, 0)])
def test_members_are_nearer_than_250_kb(tmp_path, away, members):
    places = [1_000_000, 1_000_000 + away]
    (total,) = clumped(tmp_path, [carriers()] * 2, [1e-9, 0.5], places)["TOTAL"]
    assert total == members


@pytest.mark.every
@pytest.mark.parametrize("runs", [18, 19, 99])
def test_a_scan_has_a_threshold_from_nineteen_permutations_on(tmp_path, runs):
    """The k-th largest of the permutations' maxima, k / (1 + permutations) being .05."""
    rng = np.random.default_rng(0)
    codes = np.array([0, 2, 3])[rng.binomial(2, 0.4, (30, 60))]
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes))
    scan = mtd_scan(genotypes, np.arange(60) < 23, permutations=runs)
    told, largest = scan.to_dict(), np.sort(scan.largest)
    expected = {18: None, 19: largest[-1], 99: largest[runs - 5]}[runs]
    assert told["threshold"] == expected
    assert runs < 99 or largest[-6] < largest[-5] < largest[-4]
    p = [(1 + (scan.largest >= score).sum()) / (1 + runs) for score in scan.scores]
    np.testing.assert_allclose(scan.p_adjusted, p, rtol=1e-12)
    if runs == 18:
        with pytest.raises(PlanError, match="permutations=19 or more"):
            scan.threshold()
    else:
        np.testing.assert_array_equal(scan.scores > told["threshold"], np.array(p) <= 0.05)
        with pytest.raises(PlanError, match="permutations=199 or more"):
            scan.threshold(0.005)
    np.testing.assert_array_equal(scan.p_values, (1 + scan.reached) / (1 + runs))


def test_a_scan_of_pairs_takes_nineteen_permutations_or_none(tmp_path):
    rng = np.random.default_rng(0)
    codes = np.array([0, 2, 3])[rng.binomial(2, 0.4, (6, 60))]
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes))
    y = np.arange(60) % 2
    for runs in (1, 18):
        with pytest.raises(PlanError, match="give 0, or 19 or more"):
            pair_scan(genotypes, y, permutations=runs)
    found = pair_scan(genotypes, y, permutations=19)
    assert found.level == 0.05
    p = [(1 + (found.maxima >= value).sum()) / 20 for value in found.interaction]
    np.testing.assert_allclose(found.family_p, p)
