"""Principal components against the singular values of the whole table, and PLINK's."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from common.bed_files import MISSING, ONE, codes_of, write_cohort
from genome.plink import run_plink
from tamis._core.errors import DataError, PlanError
from tamis.genome import open_genotypes, principal_components, prune_variants, simulate_cohort
from tamis.genome.blocks import standard as standard_module
from tamis.genome.readers import genotypes as genotypes_module
from tamis.genome.structure import relationships
from tamis.kernels.genotypes.standardized import standard_values

COPIES = np.array([2.0, np.nan, 1.0, 0.0])
NUMBERS = ("scores", "eigenvalues", "share", "loadings", "frequencies", "columns", "residuals")


def draw_strata(seed=0, n=90, p=300, missing=0.05):
    """Codes of three populations."""
    rng = np.random.default_rng(seed)
    shared = rng.uniform(0.1, 0.5, (p, 1))
    frequency = np.clip(shared + rng.normal(0, 0.1, (p, 3)), 0.05, 0.95)
    copies = rng.binomial(2, frequency[:, np.arange(n) % 3])
    return codes_of(copies, missing, seed)


def slow_table(codes, frequency=None):
    """Standardised genotypes (n, m), and frequencies."""
    copies = COPIES[codes]
    f = np.nanmean(copies, axis=1, keepdims=True) / 2 if frequency is None else frequency[:, None]
    return np.nan_to_num((copies - 2 * f) / np.sqrt(2 * f * (1 - f))).T, f[:, 0]


def same_vectors(found, wanted, tolerance):
    cosine = (found * wanted).sum(axis=0)
    cosine /= np.linalg.norm(found, axis=0) * np.linalg.norm(wanted, axis=0)
    return np.allclose(np.abs(cosine), 1, atol=tolerance)


def same_bytes(one, other):
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in NUMBERS)


@pytest.fixture
def cohort(tmp_path):
    return open_genotypes(write_cohort(tmp_path / "made", draw_strata()))


@pytest.mark.parametrize("method", ["exact", "randomized"])
@pytest.mark.parametrize("missing", [0, 0.1])
def test_singular_values_of_the_table(tmp_path, method, missing):
    codes = draw_strata(missing=missing)
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes))
    found = principal_components(genotypes, 3, variants=np.arange(300), method=method)
    table, frequency = slow_table(codes)
    left, values, right = np.linalg.svd(table / np.sqrt(300), full_matrices=False)
    assert found.exact == (method == "exact")
    assert np.allclose(found.eigenvalues, values[:3] ** 2, rtol=1e-7)
    assert np.allclose(found.share, values[:3] ** 2 / (values**2).sum(), rtol=1e-7)
    assert np.allclose(found.frequencies, frequency)
    assert same_vectors(found.scores, left[:, :3], 1e-7)
    assert same_vectors(found.loadings, right[:3].T, 1e-7)
    assert np.allclose((found.scores**2).sum(axis=0), found.eigenvalues)
    assert np.allclose(table @ found.loadings / np.sqrt(300), found.scores, atol=1e-3)
    largest = np.abs(found.loadings).argmax(axis=0)
    assert (found.loadings[largest, range(3)] > 0).all()
    assert (found.residuals <= 1e-4).all()


def test_which_variants_are_used(tmp_path):
    codes = draw_strata(1, p=60)
    codes[3] = 0  # no variation
    codes[7] = MISSING
    codes[9, :86], codes[9, 86:] = 0, ONE  # rare
    codes[21] = codes[20]
    chromosomes = ["1"] * 50 + ["X"] * 5 + ["MT"] * 5
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes, chromosomes))
    found = principal_components(genotypes, 2)
    assert set(found.columns) <= set(range(50)) - {3, 7, 9}
    assert (20 in found.columns) + (21 in found.columns) <= 1
    f = slow_table(codes[found.columns])[1]
    assert (np.minimum(f, 1 - f) >= 0.05).all()
    frequent = np.setdiff1d(np.arange(50), [3, 7, 9])
    frequent = frequent[np.minimum(*two_sides(slow_table(codes[frequent])[1])) >= 0.05]
    pruned = prune_variants(genotypes.subset(variants=frequent))
    assert found.columns.tolist() == frequent[pruned].tolist()
    # what is given is taken, but for what does not vary
    mask = np.ones(60, dtype=bool)
    mask[30:] = False
    given = principal_components(genotypes, 2, variants=mask)
    assert given.columns.tolist() == [j for j in range(30) if j not in (3, 7)]
    assert given.variants.id.to_pylist() == [f"v{j}" for j in given.columns]
    by_id = principal_components(genotypes, 2, variants=[f"v{j}" for j in range(30)])
    assert same_bytes(by_id, given)
    part = genotypes.subset(variants=np.arange(10, 60))
    again = principal_components(part, 2, variants=np.arange(20))
    assert again.columns.tolist() == list(range(20))
    assert again.variants.id.to_pylist()[0] == "v10"


def two_sides(f):
    return f, 1 - f


@pytest.mark.parametrize("method", ["exact", "randomized"])
def test_blocks_threads_and_files_change_nothing(tmp_path, method, monkeypatch):
    codes = draw_strata(n=150, p=700)
    whole = open_genotypes(write_cohort(tmp_path / "whole", codes))
    monkeypatch.setattr(standard_module, "MAX_BLOCK_VARIANTS", 100)
    monkeypatch.setattr(relationships, "BAND_SAMPLES", 40)
    wanted = principal_components(whole, 4, method=method)
    assert same_bytes(principal_components(whole, 4, method=method, n_jobs=3), wanted)
    monkeypatch.setattr(genotypes_module, "BLOCK_BYTES", 60)
    monkeypatch.setattr(standard_module, "KEPT_BYTES", 0)
    assert same_bytes(principal_components(whole, 4, method=method, n_jobs=2), wanted)
    one, two = (
        write_cohort(tmp_path / name, codes[at])
        for name, at in (("one", slice(0, 333)), ("two", slice(333, 700)))
    )
    several = open_genotypes([f"{one}.bed", f"{two}.bed"])
    assert same_bytes(principal_components(several, 4, method=method), wanted)
    other = principal_components(whole, 4, method=method, seed=1)
    assert np.allclose(other.eigenvalues, wanted.eigenvalues, rtol=1e-6)


def test_held_out_samples(tmp_path):
    codes = draw_strata()
    rows = np.random.default_rng(1).permutation(90)
    train, held = rows[:60], rows[60:]
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes))
    found = principal_components(genotypes, 3, samples=train)
    scores = found.project(genotypes, samples=held)
    table, _ = slow_table(codes[found.columns][:, held], found.frequencies)
    wanted = table @ found.loadings / np.sqrt(len(found.columns))
    assert np.allclose(scores[["PC1", "PC2", "PC3"]], wanted, atol=1e-12)
    assert scores.IID.tolist() == [f"i{i}" for i in held]
    # those it was fitted to are where they were
    again = found.project(genotypes, samples=train)
    assert np.allclose(again.iloc[:, 2:], found.scores, atol=1e-9)
    # nothing of those held out is used: other calls of theirs change nothing
    changed = codes.copy()
    changed[:, held] = np.random.default_rng(2).integers(0, 4, (300, 30))
    other = open_genotypes(write_cohort(tmp_path / "other", changed))
    assert same_bytes(principal_components(other, 3, samples=train), found)
    # and each is looked at by itself
    alone = [found.project(genotypes, samples=[i]).iloc[0, 2:].tolist() for i in held]
    assert np.allclose(np.array(alone, dtype=float), wanted, atol=1e-12)


def test_variants_of_another_file(tmp_path):
    codes = draw_strata()
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes))
    found = principal_components(genotypes, 2)
    wanted = found.project(genotypes)
    rng = np.random.default_rng(3)
    order = rng.permutation(300)
    turned = rng.random(300) < 0.5
    mixed = codes[order]
    mixed[turned] = np.array([3, 1, 2, 0])[mixed[turned]]
    path = write_cohort(tmp_path / "other", mixed)
    lines = [
        f"chr1 name{k} 0 {j + 1} {'C A' if turned[k] else 'A C'}\n" for k, j in enumerate(order)
    ]
    (tmp_path / "other.bim").write_text("".join(lines))
    scores = found.project(open_genotypes(path), n_jobs=2)
    assert np.allclose(scores.iloc[:, 2:], wanted.iloc[:, 2:], atol=1e-12)
    place = int(np.flatnonzero(order == found.columns[5])[0])
    (tmp_path / "other.bim").write_text("".join(lines).replace(lines[place], "1 x 0 9999 A C\n"))
    with pytest.raises(DataError, match="1 variant of the components not there"):
        found.project(open_genotypes(path))
    spare = (
        int(np.flatnonzero(~np.isin(order, found.columns))[0]) if len(found.columns) < 300 else 0
    )
    twice = list(lines)
    twice[spare] = lines[place]
    (tmp_path / "other.bim").write_text("".join(twice))
    with pytest.raises(DataError, match=r"several times|not there"):
        found.project(open_genotypes(path))


def test_tables_and_words(cohort):
    found = principal_components(cohort, 2)
    frame = found.frame()
    assert list(frame.columns) == ["FID", "IID", "PC1", "PC2"]
    assert frame.IID.tolist() == [f"i{i}" for i in range(90)]
    assert json.loads(json.dumps(found.to_dict()))["components"] == 2
    assert "2 principal components of 90 samples" in found.summary()
    assert "random vectors" in principal_components(cohort, 2, method="randomized").summary()
    assert {f.name for f in fields(found)} >= set(NUMBERS)


def test_plink_reads_them_as_covariates(tmp_path):
    codes = draw_strata()
    path = write_cohort(tmp_path / "made", codes, phenotype=[1 + i % 2 for i in range(90)])
    found = principal_components(open_genotypes(path), 2)
    found.frame().to_csv(tmp_path / "covariates", sep="\t", index=False)
    out = run_plink(
        "plink1.9",
        tmp_path,
        "--bfile",
        path,
        "--allow-no-sex",
        "--logistic",
        "--covar",
        tmp_path / "covariates",
    )
    assert "2 covariates loaded" in out.with_suffix(".log").read_text()


def test_what_cannot_be(cohort, tmp_path):
    with pytest.raises(PlanError, match="method = 'svd'"):
        principal_components(cohort, method="svd")
    with pytest.raises(PlanError, match="k=0"):
        principal_components(cohort, 0)
    with pytest.raises(DataError, match="k = 90: 90 samples and"):
        principal_components(cohort, 90)
    one = np.array([1, 0, 2, 3])[draw_strata(p=1)]
    same = open_genotypes(write_cohort(tmp_path / "same", np.tile(one, (5, 1))))
    with pytest.raises(DataError, match="there is 1 component only"):
        principal_components(same, 2, variants=np.arange(5))
    for codes in (np.zeros((5, 20), dtype=int), np.ones((5, 20), dtype=int)):
        flat = open_genotypes(write_cohort(tmp_path / "flat", codes))
        with pytest.raises(DataError, match="no variant"):
            principal_components(flat, 2)
        with pytest.raises(DataError, match="no variant is left"):
            principal_components(flat, 2, variants=np.arange(5))
    both = open_genotypes(write_cohort(tmp_path / "both", np.full((5, 20), ONE)))
    with pytest.raises(DataError, match="0 components only"):
        principal_components(both, 2, variants=np.arange(5))


def test_strata_no_longer_confound(tmp_path):
    """Cases are mostly of one stratum: variants that differ between strata seem to matter."""
    simulate_cohort(tmp_path / "two", [240, 60], [60, 240], 1500, divergence=0.05, seed=4)
    genotypes = open_genotypes(tmp_path / "two.bed")
    first = principal_components(genotypes, 2).scores[:, :1]
    y = (genotypes.samples.phenotype == "2").astype(float)
    table = np.where(genotypes.calls() < 0, np.nan, genotypes.calls()).astype(float)
    table = np.nan_to_num(table - np.nanmean(table, axis=0))

    def chi_squared(covariates):
        basis = np.linalg.qr(np.column_stack([np.ones(len(y)), covariates]))[0]
        x, z = table - basis @ (basis.T @ table), y - basis @ (basis.T @ y)
        return len(y) * (z @ x) ** 2 / ((z @ z) * (x**2).sum(axis=0))

    assert chi_squared(np.empty((len(y), 0))).mean() > 4
    assert 0.85 < chi_squared(first).mean() < 1.15


def test_hapmap_beside_plink(shared_data, tmp_path):
    path = shared_data / "genotypes" / "hapmap3_957"
    genotypes = open_genotypes(path)
    found = principal_components(genotypes)
    labels = pd.read_csv(f"{path}.labels.tsv", sep="\t").population.to_numpy()
    names = "\n".join(found.variants.id.to_pylist())
    (tmp_path / "used").write_text(names + "\n")
    out = run_plink(
        "plink1.9",
        tmp_path,
        "--bfile",
        path,
        "--extract",
        tmp_path / "used",
        "--pca",
        10,
        "--allow-no-sex",
    )
    values = np.loadtxt(out.with_suffix(".eigenval"))
    vectors = pd.read_csv(out.with_suffix(".eigenvec"), sep=" ", header=None).iloc[:, 2:]
    # PLINK divides each pair of samples by the variants that both are called at
    assert np.allclose(found.eigenvalues, values, rtol=0.005)
    assert same_vectors(found.scores, vectors.to_numpy(), 0.001)
    africa = found.scores[labels == "YRI", 0]
    others = found.scores[np.isin(labels, ["CEU", "CHB"]), 0]
    assert africa.min() > others.max() or africa.max() < others.min()
    europe, asia = found.scores[labels == "CEU", 1], found.scores[labels == "CHB", 1]
    assert europe.min() > asia.max() or europe.max() < asia.min()

    other = principal_components(genotypes, variants=found.columns, method="randomized")
    assert np.allclose(other.eigenvalues, found.eigenvalues, rtol=1e-6)
    assert same_vectors(other.scores, found.scores, 1e-6)


def test_a_variant_without_calls_has_no_frequency_and_no_spread():
    """Of two, one, none and missing; codes stand for two, missing, one and none."""
    frequency, values = standard_values(
        np.array([[1, 2, 1, 0], [1, 0, 0, 3], [0, 0, 4, 0], [0, 0, 0, 4], [0, 1, 1, 2]])
    )
    assert frequency.tolist() == [0.5, 1.0, 0.0, 0.0, 0.25]
    assert values[0] == pytest.approx([2**0.5, 0.0, 0.0, -(2**0.5)])
    assert values[1:4].tolist() == [[0.0] * 4] * 3
    assert values[4] == pytest.approx(np.array([1.5, 0.0, 0.5, -0.5]) / 0.375**0.5)
