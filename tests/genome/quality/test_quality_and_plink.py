"""What plink1.9 finds in the same files: every count, every printed digit, the same sets kept."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from common.bed_files import MISSING, codes_of, write_cohort
from tamis.genome import open_genotypes, quality_control
from tamis.kernels.genotypes.hardy_weinberg import hardy_weinberg

NO_LIMITS = dict.fromkeys(["missing", "hardy", "frequency", "sample_missing"])
LIMITS = ("--geno", "0.1", "--hwe", "1e-6", "include-nonctrl", "--maf", ".01", "--mind", "0.1")
FOUNDERS = ("--make-founders", "require-2-missing")  # parents who are not there make no child


@pytest.fixture
def plink(tmp_path):
    """Runs plink1.9 on files of this path, and gives the path of what it writes."""
    program = shutil.which("plink1.9")
    if program is None:
        pytest.skip("needs the program plink1.9")

    def run(path, *options):
        out = tmp_path / "plink"
        subprocess.run(
            [program, "--bfile", str(path), "--allow-no-sex", *options, "--out", str(out)],
            check=True,
            capture_output=True,
        )
        return out

    return run


def read(out, ending):
    """A table of plink's; p as it is printed."""
    return pd.read_csv(f"{out}.{ending}", sep=r"\s+", dtype={"P": str, "SNP": str})


def linked(folder, shared, name, sex, phenotype):
    """A shared set with sexes and phenotypes of our own."""
    for ending in ("bed", "bim"):
        (folder / f"{name}.{ending}").symlink_to(shared / "genotypes" / f"{name}.{ending}")
    fam = (shared / "genotypes" / f"{name}.fam").read_text().split("\n")[: len(sex)]
    with open(folder / f"{name}.fam", "w") as file:
        for line, one, other in zip(fam, sex, phenotype, strict=True):
            file.write(" ".join([*line.split()[:4], str(one), str(other)]) + "\n")
    return folder / name


@pytest.fixture(params=["hlc_427", "hapmap3_957", "made"])
def cohort(request, tmp_path):
    """Path of the livers with their sexes, of the HapMap with two populations against the others,
    or of one made up, with families and all chromosomes."""
    if request.param == "made":
        return made_up(tmp_path / "made")
    shared = request.getfixturevalue("shared_data")
    labels = pd.read_csv(shared / "genotypes" / f"{request.param}.labels.tsv", sep="\t")
    if request.param == "hlc_427":
        phenotype = np.random.default_rng(0).integers(1, 3, len(labels))
        return linked(tmp_path, shared, request.param, labels.sex_imputed, phenotype)
    phenotype = np.where(labels.population.isin(["CEU", "TSI"]), 2, 1)
    return linked(tmp_path, shared, request.param, labels.sex, phenotype)


def made_up(path):
    rng = np.random.default_rng(1)
    n, p = 301, 700
    copies = rng.binomial(2, rng.uniform(0, 0.5, (p, 1)), (p, n))
    copies[::17] = 0
    copies[5:200:50] = 1
    codes = codes_of(copies, rng.choice([0, 0.02, 0.15, 0.5], (p, 1), p=[0.5, 0.4, 0.07, 0.03]))
    codes[:, :5][rng.random((p, 5)) < 0.12] = MISSING
    codes[20:200:20, 150:][:, ::4] = MISSING
    chromosomes = np.sort(rng.choice(["0", "1", "22", "23", "24", "25", "26"], p))
    parents = {20: ("i1", "i2"), 21: ("i30", "0"), 22: ("i40", "i41"), 23: ("gone", "0")}
    phenotype = 1 + (np.arange(n) >= 150)
    return write_cohort(path, codes, chromosomes, rng.integers(1, 3, n), phenotype, parents)


def digits(p):
    """As numbers of four digits, which is what plink prints."""
    return [float(f"{one:.4g}") for one in p]


def test_p_to_the_printed_digits(cohort, plink):
    genotypes = open_genotypes(cohort)
    found = quality_control(genotypes, genotypes.samples.phenotype, **NO_LIMITS)
    table = found.frame().set_index("id")
    out = plink(cohort, "--hardy", "--test-missing", *FOUNDERS)
    hardy = read(out, "hwe")
    controls = hardy[hardy.TEST == "UNAFF"].set_index("SNP")
    tested = table.hardy_p[~table.hardy_p.isna()]
    assert digits(tested) == controls.P[tested.index].astype(float).tolist()
    untested = table[table.hardy_p.isna()]
    assert (untested.chromosome.isin(["24", "26"]) | (untested.missing_share == 1)).all()
    # and of all samples, of the cases, from the counts that plink prints
    hardy = hardy[~hardy.CHR.isin([24, 26])]
    counts = hardy.GENO.str.split("/", expand=True).astype(int).to_numpy()
    assert digits(hardy_weinberg(counts)) == hardy.P.astype(float).tolist()

    missing = read(out, "missing").set_index("SNP")
    assert digits(table.differential_p[missing.index]) == missing.P.astype(float).tolist()
    others = table.drop(missing.index)
    assert (others.differential_p.isna() | (others.differential_p == 1)).all()


def test_missing_calls_and_frequencies(cohort, plink):
    genotypes = open_genotypes(cohort)
    found = quality_control(genotypes, **NO_LIMITS)
    table = found.frame()
    out = plink(cohort, "--missing", "--freq", "counts", *FOUNDERS)
    variants, samples = read(out, "lmiss"), read(out, "imiss")
    assert table.missing.tolist() == variants.N_MISS.tolist()
    every = table[["two", "one", "none", "missing"]].sum(axis=1)
    assert every.tolist() == variants.N_GENO.tolist()
    dead = table[table.missing_share == 1]  # plink counts these against samples
    male = genotypes.samples.sex == 1
    of_males = (dead.chromosome == "24").sum()
    left_out = np.where(male, len(dead), len(dead) - of_males)
    assert (found.sample_counts[:, 0] + left_out).tolist() == samples.N_MISS.tolist()
    assert (found.sample_counts[:, 1] + left_out).tolist() == samples.N_GENO.tolist()
    frequency = read(out, "frq.counts")
    with np.errstate(invalid="ignore"):
        rarer = np.minimum(frequency.C1, frequency.C2) / (frequency.C1 + frequency.C2)
    assert np.array_equal(table.frequency, rarer, equal_nan=True)


@pytest.mark.parametrize("classes", [False, True])
def test_the_same_sets_are_kept(cohort, plink, classes):
    genotypes = open_genotypes(cohort)
    y = genotypes.samples.phenotype if classes else None
    found = quality_control(genotypes, y)
    limits = [one for one in LIMITS if not (classes and one == "include-nonctrl")]
    same_sets(genotypes, found, plink(cohort, *limits, *FOUNDERS, "--write-snplist"))


def same_sets(genotypes, found, out):
    """Variants and samples that plink kept and removed are ours."""
    kept = (out.parent / "plink.snplist").read_text().split()
    assert found.apply().variants.id.to_pylist() == kept
    ids = out.parent / "plink.irem"
    removed = [line.split()[1] for line in ids.read_text().splitlines()] if ids.exists() else []
    assert genotypes.samples.id[~found.kept_samples].tolist() == removed


def test_variants_of_negative_position_are_in_neither(cohort, plink):
    """Every seventh of the cohort: not among those kept, and not in a sample's missing calls."""
    bim = cohort.with_suffix(".bim")
    lines = [line.split() for line in bim.read_text().splitlines()]
    for line in lines[::7]:
        line[3] = "-1"
    bim.unlink()  # may be a link to the shared file
    bim.write_text("".join("\t".join(line) + "\n" for line in lines))
    genotypes = open_genotypes(cohort)
    found = quality_control(genotypes)
    reasons = found.frame().reason
    assert np.flatnonzero(reasons == "negative position").tolist() == [*range(0, len(lines), 7)]
    same_sets(genotypes, found, plink(cohort, *LIMITS, *FOUNDERS, "--write-snplist"))


def test_counts_of_tens_of_thousands(tmp_path, plink):
    rng = np.random.default_rng(3)
    n, p = 20_001, 120
    copies = rng.binomial(2, rng.uniform(0, 0.5, (p, 1)) ** 3, (p, n))
    for j in range(60):  # out of equilibrium, by a little and by more than doubles hold
        copies[j, : j * 25] = (0, 2)[j % 2] if j % 3 else 1
    copies[60], copies[61], copies[62] = 0, 2, 1
    path = write_cohort(tmp_path / "large", codes_of(copies, 0.01))
    hardy = read(plink(path, "--hardy"), "hwe")
    printed = hardy.P.astype(float)
    found = quality_control(open_genotypes(path)).variants.hardy
    assert 0 < printed[printed > 0].min() < 1e-250
    # plink gives up (0) before doubles do
    shown = (printed > 0).to_numpy()
    assert digits(found[shown]) == printed[shown].tolist()
    assert (found[~shown] < 1e-300).all()


def test_half_of_what_is_as_probable(tmp_path, plink):
    rng = np.random.default_rng(4)
    copies = rng.binomial(2, rng.uniform(0, 0.5, (300, 1)), (300, 81))
    path = write_cohort(tmp_path / "made", codes_of(copies, 0.05))
    hardy = read(plink(path, "--hardy", "midp"), "hwe")
    counts = hardy.GENO.str.split("/", expand=True).astype(int).to_numpy()
    assert digits(hardy_weinberg(counts, mid=True)) == hardy.P.astype(float).tolist()
