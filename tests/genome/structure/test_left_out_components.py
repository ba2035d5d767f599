"""Components for a model: training people have the scores that they would have had as new ones."""

from __future__ import annotations

import numpy as np
import pytest

from genome.sets import write_bed
from tamis.genome import genotype_dataset, open_genotypes, principal_components
from tamis.genome.structure import left_out_components as module
from tamis.genome.structure.left_out_components import left_out_components
from tamis.study import run_study


def islands(rng, n, fst=0.01, p=6000, populations=3):
    """Codes of calls (p, n), and whose population they are."""
    f, scale = rng.uniform(0.1, 0.9, p), (1 - fst) / fst
    own = rng.beta(f * scale, (1 - f) * scale, (populations, p))
    label = np.arange(n) % populations
    return np.array([3, 2, 0])[rng.binomial(2, own[label]).T], label


def opened(folder, codes, name="made"):
    return open_genotypes(write_bed(folder / name, codes))


def families(rng, n, size, p=6000):
    """Codes of calls of siblings."""
    f = rng.uniform(0.1, 0.9, p)
    parents = rng.random((n // size, 2, 2, p)) < f
    people = []
    for pair in parents:
        for _ in range(size):
            people.append(
                sum(np.where(rng.random(p) < 0.5, one[0], one[1]).astype(int) for one in pair)
            )
    return np.array([3, 2, 0])[np.array(people).T], np.arange(n) // size


def test_others_have_the_scores_of_the_components_found(tmp_path):
    codes, _ = islands(np.random.default_rng(0), 60)
    genotypes = opened(tmp_path, codes)
    rows = np.arange(50)
    found, _ = left_out_components(genotypes, 10, rows, rows)
    k = found.scores.shape[1]
    assert 2 <= k < 10  # the others are noise
    plain = principal_components(genotypes, k, samples=rows)
    np.testing.assert_allclose(found.scores, plain.scores, atol=1e-10)
    np.testing.assert_allclose(found.loadings, plain.loadings, atol=1e-10)


def test_training_people_are_as_far_from_the_middle_as_new_ones(tmp_path):
    """Of two populations so near each other that a training person's own noise is most of it."""
    ratios, plain = [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        codes, _ = islands(rng, 160, fst=0.006, populations=2)
        genotypes = opened(tmp_path, codes, f"c{seed}")
        rows, others = np.arange(60), np.arange(60, 160)
        found, scores = left_out_components(genotypes, 1, rows, rows)
        new = found.project(genotypes, samples=others)["PC1"].to_numpy()
        ratios.append(scores[:, 0].std() / new.std())
        plain.append(found.scores[:, 0].std() / new.std())
    assert abs(np.mean(ratios) - 1) < 0.12
    assert np.mean(plain) > 1.4


def test_families_are_left_out_together(tmp_path):
    """Siblings know of each other: with one left out alone, its siblings still fit its noise."""
    one, together, plain = [], [], []
    for seed in range(3):
        codes, family = families(np.random.default_rng(seed), 160, 4)
        genotypes = opened(tmp_path, codes, f"f{seed}")
        rows = np.flatnonzero(family < 20)
        found, apart = left_out_components(genotypes, 3, rows, family[rows])
        _, alone = left_out_components(genotypes, 3, rows, np.arange(len(rows)))
        new = found.project(genotypes, samples=np.flatnonzero(family >= 20)).iloc[:, 2:].to_numpy()
        for ratios, scores in ((one, alone), (together, apart), (plain, found.scores)):
            ratios.append(np.sqrt((scores**2).mean() / (new**2).mean()))
    assert abs(np.mean(together) - 1) < 0.15
    assert np.mean(one) > 1.5
    assert np.mean(plain) > 2


@pytest.mark.parametrize("size", [1, 4])
def test_of_very_many_people_blocks_are_left_out(tmp_path, monkeypatch, size):
    """The components of random products are those of all pairs, and so are scores nearly."""
    codes, _ = islands(np.random.default_rng(1), 200, fst=0.02)
    genotypes, rows = opened(tmp_path, codes), np.arange(200)
    exact, near = left_out_components(genotypes, 5, rows, rows // size)
    monkeypatch.setattr(module, "MAX_EXACT_SAMPLES", 100)
    found, scores = left_out_components(genotypes, 5, rows, rows // size)
    assert (exact.exact, found.exact) == (True, False)
    np.testing.assert_allclose(found.loadings[:, :2], exact.loadings[:, :2], atol=1e-3)
    for c in range(2):
        assert np.corrcoef(scores[:, c], near[:, c])[0, 1] > 0.99
        assert scores[:, c].std() == pytest.approx(near[:, c].std(), rel=0.05)


@pytest.mark.quick
def test_random_products_find_the_components_of_all_pairs(tmp_path, monkeypatch):
    """Of few people and variants, families left out together."""
    codes, _ = islands(np.random.default_rng(2), 60, fst=0.1, p=500)
    genotypes, rows = opened(tmp_path, codes), np.arange(60)
    exact, near = left_out_components(genotypes, 2, rows, rows // 3)
    monkeypatch.setattr(module, "MAX_EXACT_SAMPLES", 50)
    found, scores = left_out_components(genotypes, 2, rows, rows // 3)
    assert (exact.exact, found.exact) == (True, False)
    assert scores.shape == near.shape == (60, 2)
    np.testing.assert_allclose(found.loadings, exact.loadings, atol=1e-5)
    np.testing.assert_allclose(found.scores, exact.scores, atol=1e-4)
    for c in range(2):
        assert np.corrcoef(scores[:, c], near[:, c])[0, 1] > 0.99
        assert scores[:, c].std() == pytest.approx(near[:, c].std(), rel=0.1)


def test_blocks_have_whole_groups_and_about_as_many_people(monkeypatch):
    monkeypatch.setattr(module, "N_PEOPLE_BLOCKS", 3)
    groups = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4])  # of 3, 2, 1, 2 and 1
    found = module._blocks_of(groups)
    # the three of group 0; 1 and 2; 3 and 4
    assert [np.flatnonzero(out).tolist() for out in found] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    few = module._blocks_of(np.array([0, 0, 1]))
    assert [out.tolist() for out in few] == [[True, True, False], [False, False, True]]


@pytest.mark.parametrize("left", [0, 1, 10])
def test_a_group_that_is_nearly_all_of_very_many_people_is_taken_apart(tmp_path, monkeypatch, left):
    codes, _ = islands(np.random.default_rng(1), 200, fst=0.02)
    genotypes, rows = opened(tmp_path, codes), np.arange(200)
    monkeypatch.setattr(module, "MAX_EXACT_SAMPLES", 100)
    _, alone = left_out_components(genotypes, 2, rows, rows)
    _, scores = left_out_components(genotypes, 2, rows, np.maximum(rows - 199 + left, 0))
    np.testing.assert_array_equal(scores, alone)


def test_populations_are_told_by_few_people(tmp_path):
    """Three near populations of 20 people: as a study had it by scores of training people on
    components of their own, it could not."""
    codes, label = islands(np.random.default_rng(3), 60, fst=0.012)
    path = write_bed(tmp_path / "made", codes)
    (tmp_path / "people.tsv").write_text(
        "IID\tpopulation\n" + "".join(f"s{i}\tp{c}\n" for i, c in enumerate(label))
    )
    data = genotype_dataset(open_genotypes(path), "population", samples=tmp_path / "people.tsv")
    method = {"select": "all", "prepare": ["genotype_components"], "classify": ["lda"]}
    plan = {
        "method": [method],
        "permutations": 0,
        "outer": {"folds": 5},
        "inner": {"folds": 3, "repeats": 1},
    }
    found = run_study(data, plan, tmp_path / "study").to_dict()
    assert found["metrics"]["bcr"]["mean"] > 0.9
