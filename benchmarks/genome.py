"""Scans of a full-size cohort (3,907 people x 865,688 variants) beside PLINK 1.9 and PLINK 2.

CPU seconds, one thread. PLINK is called if it is installed, and what is missing is said. Ours is
timed in a process that has loaded and compiled what it needs, from opening the files to scores; the
whole command, with the interpreter, its files and page, is a line of its own.

    python benchmarks/genome.py --folder SCRATCH [--parts counts scan ...]

SCRATCH gets the cohort (850 MB) and PLINK's tables; the cohort is made once.
"""

from __future__ import annotations

import argparse
import mmap
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _harness import markdown, versions

PEOPLE, VARIANTS = (1953, 1954), 865_688
PERMUTATIONS = 1000


def cohort(folder: Path) -> Path:
    """The cohort, made if it is not there."""
    from tamis.genome import simulate_cohort

    stem = folder / "full"
    if not stem.with_suffix(".bim").exists():
        start = time.perf_counter()
        simulate_cohort(stem, *PEOPLE, VARIANTS, singles=[(1000, 1.6), (500_000, 1.4)], seed=3)
        print(f"made the cohort in {time.perf_counter() - start:.0f} s", flush=True)
    return stem


def own(function: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    """Least CPU seconds of several runs in this process."""
    best, value = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        value = function()
        best = min(best, time.process_time() - start)
    return best, value


def child(folder: Path, *command: str, repeats: int = 3) -> float | None:
    """Least CPU seconds of a program; None if it is not installed."""
    if shutil.which(command[0]) is None:
        print(f"{command[0]} is not installed: left out", file=sys.stderr)
        return None
    best = float("inf")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def one_pass(stem: Path) -> int:
    """A sum over the bytes of the .bed, mapped anew: as fast as they can be looked at once."""
    import numpy as np

    with open(stem.with_suffix(".bed"), "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    return int(np.frombuffer(mapped, dtype=np.uint64, count=len(mapped) // 8).sum())


def row(what: str, seconds: float | None, ours: float) -> list[str]:
    """A line of a table, with the ratio to ours."""
    if seconds is None:
        return [what, "not installed", ""]
    return [what, f"{seconds:.3f}", f"{seconds / ours:.1f}"]


def counts(folder: Path) -> None:
    """Counts of every variant and class equal those of plink1.9 --model."""
    import numpy as np
    import pandas as pd

    from tamis.genome import mtd_scan, open_genotypes

    stem = cohort(folder)
    if (
        child(
            folder,
            "plink1.9",
            "--bfile",
            "full",
            "--model",
            "--threads",
            "1",
            "--out",
            "model",
            repeats=1,
        )
        is None
    ):
        return
    scan = mtd_scan(open_genotypes(stem))
    different = at = 0
    reader = pd.read_csv(
        folder / "model.model",
        sep=r"\s+",
        usecols=["A1", "TEST", "AFF", "UNAFF"],
        chunksize=1_000_000,
        dtype=str,
    )
    for chunk in reader:
        table = chunk[chunk["TEST"] == "GENO"]
        block = scan.counts[at : at + len(table), :, :3].astype(np.int64)
        turned = (table["A1"] != "A").to_numpy()
        block[turned] = block[turned][:, :, ::-1]
        for c, column in enumerate(("UNAFF", "AFF")):
            theirs = table[column].str.split("/", expand=True).astype(int).to_numpy()
            different += int((theirs != block[:, c]).any(axis=1).sum())
        at += len(table)
    (folder / "model.model").unlink()
    print(f"counts beside plink1.9 --model: {at:,} variants, {different} differ\n", flush=True)


def scan(folder: Path) -> None:
    """One scan of two classes."""
    from tamis.genome import mtd_scan, open_genotypes

    stem = cohort(folder)
    ours, _ = own(lambda: mtd_scan(open_genotypes(stem)))
    bytes_once, _ = own(lambda: one_pass(stem))
    rows = [
        row("Tamis: open, map, count by class, score", ours, ours),
        row("of which opening", own(lambda: open_genotypes(stem))[0], ours),
        row("one pass over the mapped bytes (sum)", bytes_once, ours),
        row(
            "plink1.9 --assoc",
            child(folder, "plink1.9", "--bfile", "full", "--assoc", "--threads", "1"),
            ours,
        ),
        row(
            "plink2 --geno-counts",
            child(folder, "plink2", "--bfile", "full", "--geno-counts", "--threads", "1"),
            ours,
        ),
        row(
            "Tamis: the whole command, with all files and the page",
            child(
                folder,
                str(Path(sys.executable).with_name("tamis")),
                "genome",
                "mtd",
                "full",
                "--quiet",
                "--n-jobs",
                "1",
                "--out",
                "out",
            ),
            ours,
        ),
    ]
    print(markdown(["scan", "CPU s", "ratio"], rows), "\n", flush=True)
    for path in (folder / "out" / "mtd.tsv", folder / "plink.assoc"):
        if path.is_file():
            print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB\n", flush=True)


def folds(folder: Path) -> None:
    """Scores of ten training sets from one pass."""
    import numpy as np

    from tamis.genome import mtd_scan, open_genotypes

    stem = cohort(folder)
    fold = np.random.default_rng(0).integers(0, 10, sum(PEOPLE))
    one, _ = own(lambda: mtd_scan(open_genotypes(stem)))
    ten, _ = own(lambda: mtd_scan(open_genotypes(stem), folds=fold), repeats=3)
    rows = [row("one scan", one, one), row("all samples and ten training sets", ten, one)]
    print(markdown(["folds", "CPU s", "ratio"], rows), "\n", flush=True)


def permutations(folder: Path) -> None:
    """A thousand permutations of the labels, genome-wide."""
    from tamis.genome import mtd_scan, open_genotypes

    stem = cohort(folder)
    n = str(PERMUTATIONS)
    ours, _ = own(lambda: mtd_scan(open_genotypes(stem), permutations=PERMUTATIONS), repeats=1)
    rows = [
        row(f"Tamis: {n} permutations, max-T and each p", ours, ours),
        row(
            f"plink1.9 --assoc mperm={n}",
            child(
                folder,
                "plink1.9",
                "--bfile",
                "full",
                "--assoc",
                f"mperm={n}",
                "--seed",
                "1",
                "--threads",
                "1",
                repeats=1,
            ),
            ours,
        ),
    ]
    print(markdown(["permutations", "CPU s", "ratio"], rows), "\n", flush=True)


def mapped(folder: Path) -> None:
    """A scan, and a sum over bytes whose pages this process has mapped before."""
    import numpy as np

    from tamis.genome import mtd_scan, open_genotypes

    stem = cohort(folder)
    genotypes = open_genotypes(stem)
    words = np.memmap(stem.with_suffix(".bed"), dtype=np.uint8, mode="r")
    words = words[: len(words) // 8 * 8].view(np.uint64)
    rows = [
        ["a sum over pages that are mapped already", f"{own(lambda: words.sum())[0]:.3f}"],
        ["a scan of files that are open", f"{own(lambda: mtd_scan(genotypes))[0]:.3f}"],
    ]
    print(markdown(["", "CPU s"], rows), "\n", flush=True)


def quality(folder: Path) -> None:
    """Quality control with the test of differential missingness."""
    from tamis.genome import open_genotypes, quality_control

    stem = cohort(folder)
    genotypes = open_genotypes(stem)
    y = genotypes.samples.phenotype
    ours, _ = own(lambda: quality_control(genotypes, y), repeats=3)
    limits = ("--geno", "0.1", "--hwe", "1e-6", "--maf", "0.01", "--mind", "0.1")
    plink = ("plink1.9", "--bfile", "full", "--threads", "1", "--out", "qc")
    rows = [
        row("Tamis: all tests and filters", ours, ours),
        row(
            "plink1.9 --hardy --missing --test-missing",
            child(folder, *plink, "--hardy", "--missing", "--test-missing"),
            ours,
        ),
        row("plink1.9, the filters alone", child(folder, *plink, *limits, "--write-snplist"), ours),
    ]
    print(markdown(["quality control", "CPU s", "ratio"], rows), "\n", flush=True)


def readers(folder: Path) -> None:
    """BGEN and VCF, decoded and called, beside libraries and PLINK."""
    import numpy as np

    from _harness import shared_folder
    from tamis.genome import open_genotypes

    shared = shared_folder() / "genotypes"
    bgen, vcf = shared / "geuvadis_chr22_373.bgen", shared / "kg_eur_chr22_358.vcf.gz"

    def every(path: Path) -> int:
        return sum(len(piece.packed()) for piece in open_genotypes(path).pieces())

    def by_bgen() -> int:
        from bgen import BgenReader

        with BgenReader(str(bgen), delay_parsing=True) as file:
            return sum(int((np.nanmax(one.probabilities, axis=1) >= 0.9).sum()) for one in file)

    def by_cyvcf2() -> int:
        from cyvcf2 import VCF

        return sum(len(one.gt_types) for one in VCF(str(vcf), gts012=True))

    tables = []
    for path, library, command in (
        (
            bgen,
            by_bgen,
            (
                "plink2",
                "--bgen",
                str(bgen),
                "ref-first",
                "--sample",
                str(bgen.with_suffix(".sample")),
            ),
        ),
        (vcf, by_cyvcf2, ("plink2", "--vcf", str(vcf))),
    ):
        ours, _ = own(lambda path=path: every(path), repeats=3)
        theirs, _ = own(library, repeats=3)
        made = child(folder, *command, "--make-bed", "--threads", "1", "--out", "made")
        name = library.__name__.removeprefix("by_")
        tables += [
            row(f"Tamis: {path.name}", ours, ours),
            row(f"{name}, a loop over variants", theirs, ours),
            row("plink2 --make-bed", made, ours),
        ]
    print(markdown(["reading", "CPU s", "ratio"], tables), "\n", flush=True)


def null(folder: Path) -> None:
    """Cohorts without effect in which max-T reaches 5 %."""
    import numpy as np
    from sklearn.cluster import KMeans

    from tamis.genome import (
        mtd_scan,
        open_genotypes,
        principal_components,
        quality_control,
        simulate_cohort,
    )

    rows, two = [], ([60, 90], [90, 60])
    for what, sizes in (
        ("one population", (150, 150)),
        ("two strata", two),
        ("two strata, not told", two),
        ("two strata, clusters of components", two),
        ("after quality control", (150, 150)),
    ):
        hits = 0
        for seed in range(300):
            simulate_cohort(folder / "null", *sizes, 1000, missing=0.02, seed=seed)
            genotypes = open_genotypes(folder / "null")
            strata = genotypes.samples.family if what == "two strata" else None
            if what.endswith("components"):
                first = principal_components(genotypes, 2).scores
                strata = KMeans(2, random_state=0, n_init=10).fit_predict(first)
            if what == "after quality control":
                genotypes = quality_control(genotypes, genotypes.samples.phenotype).apply()
            found = mtd_scan(genotypes, strata=strata, permutations=99, seed=seed)
            hits += np.nanmin(found.p_adjusted) <= 0.05
        rows.append([what, 300, f"{hits / 300:.3f}"])
    print(markdown(["300 people x 1,000 variants", "cohorts", "p <= .05"], rows), "\n", flush=True)


def power(folder: Path) -> None:
    """How often a planted variant is found among all, beside plink1.9 --assoc mperm."""
    import pandas as pd

    from tamis.genome import mtd_scan, open_genotypes, simulate_cohort

    rows = []
    for odds in (1.5, 1.75, 2.0):
        ours = theirs = 0
        for seed in range(60):
            simulate_cohort(
                folder / "power",
                300,
                300,
                1000,
                singles=[(500, odds)],
                frequencies=(0.1, 0.5),
                seed=seed,
            )
            found = mtd_scan(open_genotypes(folder / "power"), permutations=199, seed=seed)
            ours += found.p_adjusted[500] <= 0.05
            if (
                child(
                    folder,
                    "plink1.9",
                    "--bfile",
                    "power",
                    "--assoc",
                    "mperm=199",
                    "--seed",
                    "1",
                    "--threads",
                    "1",
                    "--out",
                    "power",
                    repeats=1,
                )
                is not None
            ):
                table = pd.read_csv(folder / "power.assoc.mperm", sep=r"\s+")
                theirs += table["EMP2"][500] <= 0.05
        rows.append([odds, f"{ours / 60:.2f}", f"{theirs / 60:.2f}"])
    print(markdown(["odds ratio of a copy", "Tamis", "plink1.9 --assoc"], rows), "\n", flush=True)


PARTS = {
    "counts": counts,
    "scan": scan,
    "mapped": mapped,
    "folds": folds,
    "quality": quality,
    "readers": readers,
    "permutations": permutations,
    "null": null,
    "power": power,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print(versions("numpy", "numba"), flush=True)
    for program in ("plink1.9", "plink2"):
        if shutil.which(program):
            print(
                subprocess.run(
                    [program, "--version"], capture_output=True, text=True, check=False
                ).stdout.strip(),
                flush=True,
            )
    for part in given.parts:
        PARTS[part](given.folder)


if __name__ == "__main__":
    main()
