"""How often prediction intervals hold a new sample, as users meet them: `run_study` with
`prediction_intervals`, then `Model.intervals` of new samples.

Each table has n samples and 200 features, of which five carry the number. The study selects 1 to 50
features by correlation in each training set, the number of them by inner folds, and fits ridge
regression; ten outer folds. Errors are normal, t with 3 degrees of freedom, or lognormal; groups
share half the variance of features and errors, and new samples are of new groups. Width is the
median over tables of the mean width over that of the ideal: the interval that the errors of the
final model would have if its errors on 2,000 new samples were known. Takes minutes.

Usage: python benchmarks/prediction_intervals.py [--tables 100] [--out docs/results/tables]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from tamis.data import Dataset
from tamis.study import run_study

P, N_NEW, LEVELS = 200, 2000, (0.9, 0.95)
NAMES = tuple(f"g{j}" for j in range(P))
METHOD = {"select": "correlation", "sizes": [1, 2, 5, 10, 20, 50], "classify": "ridge"}
PLAN = {
    "method": [METHOD],
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "describe": False,
    "prediction_intervals": True,
}
# errors, signal, samples a group
DESIGNS = {
    "normal, no signal": ("normal", 0.0, 1),
    "normal": ("normal", 1.0, 1),
    "t with 3 df": ("t3", 1.0, 1),
    "lognormal": ("lognormal", 1.0, 1),
    "groups of 2": ("normal", 1.0, 2),
    "groups of 4": ("normal", 1.0, 4),
}


def draw(rng, n, errors, signal, size, shared):
    """Features and numbers of n samples; of groups, if there are any, new ones."""
    X, noise = rng.normal(size=(n, P)), rng.normal(size=n)
    if size > 1:
        unit = np.arange(n) // shared
        X = np.sqrt(0.5) * (X + rng.normal(size=(n, P))[unit])
        noise = np.sqrt(0.5) * (noise + rng.normal(size=n)[unit])
    if errors == "t3":
        noise = noise * np.sqrt(3 / rng.chisquare(3, n))
    if errors == "lognormal":
        noise = np.exp(noise) - np.exp(0.5)
    return X, signal * X[:, :5].sum(axis=1) + noise


def one_table(rng, n, errors, signal, size, folder):
    """At each level the share of new samples inside, the mean width, and that of the ideal."""
    X, y = draw(rng, n, errors, signal, size, size)
    groups = None if size == 1 else (np.arange(n) // size).astype(str)
    model = run_study(Dataset(X, None, NAMES, numbers=y, target="y", groups=groups), PLAN,
                      folder, if_exists="overwrite").model  # fmt: skip
    Z, z = draw(rng, N_NEW, errors, signal, size, 1)
    new = Dataset(Z, None, NAMES, numbers=z, target="y")
    wrong = z - model.predict(new)
    found = []
    for level in LEVELS:
        low, high = model.intervals(new, level).T
        below, above = np.quantile(wrong, [(1 - level) / 2, (1 + level) / 2])
        found.append((np.mean((low <= z) & (z <= high)), np.mean(high - low), above - below))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--out", type=Path, help="write prediction_intervals.tsv here, too")
    given = parser.parse_args()
    lines = ["design\tn\tlevel\tguaranteed\tcoverage\tstandard error\tinfinite\twidth over ideal"]
    print(lines[0], flush=True)
    for n in (40, 100):
        for at, (name, design) in enumerate(DESIGNS.items()):
            rng = np.random.default_rng([n, at])
            with tempfile.TemporaryDirectory() as folder:
                tables = [one_table(rng, n, *design, f"{folder}/s") for _ in range(given.tables)]
            for k, level in enumerate(LEVELS):
                inside, width, ideal = np.array([one[k] for one in tables]).T
                error = inside.std(ddof=1) / np.sqrt(len(inside))
                ratio = np.median(width / ideal)
                lines.append(
                    f"{name}\t{n}\t{level}\t{2 * level - 1:.2g}\t{inside.mean():.3f}\t{error:.3f}\t"
                    f"{np.isinf(width).mean():.2f}\t{ratio:.2f}"
                )
                print(lines[-1], flush=True)
    if given.out is not None:
        (given.out / "prediction_intervals.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
