"""What a sample's sets say of its class.

A sample that holds the sets M goes to the class with the largest

    log prior_c + sum over S in M of log((n_c pi_c(S) + 1) / (n_c + 2)),

n_c its samples and pi_c(S) the share of these that hold S. The Bernoulli rule also adds the
logarithm of one less that, of every set that the sample does not hold: with sets of one class
only, the first rule can speak against another class and never for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._core.arrays import checked_integers, fitting_arrays, taken_lists, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Term
from ...interactions.sets.intersections import prevalence_differences

RULES = ("matched", "bernoulli")
OPEN_END = float(np.finfo(float).max)  # of an interval without one


@dataclass(frozen=True, eq=False)
class SetRules:
    """Sets of a training set, and how many of each class hold them; a `Predictor`.

    Attributes
    ----------
    at : ndarray of int64
        Columns of all sets, one set after the other.
    values : ndarray of shape (len(at), 2) or (len(at), 1)
        Both ends of an interval, or the value that samples are near.
    starts : ndarray of shape (S + 1,)
    counts : ndarray of shape (S, C)
        How much the samples of each class hold each set, summed.
    sizes : ndarray of shape (C,)
    low, span : ndarray of shape (p,)
        What scales a column to 0..1; zeros and ones of intervals.
    radius : float
        Of nearness; 0: intervals.
    absent : bool
        The Bernoulli rule.
    origin : ndarray of shape (S,) or None
        The class whose trees found each.
    categorical : ndarray of shape (p,) of bool or None
        Columns of codes, whose first value is the categories as bits.
    """

    at: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    counts: np.ndarray
    sizes: np.ndarray
    low: np.ndarray
    span: np.ndarray
    radius: float = 0.0
    absent: bool = False
    origin: np.ndarray | None = None
    categorical: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    def held(self, X: np.ndarray) -> np.ndarray:
        """How much each row of X (m, p) holds each set (m, S), 0 to 1."""
        from ...kernels.intersections import hold_numbers

        kinds = self.categorical
        if kinds is None:
            kinds = np.zeros(len(self.low), dtype=bool)
        if self.radius:
            X = (X - self.low) / self.span
        return hold_numbers(
            np.ascontiguousarray(X, dtype=np.float64),
            self.at,
            self.values.ravel(),
            self.starts,
            kinds,
            self.radius,
        )

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, p)."""
        held = self.held(X)
        likely = np.log((self.counts + 1) / (self.sizes + 2))
        scores = held @ likely
        if self.absent:
            scores += (1 - held) @ np.log1p(-(self.counts + 1) / (self.sizes + 2))
        scores += np.log(self.sizes / self.sizes.sum())
        proba = np.exp(scores - scores.max(axis=1, keepdims=True))
        return Beliefs(proba / proba.sum(axis=1, keepdims=True), scores)

    @property
    def columns(self) -> np.ndarray:
        """Columns that stand in sets, the one in most of them first."""
        counts = self.occurrences()
        order = np.argsort(-counts, kind="stable")
        return order[: int((counts > 0).sum())]

    def occurrences(self) -> np.ndarray:
        """How many sets hold each column (p,)."""
        whose = np.repeat(np.arange(len(self)), np.diff(self.starts))
        pairs = np.unique(np.column_stack([whose, self.at]), axis=0)
        return np.bincount(pairs[:, 1], minlength=len(self.low))

    def among(self, columns: np.ndarray, others: np.ndarray) -> SetRules:
        """The same on other columns of a table, these being `columns` of it now; `others` are
        among them as far as sets have them."""
        place = {int(j): k for k, j in enumerate(others)}
        low, span = np.zeros(len(others)), np.ones(len(others))
        at = np.array([place[int(columns[j])] for j in self.at], dtype=np.int64)
        low[at], span[at] = self.low[self.at], self.span[self.at]
        return replace(self, at=at, low=low, span=span, categorical=None)

    def first(self, n: int) -> SetRules:
        """Those n that stand out most."""
        assert self.origin is not None
        gap = prevalence_differences(self.counts, self.sizes, self.origin)
        few = np.sort(np.argsort(-np.round(gap, 12), kind="stable")[:n])
        places, starts = taken_lists(self.starts, few)
        return replace(
            self,
            at=self.at[places],
            values=self.values[places],
            starts=starts,
            counts=self.counts[few],
            origin=self.origin[few],
        )

    def terms(self) -> list[Term]:
        """The sets as interactions of columns, those that stand out most first; one for each set
        of columns and class."""
        assert self.origin is not None
        gap = prevalence_differences(self.counts, self.sizes, self.origin)
        found: dict[tuple, Term] = {}
        for s in np.argsort(-np.round(gap, 12), kind="stable").tolist():
            columns = tuple(sorted(set(self.at[self.starts[s] : self.starts[s + 1]].tolist())))
            c = int(self.origin[s])
            share = float(self.counts[s, c] / self.sizes[c])
            about = {"difference": float(gap[s]), "prevalence": share}
            found.setdefault((columns, c), Term(columns, (), c, about))
        return list(found.values())

    def to_arrays(self) -> Arrays:
        """All of it but what is only reported."""
        integers = {"at": self.at, "starts": self.starts, "sizes": self.sizes}
        return {
            **{name: array.astype(np.float64) for name, array in integers.items()},
            "values": self.values,
            "counts": self.counts.astype(np.float64),
            "low": self.low,
            "span": self.span,
            "rule": np.array([self.radius, float(self.absent)]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> SetRules:
        """From what `to_arrays` gave; `ModelError` where it does not fit together."""
        rule, sizes, low, span = fitting_arrays(
            arrays, rule=(2,), sizes=(n_classes,), low=(n_columns,), span=(n_columns,)
        )
        at, starts = fitting_arrays(arrays, at=(None,), starts=(None,))
        per = 1 if rule[0] > 0 else 2
        values, counts = fitting_arrays(
            arrays, values=(len(at), per), counts=(max(len(starts) - 1, 0), n_classes)
        )
        at = checked_integers(at, 0, n_columns, "at")
        starts = checked_integers(starts, 0, len(at) + 1, "starts")
        sizes = checked_integers(sizes, 1, 2**53, "sizes")
        if not len(starts) or starts[0] or starts[-1] != len(at) or (np.diff(starts) < 0).any():
            raise unfit_part_error("starts")
        if rule[0] < 0 or rule[1] not in (0.0, 1.0):
            raise unfit_part_error("rule")
        if (counts < 0).any() or (counts > sizes).any():
            raise unfit_part_error("counts")
        if not (span > 0).all():
            raise unfit_part_error("span")
        return cls(
            at,
            np.ascontiguousarray(values),
            starts,
            counts,
            sizes,
            low,
            span,
            float(rule[0]),
            bool(rule[1]),
        )
