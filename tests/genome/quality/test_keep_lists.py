"""Lists of people for PLINK: both programs keep the same people from each of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from common.bed_files import codes_of, write_cohort
from genome.plink import run_plink
from tamis.genome import open_genotypes, principal_components, quality_control
from tamis.genome.quality.quality_files import write_quality
from tamis.genome.structure.components_files import write_components
from tamis.genome.structure.relatives import look_for_relatives
from tamis.genome.structure.relatives_files import write_relatives

N = 40
KEPT = np.arange(N) % 3 > 0  # the others have too many missing calls


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One cohort, as .bed of families, .bed of people called by their ids, .vcf and .pgen."""
    folder = tmp_path_factory.mktemp("keep")
    rng = np.random.default_rng(0)
    codes = codes_of(rng.binomial(2, rng.uniform(0.2, 0.5, (300, 1)), (300, N)))
    codes[:150, ~KEPT] = 1  # missing
    chromosomes = [str(1 + j // 75) for j in range(300)]
    write_cohort(folder / "bed", codes, chromosome=chromosomes)
    run_plink("plink2", folder, "--bfile", "bed", "--recode", "vcf", "id-paste=iid")
    (folder / "out.vcf").rename(folder / "of.vcf")
    run_plink("plink2", folder, "--vcf", "of.vcf", "--make-pgen")
    for end in ("pgen", "pvar", "psam"):
        (folder / f"out.{end}").rename(folder / f"of.{end}")
    return folder


SOURCES = {
    "bed": ("bed.bed", {"plink1.9": ("--bfile", "bed"), "plink2": ("--bfile", "bed")}),
    "vcf": ("of.vcf", {"plink1.9": ("--vcf", "of.vcf"), "plink2": ("--vcf", "of.vcf")}),
    "pgen": ("of.pgen", {"plink2": ("--pfile", "of")}),
}


def people_kept(program, folder, *given):
    make = "--make-just-fam" if program == "plink1.9" else "--make-just-psam"
    stem = run_plink(program, folder, *given, make)
    end = ".fam" if program == "plink1.9" else ".psam"
    lines = stem.with_suffix(end).read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    of = 1 if program == "plink1.9" or "#FID" in lines[0] else 0
    return [row[of] for row in rows]


@pytest.mark.parametrize("source", SOURCES)
def test_both_programs_keep_the_people_of_every_list(folder, source, tmp_path):
    path, programs = SOURCES[source]
    genotypes = open_genotypes(folder / path)
    found = quality_control(genotypes, hardy=None, sample_missing=0.2)
    assert found.kept_samples.tolist() == KEPT.tolist()
    write_quality(found, tmp_path / "q", {})
    few = genotypes.subset(samples=KEPT)
    relatives = look_for_relatives(few)
    write_relatives(relatives, tmp_path / "k", {})
    wanted = genotypes.samples.id[KEPT].tolist()
    unrelated = few.samples.id[relatives.unrelated(3)].tolist()
    for program, given in programs.items():
        for name, people in (("q/samples.keep", wanted), ("k/unrelated.keep", unrelated)):
            assert people_kept(program, folder, *given, "--keep", tmp_path / name) == people


@pytest.mark.parametrize("source", SOURCES)
def test_components_are_covariates_of_plink2(folder, source, tmp_path):
    path, programs = SOURCES[source]
    genotypes = open_genotypes(folder / path)
    write_components(principal_components(genotypes, k=2), genotypes, tmp_path, {})
    table = pd.read_csv(tmp_path / "pca.eigenvec", sep="\t")
    ids = ["FID", "IID"] if source == "bed" else ["#IID"]
    assert list(table) == [*ids, "PC1", "PC2"]
    labels = pd.DataFrame({"#IID": genotypes.samples.id, "ill": 1 + np.arange(N) % 2})
    if source == "bed":
        labels.insert(0, "#FID", genotypes.samples.family)
        labels = labels.rename(columns={"#IID": "IID"})
    labels.to_csv(tmp_path / "p.txt", sep="\t", index=False)
    given = ("--pheno", tmp_path / "p.txt", "--covar", tmp_path / "pca.eigenvec")
    run_plink("plink2", folder, *programs["plink2"], *given, "--glm", "allow-no-covars")
    tests = pd.read_csv(next(folder.glob("out.ill.glm.logistic*")), sep="\t")
    assert {"ADD", "PC1", "PC2"} <= set(tests["TEST"])
    for left in folder.glob("out.*"):
        left.unlink()
