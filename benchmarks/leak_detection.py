"""The leak sentinel: of how many leaks it tells, and how often of none.

    python benchmarks/leak_detection.py [--tables 20] [--honest 100] [--sets FOLDER]

Leaks of 22 kinds (`tests/common/leaks.py`) are added to tables without signal, with much of it and
with few columns, `--tables` of each. One is told if a suspect names a column of the leak. Honest
tables have none: all that is told of them is printed, as is all that is told of the tables of a
folder (Parquet, the class in the column `class`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from tamis.data import read_table
from tamis.data.leak_detection import find_suspects

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from common.leaks import (
    LEAKS,
    TABLE_LEAKS,
    code_among_gamma,
    honest_table,
    leaky_table,
    lone_marker,
    prepared_table,
)

BASES = ("noise", "signal", "clinic")
WIDE = BASES[:2]  # of tables as they were made


def leak_row(leak, tables: int) -> list[str]:
    """Shares of tables in which it is told, and refused, by base."""
    cells = [leak.__name__.replace("_", " ")]
    for kind in BASES:
        told = np.zeros(3)
        for seed in range(tables):
            data, columns = leaky_table(leak, kind, seed)
            found = [(bool(columns & set(one.columns)), one.grave) for one in find_suspects(data)]
            told += [
                any(hit for hit, _ in found),
                any(hit and grave for hit, grave in found),
                any(not hit for hit, _ in found),
            ]
        cells += [" ".join(f"{share:.2f}" for share in told / tables)]
    return cells


def table_row(kind: str, tables: int) -> list[str]:
    """The same of tables that were made with the classes, told by that kind."""
    cells = [kind]
    for base in WIDE:
        found = [find_suspects(prepared_table(kind, base, seed)) for seed in range(tables)]
        told = np.mean(
            [
                [any(one.kind == kind for one in some) for some in found],
                [any(one.kind != kind for one in some) for some in found],
            ],
            axis=1,
        )
        cells.append(f"{told[0]:.2f} {told[1]:.2f}")
    return cells


def single_row(make, kind: str, tables: int) -> list[str]:
    """Shares of tables of one sort in which its column is told, and refused."""
    found = [find_suspects(make(seed)) for seed in range(tables)]
    told = [[one for one in some if one.columns == ("x7",) and one.kind == kind] for some in found]
    refused = np.mean([any(one.grave for one in some) for some in told])
    return [make.__name__.replace("_", " "), f"{np.mean(list(map(bool, told))):.2f} {refused:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--honest", type=int, default=100)
    parser.add_argument("--sets", type=Path)
    asked = parser.parse_args()
    print(versions())
    print("\nShares of tables in which the leak is told; refused; something else is told\n")
    rows = [leak_row(leak, asked.tables) for leak in LEAKS]
    print(markdown(["leak", *BASES], rows))
    print("\nTables made with the classes: told; something else is told\n")
    print(markdown(["leak", *WIDE], [table_row(kind, asked.tables) for kind in TABLE_LEAKS]))
    print("\nA marker of four standard deviations, a code: told; refused\n")
    singles = (lone_marker, "alone"), (code_among_gamma, "confined")
    print(markdown(["column", "share"], [single_row(*one, asked.tables) for one in singles]))
    alarms = 0
    print(f"\nTold of {asked.honest} honest tables:")
    for seed in range(asked.honest):
        data, what = honest_table(seed)
        for one in find_suspects(data):
            alarms += 1
            print(f"- {what}: {one.kind}{', refused' * one.grave}: {one.text}")
    print(f"{alarms} in all")
    for path in sorted(asked.sets.glob("*.parquet")) if asked.sets else ():
        for one in find_suspects(read_table(path, target="class", categorical=("class",))):
            print(f"- {path.stem}: {one.kind}{', refused' * one.grave}: {one.text}")


if __name__ == "__main__":
    main()
