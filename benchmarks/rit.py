"""Random intersection trees beside FSInteract (R) and imodels, from the same tables.

    python benchmarks/rit.py [--parts grid numbers] [--sizes 1000 10000] [--repeats 3]

Every program gets a table of zeros and ones in its own form: Tamis a NumPy matrix of bytes,
FSInteract logical matrices (dense, and sparse, its faster one), imodels sets of columns. Timed is
the call from there on, on one thread, in CPU seconds: packing, trees, and for Tamis exact counts of
every class.
All grow 500 trees a class that intersect ten rows on every path: `depth` 9 here, 10 in FSInteract
and imodels, which count the rows. FSInteract has a cap of .3 on the other class and no floor;
imodels neither, and searches one class at a time. Checked first: each finds the planted three.
What is not installed is told and left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from _harness import Timing, markdown, timed, versions

TREES, ROWS, CAP = 500, 10, 0.3
R_CODE = """
Sys.setenv(OMP_NUM_THREADS = "1")
suppressPackageStartupMessages({library(Matrix); library(FSInteract)})
a <- commandArgs(TRUE)
n <- as.integer(a[2]); p <- as.integer(a[3]); repeats <- as.integer(a[6])
read <- function(file) {
  matrix(readBin(file, "raw", as.double(n) * p) != as.raw(0), n, p, byrow = TRUE)
}
z <- list(read(file.path(a[1], "1")), read(file.path(a[1], "0")))
for (form in c("dense", "sparse")) {
  if (form == "sparse") z <- lapply(z, function(x) as(Matrix(x, sparse = TRUE), "nMatrix"))
  best <- c(Inf, Inf)
  for (k in seq_len(repeats)) {
    gc(FALSE)
    t <- system.time(o <- RIT(z[[1]], z[[2]], branch = 5, depth = as.integer(a[5]),
                              n_trees = as.integer(a[4]), theta0 = .3, n_cores = 1L))
    if (t[[3]] < best[1]) best <- c(t[[3]], t[[1]] + t[[2]])
  }
  found <- paste(p - 2, p - 1, p) %in% o$Class1$Interaction
  cat(sprintf('{"form": "%s", "wall": %f, "cpu": %f, "found": %d, "version": "%s"}\\n', form,
              best[1], best[2], found, packageVersion("FSInteract")))
}
"""


def planted(n: int, p: int, density: float) -> tuple[np.ndarray, np.ndarray]:
    """A table of bytes, n rows of each class, whose last three columns are planted in class 1."""
    rng = np.random.default_rng(0)
    X = np.empty((2 * n, p), dtype=np.uint8)
    for block in np.array_split(np.arange(2 * n), max(2 * n // 1000, 1)):
        X[block] = rng.random((len(block), p), dtype=np.float32) < density
    X[:n, -3:] = rng.random((n, 3)) < 0.5 + 0.5 * density
    X[n:, -3:] |= (rng.random((n, 1)) < 0.5).astype(np.uint8)
    return X, np.repeat([0, 1], n)


def by_tamis(X: np.ndarray, y: np.ndarray, theta: float, repeats: int) -> Timing:
    """A plain search; `theta` 0: no floor, as the others."""
    from tamis.interactions import random_intersection_trees

    def search():
        return random_intersection_trees(
            X,
            y,
            n_trees=TREES,
            depth=ROWS - 1,
            theta=theta,
            theta_out=CAP,
            n_permutations=0,
            n_bootstraps=0,
        )

    search()  # compiled, or its machine code read
    best = timed(search, repeats)
    p = X.shape[1]
    planted_ones = {p - 3, p - 2, p - 1}  # without a floor in a larger set
    if not any(planted_ones <= {*one} for one in best.value.columns):
        raise SystemExit(f"tamis did not find the planted set with theta={theta}")
    return best


def by_fsinteract(X: np.ndarray, n: int, repeats: int) -> list[dict]:
    """Both forms of its input; nothing if R or the package is missing."""
    with tempfile.TemporaryDirectory() as folder:
        for label, rows in (("0", X[:n]), ("1", X[n:])):
            (Path(folder) / label).write_bytes(rows.tobytes())
        code = Path(folder) / "run.R"
        code.write_text(R_CODE)
        numbers = [n, X.shape[1], TREES, ROWS, repeats]
        try:
            run = subprocess.run(
                ["Rscript", str(code), folder, *map(str, numbers)], capture_output=True, text=True
            )
        except FileNotFoundError:
            return []
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def by_imodels(X: np.ndarray, y: np.ndarray, repeats: int) -> Timing | None:
    """Its search in both classes, one after the other; None if it is missing."""
    try:
        from imodels.tree.iterative_random_forest._rit import _random_intersection_trees
    except ImportError:
        return None
    sets = [[frozenset(np.flatnonzero(row).tolist()) for row in X[y == c]] for c in (0, 1)]

    def search():
        return [
            _random_intersection_trees(one, np.ones(len(one)), TREES, ROWS, 5, 0) for one in sets
        ]

    best = timed(search, repeats)
    p = X.shape[1]
    if (p - 3, p - 2, p - 1) not in {tuple(sorted(one)) for one in best.value[1]}:
        raise SystemExit("imodels did not find the planted set")
    return best


def grid_part(options) -> None:
    """Every size and density."""
    print("## Both classes, one thread, CPU seconds\n")
    rows, missing = [], set()
    for n in options.sizes:
        for p in options.sizes:
            for density in (0.05, 0.2):
                X, y = planted(n, p, density)
                plain = by_tamis(X, y, 0.0, options.repeats)
                floor = by_tamis(X, y, CAP, options.repeats)
                row = [f"{n:,} x {p:,}", density, f"{plain.cpu:.3f}", f"{floor.cpu:.3f}"]
                peers = by_fsinteract(X, n, options.repeats)
                for one in peers:
                    if not one["found"]:
                        raise SystemExit(f"FSInteract ({one['form']}) did not find the planted set")
                    row += [
                        f"{one['cpu']:.3f}",
                        f"{one['cpu'] / plain.cpu:.1f}",
                        f"{one['cpu'] / floor.cpu:.1f}",
                    ]
                if not peers:
                    missing.add("FSInteract")
                    row += ["-"] * 6
                sets = by_imodels(X, y, 1)
                if sets is None:
                    missing.add("imodels")
                    row += ["-"] * 2
                else:
                    row += [f"{sets.cpu:.2f}", f"{sets.cpu / plain.cpu:.1f}"]
                rows.append(row)
                print(markdown(HEADER, rows[-1:]).splitlines()[-1], flush=True)
    print("\n" + markdown(HEADER, rows))
    for name in sorted(missing):
        print(f"\n{name} is not installed: left out.")


HEADER = [
    "rows a class x columns",
    "density",
    "tamis",
    "theta .3",
    "FSInteract dense",
    "x",
    "x, theta .3",
    "FSInteract sparse",
    "x",
    "x, theta .3",
    "imodels",
    "x",
]


def numbers_part(options) -> None:
    """covRIT on 100 x 200, epsilon .3, 50 trees a class."""
    from tamis.classifiers import CovRITClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 200)), np.repeat([0, 1], 50)
    rows = []
    for theta, out in ((0.3, 0.1), (0.5, 0.5), ("auto", None)):
        model = CovRITClassifier(
            0.3,
            n_trees=50,
            theta=theta,
            theta_out=out,
            max_sets=500,
            rule="matched",
            random_state=0,
        )
        model.fit(X, y)
        best = timed(lambda model=model: model.fit(X, y), options.repeats)
        rows.append([theta, f"{best.wall:.2f}", f"{best.cpu:.2f}", len(best.value.rules_)])
    print("## covRIT, 100 x 200, epsilon .3, 50 trees a class\n")
    print(markdown(["theta", "seconds", "CPU", "sets kept"], rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = {"grid": grid_part, "numbers": numbers_part}
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10000])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(versions("numpy", "numba"), end="\n\n")
    for name in options.parts:
        parts[name](options)
        print()


if __name__ == "__main__":
    main()
