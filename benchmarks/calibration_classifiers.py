"""Calibration slopes of classifiers as they are and recalibrated, on new samples.

    python benchmarks/calibration_classifiers.py [--studies 20] [--designs "5 of 1" ...]

Each classifier learns from the twenty best features by moderated t (shrunken centroids and the
elastic net from their own), and predicts 1,000 new samples. The slope is that of one logistic
regression on the log odds of all new samples of a design.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from _harness import markdown, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

from _calibration_designs import DESIGNS, data_set
from _calibration_rules import recalibration

TAKEN = ("15 of 1", "5 of 1", "150 of .25")
CLASSIFIERS = (
    "logistic",
    "lda",
    "diagonal_discriminant",
    "naive_bayes",
    "svm_linear",
    "forest",
    "logitboost",
)
METHODS = [
    *(
        {"name": name, "select": "moderated_t", "sizes": [20], "classify": name}
        for name in CLASSIFIERS
    ),
    {"name": "pam", "select": "pam"},
    {"name": "elastic_net", "select": "elastic_net"},
]
MARGINS = "platt"  # of what gives margins alone


def probabilities(name: str, draw: int) -> tuple[np.ndarray, dict[str, tuple]]:
    """True codes of the new samples, and by method their probabilities before and after."""
    from tamis.checks.in_memory import run_in_memory
    from tamis.study.results.summary import held_out

    X, y, _ = DESIGNS[name].drawn(draw)
    data = data_set(X, y, DESIGNS[name].n)
    methods = [{**m, "recalibrate": MARGINS} if m["name"] == "svm_linear" else m for m in METHODS]
    plan = {
        "seed": draw,
        "outer": {"kind": "predefined"},
        "inner": {"repeats": 2},
        "permutations": 0,
        "final": False,
        "describe": False,
        "method": methods,
    }
    *_, design, _, found = run_in_memory(data, plan)
    codes, answers = None, {}
    for method in METHODS:
        held = held_out(found.methods[method["name"]], design.labels.y)
        codes = held.codes
        answers[method["name"]] = held.order, held.proba
    return codes, answers


def slope_and_brier(y: np.ndarray, proba: np.ndarray) -> str:
    if proba.min() < 0 or np.abs(proba.sum(axis=1) - 1).max() > 1e-6:
        return "margins"
    logs = np.log(np.maximum(proba, 1e-12))
    slope, _ = recalibration(logs, y, np.ones(len(y)), np.inf)
    own = y[:, None] == np.arange(proba.shape[1])
    return f"{slope:.2f}, {((proba - own) ** 2).sum(axis=1).mean():.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=20, help="of a design")
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(TAKEN))
    options = parser.parse_args()
    rows = {method["name"]: [method["name"]] for method in METHODS}
    with ProcessPoolExecutor() as pool:
        for name in options.designs:
            found = list(pool.map(partial(probabilities, name), range(options.studies)))
            y = np.concatenate([codes for codes, _ in found])
            for method, row in rows.items():
                for which in (0, 1):
                    proba = np.concatenate([answers[method][which] for _, answers in found])
                    row.append(slope_and_brier(y, proba))
    head = ["classifier"]
    head += [f"{n}: {when}" for n in options.designs for when in ("as it is", "recalibrated")]
    print(markdown(head, list(rows.values())))
    print("\n" + versions("numba"))


if __name__ == "__main__":
    main()
