"""How often intervals of the calibration slope and of Brier scores hold the truth of the procedure.

    python benchmarks/calibration_coverage.py --folder KEPT [--studies 100] [--designs ...]

Of each design, default studies (five folds, no permuted run) are made, and as many models of four
fifths of the samples that predict 1,000 new ones: what a study estimates is the score of these.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from _harness import markdown, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

from _calibration_designs import Design, data_set
from _calibration_rules import recalibration

DESIGNS = {
    "15 of 1": Design(15, 1.0, n=40),
    "5 of 1": Design(5, 1.0, n=60),
    "1 of 2.5": Design(1, 2.5),
    "15 of 1, a fifth of cases": Design(15, 1.0, shares=(0.8, 0.2)),
    "15 of .8, heavy tails": Design(15, 0.8, heavy=True),
    "15 of 1, three classes": Design(15, 1.0, n=150, shares=(0.4, 0.3, 0.3)),
    "150 of .25": Design(150, 0.25, n=100),
    "150 of .25, 200 samples": Design(150, 0.25, n=200),
    "15 of .4": Design(15, 0.4, n=160),
    "15 of .4, 300 samples": Design(15, 0.4, n=300),
    "nothing": Design(0, 0.0, n=100),
}
PLAN = {"permutations": 0, "final": False, "describe": False}


def predicted(data, plan: dict):
    """Codes and probabilities of the headline's held-out rows."""
    from tamis.checks.in_memory import run_in_memory
    from tamis.study.results.summary import held_out

    *_, design, _, found = run_in_memory(data, {**PLAN, **plan})
    held = held_out(found.headline, design.labels.y)
    return held.codes, held.proba


def one_study(design: Design, draw: int) -> dict[str, np.ndarray]:
    """Out-of-fold predictions of a study, and predictions of new samples by a model of as many
    samples as a training set has."""
    X, y, _ = design.drawn(draw)
    n, part = design.n, round(0.8 * design.n)
    codes, proba = predicted(data_set(X[:n], y[:n]), {"seed": draw})
    X, y, _ = replace(design, n=part).drawn(10_000 + draw)
    plan = {"seed": draw, "outer": {"kind": "predefined"}}
    true, fresh = predicted(data_set(X, y, part), plan)
    return {"codes": codes, "proba": proba, "true": true, "fresh": fresh}


def kept_study(folder: Path, name: str, draw: int) -> dict[str, np.ndarray]:
    place = folder / f"{name}-{draw}.npz"
    if not place.exists():
        np.savez(place, **one_study(DESIGNS[name], draw))
    with np.load(place) as held:
        return dict(held)


def design_row(folder: Path, studies: int, name: str) -> list:
    """What is true, and how often the intervals hold it."""
    from tamis.metrics import HeldOut, VarianceInflation
    from tamis.metrics.beliefs import brier_of, shares_brier
    from tamis.metrics.calibration import MIN_CLASS_SIZE, calibration_of

    kept = [kept_study(folder, name, draw) for draw in range(studies)]
    true, fresh = (np.concatenate([one[key] for one in kept]) for key in ("true", "fresh"))
    C = fresh.shape[1]
    logs = np.log(np.maximum(fresh, 1e-12))
    slope, _ = recalibration(logs, true, np.ones(len(true)), np.inf)
    scaled = 1 - brier_of(true, fresh) / shares_brier(np.bincount(true, minlength=C))
    slopes, holds, widths, inside = [], [], [], []
    for one in kept:
        held = HeldOut.of(
            [[(np.arange(len(one["codes"])), one["codes"], one["codes"], one["proba"])]]
        )
        sampling = VarianceInflation.k_fold(np.bincount(one["codes"], minlength=C).astype(float))
        found = held.estimate("scaled_brier", sampling)
        holds.append(found.low <= scaled <= found.high)
        widths.append(found.high - found.low)
        said = calibration_of(held, sampling)
        if said["slope"]["low"] is not None:
            slopes.append(said["slope"]["low"] <= slope <= said["slope"]["high"])
        if said["index"]["mean"] is not None:
            perfect = said["index"]["perfect"]
            inside.append(perfect["low"] <= said["index"]["mean"] <= perfect["high"])
    none = f"none ({MIN_CLASS_SIZE} of each class)"
    return [
        f"{name}: {DESIGNS[name].n}",
        f"{slope:.2f}",
        f"{np.mean(slopes):.2f} of {len(slopes)}" if slopes else none,
        f"{scaled:.2f}",
        f"{np.mean(holds):.2f}, {np.mean(widths):.2f}",
        f"{np.mean(inside):.2f}" if inside else "none",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True, help="what is found is kept there")
    parser.add_argument("--studies", type=int, default=100, help="of a design")
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        for name in options.designs:
            list(pool.map(partial(kept_study, options.folder, name), range(options.studies)))
            print(f"{name}: done", file=sys.stderr, flush=True)
        row = partial(design_row, options.folder, options.studies)
        rows = list(pool.map(row, options.designs))
    head = ["design: samples", "slope", "covered", "scaled Brier", "covered, width"]
    print(markdown([*head, "index as if perfect"], rows))
    print("\n" + versions("numba"))


if __name__ == "__main__":
    main()
