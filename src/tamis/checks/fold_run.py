"""A method of a plan on an outer fold: what it learns and says, and what it is refitted to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._core.errors import MethodError, counted_noun
from .._core.interfaces import Beliefs, Predictor
from ..kernels.medians import impute_medians
from ..model.file import float_arrays, revived_predictor
from ..preparation.chain import Chain, chain_from_arrays
from ..study.plan import MethodPlan
from ..study.protocol.candidates import Candidate, CandidateResult, Refitted
from ..study.protocol.fold import Fold
from ..study.protocol.methods import method_of
from ..study.protocol.prepared import prepared_fold
from ..study.results.final import made_by
from . import roles
from .procedure import Arrays, Fitted, Say


@dataclass(frozen=True)
class FoldRun:
    """A method of a plan on a fold that its steps have prepared."""

    plan: MethodPlan
    raw: Fold  # before any step

    @cached_property
    def fold(self) -> Fold:
        return prepared_fold(self.raw, self.plan.prepare)

    @cached_property
    def found(self) -> tuple[list[Candidate], list[list[CandidateResult]]]:
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
        outcome, row = self.found[1][0][at], roles.selecting_row_of(self.plan)
        outputs = beliefs_arrays(outcome.beliefs, outcome.features)

        def say_by(predictor: Predictor) -> Say:
            return lambda X: beliefs_arrays(predictor.beliefs(X), outcome.features)

        def make_predictor() -> tuple[np.ndarray, Say, Callable[[], Say]]:
            found = method_of(self.plan).refit(self.fold, candidate, outcome.features)
            X = _rows_for(self.fold, found)

            def revive_predictor() -> Say:
                kept = {
                    k: v
                    for k, v in candidate.parameters.items()
                    if not roles.is_path(row) or k in row.parameters
                }
                named = made_by(candidate.classify, kept, roles.is_path(row))
                arrays = float_arrays(found.predictor.to_arrays())
                fold = self.fold
                return say_by(
                    revived_predictor(named, arrays, X.shape[1], fold.n_classes, self.plan.response)
                )

            return X, say_by(found.predictor), revive_predictor

        return Fitted(name, outputs, make_predictor)

    def _steps(self) -> Iterator[Fitted]:
        """All of them, and for some of their columns alone, as a saved model has them."""
        view, design = self.fold.views[0], self.raw.design
        every_step = view.chain
        assert every_step is not None
        codes, test = design.labels.batch_codes, self.raw.tests[0]
        batch = None if codes is None else codes[test]
        X, values = design.matrix[test], view.design.matrix[view.test]
        known = _numbers_behind(every_step, X)
        yield _fitted_chain("the step", every_step, (X, batch), values, known)
        k = values.shape[1]
        for size in sorted({1, min(3, k), k}):
            outputs = np.random.default_rng(3).permutation(k)[:size]
            chain, inputs = every_step.only(outputs)
            if not (np.diff(inputs) > 0).all():
                raise MethodError("`only` gives inputs that are not rising numbers", "refit")
            yield _fitted_chain(
                f"the step for {counted_noun(size, 'column')}",
                chain,
                (X[:, inputs], batch),
                values[:, outputs],
                known[:, outputs],
            )


def _fitted_chain(
    name: str, chain: Chain, rows: Any, values: np.ndarray, known: np.ndarray
) -> Fitted:
    """Steps as something fitted."""

    def say_by(one: Chain) -> Say:
        return lambda rows: {"values": one.transform(*rows)}

    def revive_chain() -> Say:
        names = [link.named for link in chain.links]
        return say_by(chain_from_arrays(names, chain.to_arrays(), chain.links[0].width))

    made = rows, say_by(chain), revive_chain
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
    if beliefs.value is not None:
        return {"values": beliefs.value}
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
    impute_medians(X, np.arange(X.shape[1]), found.medians)
    return X
