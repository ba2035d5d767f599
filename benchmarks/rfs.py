"""The path of the hybrid huberised SVM beside R's gcdnet and skglm.

Columns are standardised beforehand; every route gets the same table, lambda1 (100 values), lambda2
and delta, and solves to its own default tolerance. What the answers are worth is told before any
time: violations of the optimality conditions, objectives and supports against the certified ones.
gcdnet is timed inside R, without R's start. A peer that is not installed is named and left out.

    python benchmarks/rfs.py [--parts path halves] [--sets golub alon gordon chowdary]
                             [--lambda2 0 0.1 1] [--delta 2] [--repeats 5] [--no-skglm]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from _harness import markdown, shared_set, timed, versions  # before NumPy: sets one thread each
from rfs_halves import halves_part

# isort: split
import numpy as np

GCDNET = """
suppressMessages(library(gcdnet))
setting <- scan("setting.txt", quiet = TRUE)
n <- setting[1]; p <- setting[2]; lambda2 <- setting[3]; delta <- setting[4]; runs <- setting[5]
x <- matrix(readBin("x.bin", "double", n * p), n, p)
y <- readBin("y.bin", "double", n)
grid <- readBin("grid.bin", "double", 1e6)
best <- c(Inf, Inf)
for (run in seq_len(runs)) {
  clock <- system.time(fit <- gcdnet(x, y, lambda = grid, lambda2 = lambda2, delta = delta,
                                     method = "hhsvm", standardize = FALSE))
  if (clock[["elapsed"]] < best[2]) best <- c(clock[["user.self"]] + clock[["sys.self"]],
                                              clock[["elapsed"]])
}
writeBin(best, "clock.bin")
writeBin(as.numeric(fit$lambda), "lambda.bin")
writeBin(as.numeric(fit$b0), "b0.bin")
writeBin(as.numeric(as.matrix(fit$beta)), "beta.bin")
"""


@dataclass(frozen=True)
class Answer:
    """A path by one route: coefficients (m, p), intercepts (m,), and what it cost."""

    coef: np.ndarray
    intercept: np.ndarray
    wall: float
    cpu: float


@dataclass(frozen=True)
class Problem:
    """A standardised table and the penalties."""

    X: np.ndarray
    y: np.ndarray  # -1, 1
    lambda2: float
    delta: float
    grid: np.ndarray

    def worth(self, coef, intercept) -> tuple[np.ndarray, np.ndarray]:
        """Largest violation / lambda1 and objective at each lambda1, by the formulas."""
        short = np.maximum(1 - self.y * (intercept[:, None] + coef @ self.X.T), 0)
        a = np.minimum(short / self.delta, 1)
        loss = np.where(short < self.delta, short**2 / (2 * self.delta), short - self.delta / 2)
        z = (a * self.y) @ self.X / len(self.y)
        l1 = self.grid[:, None]
        wrong = np.where(
            coef == 0, np.abs(z) - l1, np.abs(z - self.lambda2 * coef - l1 * np.sign(coef))
        )
        balance = np.abs((a * self.y).mean(axis=1))
        penalty = self.grid * np.abs(coef).sum(axis=1) + self.lambda2 / 2 * (coef**2).sum(axis=1)
        return np.maximum(wrong.max(axis=1), balance) / self.grid, loss.mean(axis=1) + penalty


def gcdnet(problem: Problem, runs: int) -> Answer | str:
    """R's path at its default tolerance, timed inside R; or why there is none."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    n, p = problem.X.shape
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        problem.X.T.tofile(here / "x.bin")
        problem.y.tofile(here / "y.bin")
        problem.grid.tofile(here / "grid.bin")
        (here / "setting.txt").write_text(f"{n} {p} {problem.lambda2} {problem.delta} {runs}\n")
        (here / "path.R").write_text(GCDNET)
        done = subprocess.run(["Rscript", "path.R"], cwd=here, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["R failed"])[0]
        clock, grid, b0, beta = (
            np.fromfile(here / f"{name}.bin") for name in ("clock", "lambda", "b0", "beta")
        )
    if len(grid) < len(problem.grid):
        return f"stopped after {len(grid)} of {len(problem.grid)} values of lambda1"
    return Answer(beta.reshape(len(grid), p), b0, clock[1], clock[0])


def skglm(problem: Problem, runs: int) -> Answer | str:
    """skglm's solver along the grid, warm-started, with a datafit written for this loss.

    It has no huberised hinge and its `path` keeps the ratio of the penalties, not lambda2; so the
    loss is given to it as a datafit of our own, and lambda1 is walked by hand.
    """
    if find_spec("skglm") is None:
        return "skglm is not installed"
    from skglm.penalties import L1_plus_L2
    from skglm.solvers import AndersonCD

    datafit = huberized_hinge(problem.delta)
    X, (n, p) = np.asfortranarray(problem.X), problem.X.shape

    def walk():
        w, Xw, rows = np.zeros(p + 1), np.zeros(n), []
        for l1 in problem.grid:
            total = l1 + problem.lambda2
            penalty = L1_plus_L2(total, l1 / total)
            solver = AndersonCD(fit_intercept=True, warm_start=True)
            w = solver.solve(X, problem.y, datafit, penalty, w, Xw)[0]
            Xw = X @ w[:-1] + w[-1]
            rows.append(w.copy())
        return np.array(rows)

    walk()
    clock = timed(walk, runs)
    return Answer(clock.value[:, :-1], clock.value[:, -1], clock.wall, clock.cpu)


def huberized_hinge(delta: float):
    """A skglm datafit, in its own manner."""
    from numba import float64
    from skglm.datafits.base import BaseDatafit

    class HuberizedHinge(BaseDatafit):
        def __init__(self, delta):
            self.delta = delta

        def get_spec(self):
            return (("delta", float64),)

        def params_to_dict(self):
            return {"delta": self.delta}

        def get_lipschitz(self, X, y):
            out = np.zeros(X.shape[1])
            for j in range(X.shape[1]):
                out[j] = (X[:, j] ** 2).sum() / len(y) / self.delta
            return out

        def initialize(self, X, y):
            pass

        def value(self, y, w, Xw):
            total = 0.0
            for i in range(len(y)):
                short = max(1 - y[i] * Xw[i], 0.0)
                if short < self.delta:
                    total += short * short / (2 * self.delta)
                else:
                    total += short - self.delta / 2
            return total / len(y)

        def gradient_scalar(self, X, y, w, Xw, j):
            total = 0.0
            for i in range(len(y)):
                a = min(max((1 - y[i] * Xw[i]) / self.delta, 0.0), 1.0)
                total -= X[i, j] * y[i] * a
            return total / len(y)

        def intercept_update_step(self, y, Xw):
            total = 0.0
            for i in range(len(y)):
                total -= y[i] * min(max((1 - y[i] * Xw[i]) / self.delta, 0.0), 1.0)
            return total / len(y) * self.delta

    return HuberizedHinge(delta)


def path_part(options) -> bool:
    """The full path of 100 values of lambda1; True if ours is certified and quicker."""
    from tamis.classifiers import hhsvm_path

    print("## Path\n")
    worth_rows, time_rows, notes, good = [], [], [], True
    for name in options.sets:
        data = shared_set(name)
        y = np.where(data.y == np.unique(data.y)[1], 1.0, -1.0)
        spread = data.X.std(axis=0)
        X = np.ascontiguousarray((data.X - data.X.mean(axis=0)) / np.where(spread > 0, spread, 1))
        for lambda2 in options.lambda2:

            def ours(X=X, y=y, lambda2=lambda2):
                return hhsvm_path(X, y, lambda2, options.delta)

            ours()  # compile or load the kernels
            clock = timed(ours, options.repeats)
            path = clock.value
            problem = Problem(X, y, lambda2, options.delta, path.lambdas)
            mine = Answer(path.coef, path.intercept, clock.wall, clock.cpu)
            kkt, objective = problem.worth(mine.coef, mine.intercept)
            good &= bool(path.converged.all()) and kkt.max() <= 1e-8
            label = [name, f"{X.shape[0]} x {X.shape[1]:,}", f"{lambda2:g}"]
            worth_rows.append([*label, "tamis", f"{kkt.max():.0e}", f"{path.gap.max():.0e}", 0, 0])
            row = [*label, f"{mine.wall:.4f} ({mine.cpu:.4f})"]
            routes = [("gcdnet", gcdnet)] + [("skglm", skglm)] * (not options.no_skglm)
            for peer, route in routes:
                theirs = route(problem, options.repeats if peer == "gcdnet" else 1)
                if isinstance(theirs, str):
                    notes.append(f"{peer} left out ({name}, lambda2 {lambda2:g}): {theirs}")
                    row += ["-", "-", "-"]
                    continue
                found, value = problem.worth(theirs.coef, theirs.intercept)
                other = ((theirs.coef != 0) != (mine.coef != 0)).any(axis=1).sum()
                excess = (value / objective - 1).max()
                worth_rows.append([*label, peer, f"{found.max():.0e}", "-", f"{excess:.0e}", other])
                row += [
                    f"{theirs.wall:.3f} ({theirs.cpu:.3f})",
                    f"{theirs.wall / mine.wall:.0f}",
                    f"{theirs.cpu / mine.cpu:.0f}",
                ]
                good &= theirs.wall > mine.wall
            time_rows.append(row)
            print(f"{name}, lambda2 {lambda2:g}: done", flush=True)
    print()
    header = [
        "set",
        "size",
        "lambda2",
        "route",
        "KKT / lambda1, worst",
        "gap, worst",
        "objective above ours, worst",
        "supports that differ, of 100",
    ]
    print(markdown(header, worth_rows), end="\n\n")
    header = ["set", "size", "lambda2", "tamis s (CPU)"]
    for peer in ["gcdnet"] + ["skglm"] * (not options.no_skglm):
        header += [f"{peer} s (CPU)", "ratio", "CPU ratio"]
    print(markdown(header, time_rows))
    print(
        f"\ndelta {options.delta:g}; {versions('numpy', 'numba')}; Tamis (from the table in "
        f"memory to the certified path) and gcdnet best of {options.repeats}, skglm once. "
        "skglm has no path at fixed lambda2 and no huberised hinge: its AndersonCD is given "
        "the loss and walked along lambda1 by hand."
    )
    for note in notes:
        print(note)
    return good


# One function a part; each prints its tables and returns whether all was right.
PARTS = {"path": path_part, "halves": halves_part}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--sets", nargs="+", default=["golub", "alon", "gordon", "chowdary"])
    parser.add_argument("--lambda2", nargs="+", type=float, default=[0.0, 0.1, 1.0])
    parser.add_argument("--delta", type=float, default=2.0)
    parser.add_argument("--repeats", type=int, default=5, help="runs of quick routes; best counts")
    parser.add_argument("--no-skglm", action="store_true", help="it takes minutes")
    options = parser.parse_args()
    right = [PARTS[part](options) for part in options.parts]
    raise SystemExit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
