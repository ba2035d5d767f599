"""How often intervals of a learning curve hold the truth, over simulated whole studies.

The truth at a share is the expected balanced accuracy of the procedure that learns from so many new
samples; that of the last step is the difference of two of them.

    python benchmarks/learning_curve.py  # an hour and a half on one core
    python benchmarks/learning_curve.py --studies 20 --sizes 60 --shifts 0
"""

from __future__ import annotations

import argparse

import numpy as np

from _harness import markdown, versions
from _resampled import PLAN, draw, truth, winners
from tamis.study.results.learning_curve import learning_curve_entry
from tamis.study.results.summary import Context
from tamis.study.run import prepare_study, tasks_of

SHARES = [0.4, 0.6, 0.8, 1.0]


def study(n: int, shift: float, outer: dict, rng: np.random.Generator) -> np.ndarray:
    """(mean, low, high) of each share and of the last step, (5, 3)."""
    data = draw(n, shift, rng)
    more = {"seed": int(rng.integers(2**31)), "outer": outer, "learning_curve": {"shares": SHARES}}
    plan, design, _ = prepare_study(data, {**PLAN, **more})
    found = winners(plan, design, tasks_of(plan, design))
    told = learning_curve_entry(Context(plan, design.labels, {0: design.labels.y}, found, {}))
    lines = [*told["points"], told["last"]]
    return np.array([[one[k] for k in ("mean", "low", "high")] for one in lines], dtype=float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=300, help="studies a cell")
    parser.add_argument("--truths", type=int, default=400, help="procedures behind each truth")
    parser.add_argument("--sizes", nargs="+", type=int, default=[60, 120])
    parser.add_argument("--shifts", nargs="+", type=float, default=[0.0, 0.6, 1.0])
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=1)
    given = parser.parse_args()
    outer = {"folds": given.folds, "repeats": given.repeats}
    print(versions("numpy", "scikit-learn"), flush=True)
    names = [*(f"{share:.0%}" for share in SHARES), "last step"]
    header = [
        "n",
        "shift",
        *(f"truth {k}" for k in names),
        *(f"coverage {k}" for k in names),
        "width of 100%",
        "width of last step",
        "undefined",
        "above",
        "below",
    ]
    print(markdown(header, []), flush=True)
    for n in given.sizes:
        for shift in given.shifts:
            rng = np.random.default_rng([n, int(100 * shift), given.repeats])
            found = np.array([study(n, shift, outer, rng) for _ in range(given.studies)])
            whole = round(n / 2 * (1 - 1 / given.folds))  # of a class
            sizes = [2 * round(share * whole) for share in SHARES]
            true = [truth(m, shift, given.truths, rng) if shift else 0.5 for m in sizes]
            true.append(true[-1] - true[-2])
            low, high = found[:, :, 1], found[:, :, 2]
            known = np.isfinite(low)
            held = ((low <= true) & (np.array(true) <= high)) & known
            last = found[:, -1]
            cells = [n, shift, *(f"{v:.3f}" for v in true)]
            cells += [f"{v:.3f}" for v in held.sum(axis=0) / known.sum(axis=0)]
            cells += [f"{np.nanmean(high[:, k] - low[:, k]):.2f}" for k in (3, 4)]
            cells += [int((~known).sum()), f"{np.mean(last[:, 1] > 0):.3f}"]
            cells += [f"{np.mean(last[:, 2] < 0):.3f}"]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
