"""Pruning and ten principal components beside PLINK 1.9: the HapMap set, and cohorts made up.

CPU seconds, one thread. PLINK is called if it is installed. Ours is timed in a process that has
compiled what it needs, from opening the files to scores and loadings.

    python benchmarks/genome_components.py --data SHARED --folder SCRATCH [--sizes 1000 4000]

SHARED holds genotypes/hapmap3_957.bed and hlc_427.bed; SCRATCH gets PLINK's tables and the cohorts.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from _harness import markdown, versions
from genome import child, own, row

VARIANTS = 20_000  # of a cohort made up


def pruning(data: Path, folder: Path) -> None:
    """The sets with all their variants."""
    from tamis.genome import open_genotypes, prune_variants

    rows = []
    for name in ("hapmap3_957", "hlc_427"):
        path = data / "genotypes" / name
        genotypes = open_genotypes(path)
        ours, kept = own(lambda path=path: prune_variants(open_genotypes(path)))
        theirs = child(
            folder,
            "plink1.9",
            "--bfile",
            str(path.resolve()),
            "--autosome",
            "--allow-no-sex",
            "--indep-pairwise",
            "50",
            "5",
            "0.2",
            "--threads",
            "1",
            "--out",
            name,
        )
        n, p = genotypes.shape
        rows.append(row(f"Tamis: {name}, {n} x {p:,}, {kept.sum():,} kept", ours, ours))
        rows.append(row("plink1.9 --indep-pairwise 50 5 0.2", theirs, ours))
        if theirs is not None:
            ids = (folder / f"{name}.prune.in").read_text().split()
            same = genotypes.subset(variants=kept).variants.id.to_pylist() == ids
            print(f"{name}: {'the same variants are kept' if same else 'OTHERS ARE KEPT'}")
    print(markdown(["pruning", "CPU s", "ratio"], rows), "\n", flush=True)


def components(data: Path, folder: Path) -> None:
    """Of the HapMap set, pruning and all."""
    from tamis.genome import open_genotypes, principal_components

    path = data / "genotypes" / "hapmap3_957"
    ours, found = own(lambda: principal_components(open_genotypes(path)))
    random, _ = own(lambda: principal_components(open_genotypes(path), method="randomized"))
    (folder / "used").write_text("\n".join(found.variants.id.to_pylist()) + "\n")
    theirs = child(
        folder,
        "plink1.9",
        "--bfile",
        str(path.resolve()),
        "--extract",
        "used",
        "--pca",
        "10",
        "--allow-no-sex",
        "--threads",
        "1",
        "--out",
        "pca",
    )
    rows = [
        row("Tamis: frequencies, pruning, 10 components, loadings", ours, ours),
        row("the same from random vectors", random, ours),
        row("plink1.9 --pca 10 of the same variants, pruned before", theirs, ours),
    ]
    print(markdown(["HapMap, components", "CPU s", "ratio"], rows), "\n", flush=True)


def methods(folder: Path, sizes: list[int]) -> None:
    """Where random vectors become the cheaper way: two strata, all other components noise."""
    import numpy as np

    from tamis.genome import open_genotypes, principal_components, simulate_cohort

    rows = []
    for n in sizes:
        stem = folder / f"made_{n}"
        if not stem.with_suffix(".bim").exists():
            simulate_cohort(stem, [n // 4] * 2, [n // 4] * 2, VARIANTS, divergence=0.02)
        every = np.ones(VARIANTS, dtype=bool)
        seconds = [
            own(
                lambda stem=stem, method=method, every=every: principal_components(
                    open_genotypes(stem), variants=every, method=method
                ),
                repeats=2,
            )[0]
            for method in ("exact", "randomized")
        ]
        rows.append([f"{n:,} x {VARIANTS:,}", *(f"{s:.2f}" for s in seconds)])
    print(markdown(["samples x variants", "exact, CPU s", "randomized"], rows), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 2000, 4000])
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print(versions("numpy", "numba"), flush=True)
    pruning(given.data, given.folder)
    components(given.data, given.folder)
    methods(given.folder, given.sizes)


if __name__ == "__main__":
    main()
