"""The elastic net's logistic path beside R's glmnet and scikit-learn's saga.

Columns are standardised beforehand; every route gets the same table, alpha and lambdas (100 from
lambda_max down). What the answers are worth is told before any time: objectives above ours,
violations of the optimality conditions. glmnet is timed inside R, without R's start, at its default
threshold and at 1e-14. saga walks the lambdas by warm starts, at most 2,000 epochs each, until it
has used up its time; the ratio is then that of the lambdas it has solved. Ratios are of CPU
seconds, all routes having one thread. A peer that is not installed is named and left out.

    python benchmarks/elastic_net.py [--sets golub alon brain_pomeroy breast_tcga]
                                     [--alpha 0.5 1] [--repeats 3] [--saga-seconds 60]
                                     [--saga-tol 1e-4]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from _harness import markdown, shared_set, timed, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

GLMNET = """
suppressMessages(library(glmnet))
setting <- scan("setting.txt", quiet = TRUE)
n <- setting[1]; p <- setting[2]; classes <- setting[3]; alpha <- setting[4]; thresh <- setting[5]
runs <- setting[6]
x <- matrix(readBin("x.bin", "double", n * p), n, p)
y <- factor(readBin("y.bin", "double", n))
grid <- readBin("grid.bin", "double", 1e6)
family <- if (classes == 2) "binomial" else "multinomial"
best <- c(Inf, Inf)
for (run in seq_len(runs)) {
  clock <- system.time(fit <- glmnet(x, y, family, lambda = grid, alpha = alpha, thresh = thresh,
                                     standardize = FALSE, maxit = 1e7))
  if (clock[["elapsed"]] < best[2]) best <- c(clock[["user.self"]] + clock[["sys.self"]],
                                              clock[["elapsed"]])
}
betas <- if (is.list(fit$beta)) fit$beta else list(fit$beta)
writeBin(best, "clock.bin")
writeBin(as.numeric(fit$lambda), "lambda.bin")
writeBin(as.numeric(fit$a0), "a0.bin")
writeBin(unlist(lapply(betas, function(b) as.numeric(as.matrix(b)))), "beta.bin")
cat(as.character(packageVersion("glmnet")))
"""


@dataclass(frozen=True)
class Answer:
    """A path by one route: coefficients (m, K, p), intercepts (m, K), and what it cost."""

    coef: np.ndarray
    intercept: np.ndarray
    wall: float
    cpu: float
    version: str = ""


@dataclass(frozen=True)
class Problem:
    """A standardised table and the penalties."""

    X: np.ndarray
    codes: np.ndarray
    n_classes: int
    alpha: float
    grid: np.ndarray

    def worth(self, answer: Answer) -> tuple[np.ndarray, np.ndarray]:
        """Largest violation / lambda and objective at each lambda, by the formulas."""
        kkt, objective = [], []
        rows = zip(self.grid, answer.coef, answer.intercept, strict=False)
        for lam, b, b0 in rows:
            eta = self.X @ b.T + b0
            full = np.hstack([np.zeros_like(eta), eta]) if len(b) == 1 else eta
            full = full - full.max(axis=1, keepdims=True)
            logs = full - np.log(np.exp(full).sum(axis=1, keepdims=True))
            own = self.codes[:, None] == np.arange(self.n_classes)
            short = (own - np.exp(logs)) / len(self.X)
            short = short[:, 1:] if len(b) == 1 else short
            l1, l2 = lam * self.alpha, lam * (1 - self.alpha)
            bent = short.T @ self.X - l2 * b
            wrong = np.where(b == 0, np.abs(bent) - l1, np.abs(bent - l1 * np.sign(b)))
            kkt.append(max(wrong.max(), np.abs(short.sum(axis=0)).max()) / lam)
            penalty = l1 * np.abs(b).sum() + l2 / 2 * (b**2).sum()
            objective.append(-logs[own].mean() + penalty)
        return np.array(kkt), np.array(objective)


def tamis(problem: Problem, runs: int) -> tuple[Answer, Problem]:
    """Our path over its own lambdas, from the table in memory to the certified path."""
    from tamis.classifiers import elastic_net_path

    def walk():
        return elastic_net_path(
            problem.X, problem.codes, alpha=problem.alpha, n_lambdas=100, standardize=False
        )

    walk()  # compile or load the kernels
    clock = timed(walk, runs)
    path = clock.value
    assert path.converged.all()
    found = Problem(problem.X, problem.codes, problem.n_classes, problem.alpha, path.lambdas)
    return Answer(path.coef, path.intercept, clock.wall, clock.cpu), found


def tamis_until(problem: Problem, count: int, runs: int) -> float:
    """CPU seconds for the first lambdas alone."""
    from tamis.classifiers import elastic_net_path

    options = {"alpha": problem.alpha, "lambdas": problem.grid[:count], "standardize": False}
    return timed(lambda: elastic_net_path(problem.X, problem.codes, **options), runs).cpu


def glmnet(problem: Problem, thresh: float, runs: int) -> Answer | str:
    """R's path, timed inside R; or why there is none."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    n, p = problem.X.shape
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        problem.X.T.tofile(here / "x.bin")
        problem.codes.astype(float).tofile(here / "y.bin")
        problem.grid.tofile(here / "grid.bin")
        (here / "setting.txt").write_text(
            f"{n} {p} {problem.n_classes} {problem.alpha} {thresh} {runs}\n"
        )
        (here / "path.R").write_text(GLMNET)
        done = subprocess.run(["Rscript", "path.R"], cwd=here, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["R failed"])[0]
        clock, grid, a0, beta = (
            np.fromfile(here / f"{name}.bin") for name in ("clock", "lambda", "a0", "beta")
        )
    if len(grid) < len(problem.grid):
        return f"stopped after {len(grid)} of {len(problem.grid)} lambdas"
    K = 1 if problem.n_classes == 2 else problem.n_classes
    coef = beta.reshape(K, len(grid), p).transpose(1, 0, 2)
    return Answer(coef, a0.reshape(len(grid), K), clock[1], clock[0], done.stdout.strip())


def saga(problem: Problem, tol: float, seconds: float) -> Answer:
    """scikit-learn's saga down the lambdas, each from the last, until the time is over."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        solver="saga",
        l1_ratio=problem.alpha,
        tol=tol,
        max_iter=2_000,
        warm_start=True,
        random_state=0,
    )
    coefs, intercepts = [], []
    wall, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for lam in problem.grid:
            model.set_params(C=1 / (lam * len(problem.X))).fit(problem.X, problem.codes)
            coefs.append(model.coef_.copy())
            intercepts.append(model.intercept_.copy())
            if time.process_time() - cpu > seconds:
                break
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Answer(np.array(coefs), np.array(intercepts), wall, cpu)


def compare(name: str, alpha: float, options) -> tuple[list[list], list, list[str], bool]:
    """Rows of the table of worth, the row of times, notes, and whether all was right."""
    data = shared_set(name)
    labels, codes = np.unique(data.y, return_inverse=True)
    spread = data.X.std(axis=0)
    X = np.ascontiguousarray((data.X - data.X.mean(axis=0)) / np.where(spread > 0, spread, 1))
    start = Problem(X, codes.astype(np.int64), len(labels), alpha, np.empty(0))
    mine, problem = tamis(start, options.repeats)
    kkt, objective = problem.worth(mine)
    label = [name, f"{X.shape[0]} x {X.shape[1]:,}", len(labels), f"{alpha:g}"]
    total = len(problem.grid)
    worth = [[*label, "tamis", total, f"{kkt.max():.0e}", "0"]]
    times = [*label, f"{mine.wall:.3f} ({mine.cpu:.3f})"]
    notes, good = [], bool(kkt.max() <= 1e-9)
    for thresh in (1e-7, 1e-14):
        theirs = glmnet(problem, thresh, options.repeats if thresh > 1e-10 else 1)
        if isinstance(theirs, str):
            notes.append(f"glmnet ({thresh:g}) left out on {name}, alpha {alpha:g}: {theirs}")
            times += ["-", "-"]
            continue
        found, value = problem.worth(theirs)
        excess = value - objective
        worth.append(
            [
                *label,
                f"glmnet {theirs.version}, {thresh:g}",
                total,
                f"{found.max():.0e}",
                f"{excess.min():.0e} to {excess.max():.0e}",
            ]
        )
        times += [f"{theirs.wall:.3f} ({theirs.cpu:.3f})", f"{theirs.cpu / mine.cpu:.1f}"]
        good &= bool(excess.min() >= -1e-9)
    theirs = saga(problem, options.saga_tol, options.saga_seconds)
    found, value = problem.worth(theirs)
    count = len(theirs.coef)
    excess = value - objective[:count]
    worth.append(
        [
            *label,
            f"saga, {options.saga_tol:g}",
            count,
            f"{found.max():.0e}",
            f"{excess.min():.0e} to {excess.max():.0e}",
        ]
    )
    ratio = theirs.cpu / tamis_until(problem, count, options.repeats)
    times += [f"{theirs.wall:.1f} ({theirs.cpu:.1f}), {count} lambdas", f"{ratio:,.0f}"]
    good &= bool(excess.min() >= -1e-9) and ratio >= 5
    return worth, times, notes, good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sets", nargs="+", default=["golub", "alon", "brain_pomeroy", "breast_tcga"]
    )
    parser.add_argument("--alpha", nargs="+", type=float, default=[0.5, 1.0])
    parser.add_argument("--repeats", type=int, default=3, help="runs of quick routes; best counts")
    parser.add_argument(
        "--saga-seconds", type=float, default=60.0, help="CPU seconds, for each path"
    )
    parser.add_argument("--saga-tol", type=float, default=1e-4)
    options = parser.parse_args()
    worth_rows, time_rows, notes, good = [], [], [], True
    for name in options.sets:
        for alpha in options.alpha:
            worth, times, said, right = compare(name, alpha, options)
            worth_rows += worth
            time_rows.append(times)
            notes += said
            good &= right
            print(f"{name}, alpha {alpha:g}: done", flush=True)
    print()
    label = ["set", "size", "classes", "alpha"]
    print(
        markdown(
            [*label, "route", "lambdas", "KKT / lambda, worst", "objective above ours"], worth_rows
        ),
        end="\n\n",
    )
    print(
        markdown(
            [
                *label,
                "tamis s (CPU)",
                "glmnet s (CPU)",
                "ratio",
                "glmnet 1e-14 s (CPU)",
                "ratio",
                "saga s (CPU)",
                "ratio",
            ],
            time_rows,
        )
    )
    print(
        f"\n{versions('numpy', 'numba', 'scikit-learn')}; Tamis (from the table in memory to the "
        f"certified path) and glmnet at its default best of {options.repeats}, the others once; "
        f"saga with tol {options.saga_tol:g}, at most 2,000 epochs a lambda, stopped at the "
        f"first lambda after {options.saga_seconds:g} CPU seconds, its ratio over the lambdas "
        "it has solved. Ratios are of CPU seconds."
    )
    for note in notes:
        print(note)
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
