"""Random intersection trees: sets of features that rows of a class share and others do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ..._core.progress import Progress
from ..._core.settings import checked_count
from ...data.class_codes import class_codes
from .intersection_confidence import (
    N_THRESHOLD_RUNS,
    bootstrap_shares,
    chance_thresholds,
    class_streams,
    each_of,
    permutation_runs,
    permutation_values,
)
from .intersection_search import PackedClasses, Thresholds, TreeSettings
from .intersections import Intersections
from .maximal_sets import MaximalSets, find_sets
from .packed_rows import ItemTable, read_items
from .tree_settings import checked_branch, checked_thresholds

MOST_SETS = 100_000
LOOKED_AT = 10_000  # sets of a class, to say what would not have been empty


def random_intersection_trees(
    X: Any,
    y: Any,
    *,
    n_trees: int = 100,
    depth: int = 10,
    branch: float = 5,
    min_size: int = 2,
    theta: float | Sequence[float] | str = "auto",
    theta_out: float | Sequence[float] | None = None,
    signed: bool = False,
    n_permutations: int = 19,
    n_bootstraps: int = 20,
    max_sets: int = MOST_SETS,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Intersections:
    """Sets of features, of any order, that are 1 together in one class and not in the others.

    For each class trees are grown: the root is a random row of the class, its child and the
    children below intersect the set above with one more random row, and the leaves are what so
    many rows share. A set is given if a share of at least `theta` of its class holds it, of any
    other class at most `theta_out`, and no larger set does. A branch ends where another class
    holds its set more often than that: the sets below would be held more often still.
    All prevalences are exact. How likely a set is found grows with its prevalence and the number
    of trees; what is rarer than `theta` is left out from the start.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, p), or PackedRows
        Zeros and ones. A table of numbers has to be cut first: see `DiscRITClassifier`.
    y : array-like of shape (n,)
        Two or more classes.
    n_trees : int, default=100
        Of each class.
    depth : int, default=10
        Rows that a leaf has met beside that of the root.
    branch : float, default=5
        Children of a node; with a fraction, a random number with that mean. The root has one.
    min_size : int, default=2
        Features that a set has at least. A tree goes no further where it has come to so few.
    theta : float, sequence of float or "auto", default="auto"
        Least prevalence in a set's own class; a sequence has one for each class, in the order of
        the sorted labels. "auto": the .95 quantile of the prevalence of leaves in 20 searches
        with permuted labels, for each class.
    theta_out : float or sequence of float, optional
        Greatest prevalence in any other class. As `theta` if left out.
    signed : bool, default=False
        Whether a 0 is something that rows can share too ("low A and high B"). In a table of
        few ones rows share most zeros, and sets get long.
    n_permutations : int, default=19
        Searches with permuted labels, for `p_value` and `q_value`; 0: none.
    n_bootstraps : int, default=20
        Searches on bootstrap samples, for `stability`; 0: none.
    max_sets : int, default=100_000
        Sets of a class that are kept for comparison; a note says where there were more.
    random_state : int or None, default=0
        None draws anew each time; `settings` of the result says what.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    progress : bool, default=False
        Show how far it is, on stderr.

    Returns
    -------
    Intersections
        With ``frame()``, ``summary()``, ``plot()``. If it is empty, ``reason`` says why and
        ``nearest`` with which settings it would not be.

    Raises
    ------
    DataError
        X has other values than 0 and 1, or its rows are not those of y.
    PlanError
        A setting is out of range.

    References
    ----------
    Shah & Meinshausen (2014), Random intersection trees, Journal of Machine Learning Research
    15, 629-654.

    Examples
    --------
    Three of 1,000 features are 1 together in half of the cases, and each as often in controls.

    >>> from tamis.data import make_planted_interaction
    >>> from tamis.interactions import random_intersection_trees
    >>> data = make_planted_interaction(n_per_class=200, n_features=1000)
    >>> found = random_intersection_trees(data.X, data.y)
    >>> best = found.frame().iloc[0]
    >>> best["features"], best["class"], round(float(best["prevalence"]), 2)
    (('x997', 'x998', 'x999'), 'case', 0.49)
    """
    items = read_items(X, signed)
    if np.ndim(y) != 1:
        raise DataError(f"y has shape {np.shape(y)}: give one label a row")
    classes, codes = class_codes(y, "random_intersection_trees")
    if len(codes) != len(items.rows):
        raise DataError(f"X has {len(items.rows)} rows and y {len(codes)}: give one label a row")
    settings = TreeSettings(
        checked_count(n_trees, "n_trees", 1),
        checked_count(depth, "depth", 1),
        checked_branch(branch),
        checked_count(min_size, "min_size", 1),
        checked_count(max_sets, "max_sets", 1),
    )
    n_permutations = checked_count(n_permutations, "n_permutations", 0)
    n_bootstraps = checked_count(n_bootstraps, "n_bootstraps", 0)
    members = [np.flatnonzero(codes == c) for c in range(len(classes))]
    packed = PackedClasses(items.rows, members, items.n_items)
    seed = _drawn_seed(random_state)
    least = checked_thresholds(theta, len(classes), "theta")
    most = None
    if theta_out is not None:
        most = checked_thresholds(theta_out, len(classes), "theta_out")
    auto = least is None
    steps = N_THRESHOLD_RUNS * auto + 1 + n_permutations + n_bootstraps
    with Progress(steps, "random intersection trees", quiet=not progress) as bar:
        each = each_of(n_jobs, bar)
        if least is None:
            least = chance_thresholds(packed, settings, seed, each)
        thresholds = Thresholds(least, most or least)
        found = find_sets(packed, thresholds, settings, class_streams(seed, packed), n_jobs)
        bar.advance()
        more: dict[str, Any] = {}
        if n_permutations and found.sets:
            runs = permutation_runs(packed, thresholds, settings, seed, n_permutations, each)
            more["p_value"], more["q_value"] = permutation_values(found, runs)
            more["maxima"] = np.array([run.max() if len(run) else np.nan for run in runs])
        if n_bootstraps and found.sets:
            more["stability"] = bootstrap_shares(
                found, packed, thresholds, settings, seed, n_bootstraps, each
            )
    used = {
        "n_trees": settings.n_trees,
        "depth": settings.depth,
        "branch": settings.branch,
        "min_size": settings.min_size,
        "theta": list(thresholds.least),
        "theta_out": list(thresholds.most),
        "auto": auto,
        "signed": signed,
        "n_permutations": n_permutations,
        "n_bootstraps": n_bootstraps,
        "max_sets": settings.most_sets,
        "random_state": seed,
    }
    if not found.sets:
        more["reason"], more["nearest"] = why_empty(
            packed, items, thresholds, settings, seed, classes
        )
    columns, signs = items.by_feature(found.sets)
    return Intersections(
        columns=columns,
        signs=signs,
        origin=found.origin,
        counts=found.counts,
        sizes=packed.sizes,
        trees=found.trees / settings.n_trees,
        classes=tuple(classes.tolist()),
        names=items.names,
        settings=used,
        notes=tuple(_search_notes(packed, items, found, settings)),
        **more,
    )


def _search_notes(
    packed: PackedClasses, items: ItemTable, found: MaximalSets, settings: TreeSettings
) -> list[str]:
    """What a user has to know of the search."""
    notes = []
    idle = int(packed.everywhere.sum())
    if idle:
        notes.append(f"left out, as the same in every row: {counted_noun(idle, 'column')}")
    if found.left:
        notes.append(
            f"max_sets={settings.most_sets} was reached: {counted_noun(found.left, 'leaf')} of "
            "trees with other sets were left out. Raise theta, lower theta_out, or go deeper"
        )
    if found.cut > settings.n_trees * len(packed.sizes) / 10:  # a few hardly matter
        notes.append(
            f"{counted_noun(found.cut, 'tree')} had fewer branches, as rows share so much: lower "
            "branch or depth, or raise n_trees"
        )
    return notes


def why_empty(
    packed: PackedClasses,
    items: ItemTable,
    thresholds: Thresholds,
    settings: TreeSettings,
    seed: int,
    classes: np.ndarray,
) -> tuple[str, Mapping[str, float]]:
    """Why no set was found, and the nearest thresholds with which one would be.

    The same trees are grown again without thresholds. With those named they come to that set
    too, or to one that holds it: what a node draws follows from its place in the tree, and no
    branch above the set is cut off. (Where trees had to be made thinner they may be so elsewhere.)
    """
    sizes = packed.sizes
    wide = replace(settings, most_sets=LOOKED_AT)
    none = Thresholds((0.0,) * len(sizes), (1.0,) * len(sizes))
    best, said, nearest = np.inf, "", {}
    for c, random in enumerate(class_streams(seed, packed)):
        found = packed.grow(c, none, wide, random)
        if not len(found):
            continue
        shares = found.counts / sizes
        others = [k for k in range(len(sizes)) if k != c]
        most = np.array(thresholds.most)[others]
        short = np.maximum(thresholds.least[c] - shares[:, c], 0)
        beyond = np.maximum((shares[:, others] - most).max(axis=1), 0)
        s = int(np.argmin(short + beyond))
        if short[s] + beyond[s] < best:
            best = short[s] + beyond[s]
            own, other = float(shares[s, c]), float(shares[s, others].max())
            (nearest_set,), _ = items.by_feature(found.sets.take(np.array([s])))
            names = listed_names(items.names[j] for j in nearest_set)
            said = f"{names} of class {str(classes[c])!r}, in {own:.3g} of it and {other:.3g} of"
            nearest = {
                "theta": min(own, thresholds.least[c]),
                "theta_out": max(other, float(most.min())),
            }
    if not nearest:
        if not (packed.counts.any(axis=0) & ~packed.everywhere).any():
            return "every column is the same in all rows: there is nothing to share", {}
        size = counted_noun(settings.min_size, "feature")
        return f"no row that trees began with has {size}: lower min_size or raise n_trees", {}
    return (
        f"no set is in theta={_shown_shares(thresholds.least)} or more of its class and in "
        f"theta_out={_shown_shares(thresholds.most)} or less of the others. The nearest is {said} "
        f"another: theta={floor(nearest['theta'] * 1e4) / 1e4:g}, "
        f"theta_out={ceil(nearest['theta_out'] * 1e4) / 1e4:g} would give it",
        nearest,
    )


def _shown_shares(shares: Sequence[float]) -> str:
    """One number where all are the same."""
    few = [f"{share:.3g}" for share in shares]
    return few[0] if len(set(few)) == 1 else f"[{', '.join(few)}]"


def _drawn_seed(random_state: int | None) -> int:
    if random_state is None:
        return int(np.random.default_rng().integers(2**32))
    return checked_count(random_state, "random_state", 0)
