"""Degrees of relationship, what is beyond chance and what is told of it, at the borders of
docs/methods/kinship.md (Manichaikul et al. 2010, table 1)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from common.bed_files import codes_of, write_cohort
from tamis.genome import Relatives, find_relatives, open_genotypes
from tamis.genome.readers.samples import Samples
from tamis.genome.structure.relatives import look_for_relatives
from tamis.genome.structure.relatives_result import chance_level, errors_of
from tamis.genome.structure.relatives_words import degree_caveats, remarks_on_relatives

HETS = 10**7  # variants at which both of a pair are heterozygous: kinship to one in 4 * 10^7


def pairs_of(counts, n=2, variance=1.0, chance=3.0) -> Relatives:
    counts = np.array(counts, dtype=np.int32).reshape(-1, 5)
    pairs = np.array([(i, j) for i in range(n) for j in range(i)][: len(counts)])
    samples = Samples.of_ids([f"i{k}" for k in range(n)])
    histogram = np.zeros(200, dtype=np.int64)
    histogram[100] = n * (n - 1) // 2
    return Relatives(
        samples,
        HETS,
        pairs,
        counts,
        variance,
        0.001,
        chance,
        0,
        histogram,
        np.zeros(len(pairs), bool),
    )


def counts_at(kinship: float, opposite: int = 0) -> list[int]:
    """Of a pair: kinship = 1/2 - (4 b + c + d) / (4 (a + min(c, d))), with d = 0."""
    apart = round(4 * HETS * (0.5 - kinship)) - 4 * opposite
    return [HETS, opposite, apart, 0, 2 * HETS]


@pytest.mark.every
@pytest.mark.parametrize(
    ("kinship", "relation"),
    [
        (0.35356, "duplicate or twin"),  # 2^-1.5 = .353553
        (0.35355, "parent and child"),
        (0.17678, "parent and child"),  # 2^-2.5 = .176777
        (0.17677, "second degree"),
        (0.088389, "second degree"),  # 2^-3.5 = .0883883
        (0.088387, "third degree"),
        (0.044195, "third degree"),  # 2^-4.5 = .0441942
        (0.044193, None),
    ],
)
def test_degrees_have_the_borders_of_king(kinship, relation):
    found = pairs_of([counts_at(kinship)])
    assert found.kinship[0] == pytest.approx(kinship, abs=1e-7)
    told = found.to_dict()["relations"]
    assert told == {name: int(name == relation) for name in told}


@pytest.mark.parametrize(
    ("opposite", "parent"), [(0, True), (199_999, True), (200_000, False), (200_001, False)]
)
def test_parents_have_opposite_homozygotes_at_fewer_than_one_in_fifty(opposite, parent):
    told = pairs_of([counts_at(0.25, opposite)]).to_dict()["relations"]
    assert told["parent and child"] == parent
    assert told["siblings"] == (not parent)


def test_a_kinship_is_told_from_chance_by_its_standard_error():
    """sqrt(variance * variants called) / (4 * the smaller count of heterozygotes)."""
    counts = np.array([[900, 0, 700, 100, 2300]], dtype=np.int32)
    error = np.sqrt(1.7 * 4000) / (4 * 1000)
    assert errors_of(counts, 1.7)[0] == pytest.approx(error)
    kinship = 0.5 - 800 / 4000
    for chance, related in ((kinship / error * 0.999, True), (kinship / error * 1.001, False)):
        found = pairs_of(counts, variance=1.7, chance=chance)
        assert bool(found.to_dict()["relations"]["parent and child"]) == related


@pytest.mark.parametrize("pairs", [1, 4950, 10**7])
def test_in_one_cohort_of_a_thousand_a_pair_is_listed_by_chance(pairs):
    assert pairs * stats.norm.sf(chance_level(pairs)) == pytest.approx(1e-3)


def largest_variance() -> float:
    """Of unrelated people at an allele of frequency 1/2, by all nine pairs of genotypes: the
    variance of h + h' - (x - x')^2, and of half of what sets their heterozygotes apart."""
    share, total = {0: 0.25, 1: 0.5, 2: 0.25}, 0.0
    for x, p in share.items():
        for y, q in share.items():
            het, other = x == 1, y == 1
            even = (het + other - (x - y) ** 2) ** 2
            total += p * q * (even + (1 - 2 / np.pi) * (het - other) ** 2)
    return total


def test_of_few_variants_the_error_is_the_largest_there_can_be(tmp_path):
    """Blocks of 64 variants: of three the error cannot be estimated, of four it is."""
    rng = np.random.default_rng(0)
    copies = rng.binomial(2, rng.uniform(0.1, 0.5, (256, 1)), (256, 40))
    few = find_relatives(
        open_genotypes(write_cohort(tmp_path / "few", codes_of(copies[:192]))), least=-np.inf
    )
    assert largest_variance() < few.variance < 1.15 * largest_variance()
    more = find_relatives(
        open_genotypes(write_cohort(tmp_path / "more", codes_of(copies))), least=-np.inf
    )
    assert more.variance != few.variance


def slow_variance(calls: np.ndarray, width: int) -> float:
    """Of all pairs of samples (n, p), by blocks of so many variants (Cochran 1977, 6.9): squares of
    (1 - 2 kinship) (h + h') - sum (x - y)^2 and 1 - 2 / pi of those of (1 - 2 kinship) (h - h')."""
    found, blocks = [], calls.shape[1] // width
    for i in range(len(calls)):
        for j in range(i):
            x, y = calls[i].reshape(blocks, width), calls[j].reshape(blocks, width)
            one, other = (x == 1).sum(axis=1), (y == 1).sum(axis=1)
            apart = ((x - y) ** 2).sum(axis=1)
            kinship = 0.5 - apart.sum() / (4 * min(one.sum(), other.sum()))
            even = ((1 - 2 * kinship) * (one + other) - apart) ** 2
            uneven = (1 - 2 / np.pi) * ((1 - 2 * kinship) * (one - other)) ** 2
            squares = (even + uneven).sum() * blocks / (blocks - 1)
            found.append(squares / calls.shape[1])
    return float(np.mean(found))


@pytest.mark.parametrize("p", [256, 4096])
def test_the_error_of_a_kinship_is_that_between_blocks(tmp_path, p):
    """Four blocks of 64 variants, and 32 of 128; its median is that of sqrt(p v) / (4 h)."""
    rng = np.random.default_rng(2)
    copies = rng.binomial(2, rng.uniform(0.1, 0.5, (p, 1)), (p, 7))
    made = write_cohort(tmp_path / "made", codes_of(copies))
    found = find_relatives(open_genotypes(made), least=-np.inf)
    expected = slow_variance(copies.T.astype(float), max(64, p // 32))
    assert found.variance == pytest.approx(expected, rel=1e-9)
    hets = (copies == 1).sum(axis=0)
    smaller = [min(hets[i], hets[j]) for i in range(7) for j in range(i)]
    errors = np.sqrt(expected * p) / (4 * np.array(smaller))
    assert found.standard_error == pytest.approx(np.median(errors), rel=1e-9)


def test_the_quick_look_takes_alleles_of_one_in_twenty_or_more(tmp_path):
    """50 people, 100 copies: 5 of them are taken, 4 are not."""
    rng = np.random.default_rng(1)
    copies = rng.binomial(2, 0.4, (300, 50))
    copies[:100] = np.arange(50) < 5
    copies[100:200] = np.arange(50) < 4
    found = look_for_relatives(open_genotypes(write_cohort(tmp_path / "made", codes_of(copies))))
    assert found.n_variants == 200


def told(**more):
    numbers = pairs_of([counts_at(0.25)]).to_dict()
    return {**numbers, "smallest": 0.04, "families": [], "apart": 0.0, "relatives": 0, **more}


@pytest.mark.every
@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"apart": 0.01}, "several populations"),
        ({"apart": 0.0099}, None),
        ({"families": [20], "samples": 99}, "One family holds 20 of 99"),
        ({"families": [20], "samples": 100}, None),  # more than a fifth
        ({"families": [10], "samples": 20}, None),  # more than ten too
        ({"families": [11], "samples": 20}, "One family holds 11 of 20"),
        ({"smallest": 0.0442}, "the third degree begins at .044"),
        ({"smallest": 0.0441}, None),
    ],
)
def test_what_makes_degrees_mean_less_is_told(numbers, words):
    found = degree_caveats(told(**numbers))
    assert len(found) == (words is not None)
    assert words is None or words in found[0]
    others = remarks_on_relatives(told(**numbers), None, "look", None)
    assert len(others) == (numbers.get("apart", 0) >= 0.01)


def few_variants(folder, p, seed=0, n=60, linked=1):
    """Unrelated people over 22 chromosomes, one of them twice; variants in groups."""
    rng = np.random.default_rng(seed)
    rates = rng.uniform(0.2, 0.5, (p // linked, 1))
    copies = np.repeat(rng.binomial(2, rates, (p // linked, n)), linked, axis=0)
    copies = np.hstack([copies, copies[:, 7:8]])
    chromosomes = [str(1 + 22 * j // len(copies)) for j in range(len(copies))]
    return open_genotypes(
        write_cohort(folder / f"p{p}-{seed}-{linked}", codes_of(copies), chromosomes)
    )


def test_a_copy_is_found_by_its_calls_where_variants_are_too_few_for_kinship(tmp_path):
    found = find_relatives(few_variants(tmp_path, 100))
    assert found.smallest > 0.5
    assert found.pairs.tolist() == [[60, 7]]
    assert found.frame()["RELATION"].tolist() == ["duplicate or twin"]
    assert found.unrelated().sum() == 60
    assert (
        "Too few variants to identify relatives: two unrelated people may have" in found.summary()
    )
    assert "1 pair is one person twice or identical twins, such as i60 and i7" in found.summary()


@pytest.mark.parametrize(("p", "linked"), [(8, 1), (60, 20)])
def test_people_who_are_equal_by_chance_are_no_copies(tmp_path, p, linked):
    for seed in range(4):
        found = find_relatives(few_variants(tmp_path, p, seed, linked=linked))
        assert not found.equal.any()
        assert linked > 1 or len(found.pairs) == 0


def test_many_variants_are_enough(tmp_path):
    found = find_relatives(few_variants(tmp_path, 6000))
    assert found.frame()["RELATION"].tolist() == ["duplicate or twin"]
    assert "Too few" not in found.summary()
