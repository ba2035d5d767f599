"""A ranking with classifiers on its cuts: rank once, cut many."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from ..._core.errors import PlanError
from ..._core.interfaces import Beliefs, Evidence, Predictor, Ranking
from ..._core.parameters import Parameters
from ..._core.registry import find_row
from ..._core.rows import RankerRow
from ..._core.streams import random_state
from ...classifiers.base.by_parts import beliefs_by_parts
from ...classifiers.base.constant_predictor import constant_predictor
from ...classifiers.base.natural_scale import fit_natural, natural_beliefs_by_size
from ...classifiers.base.wide import wide_beliefs
from ...classifiers.classifier_labels import build_classifier, takes_raw
from ...kernels.medians import impute_medians
from ..plan import OWN_SIZE, MethodPlan
from .candidates import Candidate, CandidateResult, Offered, Refitted, grid_points, ranker_key
from .cuts import Cut, Size, cuts_of, feature_sets, nested_cuts
from .design import Design, refuse_undense
from .eligible_features import eligible_features
from .fold import Fold

Point = tuple[str, Parameters, str]  # a classifier's label, its settings, and these as text


@dataclass(frozen=True)
class Ranked:
    """A ranker, or none, and the classifiers that a plan fits on its cuts."""

    plan: MethodPlan

    @cached_property
    def row(self) -> RankerRow:
        """The ranker's row."""
        return find_row(self.plan.select, RankerRow, self.plan.response)

    @cached_property
    def points(self) -> list[Point]:
        """Classifiers with their grid points, in the plan's order."""
        grids = self.plan.grid
        return [
            (name, p, json.dumps(p, sort_keys=True))
            for name in self.plan.classify
            for p in grid_points(grids.get(name, {}))
        ]

    @cached_property
    def _classifiers(self) -> dict[tuple[str, str], Any]:
        """Those built so far, by label and settings."""
        return {}

    @cached_property
    def _by_view(self) -> dict[bool, list[Point]]:
        """The same by what they see: the table as it is, or filled."""
        found: dict[bool, list[Point]] = {}
        for point in self.points:
            found.setdefault(takes_raw(point[0], self.plan.response), []).append(point)
        return found

    def check(self, design: Design) -> None:
        """Refuse, before anything runs, what so many columns cannot have."""
        ranker = self.row.build(self.plan.parameters)
        if self.row.takes.prepared and not (
            ranker is not None and ranker.by_parts and ranker.walks
        ):
            refuse_undense(self.plan.select, design)
        if ranker is not None:
            ranker.check_columns(design.X.shape[1])

    def shared(self, fold: Fold, plans: Sequence[MethodPlan]) -> list[Ranking] | None:
        """One ranking a part, from the training rows alone, for the sizes of all the plans."""
        ranker = self.row.build(self.plan.parameters)
        if ranker is None:
            return None
        streams = fold.streams("rank", ranker_key(self.plan))
        requested = [k for plan in plans for k in plan.sizes]
        own, together = OWN_SIZE in requested, self._ranks_parts(ranker, fold.design)
        codes = self._by_codes(fold.design)
        if together and not fold.prepared:
            sizes = self._path_sizes(fold.design, requested)
            return ranker.rank_parts(fold.parts, sizes, streams)
        found = []
        for k, (view, stream) in enumerate(zip(fold.views, streams, strict=True)):
            sizes = self._path_sizes(view.design, requested)
            if together:
                found += ranker.rank_parts(view.parts, sizes, [stream])
            else:
                filled = not self.row.takes.raw
                part = fold.code_part(k, own) if codes else fold.part(k, own, filled)
                found.append(ranker.rank(part, sizes, stream))
        return found

    def shared_by_folds(
        self, folds: Sequence[Fold], plans: Sequence[MethodPlan]
    ) -> list[list[Ranking]] | None:
        """What `shared` gives of folds of one table, but for scores that nothing needs."""
        ranker, design = self.row.build(self.plan.parameters), folds[0].design
        requested = [k for plan in plans for k in plan.sizes]
        if ranker is None or not self._ranks_parts(ranker, design) or OWN_SIZE in requested:
            return None
        streams = [fold.streams("rank", ranker_key(self.plan)) for fold in folds]
        runs = [fold.parts for fold in folds]
        return ranker.rank_runs(runs, self._path_sizes(design, requested), streams)

    def _ranks_parts(self, ranker: Any, design: Design) -> bool:
        """Whether it ranks the parts of a fold together."""
        return bool(ranker.by_parts and not self._by_codes(design) and not self.row.takes.raw)

    def _path_sizes(self, design: Design, requested: Sequence[Any]) -> list[int]:
        """Numbers requested of a ranker; the full order too where features may be spread, or are
        taken block by block."""
        numbers = [k for k in requested if isinstance(k, int)]
        by_block = any(isinstance(k, dict) for k in requested)
        all_columns = {len(self._owner(design))} if by_block or not design.plain else set()
        return sorted({min(k, len(design.features)) for k in numbers} | all_columns)

    def outcomes(self, fold: Fold, shared: list[Ranking] | None) -> Offered:
        """Smaller sizes first; what each classifier believes on each cut."""
        rankings = [None] * len(fold) if shared is None else shared
        sizes = self._sizes(fold.design, shared is not None)
        offered = self._offered(self._sets(fold.views[0].design, rankings[0], sizes))
        cuts = []
        for view, ranking in zip(fold.views, rankings, strict=True):
            nested = nested_cuts(view.design, ranking, sizes) if ranking else None
            cuts.append(nested or cuts_of(view.design, self._sets(view.design, ranking, sizes)))
        if True not in self._by_view:  # none takes the table as it is
            fold, cuts = _few_columns(fold, cuts)
        together = self._by_parts(fold, cuts)
        found: list[list[CandidateResult]] = []
        for k, own_cuts in enumerate(cuts):
            by_candidate: dict[tuple[Size, str, str], CandidateResult] = {}
            for cut in own_cuts:
                for raw, points in self._by_view.items():
                    seen: _Seen | None = None
                    for point in points:
                        label, _, text = point
                        if (label, text) in together:
                            beliefs = together[label, text][k]
                        elif not raw and (wide := self._of_all(fold, k, cut, point)):
                            beliefs = wide
                        else:
                            seen = seen or _Seen.of(fold, k, cut, raw)
                            beliefs = self._believed(fold, k, seen, point)
                        for size, own, one in zip(cut.sizes, cut.features, beliefs, strict=True):
                            by_candidate[size, label, text] = CandidateResult(own, one)
                    del seen  # columns may be many: one view of them at a time
            found.append([by_candidate[s, c.classify, c.settings] for s, c in offered])
        return [candidate for _, candidate in offered], found

    def _of_all(self, fold: Fold, k: int, cut: Cut, point: Point) -> list[Beliefs] | None:
        """Of the one size of a cut of very many columns, if the classifier has them uncopied."""
        view = fold.views[k]
        X = view.design.X
        if (
            len(cut.ends) > 1
            or not len(view.test)
            or not isinstance(X, np.ndarray)
            or not X.flags.c_contiguous
            or len(view.design.incomplete)
            or fold.design.Z.shape[1]
        ):
            return None
        y, (classifier, _) = fold.parts.labels(k), self._built(fold, k, point)
        found = wide_beliefs(classifier, X, cut.columns, view.train, view.test, y, fold.n_classes)
        return None if found is None else [found]

    def _by_parts(
        self, fold: Fold, cuts: list[list[Cut]]
    ) -> dict[tuple[str, str], list[list[Beliefs]]]:
        """Beliefs of every part, for each size of its cut, by label and settings of the classifiers
        that serve all parts at once; of numbers without holes alone, and sizes that are nested."""
        design, first = fold.design, cuts[0][0]
        if (
            fold.prepared
            or len(fold) == 1
            or not isinstance(design.X, np.ndarray)
            or not design.X.flags.c_contiguous
            or design.covariates.shape[1]
            or len(design.incomplete)
            or design.costs is not None
            or not first.ends[0]
            or any(len(own) > 1 or own[0].ends != first.ends for own in cuts)
            or not all(len(test) for test in fold.tests)
        ):
            return {}
        columns = np.stack([own[0].columns for own in cuts])
        codes = [fold.parts.labels(k) for k in range(len(fold))]
        found = {}
        for label, settings, text in self._by_view.get(False, ()):
            built = self._classifier(label, settings, text)
            beliefs = beliefs_by_parts(
                built,
                design.X,
                columns,
                fold.parts.rows,
                fold.tests,
                codes,
                fold.n_classes,
                first.ends,
            )
            if beliefs is not None:
                found[label, text] = beliefs
        return found

    def refit(self, fold: Fold, chosen: Candidate, features: np.ndarray) -> Refitted:
        """The classifier on the outer training set and the features chosen there."""
        settings = dict(chosen.parameters)
        raw = takes_raw(chosen.classify, self.plan.response)
        medians, levels = np.zeros(0), None
        if raw:
            X, _, levels = fold.as_it_is(0, features)
        else:
            X = fold.fitted_on(fold.views[0].design.columns_of(features))
            medians = impute_medians(X, np.arange(X.shape[1]))
        text = json.dumps(settings, sort_keys=True)
        predictor = self._fitted(fold, 0, X, levels, (chosen.classify, settings, text))
        return Refitted(features, True, medians, predictor, raw)

    def count(self) -> int:
        """Grid points times sizes."""
        return len(self.points) * max(len(self.plan.sizes), 1)

    def evidence(self, fold: Fold, shared: list[Ranking] | None) -> Sequence[Evidence]:
        """What the ranking of the outer part shows beside its order."""
        if shared is None:
            return ()
        design = fold.views[0].design
        return shared[0].evidence(self._owner(design), design.names)

    def _owner(self, design: Design) -> np.ndarray:
        """The feature behind each column that is ranked."""
        return design.features if self._by_codes(design) else design.owner

    def _by_codes(self, design: Design) -> bool:
        """Whether categories are ranked as codes in one column."""
        return (self.row.takes.codes or self.row.takes.raw) and design.raw is not None

    def _sizes(self, full: Design, ranks: bool) -> list[Size]:
        """Sizes of the plan, each once; of one that ranks nothing, all features or none. They are
        the same in every part: `full` is the design before any step drops columns."""
        most, sizes = len(full.features), list[Size]()
        if not ranks:
            return [most if self.plan.select == "all" else 0]
        for size in self.plan.sizes:
            k: Size = OWN_SIZE
            if isinstance(size, dict):
                possible = eligible_features(self.plan, full)
                counts = {b: np.isin(possible, full.features_of(b)).sum() for b in size}
                k = tuple((b, min(n, int(counts[b]))) for b, n in sorted(size.items()))
            elif size != OWN_SIZE:
                k = min(int(size), most)
            if k not in sizes:
                sizes.append(k)
        return sizes

    def _sets(
        self, design: Design, ranking: Ranking | None, sizes: Sequence[Size]
    ) -> dict[Size, np.ndarray]:
        """The features of each size; of a plan that ranks nothing, all or none of them."""
        if ranking is None:
            every = design.features
            return dict.fromkeys(sizes, every if self.plan.select == "all" else every[:0])
        if OWN_SIZE in sizes and ranking.chosen is None:
            raise PlanError(f"{self.plan.select!r} has no size of its own: give numbers for sizes")
        return feature_sets(design, ranking, sizes, self._owner(design))

    def _offered(self, sets: dict[Size, np.ndarray]) -> list[tuple[Size, Candidate]]:
        """Candidates of the outer part, smaller first; a size of its own of 0 is not offered."""
        steps = {size: step for step, size in enumerate(sets)}
        sizes = [s for s in sets if not (s == OWN_SIZE and len(sets[s]) == 0)] or list(sets)
        counts = {s: _requested_size(s, len(sets[s])) for s in sizes}
        sizes.sort(key=lambda s: (counts[s], not isinstance(s, int), s == OWN_SIZE))
        alone = not self.plan.sizes
        found = []
        for size in sizes:
            own, n = size == OWN_SIZE, counts[size]
            for index, (label, p, _) in enumerate(self.points):
                step = index if alone else steps[size]
                found.append((size, Candidate(label, p, n, step, own)))
        return found

    def _believed(self, fold: Fold, k: int, seen: _Seen, point: Point) -> list[Beliefs]:
        """Of a part's test rows, for each size of a cut."""
        train, test, ends = seen.train, seen.test, seen.ends
        if len(test) == 0:  # the final fit has nothing to predict
            nothing = constant_predictor(fold.parts.labels(k), fold.n_classes).beliefs(test)
            return [nothing] * len(ends)
        y, without = fold.parts.labels(k), sum(end == 0 for end in ends)
        found: list[Beliefs] = []
        if without:
            found = [constant_predictor(y, fold.n_classes).beliefs(test)] * without
        if without == len(ends):
            return found
        classifier, seed = self._built(fold, k, point)
        return found + natural_beliefs_by_size(
            classifier, train, y, fold.n_classes, test, ends[without:], seed, seen.levels
        )

    def _fitted(
        self, fold: Fold, k: int, X: np.ndarray, levels: Mapping[int, int] | None, point: Point
    ) -> Predictor:
        y = fold.parts.labels(k)
        if X.shape[1] == 0:
            return constant_predictor(y, fold.n_classes)
        built, seed = self._built(fold, k, point)
        return fit_natural(built, X, y, fold.n_classes, seed, levels)

    def _classifier(self, label: str, settings: Parameters, text: str) -> Any:
        """That of a point, if it learns from no costs."""
        if (built := self._classifiers.get((label, text))) is None:
            built = build_classifier(label, settings, response=self.plan.response)
            self._classifiers[label, text] = built
        return built

    def _built(self, fold: Fold, k: int, point: Point) -> tuple[Any, int]:
        """The classifier of a point, and its seed in a part."""
        (label, settings, text), costs = point, fold.design.costs
        if costs is not None:
            built = build_classifier(label, settings, costs.learnt_of(fold.parts.rows[k]))
        else:
            built = self._classifier(label, settings, text)
        if not built.draws:
            return built, 0
        key = ("classify", ranker_key(self.plan), label, text, *fold.key, k)
        return built, random_state(fold.seed, *key)


def _few_columns(fold: Fold, cuts: list[list[Cut]]) -> tuple[Fold, list[list[Cut]]]:
    """The fold with no other columns than those of the cuts, side by side: parts ask for much the
    same, which is found in the cache then."""
    design = fold.design
    if fold.prepared or len(fold) == 1 or not isinstance(design.X, np.ndarray):
        return fold, cuts
    needed = np.zeros(design.X.shape[1], dtype=bool)
    for cut in chain.from_iterable(cuts):
        needed[cut.columns] = True
    kept = np.flatnonzero(needed)
    if 2 * len(kept) > len(needed):
        return fold, cuts
    place = np.empty(len(needed), dtype=np.int64)
    place[kept] = np.arange(len(kept))
    few = design.narrowed(kept, design.values(np.arange(len(design.X)), kept))
    return replace(fold, design=few), [
        [replace(cut, columns=place[cut.columns]) for cut in own] for own in cuts
    ]


def _requested_size(size: Size, found: int) -> int:
    """How many features a size is of, of which so many were found."""
    if isinstance(size, tuple):
        return sum(k for _, k in size)
    return found if isinstance(size, str) else size


@dataclass(frozen=True)
class _Seen:
    """What classifiers see of a part: columns of a cut, of which each size takes the leading.

    Attributes
    ----------
    train, test : ndarray
        The part's rows, and those it predicts.
    ends : list of int
    levels : mapping or None
        Of a table as it is: its columns of codes, and how many levels they have.
    """

    train: np.ndarray
    test: np.ndarray
    ends: list[int]
    levels: Mapping[int, int] | None = None

    @classmethod
    def of(cls, fold: Fold, k: int, cut: Cut, raw: bool) -> _Seen:
        """The table as it is, or with categories spread and missing values filled."""
        if raw:
            q = fold.design.covariates.shape[1]
            longest = max(cut.features, key=len)
            train, test, levels = fold.as_it_is(k, longest)
            return cls(train, test, [q + len(features) for features in cut.features], levels)
        q = fold.seen_z(k).shape[1]
        train, test = fold.filled(k, cut.columns)
        return cls(train, test, [q + end for end in cut.ends])
