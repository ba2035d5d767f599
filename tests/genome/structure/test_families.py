"""Families by the genotypes are the groups of a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from genome.sets import write_bed
from tamis._core.errors import DataError, PlanError
from tamis.data.cautions import paired_cautions
from tamis.genome import genotype_dataset, open_genotypes
from tamis.genome.structure import families as module
from tamis.genome.structure.families import find_families
from tamis.metrics import HeldOut, VarianceInflation, effective_units
from tamis.metrics.confusion_matrix import bcr_of
from tamis.metrics.intervals import label_interval, units_of
from tamis.study.plan import Split
from tamis.study.prepare import prepare_study
from tamis.study.protocol.splits import Labels
from tamis.study.results.prose import cited_references, methods_text
from tamis.study.results.sampling import sampling_of


def people(rng, families, alone, p=6000):
    """Codes of calls of sibships of some sizes and of unrelated people, and whose children."""
    f = rng.uniform(0.1, 0.9, p)
    found, of = [], []
    for k, size in enumerate([*families, *[1] * alone]):
        parents = rng.random((2, 2, p)) < f
        for _ in range(size):
            which = rng.random((2, p)) < 0.5
            found.append(np.where(which, parents[:, 0], parents[:, 1]).sum(axis=0))
            of.append(k)
    order = rng.permutation(len(of))
    return np.array([3, 2, 0])[np.array(found)[order].T], np.array(of)[order]


def cohort(tmp_path, families=(4, 4, 2), alone=20, seed=0, **named):
    codes, of = people(np.random.default_rng(seed), families, alone)
    chromosomes = np.arange(len(codes)) * 22 // len(codes) + 1
    return open_genotypes(write_bed(tmp_path / "made", codes, chromosomes=chromosomes)), of


def test_siblings_are_one_group(tmp_path):
    genotypes, of = cohort(tmp_path)
    found = genotype_dataset(genotypes)
    assert len(set(zip(found.groups, of, strict=True))) == len(set(of)) == len(set(found.groups))
    several = np.bincount(of)[of] > 1
    assert np.abs(found.intra_group_correlation[several] - 0.5).max() < 0.05
    assert (found.intra_group_correlation[~several] == 0).all()
    (note,) = [note for note in found.notes if note.startswith("relatives")]
    assert "13 pairs of siblings; 3 families of 10 people, 4 at most" in note
    assert "--relatives ignore" in note


def test_of_unrelated_people_nothing_is_different(tmp_path):
    genotypes, _ = cohort(tmp_path, families=(), alone=40)
    found, plain = genotype_dataset(genotypes), genotype_dataset(genotypes, relatives="ignore")
    assert found.groups is None
    assert found.intra_group_correlation is None
    assert found.notes == plain.notes
    assert found.digest() == plain.digest()


def test_few_variants_tell_few_relatives(tmp_path):
    codes, _ = people(np.random.default_rng(0), (4, 4), 20, p=300)
    genotypes = open_genotypes(write_bed(tmp_path / "made", codes))
    (*_, note) = find_families(genotypes).notes
    assert note.startswith("relatives: a kinship below 0.2")
    of_x = write_bed(tmp_path / "x", codes, chromosomes=[23] * len(codes))
    assert find_families(open_genotypes(of_x)).notes == (
        "relatives are not looked for: there are no variants of the autosomes to find them by",
    )


def test_ignored_or_told_otherwise(tmp_path):
    genotypes, of = cohort(tmp_path)
    assert genotype_dataset(genotypes, relatives="ignore").groups is None
    table = tmp_path / "people.tsv"
    ids = genotypes.samples.id
    rows = "".join(f"{i}\t{k % 2}\t{f}\n" for k, (i, f) in enumerate(zip(ids, of, strict=True)))
    table.write_text("IID\ty\thome\n" + rows)
    own = genotype_dataset(genotypes, "y", samples=table, group="home")
    assert own.intra_group_correlation is None
    assert not [note for note in own.notes if "relatives" in note]
    rows = "".join(f"{i}\t{k % 2}\th{k}\n" for k, i in enumerate(ids))
    table.write_text("IID\ty\thome\n" + rows)
    split = genotype_dataset(genotypes, "y", samples=table, group="home")
    (note,) = [note for note in split.notes if "relatives" in note]
    assert note.startswith("relatives: 13 pairs of 13 up to the third degree are of different")
    assert len(set(split.groups)) == len(ids)
    with pytest.raises(DataError, match=r"relatives = 'no': give 'group' or 'ignore'"):
        genotype_dataset(genotypes, relatives="no")


def test_one_family_is_not_more_than_half(tmp_path, monkeypatch):
    """Where distant relatives join nearly all, only nearer ones are families."""
    genotypes, _ = cohort(tmp_path, families=(12, 2), alone=4)
    found = find_families(genotypes)  # siblings are too near each other to part
    assert np.bincount(found.of).max() == 12
    assert "by relatives up to degree 1 alone" in found.notes[0]
    monkeypatch.setattr(module, "MAX_FAMILY_SHARE", 0.7)
    assert "degree" not in find_families(genotypes).notes[0]


def test_splits_that_families_hinder_say_so(tmp_path):
    genotypes, _ = cohort(tmp_path, families=(20,), alone=0)
    told = "1 group.*; groups are families by the genotypes, which `tamis genome study --relatives"
    with pytest.raises(PlanError, match=told):
        prepare_study(genotype_dataset(genotypes), {})
    table = tmp_path / "people.tsv"
    genotypes, _ = cohort(tmp_path)
    rows = "".join(f"{i}\t{k % 2}\tf{k % 3}\n" for k, i in enumerate(genotypes.samples.id))
    table.write_text("IID\ty\tfold\n" + rows)
    data = genotype_dataset(genotypes, "y", samples=table, split="fold")
    assert data.groups is None
    (note,) = [note for note in data.notes if "relatives" in note]
    assert "up to the third degree are of different folds: results may look too good" in note
    prepare_study(data, {"outer": {"kind": "predefined"}})


def test_relatives_of_unlike_classes_hardly_widen_intervals():
    """By the correlation of two classes' errors, of which siblings have r."""
    codes, family = np.arange(60) % 2, np.repeat(np.arange(30), 2)
    few = np.r_[family[:6], np.arange(100, 154)]  # three pairs of siblings
    r = np.where(few < 100, 0.5, 0.0)
    assert units_of(codes, 2, few)[1] == 1
    assert units_of(codes, 2, few, r)[1] == pytest.approx(0.5 * 3 / 30)
    assert units_of(codes, 2, family, np.full(60, 0.5))[1] == pytest.approx(0.5)
    assert units_of(codes, 2, np.zeros(60), np.full(60, 0.5))[1] == pytest.approx(15 / (1 + 14.5))
    assert units_of(codes, 2, codes, np.full(60, 0.5))[1] == 0  # each family is of one class
    matrix, units = np.array([[20, 10], [10, 20]]), np.array([30.0, 30.0])
    widths = [
        np.ptp(label_interval(bcr_of, matrix, 2 / 3, VarianceInflation(units, shared=shared)))
        for shared in (0.0, 0.05, 1.0)
    ]
    assert widths[2] == pytest.approx(np.sqrt(2) * widths[0])
    assert widths[1] == pytest.approx(np.sqrt(1.05) * widths[0])


def test_families_are_told_in_methods_and_not_cautioned(tmp_path):
    genotypes, _ = cohort(tmp_path)
    data = genotype_dataset(genotypes)
    assert not list(paired_cautions(data))
    plan, _, _ = prepare_study(data, {})
    references = cited_references(plan, data)
    told = methods_text(plan, data, references, (plan.outer, plan.inner))
    assert "Groups were families of relatives by kinship (KING-robust [3]), and intervals" in told
    assert "manichaikul2010" not in [
        r["key"] for r in cited_references(plan, replace(data, intra_group_correlation=None))
    ]
    assert [code for code, _ in paired_cautions(replace(data, intra_group_correlation=None))] == [
        "paired-auc"
    ]


def test_intervals_count_relatives_as_alike_as_they_are():
    codes, groups = np.zeros(100, dtype=int), np.r_[np.zeros(50, dtype=int), np.arange(1, 51)]
    copies = effective_units(codes, 1, groups)[0]
    assert copies == pytest.approx(100**2 / (50**2 + 50))
    assert effective_units(codes, 1, groups, np.ones(100))[0] == copies
    r = np.where(groups == 0, 0.1, 0.0)
    expected = 100**2 / (50 * (1 + 49 * 0.1) + 50)
    assert effective_units(codes, 1, groups, r)[0] == pytest.approx(expected)
    assert effective_units(codes, 1, groups, np.zeros(100))[0] == 100


def test_errors_that_herds_share_count_once():
    """Herds of ten of one class, which two breeds tell: a herd is right or wrong as a whole."""
    herds = np.repeat(np.arange(20), 10)
    y, breed = (herds % 2), np.where(herds < 4, 1 - herds % 2, herds % 2)
    alike = np.full(200, 0.25)
    labels = Labels(y, ("a", "b"), herds.astype(str), intra_group_correlation=alike)
    proba = np.eye(2)[breed]
    folds = [(rows, y[rows], breed[rows], proba[rows]) for rows in np.split(np.arange(200), 5)]
    told = sampling_of(HeldOut.of([folds]), labels, Split(folds=5))
    np.testing.assert_allclose(told.units, 10)
    by_chance = np.random.default_rng(0).integers(0, 2, 200)
    folds = [(rows, y[rows], by_chance[rows], proba[rows]) for rows in np.split(np.arange(200), 5)]
    told = sampling_of(HeldOut.of([folds]), labels, Split(folds=5))
    np.testing.assert_allclose(told.units, 100 / (1 + 9 * 0.25))
