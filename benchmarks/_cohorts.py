"""Coverage of the intervals of `tamis evaluate`: one model, a cohort it has not seen.

What is estimated is that very model's score in the population of the cohort, so that every study
has a truth of its own: the model on thousands of new samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numba as nb
import numpy as np

from _coverage_cells import SHOWN, TARGETS, Tally, bound, shift_for
from _harness import markdown
from _stand_in import KEPT, Design, beliefs, lda, rank
from tamis.model.evaluate import judged_cohort

TRAINED = 60  # samples of the model
FRESH = 4000  # new samples that tell the truth
PATIENTS, MEASURED = 20, 6
MIXED = "of both classes"
OLD = 50  # studies a cell with the old bootstrap
HEADER = (
    "cohort",
    "classes",
    "sizes",
    "patients",
    "true BCR",
    *SHOWN,
    "width BCR",
    "old",
    "width AUC",
    "old",
    "narrowest",
)


SIZE = KEPT["lda"]


@nb.njit(cache=True)
def train_and_judge(rng, trained, means, sizes, patients, between, fresh):
    """Beliefs (m, C) of one model in a cohort, and in new samples, `fresh` (C) of each class.

    patients (m) is the patient of each row of the cohort, whose rows come class by class.
    """
    C, p = means.shape
    y = np.repeat(np.arange(C), trained)
    X = rng.normal(0.0, 1.0, (len(y), p))
    S, Q = np.zeros((C, p)), np.zeros(p)
    for i in range(len(y)):
        X[i] += means[y[i]]
        S[y[i]] += X[i]
        Q += X[i] ** 2
    cols = rank(S, Q, trained, SIZE)
    weights, offsets = lda(np.ascontiguousarray(X[:, cols]), y, trained)
    own = rng.normal(0.0, np.sqrt(between), (patients.max() + 1, SIZE))
    cohort, truth = np.empty((sizes.sum(), C)), np.empty((fresh.sum(), C))
    x, i, t = np.empty(SIZE), 0, 0
    for c in range(C):
        for _ in range(sizes[c]):
            for a in range(SIZE):
                noise = rng.normal(0.0, np.sqrt(1.0 - between))
                x[a] = means[c, cols[a]] + own[patients[i], a] + noise
            cohort[i] = beliefs(x, weights, offsets, False)
            i += 1
        for _ in range(fresh[c]):
            for a in range(SIZE):
                x[a] = means[c, cols[a]] + rng.normal(0.0, 1.0)
            truth[t] = beliefs(x, weights, offsets, False)
            t += 1
    return cohort, truth


@dataclass(frozen=True)
class Cohort:
    """New samples of a design; `patients` is "", "pure" or "of both classes"."""

    design: Design
    patients: str = ""

    @property
    def groups(self) -> np.ndarray | None:
        """The patient of each row, class by class."""
        rows = np.arange(self.design.n)
        if self.patients == "pure":
            return rows // MEASURED
        return rows % PATIENTS if self.patients else None


def cohorts() -> Iterator[Cohort]:
    """Every design."""
    for n, classes, balanced in product((20, 50, 200), (2, 4), (True, False)):
        yield Cohort(Design(n, classes, balanced, "cohort"))
    for patients in ("pure", MIXED):
        yield Cohort(Design(PATIENTS * MEASURED, 2, True, "cohort"), patients)


def cell(cohort: Cohort, shift: float, studies: int) -> Tally:
    """Intervals and truths of many models, each with its cohort."""
    design, groups, tally = cohort.design, cohort.groups, Tally()
    trained = Design(TRAINED, design.classes, design.balanced, "10-fold").sizes
    fresh = (design.sizes * FRESH) // design.n
    codes, new = (np.repeat(np.arange(design.classes), n) for n in (design.sizes, fresh))
    place = np.arange(design.n) if groups is None else groups
    rng = np.random.default_rng([design.n, design.classes, design.balanced, int(1000 * shift)])
    for i in range(studies):
        proba, truth = train_and_judge(
            rng,
            trained,
            design.means(shift),
            design.sizes,
            place,
            0.0 if groups is None else 0.5,
            fresh,
        )
        held, sampling = judged_cohort(codes, proba.argmax(axis=1), proba, groups)
        told, _ = judged_cohort(new, truth.argmax(axis=1), truth, None)
        tally.add(held, sampling, told)
        if i < OLD and cohort.patients != MIXED:  # it drew patients of one class
            tally.bootstrap(held, place, rng)
    return tally


def line(cohort: Cohort, signal: str, tally: Tally, studies: int) -> list[str]:
    """One line of the table: coverage of each model's own truth, with a mark where too low."""
    design, least = cohort.design, bound(signal, studies)
    sizes = "equal" if design.balanced else "1:4"
    cells = [str(design.n), str(design.classes), sizes, cohort.patients]
    cells.append(f"{np.nanmean(tally.truth['bcr']):.2f}")
    for metric in SHOWN:
        share = tally.coverage(metric, own=True)
        mark = "" if share is None or share >= least else " **low**"
        cells.append("–" if share is None else f"{share:.3f}{mark}")
    for metric in ("bcr", "auc"):
        cells += [f"{tally.width(metric):.2f}", _old(tally, metric)]
    return [*cells, f"{tally.narrowest():.3f}"]


def _old(tally: Tally, metric: str) -> str:
    """Coverage and mean width of the bootstrap, if it was tried."""
    if metric not in tally.old:
        return "–"
    low, high = np.array(tally.old[metric]).T
    truth = np.array(tally.truth[metric][: len(low)])
    return f"{np.mean((low <= truth) & (truth <= high)):.2f} {np.mean(high - low):.2f}"


@cache
def shift_to(classes: int, balanced: bool, target: float | None) -> float:
    """The shift at which models reach this balanced accuracy."""
    return shift_for(TRAINED, classes, balanced, target)


def run(studies: int) -> None:
    """The table, a line as soon as it is known."""
    print(markdown(HEADER, []))
    for cohort in cohorts():
        design = cohort.design
        for signal, target in TARGETS.items():
            tally = cell(cohort, shift_to(design.classes, design.balanced, target), studies)
            print(f"| {' | '.join(line(cohort, signal, tally, studies))} |", flush=True)
