"""`Intersections`: what random intersection trees found, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ..._core.errors import counted_noun, shorten_text
from ..._core.first_screen import FirstScreen
from .flat_sets import FlatSets

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

MOST_SETS = 1000  # in `to_dict`
MAX_NAMED_FEATURES = 6  # features of a set in a sentence


FoundSet = TypedDict(
    "FoundSet",
    {
        "features": list[str],
        "signs": list[int],
        "class": str,
        "prevalence": list[float],  # in each class
        "counts": list[int],
        "difference": float,
        "trees": float,
        "stability": float | None,
        "p_value": float | None,
        "q_value": float | None,
    },
)


class ClassSize(TypedDict):
    """A class, and how many rows it has."""

    name: str
    size: int


class IntersectionsContent(TypedDict):
    """`Intersections` as JSON."""

    sets: list[FoundSet]
    n_sets: int
    classes: list[ClassSize]
    n_features: int
    settings: dict[str, object]
    notes: list[str]
    reason: str
    nearest: dict[str, object]


@dataclass(frozen=True, eq=False)
class Intersections(FirstScreen):
    """Sets of features that rows of one class share, and rows of the others do not.

    The set that is most often held in its class beyond the class where it is next most frequent
    comes first.

    Attributes
    ----------
    columns : sequence of tuple of int
        Features of each set, by number, rising. It reads like a tuple, and equals one.
    signs : sequence of tuple of int
        1 where a feature is 1, -1 where it is 0; empty tuples where all are 1.
    origin : ndarray of shape (S,) of int
        The class each speaks for, as a place in `classes`.
    counts : ndarray of shape (S, C) of int
        Rows of each class that hold the set, exactly.
    sizes : ndarray of shape (C,) of int
        Rows of each class.
    trees : ndarray of shape (S,)
        Share of the trees of its class that came to it.
    classes : tuple
    names : tuple of str
        Of all features.
    stability : ndarray of shape (S,) or None
        Share of bootstrap samples whose search gives the very same set.
    p_value, q_value : ndarray of shape (S,) or None
        From permuted labels: of a set that stands out so far anywhere (family-wise), and the
        share of false ones among the sets that stand out so far.
    maxima : ndarray of shape (n_permutations,)
        The largest `difference` of each search with permuted labels; NaN where it found no set.
    settings : mapping
        Of the search, with the thresholds as used: `theta` and `theta_out`, one a class.
    notes : tuple of str
        What bit: a cap, trees cut short, columns left out.
    reason : str
        Why there is no set; empty where there are.
    nearest : mapping
        The settings nearest to those requested with which there would be one.
    """

    columns: Sequence[tuple[int, ...]]
    signs: Sequence[tuple[int, ...]]
    origin: np.ndarray
    counts: np.ndarray
    sizes: np.ndarray
    trees: np.ndarray
    classes: tuple[Any, ...]
    names: tuple[str, ...]
    stability: np.ndarray | None = None
    p_value: np.ndarray | None = None
    q_value: np.ndarray | None = None
    maxima: np.ndarray = field(default_factory=lambda: np.empty(0))
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reason: str = ""
    nearest: Mapping[str, object] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return (
            f"Intersections({counted_noun(len(self), 'set')} of "
            f"{counted_noun(len(self.names), 'feature')})"
        )

    @property
    def prevalence(self) -> np.ndarray:
        """Share of the rows of each class that hold each set (S, C)."""
        return self.counts / self.sizes

    @property
    def difference(self) -> np.ndarray:
        """Prevalence in the set's class less the largest in another (S,)."""
        return prevalence_differences(self.counts, self.sizes, self.origin)

    def features(self, s: int) -> tuple[str, ...]:
        """Names of a set; "not x" of a feature that is 0."""
        names = tuple(self.names[j] for j in self.columns[s])
        if not self.signs[s]:
            return names
        return tuple(
            name if sign > 0 else f"not {name}"
            for name, sign in zip(names, self.signs[s], strict=True)
        )

    def selected(self, more_than: int = 0) -> np.ndarray:
        """Features in more than so many of the sets, by number, rising (the rule C)."""
        return np.flatnonzero(self.occurrences() > more_than)

    def occurrences(self) -> np.ndarray:
        """How many sets each feature is in (p,)."""
        sets, p = FlatSets.of(self.columns), len(self.names)
        once = np.unique(sets.holders * p + sets.items)  # low and high are one feature
        return np.bincount(once % p, minlength=p)

    def frame(self) -> pd.DataFrame:
        """One row a set, the one that stands out most first."""
        import pandas as pd

        rows = range(len(self))
        table: dict[str, object] = {
            "features": [self.features(s) for s in rows],
            "order": [len(self.columns[s]) for s in rows],
            "class": [self.classes[k] for k in self.origin],
            "prevalence": self.prevalence[np.arange(len(self)), self.origin],
            "difference": self.difference,
        }
        for k, label in enumerate(self.classes):
            table[f"prevalence {label}"] = self.prevalence[:, k]
            table[f"rows {label}"] = self.counts[:, k]
        table["trees"] = self.trees
        for name in ("stability", "p_value", "q_value"):
            if getattr(self, name) is not None:
                table[name] = getattr(self, name)
        return pd.DataFrame(table)

    def to_dict(self) -> IntersectionsContent:
        """Plain numbers, text and lists, of the first 1,000 sets."""
        few = range(min(len(self), MOST_SETS))
        prevalence, difference = self.prevalence, self.difference  # of all sets: computed once

        def number_or_none(values: np.ndarray | None, s: int) -> float | None:
            return None if values is None else float(values[s])

        return {
            "sets": [
                {
                    "features": [self.names[j] for j in self.columns[s]],
                    "signs": list(self.signs[s]),
                    "class": str(self.classes[self.origin[s]]),
                    "prevalence": prevalence[s].tolist(),
                    "counts": self.counts[s].tolist(),
                    "difference": float(difference[s]),
                    "trees": float(self.trees[s]),
                    "stability": number_or_none(self.stability, s),
                    "p_value": number_or_none(self.p_value, s),
                    "q_value": number_or_none(self.q_value, s),
                }
                for s in few
            ],
            "n_sets": len(self),
            "classes": [
                {"name": str(label), "size": int(size)}
                for label, size in zip(self.classes, self.sizes, strict=True)
            ],
            "n_features": len(self.names),
            "settings": dict(self.settings),
            "notes": list(self.notes),
            "reason": self.reason,
            "nearest": dict(self.nearest),
        }

    def summary(self) -> str:
        """A few lines of text."""
        if not len(self):
            return self.reason
        lines = [f"{counted_noun(len(self), 'set')} of features"]
        for s in range(min(len(self), 5)):
            names = [shorten_text(name, 40) for name in self.features(s)]
            more = (
                f" and {len(names) - MAX_NAMED_FEATURES} more"
                if len(names) > MAX_NAMED_FEATURES
                else ""
            )
            shares = ", ".join(
                f"{share:.2f} of {label}"
                for label, share in zip(self.classes, self.prevalence[s], strict=True)
            )
            sure = "" if self.p_value is None else f"; p = {self.p_value[s]:.3g} (family)"
            held = "" if self.stability is None else f"; in {self.stability[s]:.0%} of bootstraps"
            lines.append(f"  {' + '.join(names[:MAX_NAMED_FEATURES])}{more}: {shares}{sure}{held}")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def plot(self) -> Picture:
        """The first sets and their prevalence in each class (`tamis.plotting.set_shares`)."""
        from ...plotting.picture import Picture
        from ...plotting.set_shares import set_shares

        found = self.to_dict()
        classes = [one["name"] for one in found["classes"]]
        return Picture("sets", (set_shares(found["sets"], classes),))


def prevalence_differences(
    counts: np.ndarray, sizes: np.ndarray, origin: Sequence[int] | np.ndarray
):
    """Prevalence in the class of origin less the largest in another: (S,) of (S, C)."""
    shares = np.ascontiguousarray((counts / sizes).T)  # the largest of few is soonest found so
    at = origin, np.arange(len(counts))
    own = shares[at]
    shares[at] = -np.inf
    return own - shares.max(axis=0, initial=-np.inf)
