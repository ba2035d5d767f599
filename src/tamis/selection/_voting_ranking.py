"""The result of a vote of several selectors: its order, and what each member has to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import TypedDict

from .._core.first_screen import FirstScreen
from .._core.interfaces import Evidence, Ranking
from ..metrics.estimates import plain_number
from ._orders import order_of

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture


KIND = "votes"  # of evidence
NUMBER_TITLE = "share of votes"  # of the number that each feature has


class MemberContent(TypedDict):
    """A member of a vote, and how its leading features are met again."""

    name: str
    weight: float
    stability: float | None
    shared: int
    alone: int
    agreement: float | None


class VoteContent(TypedDict):
    """A vote."""

    rule: str
    top: int
    n_subsamples: int | None
    n_chosen: int
    agreement: float | None
    members: list[MemberContent]


class VotedFeature(TypedDict):
    """A feature, its share of the votes and its rank by each member."""

    column: int
    name: str
    votes: float
    mean_rank: float
    ranks: list[float]


class VotingContent(VoteContent):
    """A `VotingRanking` as JSON."""

    features: list[VotedFeature]


@dataclass(frozen=True, repr=False)
class VotingRanking(Ranking, FirstScreen):
    """A ranking by the votes of several selectors.

    Attributes
    ----------
    rule : str
    top : int
        How many features of each member are its leading ones.
    members : tuple of str
    weights : ndarray of shape (m,)
        What each member counts; they sum to 1.
    stabilities : ndarray of shape (m,) or None
        Nogueira's stability of each member's leading features on subsamples, NaN where undefined;
        None where weights are equal.
    n_subsamples : int
    votes : ndarray of shape (p,)
        Share of the weight that has each feature among its leading ones.
    mean_ranks : ndarray of shape (p,)
        Weighted by the same.
    ranks : ndarray of shape (m, p)
        Of each member; 1 is best, ties have the mean of their places.
    leading : ndarray of shape (m, p)
        Which features are among the leading ones of each member.
    names : tuple of str
        Of all p features; empty if they have none.
    """

    rule: str = ""
    top: int = 0
    members: tuple[str, ...] = ()
    weights: np.ndarray = field(default_factory=lambda: np.zeros(0))
    stabilities: np.ndarray | None = None
    n_subsamples: int = 0
    votes: np.ndarray = field(default_factory=lambda: np.zeros(0))
    mean_ranks: np.ndarray = field(default_factory=lambda: np.zeros(0))
    ranks: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    leading: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    names: tuple[str, ...] = ()

    def frame(self) -> pd.DataFrame:
        """All features, best first, as a pandas DataFrame, with the rank that each member gives."""
        import pandas as pd

        order = order_of(self.scores)
        columns = {
            "column": order,
            "name": [self._name(j) for j in order],
            "votes": self.votes[order],
            "mean rank": self.mean_ranks[order],
        }
        columns |= {name: own[order] for name, own in zip(self.members, self.ranks, strict=True)}
        return pd.DataFrame(columns)

    def to_dict(self, most: int = 100) -> VotingContent:
        """Plain numbers: the rule, the members, the best `most` features."""
        return {
            **self._described(np.arange(len(self.scores))),
            "features": [
                {
                    "column": int(j),
                    "name": self._name(j),
                    "votes": float(self.votes[j]),
                    "mean_rank": float(self.mean_ranks[j]),
                    "ranks": self.ranks[:, j].tolist(),
                }
                for j in order_of(self.scores, most)
            ],
        }

    def summary(self) -> str:
        """One line."""
        voters = ", ".join(
            f"{name} ({weight:.0%})"
            for name, weight in zip(self.members, self.weights, strict=True)
        )
        line = f"{self.rule} of {voters}, by the best {self.top} of each"
        alike = self._described(np.arange(len(self.scores)))["agreement"]
        if alike is not None:
            line += f"; two members share {alike:.0%} of these on average"
        return line if self.chosen is None else f"{line}; {self.chosen} chosen"

    def plot(self) -> Picture:
        """Ranks of the best 20 features by member (`tamis.plotting.member_ranks`)."""
        from ..plotting.member_ranks import member_ranks
        from ..plotting.picture import Picture

        features = self.to_dict(20)["features"]
        return Picture("ranks", (member_ranks(features, self.members, self.top),))

    def evidence(self, owner: np.ndarray, names: Sequence[str]) -> Sequence[Evidence]:
        """The members, and each feature's share of the votes; of several columns the largest."""
        voted = np.flatnonzero(self.votes)
        numbers: dict[int, float] = {}
        for feature, share in zip(owner[voted].tolist(), self.votes[voted].tolist(), strict=True):
            numbers[feature] = max(share, numbers.get(feature, 0.0))
        return (Evidence(KIND, self._described(owner), (), NUMBER_TITLE, numbers),)

    def _described(self, owner: np.ndarray) -> VoteContent:
        """The rule, and of each member its weight and how its leading features are met again.

        `owner` (p,) is the feature behind each column; a feature counts once.
        """
        sets = [np.unique(owner[own]) for own in self.leading]
        n = self.top if self.chosen is None else self.chosen
        order = order_of(self.scores, n)
        chosen = np.unique(owner[order[~np.isneginf(self.scores[order])]])
        count = np.array([np.isin(chosen, own) for own in sets])
        alike = np.full((len(sets), len(sets)), np.nan)
        for a, b in combinations(range(len(sets)), 2):
            alike[a, b] = alike[b, a] = _selection_overlap(sets[a], sets[b])
        stable: list[float | None] = [None] * len(sets)
        if self.stabilities is not None:
            stable = [plain_number(value) for value in self.stabilities]
        return {
            "rule": self.rule,
            "top": self.top,
            "n_subsamples": None if self.stabilities is None else self.n_subsamples,
            "n_chosen": len(chosen),
            "agreement": _mean_of_known(alike),
            "members": [
                {
                    "name": name,
                    "weight": float(self.weights[k]),
                    "stability": stable[k],
                    "shared": int(count[k].sum()),
                    "alone": int((count[k] & (count.sum(axis=0) == 1)).sum()),
                    "agreement": _mean_of_known(alike[k]),
                }
                for k, name in enumerate(self.members)
            ],
        }

    def _name(self, column: int) -> str:
        return self.names[column] if self.names else f"column {column}"


def _selection_overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Features in both, as a share of the larger set; NaN of two empty ones."""
    larger = max(len(a), len(b))
    return len(np.intersect1d(a, b)) / larger if larger else np.nan


def _mean_of_known(values: np.ndarray) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
