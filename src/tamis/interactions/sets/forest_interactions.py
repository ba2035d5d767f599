"""Sets of features that stand together on the decision paths of forest after forest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..._core.errors import counted_noun
from ..._core.streams import generator, stream
from .decision_paths import LeafPaths, Signed, leaf_paths, path_classes
from .intersection_search import SHARE_TOLERANCE, ClassSets, TreeSettings, sets_of_class
from .intersections import Intersections, prevalence_differences
from .weighted_forest import ForestSettings, SortedTable, fit_forest

SUBSAMPLE_SHARE = 0.5
Key = tuple[int, Signed]  # class and set


@dataclass(frozen=True, eq=False, repr=False)
class ForestInteractions(Intersections):
    """Sets of features that are split on together on the way to leaves of one class.

    Only sets of enough `stability` are here, each for the class whose paths hold it most often, and
    none that is part of a larger one on half of its paths or more. Order and fields are those of
    `Intersections`, read so:

    Attributes
    ----------
    signs : tuple of tuple of int
        1 where a feature is high (above the threshold of a split), -1 where it is low; empty
        tuples if signs were not requested.
    counts : ndarray of shape (S, C) of int
        Samples, over all trees of the final forest, in leaves of each class whose path holds
        the set.
    sizes : ndarray of shape (C,) of int
        Samples in the leaves of each class.
    trees : ndarray of shape (S,)
        Share of the intersection trees of its class that came to it, over all bootstrap samples.
    stability : ndarray of shape (S,)
        Share of the bootstrap samples in which it was found.
    """

    @property
    def prevalence(self) -> np.ndarray:
        """Share of the paths of each class, weighed by samples, that hold each set (S, C)."""
        return self.counts / np.maximum(self.sizes, 1)

    @property
    def difference(self) -> np.ndarray:
        """Prevalence in the set's class less the largest in another (S,)."""
        return prevalence_differences(self.counts, np.maximum(self.sizes, 1), self.origin)

    def features(self, s: int) -> tuple[str, ...]:
        """Names of a set, with "high" or "low" if it has signs."""
        names = tuple(self.names[j] for j in self.columns[s])
        if not self.signs[s]:
            return names
        return tuple(
            f"{name} {'high' if sign > 0 else 'low'}"
            for name, sign in zip(names, self.signs[s], strict=True)
        )


@dataclass
class Recovered:
    """How many bootstrap samples, and intersection trees, came to each set; of how many."""

    n: int = 0
    n_trees: int = 0
    samples: Counter[Key] = field(default_factory=Counter)
    trees: Counter[Key] = field(default_factory=Counter)
    cut: int = 0
    left: int = 0

    def add(self, found: Mapping[int, ClassSets], paths: LeafPaths, n_trees: int) -> None:
        """What the trees of each class came to on the paths of one sample."""
        self.n += 1
        self.n_trees += n_trees
        for c, one in found.items():
            keys = [(c, numbers) for numbers in paths.signed_sets(one)]
            self.samples.update(keys)
            self.trees.update(dict(zip(keys, one.trees.tolist(), strict=True)))
            self.cut += one.cut
            self.left += one.left


def recover_interactions(
    table: SortedTable,
    weights: np.ndarray,
    settings: ForestSettings,
    trees: TreeSettings,
    signed: bool,
    n_bootstraps: int,
) -> Recovered:
    """The sets that trees come to on forests of bootstrap samples, stratified by class."""
    members = [np.flatnonzero(table.codes == c) for c in range(table.n_classes)]
    recovered = Recovered()
    for b in range(n_bootstraps):
        rng = generator(settings.seed, "iterative forest", "bootstrap", b)
        rows = np.concatenate([m[rng.integers(len(m), size=len(m))] for m in members])
        fitted = fit_forest(table, rows, weights, settings, "bootstrap", b)
        paths = leaf_paths(fitted, signed, rng)
        found = sets_of_paths(paths, table.n_classes, trees, settings, rng, b)
        recovered.add(found, paths, trees.n_trees)
    return recovered


def sets_of_paths(
    paths: LeafPaths,
    n_classes: int,
    trees: TreeSettings,
    settings: ForestSettings,
    rng: np.random.Generator,
    b: int,
) -> dict[int, ClassSets]:
    """What trees come to on the leaves of each class, however rare it is there or elsewhere."""
    packed = path_classes(paths, n_classes, rng)
    none = np.zeros(n_classes, dtype=np.int64)
    return {
        c: sets_of_class(
            packed,
            c,
            -1,
            none,
            trees,
            stream(settings.seed, "iterative forest", "intersections", b, c),
            settings.n_jobs,
        )
        for c, rows in enumerate(packed.members)
        if len(rows)
    }


def without_parts(
    keys: Sequence[Key], counts: np.ndarray, most: float = SUBSAMPLE_SHARE
) -> np.ndarray:
    """Places of the sets that are no mere part: no larger one left is on half of their paths."""
    kept: list[int] = []
    holders: dict[tuple[int, int], list[int]] = {}
    for s in sorted(range(len(keys)), key=lambda s: (-len(keys[s][1]), keys[s])):
        c, one = keys[s]
        larger = holders.get((c, one[0]), [])
        if any(counts[k, c] >= most * counts[s, c] and set(one) < set(keys[k][1]) for k in larger):
            continue
        kept.append(s)
        for number in one:
            holders.setdefault((c, number), []).append(s)
    return np.array(kept, dtype=np.int64)


def stable_interactions(
    recovered: Recovered,
    paths: LeafPaths,
    least: float,
    classes: Sequence[Any],
    names: tuple[str, ...],
    settings: Mapping[str, Any],
) -> ForestInteractions:
    """The sets found in a share of at least `least` of the samples, as in the final forest."""
    n_classes = len(classes)
    often = least * recovered.n - SHARE_TOLERANCE
    keys = sorted(key for key, times in recovered.samples.items() if times >= often)
    counts, sizes = paths.counts([one for _, one in keys], n_classes), paths.sizes(n_classes)
    origin = np.array([c for c, _ in keys], dtype=np.int64)
    gap = prevalence_differences(counts, np.maximum(sizes, 1), origin).round(12)
    own = np.flatnonzero(gap > 0)
    kept = own[without_parts([keys[s] for s in own], counts[own])]
    order = sorted(kept.tolist(), key=lambda s: (-gap[s], -len(keys[s][1]), keys[s]))
    chosen = [keys[s] for s in order]
    signs = tuple(tuple(1 if number % 2 else -1 for number in one) for _, one in chosen)
    found = ForestInteractions(
        columns=tuple(tuple(number // 2 for number in one) for _, one in chosen),
        signs=signs if paths.signed else ((),) * len(chosen),
        origin=origin[order],
        counts=counts[order],
        sizes=sizes,
        trees=np.array([recovered.trees[key] / recovered.n_trees for key in chosen]),
        classes=tuple(classes),
        names=names,
        stability=np.array([recovered.samples[key] / recovered.n for key in chosen]),
        settings=settings,
        notes=tuple(_forest_notes(recovered, paths)),
    )
    if len(found):
        return found
    reason, nearest = _why_none(recovered, least, settings["min_size"])
    return replace(found, reason=reason, nearest=nearest)


def _forest_notes(recovered: Recovered, paths: LeafPaths) -> list[str]:
    """What a user has to know of the search."""
    notes = []
    if len(paths.rows) < paths.n_leaves:
        notes.append(
            f"prevalences are of {len(paths.rows):,} of {paths.n_leaves:,} leaves, drawn by "
            "samples: the paths of all would take too much memory"
        )
    if recovered.left:
        notes.append(
            f"{counted_noun(recovered.left, 'leaf')} of intersection trees with other sets were "
            "left out, as there were too many: lower n_trees or branch"
        )
    if recovered.cut:
        notes.append(
            f"{counted_noun(recovered.cut, 'tree')} had fewer branches, as paths share so much: "
            "lower branch or depth"
        )
    return notes


def _why_none(recovered: Recovered, least: float, min_size: int) -> tuple[str, Mapping[str, float]]:
    if not recovered.n:
        return "n_bootstraps=0: no interactions were looked for", {}
    if not recovered.samples:
        return f"no two paths share {counted_noun(min_size, 'feature')}: lower min_size", {}
    best = max(recovered.samples.values()) / recovered.n
    if best > least - SHARE_TOLERANCE:
        return (
            "no stable set is more frequent on the paths of its class than on those of others",
            {},
        )
    return (
        f"no set was found in stability={least:.3g} or more of the bootstrap samples: the most "
        f"stable in {best:.3g}",
        {"stability": best},
    )
