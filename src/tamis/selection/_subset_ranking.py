"""What a search for subsets found: the best subset of each size, and how it got there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from .._core.errors import counted_noun
from .._core.first_screen import FirstScreen
from .._core.interfaces import Evidence, Ranking
from ..metrics.estimates import plain_number
from ._base import RankerSelector

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture


KIND = "subset_search"  # of evidence
MAX_NAMED_FEATURES = 60  # features of the best subset that the evidence names
MAX_TRACE_POINTS = 200  # of the trace


@dataclass(frozen=True)
class Subset:
    """Columns and how well they classify.

    Attributes
    ----------
    columns : ndarray of shape (k,)
        Rising.
    scores : ndarray of shape (n_folds,)
        Of each inner fold, higher is better.
    """

    columns: np.ndarray
    scores: np.ndarray

    @property
    def score(self) -> float:
        """The mean over the folds in which it is defined."""
        there = self.scores[~np.isnan(self.scores)]
        return float(there.mean()) if len(there) else -np.inf

    @property
    def error(self) -> float:
        """The standard deviation of the folds' scores over the root of their number."""
        there = self.scores[~np.isnan(self.scores)]
        return float(there.std(ddof=1) / np.sqrt(len(there))) if len(there) > 1 else float("nan")


@dataclass(frozen=True)
class SearchFacts:
    """How a search was made.

    Attributes
    ----------
    method : str
        In words, such as "forward selection".
    learner, criterion : str
    n_folds : int
    n_candidates, n_columns : int
        Columns (or groups of them) it could choose among, and columns that there are.
    n_updated, n_direct : int
        Subsets evaluated by updating, and one by one.
    n_fits : int
        Fits of the learner itself, one a fold and subset.
    """

    method: str = ""
    learner: str = ""
    criterion: str = ""
    n_folds: int = 0
    n_candidates: int = 0
    n_columns: int = 0
    n_updated: int = 0
    n_direct: int = 0
    n_fits: int = 0

    def sentence(self) -> str:
        """In words."""
        among = counted_noun(self.n_candidates, "candidate")
        if self.n_candidates < self.n_columns:
            among += f" of {self.n_columns:,} columns"
        judge = f"{self.learner}, {self.criterion}".replace("_", " ")
        done = [f"{self.n_updated:,} by updating"] if self.n_updated else []
        if self.n_direct:
            done.append(f"{self.n_direct:,} one by one" if done else f"{self.n_direct:,} evaluated")
        if self.n_fits:
            done.append(f"{self.n_fits:,} fits")
        return (
            f"{self.method} by {judge} in {self.n_folds} folds, among {among}: subsets "
            f"{', '.join(done)}"
        )


@dataclass(frozen=True, repr=False)
class SubsetRanking(Ranking, FirstScreen):
    """A ranking by how many of the best subsets, one a size, hold a column.

    Attributes
    ----------
    subsets : mapping of size to Subset
        The best that the search saw of each size, up to its depth.
    trace : sequence of mappings
        ``at`` (size or generation), ``score`` of the best there, and ``error``, ``mean`` if there
        are such.
    axis : str
        What ``at`` counts.
    facts : SearchFacts
    names : tuple of str
        Of all columns; empty if they have none.
    """

    subsets: Mapping[int, Subset] = field(default_factory=dict)
    trace: Sequence[Mapping[str, float]] = ()
    axis: str = "features"
    facts: SearchFacts = field(default_factory=SearchFacts)
    names: tuple[str, ...] = ()

    def frame(self) -> pd.DataFrame:
        """The best subset of each size, as a pandas DataFrame: ``size``, ``score`` (mean over the
        inner folds), ``error`` (its standard error), ``columns``, ``names``, ``best``."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "size": size,
                    "score": one.score,
                    "error": one.error,
                    "columns": tuple(one.columns.tolist()),
                    "names": tuple(self._names(one.columns)),
                    "best": size == self.chosen,
                }
                for size, one in sorted(self.subsets.items())
            ]
        )

    def to_dict(self) -> dict[str, object]:
        """What `tamis.plotting.search_trace` draws."""
        best = self.subsets.get(self.chosen or 0)
        return self._content([] if best is None else self._names(best.columns))

    def summary(self) -> str:
        """What was searched, what was found, and what its score is not."""
        best = self.subsets.get(self.chosen or 0)
        if best is None:
            return f"{self.facts.method}: no column varies"
        return (
            f"{self.facts.sentence()}; best: {counted_noun(len(best.columns), 'feature')}, "
            f"{self.facts.criterion.replace('_', ' ')} {best.score:.4g}, the best of all evaluated "
            "and so optimistic"
        )

    def plot(self) -> Picture:
        """The score along the search (`tamis.plotting.search_trace`)."""
        from ..plotting.picture import Picture
        from ..plotting.search_trace import TracePicture, search_trace

        return Picture("search", (search_trace(cast(TracePicture, self.to_dict())),))

    def evidence(self, owner: np.ndarray, names: Sequence[str]) -> Sequence[Evidence]:
        """The trace, and the best subset."""
        best = self.subsets.get(self.chosen or 0)
        if best is None:
            return ()
        features = list(dict.fromkeys(names[owner[j]] for j in best.columns.tolist()))
        return (Evidence(KIND, self._content(features)),)

    def _content(self, features: list[str]) -> dict[str, object]:
        step = max(1, -(-len(self.trace) // MAX_TRACE_POINTS))
        shown = [*self.trace[:-1:step], self.trace[-1]] if len(self.trace) else []
        facts = self.facts
        return {
            "method": facts.method,
            "learner": facts.learner,
            "criterion": facts.criterion,
            "told": facts.sentence(),
            "axis": self.axis,
            "chosen": self.chosen,
            "n_features": len(features),
            "features": features[:MAX_NAMED_FEATURES],
            "points": [
                {k: v if k == "at" else plain_number(v) for k, v in point.items()}
                for point in shown
            ],
        }

    def _names(self, columns: Sequence[int] | np.ndarray) -> list[str]:
        return [self.names[j] if self.names else f"column {j}" for j in columns]


class SubsetSelector(RankerSelector):
    """A selector whose ranking is a `SubsetRanking`."""

    def _keep(self, ranking: Ranking) -> None:
        assert isinstance(ranking, SubsetRanking)
        self.result_ = replace(ranking, names=tuple(getattr(self, "feature_names_in_", ())))
        self.subsets_ = {k: one.columns for k, one in ranking.subsets.items()}
        size = min(self.size or ranking.chosen or 0, max(self.subsets_, default=0))
        self.score_ = ranking.subsets[size].score if size in ranking.subsets else float("nan")


def subset_path(
    subsets: Mapping[int, Subset], sizes: Sequence[int], order: np.ndarray
) -> dict[int, np.ndarray]:
    """The best subset of each size requested, best columns first; past the depth of a search the
    largest there is, and of a size that was passed over the next smaller."""
    known = sorted(subsets)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    path = {}
    for k in sizes:
        below = [size for size in known if size <= k]
        columns = subsets[below[-1]].columns if below else np.zeros(0, dtype=np.int64)
        path[int(k)] = columns[np.argsort(place[columns], kind="stable")]
    return path


def times_held(subsets: Mapping[int, Subset], p: int) -> np.ndarray:
    """In how many of the subsets each column is (p,)."""
    counts = np.zeros(p)
    for one in subsets.values():
        counts[one.columns] += 1
    return counts
