"""Undeclared replicates: of how many the reader tells, and how often of samples without any.

    python benchmarks/replicates.py [--tables 100] [--subsamples 100] [--unrelated 100]

Tables of patients measured several times (`tests/common/replicates.py`), each with as many samples
as `patients x copies` says and noise as a share of the patients' standard deviation. Tables of
unrelated samples that are alike by class, batch, tissue, time or depth. The shared expression sets
(TAMIS_DATA) whole, and subsamples without replacement of 40 to 90 % of their samples and 30 to
100 % of their columns. Twenty samples of each set, measured several times by adding noise. The
processor's time at 500 x 60,000.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from _harness import markdown, shared_folder, shared_set, timed, versions
from tamis.data.near_rows import near_identical_rows

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from common.replicates import UNRELATED, replicate_table

KINDS = [(20, 3), (20, 2), (20, 4)]  # patients, and measurements of each
NOISES = (0.3, 0.5, 0.7, 0.85, 1.0, 1.2)
COLUMNS = (300, 1000, 2000)
SIZES = [(36, 20), (36, 2000), (150, 20), (150, 100), (150, 1000)]


def replicate_row(patients: int, copies: int, p: int, tables: int) -> list[str]:
    """By noise: tables told of, and patients found whole; then sets of several patients."""
    cells, wrong = [f"{patients} x {copies}", f"{p:,}"], 0
    for noise in NOISES:
        told = whole = 0
        for seed in range(tables):
            g = np.random.default_rng([patients, copies, p, int(100 * noise), seed])
            X, who = replicate_table(g, patients, copies, noise, p)
            sets = near_identical_rows(X)
            right = [s for s in sets if len(set(who[list(s)])) == 1]
            told += bool(right)
            whole += sum(len(s) == copies for s in right)
            wrong += len(sets) - len(right)
        cells.append(f"{told / tables:.2f} ({whole / tables / patients:.2f})")
    return [*cells, str(wrong)]


def unrelated_row(made, tables: int) -> list[str]:
    """Tables of one kind in which something is told, by size."""
    cells = [made.__name__.replace("_", " ")]
    for n, p in SIZES:
        rngs = [np.random.default_rng([n, p, seed]) for seed in range(tables)]
        cells.append(str(sum(bool(near_identical_rows(made(g, n, p))) for g in rngs)))
    return cells


def set_row(name: str, subsamples: int) -> tuple[list[str], int]:
    """One shared set: what is told of it, and of how many subsamples; and their number."""
    data = shared_set(name)
    X = np.delete(data.X, list(data.levels), axis=1)
    n, p = X.shape
    g = np.random.default_rng([n, p])
    alarms, sets = 0, Counter[tuple[int, ...]]()
    for _ in range(subsamples):
        rows = np.sort(g.permutation(n)[: int(n * g.uniform(0.4, 0.9))])
        columns = np.sort(g.permutation(p)[: int(p * g.uniform(0.3, 1))])
        found = near_identical_rows(X[np.ix_(rows, columns)], y=data.y[rows])
        sets.update(tuple(int(rows[i]) for i in own) for own in found)
        alarms += bool(found)
    whole = near_identical_rows(X, y=data.y)
    often = ", ".join(f"{one} {times}" for one, times in sets.most_common(4))
    return [name, f"{n} x {p}", "; ".join(map(str, whole)), str(alarms), often], alarms


def measured_again(tables: list[np.ndarray], copies: int, draws: int) -> list[str]:
    """Twenty samples of every table, with noise: shares as in `replicate_row`."""
    cells, who = [f"20 x {copies}"], np.repeat(np.arange(20), copies)
    n = draws * len(tables)
    for noise in NOISES:
        told = whole = 0
        for X in tables:
            for seed in range(draws):
                g = np.random.default_rng(seed)
                some = X[g.permutation(len(X))[:20]][who]
                some = some + noise * np.nanstd(X, axis=0) * g.normal(size=some.shape)
                right = [s for s in near_identical_rows(some) if len(set(who[list(s)])) == 1]
                told += bool(right)
                whole += sum(len(s) == copies for s in right)
        cells.append(f"{told / n:.2f} ({whole / n / 20:.2f})")
    return cells


def some_columns(name: str) -> np.ndarray:
    """A shared set; of many columns 4,000 at even places."""
    X = shared_set(name).X
    return X[:, np.unique(np.linspace(0, X.shape[1] - 1, 4000).astype(int))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--unrelated", type=int, default=100)
    parser.add_argument("--subsamples", type=int, default=100)
    asked = parser.parse_args()
    names = sorted(path.stem for path in (shared_folder() / "expression").glob("*.parquet"))
    print(versions())
    print("\nTables told of (patients found with all their samples), as shares, by noise\n")
    rows = [replicate_row(*kind, p, asked.tables) for kind in KINDS for p in COLUMNS]
    header = ["patients", "columns", *map(str, NOISES), "sets of several patients"]
    print(markdown(header, rows), flush=True)
    print(f"\nTables told of, of {asked.unrelated} each of unrelated samples\n")
    rows = [unrelated_row(made, asked.unrelated) for made in UNRELATED]
    print(markdown(["kind", *(f"{n} x {p:,}" for n, p in SIZES)], rows), flush=True)
    print(f"\nShared sets: told of the whole, and of {asked.subsamples} subsamples\n")
    rows, total, quiet = [], 0, []
    for name in names:
        row, alarms = set_row(name, asked.subsamples)
        total += alarms
        if alarms or row[2]:
            rows.append(row)
        else:
            quiet.append(name)
    header = ["set", "size", "told of the whole", "subsamples told of", "which sets most often"]
    print(markdown(header, rows))
    print(f"\n{total} of {len(names) * asked.subsamples:,} subsamples; nothing of the other sets")
    print("\nTwenty samples of each of these, measured again: as above, by noise\n")
    tables = [some_columns(name) for name in quiet]
    rows = [measured_again(tables, copies, -(-asked.tables // 20)) for copies in (2, 3, 4)]
    print(markdown(["samples", *map(str, NOISES)], rows), flush=True)
    g = np.random.default_rng(0)
    full, _ = replicate_table(g, 250, 2, 0.5, 60_000)
    none = g.normal(size=full.shape)
    spent = [timed(lambda X=X: near_identical_rows(X), 3).cpu for X in (full, none)]
    print(f"\n500 x 60,000: {spent[0]:.2f} s of 250 pairs, {spent[1]:.2f} s without any")


if __name__ == "__main__":
    main()
