"""A vote of several selectors: each ranks a training set once, and a rule combines them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest_hint, value_text
from .._core.interfaces import Part, Ranking, Seeds
from .._core.settings import checked_count
from ..metrics.stability import nogueira_stability
from ._base import RankerSelector
from ._halves import child_seed, complementary_halves
from ._orders import cut_order, order_of
from ._parts import TrainingParts
from ._rank_aggregation import AGGREGATION_RULES, aggregate_rankings, leading_features, mid_ranks
from ._stability import half_selections
from ._voting_members import Member, build_members, listed_scores, name_key
from ._voting_ranking import VotingRanking

WEIGHTS_CHOICES = ("equal", "stability")


class VotingSelector(RankerSelector):
    """Combine the rankings of several selectors into one.

    Each member ranks the training rows once; `rule` makes one ranking of these. With the first
    three rules all features are ranked:

    - ``"mean_rank"``: by the weighted mean of the members' ranks, where equal features share the
      mean of their places.
    - ``"borda"``: by points. A member gives `top` to its first feature, one less to each next, and
      none from place `top` + 1 on.
    - ``"kemeny"``: the order of Borda, changed by swaps of neighbours for as long as more weight
      prefers the lower one, among the features that any member has among its best `top`. This is
      local Kemenization (Dwork et al. 2001); the exact order of Kemeny is NP-hard to find.

    The others keep a set, and rank by the share of the weight that has a feature among its best
    `top`, then by mean rank:

    - ``"majority"``: features that more than half of the weight has among its best `top`.
    - ``"union"``: those that any member has there.
    - ``"intersection"``: those that every member has there.

    Parameters
    ----------
    selectors : sequence, default=("moderated_t", "mtd", "svm_rfe")
        Two members or more: names of rankers as plans have them, tables such as
        ``{"name": "svm_rfe", "step": 0.2}``, or selector objects of this package.
    rule : {"mean_rank", "borda", "kemeny", "majority", "union", "intersection"}, \
default="kemeny"
    top : int, default=50
        How many features of a member are its leading ones; all if there are fewer.
    weights : {"equal", "stability"}, default="equal"
        "stability": Nogueira's stability of a member's leading features on subsamples of the
        training rows, 0 where it is below; equal if that leaves all at 0.
    n_subsamples : int, default=10
        Halves of the samples, in complementary pairs, for those weights.
    size : int or None, default=10
        Features to keep; None keeps the set of a rule that has one, and all features otherwise.
    random_state : int, default=None
        For members that draw at random, and for the subsamples.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Higher is better. With ``"mean_rank"`` the number of features less the mean rank; with the
        other rules the place from the end, equal features alike. -inf for features that no member
        ranks.
    ranking_ : ndarray of shape (n_features,)
        1 is best; ties go to the lower column.
    support_ : ndarray of shape (n_features,)
    votes_ : ndarray of shape (n_features,)
        Share of the weight that has each feature among its leading ones.
    mean_ranks_ : ndarray of shape (n_features,)
    weights_ : ndarray of shape (n_members,)
        They sum to 1.
    result_ : VotingRanking
        All of this, with ``frame()``, ``plot()``, ``to_dict()`` and ``summary()``.

    Raises
    ------
    PlanError
        A parameter out of range, or what cannot be a member.
    DataError
        With ``weights="stability"``, a class with fewer than two samples.

    See Also
    --------
    StabilitySelector : one selector on many subsamples.

    References
    ----------
    Dwork, Kumar, Naor & Sivakumar (2001), Rank aggregation methods for the Web, WWW 10, 613-622;
    Saeys, Abeel & Van de Peer (2008), Robust feature selection using ensemble feature selection
    techniques, ECML PKDD, 313-325; Nogueira, Sechidis & Brown (2018), J. Mach. Learn. Res. 18(174).

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import HuberizedSVMSelector, VotingSelector
    >>> golub = load_golub()
    >>> vote = VotingSelector(size=5).fit(golub.X, golub.y)
    >>> vote.get_support(indices=True)
    array([ 377,  807,  828, 2123, 2488])
    >>> members = ["wilcoxon", {"name": "svm_rfe", "step": 0.5}, HuberizedSVMSelector()]
    >>> vote = VotingSelector(members, "majority", top=20, size=None).fit(golub.X, golub.y)
    >>> int(vote.get_support().sum())
    16
    """

    by_parts = True

    def __init__(
        self,
        selectors: Any = ("moderated_t", "mtd", "svm_rfe"),
        rule: str = "kemeny",
        top: int = 50,
        weights: str = "equal",
        n_subsamples: int = 10,
        size: int | None = 10,
        random_state: int | None = None,
    ):
        self.selectors = selectors
        self.rule = rule
        self.top = top
        self.weights = weights
        self.n_subsamples = n_subsamples
        self.size = size
        self.random_state = random_state

    @property
    def walks(self) -> bool:
        """Whether every member can have a table that is no matrix, and none is subsampled."""
        if self.weights == "stability":
            return False
        members = build_members(self.selectors)
        return all(one.ranker.by_parts and one.ranker.walks for one in members)

    def check_columns(self, p: int) -> None:
        """Refuse what a member cannot have."""
        for one in build_members(self.selectors):
            one.ranker.check_columns(p)

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> VotingRanking:
        """Rank one training set by the votes of the members."""
        members, p = self._checked(), part.X.shape[1]
        top = min(self.top, p)
        seen = replace(part, outer=False, own=False)  # nothing but the order of members is used
        scores = [
            listed_scores(one.ranker.rank(seen, [top, p], _member_seed(stream, one)), p, top)
            for one in members
        ]
        stabilities = self._stabilities(members, part.X, part.y, stream)
        return self._voted(members, np.array(scores), stabilities, sizes)

    def rank_parts(
        self, parts: TrainingParts, sizes: Sequence[int], streams: Sequence[Seeds]
    ) -> list[Ranking]:
        """Rank every training set; members share what the parts share."""
        members, p = self._checked(), parts.X.shape[1]
        top = min(self.top, p)
        scores = np.empty((len(parts), len(members), p))
        for at, one in enumerate(members):
            seeds = [_member_seed(stream, one) for stream in streams]
            if one.ranker.by_parts:
                rankings = one.ranker.rank_parts(parts, [top, p], seeds)
            else:
                each = range(len(parts))
                rankings = [one.ranker.rank(parts.part(k), [top, p], seeds[k]) for k in each]
            for k, ranking in enumerate(rankings):
                scores[k, at] = listed_scores(ranking, p, top)
        found: list[Ranking] = []
        for k, stream in enumerate(streams):
            stabilities = None
            if self.weights == "stability":
                stabilities = self._stabilities(members, parts.matrix(k), parts.labels(k), stream)
            found.append(self._voted(members, scores[k], stabilities, sizes))
        return found

    def _checked(self) -> list[Member]:
        """The members, once all parameters are known to be sound."""
        for name, allowed in (("rule", AGGREGATION_RULES), ("weights", WEIGHTS_CHOICES)):
            value = getattr(self, name)
            if value not in allowed:
                raise PlanError(f"{name} = {value_text(value)}: {nearest_hint(value, allowed)}")
        checked_count(self.top, "top", 1)
        checked_count(self.n_subsamples, "n_subsamples", 2)
        return build_members(self.selectors)

    def _stabilities(
        self, members: Sequence[Member], X: np.ndarray, y: np.ndarray, stream: Seeds
    ) -> np.ndarray | None:
        """How stable each member's leading features are on halves of these rows (m,)."""
        if self.weights == "equal":
            return None
        drawn = child_seed(stream, *name_key("subsamples"))
        pairs = range((self.n_subsamples + 1) // 2)
        halves = [rows for k in pairs for rows in complementary_halves(y, child_seed(drawn, k))]
        halves = halves[: self.n_subsamples]
        p = X.shape[1]
        top = min(self.top, max(1, p // 2))  # sets of nearly all columns say nothing
        found = [
            nogueira_stability(half_selections(one.ranker, X, y, halves, top, key), p).value
            for one in members
            for key in [child_seed(drawn, *name_key(one.name))]
        ]
        return np.array(found)

    def _voted(
        self,
        members: Sequence[Member],
        scores: np.ndarray,
        stabilities: np.ndarray | None,
        sizes: Sequence[int],
    ) -> VotingRanking:
        """One ranking of all; its path ends with the features that any member ranks."""
        weights = member_weights(stabilities, len(members))
        top = min(self.top, scores.shape[1])
        found = aggregate_rankings(self.rule, scores, weights, top)
        listed = int((~np.isneginf(found.scores)).sum())
        requested = [*sizes, *([] if found.chosen is None else [found.chosen])]
        order = order_of(found.scores, min(max(requested, default=0), listed))
        return VotingRanking(
            found.scores,
            cut_order(order, requested),
            found.chosen,
            rule=self.rule,
            top=top,
            members=tuple(one.name for one in members),
            weights=weights / weights.sum(),
            stabilities=stabilities,
            n_subsamples=self.n_subsamples,
            votes=found.votes,
            mean_ranks=found.mean_ranks,
            ranks=mid_ranks(scores),
            leading=leading_features(scores, top),
        )

    def _keep(self, ranking: Ranking) -> None:
        assert isinstance(ranking, VotingRanking)
        names = tuple(getattr(self, "feature_names_in_", ()))
        self.result_ = replace(ranking, names=names)
        self.votes_ = ranking.votes
        self.mean_ranks_ = ranking.mean_ranks
        self.weights_ = ranking.weights


def member_weights(stabilities: np.ndarray | None, m: int) -> np.ndarray:
    """What each of m members counts: 1, or its stability; 1 where none is stable."""
    if stabilities is None:
        return np.ones(m)
    weights = np.maximum(np.nan_to_num(stabilities), 0.0)
    return weights if weights.any() else np.ones(m)


def _member_seed(stream: Seeds, member: Member) -> Seeds:
    return child_seed(stream, *name_key(member.name))
