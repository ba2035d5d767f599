"""Kinship of all pairs, beside counts by hand and plink2, and who is told to be related."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bed_files import MISSING, ONE, codes_of, write_cohort
from common.examples import settings
from common.pedigrees import Founders, copies_of_people
from genome.plink import run_plink
from tamis._core.errors import DataError, PlanError
from tamis.genome import Relatives, find_relatives, open_genotypes, simulate_cohort
from tamis.genome.readers.samples import Samples
from tamis.genome.structure import relatives
from tamis.genome.structure.degrees import RELATIONS
from tamis.genome.structure.relatives import look_for_relatives
from tamis.genome.structure.relatives_result import chance_level
from tamis.kernels.genotypes.kinship import add_pair_counts, count_blocks, sample_planes
from tamis.kernels.genotypes.words import pack_calls

TWIN, PARENT, SIBLINGS, SECOND, THIRD, NONE = range(6)


def run_all(tasks):
    for task in tasks:
        task()


def pair_by_hand(a, b):
    """Counts of two samples' copies, -1 where missing."""
    called = (a >= 0) & (b >= 0)
    a, b = a[called], b[called]
    one, two = a == 1, b == 1
    return [
        (one & two).sum(),
        (abs(a - b) == 2).sum(),
        (one & ~two).sum(),
        (~one & two).sum(),
        (~one & ~two).sum(),
    ]


def kinship_by_hand(a, b):
    """As Manichaikul et al. write it, equation 11."""
    both, opposite, first, second, _ = pair_by_hand(a, b)
    of_one, of_other = both + first, both + second
    smaller = min(of_one, of_other)
    return (both - 2 * opposite) / (2 * smaller) + 0.5 - (of_one + of_other) / (4 * smaller)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 300), st.integers(1, 200), st.integers(0, 10**6), st.booleans())
def test_counts_are_those_by_hand(n, m, seed, some):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (m, n))
    place = np.arange(n)
    if some:  # of the samples, in another order
        place = np.full(n, -1)
        taken = rng.permutation(n)[: max(2, n // 3)]
        place[taken] = np.arange(len(taken))
    else:
        taken = np.arange(n)
    k = len(taken)
    planes = sample_planes(pack_calls(codes), place, k, run_all)
    counts = np.zeros((k * (k - 1) // 2, 5), dtype=np.int32)
    add_pair_counts(planes, 1, k, 0, counts)
    copies = np.array([2, -1, 1, 0])[codes][:, taken]
    for i, j in {(int(rng.integers(1, k)), 0), (k - 1, k - 2), (k - 1, (k - 1) // 2)}:
        by_hand = pair_by_hand(copies[:, i], copies[:, j])
        assert counts[i * (i - 1) // 2 + j].tolist() == by_hand
        blocks = count_blocks(planes, np.array([[i, j]]), 2)
        assert blocks.sum(axis=(0, 1)).tolist() == by_hand
        assert blocks[0, 0].tolist() == pair_by_hand(copies[:128, i], copies[:128, j])


def made(folder, copies, missing=0.01, **more):
    return open_genotypes(write_cohort(folder / "made", codes_of(copies, missing), **more))


def test_kinship_is_that_of_the_paper(tmp_path):
    rng = np.random.default_rng(3)
    copies = rng.binomial(2, rng.uniform(0.05, 0.5, (700, 1)), (700, 30))
    genotypes = made(tmp_path, copies, 0.05)
    found = find_relatives(genotypes, least=-np.inf)
    assert found.pairs.tolist() == [[i, j] for i in range(30) for j in range(i)]
    calls = genotypes.calls()
    by_hand = [kinship_by_hand(calls[i], calls[j]) for i, j in found.pairs]
    np.testing.assert_allclose(found.kinship, by_hand, rtol=1e-12)
    some = find_relatives(genotypes, samples=[7, 2, 9], variants=np.arange(100), least=-np.inf)
    assert some.samples.id.tolist() == ["i7", "i2", "i9"]
    np.testing.assert_allclose(
        some.kinship[0], kinship_by_hand(calls[2, :100], calls[7, :100]), rtol=1e-12
    )


def equal_to_plink(genotypes, stem, folder):
    """All pairs; NSNP of the alpha version of plink2 counts one too many in a pair in 10,000, where
    both miss a call that only one other sample has otherwise than all: there we have it by hand."""
    theirs = pd.read_csv(
        run_plink("plink2", folder, "--bfile", stem, "--make-king-table").with_suffix(".kin0"),
        sep="\t",
        dtype={"#FID1": str, "IID1": str, "FID2": str, "IID2": str},
    )
    ours = find_relatives(genotypes, least=-np.inf).frame()
    assert ours["IID1"].tolist() == theirs["IID1"].tolist()
    assert ours["FID2"].tolist() == theirs["FID2"].tolist()
    odd = ours["NSNP"] != theirs["NSNP"]
    assert odd.mean() < 2e-4
    for name in ("NSNP", "HETHET", "IBS0", "KINSHIP"):
        same = ours[name] if name == "KINSHIP" else ours[name][~odd]
        other = theirs[name] if name == "KINSHIP" else theirs[name][~odd]
        # six digits, of which the last may be rounded the other way
        np.testing.assert_allclose(same, other, rtol=5.1e-6, atol=1e-12)
    return len(ours)


def test_families_equal_plink2(tmp_path):
    make = Founders(1, np.random.default_rng(0).uniform(0.02, 0.5, 3000))
    people = [one for _ in range(8) for one in make.nuclear_family(3)] + make.cousins()
    people += [people[0], make.founder()]
    assert equal_to_plink(made(tmp_path, copies_of_people(people), 0.03), "made", tmp_path) == 946


@pytest.mark.parametrize("name", ["hapmap3_957", "hlc_427"])
def test_shared_cohorts_equal_plink2(name, shared_data, tmp_path):
    path = shared_data / "genotypes" / name
    equal_to_plink(open_genotypes(path), path.resolve(), tmp_path)


def test_relatives_are_told_by_their_degree(tmp_path):
    make = Founders(5, np.random.default_rng(1).uniform(0.1, 0.5, 12_000))
    family = make.nuclear_family(2)
    half = make.child(make.founder(), family[1])
    people = [*family, half, *make.cousins(), *(make.founder() for _ in range(20)), family[2]]
    found = find_relatives(made(tmp_path, copies_of_people(people)))
    told = dict(zip(map(tuple, found.pairs.tolist()), found.relation.tolist(), strict=True))
    twin = len(people) - 1
    assert told == {
        (2, 0): PARENT,
        (2, 1): PARENT,
        (3, 0): PARENT,
        (3, 1): PARENT,
        (3, 2): SIBLINGS,
        (4, 1): PARENT,
        (4, 2): SECOND,
        (4, 3): SECOND,
        (6, 5): THIRD,
        (twin, 0): PARENT,
        (twin, 1): PARENT,
        (twin, 2): TWIN,
        (twin, 3): SIBLINGS,
        (twin, 4): SECOND,
    }
    families = found.families()
    assert len(set(families)) == len(people) - 6
    assert len(set(families[[0, 1, 2, 3, 4, twin]])) == 1
    assert families[5] == families[6]
    kept = found.unrelated()
    assert kept.sum() == 20 + 1 + 2  # of the family father and half sibling
    assert not any(kept[i] and kept[j] for i, j in found.pairs)
    assert found.families(2)[5] != found.families(2)[6]
    assert found.unrelated(1).sum() == 20 + 2 + 2
    bars, dots = found.plot().charts
    assert f"{len(people) * (len(people) - 1) // 2} pairs; dashed" in bars
    assert dots.count("<circle") == len(found.pairs) + len(set(found.relation))
    told = found.summary()
    assert "1 pair of duplicates or twins, 7 parent-child pairs, 2 pairs of siblings" in told
    assert "one person twice or identical twins, such as i27 and i2" in told


def test_relatives_beyond_the_degree_asked_for_are_no_family_and_are_told(tmp_path):
    make = Founders(5, np.random.default_rng(1).uniform(0.1, 0.5, 12_000))
    people = [*make.cousins(), *(make.founder() for _ in range(6))]
    found = find_relatives(made(tmp_path, copies_of_people(people)))
    assert "1 pair of the third degree. 2 people have a relative here" in found.summary()
    near = found.summary(2)
    assert "1 pair of the third degree. None is of the degree that families go by." in near
    assert "No relatives" not in near


def siblings(ids, pairs):
    """Samples of which these pairs are siblings."""
    counts = np.tile(np.array([[900, 0, 500, 500, 1000]], dtype=np.int32), (len(pairs), 1))
    rest = np.zeros(200, np.int64), np.zeros(len(pairs), bool)
    return Relatives(Samples.of_ids(ids), 3000, pairs, counts, 1.0, 0.01, 5.0, 0, *rest)


def test_unrelated_drops_whoever_has_most_relatives():
    pairs = np.array([[1, 0], [2, 0], [3, 0], [5, 4]])
    found = siblings(list("abcdef"), pairs)
    assert found.unrelated().tolist() == [False, True, True, True, True, False]
    assert found.families().tolist() == [0, 0, 0, 0, 1, 1]


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 30), st.integers(0, 10**6))
def test_unrelated_is_that_of_one_removal_after_the_other(n, seed):
    rng = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(n) for j in range(i)])
    pairs = pairs[rng.random(len(pairs)) < rng.random()]
    found = siblings([f"i{k}" for k in range(n)], pairs)
    left = {tuple(pair) for pair in pairs.tolist()}
    expected = np.ones(n, dtype=bool)
    while left:
        gone = max(range(n), key=lambda k: (sum(k in pair for pair in left), k))
        expected[gone] = False
        left = {pair for pair in left if gone not in pair}
    np.testing.assert_array_equal(found.unrelated(), expected)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6))
def test_families_are_the_components_of_the_graph(n, seed):
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rng = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(n) for j in range(i)])
    pairs = pairs[rng.random(len(pairs)) < 2 * rng.random() / n]
    graph = coo_array((np.ones(len(pairs)), pairs.T.reshape(2, -1)), shape=(n, n))
    expected = connected_components(graph, directed=False)[1]
    found = siblings([f"i{k}" for k in range(n)], pairs).families()
    np.testing.assert_array_equal(found, expected)


def test_a_chain_of_relatives_is_one_family():
    order = np.random.default_rng(0).permutation(60)
    found = siblings([f"i{k}" for k in range(60)], np.stack([order[1:], order[:-1]], axis=1))
    assert found.families().max() == 0


def test_nothing_depends_on_threads_bands_or_chunks(tmp_path, monkeypatch):
    make = Founders(2, np.random.default_rng(1).uniform(0.05, 0.5, 900))
    people = [one for _ in range(20) for one in make.nuclear_family(3)]
    genotypes = made(tmp_path, copies_of_people(people))
    whole = find_relatives(genotypes)
    assert len(whole.pairs) > 150
    monkeypatch.setattr(relatives, "BAND_PAIRS", 700)
    monkeypatch.setattr(relatives, "TASK_SAMPLES", 7)
    parts = find_relatives(genotypes, n_jobs=2)
    assert whole.to_dict() == parts.to_dict()
    np.testing.assert_array_equal(whole.histogram, parts.histogram)
    monkeypatch.setattr(relatives, "CHUNK_VARIANTS", 128)
    chunks = find_relatives(genotypes)
    np.testing.assert_array_equal(whole.kinship, chunks.kinship[: len(whole.kinship)])


def test_the_standard_error_is_that_of_unrelated_pairs(tmp_path):
    simulate_cohort(tmp_path / "made", 60, 60, 4000, seed=2)
    found = find_relatives(open_genotypes(tmp_path / "made"), least=-np.inf)
    assert found.kinship.std() == pytest.approx(found.standard_error, rel=0.1)
    rng = np.random.default_rng(0)  # the same in blocks of ten that are nearly copies
    copies = rng.binomial(2, rng.uniform(0.1, 0.5, (400, 1)), (400, 120)).repeat(10, axis=0)
    found = find_relatives(made(tmp_path, copies), least=-np.inf)
    assert found.kinship.std() == pytest.approx(found.standard_error, rel=0.15)
    assert found.standard_error > 0.03


def test_few_variants_list_nobody_by_chance(tmp_path):
    for seed, p in enumerate((5, 60, 200, 600, 2000)):
        simulate_cohort(tmp_path / "made", 80, 80, p, seed=seed)
        found = find_relatives(open_genotypes(tmp_path / "made"))
        assert found.to_dict()["relatives"] == 0, p
        few = found.smallest > 0.5
        assert ("Too few variants" if few else "No relatives") in found.summary()
        assert few == (p < 100)


def test_several_populations_are_told_and_are_no_relatives(tmp_path):
    simulate_cohort(tmp_path / "made", [40, 40, 40], [40, 40, 40], 5000, divergence=0.1, seed=3)
    genotypes = open_genotypes(tmp_path / "made")
    found = find_relatives(genotypes)
    assert found.to_dict()["relatives"] == 0
    assert found.to_dict()["apart"] > 0.6
    assert "several populations, not relatives" in found.summary()
    assert look_for_relatives(genotypes).to_dict()["apart"] > 0.5


def test_hapmap_has_parents_and_siblings(shared_data):
    found = look_for_relatives(open_genotypes(shared_data / "genotypes" / "hapmap3_957"))
    told = found.to_dict()
    assert told["relations"]["parent and child"] == 21
    assert told["relations"]["siblings"] == 26
    assert told["relations"]["duplicate or twin"] == 0


def test_the_liver_cohort_has_people_twice(shared_data):
    found = look_for_relatives(open_genotypes(shared_data / "genotypes" / "hlc_427"))
    assert found.to_dict()["relations"]["duplicate or twin"] == 7


def test_what_cannot_be_looked_at(tmp_path):
    one = made(tmp_path, np.ones((20, 1), dtype=int))
    with pytest.raises(DataError, match="one sample: kinship needs two"):
        find_relatives(one)
    assert look_for_relatives(one) is None
    sexes = made(tmp_path, np.ones((20, 5), dtype=int), chromosome="23")
    with pytest.raises(DataError, match="no variant is on an autosome"):
        find_relatives(sexes)
    assert look_for_relatives(sexes) is None
    for codes in (np.full((90, 5), MISSING), np.zeros((90, 5), dtype=int)):
        none = open_genotypes(write_cohort(tmp_path / "x", codes))
        with pytest.raises(DataError, match="no two samples have heterozygous calls"):
            find_relatives(none)
        assert look_for_relatives(none) is None
    alike = find_relatives(open_genotypes(write_cohort(tmp_path / "x", np.full((90, 5), ONE))))
    assert alike.frame()["KINSHIP"].tolist() == [0.5] * 10
    with pytest.raises(PlanError, match="least"):
        find_relatives(one, least="x")
    with pytest.raises(PlanError, match=r"least=0.2: give a number from -inf to 0.0441"):
        find_relatives(one, least=0.2)


def test_the_limit_is_that_of_all_pairs():
    assert chance_level(1) == pytest.approx(3.0902, abs=1e-4)
    assert chance_level(10**6) > 5.9
    assert len(RELATIONS) == NONE + 1
