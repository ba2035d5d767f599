"""Monte Carlo feature selection beside the R package rmcfs: trees per CPU-second.

Both grow pruned trees, record interdependencies and run no permutations. A rate is that of the
steady state: more projections against few, so that reading the table, starting the Java machine
and its warming up, and writing results drop out. Of rmcfs the clock is the process's own CPU
time, its Java threads included. Without Rscript or rmcfs that is said and its columns are left
out. Answers are compared first. Last, memory and time of a wide table with default settings.

    python benchmarks/mcfs.py [--parts agree rates threads wide] [--repeats 3] [--wide table.csv]
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

LOAD = """
options(java.parameters = "-Xmx3g")
suppressMessages(library(rmcfs))
data <- read.csv("table.csv", check.names = FALSE, stringsAsFactors = TRUE)
"""
RATES = """
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
ANSWERS = """
invisible(capture.output(suppressMessages(
  for (seed in 1:2) {
    found <- mcfs(class ~ ., data, projectionSize = M, featureFreq = 100, splits = 5,
                  cutoffPermutations = 0, buildID = TRUE, finalRuleset = FALSE, finalCV = FALSE,
                  seed = seed, threadsNumber = 1)
    write.csv(found$RI, sprintf("ri%d.csv", seed), row.names = FALSE)
    write.csv(head(found$ID, 1000), sprintf("id%d.csv", seed), row.names = FALSE)
  }), type = "output"))
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


def in_r(script: str, data, levels, folder: Path, **values: int) -> str | None:
    """Run a script of rmcfs in a folder with the table; says why if it could not."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    import pandas as pd

    frame = pd.DataFrame(data.X, columns=[f"g{j}" for j in range(data.X.shape[1])])
    for j in np.flatnonzero(levels):
        frame[f"g{j}"] = np.where(data.X[:, j] > 0, "yes", "no")
    frame["class"] = data.y
    frame.to_csv(folder / "table.csv", index=False)
    setting = "".join(f"{name} <- {value}\n" for name, value in values.items())
    (folder / "run.R").write_text(setting + LOAD + script)
    done = subprocess.run(["Rscript", "run.R"], cwd=folder, capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["R failed"])[0]


def rmcfs_rate(data, levels, m: int, threads: int) -> tuple[float, float] | str:
    """Trees per second of CPU and of wall clock, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        fault = in_r(RATES, data, levels, here, M=m, THREADS=threads, FEW=FEW, MANY=MANY)
        if fault:
            return fault
        few_cpu, few_wall, cpu, wall = map(float, (here / "clock.txt").read_text().split())
    trees = (MANY - FEW) * SPLITS
    return trees / (cpu - few_cpu), trees / (wall - few_wall)


def rmcfs_answers(data, levels, m: int) -> list[tuple[np.ndarray, list]] | str:
    """RI of every feature and the heaviest edges, for two seeds."""
    import pandas as pd

    found = []
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        fault = in_r(ANSWERS, data, levels, here, M=m)
        if fault:
            return fault
        for seed in (1, 2):
            table, edges = (pd.read_csv(here / f"{kind}{seed}.csv") for kind in ("ri", "id"))
            ri = np.zeros(data.X.shape[1])
            ri[table["attribute"].str[1:].astype(int)] = table["RI"]
            edges = edges.sort_values("weight", ascending=False)
            found.append((ri, list(zip(edges["edge_a"], edges["edge_b"], strict=True))))
    return found


class Ours:
    """The compiled loop on one table, warm."""

    def __init__(self, data, levels, m: int):
        from tamis.kernels import c45
        from tamis.selection._monte_carlo_runs import Forest

        y = data.codes
        sizes = np.maximum(66 * np.bincount(y) // 100, 1)
        table = c45.prepare_table(data.X, levels)
        self.y, self.m = y, m
        self.forest = {
            jobs: Forest(table, len(sizes), sizes, m, SPLITS, 1.0, 1.0, 1, jobs) for jobs in (1, 2)
        }

    def run(self, s: int, jobs: int = 1) -> int:
        """Grow the trees of s projections with ID weights; returns how many."""
        from tamis._core.progress import Progress
        from tamis.kernels.mcfs import make_offer
        from tamis.selection._monte_carlo_runs import Run, run_all

        forest = self.forest[jobs]
        one = Run(0, self.y, s, make_offer(forest.p), np.ones(forest.p, dtype=bool))
        (totals,) = run_all(forest, [one], Progress(1, "trees", quiet=True))
        return totals.projections * SPLITS


def our_answers(data, m: int) -> tuple[list, list]:
    """RI and the heaviest edges for two seeds, with a second stage and without one."""
    from tamis.selection import MonteCarloSelector

    found: tuple[list, list] = ([], [])
    for seed in (1, 2):
        for stage, answers in zip((30, 0), found, strict=True):
            fit = MonteCarloSelector(
                m=m,
                size=1,
                second_stage=stage,
                categorical_features=sorted(data.levels),
                random_state=seed,
            ).fit(data.X, data.y)
            edges = fit.graph_.frame()
            answers.append((fit.scores_, list(zip(edges["source"], edges["target"], strict=True))))
    return found


def agree_part(options) -> None:
    """Relative importances and edges against rmcfs's, and from seed to seed."""
    print("## The same answers? alon, m = 45, s = 4,444, t = 5, two seeds each\n")
    data, levels = table_of("alon")
    staged, plain = our_answers(data, 45)
    peers = "left out as asked" if options.no_rmcfs else rmcfs_answers(data, levels, 45)
    pairs = [("tamis, two seeds", staged[0], staged[1])]
    if isinstance(peers, str):
        print(f"rmcfs: {peers}\n")
    else:
        pairs += [("tamis and rmcfs", staged[0], peers[0]), ("rmcfs, two seeds", *peers)]
    rows = []
    for name, (first, _), (second, _) in pairs:
        best = [set(np.argsort(-ri, kind="stable")[:25]) for ri in (first, second)]
        r = np.corrcoef(first, second)[0, 1]
        rows.append(
            [name, f"{first.sum():.2f}", f"{second.sum():.2f}", f"{r:.4f}", len(best[0] & best[1])]
        )
    print(markdown(["RI of", "sum", "sum", "correlation", "best 25 in common"], rows), "\n")
    rows = []
    for name, answers in (("tamis", staged), ("tamis, second_stage=0", plain), ("rmcfs", peers)):
        if not isinstance(answers, str):
            first, second = (set(edges[:25]) for _, edges in answers)
            rows.append([name, len(first & second)])
    print(markdown(["edges of", "of the 25 heaviest, in common between seeds"], rows))


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
        peer = rmcfs_rate(data, levels, m, 1) if not options.no_rmcfs else "left out as asked"
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
            [
                name,
                m,
                f"{one.value / one.wall:,.0f}",
                f"{two.value / two.wall:,.0f}",
                f"{one.wall / two.wall:.2f}",
                f"{two.cpu / two.wall:.2f}",
            ]
        )
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
    row = [
        f"{trees:,}",
        f"{wall:.0f}",
        f"{cpu:.0f}",
        f"{trees / cpu:,.0f}",
        f"{before:.0f}",
        f"{peak:.0f}",
        fit.cutoff_["size"],
    ]
    header = ["trees", "wall s", "CPU s", "trees/CPU-s", "MB before", "MB peak", "kept"]
    print(markdown(header, [row]))


PARTS = {"agree": agree_part, "rates": rates_part, "threads": threads_part, "wide": wide_part}


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
    print(
        f"t = {SPLITS}, pruning on, ID weights recorded; {versions('numpy', 'numba')}; load "
        f"{os.getloadavg()[0]:.1f} at the end."
    )


if __name__ == "__main__":
    main()
