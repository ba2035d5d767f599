"""Kinship beside plink2, and the mixed-model scan beside GEMMA.

CPU seconds, one thread. A peer is called if it is installed, and what is missing is said. Ours is
timed in a process that has compiled what it needs, from opening the files to pairs or p-values.

    python benchmarks/genome_kinship.py --data SHARED --folder SCRATCH [--parts kinship mixed full]

SHARED holds genotypes/hapmap3_957.bed and hlc_427.bed; SCRATCH gets cohorts and tables of peers.
`full` is 3,907 x 865,688 (850 MB), the cohort of genome.py.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from genome import child, cohort, own, row

PEOPLE, VARIANTS = (1953, 1954), 40_000
DRAWS = 1000


def kinship(folder: Path) -> None:
    """All pairs of 3,907 people; those listed are none, so that tables take no time."""
    from tamis.genome import find_relatives, open_genotypes, simulate_cohort
    from tamis.genome.structure.relatives import look_for_relatives

    stem = folder / "people"
    if not stem.with_suffix(".bim").exists():
        simulate_cohort(stem, *PEOPLE, VARIANTS, missing=0.01)
    find_relatives(open_genotypes(stem), samples=np.arange(50))
    ours, _ = own(lambda: find_relatives(open_genotypes(stem)))
    quick, _ = own(lambda: look_for_relatives(open_genotypes(stem)))
    command = ("plink2", "--bfile", "people", "--make-king-table", "--threads", "1")
    few = child(folder, *command, "--king-table-filter", "0.0442", "--out", "few")
    every = child(folder, *command, "--out", "every", repeats=1)
    rows = [
        row("Tamis: relatives among all pairs", ours, ours),
        row("Tamis: the look of other commands", quick, ours),
        row("plink2 --make-king-table --king-table-filter .0442", few, ours),
        row("plink2 --make-king-table", every, ours),
    ]
    print(markdown([f"{sum(PEOPLE):,} x {VARIANTS:,}", "CPU s", "ratio"], rows), "\n", flush=True)


def against_gemma(data: Path, folder: Path) -> None:
    """p-values of three cohorts; GEMMA's relationships are by all variants, its own among them. Of
    the liver cohort autosomes alone, for the labels are sexes, which X would tell."""
    import pandas as pd
    from scipy.stats import chi2, spearmanr

    from _pedigrees import simulate
    from tamis.genome import find_relatives, mixed_scan, open_genotypes

    families, label, _ = simulate("nuclear families", 400, 1, folder)
    sex = {
        name: pd.read_csv(data / "genotypes" / f"{name}.labels.tsv", sep="\t", dtype=str)[column]
        for name, column in (("hapmap3_957", "sex"), ("hlc_427", "sex_imputed"))
    }
    child(
        folder,
        "plink1.9",
        "--bfile",
        str((data / "genotypes" / "hlc_427").resolve()),
        "--autosome",
        "--make-bed",
        "--threads",
        "1",
        "--out",
        "liver",
        repeats=1,
    )
    liver = folder / "liver" if (folder / "liver.bed").exists() else data / "genotypes" / "hlc_427"
    sets = [
        (data / "genotypes" / "hapmap3_957", sex["hapmap3_957"].to_numpy(object)),
        (liver, sex["hlc_427"].to_numpy(object)),
    ]
    sets.append((families, label.astype(str).astype(object)))
    rows, agreement = [], []
    for stem, y in sets:
        genotypes = open_genotypes(stem)
        kept = find_relatives(genotypes).unrelated(0)  # nobody twice
        p_ours = mixed_scan(genotypes, y, samples=kept).frame()
        ours, _ = own(lambda g=genotypes, y=y, kept=kept: mixed_scan(g, y, samples=kept), repeats=2)
        for ending in ("bed", "bim"):
            link = folder / f"{stem.name}-gemma.{ending}"
            if not link.exists():
                link.symlink_to(stem.with_suffix(f".{ending}").resolve())
        people = pd.read_csv(stem.with_suffix(".fam"), sep=r"\s+", header=None, dtype=str)
        people[5] = np.where(kept, pd.factorize(y, sort=True)[0].astype(str), "NA")
        people.to_csv(folder / f"{stem.name}-gemma.fam", sep=" ", header=False, index=False)
        command = ("gemma", "-bfile", f"{stem.name}-gemma", "-o", stem.name)
        sums = child(folder, *command, "-gk", "2", repeats=1)
        if sums is None:
            return
        tests = child(folder, *command, "-k", f"output/{stem.name}.sXX.txt", "-lmm", "3", repeats=1)
        theirs = pd.read_csv(folder / "output" / f"{stem.name}.assoc.txt", sep="\t")
        both = p_ours.merge(theirs, left_on="SNP", right_on="rs")
        n, p = genotypes.shape
        rows.append(row(f"{stem.name}, {n} x {p:,}: Tamis", ours, ours))
        rows.append(row("gemma -gk 2, -lmm 3", sums + (tests or 0), ours))
        for name, column in (("Tamis", "P"), ("GEMMA", "p_score")):
            values = both[column]
            agreement.append(
                [
                    stem.name,
                    name,
                    len(both),
                    f"{spearmanr(both['P'], values)[0]:.4f}",
                    *(f"{q:.2g}" for q in values.quantile([0.001, 0.01, 0.1, 0.5])),
                    f"{chi2.isf(values.median(), 1) / chi2.median(1):.3f}",
                ]
            )
    print(markdown(["mixed model", "CPU s", "ratio"], rows), "\n")
    header = ["cohort", "p of", "variants", "rank correlation", ".001", ".01", ".1", ".5", "lambda"]
    print(markdown(header, agreement), "\n", flush=True)


def full(folder: Path, n_jobs: int) -> None:
    """Kinship, inflation and the mixed scan at full size: wall and CPU seconds, peak memory."""
    from tamis.genome import find_relatives, mixed_scan, open_genotypes
    from tamis.genome.structure.relatives import look_for_relatives

    stem, rows = cohort(folder), []
    tasks = (
        ("relatives, all variants", lambda g: find_relatives(g, n_jobs=n_jobs)),
        ("the look of other commands", lambda g: look_for_relatives(g, n_jobs=n_jobs)),
        ("mixed scan and lambda", lambda g: mixed_scan(g, n_jobs=n_jobs).inflation),
        (f"the same with {DRAWS:,} draws", lambda g: mixed_scan(g, draws=DRAWS, n_jobs=n_jobs)),
    )
    for what, task in tasks:
        wall, cpu = time.perf_counter(), time.process_time()
        task(open_genotypes(stem))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        rows.append([what, f"{wall:.0f}", f"{cpu:.0f}", f"{peak:.1f}"])
        print(rows[-1], flush=True)
    header = [f"3,907 x 865,688, {n_jobs} threads", "s", "CPU s", "peak so far, GB"]
    print(markdown(header, rows), "\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--parts", nargs="*", default=["kinship", "mixed", "full"])
    parser.add_argument("--n-jobs", type=int, default=2)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print(versions("numpy", "numba", "scipy"), flush=True)
    if "kinship" in given.parts:
        kinship(given.folder)
    if "mixed" in given.parts:
        against_gemma(given.data, given.folder)
    if "full" in given.parts:
        full(given.folder, given.n_jobs)


if __name__ == "__main__":
    main()
