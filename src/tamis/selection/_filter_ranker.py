"""Any univariate filter as a ranker; no scikit-learn, which a study of filters does not load."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Part, Ranker, Ranking, Seeds
from ._cutoffs import Cutoffs, combined_score, one_a_feature, permuted_scores
from ._filters import FilterRow, find_filter
from ._moments import class_moments
from ._orders import cut_order, nested_ranking, order_of
from ._parts import TrainingParts
from ._scored_input import discrete_mask
from ._table_parts import TableParts


@dataclass(eq=False, repr=False)
class FilterRanker(Ranker):
    """Ranks by a univariate score, under cut-offs; parameters are those of `FilterSelector`."""

    score_func: str | Callable = "moderated_t"
    size: int | None = 10
    random_state: int | None = None
    threshold: float | None = None
    max_p: float | None = None
    max_fdr: float | None = None
    discrete_features: Any = False
    n_permutations: int = 1000

    by_parts = True

    @property
    def walks(self) -> bool:
        """Whether the filter can have a table that is no matrix."""
        return not callable(self.score_func) and find_filter(self.score_func).walks

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """Rank the columns of one training set; a cut-off ends the path early."""
        cutoffs = self._cutoffs()
        scores, p_values = self._scored(part, stream, cutoffs.by_p is not None)
        return self._cut(scores, p_values, sizes, cutoffs)

    def rank_parts(
        self,
        parts: TrainingParts,
        sizes: Sequence[int],
        streams: Sequence[np.random.SeedSequence],
    ) -> list[Ranking]:
        """Rank every training set; what the parts share is computed once."""
        cutoffs = self._cutoffs()
        used = self._filter(discrete_mask(self.discrete_features, parts.X.shape[1]))
        found = None
        if isinstance(used, FilterRow):
            found = _scored_together(used, parts, streams, cutoffs.by_p is not None)
        if found is None:
            return [self.rank(parts.part(k), sizes, streams[k]) for k in range(len(parts))]
        return [self._cut(scores, p_values, sizes, cutoffs) for scores, p_values in found]

    def rank_runs(
        self,
        runs: Sequence[TrainingParts],
        sizes: Sequence[int],
        streams: Sequence[Sequence[Seeds]],
    ) -> list[list[Ranking]]:
        """Rank the training sets of many runs; without cut-offs some filters look for the leading
        columns alone."""
        found, p = None, runs[0].X.shape[1]
        used = self._filter(discrete_mask(self.discrete_features, p))
        if isinstance(used, FilterRow) and used.shortcuts.leading and not self._cutoffs().given:
            found = used.shortcuts.leading(runs, max(sizes, default=0))
        if found is None:
            return super().rank_runs(runs, sizes, streams)
        return [
            [Ranking(np.zeros(0), cut_order(order, sizes)) for order in orders if order is not None]
            if all(order is not None for order in orders)
            else self.rank_parts(parts, sizes, own)
            for parts, orders, own in zip(runs, found, streams, strict=True)
        ]

    def _ranking_to_keep(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """As `rank`, with p-values wherever there are any."""
        return self._cut(*self._scored(part, stream, True), sizes, self._cutoffs())

    def _cutoffs(self) -> Cutoffs:
        return Cutoffs(self.threshold, self.max_p, self.max_fdr)

    def _cut(
        self,
        scores: np.ndarray,
        p_values: np.ndarray | None,
        sizes: Sequence[int],
        cutoffs: Cutoffs,
    ) -> Ranking:
        """The path through the features that pass, which ends where they do."""
        if cutoffs.by_p is not None and p_values is None:
            raise PlanError(
                f"{cutoffs.by_p}: score_func={self.score_func!r} has no p-values: cut by size "
                "or threshold, or use permutation_p_values"
            )
        ranking = nested_ranking(scores, [] if cutoffs.given else sizes)
        if not cutoffs.given:
            return Ranking(ranking.scores, ranking.path, None, p_values)
        order = order_of(ranking.scores)
        order = order[cutoffs.passed(scores, p_values)[order]]
        return Ranking(ranking.scores, cut_order(order, [*sizes, len(order)]), len(order), p_values)

    def _filter(self, mask: np.ndarray) -> FilterRow | Callable | None:
        """What scores columns of which some are discrete: that for categories where all are, and
        None where numbers and categories need one scale; or the user's own function."""
        if callable(self.score_func):
            return self.score_func
        given = find_filter(self.score_func)
        if not mask.any():
            return given
        if not given.takes.discrete:
            raise PlanError(
                f"discrete_features does not apply to score_func={given.name!r}: only to "
                "'mtd' and 'mutual_information'"
            )
        return find_filter(given.takes.discrete) if mask.all() else None

    def _discrete(self, part: Part) -> np.ndarray:
        """Which columns are discrete: those given, and category codes if the filter can mix."""
        mask = discrete_mask(self.discrete_features, part.X.shape[1])
        if not callable(self.score_func) and find_filter(self.score_func).takes.discrete:
            mask[list(part.levels)] = True
        return mask

    def _scored(
        self, part: Part, stream: Seeds, with_p: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Scores, higher is better, and p-values if wanted and known."""
        X, y, mask = part.X, part.y, self._discrete(part)
        used = self._filter(mask)
        if used is None:
            found = permuted_scores(self.score_func, X, y, mask, self.n_permutations, stream)
            return combined_score(found), found.p_values
        if not isinstance(used, FilterRow):
            return _user_scores(used, X, y)
        moments = used.shortcuts.moments
        if moments is not None and not (used.promises.tests and with_p):
            return used.upwards(moments(class_moments(X, y))), None
        return used.scored(X, y, int(stream.generate_state(1)[0]))


def _scored_together(
    used: FilterRow, parts: TrainingParts, streams: Sequence[np.random.SeedSequence], by_p: bool
) -> list[tuple[np.ndarray, np.ndarray | None]] | None:
    """Scores of every part, and p-values where they are wanted or at hand, from what the parts
    share; None where they share nothing that the filter could use."""
    table = parts if isinstance(parts, TableParts) else None
    if table is not None and table.counts:
        if used.takes.discrete:  # such a table has few values, each a category
            used = find_filter(used.takes.discrete)
        if used.shortcuts.counts:
            return table.scored(used, streams)
    fast = used.shortcuts
    if fast.moments and (fast.p_values or not by_p):
        p_of = fast.p_values if by_p else None
        return [(used.upwards(fast.moments(m)), p_of(m) if p_of else None) for m in parts.moments]
    if fast.parts and not by_p:
        by_part = np.concatenate(parts.by_block(fast.parts), axis=1)
        return [(used.upwards(statistics), None) for statistics in by_part]
    return None if table is None else table.scored(used, streams)


def _user_scores(function: Callable, X: np.ndarray, y: np.ndarray):
    """Absolute statistics, and p-values or None, of a user's function of (X, y)."""
    result = function(X, y)
    pair = result if isinstance(result, tuple) else (result,)
    arrays = [one_a_feature(a, function, X.shape[1]) for a in pair[:2]]
    return np.abs(arrays[0]), arrays[1] if len(arrays) > 1 else None
