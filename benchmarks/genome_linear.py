"""The linear scan beside `--linear` of PLINK 1.9: digits that differ, and CPU seconds.

    TAMIS_DATA=... python benchmarks/genome_linear.py

A number made of noise and a covariate, two covariates, a sample without each; all variants.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from _harness import markdown, versions

COHORTS = ("hapmap3_957", "hlc_427", "kg_eur_chr22_358")


def compared(name: str, folder: Path) -> list[str]:
    """Variants, those compared, digits that differ, CPU seconds of both."""
    import pandas as pd

    from tamis.genome import linear_scan, open_genotypes

    stem = Path(os.environ["TAMIS_DATA"]) / "genotypes" / name
    if not stem.with_suffix(".bed").exists():
        words = ["--vcf", f"{stem}.vcf.gz", "--make-bed", "--out", str(folder / name)]
        subprocess.run(["plink1.9", *words], capture_output=True, check=True)
        stem = folder / name
    genotypes = open_genotypes(f"{stem}.bed")
    n, rng = genotypes.shape[0], np.random.default_rng(0)
    covariates = np.column_stack([rng.normal(50, 9, n), rng.integers(0, 2, n)]).round(3)
    y = (20 + 0.1 * covariates[:, 0] + 3 * rng.normal(size=n)).round(4)
    y[5], covariates[9, 0] = np.nan, np.nan
    people = pd.DataFrame({"FID": genotypes.samples.family, "IID": genotypes.samples.id})
    text = {"sep": " ", "index": False, "na_rep": "-9"}
    people.assign(y=y).to_csv(folder / "y.txt", **text)
    people.assign(a=covariates[:, 0], b=covariates[:, 1]).to_csv(folder / "c.txt", **text)
    own = []
    for _ in range(3):  # the first compiles
        since = time.process_time()
        scan = linear_scan(genotypes, y, covariates=covariates, frequency=0.0)
        own.append(time.process_time() - since)
    words = ["--bfile", str(stem), "--pheno", "y.txt", "--covar", "c.txt", "--ci", "0.95"]
    words += ["--keep-allele-order", "--allow-no-sex", "--linear", "hide-covar", "--threads", "1"]
    since = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(["plink1.9", *words], cwd=folder, capture_output=True, check=True)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - since
    theirs = pd.read_csv(folder / "plink.assoc.linear", sep=r"\s+", dtype={"SNP": str})
    theirs, ours = theirs[scan.reasons == 0], scan.frame()
    differ = int((theirs["NMISS"].to_numpy() != ours["NMISS"]).sum())
    for mine, its in (("BETA", "BETA"), ("SE", "SE"), ("T", "STAT"), ("P", "P")):
        printed = np.array([float(f"{value:.4g}") for value in ours[mine]])
        differ += int((printed != theirs[its].to_numpy()).sum())
    sizes = f"{n:,} × {genotypes.shape[1]:,}"
    return [name, sizes, f"{len(ours):,}", f"{differ:,}", f"{min(own):.2f}", f"{took:.2f}"]


def main() -> None:
    print(versions("numpy", "numba", "scipy"), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rows = [compared(name, Path(folder)) for name in COHORTS]
    header = ["cohort", "size", "compared", "numbers that differ", "CPU s", "PLINK's"]
    print(markdown(header, rows))


if __name__ == "__main__":
    main()
