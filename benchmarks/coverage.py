"""How often 95 % intervals hold what they estimate, over simulated studies.

What is estimated is the procedure's expected score at the design's training size; every study's
models are judged on new samples, and the mean of that over all studies is the truth.

    python benchmarks/coverage.py                      # stand-ins, every design: half an hour
    python benchmarks/coverage.py --parts studies      # whole studies, six designs: an hour
    python benchmarks/coverage.py --parts cohorts stability auc
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import product

sys.modules.setdefault("coverage", None)  # type: ignore[arg-type]  # numba would import this file

import numpy as np  # noqa: E402

import _cohorts  # noqa: E402
from _coverage_cells import HEADER, KINDS, TARGETS, cell, row, shift_for  # noqa: E402
from _harness import markdown, versions  # noqa: E402


def stand_ins(studies: int, kinds: Iterable[str], sizes: Sequence[int], part: str) -> None:
    """Every design, two thousand studies a second or so."""
    turn, turns = map(int, part.split("/"))
    print(markdown(HEADER, []))
    jobs = list(product(sizes, (2, 4), (True, False)))
    for n, classes, balanced in jobs[turn::turns]:
        for signal, target in TARGETS.items():
            shift = shift_for(n, classes, balanced, target)
            for kind in kinds:
                tally = cell(n, classes, balanced, kind, shift, studies, old=min(50, studies))
                label = [n, classes, "equal" if balanced else "1:4", kind]
                label.append(f"{np.nanmean(tally.truth['bcr']):.2f}")
                line = row(label, signal, tally, studies, 1 / classes)
                print(f"| {' | '.join(map(str, line))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", default=["stand-ins"])
    parser.add_argument("--studies", type=int, default=0, help="studies a cell")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS))
    parser.add_argument("--sizes", nargs="+", type=int, default=[40, 60, 150])
    parser.add_argument("--part", default="0/1", help="cells I of every N: I/N")
    given = parser.parse_args()
    print(versions("numpy", "numba", "scipy"), flush=True)
    if "stand-ins" in given.parts:
        stand_ins(given.studies or 1000, given.kinds, given.sizes, given.part)
    if "cohorts" in given.parts:
        _cohorts.run(given.studies or 1000)


if __name__ == "__main__":
    main()
