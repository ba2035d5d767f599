"""The mixed scan of a number: its level in made-up cohorts, and its p-values beside GEMMA's.

    python benchmarks/genome_numbers.py --cohorts 50 [--samples 200] [--designs "siblings" ...]
    python benchmarks/genome_numbers.py --gemma [--samples 600]

Half of the variance of the number is by variants of odd chromosomes. Even ones are scanned, where
nothing has an effect. GEMMA's score test and its Wald test have the same relationships, of all
chromosomes but that of the variant.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from _pedigrees import DESIGNS, simulate

DRAWS = 99
LEVELS = (0.05, 0.01, 0.001)


def scan_of(path: Path, y: np.ndarray, draws: int, seed: int):
    """Of even chromosomes; the variants' chromosomes."""
    from tamis.genome import mixed_scan, open_genotypes

    genotypes = open_genotypes(path)
    chromosome = np.array(genotypes.variants.chromosome.to_pylist()).astype(int)
    scan = mixed_scan(
        genotypes, y, regression=True, scanned=chromosome % 2 == 0, draws=draws, seed=seed
    )
    return scan, chromosome


def one_cohort(design: str, n: int, seed: int) -> list[float]:
    """Share of variants below each level, lambda, whether one is family-wise significant."""
    with tempfile.TemporaryDirectory() as folder:
        path, y, _ = simulate(design, n, seed, Path(folder), number=True)
        scan, _ = scan_of(path, y, DRAWS, seed)
    p = scan.p_values[scan.reasons == 0]
    largest = float(np.nanmin(scan.p_adjusted) <= 0.05)
    return [*(float(np.mean(p < level)) for level in LEVELS), scan.inflation, largest]


def beside_gemma(design: str, n: int, seed: int) -> list[str]:
    """Rank correlation of p on chromosomes 2, 4 and 6, lambda, and the largest difference."""
    from scipy.stats import spearmanr

    from tamis.genome import principal_components
    from tamis.genome.quality.inflation import genomic_inflation

    with tempfile.TemporaryDirectory() as folder:
        path, y, _ = simulate(design, n, seed, Path(folder), number=True)
        scan, chromosome = scan_of(path, y, 0, seed)
        used = np.isin(
            np.arange(len(chromosome)), principal_components(scan.genotypes, k=2).columns
        )
        copies = scan.genotypes.calls().astype(float)
        frequency = copies.mean(axis=0) / 2
        standard = (copies - 2 * frequency) / np.sqrt(2 * frequency * (1 - frequency))
        mine, theirs = list[float](), {"p_score": list[float](), "p_wald": list[float]()}
        for name in (2, 4, 6):
            rest = standard[:, used & (chromosome != name)]
            np.savetxt(Path(folder) / "k.txt", rest @ rest.T / rest.shape[1], fmt="%.12g")
            names = [f"v{j}" for j in np.flatnonzero(chromosome == name)]
            (Path(folder) / "snps.txt").write_text("\n".join(names) + "\n")
            mine += scan.p_values[chromosome == name].tolist()
            for mode, column in (("3", "p_score"), ("1", "p_wald")):
                words = ["gemma", "-bfile", path.name, "-k", "k.txt", "-lmm", mode]
                words += ["-snps", "snps.txt", "-maf", "0", "-miss", "1", "-o", "g"]
                subprocess.run(words, cwd=folder, capture_output=True, check=True)
                lines = (Path(folder) / "output" / "g.assoc.txt").read_text().splitlines()
                head = lines[0].split("\t")
                rows = [dict(zip(head, line.split("\t"), strict=True)) for line in lines[1:]]
                assert [row["rs"] for row in rows] == names
                theirs[column] += [float(row[column]) for row in rows]
    tested = np.isfinite(mine)  # the frequent ones
    p_values = {name: np.array(p)[tested] for name, p in theirs.items()}
    ours = np.array(mine)[tested]
    found = [design, f"{scan.share:.2f}", f"{genomic_inflation(ours):.4f}"]
    for p in p_values.values():
        apart = np.abs(np.log10(ours) - np.log10(p)).max()
        found += [
            f"{spearmanr(ours, p)[0]:.5f}",
            f"{genomic_inflation(p):.4f}",
            f"{apart:.3f}",
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=int, default=50)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--designs", nargs="*", default=list(DESIGNS)[:-1])
    parser.add_argument("--gemma", action="store_true")
    given = parser.parse_args()
    print(versions("numpy", "numba", "scipy"), flush=True)
    if given.gemma:
        rows = [beside_gemma(design, given.samples, 0) for design in given.designs]
        each = ["rank correlation", "its lambda", "largest difference of log10 p"]
        header = [
            "cohort",
            "share",
            "lambda",
            *(f"{w}, {t}" for t in ("score", "Wald") for w in each),
        ]
        print(markdown(header, rows))
        return
    rows = []
    for design in given.designs:
        found = np.array([one_cohort(design, given.samples, k) for k in range(given.cohorts)])
        rows.append([design, *(f"{value:.4f}" for value in found.mean(axis=0))])
        print(rows[-1], flush=True)
    header = ["cohort", *(f"below {level:g}" for level in LEVELS), "lambda", "family-wise"]
    print(markdown(header, rows))


if __name__ == "__main__":
    main()
