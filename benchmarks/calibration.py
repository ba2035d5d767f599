"""Calibrated probabilities and the number of features of the default study.

    python benchmarks/calibration.py --folder KEPT [--parts designs sets rivals report]
        [--studies 40] [--designs "1 of 2.5" ...] [--sets alon golub ...]

`designs` and `sets` fit every size and penalty once on simulated and on shared training sets and
keep their inner and outer log probabilities; `rivals` tells weak sets from strong ones; `report`
tries the rules of docs/results/calibration.md on what is kept.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from _harness import versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

from _calibration_designs import DESIGNS, Design, data_set
from _calibration_parts import kept_parts, parts_of
from _calibration_report import report_designs, report_sets
from _default_answers import kept
from _default_rivals import RIVALS, Part, answer_of
from default_study import OUTER, SETS, table_of

PARTS = ("designs", "sets", "rivals", "report")


def design_parts(design: Design, draw: int):
    """The one training set of a study."""
    X, y, _ = design.drawn(draw)
    return parts_of(data_set(X, y, design.n), {"kind": "predefined"})


def rivals_auc(name: str) -> float:
    """Mean AUC of the rivals, pairs within folds, over another draw of five outer folds."""
    from tamis.metrics.ranks import areas_of, pairs_of
    from tamis.study.prepare import prepare_study
    from tamis.study.protocol.nested_cv import outer_tests

    plan = {"seed": 1, "outer": {"folds": 5}, "permutations": 0}
    plan, design, _ = prepare_study(table_of(name), plan)
    y, found = design.labels.y, []
    tests = outer_tests(design, plan, design.labels, 0, 0)
    parts = [Part.of(design.X, y, design.owner, test) for test in tests]
    for rival in RIVALS:
        pairs = [
            pairs_of(y[test], answer_of(rival, part).order)
            for test, part in zip(tests, parts, strict=True)
        ]
        found.append(float(areas_of(np.sum(pairs, axis=0)).mean()))
    return float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--folder", type=Path, required=True, help="what is found is kept there")
    parser.add_argument("--studies", type=int, default=40, help="of a design")
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    options = parser.parse_args()
    if "designs" in options.parts:
        for draw in range(options.studies):
            for name in options.designs:
                place = options.folder / "designs" / f"{name}-{draw}.npz"
                kept_parts(place, lambda name=name, draw=draw: design_parts(DESIGNS[name], draw))
            print(f"designs, draw {draw}: done", file=sys.stderr, flush=True)
    if "sets" in options.parts:
        for name in options.sets:
            place = options.folder / "sets" / f"{name}.npz"
            kept_parts(place, lambda name=name: parts_of(table_of(name), OUTER))
            print(f"sets, {name}: done", file=sys.stderr, flush=True)
    if "rivals" in options.parts:
        for name in options.sets:
            place = options.folder / "rivals" / f"{name}.json"
            area = kept(place, lambda name=name: rivals_auc(name))
            print(f"rivals, {name}: AUC {area:.3f}", file=sys.stderr, flush=True)
    if "report" in options.parts:
        report_designs(options.folder, options.designs, options.studies)
        report_sets(options.folder, options.sets)
    print("\n" + versions("numba"))


if __name__ == "__main__":
    main()
