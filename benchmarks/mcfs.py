"""Monte Carlo feature selection beside the R package rmcfs: trees per CPU-second.

Both grow pruned trees, record interdependencies and run no permutations. A rate is that of the
steady state: more projections against few, so that reading the table, starting the Java machine
and its warming up, and writing results drop out. Of rmcfs the clock is the process's own CPU
time, its Java threads included. Without Rscript or rmcfs that is said and its columns are left
out. Last, memory and time of a wide table with default settings.

    python benchmarks/mcfs.py [--parts rates threads wide] [--repeats 3] [--wide table.csv]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from _harness import markdown, shared_set, timed, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

SPLITS = 5
SETS = [("artificial", 22), ("alon", 45), ("alon", 200), ("alon", 400), ("golub", 84)]
FEW, MANY = 300, 1500  # projections of rmcfs

RMCFS = """
options(java.parameters = "-Xmx3g")
suppressMessages(library(rmcfs))
data <- read.csv("table.csv", check.names = FALSE, stringsAsFactors = TRUE)
run <- function(projections) {
  clock <- system.time(
    found <- mcfs(class ~ ., data, projectionSize = M, projections = projections, splits = 5,
                  cutoffPermutations = 0, buildID = TRUE, finalRuleset = FALSE, finalCV = FALSE,
                  seed = 1, threadsNumber = THREADS))
  c(clock[["user.self"]] + clock[["sys.self"]], clock[["elapsed"]])
}
invisible(capture.output(suppressMessages({
  run(FEW)
  few <- run(FEW)
  many <- run(MANY)
}), type = "output"))
cat(few, many, file = "clock.txt")
"""


def table_of(name: str):
    """X, codes, levels of the columns (0 = numeric) and class names."""
    if name == "artificial":
        from tamis.data import make_mcfs_toy

        data = make_mcfs_toy()
    else:
        data = shared_set(name)
    levels = np.zeros(data.X.shape[1], dtype=np.int64)
    for j, names in data.levels.items():
        levels[j] = len(names)
    return data, levels


def rmcfs(data, levels, m: int, threads: int) -> tuple[float, float] | str:
    """Trees per second of CPU and of wall clock, or why there are none."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    import pandas as pd

    frame = pd.DataFrame(data.X, columns=[f"g{j}" for j in range(data.X.shape[1])])
    for j in np.flatnonzero(levels):
        frame[f"g{j}"] = np.where(data.X[:, j] > 0, "yes", "no")
    frame["class"] = data.y
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        frame.to_csv(here / "table.csv", index=False)
        values = {"M": m, "THREADS": threads, "FEW": FEW, "MANY": MANY}
        setting = "".join(f"{name} <- {value}\n" for name, value in values.items())
        (here / "run.R").write_text(setting + RMCFS)
        done = subprocess.run(["Rscript", "run.R"], cwd=here, capture_output=True, text=True)
        if not (here / "clock.txt").exists():
            return (done.stderr.strip().splitlines() or ["R failed"])[-1]
        few_cpu, few_wall, cpu, wall = map(float, (here / "clock.txt").read_text().split())
    trees = (MANY - FEW) * SPLITS
    return trees / (cpu - few_cpu), trees / (wall - few_wall)


class Ours:
    """The compiled loop on one table, warm."""

    def __init__(self, data, levels, m: int):
        from tamis.kernels import c45
        from tamis.selection._monte_carlo_runs import Forest

        y = data.codes
        sizes = np.maximum(66 * np.bincount(y) // 100, 1)
        table = c45.prepare(data.X, levels)
        self.y, self.m = y, m
        self.forest = {
            jobs: Forest(table, len(sizes), sizes, m, SPLITS, 1.0, 1.0, 1, jobs) for jobs in (1, 2)
        }

    def run(self, s: int, jobs: int = 1) -> int:
        """Grow the trees of s projections with ID weights; returns how many."""
        from tamis._core.progress import Progress
        from tamis.kernels.mcfs_draws import offer
        from tamis.selection._monte_carlo_runs import Run, run_all

        forest = self.forest[jobs]
        one = Run(0, self.y, s, offer(forest.p), np.ones(forest.p, dtype=bool))
        (totals,) = run_all(forest, [one], Progress(1, "trees", quiet=True))
        return totals.projections * SPLITS


def rates_part(options) -> None:
    """Trees per CPU-second against rmcfs."""
    print("## Trees per CPU-second, one thread\n")
    rows, notes = [], set()
    for name, m in SETS:
        data, levels = table_of(name)
        ours = Ours(data, levels, m)
        ours.run(10)  # compile or load
        clock = timed(lambda ours=ours: ours.run(2000), options.repeats)
        rate = clock.value / clock.cpu
        peer = rmcfs(data, levels, m, 1) if not options.no_rmcfs else "left out as asked"
        row = [name, f"{data.X.shape[0]} x {data.X.shape[1]:,}", m, f"{rate:,.0f}"]
        if isinstance(peer, str):
            notes.add(f"rmcfs: {peer}")
            row += ["-", "-"]
        else:
            row += [f"{peer[0]:,.0f}", f"{rate / peer[0]:.1f}"]
        rows.append(row)
        print("; ".join(map(str, row)), flush=True)
    print()
    print(markdown(["set", "size", "m", "tamis", "rmcfs", "ratio"], rows))
    for note in sorted(notes):
        print(note)


def threads_part(options) -> None:
    """Two threads against one, by the wall clock."""
    print("## Two threads\n")
    rows = []
    for name, m in SETS[:2] + SETS[-1:]:
        data, levels = table_of(name)
        ours = Ours(data, levels, m)
        ours.run(10)
        one, two = (timed(lambda o=ours, j=j: o.run(4000, j), options.repeats) for j in (1, 2))
        rows.append(
            [name, m, f"{one.value / one.wall:,.0f}", f"{two.value / two.wall:,.0f}",
             f"{one.wall / two.wall:.2f}", f"{two.cpu / two.wall:.2f}"]
        )  # fmt: skip
    print(markdown(["set", "m", "one: trees/s", "two: trees/s", "ratio", "cores got"], rows))


def wide_part(options) -> None:
    """A wide table with default settings: time and peak memory."""
    from tamis.selection import MonteCarloSelector

    print("## 100 x 22,000, default settings, two threads\n")
    if options.wide:
        from tamis.data import read_table

        data = read_table(options.wide, target="class")
        X, y = data.X, data.y
    else:
        rng = np.random.default_rng(0)
        y = np.arange(100) % 2
        X = rng.normal(size=(100, 22_000))
        X[:, :50] += y[:, None]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, cpu = time.perf_counter(), time.process_time()
    fit = MonteCarloSelector(random_state=0, n_jobs=2, progress=True).fit(X, y)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    trees = 20 * fit.result_.n_trees + SPLITS * fit.graph_.settings["projections"]
    row = [f"{trees:,}", f"{wall:.0f}", f"{cpu:.0f}", f"{trees / cpu:,.0f}",
           f"{before:.0f}", f"{peak:.0f}", fit.cutoff_["size"]]  # fmt: skip
    header = ["trees", "wall s", "CPU s", "trees/CPU-s", "MB before", "MB peak", "kept"]
    print(markdown(header, [row]))


PARTS = {"rates": rates_part, "threads": threads_part, "wide": wide_part}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--repeats", type=int, default=3, help="best counts")
    parser.add_argument("--wide", help="a CSV with a column class, in place of made-up data")
    parser.add_argument("--no-rmcfs", action="store_true", help="it takes minutes")
    options = parser.parse_args()
    for part in options.parts:
        PARTS[part](options)
        print()
    print(f"t = {SPLITS}, pruning on, ID weights recorded; {versions('numpy', 'numba')}; load "
          f"{os.getloadavg()[0]:.1f} at the end.")  # fmt: skip


if __name__ == "__main__":
    main()
