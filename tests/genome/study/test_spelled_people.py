"""Genotypes: classes, groups, folds, batches and ids that are spelled in two ways in a sheet."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from common.spelled import KINDS, NAMES
from tamis._core.errors import DataError
from tamis.genome import genotype_dataset, mtd_scan, open_genotypes, simulate_cohort
from tamis.genome.readers.classes import groups_of
from tamis.genome.readers.covariates import read_covariates
from tamis.genome.readers.samples import Samples
from tamis.genome.study.cohort import read_people

ROLES = ("target", "group", "split", "batch")
N = 24


@pytest.fixture(scope="module")
def genotypes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cohort")
    simulate_cohort(folder / "made", n_cases=N // 2, n_controls=N // 2, n_variants=20)
    return open_genotypes(folder / "made.bed")


def a_sheet(genotypes, path, kind=None, role=None):
    """People in turn of two values of each role; of one every third is spelled otherwise."""
    columns = {one: [NAMES[k // (1 + at) % 2] for k in range(N)] for at, one in enumerate(ROLES)}
    if kind is not None:
        columns[role] = [KINDS[kind](v) if k % 3 == 2 else v for k, v in enumerate(columns[role])]
    frame = pd.DataFrame({"IID": [str(one) for one in genotypes.samples.id], **columns})
    frame.to_csv(path, sep="\t", index=False)
    return path


def values_of(data, role):
    values = {"target": data.y, "group": data.groups, "split": data.split, "batch": data.batches}
    return values[role].tolist()


@pytest.mark.every
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", KINDS)
def test_spellings_are_refused_unified_or_allowed(kind, role, genotypes, tmp_path):
    sheet = a_sheet(genotypes, tmp_path / "p.tsv", kind, role)
    roles = {"target": "target", role: role}
    right = [NAMES[k // (1 + ROLES.index(role)) % 2] for k in range(N)]

    def people(**how):
        return read_people(genotypes, samples=sheet, **roles, **how)[1]

    def study(**how):
        return genotype_dataset(genotypes, samples=sheet, relatives="ignore", **roles, **how)

    for read in (people, study):
        with pytest.raises(DataError, match=rf"column '{role}' has spellings of one") as error:
            read()
        assert "so that 4 are read for 2" in str(error.value)
        found = read(**error.value.remedy)
        assert values_of(found, role) == right
        assert any("spellings unified" in note for note in found.notes)
        assert len(set(values_of(read(allow=[role]), role))) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_scans_refuse_them(kind, genotypes):
    y = np.array([NAMES[k % 2] for k in range(N)], dtype=object)
    wrong = y.copy()
    wrong[::3] = [KINDS[kind](label) for label in wrong[::3]]
    with pytest.raises(DataError, match=r"y has spellings of one class: .*; write them alike"):
        mtd_scan(genotypes, wrong)
    with pytest.raises(DataError, match="strata has spellings of one stratum: "):
        groups_of(genotypes, y, strata=wrong)
    strata = np.repeat(NAMES, N // 2)
    assert groups_of(genotypes, y, strata=strata).stratum_names == sorted(NAMES)


@pytest.mark.parametrize("kind", KINDS)
def test_ids_that_are_spelled_otherwise_are_named(kind, tmp_path):
    ids = [f"mü {letter}-7" for letter in "abcdef"]
    samples = Samples.of_ids(ids)
    theirs = [*map(KINDS[kind], ids[:2]), *ids[2:]]
    rows = [f"{name}\t{age}" for name, age in zip(theirs, range(6), strict=True)]
    (tmp_path / "c.tsv").write_text("\n".join(["IID\tage", *rows]) + "\n")
    values, _, told = read_covariates(tmp_path / "c.tsv", samples)
    assert np.isnan(values[:2]).all()
    assert told.startswith("c.tsv: 2 rows are no sample as written (")
    assert "an id has to be the same in both" in told


def test_words_of_covariates(tmp_path):
    (tmp_path / "c.tsv").write_text("IID\tsex\na\tm\nb\tM\nc\tf\n")
    with pytest.raises(DataError, match=r"'c.tsv', sex has spellings of one word: 'M' and 'm'"):
        read_covariates(tmp_path / "c.tsv", Samples.of_ids(list("abc")))


def test_levels_of_covariates_are_told_and_unified(genotypes, tmp_path):
    frame = pd.read_csv(a_sheet(genotypes, tmp_path / "p.tsv"), sep="\t")
    frame.assign(sex=["m", "f", "M", "f"] * 6).to_csv(tmp_path / "p.tsv", sep="\t", index=False)
    how = {"samples": tmp_path / "p.tsv", "target": "target", "covariates": ["sex"]}
    people = read_people(genotypes, **how)[1]
    assert people.levels == {0: ("M", "f", "m")}
    assert any("column 'sex': 'M' and 'm' (capitals) are taken" in one for one in people.notes)
    assert read_people(genotypes, **how, unify="sex")[1].levels == {0: ("f", "m")}


def test_unknown_names_are_refused(genotypes, tmp_path):
    sheet = a_sheet(genotypes, tmp_path / "p.tsv")
    for argument in ("unify", "allow"):
        with pytest.raises(DataError, match=f"{argument} names the column 'grup', which 'p.tsv'"):
            genotype_dataset(genotypes, "target", samples=sheet, **{argument: ["grup"]})
    variant = genotype_dataset(genotypes, "target", samples=sheet, relatives="ignore")
    name = variant.feature_names[0]
    for entry in (name, f"{name[:1]}*", "group", "FID"):
        genotype_dataset(genotypes, "target", samples=sheet, relatives="ignore", allow=[entry])
