"""Methods that see tables: rankers, paths, classifiers and steps, as a study runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._core.errors import MethodError, PlanError, plural
from .._core.interfaces import Beliefs, Predictor
from .._core.rows import Row
from ..classifiers.base.natural_scale import fit_natural
from ..classifiers.classifier_labels import build_classifier, takes_raw
from ..data.dataset import Dataset
from ..kernels.medians import impute
from ..kernels.wasserstein import sort_columns
from ..model.file import revived_predictor
from ..preparation.chain import Chain, revived_chain
from ..selection._parts import TrainingParts
from ..study.plan import MethodPlan
from ..study.prepare import prepare_study
from ..study.protocol.cells import Task, fold_of
from ..study.protocol.fold import Fold
from ..study.protocol.methods import method_of
from ..study.protocol.outcomes import Candidate, Outcome, Refitted
from ..study.protocol.prepared import prepared_fold
from ..study.results.final import made_by
from . import roles
from .procedure import Arrays, Fitted, Run, Say, Settings, global_state
from .tables import in_batches, table
from .verdict import Inapplicable, error_words

PLAN = {
    "costs": "class_sizes", "metric": "bcr", "decide": "arg_max",  # for those that charge costs
    "outer": {"folds": 3}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0, "final": False,
}  # fmt: skip


@dataclass
class OnTables:
    """See `Procedure`."""

    row: Row
    settings: Settings
    kinds: list[str] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)  # tables on which it raises, and what
    _kept: dict[str, Run] = field(default_factory=dict)

    def start(self) -> dict[str, str]:
        """See `Procedure`."""
        found: dict[str, str] = {}
        every = ("plain", "holes", "mixed")
        for kind in every:
            found |= self._started(kind)
        if "mixed" in self.stopped:
            found |= self._started("levels")
        self.kinds = [kind for kind in ("plain", "mixed") if kind in self._kept]
        return found

    def _started(self, kind: str) -> dict[str, str]:
        """The first run on a table; what the engine refuses, by its code."""
        try:
            self.kept_run(kind)
        except (MemoryError, KeyboardInterrupt):
            raise
        except Exception as error:  # whatever the method raises
            words = error_words(error)
            if code := getattr(error, "check", ""):
                return {code: words}
            if kind == "plain":
                raise PlanError(f"{self.row.name!r} does not run on a made-up table of numbers "
                                f"({words}): check that first") from error  # fmt: skip
            self.stopped[kind] = words
        return {}

    @cached_property
    def plans(self) -> list[MethodPlan]:
        """Methods in which it takes part."""
        return self.plans_at(None)

    def plans_at(self, sizes: Sequence[int | str] | None) -> list[MethodPlan]:
        """The same at sizes, by names that tell them apart."""
        given = roles.plans_of(self.row, self.settings, sizes)
        names = [self.row.name, f"{self.row.name} at sizes"]
        return [
            MethodPlan.model_validate({"name": name, **one})
            for name, one in zip(names, given, strict=False)
        ]

    def fold_of_table(self, data: Dataset, fold: int = 1) -> Fold:
        """An outer fold of a table, before any step."""
        if roles.by_batch(self.row):
            data = in_batches(data)
        plan, design, _ = prepare_study(data, {**PLAN, "method": self.plans})
        return fold_of(design, plan, Task(0, 0, fold, ()))

    def fold(self, kind: str) -> Fold:
        """The second outer fold of a made-up table."""
        return self.fold_of_table(table(kind))

    def run(self, kind: str, seed: int = 0) -> Run:
        """See `Procedure`."""
        return self.run_on(self.fold(kind), seed)

    def kept_run(self, kind: str) -> Run:
        """See `Procedure`."""
        if kind not in self._kept:
            self._kept[kind] = self.run(kind)
        return self._kept[kind]

    def run_changed(self, kind: str, part: int, values: bool = True) -> Run:
        """See `Procedure`."""
        if part and roles.is_path(self.row):
            raise Inapplicable("inner parts follow the settings of the outer one")
        one = self.fold(kind)
        return self.run_on(changed_rows(one, one.tests[part], values))

    def run_for_one(self, kind: str) -> Run:
        """See `Procedure`."""
        one = self.fold(kind)
        return self.run_on(replace(one, tests=[one.tests[0][:1], *one.tests[1:]]))

    def run_on(self, fold: Fold, seed: int = 0, plans: Sequence[MethodPlan] | None = None) -> Run:
        """Of all its methods, on a fold."""
        learnt: dict[str, np.ndarray] = {}
        inner: dict[str, np.ndarray] = {}
        fitted: list[Fitted] = []
        with global_state(seed) as moved:
            for plan in self.plans if plans is None else plans:
                one = _Ran(plan, fold)
                learnt |= one.learnt()
                inner |= one.inner()
                fitted += one.fitted()
            return Run(learnt, inner, fitted, moved())

    def features(self, fold: Fold, plan: MethodPlan, beside: Sequence[MethodPlan] = ()) -> Any:
        """(candidates, outcomes [part][candidate]) of one method, given others of its ranking."""
        with global_state(0):
            engine = method_of(plan)
            ready = prepared_fold(fold, plan.prepare)
            return engine.outcomes(ready, engine.shared(ready, [plan, *beside]))

    def fits_of_one_object(self) -> list[Arrays]:
        """See `Procedure`."""
        fold = self.fold("plain")
        fit, found = self._fit_of_one_object(fold), []
        for k in (1, 2, 1):
            with global_state(0):
                found.append(fit(k))
        return found

    def _fit_of_one_object(self, fold: Fold) -> Callable[[int], Arrays]:
        row, plan = self.row, self.plans[0]
        streams = fold.streams("one object")
        X = fold.design.matrix
        if roles.is_classifier(row):
            label = plan.classify[0]
            point = {k: v[0] for k, v in plan.grid.get(label, {}).items()}
            classifier = build_classifier(label, point, 1 - np.eye(fold.n_classes))
            raw = takes_raw(label)

            def fit_classifier(k: int) -> Arrays:
                part = fold.part(k)
                levels: dict[int, int] | None = {} if raw else None
                found = fit_natural(classifier, part.X, part.y, part.n_classes, 0, levels)
                return beliefs_arrays(found.beliefs(X))

            return fit_classifier
        if roles.is_step(row):
            step, codes = plan.prepare[0].named.row.build(plan.prepare[0].parameters), None
            codes = fold.design.labels.batch_codes

            def fit_step(k: int) -> Arrays:
                rows = fold.parts.rows[k]
                batches = [] if not roles.by_batch(row) else [codes]
                beside = [None if one is None else one[rows] for one in batches]
                found = step.learn(X[rows], fold.y[rows], *beside)
                return {"values": found.transform(X, *batches)}

            return fit_step
        if roles.is_path(row):
            follower = row.build(plan.parameters)

            def fit_path(k: int) -> Arrays:
                path = follower.follow(fold.part(k), None, streams[k])
                said = path.beliefs(X, fold.design.Z)
                found = {f"columns of step {i}": c for i, c in enumerate(path.columns)}
                return {**found, **{f"step {i}": one.proba for i, one in enumerate(said)}}

            return fit_path
        ranker = row.build(plan.parameters)
        if ranker is None:
            raise Inapplicable("it ranks nothing")

        def fit_ranker(k: int) -> Arrays:
            own = "own" in plan.sizes
            part = fold.part(k, own, filled=not roles.ranks_as_it_is(row))
            ranking = ranker.rank(part, [s for s in plan.sizes if isinstance(s, int)], streams[k])
            path = {f"columns of size {size}": c for size, c in ranking.path.items()}
            return {"scores": ranking.scores, **path}

        return fit_ranker


@dataclass(frozen=True)
class _Ran:
    """A method of a plan on a fold that its steps have prepared."""

    plan: MethodPlan
    raw: Fold  # before any step

    @cached_property
    def fold(self) -> Fold:
        return prepared_fold(self.raw, self.plan.prepare)

    @cached_property
    def found(self) -> tuple[list[Candidate], list[list[Outcome]]]:
        engine = method_of(self.plan)
        return engine.outcomes(self.fold, engine.shared(self.fold, [self.plan]))

    def _named(self) -> Iterator[tuple[int, str, Candidate]]:
        for at, one in enumerate(self.found[0]):
            yield at, f"candidate {at} of {self.plan.name!r}", one

    def learnt(self) -> dict[str, np.ndarray]:
        """Candidates and their features in every part, and what steps make of training rows."""
        found: dict[str, np.ndarray] = {}
        for at, name, candidate in self._named():
            found[f"settings of {name}"] = np.array(
                [candidate.classify, candidate.settings, str(candidate.size)]
            )
            for k, part in enumerate(self.found[1]):
                found[f"features of part {k}, {name}"] = part[at].features
        if self.plan.prepare:
            for k, view in enumerate(self.fold.views):
                found[f"columns kept in part {k}"] = view.design.owner
                found[f"training rows of part {k} as prepared"] = view.design.matrix[view.train]
        return found

    def inner(self) -> dict[str, np.ndarray]:
        """Beliefs of the rows that inner parts hold out."""
        return {
            f"{what} of part {k}, {name}": array
            for at, name, _ in self._named()
            for k, part in enumerate(self.found[1][1:], 1)
            for what, array in beliefs_arrays(part[at].beliefs, part[at].features).items()
        }

    def fitted(self) -> list[Fitted]:
        """The predictor of every candidate, and the steps before it."""
        found = [self._predictor(at, name, one) for at, name, one in self._named()]
        return [*found, *(self._steps() if self.plan.prepare else [])]

    def _predictor(self, at: int, name: str, candidate: Candidate) -> Fitted:
        outcome, row = self.found[1][0][at], roles.selecting(self.plan)
        told = beliefs_arrays(outcome.beliefs, outcome.features)

        def say_by(predictor: Predictor) -> Say:
            return lambda X: beliefs_arrays(predictor.beliefs(X), outcome.features)

        def make() -> tuple[np.ndarray, Say, Callable[[], Say]]:
            found = method_of(self.plan).refit(self.fold, candidate, outcome.features)
            X = _rows_for(self.fold, found)

            def revive() -> Say:
                kept = {k: v for k, v in candidate.parameters.items()
                        if not roles.is_path(row) or k in row.parameters}  # fmt: skip
                named = made_by(candidate.classify, kept, roles.is_path(row))
                arrays = {k: np.ascontiguousarray(a, dtype=np.float64)
                          for k, a in found.predictor.to_arrays().items()}  # fmt: skip
                return say_by(revived_predictor(named, arrays, X.shape[1], self.fold.n_classes))

            return X, say_by(found.predictor), revive

        return Fitted(name, told, make)

    def _steps(self) -> Iterator[Fitted]:
        """All of them, and for some of their columns alone, as a saved model has them."""
        view, design = self.fold.views[0], self.raw.design
        whole = view.chain
        assert whole is not None
        codes, test = design.labels.batch_codes, self.raw.tests[0]
        batch = None if codes is None else codes[test]
        X, values = design.matrix[test], view.design.matrix[view.test]
        known = _numbers_behind(whole, X)
        yield _fitted_chain("the step", whole, (X, batch), values, known)
        k = values.shape[1]
        for size in sorted({1, min(3, k), k}):
            outputs = np.random.default_rng(3).permutation(k)[:size]
            chain, inputs = whole.only(outputs)
            if not (np.diff(inputs) > 0).all():
                raise MethodError("`only` gives inputs that are not rising numbers", "refit")
            yield _fitted_chain(
                f"the step for {plural(size, 'column')}", chain, (X[:, inputs], batch),
                values[:, outputs], known[:, outputs],
            )  # fmt: skip


def _fitted_chain(
    name: str, chain: Chain, rows: Any, values: np.ndarray, known: np.ndarray
) -> Fitted:
    """Steps as something fitted."""

    def say_by(one: Chain) -> Say:
        return lambda rows: {"values": one.transform(*rows)}

    def revive() -> Say:
        names = [link.named for link in chain.links]
        return say_by(revived_chain(names, chain.to_arrays(), chain.links[0].width))

    made = rows, say_by(chain), revive
    return Fitted(name, {"values": values}, lambda: made, 1e-12, known)


def _numbers_behind(chain: Chain, X: np.ndarray) -> np.ndarray:
    """Where the inputs behind what a chain gives are numbers; of a column that it creates where
    all are."""
    known = np.isfinite(X)
    for link in chain.links:
        entering = known[:, link.entering]
        columns, p = link.step.columns, entering.shape[1]
        every = np.repeat(
            entering.all(axis=1)[:, None], max(int(columns.max(initial=0)) - p + 1, 0), 1
        )
        given = np.hstack([entering, every])[:, columns]
        known = np.hstack([given, known[:, link.passing]])[:, link.order]
    return known


def beliefs_arrays(beliefs: Beliefs, features: Sequence[int] | np.ndarray = (0,)) -> Arrays:
    """Beliefs by name. Without features they are the class shares, whose scores differ by a
    constant where they are made as margins."""
    found = {"probabilities": beliefs.proba}
    if beliefs.margin is not None and len(features):
        found["margins"] = beliefs.margin
    if beliefs.novelty is not None:
        found["novelty"] = beliefs.novelty
    return found


def _rows_for(fold: Fold, found: Refitted) -> np.ndarray:
    """The rows that the outer part holds out, as a refitted predictor wants them."""
    if found.raw:
        return fold.as_it_is(0, found.features)[1]
    view = fold.views[0]
    Z = fold.seen_z(0)[fold.tests[0]]
    columns = view.design.columns_of(found.features)
    X = np.hstack([Z if found.covariates else Z[:, :0], view.design.values(view.test, columns)])
    impute(X, np.arange(X.shape[1]), found.medians)
    return X


def changed_rows(one: Fold, rows: np.ndarray, values: bool = True) -> Fold:
    """The fold with other labels in some rows, and wild values."""
    design, rng = one.design, np.random.default_rng(1)
    y = one.y.copy()
    y[rows] = (y[rows] + 1) % one.n_classes
    if values:
        wild: dict[str, Any] = {"X": design.matrix.copy(), "Z": design.Z.copy()}
        for X in wild.values():
            X[rows] = rng.normal(1e5, 1e5, size=(len(rows), X.shape[1]))
        for name in ("raw", "raw_z"):
            table = getattr(design, name)
            if table is not None:
                wild[name] = table.copy()
                wild[name][rows] = table[rows][::-1]
        filled = wild["X"].copy()
        filled[:, design.incomplete] = 0.0
        order = None if design.order is None else sort_columns(filled)
        design = replace(design, **wild, order=order)
    parts = TrainingParts(design.matrix, y, one.parts.rows, design.incomplete, design.order)
    return replace(one, design=design, y=y, parts=parts)
