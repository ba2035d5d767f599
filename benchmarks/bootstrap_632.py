"""The bootstrap .632+ estimate of full procedures beside cross-validation and the truth.

The truth is the expected balanced accuracy of the procedure that learns from all samples of a
study.

    python benchmarks/bootstrap_632.py  # two hours on one core
    python benchmarks/bootstrap_632.py --studies 20 --sizes 60 --shifts 0
"""

from __future__ import annotations

import argparse

import numpy as np

from _harness import markdown, versions
from _resampled import PLAN, draw, truth, winners
from tamis.study.results.bootstrap import bootstrap_entry
from tamis.study.results.summary import Context, held_out
from tamis.study.run import prepare_study, tasks_of


def study(n: int, shift: float, repeats: int, rng: np.random.Generator) -> list[float]:
    """Balanced accuracys of one study: .632+, by the paper's equation 32, .632, left out, apparent,
    cross-validated, and of new samples."""
    data = draw(n, shift, rng)
    raw = {**PLAN, "seed": int(rng.integers(2**31)), "bootstrap": {"repeats": repeats}}
    plan, design, _ = prepare_study(data, raw)
    tasks = tasks_of(plan, design)
    found = winners(plan, design, tasks)
    y = design.labels.y
    told = bootstrap_entry(Context(plan, design.labels, {0: y}, found, {}))["metrics"]["bcr"]
    apparent, left_out, chance = (
        1 - told[key] for key in ("apparent", "left_out", "no_information")
    )
    capped = min(left_out, chance)
    R = (capped - apparent) / (chance - apparent) if min(capped, chance) > apparent else 0.0
    plain = 0.368 * apparent + 0.632 * left_out
    paper = plain + (capped - apparent) * 0.368 * 0.632 * R / (1 - 0.368 * R)
    crossed = held_out(found.headline, y).score("bcr")
    return [told["estimate"], 1 - paper, 1 - plain, told["left_out"], told["apparent"], crossed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=200, help="studies a cell")
    parser.add_argument("--repeats", type=int, default=50, help="bootstrap samples a study")
    parser.add_argument("--sizes", nargs="+", type=int, default=[40, 60, 100])
    parser.add_argument("--shifts", nargs="+", type=float, default=[0.0, 0.6, 1.0])
    given = parser.parse_args()
    print(versions("numpy", "scikit-learn"), flush=True)
    names = (".632+", "equation 32", ".632", "left out", "apparent", "10-fold")
    header = ["n", "shift", "truth at n", *names, *(f"RMS error {k}" for k in names)]
    print(markdown(header, []))
    for n in given.sizes:
        for shift in given.shifts:
            rng = np.random.default_rng([n, int(100 * shift)])
            found = np.array([study(n, shift, given.repeats, rng) for _ in range(given.studies)])
            true = truth(n, shift, given.studies, rng) if shift else 0.5
            off = np.sqrt(((found - true) ** 2).mean(axis=0))
            cells = [n, shift, f"{true:.3f}", *(f"{v:.3f}" for v in found.mean(axis=0))]
            cells += [f"{v:.3f}" for v in off]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
