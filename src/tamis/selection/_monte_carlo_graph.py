"""The ID-graph of Monte Carlo feature selection, from a second stage on the top features."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from .._core.progress import Progress
from ..interactions.graphs.graph import InteractionGraph
from ._monte_carlo_runs import SECOND_STAGE, Forest, Pairs, Run, loop_of, run_all
from ._orders import order_of

SHARE_OF_TOP, LEAST_TOP = 5, 6  # of a projection: one in five from the top, at least 6
DRAWN_AT_ONCE = 1 << 21


def stage_size(n: int, most: int, meetings: int) -> tuple[int, int]:
    """How many of n best features a projection of the second stage draws, and projections."""
    if n < 2:
        return n, 0
    drawn = min(n, max(LEAST_TOP, round(most / SHARE_OF_TOP)))
    return drawn, math.ceil(meetings * n * (n - 1) / (drawn * (drawn - 1)))


def second_stage(
    forest: Forest,
    y: np.ndarray,
    scores: np.ndarray,
    most: int,
    meetings: int,
    max_ancestors: int,
    weights: np.ndarray | None,
) -> tuple[Forest, Run | None]:
    """The run that oversamples the `most` best features, and its forest; None: no two can meet.

    A projection draws a fifth of the best (at least 6), so that every pair of them meets
    `meetings` times on average, and four times as many of the others. How large it is does not
    depend on the ranking's m, and so neither do the weights.
    """
    from ..kernels.mcfs import make_offer

    p = forest.p
    able = scores > -np.inf
    top = np.sort(order_of(scores, min(most, int(able.sum()))))
    if len(top) < 2:
        return forest, None
    others = p - len(top) if weights is None else int((np.delete(weights, top) > 0).sum())
    n_top, s = stage_size(len(top), most, meetings)
    m = n_top + min((SHARE_OF_TOP - 1) * n_top, others)
    among = np.zeros(p, dtype=bool)
    among[top] = True
    run = Run(SECOND_STAGE, y, s, make_offer(p, top, n_top, weights), among, max_ancestors)
    return replace(forest, m=m), run


def pair_edges(forest: Forest, run: Run, projections: int, pairs: Pairs) -> tuple[np.ndarray, ...]:
    """Source, target, normalised weight, standard error, count and meetings of every pair."""
    from ..kernels.mcfs import count_meetings

    source, target = pairs.keys // forest.p, pairs.keys % forest.p
    met = np.zeros(len(source), dtype=np.int64)
    loop, step = loop_of(forest, run), max(1, DRAWN_AT_ONCE // forest.m)
    for first in range(0, projections, step):
        last = min(first + step, projections)
        count_meetings(forest.p, loop, run.offer, first, last, source, target, met)
    mean = pairs.weights / met
    # of the mean over the projections in which they met, most of which may have added nothing
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(pairs.squares / met - mean**2, 0.0) / (met - 1)
    se = np.where(met > 1, np.sqrt(variance), np.nan)
    return source, target, mean / forest.t, se / forest.t, pairs.counts, met


def build_graph(
    forest: Forest, run: Run | None, totals: Any, columns: int, progress: Progress, **facts: Any
) -> InteractionGraph:
    """The graph of a second stage, or else of the pairs that the first recorded.

    Parameters
    ----------
    forest : Forest
    run : Run or None
        The second stage, yet to be run.
    totals : Totals
        Of the first.
    columns : int
        Features; columns past them are contrasts and left out.
    progress : Progress
    **facts
        ``names``, ``p_values``, ``fdr`` and ``selected`` of all features, and what else the
        graph needs.
    """
    found = totals
    if run is not None:
        (found,) = run_all(forest, [run], progress)
    source, target, *numbers = pair_edges(forest, found.run, found.projections, found.pairs)
    among = np.ones(forest.p, dtype=bool) if found.run.among is None else found.run.among
    nodes = np.flatnonzero(among[:columns] & (totals.offered[:columns] > 0))
    place = np.full(forest.p, -1)
    place[nodes] = np.arange(len(nodes))
    kept = (place[source] >= 0) & (place[target] >= 0)
    rows = np.column_stack([place[source], place[target], *numbers])[kept]
    for name in ("p_values", "fdr", "selected"):
        if facts[name] is not None:
            facts[name] = facts[name][nodes]
    names = facts.pop("names")
    return InteractionGraph.of(
        [names[j] for j in nodes],
        totals.scores()[nodes],
        rows,
        offered=totals.offered[nodes],
        **facts,
    )
