"""How often the inner folds of companion runs are to be drawn: scores, stability, chance, seconds.

python benchmarks/companion.py  # half an hour
python benchmarks/companion.py --sets golub --seeds 0
python benchmarks/companion.py --parts noise
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from _default_null import noise
from _harness import markdown, shared_set, versions
from tamis.study import run_study
from tamis.study.protocol import stability_split

SETS = (
    "alon",
    "arcene",
    "beer",
    "vantveer",
    "chowdary",
    "glioma",
    "golub",
    "lung_ontario",
    "pomeroy",
    "shipp",
    "gordon",
    "west_er",
)
DRAWS, MOST, REPEATS = (1, 2, 3, 5), 10, stability_split.COMPANION_REPEATS
SAID = {"outer": {"folds": 5}, "final": False, "describe": False}


def run_of(data, draws: int, permutations: int, seed: int) -> tuple[dict, float]:
    """What a study says of chance, and its CPU seconds but for the study's own folds."""
    stability_split.COMPANION_REPEATS = draws  # what a release has fixed
    plan = {**SAID, "permutations": permutations, "seed": seed, "inner": {"repeats": draws}}
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        content = run_study(data, plan, Path(folder) / "study", n_jobs=1).to_dict()
    return content["permutation"], time.process_time() - start


def report_sets(names: list[str], seeds: list[int]) -> None:
    """Means over the sets, beside inner folds drawn ten times."""
    found: dict[int, list[list[float]]] = {draws: [] for draws in (*DRAWS, MOST)}
    for name in names:
        data = shared_set(name)
        for seed in seeds:
            for draws, rows in found.items():
                told, seconds = run_of(data, draws, 20, seed)
                stability = told["stability"]
                rows.append(
                    [
                        told["observed"],
                        np.mean(told["values"]),
                        np.std(told["values"], ddof=1),
                        stability["observed"],
                        stability["observed"] - np.median(stability["values"]),
                        told["p_value"],
                        seconds,
                    ]
                )
                print(name, seed, draws, np.round(rows[-1], 3), flush=True)
    header = [
        "inner folds drawn",
        "balanced accuracy",
        "permuted",
        "their sd",
        "S",
        "S less permuted",
        "p",
        "CPU s",
    ]
    rows = []
    for draws, each in found.items():
        spread = np.sqrt(np.mean(np.array(each)[:, 2] ** 2))
        mean = np.mean(each, axis=0)
        mean[2] = spread
        rows.append([draws, *(f"{value:.3f}" for value in mean)])
    print(markdown(header, rows), flush=True)
    gaps = {draws: np.array(each) - found[MOST] for draws, each in found.items() if draws < MOST}
    rows = []
    for draws, gap in gaps.items():
        rate, chosen = gap[:, 0], gap[:, 4]
        errors = [v.std(ddof=1) / np.sqrt(len(v)) for v in (rate, chosen)]
        rows.append(
            [
                draws,
                f"{rate.mean():+.4f} ± {errors[0]:.4f}",
                f"{chosen.mean():+.3f} ± {errors[1]:.3f}",
            ]
        )
    print(markdown(["drawn", "balanced accuracy beside ten", "S less permuted beside ten"], rows))


def report_noise(tables: int, draws: int) -> None:
    """How often p-values of whole studies on noise are at most .05, .1 and .5, and how often the
    selection counts as more stable than on permuted labels."""
    runs = [run_of(noise((26, 14), seed), draws, 19, seed)[0] for seed in range(tables)]
    p = np.array([told["p_value"] for told in runs])
    shares = [np.mean(p <= level + 1e-9) for level in (0.05, 0.1, 0.5)]
    shares.append(np.mean([told["stability"]["above"] for told in runs]))
    header = ["inner folds drawn", "tables", "p <= .05", "p <= .1", "p <= .5", "more stable"]
    print(markdown(header, [[draws, tables, *(f"{share:.3f}" for share in shares)]]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--parts", nargs="+", default=["sets", "noise"])
    given = parser.parse_args()
    print(versions("numpy", "scikit-learn"), flush=True)
    if "sets" in given.parts:
        report_sets(given.sets, given.seeds)
    if "noise" in given.parts:
        report_noise(given.tables, REPEATS)


if __name__ == "__main__":
    main()
