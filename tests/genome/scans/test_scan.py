"""Scans of all variants: PLINK's counts, scores of features, folds, strata, permutations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from genome.plink import read_plink, run_plink
from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError, PlanError
from tamis.genome import mtd_scan, open_genotypes, simulate_cohort
from tamis.selection import mtd


@pytest.fixture(scope="module")
def genotypes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scan")
    codes = random_codes(4, 150, 61, missing=0.08)
    codes[7], codes[8, ::2], codes[9] = 3, 1, 1  # no variation, no calls of a class, none at all
    return open_genotypes(write_bed(folder / "made", codes))


def as_features(genotypes):
    X = genotypes.calls().astype(float)
    X[X < 0] = np.nan
    return X


@pytest.mark.longer
@pytest.mark.parametrize("multiclass", ["max", "mean"])
@pytest.mark.parametrize("classes", [2, 3])
def test_scores_are_those_of_single_features(genotypes, classes, multiclass):
    y = np.array(["a", "b", "c"])[np.arange(61) % classes]
    found = mtd_scan(genotypes, y, multiclass=multiclass)
    X = as_features(genotypes)
    X[:, 9] = 0  # a column without values is refused by the filter
    expected = mtd(X, y, discrete_features=True, multiclass=multiclass)
    expected[9] = np.nan
    np.testing.assert_array_equal(found.scores, expected)
    for c, label in enumerate("abc"[:classes]):
        for k, copies in enumerate((2, 1, 0, -1)):
            own = (genotypes.calls()[y == label] == copies).sum(axis=0)
            np.testing.assert_array_equal(found.counts[:, c, k], own)


@pytest.mark.parametrize("name", ["hapmap3_957", "hlc_427"])
def test_counts_are_those_of_plink(name, shared_data, tmp_path):
    stem = shared_data / "genotypes" / name
    genotypes = open_genotypes(stem)
    if name == "hlc_427":
        y, more = None, []
    else:  # its phenotypes are all 2
        labels = pd.read_csv(f"{stem}.labels.tsv", sep="\t", dtype=str)
        y = labels["sex"].to_numpy()
        labels[["FID", "IID", "sex"]].to_csv(
            tmp_path / "sex.txt", sep=" ", index=False, header=False
        )
        more = ["--pheno", "sex.txt"]
    bim = pd.read_csv(f"{stem}.bim", sep=r"\s+", header=None, dtype=str)
    bim[0] = "1"  # of X plink would count women alone
    bim.to_csv(tmp_path / "one.bim", sep="\t", index=False, header=False)
    run_plink(
        "plink1.9",
        tmp_path,
        "--bed",
        f"{stem}.bed",
        "--bim",
        "one.bim",
        "--fam",
        f"{stem}.fam",
        "--model",
        "--allow-no-sex",
        "--nonfounders",
        *more,
    )
    table = read_plink(tmp_path / "out.model").query("TEST == 'GENO'").reset_index()
    found = mtd_scan(genotypes, y)
    # plink prints its minor allele first; ours are those of the file
    frame = found.frame(np.arange(genotypes.shape[1]))
    assert table["SNP"].tolist() == frame["SNP"].tolist()
    turned = (table["A1"] != frame["A1"]).to_numpy()
    for label, column in (("1", "UNAFF"), ("2", "AFF")):
        theirs = np.array([list(map(int, cell.split("/"))) for cell in table[column]])
        ours = frame[[f"{k}_{label}" for k in ("A1A1", "A1A2", "A2A2")]].to_numpy()
        ours[turned] = ours[turned][:, ::-1]
        np.testing.assert_array_equal(ours, theirs)


def test_one_stratum_is_none(genotypes):
    with pytest.raises(DataError, match="strata: all samples are of '0' and none other"):
        mtd_scan(genotypes, strata=["0"] * 61)


def test_folds_are_scanned_as_training_parts(genotypes):
    folds = np.random.default_rng(5).integers(0, 4, 61)
    for strata in (None, np.arange(61) // 31):
        found = mtd_scan(genotypes, folds=folds, strata=strata)
        np.testing.assert_array_equal(found.scores, mtd_scan(genotypes, strata=strata).scores)
        for k, fold in enumerate(found.folds):
            alone = mtd_scan(genotypes, samples=folds != fold, strata=strata)
            np.testing.assert_array_equal(found.fold_scores[k], alone.scores)
            by_place = mtd_scan(genotypes, samples=np.flatnonzero(folds != fold), strata=strata)
            np.testing.assert_array_equal(by_place.scores, alone.scores)


def test_held_out_samples_change_nothing(genotypes, tmp_path):
    """Other calls and labels of the samples left out, same bytes of what is learnt."""
    train = np.arange(61) % 5 != 0
    codes = random_codes(4, 150, 61, missing=0.08)
    other = codes.copy()
    other[:, ~train] = random_codes(99, 150, 61)[:, ~train]
    y = np.arange(61) % 2
    one, two = (
        mtd_scan(open_genotypes(write_bed(tmp_path / "a", own)), labels, train, permutations=25)
        for own, labels in ((codes, y), (other, np.where(train, y, 1)))
    )
    for name in ("scores", "counts", "reached", "largest"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


@pytest.mark.parametrize("strata", [None, "two"])
def test_threads_and_blocks_do_not_matter(genotypes, strata):
    strata = None if strata is None else np.arange(61) % 3 > 0
    one = mtd_scan(genotypes, permutations=30, strata=strata)
    for n_jobs, width in ((2, 7), (1, 1), (4, None), (2, 64)):
        other = mtd_scan(genotypes, permutations=30, strata=strata, n_jobs=n_jobs, width=width)
        for name in ("scores", "counts", "reached", "largest"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert not np.array_equal(
        one.largest, mtd_scan(genotypes, permutations=30, strata=strata, seed=1).largest
    )


def test_missing_labels_are_samples_left_out(genotypes):
    y = np.array(["u", "v"], dtype=object)[np.arange(61) % 2]
    gone = np.arange(61) < 9
    for nothing in (None, np.nan, "", pd.NA):
        labels = y.copy()
        labels[gone] = nothing
        np.testing.assert_array_equal(
            mtd_scan(genotypes, labels).counts, mtd_scan(genotypes, y, samples=~gone).counts
        )


def test_p_values_are_of_the_permutations(genotypes):
    found = mtd_scan(genotypes, permutations=40)
    known = ~np.isnan(found.scores)
    assert found.reached.max() <= 40
    # at least as many permutations have a largest score that reaches it
    assert (found.p_adjusted[known] >= found.p_values[known]).all()
    edge = found.threshold(0.05)
    np.testing.assert_array_equal(found.scores > edge, found.p_adjusted <= 0.05)
    with pytest.raises(PlanError, match="needs 99 permutations"):
        found.threshold(0.01)


def test_strata_take_out_what_is_between_them(tmp_path):
    simulate_cohort(tmp_path / "two", [60, 240], [240, 60], 400, divergence=0.1, seed=1)
    genotypes = open_genotypes(tmp_path / "two")
    plain = mtd_scan(genotypes, permutations=39)
    inside = mtd_scan(genotypes, strata=genotypes.samples.family, permutations=39)
    assert (plain.p_adjusted <= 0.05).sum() > 50
    assert (inside.p_adjusted <= 0.05).sum() == 0


def test_what_is_left_out_is_told(genotypes):
    found = mtd_scan(genotypes, permutations=19)
    reasons = found.dropped().set_index("SNP")["REASON"]
    assert reasons.to_dict() == {
        "v7": "no variation",
        "v8": "called in one class at most",
        "v9": "called in one class at most",
    }
    assert len(found.frame()) == 147
    assert np.isnan(found.scores[[8, 9]]).all()
    assert found.scores[7] == 0
    assert "1 variant: no variation" in found.summary()
    assert found.to_dict()["left_out"]["no variation"] == 1
    best = found.top(5)
    assert (np.diff(found.scores[best]) <= 0).all()
    assert set(found.above(found.scores[best[4]])) >= set(best)


@pytest.mark.parametrize(
    ("asked", "says", "error"),
    [
        ({"y": ["a"] * 61}, "two classes", DataError),
        ({"y": ["a", "b"]}, "61 samples", DataError),
        ({"y": [None] * 61}, "no class of any", DataError),
        ({"y": np.random.default_rng(0).normal(size=61)}, "no class|continuous", ValueError),
        ({"y": [f"s{i}" for i in range(61)]}, "different values", DataError),
        ({"folds": np.zeros(61, int)}, "one only", DataError),
        ({"folds": np.arange(61) % 2}, "no sample of", DataError),
        ({"folds": np.arange(60)}, "whole number for each", DataError),
        ({"strata": ["a"]}, "for each of 61 samples", DataError),
        ({"strata": np.arange(61)}, "none of the strata holds two", DataError),
        ({"samples": [900]}, "from 0 to 60", DataError),
        ({"samples": [True, False]}, "mask of 2", DataError),
        ({"width": 0}, "width = 0", DataError),
        ({"seed": -1}, "seed", PlanError),
        ({"multiclass": "least"}, "'max' or 'mean'", PlanError),
        ({"permutations": -1}, "permutations", PlanError),
    ],
)
def test_what_cannot_be_is_told(genotypes, asked, says, error):
    with pytest.raises(error, match=says):
        mtd_scan(genotypes, **asked)


def test_a_measurement_as_phenotype_is_no_class(tmp_path):
    path = write_bed(
        tmp_path / "q", random_codes(1, 5, 60), phenotypes=[f"1.{i}" for i in range(60)]
    )
    with pytest.raises(DataError, match=r"the phenotype of the files has 60 different values"):
        mtd_scan(open_genotypes(path))


def test_family_wise_error_where_there_is_nothing(tmp_path):
    """Of 120 cohorts without effect, with strata of unlike frequencies in half of them."""
    hits = 0
    for seed in range(120):
        two = seed % 2
        sizes = ([20, 30], [30, 20]) if two else (50, 50)
        simulate_cohort(tmp_path / "null", *sizes, 300, missing=0.02, seed=seed)
        genotypes = open_genotypes(tmp_path / "null")
        strata = genotypes.samples.family if two else None
        found = mtd_scan(genotypes, strata=strata, permutations=39, seed=seed)
        hits += np.nanmin(found.p_adjusted) <= 0.05
    assert hits <= 14  # 6 are expected, and 14 exceeded once in a thousand
    assert hits >= 1
