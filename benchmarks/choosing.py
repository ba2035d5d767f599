"""What each way to select features costs at n = 100, p = 20,000: the table of docs/choosing.md.

    python benchmarks/choosing.py [--limit 600] [NAME ...]

Every ranker and path that a plan can name, with its defaults, once on one thread: a ranking to
ten features, or the whole path. Each runs in a process of its own, after a small table that
compiles its kernels, and is ended after `--limit` seconds. The figures go to
docs/results/method_costs.tsv, from which docs/make_tables.py makes the table; names that are
given are measured anew, others are kept.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import resource
import sys
import time
import warnings
from pathlib import Path

from _harness import versions  # first: sets threads

# isort: split
import numpy as np

from tamis._core.interfaces import Part
from tamis._core.registry import find_row, rows_of
from tamis._core.rows import PathRow, SelectingRow

FILE = Path(__file__).parents[1] / "docs" / "results" / "method_costs.tsv"
N, P = 100, 20_000
NEEDED = {"rit": {"discretizer": "equal_frequency"}}  # without it, it is for zeros and ones


def table(p: int) -> Part:
    """Two classes that differ in ten columns."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(N, p)), np.arange(N) % 2
    X[:, :10] += y[:, None]
    return Part.of(X, y)


def run(name: str, part: Part) -> None:
    row = find_row(name, SelectingRow)
    method, stream = row.build(NEEDED.get(name, {})), np.random.SeedSequence(0)
    if isinstance(row, PathRow):
        method.follow(part, None, stream)
    else:
        method.rank(part, [10], stream)


def measure(name: str, told) -> None:
    """CPU seconds, and megabytes above those of the table."""
    warnings.filterwarnings("ignore")
    run(name, table(60))
    part = table(P)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    run(name, part)
    seconds = time.process_time() - start
    told.put((seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=600)
    args = parser.parse_args()
    rows = [row for row in rows_of(SelectingRow) if row.target]
    known: dict[str, list[str]] = {}
    if FILE.exists():
        known = {one[0]: one for one in csv.reader(FILE.open(), delimiter="\t") if one}
    for row in rows:
        if row.name not in args.names if args.names else row.name in known:
            continue
        told = multiprocessing.Queue()
        process = multiprocessing.Process(target=measure, args=(row.name, told))
        process.start()
        try:
            seconds, memory = told.get(timeout=args.limit)
            known[row.name] = [row.name, f"{seconds:.3g}", f"{max(memory, 0):.0f}"]
        except Exception:  # the queue's: it took too long, or failed
            known[row.name] = [row.name, f">{args.limit:.0f}", ""]
        process.kill()
        print(*known[row.name], file=sys.stderr, flush=True)
        lines = [known[one.name] for one in rows if one.name in known]
        FILE.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    print(versions("numpy", "scikit-learn", "numba"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
