"""How often 95 % intervals hold what they estimate, over simulated studies.

What is estimated is the procedure's expected score at the design's training size; every study's
models are judged on new samples, and the mean of that over all studies is the truth.

    python benchmarks/interval_coverage.py  # stand-ins: half an hour
    python benchmarks/interval_coverage.py --parts studies  # whole studies: an hour
    python benchmarks/interval_coverage.py --parts cohorts stability auc costs declining
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
from _stand_in import Design  # noqa: E402


def stand_ins(
    studies: int, kinds: Iterable[str], sizes: Sequence[int], part: str, learner: str
) -> None:
    """Every design, two thousand studies a second or so."""
    turn, turns = map(int, part.split("/"))
    print(markdown(HEADER, []))
    jobs = list(product(sizes, (2, 4), (True, False)))
    for n, classes, balanced in jobs[turn::turns]:
        for signal, target in TARGETS.items():
            shift = shift_for(n, classes, balanced, target, learner)
            for kind in kinds:
                design = Design(n, classes, balanced, kind, learner)
                tally = cell(design, shift, studies, old=min(50, studies))
                label = [n, classes, "equal" if balanced else "1:4", kind]
                label.append(f"{np.nanmean(tally.truth['bcr']):.2f}")
                line = row(label, signal, tally, studies, 1 / classes)
                print(f"| {' | '.join(map(str, line))} |", flush=True)


def studies(n_studies: int, part: str) -> None:
    """Whole studies of the commonest designs."""
    from _coverage_studies import COMMON, tally

    turn, turns = map(int, part.split("/"))
    print(markdown(HEADER, []))
    for i, (n, kind, balanced, signal) in list(enumerate(COMMON))[turn::turns]:
        shift = shift_for(n, 2, balanced, TARGETS[signal])
        found = tally(Design(n, 2, balanced, kind), shift, n_studies, seed=i)
        label = [n, 2, "equal" if balanced else "1:4", kind]
        label.append(f"{np.nanmean(found.truth['bcr']):.2f}")
        print(f"| {' | '.join(map(str, row(label, signal, found, n_studies, 0.5)))} |", flush=True)


def areas(n_studies: int) -> None:
    """Headline AUC less the truth, by how many methods won some training set."""
    from _coverage_studies import area_differences

    shift = shift_for(60, 2, True, 0.8)
    found = np.array(list(area_differences(Design(60, 2, True, "10-fold"), shift, n_studies, 0)))
    rows = []
    for winners in [*np.unique(found[:, 0]).astype(int), 0]:
        own = found[found[:, 0] == winners] if winners else found
        gap = own[:, 1] - own[:, 2]
        error = gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else np.nan
        rows.append(
            [
                winners or "all",
                len(own),
                f"{own[:, 1].mean():.3f}",
                f"{own[:, 2].mean():.3f}",
                f"{gap.mean():+.4f}",
                f"{error:.4f}",
            ]
        )
    header = ["winning methods", "studies", "headline AUC", "truth", "difference", "its error"]
    print(markdown(header, rows))


def costs(n_studies: int) -> None:
    """Intervals of the mean cost where errors of the two kinds do not cost the same."""
    from _coverage_studies import losses

    rows = []
    for n, miss in product((60, 120), (5, 20)):
        design = Design(n, 2, False, "10-fold")
        found = np.array(list(losses(design, 1.0, miss, n_studies, seed=n + miss)))
        mean, low, high, truth = found.T
        expected, constant = truth.mean(), min(design.sizes * [1, miss]) / n
        covers = np.mean((low <= expected) & (expected <= high))
        rows.append(
            [
                n,
                f"1:{miss}",
                f"{expected:.2f}",
                f"{constant:.2f}",
                f"{covers:.3f}",
                f"{mean.std(ddof=1):.2f}",
                f"{np.mean(high - low):.2f}",
                f"{np.mean(high < constant):.2f}",
            ]
        )
    header = [
        "n",
        "costs",
        "true mean cost",
        "constant",
        "coverage",
        "SD",
        "width",
        "below constant",
    ]
    print(markdown(header, rows))


def declining(n_studies: int) -> None:
    """Intervals of the error rate of the samples decided on, where others are declined."""
    from _coverage_studies import risks

    rules = (
        {"name": "f_beta"},
        {"name": "fisher"},
        {"name": "coverage", "at": 0.8},
        {"name": "conformal", "at": 0.15},
    )
    rows = []
    for (n, kind), reject in product(
        ((60, "10-fold"), (150, "10-fold"), (60, "5 x 10-fold")), rules
    ):
        design = Design(n, 2, True, kind)
        found = np.array(list(risks(design, 0.8, reject, n_studies, seed=n)))
        mean, low, high, truth, held, share = found.T
        expected = np.nanmean(truth)
        known = np.isfinite(low)
        covers = np.mean(((low <= expected) & (expected <= high))[known])
        rows.append(
            [
                n,
                kind,
                reject["name"],
                f"{held.mean():.2f}",
                f"{share.mean():.2f}",
                f"{np.nanmean(mean):.3f}",
                f"{expected:.3f}",
                f"{covers:.3f}",
                f"{np.mean((high - low)[known]):.2f}",
                int((~known).sum()),
            ]
        )
        print(rows[-1], flush=True)
    header = [
        "n",
        "folds",
        "rule",
        "decided",
        "of new samples",
        "error",
        "of new samples",
        "coverage",
        "width",
        "undefined",
    ]
    print(markdown(header, rows))


def promised(n_studies: int) -> None:
    """What rules promise of new samples, where studies repeat their inner folds."""
    from _coverage_studies import promises

    novel = {"name": "with_novelty", "of": "lda"}
    rows = []
    for n, shift in product((60, 150), (0.0, 0.8)):

        def of(reject: dict, classify: object = "lda", n: int = n, shift: float = shift):
            design = Design(n, 2, True, "10-fold")
            return promises(design, shift, reject, classify, n_studies, seed=1)

        one, two = (of({"name": "conformal", "at": at}) for at in (0.1, 0.2))
        risk = of({"name": "risk", "at": 0.2})
        strange = of({"name": "nobody", "novelty": 0.1}, novel)
        rows.append(
            [
                n,
                "signal" if shift else "noise",
                f"{one[:, 1].mean():.3f}",
                f"{two[:, 1].mean():.3f}",
                f"{risk[:, 0].mean():.2f}",
                f"{(risk[:, 2] > 0.2).mean():.3f}",
                f"{1 - strange[:, 0].mean():.2f}",
            ]
        )
        print(rows[-1], flush=True)
    header = [
        "n",
        "data",
        "conformal .1",
        "conformal .2",
        "risk .2: accepted",
        "above .2",
        "novelty .1: declined",
    ]
    print(markdown(header, rows))


def stability(n_studies: int) -> None:
    """How often a study's selection is called more stable than with permuted labels."""
    from _stand_in import called_stable

    rows = []
    for n, balanced, signal in product((40, 60, 150), (True, False), TARGETS):
        shift = shift_for(n, 2, balanced, TARGETS[signal])
        design = Design(n, 2, balanced, "5-fold")
        found = np.array(list(called_stable(design, shift, n_studies, seed=n)))
        above, observed, median = found.T
        error = np.sqrt(above.mean() * (1 - above.mean()) / n_studies)
        rows.append(
            [
                n,
                "equal" if balanced else "1:4",
                signal,
                f"{observed.mean():.2f}",
                f"{median.mean():.2f}",
                f"{above.mean():.3f}",
                f"{error:.3f}",
            ]
        )
    header = ["n", "sizes", "true BCR", "Nogueira", "permuted, median", "called stable", "error"]
    print(markdown(header, rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", default=["stand-ins"])
    parser.add_argument("--studies", type=int, default=0, help="studies a cell")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS))
    parser.add_argument("--sizes", nargs="+", type=int, default=[40, 60, 150, 300])
    parser.add_argument("--learner", choices=("lda", "ridge"), default="lda")
    parser.add_argument("--part", default="0/1", help="cells I of every N: I/N")
    given = parser.parse_args()
    print(versions("numpy", "numba", "scipy"), flush=True)
    if "stand-ins" in given.parts:
        stand_ins(given.studies or 1000, given.kinds, given.sizes, given.part, given.learner)
    if "studies" in given.parts:
        studies(given.studies or 200, given.part)
    if "auc" in given.parts:
        areas(given.studies or 300)
    if "stability" in given.parts:
        stability(given.studies or 1000)
    if "costs" in given.parts:
        costs(given.studies or 200)
    if "declining" in given.parts:
        declining(given.studies or 200)
    if "promises" in given.parts:
        promised(given.studies or 40)
    if "cohorts" in given.parts:
        _cohorts.run(given.studies or 1000)


if __name__ == "__main__":
    main()
