"""A study of packed genotypes, block by block, against the same study of the dense matrix.

Genotypes (0, 1, 2, a share of them missing) of half as many cases as controls, some columns
shifted by class. Moderated t, Welch's t and Wilcoxon, 5 outer and 3 inner folds, LDA, final model,
descriptions. Each side runs in a process of its own, which first runs a tiny study (imports,
compiled kernels); memory is the most that it holds beyond that. The packed table is that of the
tests: it raises if two blocks are ever dense at once. Results are compared before any is told.

    python benchmarks/compressed_table.py [--samples 400] [--features 200000] [--repeats 1]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from _harness import markdown, versions

PLAN = {
    "method": [
        {"select": name, "sizes": [10, 50], "classify": "lda"}
        for name in ("moderated_t", "welch_t", "wilcoxon")
    ],
    "outer": {"folds": 5},
    "inner": {"folds": 3},
    "permutations": 0,
}
SHIFTED = 50
VALUES = np.array([0.0, 1.0, 2.0, np.nan])  # of the codes
SIDES = ("dense", "packed")


def write_codes(path: Path, n: int, p: int) -> None:
    """Codes (p, n) of genotypes: 3 is missing."""
    rng = np.random.default_rng(1)
    codes = np.empty((p, n), dtype=np.uint8)
    cases = labels(n) == "case"
    for j in range(p):
        frequency = np.where(cases & (j % (p // SHIFTED) == 0), 0.4, 0.25)
        codes[j] = (rng.random((2, n)) < frequency).sum(axis=0)
        if j % 2:
            codes[j, rng.random(n) < 0.02] = 3
    np.save(path, compressed().packed(codes, VALUES).codes)


def labels(n: int) -> np.ndarray:
    return np.where(np.arange(n) % 3 == 0, "case", "control")


def compressed():
    """The packed table of the tests."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from common.compressed import Compressed

    return Compressed


def data_of(side: str, codes: np.ndarray, n: int):
    from tamis.data import Dataset

    table = compressed()(codes, VALUES, n)
    X = table
    if side == "dense":
        X = np.empty(table.shape)
        for at, block in table.walk(1024):
            X[:, at] = block
            del block
    return Dataset(X, labels(n), tuple(f"rs{j}" for j in range(len(codes))), name="genotypes")


def memory(which: str) -> int:
    """VmRSS or VmHWM of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(which):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {which} in /proc/self/status")


def run_side(side: str, path: str, n: int, out: str) -> None:
    """One study in this process; prints its figures."""
    from tamis.study import run_study

    few = np.array(np.load(path, mmap_mode="r")[:200])
    with tempfile.TemporaryDirectory() as folder:
        run_study(data_of(side, few, n), PLAN, folder + "/tiny")
    Path("/proc/self/clear_refs").write_text("5")  # from here on VmHWM is the peak
    before = memory("VmRSS")
    data = data_of(side, np.load(path), n)
    held = memory("VmRSS") - before
    wall, cpu = time.perf_counter(), time.process_time()
    run_study(data, PLAN, out)
    print(
        json.dumps(
            {
                "held": held,
                "peak": memory("VmHWM") - before,
                "wall": time.perf_counter() - wall,
                "cpu": time.process_time() - cpu,
                "walks": getattr(data.X, "walks", 0),
            }
        )
    )


def contents(folder: Path) -> dict:
    """All results but the table's digest, and the tables' text."""
    found = json.loads((folder / "results.json").read_text())
    del found["data"]["digest"]
    return {"results": found} | {f.name: f.read_text() for f in (folder / "tables").iterdir()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--features", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=1, help="runs of each side; the best counts")
    parser.add_argument("--side", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    n, p = options.samples, options.features
    if options.side:
        side, path, out = options.side
        run_side(side, path, n, out)
        return
    found: dict[str, list] = {side: [] for side in SIDES}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "codes.npy"
        write_codes(path, n, p)
        for repeat in range(options.repeats):
            for side in SIDES:
                out = f"{folder}/{side}{repeat}"
                command = [sys.executable, __file__, "--samples", str(n), "--side", side, str(path)]
                run = subprocess.run([*command, out], stdout=subprocess.PIPE, check=True, text=True)
                found[side].append(json.loads(run.stdout.splitlines()[-1]))
            same = contents(Path(folder) / f"dense{repeat}") == contents(
                Path(folder) / f"packed{repeat}"
            )
            if not same:
                raise SystemExit("the two studies differ")
    rows = []
    for side in SIDES:
        best = {k: min(run[k] for run in found[side]) for k in found[side][0]}
        rows.append(
            [
                side,
                f"{best['held'] / 1e6:.0f}",
                f"{best['peak'] / 1e6:.0f}",
                best["walks"],
                f"{best['wall']:.1f}",
                f"{best['cpu']:.1f}",
            ]
        )
    print(f"{n:,} x {p:,}, {8 * n * p / 1e6:.0f} MB as a matrix; equal results\n")
    header = ["table", "data MB", "peak MB", "walks", "s", "CPU s"]
    print(markdown(header, rows))
    print(f"\n{versions('numpy', 'numba')}; best of {options.repeats}.")


if __name__ == "__main__":
    main()
