"""RMA of simulated arrays beside Bioconductor's: the same values, CPU time and memory.

    python benchmarks/rma.py [--arrays 100] [--probes 500000] [--calls]

Each is a process of its own that reads the same file of intensities, one thread each. Times are of
RMA alone; "array by array" reads the file meanwhile. Memory is the largest resident set less that
before the intensities are read. Needs Rscript with affy and preprocessCore. `--calls`: how often
calls of affy differ from the exact test's instead.
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

PROBES = 11  # of a probe set
AFFY = """
suppressPackageStartupMessages(library(affy))
a <- commandArgs(trailingOnly = TRUE)
p <- as.numeric(a[2]); n <- as.numeric(a[3])
status <- function(what) {
  lines <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep(what, lines, value = TRUE))) * 1024
}
invisible(.Call("rma_c_complete_copy", matrix(runif(2000, 50, 900), 1000), list(a = 0:999), 1L,
  TRUE, TRUE, 2, FALSE, PACKAGE = "affy"))
before <- status("VmRSS")
file <- file(a[1], "rb")
pm <- matrix(0, p, n)
for (j in seq_len(n)) pm[, j] <- readBin(file, "double", p, size = 4)
close(file)
names <- sprintf("%07d_at", (seq_len(p) - 1) %/% as.numeric(a[4]))
start <- proc.time()
places <- split(seq_len(p) - 1L, names)
# in place, as affy's rma() does by default
found <- .Call("rma_c_complete", pm, places, length(places), TRUE, TRUE, 2, FALSE,
  PACKAGE = "affy")
used <- proc.time() - start
writeBin(as.vector(found), a[5])
cat(sprintf('{"cpu":%f,"wall":%f,"bytes":%.0f}', used[[1]] + used[[2]], used[[3]],
  status("VmHWM") - before))
"""


def simulate(path: Path, n: int, p: int) -> None:
    """Intensities as a scanner's files have them (float32), array by array."""
    rng = np.random.default_rng(0)
    at = np.arange(p) // PROBES
    probe = rng.normal(0, 0.8, p)
    level = rng.normal(4.5, 1.6, at[-1] + 1)
    with open(path, "wb") as out:
        for _ in range(n):
            logs = (level + rng.normal(0, 0.4, len(level)))[at] + probe + rng.normal(0, 0.2, p)
            x = rng.normal(100, 15, p) + np.exp(logs)
            np.maximum(np.round(x, 1), 1.0).astype(np.float32).tofile(out)


def resident(what: str) -> int:
    """Bytes of this process, from the system."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) * 1024


def ours(path: Path, p: int, n: int, out: Path, how: str) -> None:
    """In a process of its own: RMA of a file, figures as JSON on stdout."""
    from tamis.expression import RMA, rma

    warm = np.random.default_rng(0).gamma(2.0, 100.0, (3, 500)) + 50
    RMA(np.repeat(["a", "b"], 250)).fit(warm).transform(warm)  # compile, or load what was
    before = resident("VmRSS")
    sets = np.array([f"{s:07d}_at" for s in range(-(-p // PROBES))])[np.arange(p) // PROBES]
    if how == "stream":  # arrays as they come from files
        X = (np.fromfile(path, np.float32, p, offset=4 * p * j) for j in range(n))
    else:
        X = np.empty((n, p), dtype=how)
        with open(path, "rb") as file:
            for row in X:
                row[:] = np.fromfile(file, np.float32, p)
    wall, cpu = time.perf_counter(), time.process_time()
    found = rma(X, sets)
    used = time.process_time() - cpu, time.perf_counter() - wall
    found.values.tofile(out)
    content = {"cpu": used[0], "wall": used[1], "bytes": resident("VmHWM") - before}
    print(json.dumps(content))


def run(command: list[str]) -> dict:
    """Figures of a process."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def compare(n: int, p: int, repeats: int) -> None:
    """Equal values first, then a table."""
    matrix = 8 * n * p
    m = -(-p // PROBES)
    with tempfile.TemporaryDirectory() as folder:
        data, out, script = (Path(folder) / name for name in ("x.bin", "y.bin", "affy.R"))
        simulate(data, n, p)
        script.write_text(AFFY)
        here = [sys.executable, __file__, "--child", str(data), str(p), str(n), str(out)]
        commands = {
            "affy": ["Rscript", str(script), str(data), str(p), str(n), str(PROBES), str(out)],
            "tamis, array by array": [*here, "stream"],
            "tamis, float32 matrix": [*here, "float32"],
            "tamis, float64 matrix": [*here, "float64"],
        }
        rows, expected, cpu = [], None, {}
        for name, command in commands.items():
            runs = [run(command) for _ in range(repeats)]
            best = min(runs, key=lambda figures: figures["cpu"])
            values = np.fromfile(out).reshape((n, m))
            expected = values if expected is None else expected
            away = float(np.abs(values - expected).max())
            if away > 1e-8:
                raise SystemExit(f"{name}: values differ by {away:g}")
            cpu[name] = best["cpu"]
            rows.append(
                [
                    name,
                    f"{best['cpu']:.1f}",
                    f"{best['wall']:.1f}",
                    f"{cpu['affy'] / best['cpu']:.1f}",
                    f"{best['bytes'] / matrix:.2f}",
                    f"{away:.0e}",
                ]
            )
    print(f"{n} arrays x {p:,} probes, {m:,} probe sets; {versions('numpy', 'numba')}\n")
    header = (
        "",
        "CPU s",
        "wall s",
        "affy's CPU over it",
        "peak memory / float64 matrix",
        "largest difference",
    )
    print(markdown(header, rows))


def calls() -> None:
    """How often a call of the normal approximation is not the exact test's."""
    from tamis.expression import detection_calls

    rng = np.random.default_rng(0)
    rows = []
    for pairs in (4, 8, 11, 16, 20, 40):
        m = 20000
        mm = np.round(rng.gamma(2, 200, m * pairs) + 30)
        level = np.repeat(rng.normal(0.1, 0.3, m), pairs)
        pm = np.round(mm * np.exp(level + rng.normal(0, 0.5, m * pairs)))
        sets = np.repeat(np.arange(m), pairs)
        affy = detection_calls(pm[None], mm[None], sets).calls[0]
        exact = detection_calls(pm[None], mm[None], sets, exact=True).calls[0]
        differ, present = affy != exact, (affy == "P") != (exact == "P")
        rows.append(
            [pairs, f"{(exact == 'P').mean():.1%}", f"{differ.mean():.2%}", f"{present.mean():.2%}"]
        )
    print(markdown(("pairs", "present (exact)", "calls that differ", "P in one alone"), rows))


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        path, p, n, out, how = sys.argv[2:]
        ours(Path(path), int(p), int(n), Path(out), how)
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arrays", type=int, default=100)
    parser.add_argument("--probes", type=int, default=500_000)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--calls", action="store_true")
    options = parser.parse_args()
    if options.calls:
        calls()
    else:
        compare(options.arrays, options.probes, options.repeats)


if __name__ == "__main__":
    main()
