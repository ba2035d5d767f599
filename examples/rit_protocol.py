"""Double cross-validation of random intersection trees: balanced accuracy and stability.

The protocol of the thesis that discRIT, covRIT and relRIT come from (its appendix C): an inner
cross-validation tunes on a reduced grid, an outer one judges; the measures are the balanced
classification rate (BCR) and Lustgarten's adjusted stability measure (ASM) of the features that
stand in at least one set, over all pairs of outer folds. `rit_protocol.toml` says all of it.

    python examples/rit_protocol.py                      # three sets of the folder TAMIS_DATA
    python examples/rit_protocol.py mine.csv --target diagnosis

A folder of results each is kept with --out, for `tamis report`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tamis.data import read_table
from tamis.study import Plan, StudyResult, run_study

SHARED = ("expression/golub", "expression/alon", "uci/sonar")
HEADER = ("set", "method", "BCR", "95 % interval", "ASM", "pairs left out", "features")


def tables_of(args: argparse.Namespace) -> list[tuple[Path, str]]:
    """Tables and their columns of classes; one line and exit code 2 where there are none."""
    if args.table:
        return [(path, args.target) for path in args.table]
    folder = os.environ.get("TAMIS_DATA")
    if not folder:
        print("name a table of your own, or set TAMIS_DATA to the shared sets", file=sys.stderr)
        raise SystemExit(2)
    return [(Path(folder) / f"{name}.parquet", "class") for name in SHARED]


def lines_of(name: str, result: StudyResult) -> list[str]:
    """A line of the table for each method."""
    lines = []
    for method in result.to_dict()["methods"]:
        bcr, chosen = method["metrics"]["bcr"], method["stability"]
        asm = "–" if chosen["asm"] is None else f"{chosen['asm']:.2f}"
        cells = (
            name,
            method["name"],
            f"{bcr['mean']:.3f}",
            f"{bcr['low']:.2f} to {bcr['high']:.2f}",
            asm,
            chosen["undefined_pairs"],
            f"{chosen['mean_size']:.1f}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", nargs="*", type=Path)
    parser.add_argument("--target", default="class", help="column of the class")
    parser.add_argument("--plan", type=Path, default=Path(__file__).with_suffix(".toml"))
    parser.add_argument("--out", type=Path, help="folder for a folder of results each")
    parser.add_argument("--n-jobs", type=int, default=2)
    args = parser.parse_args(arguments)
    plan = Plan.read(args.plan)
    print(f"| {' | '.join(HEADER)} |\n|{' --- |' * len(HEADER)}")
    with tempfile.TemporaryDirectory() as passing:
        for path, target in tables_of(args):
            data = read_table(path, target=target)
            result = run_study(
                data, plan, (args.out or Path(passing)) / path.stem, n_jobs=args.n_jobs
            )
            print("\n".join(lines_of(path.stem, result)), flush=True)


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:  # what is wrong with a table or a plan, in one line
        raise SystemExit(f"Error: {error}") from None
