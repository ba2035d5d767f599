"""The rules of Monte Carlo feature selection: a further small forest on the best features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..interactions.rules.ripper import ripper_rules
from ..interactions.rules.rule_set import RuleSet
from ..interactions.rules.tree_rules import TreeRules
from ..kernels.units import magnified_columns
from ._halves import child_seed
from ._monte_carlo_parameters import coded_categories
from ._orders import order_of

DEFAULT_PROJECTIONS, DEFAULT_SPLITS = 100, 5
# projections, where all trees together see more values than that
MIN_PROJECTIONS, MAX_VALUES = 20, 1e7
MAX_CONDITIONS = 6  # conditions of a rule; more are not for reading
DEFAULT_N_FEATURES = 30  # if the graph has no second stage
MOST_LISTED = 100  # features of the rule list


def find_rules(
    X: np.ndarray,
    y: np.ndarray,
    scores: np.ndarray,
    kept: np.ndarray,
    sizes: Sequence[int],
    most: int,
    categorical: np.ndarray,
    text: Sequence[np.ndarray | None],
    names: Sequence[str],
    labels: np.ndarray,
    stream: np.random.SeedSequence,
) -> RuleSet | None:
    """Rules on the best features; None if fewer than two were ranked.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    y : ndarray of shape (n,)
        Class codes.
    scores : ndarray of shape (p,)
        -inf for a feature that was never offered.
    kept : ndarray of shape (p,) of bool
        Features that the cut-off keeps, for the rule list; if none, those of the forest.
    sizes : sequence of int
        Training samples of each class.
    most : int
        Features of the forest; fewer than 2 stand for 30.
    categorical : ndarray of shape (p,) of bool
    text : sequence of p ndarrays or None
        What codes of a column stand for; None where the numbers themselves are reported.
    names : sequence of str
    labels : ndarray of shape (C,)
    stream : numpy.random.SeedSequence
    """
    able = int((scores > -np.inf).sum())
    best = order_of(scores, min(most if most > 1 else DEFAULT_N_FEATURES, able))
    if len(best) < 2:
        return None
    classes = labels.tolist()
    codes, levels, categories = _coded_part(X, best, categorical, text)
    forest = grow_rules(codes, levels, y, np.asarray(sizes), child_seed(stream, 0))
    listed = best
    if kept.any():
        listed = order_of(np.where(kept, scores, -np.inf), min(int(kept.sum()), MOST_LISTED))
    codes, _, listed_categories = _coded_part(X, listed, categorical, text)
    rule_list = ripper_rules(
        codes, y, child_seed(stream, 1), [names[j] for j in listed], listed_categories, classes
    )
    return RuleSet(
        tuple(forest.rules([names[j] for j in best], categories, classes)),
        tuple(rule_list),
        tuple(zip(classes, np.bincount(y).tolist(), strict=True)),
        forest.n_trees,
    )


def _coded_part(
    X: np.ndarray,
    columns: np.ndarray,
    categorical: np.ndarray,
    text: Sequence[np.ndarray | None],
) -> tuple[np.ndarray, np.ndarray, dict[int, list[Any]]]:
    """These columns coded, how many levels each has, and the values that codes stand for."""
    part = np.ascontiguousarray(X[:, columns])
    codes, levels = coded_categories(part, categorical[columns])
    categories: dict[int, list[Any]] = {}
    for j in np.flatnonzero(levels):
        values = np.unique(part[~np.isnan(part[:, j]), j]).astype(int).tolist()
        words = text[columns[j]]
        if words is not None:
            values = [words[code] for code in values]
        categories[int(j)] = values + [None] * (int(levels[j]) - len(values))
    return codes, levels, categories


def grow_rules(
    X: np.ndarray,
    levels: np.ndarray,
    y: np.ndarray,
    sizes: np.ndarray,
    stream: np.random.SeedSequence,
) -> TreeRules:
    """Grow the forest: half of the columns a projection, at least 2; drawn as in the ranking."""
    from ..kernels import c45, mcfs

    p = X.shape[1]
    m = max(2, p // 2)
    larger, exponents = magnified_columns(X, levels)
    table = c45.prepare_table(larger, levels)
    options = c45.make_options(raising=False, max_depth=MAX_CONDITIONS)
    work = c45.make_workspace(table, len(sizes), m)
    rows, offer = mcfs.make_sample(y, sizes), mcfs.make_offer(p)
    seed = stream.generate_state(1, np.uint64)[0]
    found = TreeRules(X, y)
    projections = MAX_VALUES // (DEFAULT_SPLITS * m * int(sizes.sum()))
    for q in range(int(min(max(projections, MIN_PROJECTIONS), DEFAULT_PROJECTIONS))):
        for split in range(1, DEFAULT_SPLITS + 1):
            # a tree at a time, by the kernel of the ranking: another would be compiled for seconds
            loop = mcfs.Loop(seed, 0, m, split, 1.0, 1.0, False, 0, begin=split)
            n_nodes, test = mcfs.run_projections(table, rows, options, loop, offer, q, q + 1, work)[
                -2:
            ]
            limits, splits = work.tree.threshold[:n_nodes], work.tree.feature[:n_nodes]
            limits[:] = np.ldexp(limits, -exponents[splits])  # NaN at leaves, whose feature is -1
            found.add(work.tree, n_nodes, levels, test)
    return found
