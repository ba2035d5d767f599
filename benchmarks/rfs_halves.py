"""Stability selection along the path of the hybrid huberised SVM beside a loop in R.

50 complementary pairs of halves, 30 values of lambda1, at most q columns ever active on a half.
The R loop calls gcdnet on each half and counts; halves, scaled columns, grid, lambda2 and delta are
the same, and so are the selection probabilities at a tight tolerance over the whole grid, which is
checked first. In the timed run `pmax` ends a path, as q does here: it also counts columns that are
active in passing, so its paths end somewhat earlier. A part of `rfs.py`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from _harness import markdown, shared_set, timed, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

LOOP = """
suppressMessages(library(gcdnet))
s <- scan("setting.txt", quiet = TRUE)
n <- s[1]; p <- s[2]; half <- s[3]; halves <- s[4]; lambda2 <- s[5]; delta <- s[6]; q <- s[7]
x <- matrix(readBin("x.bin", "double", n * p), n, p)
y <- readBin("y.bin", "double", n)
grid <- readBin("grid.bin", "double", 1e6)
rows <- matrix(readBin("rows.bin", "double", half * halves), half, halves)
count <- matrix(0L, p, length(grid))
clock <- system.time(for (h in seq_len(halves)) {
  fit <- gcdnet(x[rows[, h], ], y[rows[, h]], lambda = grid, lambda2 = lambda2, delta = delta,
                method = "hhsvm", standardize = FALSE, pmax = q, eps = s[8])
  active <- as.matrix(fit$beta) != 0
  last <- ncol(active)
  if (last > 0) count <- count + active[, c(seq_len(last), rep(last, length(grid) - last))]
})
writeBin(c(clock[["user.self"]] + clock[["sys.self"]], clock[["elapsed"]]), "clock.bin")
writeBin(as.numeric(apply(count, 1, max)) / halves, "most.bin")
"""
DEFAULT, TIGHT = 1e-8, 1e-13  # gcdnet's `eps`
CHECKED = 10  # halves of the comparison at the tight tolerance


def r_loop(shared, halves, q: int, eps: float):
    """Largest selection probabilities by the R loop, its wall and CPU seconds; or why not."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    p, n = shared.columns.shape
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        shared.columns.tofile(here / "x.bin")
        shared.targets[0].tofile(here / "y.bin")
        shared.lambdas.tofile(here / "grid.bin")
        (np.array(halves) + 1.0).tofile(here / "rows.bin")
        setting = (n, p, len(halves[0]), len(halves), shared.lambda2, shared.delta, q, eps)
        (here / "setting.txt").write_text(" ".join(map(str, setting)) + "\n")
        (here / "loop.R").write_text(LOOP)
        done = subprocess.run(["Rscript", "loop.R"], cwd=here, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["R failed"])[0]
        cpu, wall = np.fromfile(here / "clock.bin")
        return np.fromfile(here / "most.bin"), wall, cpu


def halves_part(options) -> bool:
    """50 pairs x 30 values of lambda1, one thread and two; True if ours is quicker."""
    from tamis.selection import RobustFeatureSelector
    from tamis.selection._halves import child_seed, complementary_halves
    from tamis.selection._huberized_selector import HuberizedSVMSelector
    from tamis.selection._stability_counts import path_counts

    print("## Stability selection\n")
    rows, notes, good = [], [], True
    for name in options.sets:
        data = shared_set(name)
        X, y = data.X, data.codes

        def ours(n_jobs=1, X=X, y=y):
            return RobustFeatureSelector(random_state=0, size=None, n_jobs=n_jobs).fit(X, y)

        ours(2)  # compile or load the kernels, start the threads
        one, two = timed(ours, options.repeats), timed(lambda: ours(2), options.repeats)
        selector = one.value
        good &= np.array_equal(selector.scores_, two.value.scores_)
        seed, q = np.random.SeedSequence(0), selector.q_
        halves = [h for b in range(50) for h in complementary_halves(y, child_seed(seed, 0, b))]
        shared = HuberizedSVMSelector().shared_path(X, y)
        found = path_counts(shared, halves[:CHECKED], X.shape[1])
        some = np.zeros(X.shape[1])
        some[found.features] = found.counts.max(axis=0) / CHECKED
        row = [
            name,
            f"{X.shape[0]} x {X.shape[1]:,}",
            q,
            f"{one.wall:.3f} ({one.cpu:.3f})",
            f"{two.wall:.3f}",
            f"{one.wall / two.wall:.2f}",
        ]
        tight = r_loop(shared, halves[:CHECKED], X.shape[1], TIGHT)
        loop = tight if isinstance(tight, str) else r_loop(shared, halves, q, DEFAULT)
        if isinstance(loop, str) or isinstance(tight, str):
            notes.append(f"R loop left out ({name}): {loop}")
            rows.append([*row, "-", "-", "-", "-", "-"])
            continue
        most, wall, cpu = loop
        apart = np.abs(most - selector.probabilities_)
        rows.append(
            [
                *row,
                f"{wall:.2f} ({cpu:.2f})",
                f"{wall / one.wall:.0f}",
                f"{cpu / one.cpu:.0f}",
                f"{np.abs(tight[0] - some).max():.2f}",
                f"{apart.max():.2f}",
            ]
        )
        good &= wall > one.wall
        print(f"{name}: done", flush=True)
    header = [
        "set",
        "size",
        "q",
        "tamis s (CPU)",
        "two threads s",
        "1 / 2 threads",
        "R loop s (CPU)",
        "ratio",
        "CPU ratio",
        "probabilities apart, tight",
        "apart, default",
    ]
    print("\n" + markdown(header, rows))
    print(
        f"\n50 pairs, 30 values of lambda1, lambda2 0.1, delta 2; {versions('numpy', 'numba')}; "
        f"Tamis (from the table in memory to the ranking) best of {options.repeats}, R once, "
        f"without its start. Tight: {CHECKED} halves at eps = {TIGHT:g}; default: all halves at "
        f"gcdnet's eps = {DEFAULT:g}."
    )
    for note in notes:
        print(note)
    return good
