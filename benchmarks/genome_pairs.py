"""All pairs of 2,000 variants of 3,907 people beside PLINK 1.9 --fast-epistasis boost.

CPU seconds, one thread. PLINK is called if it is installed, and what is missing is said. Ours is
timed in a process that has loaded and compiled what it needs, from opening the files to the table.

    python benchmarks/genome_pairs.py --folder SCRATCH [--parts pairs parts sizes]

SCRATCH gets the cohorts and PLINK's tables, 20 MB.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from genome import PEOPLE, child, own

VARIANTS = 2000


def cohort(folder: Path, n_variants: int = VARIANTS, missing: float = 0.005) -> Path:
    """A cohort with one pair that acts together, made if it is not there."""
    from tamis.genome import simulate_cohort

    stem = folder / f"pairs_{n_variants}_{missing:g}"
    if not stem.with_suffix(".bim").exists():
        at = (n_variants // 20, 3 * n_variants // 4, 2.0)
        simulate_cohort(stem, *PEOPLE, n_variants, pairs=[at], missing=missing, seed=3)
    return stem


def row(what: str, seconds: float | None, n: float, ours: float) -> list[str]:
    """A line of a table: millions of pairs a second, and the time as a multiple of ours."""
    if seconds is None:
        return [what, "not installed", "", ""]
    return [what, f"{seconds:.3f}", f"{n / seconds / 1e6:.1f}", f"{seconds / ours:.1f}"]


def pairs(folder: Path) -> None:
    """Files to table, beside PLINK."""
    from tamis.genome import open_genotypes, pair_scan

    stem, n = cohort(folder), VARIANTS * (VARIANTS - 1) / 2
    ours, found = own(lambda: pair_scan(open_genotypes(stem)).frame())
    by_score, _ = own(lambda: pair_scan(open_genotypes(stem), by="score").frame())
    runs, _ = own(lambda: pair_scan(open_genotypes(stem), permutations=19), repeats=1)
    boost = child(
        folder,
        "plink1.9",
        "--bfile",
        stem.name,
        "--fast-epistasis",
        "boost",
        "--threads",
        "1",
        "--out",
        "boost",
    )
    print(f"first: {found['SNP_1'][0]} x {found['SNP_2'][0]}", flush=True)
    rows = [
        row("Tamis: open, all pairs by interaction", ours, n, ours),
        row("Tamis: by score", by_score, n, ours),
        row("Tamis: with 19 permuted scans", runs, 20 * n, ours),
        row("plink1.9 --fast-epistasis boost", boost, n, ours),
    ]
    print(markdown(["pairs", "CPU s", "M pairs/s", "time"], rows), "\n", flush=True)


def parts(folder: Path) -> None:
    """The scan by itself, with gaps and without, beside that of any features."""
    from tamis._core.progress import Progress
    from tamis.genome import open_genotypes
    from tamis.genome.scans.pair_runs import Calls, GenotypePairs
    from tamis.interactions.pairs.levels import LevelTable
    from tamis.interactions.pairs.pair_runs import PairRuns

    n, rows = VARIANTS * (VARIANTS - 1) / 2, []
    for missing in (0.005, 0.0):
        genotypes = open_genotypes(cohort(folder, missing=missing))
        calls = np.ascontiguousarray(genotypes.calls().T)
        y = (genotypes.samples.phenotype == "2").astype(np.int64)
        table = LevelTable(calls, np.full(VARIANTS, 3), range(VARIANTS))
        for by in ("interaction", "score"):
            times = []
            what = (table, y, 2, VARIANTS, by == "interaction", 0)
            own_calls = Calls(genotypes, np.arange(VARIANTS), np.arange(len(y)))
            for scan in (GenotypePairs(*what, own_calls), PairRuns(*what)):
                with Progress(1, "pairs", quiet=True) as bar:
                    times.append(own(lambda s=scan, b=bar: s.search(0, 100, 1, b))[0])
            calls_of = "gaps in 0.5 %" if missing else "no gaps"
            rows += [
                row(f"variants, by {by}, {calls_of}", times[0], n, times[0]),
                row(f"any features, by {by}, {calls_of}", times[1], n, times[0]),
            ]
    print(markdown(["scan alone", "CPU s", "M pairs/s", "time"], rows), "\n", flush=True)


def sizes(folder: Path) -> None:
    """Ten thousand variants: what opening costs does not count any more."""
    from tamis.genome import open_genotypes, pair_scan

    p = 10_000
    stem = cohort(folder, p)
    n = p * (p - 1) / 2
    ours, _ = own(lambda: pair_scan(open_genotypes(stem)), repeats=3)
    boost = child(
        folder,
        "plink1.9",
        "--bfile",
        stem.name,
        "--fast-epistasis",
        "boost",
        "--threads",
        "1",
        "--out",
        "boost",
        repeats=1,
    )
    rows = [
        row(f"Tamis: {p:,} variants", ours, n, ours),
        row("plink1.9 --fast-epistasis boost", boost, n, ours),
    ]
    print(markdown(["pairs", "CPU s", "M pairs/s", "time"], rows), "\n", flush=True)


PARTS = {"pairs": pairs, "parts": parts, "sizes": sizes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print(versions("numpy", "numba"), flush=True)
    if shutil.which("plink1.9"):
        print(
            subprocess.run(
                ["plink1.9", "--version"], capture_output=True, text=True, check=False
            ).stdout.strip(),
            flush=True,
        )
    for part in given.parts:
        PARTS[part](given.folder)


if __name__ == "__main__":
    main()
