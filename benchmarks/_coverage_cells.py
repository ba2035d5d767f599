"""Coverage of intervals over simulated studies: tallies, and the lines of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from _stand_in import Design, StandIn, simulate
from tamis.metrics import METRICS, HeldOut, VarianceInflation, effective_units
from tamis.metrics.intervals import errors_above_chance
from tamis.metrics.ranks import auc_of

KINDS = ("10-fold", "5 x 10-fold", "5-fold", "leave-one-out", "holdout", "20 groups")
MORE = ("2-fold", "3-fold", "5 x 5-fold", "10 x 10-fold", "5 x holdout", "20 x holdout")
SHOWN = ("bcr", "accuracy", "mcc", "f", "bcm", "ccem", "brier", "recall", "auc")
TARGETS = {"noise": None, "about .8": 0.8, "about .98": 0.98}


def bound(signal: str, studies: int) -> float:
    """Least coverage that is compatible with .93 (.90 near perfection)."""
    wanted = 0.90 if signal == "about .98" else 0.93
    return wanted - 2 * float(np.sqrt(wanted * (1 - wanted) / studies))


def sampling_of(design: Design, study: StandIn, seen: HeldOut) -> VarianceInflation:
    """As a study of this design has it."""
    groups = study.groups if design.kind == "20 groups" else None
    units = effective_units(study.y, design.classes, groups)
    if design.kind == "leave-one-out":
        return VarianceInflation.leave_one_out(units)
    if design.kind.endswith("holdout"):
        held = study.folds[0] == 0
        ratio = held.sum() / (~held).sum()
        tested = np.bincount(study.y[held], minlength=design.classes).astype(float)
        return VarianceInflation.holdout(tested, ratio, design.repeats)
    clear = errors_above_chance(seen.matrix(), units)
    found = VarianceInflation.k_fold(units, design.repeats, clear=clear)
    if groups is None:
        return found
    alike = seen.scores_alike(study.y, groups)
    return replace(found, ordered=effective_units(study.y, design.classes, groups, alike))


@dataclass
class Tally:
    """Intervals of many studies, and the truth of each."""

    intervals: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)
    truth: dict[str, list[float]] = field(default_factory=dict)
    old: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def add(self, held: HeldOut, sampling: VarianceInflation, truth: HeldOut) -> None:
        """One study: its estimates, and what new samples say of its models."""
        for name, metric in METRICS.items():
            if metric.covered:
                found = held.estimate(name, sampling)
                self._put(name, found.mean, found.low, found.high, truth.score(name))
        exact = VarianceInflation.external(np.ones(held.n_classes))
        pairs = zip(held.recalls(sampling), truth.recalls(exact), strict=True)
        for c, (found, true) in enumerate(pairs):
            self._put(f"recall {c}", found.mean, found.low, found.high, true.mean)

    def _put(self, name: str, mean: float, low: float, high: float, truth: float) -> None:
        self.intervals.setdefault(name, []).append((mean, low, high))
        self.truth.setdefault(name, []).append(truth)

    def bootstrap(self, held: HeldOut, groups: np.ndarray, rng: np.random.Generator) -> None:
        """Percentile bootstrap of the pooled predictions, as studies had before."""
        for name, ends in old_intervals(held, groups, rng).items():
            self.old.setdefault(name, []).append(ends)

    def names(self, metric: str) -> list[str]:
        """Rows of the tally behind a column of the table."""
        return [n for n in self.intervals if n == metric or n.startswith(f"{metric} ")]

    def coverage(self, metric: str, own: bool = False) -> float | None:
        """Share of intervals that hold the truth, the least of several; None without intervals.

        `own`: each study's own truth, that of its models, instead of the mean of all studies.
        """
        shares = []
        for name in self.names(metric):
            _, low, high = np.array(self.intervals[name]).T
            if np.isnan(low).all():
                return None
            truth = np.array(self.truth[name])
            truth = truth if own else np.nanmean(truth)
            shares.append(np.mean((low <= truth) & (truth <= high)))
        return min(shares)

    def above(self, metric: str, chance: float) -> float:
        """Share of studies whose interval lies wholly above chance."""
        return float(np.mean(np.array(self.intervals[metric])[:, 1] > chance))

    def width(self, metric: str) -> float:
        """Mean width."""
        ends = np.concatenate([np.array(self.intervals[n]) for n in self.names(metric)])
        return float(np.mean(ends[:, 2] - ends[:, 1]))

    def narrowest(self) -> float:
        """The least width of any interval."""
        ends = np.concatenate([np.array(v) for v in self.intervals.values()])
        return float(np.nanmin(ends[:, 2] - ends[:, 1]))

    def old_of(self, metric: str) -> tuple[float, float]:
        """(coverage, mean width) of the old intervals."""
        low, high = np.array(self.old[metric]).T
        truth = np.nanmean(self.truth[metric])
        return float(np.mean((low <= truth) & (truth <= high))), float(np.mean(high - low))


def old_intervals(
    held: HeldOut, groups: np.ndarray, rng: np.random.Generator, draws: int = 200
) -> dict[str, tuple[float, float]]:
    """BCR and AUC of resampled pooled predictions; groups are drawn whole, within classes."""
    pools = [(held.codes[at], held.predicted[at], held.proba[at]) for at in held.repeats]
    y = pools[0][0]
    unit = np.unique(groups[held.rows[held.repeats[0]]], return_inverse=True)[1]
    classes = [np.unique(unit[y == c]) for c in range(held.n_classes)]
    members = [np.flatnonzero(unit == u) for u in range(unit.max() + 1)]
    values: dict[str, list[float]] = {"bcr": [], "auc": []}
    for _ in range(draws):
        drawn = np.concatenate([rng.choice(units, len(units)) for units in classes])
        rows = np.concatenate([members[u] for u in drawn])
        values["bcr"].append(np.mean([METRICS["bcr"](c[rows], p[rows], b) for c, p, b in pools]))
        values["auc"].append(np.mean([auc_of(c[rows], b[rows]) for c, _, b in pools]))
    return {k: tuple(np.quantile(v, [0.025, 0.975])) for k, v in values.items()}


def shift_for(
    n: int, classes: int, balanced: bool, target: float | None, learner: str = "lda"
) -> float:
    """The shift at which ten folds have this balanced accuracy."""
    if target is None:
        return 0.0
    low, high = 0.0, 6.0
    for _ in range(9):
        middle = (low + high) / 2
        found = [
            truth_of(s).score("bcr")
            for s in simulate(Design(n, classes, balanced, "10-fold", learner), middle, 80, seed=99)
        ]
        low, high = (middle, high) if np.mean(found) < target else (low, middle)
    return (low + high) / 2


def truth_of(study: StandIn) -> HeldOut:
    """What new samples say of a study's models."""
    p = study.truth
    return HeldOut.of([[(np.arange(len(p)), study.truth_y, p.argmax(axis=1), p)]])


def cell(design: Design, shift: float, studies: int, old: int) -> Tally:
    """One design at one shift."""
    tally, kind = Tally(), design.kind
    rng = np.random.default_rng(1)
    seed = 1_000_003 * design.n + 101 * design.classes + 7 * design.balanced
    seed += sum(map(ord, kind)) + int(1000 * shift)
    for i, study in enumerate(simulate(design, shift, studies, seed)):
        held = HeldOut.of(study.repeats())
        tally.add(held, sampling_of(design, study, held), truth_of(study))
        if i < old and not kind.endswith("x holdout"):
            tally.bootstrap(held, study.groups, rng)
    return tally


def row(label: Sequence[object], signal: str, tally: Tally, studies: int, chance: float) -> list:
    """One line of the table: coverage, with a mark where it is too low; widths; false alarms."""
    least = bound(signal, studies)
    cells: list[object] = list(label)
    for metric in SHOWN:
        share = tally.coverage(metric)
        mark = "" if share is None or share >= least else " **low**"
        cells.append("–" if share is None else f"{share:.3f}{mark}")
    old = ("", "")
    if tally.old:
        old = tuple("{:.2f} {:.2f}".format(*tally.old_of(m)) for m in ("bcr", "auc"))
    cells += [f"{tally.width('bcr'):.2f}", old[0], f"{tally.width('auc'):.2f}", old[1]]
    if signal == "noise":
        alarms = [tally.above("bcr", chance), tally.above("auc", 0.5)]
        worst = 0.025 + 2 * float(np.sqrt(0.025 * 0.975 / studies))
        cells.append(" ".join(f"{a:.3f}{' **high**' if a > worst else ''}" for a in alarms))
    else:
        cells.append("")
    return [*cells, f"{tally.coverage('bcr', own=True):.3f}"]


HEADER = (
    "n",
    "classes",
    "sizes",
    "split",
    "true BCR",
    *SHOWN,
    "width BCR",
    "old",
    "width AUC",
    "old",
    "above chance",
    "own",
)
