"""Methods that see tables: rankers, paths, classifiers and steps, as a study runs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.response import ResponseKind
from .._core.rows import PlanRow
from ..data.dataset import Dataset
from ..study.plan import MethodPlan
from ..study.prepare import prepare_study
from ..study.protocol.fold import Fold
from ..study.protocol.methods import method_of
from ..study.protocol.nested_cv import Task, fold_of
from ..study.protocol.prepared import prepared_fold
from . import roles
from .changed_rows import changed_rows
from .fold_run import FoldRun
from .one_object import fit_of_one_object
from .procedure import Arrays, Fitted, Run, Settings, global_state
from .tables import made_up_table, suited_table
from .verdict import Inapplicable, error_words

BASE_PLAN = {
    "costs": "class_sizes",
    "metric": "bcr",
    "decide": "arg_max",  # for those that charge costs
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "final": False,
}


NUMBER_PLAN = {
    "response": "number",
    **{k: v for k, v in BASE_PLAN.items() if k not in ("costs", "metric", "decide")},
}
BASE_PLANS = {"class": BASE_PLAN, "number": NUMBER_PLAN}


@dataclass
class OnTables:
    """See `Procedure`.

    Attributes
    ----------
    response : {"class", "number"} or None
        The outcome of the tables; None: that of `roles.outcome_of`.
    """

    row: PlanRow
    settings: Settings
    kinds: list[str] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)  # tables on which it raises, and what
    response: ResponseKind | None = None
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
                raise PlanError(
                    f"{self.row.name!r} does not run on a made-up table of numbers "
                    f"({words}): check that first"
                ) from error
            self.stopped[kind] = words
        return {}

    @property
    def outcome(self) -> ResponseKind:
        """That of the tables."""
        return self.response or roles.outcome_of(self.row)

    @cached_property
    def plans(self) -> list[MethodPlan]:
        """Methods in which it takes part."""
        return self.plans_at(None)

    def plans_at(self, sizes: Sequence[int | str] | None) -> list[MethodPlan]:
        """The same at sizes, by names that distinguish them."""
        given = roles.plans_of(self.row, self.settings, sizes, self.outcome)
        names = [self.row.name, f"{self.row.name} at sizes"]
        return [
            MethodPlan.model_validate({"name": name, "response": self.outcome, **one})
            for name, one in zip(names, given, strict=False)
        ]

    def fold_of_table(self, data: Dataset, fold: int = 1) -> Fold:
        """An outer fold of a table, before any step."""
        data = suited_table(data, self.row, self.outcome)
        base = BASE_PLANS[self.outcome]
        plan, design, _ = prepare_study(data, {**base, "method": self.plans})
        return fold_of(design, plan, Task(0, 0, fold, ()))

    def fold(self, kind: str) -> Fold:
        """The second outer fold of a made-up table."""
        return self.fold_of_table(made_up_table(kind))

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
        rows = one.tests[part]
        return self.run_on(changed_rows(one, rows, values, roles.by_counts(self.row)))

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
                one = FoldRun(plan, fold)
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
        fit, found = fit_of_one_object(self.row, self.plans[0], self.fold("plain")), []
        for k in (1, 2, 1):
            with global_state(0):
                found.append(fit(k))
        return found
