"""How often a saved model's threshold keeps the sensitivity or specificity that was wished for.

    python benchmarks/target_rates.py [--draws 200] [--at 0.8] [--confidence 0.9]

Made-up studies, as a user meets them: features ranked and chosen by inner scores, the threshold
learnt from inner beliefs, the model refitted on all rows. Its true rate is that in 20,000 further
samples. Printed: the share of studies whose model falls short, which with a confidence is to be at
most 1 - confidence.
"""

from __future__ import annotations

import argparse

import numpy as np

from _harness import markdown, versions
from tamis._core.threads import one_thread
from tamis.data.dataset import Dataset
from tamis.study.prepare import prepare_study
from tamis.study.protocol import nested_cv
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.nested_cv import FINAL_FOLD
from tamis.study.results import collect
from tamis.study.results.final import refit_winner
from tamis.study.run import tasks_of

NEW = 20_000
CLASSIFIERS = ("lda", "svm_linear", "naive_bayes")


def drawn(n: int, share: float, p: int, informative: int, shift: float, rng) -> Dataset:
    """Normal features, some of them shifted in the positive class."""
    y = (np.arange(n) < round(share * n)).astype(int)
    X = rng.normal(size=(n, p))
    X[:, :informative] += shift * y[:, None]
    names = tuple(f"g{j}" for j in range(p))
    return Dataset(X, np.array(["no", "yes"])[y], names)


def true_rates(data: Dataset, plan: dict, new: Dataset) -> tuple[float, float]:
    """Sensitivity and specificity of the final model of a study."""
    resolved, design, _ = prepare_study(data, plan)
    task = next(t for t in tasks_of(resolved, design) if t.fold == FINAL_FOLD)
    found = {
        k: decode_cell(v) for k, v in nested_cv.run_nested_fold(design, resolved, task).items()
    }
    chosen = collect.headline_choice(
        collect.found_in(resolved, task, found, design.labels.y).choices
    )
    method = next(m for m in resolved.method if m.name == chosen.method)
    told = refit_winner(design, data, resolved, method, chosen).predict(new)
    yes = new.y == "yes"
    return float(np.mean(told[yes] == "yes")), float(np.mean(told[~yes] == "no"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--at", type=float, default=0.8)
    parser.add_argument("--confidence", type=float, default=0.9)
    options = parser.parse_args()
    rows = []
    for n, repeats in ((60, 3), (200, 3), (60, 1), (200, 1)):
        for label in CLASSIFIERS:
            counts = {}
            for name, confidence in (
                ("sensitivity", None),
                ("sensitivity", options.confidence),
                ("specificity", options.confidence),
            ):
                short, rates = 0, []
                for draw in range(options.draws):
                    rng = np.random.default_rng([draw, n])
                    made = {"share": 0.4, "p": 100, "informative": 5, "shift": 0.8, "rng": rng}
                    data, new = drawn(n, **made), drawn(NEW, **made)
                    decide = {"name": name, "at": options.at}
                    if confidence is not None:
                        decide["confidence"] = confidence
                    plan = {
                        "permutations": 0,
                        "outer": {"folds": 2},
                        "seed": draw,
                        "decide": decide,
                        "inner": {"folds": 5, "repeats": repeats},
                        "method": [{"select": "moderated_t", "sizes": [5, 20], "classify": label}],
                    }
                    rate = true_rates(data, plan, new)[name == "specificity"]
                    short += rate < options.at
                    rates.append(rate)
                counts[name, confidence] = (short / options.draws, np.mean(rates))
            cells_ = [f"{share:.3f} ({mean:.3f})" for share, mean in counts.values()]
            rows.append([n, repeats, label, *cells_])
            print(rows[-1], flush=True)
    c = options.confidence
    print(
        markdown(
            [
                "samples",
                "inner repeats",
                "classifier",
                "sensitivity, no confidence",
                f"sensitivity, {c:g}",
                f"specificity, {c:g}",
            ],
            rows,
        )
    )
    print(f"\n{options.draws} studies a cell, at = {options.at:g}. {versions('scikit-learn')}")


if __name__ == "__main__":
    with one_thread():
        main()
