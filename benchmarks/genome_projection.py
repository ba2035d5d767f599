"""Random projection of packed genotypes beside BLAS with generated signs and scikit-learn's.

    python benchmarks/genome_projection.py [--samples N] [--variants P] [--outputs M] [--tenth T]

Calls are random, a sixteenth of them missing. BLAS and scikit-learn project a tenth of the
variants, and their seconds are multiplied; both unpack calls to float32, as neither reads them.
Each row is measured in a process of its own, with one thread, after a small run that compiles.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from _harness import markdown, versions

BLOCK = 2048  # columns at a time of those who unpack


def write_cohort(stem: Path, n: int, p: int) -> None:
    """Random calls as PLINK's files."""
    rng = np.random.default_rng(0)
    with open(stem.with_suffix(".bed"), "wb") as file:
        file.write(b"\x6c\x1b\x01")
        for first in range(0, p, 1 << 14):
            shape = min(1 << 14, p - first), -(-n // 4)
            bits = rng.integers(0, 256, shape, dtype=np.uint8)
            # a code is 01, missing, where the upper bit is 0 and the lower one 1: keep a quarter
            lower = rng.integers(0, 256, shape, dtype=np.uint8)
            lower &= rng.integers(0, 256, shape, dtype=np.uint8)
            bits &= 0xAA | (bits >> 1) | lower
            file.write(bits.tobytes())
    stem.with_suffix(".fam").write_text("".join(f"f{i} s{i} 0 0 1 1\n" for i in range(n)))
    stem.with_suffix(".bim").write_text("".join(f"1\tv{j}\t0\t{j + 1}\tA\tG\n" for j in range(p)))


def peak() -> float:
    """Of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def clock(start: tuple[float, float]) -> tuple[float, float]:
    """Wall and CPU seconds since a start."""
    return time.perf_counter() - start[0], time.process_time() - start[1]


def ours(stem: Path, coding: str, options) -> list:
    """`fit` and `transform`, from the opened file on."""
    from tamis.genome import RandomSignProjection, open_genotypes

    genotypes = open_genotypes(stem)
    small = genotypes.subset(variants=np.arange(100))
    RandomSignProjection(options.outputs, coding=coding).fit_transform(small)
    assert len(genotypes.variants) == genotypes.shape[1]
    before, best = peak(), None
    for _ in range(options.repeats):
        projection = RandomSignProjection(options.outputs, coding=coding)
        start = time.perf_counter(), time.process_time()
        projection.fit(genotypes)
        fitted = clock(start)
        projection.transform(genotypes)
        whole = clock(start)
        if best is None or whole[1] < best[1]:
            best = (*whole, fitted[1])
    wall, cpu, fit = best
    note = f"fit {fit:.2f} s of it"
    return [f"RandomSignProjection, {coding}", f"{wall:.1f}", f"{cpu:.1f}", note, before, peak()]


def unpacked(genotypes, first: int, last: int) -> np.ndarray:
    """Copies (n, last - first) float32, no call as 0."""
    return np.maximum(genotypes.calls(slice(first, last)), 0).astype(np.float32)


def blas(stem: Path, kind: str, options) -> list:
    """float32 products of blocks with signs of the same generator."""
    from threadpoolctl import threadpool_info

    from tamis.genome import open_genotypes
    from tamis.kernels.genotypes.signs import fill_signs

    genotypes = open_genotypes(stem)
    signs = np.empty((BLOCK, options.outputs), dtype=np.float32)
    fill_signs(np.uint64(1), 0, signs[:64])
    p = genotypes.shape[1] // options.tenth
    found = np.zeros((genotypes.shape[0], options.outputs), dtype=np.float32)
    before, parts = peak(), np.zeros(3)
    start = time.perf_counter(), time.process_time()
    for first in range(0, p, BLOCK):
        last = min(first + BLOCK, p)
        at = time.process_time()
        X = unpacked(genotypes, first, last)
        parts[0] += time.process_time() - at
        at = time.process_time()
        own = signs[: last - first]
        fill_signs(np.uint64(1), first, own)
        parts[1] += time.process_time() - at
        at = time.process_time()
        found += X @ own
        parts[2] += time.process_time() - at
    wall, cpu = (options.tenth * t for t in clock(start))
    note = "unpacking {:.1f}, signs {:.1f}, product {:.1f}".format(*options.tenth * parts)
    kernels = {m["architecture"] for m in threadpool_info() if m["user_api"] == "blas"}
    name = f"OpenBLAS sgemm ({', '.join(sorted(kernels))}), {kind}"
    return [name, f"{wall:.1f}", f"{cpu:.1f}", note, before, peak()]


def sparse(stem: Path, kind: str, options) -> list:
    """scikit-learn's SparseRandomProjection with the density of all variants."""
    from sklearn.random_projection import SparseRandomProjection

    from tamis.genome import open_genotypes

    genotypes = open_genotypes(stem)
    p = genotypes.shape[1] // options.tenth
    before = peak()
    start = time.perf_counter(), time.process_time()
    X = np.hstack([unpacked(genotypes, at, min(at + BLOCK, p)) for at in range(0, p, BLOCK)])
    read = options.tenth * clock(start)[1]
    density = 1 / np.sqrt(genotypes.shape[1])
    SparseRandomProjection(options.outputs, density=density, random_state=0).fit_transform(X)
    wall, cpu = (options.tenth * t for t in clock(start))
    return [
        "scikit-learn, sparse signs",
        f"{wall:.1f}",
        f"{cpu:.1f}",
        f"unpacking {read:.1f}",
        before,
        peak(),
    ]


ROWS = [
    (ours, "copies", {}),
    (ours, "indicators", {}),
    (blas, "as installed", {}),
    (blas, "forced", {"OPENBLAS_CORETYPE": "SkylakeX"}),
    (sparse, "", {}),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=3907)
    parser.add_argument("--variants", type=int, default=220_713)
    parser.add_argument("--outputs", type=int, default=5000)
    parser.add_argument(
        "--tenth", type=int, default=10, help="the others project 1/T of the variants"
    )
    parser.add_argument("--repeats", type=int, default=3, help="of ours; best counts")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder) / "random.bed"
        write_cohort(stem, options.samples, options.variants)
        for function, kind, settings in ROWS:
            os.environ.update(settings)
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                row = process.submit(function, stem, kind, options).result()
            for name in settings:
                del os.environ[name]
            rows.append([*row[:4], f"{row[4]:.0f}", f"{row[5]:.0f}"])
            print("; ".join(map(str, rows[-1])), flush=True)
    print(f"\n{options.samples:,} x {options.variants:,} -> {options.outputs:,}\n")
    print(markdown(["", "wall s", "CPU s", "of which", "MB before", "MB peak"], rows))
    print(
        f"\n{versions('numpy', 'numba', 'scikit-learn')}; load {os.getloadavg()[0]:.1f} at the end."
    )


if __name__ == "__main__":
    main()
