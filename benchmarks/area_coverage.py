"""Intervals of the AUC over simulated studies: coverage, and width beside what it might be.

    python benchmarks/area_coverage.py [--studies 300] [--part 0/2]  # CPU: 40 minutes

Stand-ins (`_stand_in.py`) of 30 to 150 samples of two to four classes, without signal to nearly
perfect, in folds, repeated folds, groups and holdouts. What is estimated is the mean AUC of the
procedure on new samples. The ideal width is 3.92 standard deviations of the AUC between studies.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

sys.modules.setdefault("coverage", None)  # type: ignore[arg-type]  # numba would import this file

import numpy as np  # noqa: E402

from _coverage_cells import sampling_of, truth_of  # noqa: E402
from _harness import markdown, versions  # noqa: E402
from _stand_in import Design, simulate  # noqa: E402
from tamis.metrics import HeldOut  # noqa: E402

SHIFTS = {2: (0, 0.45, 0.7, 1, 1.4, 1.9), 3: (0, 0.9, 1.3, 1.8, 2.5), 4: (0, 1, 1.6, 2.4)}
KINDS = ("10-fold", "5-fold", "5 x 10-fold", "20 groups", "holdout", "5 x holdout")
SIZES = (30, 80)


@dataclass(frozen=True)
class Unlike(Design):
    """Three classes of 50, 20 and 10 samples."""

    @property
    def sizes(self) -> np.ndarray:
        return np.array([50, 20, 10])


def designs() -> Iterator[Design]:
    for n in SIZES:
        for classes in (2, 3):
            for balanced in (True, False):
                for kind in KINDS:
                    yield Design(n, classes, balanced, kind, "ridge")
    for n, classes in ((60, 4), (150, 2)):
        yield Design(n, classes, True, "10-fold", "ridge")
    for kind in KINDS[:3]:
        yield Unlike(80, 3, False, kind, "ridge")
        yield Design(80, 2, True, kind, "lda")


def row(design: Design, shift: float, studies: int, seed: int) -> list[object] | None:
    """One line of the table, or None where no interval is given."""
    found, truth = [], []
    for study in simulate(design, shift, studies, seed):
        seen = HeldOut.of(study.repeats())
        one = seen.estimate("auc", sampling_of(design, study, seen))
        found.append((one.mean, one.low, one.high))
        truth.append(truth_of(study).score("auc"))
    mean, low, high = np.array(found).T
    known = ~np.isnan(low)
    if not known.any():
        return None
    true = float(np.nanmean(truth))
    covers = float(np.mean(((low <= true) & (true <= high))[known]))
    ideal = 3.92 * mean.std(ddof=1)
    perfect = known & (mean > 1 - 1e-12)
    return [
        design.n,
        "/".join(map(str, design.sizes)),
        design.kind,
        f"{true:.3f}",
        f"{covers:.3f}",
        f"{np.mean((high - low)[known]):.3f}",
        f"{np.mean((high - low)[known]) / ideal:.2f}" if ideal > 0.02 else "",
        f"{np.mean(low[perfect]):.2f}" if perfect.any() else "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--part", default="0/1", help="turn/turns")
    asked = parser.parse_args()
    turn, turns = map(int, asked.part.split("/"))
    print(versions())
    header = ["n", "classes", "split", "true AUC", "coverage", "width", "of ideal", "low at 1.00"]
    print(markdown(header, []))
    for k, design in list(enumerate(designs()))[turn::turns]:
        if design.sizes.min() < 4:
            continue
        for i, shift in enumerate(SHIFTS[design.classes]):
            line = row(design, shift, asked.studies, seed=1000 * k + i)
            if line:
                print(f"| {' | '.join(map(str, line))} |", flush=True)


if __name__ == "__main__":
    main()
