"""A plan and a table made ready for each other, and what they cannot have refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.registry import LEAST_RISK, find_row
from .._core.response import RESPONSE_NOUNS
from .._core.rows import DecisionRow, RankerRow
from ..classifiers.classifier_labels import parts_of, title_of
from ..data.checks import refuse_infinite, summarize_columns
from ..data.counted import counted_table
from ..data.dataset import Dataset
from ..data.in_memory import ReadingArguments, as_dataset
from ..data.reading import name_list
from ..data.walks import dense_text, table_behind
from ..metrics.registry import kind_suffices, metric_row
from .plan import DecisionPlan, MethodPlan, Plan
from .plan.cost_settings import require_costs
from .plan.method import usual_classifiers
from .plan.schema import SIDE_ESTIMATES
from .protocol import nested_cv
from .protocol.design import Design, build_design
from .protocol.eligible_features import check_blocks, created_names
from .protocol.error_costs import costs_of
from .protocol.methods import method_of
from .protocol.stability_split import fewer_folds
from .protocol.tuning import N_USUAL_FEATURES


def given_study(
    data: Any,
    plan: Plan | Mapping[str, object] | str | Path | None,
    target: Any,
    allow: str | Sequence[str],
    methods: Sequence[MethodPlan | Mapping[str, object]],
    n_jobs: int | None,
    reading: ReadingArguments,
) -> tuple[Plan | Mapping[str, object] | None, Dataset]:
    """The plan and the data set of what `run_study` was given."""
    if n_jobs == 0:
        raise PlanError("n_jobs=0: give the number of processes, or -1 for all cores")
    said = {"response": "number"} if _is_number(data, reading) else {}
    if isinstance(plan, str | Path):
        plan = Plan.read(plan, **said)
    if methods:
        given = plan if isinstance(plan, Mapping) else {}
        if isinstance(plan, Plan):
            given = {key: getattr(plan, key) for key in plan.model_fields_set}
        if given.get("method"):
            raise PlanError("both the plan and `methods` name methods: give them in one place")
        plan = Plan.resolve({**said, **given, "method": list(methods)})
    if allow:
        plan = plan if isinstance(plan, Plan) else Plan.resolve({**said, **(plan or {})})
        plan = plan.model_copy(update={"allow": [*plan.allow, *name_list(allow)]})
    meant = () if isinstance(data, Dataset) else allow
    if _response_of(plan) == "number" and not isinstance(data, Dataset):
        reading = {"regression": not reading.get("log_target"), **reading}
    return plan, as_dataset(data, target, allow=meant, **reading)


def _is_number(data: Any, reading: ReadingArguments) -> bool:
    """Whether the outcome is, or is to be read as, a number."""
    if isinstance(data, Dataset):
        return data.numbers is not None
    return bool(reading.get("regression") or reading.get("log_target"))


def _response_of(plan: Plan | Mapping[str, object] | None) -> object:
    return plan.response if isinstance(plan, Plan) else (plan or {}).get("response", "class")


def plan_for(plan: Plan | Mapping[str, object] | None, data: Dataset) -> Plan:
    """The plan of a study of these data; one that says nothing of the outcome is for theirs.

    Raises
    ------
    PlanError
        It is for another kind of outcome.
    """
    kind = data.response.kind
    given = plan or {}
    if isinstance(given, Plan):
        if given.response == kind:
            return given
        said = {key: getattr(given, key) for key in given.model_fields_set}
    else:
        said = dict(given)
    if said.get("response", kind) != kind:
        raise PlanError(
            f'the plan has response = "{said["response"]}", and {data.target!r} of {data.name!r} '
            f"was read as {RESPONSE_NOUNS[kind]}: "
            + (
                "leave out regression=True"
                if kind == "number"
                else "read the table with regression=True"
            )
        )
    return Plan.resolve({**said, "response": kind})


def with_baseline(plan: Plan, data: Dataset) -> Plan:
    """The plan for this data set: with covariates, their baseline is among the methods; with a
    table that has one, that is a reference."""
    if not data.has_target:
        raise PlanError(f"{data.name!r} has no class column: name it with target=")
    if len(data.ranked) == 0:
        raise PlanError(f"{data.name!r} has no feature left to choose from")
    check_blocks(plan, data)
    blind = [step.name for step in plan.steps if step.named.unseen]
    if blind and data.batches is None:
        raise PlanError(
            f"prepare = {blind[0]!r} needs the batch of every sample: name its column with --batch"
        )
    if "method" not in plan.model_fields_set:
        plan = _made_for(data, plan)
    plan = _with_reference_of(data, plan)
    has_baseline = any(m.select == "covariates" for m in plan.method)
    if has_baseline and not data.covariates:
        raise PlanError("select = 'covariates' needs covariates: name them with --covariate")
    if not data.covariates or has_baseline:
        return plan
    baseline = MethodPlan.model_validate({"select": "covariates", "response": plan.response})
    return plan.model_copy(update={"method": [*plan.method, baseline]})


def _with_reference_of(data: Dataset, plan: Plan) -> Plan:
    """The plan with what the table's own structure predicts as a reference, if no method has its
    steps alone."""
    table = counted_table(table_behind(data.X))
    baseline = None if table is None else table.baseline()
    if baseline is None:
        return plan
    given = {**baseline, "reference": True, "response": plan.response}
    reference = MethodPlan.model_validate(given)
    names = [step.name for step in reference.prepare]
    known = [m for m in plan.method if [step.name for step in m.prepare] == names]
    if known or reference.name in [m.name for m in plan.method]:
        return plan
    return plan.model_copy(update={"method": [*plan.method, reference]})


def _made_for(data: Dataset, plan: Plan) -> Plan:
    """The default plan without sizes over 50 that are all features, and without its reference on
    all where there are no more than the plan chooses, or the table is no matrix."""
    p = len(data.ranked)
    (first,) = plan.compared
    sizes = [k for k in first.sizes if isinstance(k, int) and (k <= N_USUAL_FEATURES or k < p)]
    methods = [first.model_copy(update={"sizes": sizes})]
    if p > max(sizes) and isinstance(data.X, np.ndarray):
        methods += [m for m in plan.method if m.reference]
    return plan.model_copy(update={"method": methods})


def with_decision(plan: Plan, data: Dataset) -> Plan:
    """The plan with the decision that its metric has for two classes, if it names none and this is
    another, and every classifier says enough for it."""
    name = metric_row(plan.metric).decide_two
    free = "decide" not in plan.model_fields_set and plan.costs is None
    if not name or not free or len(data.classes) != 2:
        return plan
    needs = find_row(name, DecisionRow).beliefs
    known = [kind for method in plan.method for kind in plan.known(method).values()]
    if not all(kind_suffices(kind, needs) for kind in known):
        return plan
    return plan.model_copy(update={"decide": DecisionPlan(name=name)})


def check_decisions(plan: Plan, data: Dataset) -> None:
    """Refuse decisions that these classes, or a plan without costs, cannot have."""
    names = [plan.decision_of(method).name for method in plan.method]
    if plan.costs is None:
        require_costs([], names)
    for name in names:
        if find_row(name, DecisionRow).two_classes and len(data.classes) != 2:
            raise PlanError(
                f"decide = {name!r} is a threshold between two classes, and {data.name!r} has "
                f"{len(data.classes)}: leave it out, or give costs and decide = {LEAST_RISK!r}"
            )


def prepare_study(
    data: Dataset, plan: Plan | Mapping[str, object] | None
) -> tuple[Plan, Design, list[str]]:
    """The resolved plan, the design of a data set, and what the plan had to give up."""
    plan = plan_for(plan, data)
    if isinstance(data.X, np.ndarray) and np.isinf(data.X).any():  # who makes a Dataset may err
        found = summarize_columns(data.X)
        refuse_infinite(data.X, found, data.feature_names, data.sample_names)
    costs, data = costs_of(plan.costs, data)
    plan = with_decision(with_baseline(plan, data), data)
    check_decisions(plan, data)
    design = build_design(data, created_names(plan, data))
    labels = replace(design.labels, every_batch=plan.refuses_unseen_batches)
    design = replace(design, labels=labels, costs=costs)
    plan, remarks = fewer_folds(plan, design.labels)
    return plan, design, [*remarks, *crowded_classifiers(plan, design)]


def crowded_classifiers(plan: Plan, design: Design) -> Iterator[str]:
    """Of classifiers that the plan asks to work with too many features for so few samples; one that
    is a method's own by its definition is left out."""
    test = nested_cv.outer_tests(design, plan, design.labels, 0, 0)[0]
    n = len(design.labels.y) - len(test)
    for method in plan.method:
        row = method.row
        sizes = [k for k in method.sizes if isinstance(k, int)]
        most = min(max(sizes, default=0), len(design.features))
        if not isinstance(row, RankerRow):
            continue
        if method.classify == usual_classifiers(row, plan.response):
            continue
        for label in method.classify:
            limits = [
                limit
                for one in parts_of(label, plan.response)
                if (limit := one.promises.max_features_per_sample) is not None
            ]
            if limits and most > min(limits) * n:
                yield (
                    f"method {method.name!r}: {title_of(label, plan.response)} on up to {most} "
                    f"features of {n} training samples is not to be trusted (more than half as "
                    "many): choose one made for few samples (docs/methods/discriminants.md)"
                )


def check_methods(plan: Plan, design: Design) -> None:
    """Refuse what steps leave too little of, or a table cannot have, of all rows."""
    left: dict[str, Design] = {}
    for method in plan.method:
        steps = repr((method.blocks, method.prepare))
        if steps not in left:
            left[steps] = nested_cv.all_rows_fold(design, plan, method).views[0].design
        method_of(method).check(left[steps])


def check_resampling(plan: Plan, design: Design) -> None:
    """Refuse estimates beside the study's of a table that is no matrix: its rows are not taken
    apart."""
    requested = [key for key in SIDE_ESTIMATES if getattr(plan, key) is not None]
    if requested and not isinstance(design.X, np.ndarray):
        raise PlanError(
            f"[{requested[0]}] needs a table of some of the rows, and this one "
            f"({dense_text(design.X)}) is not held as a matrix: leave it out of the plan"
        )
    if plan.prediction_intervals:
        _check_intervals(plan, design)


def _check_intervals(plan: Plan, design: Design) -> None:
    """Refuse prediction intervals of genotypes, and of folds that do not hold out every sample."""
    if not isinstance(design.X, np.ndarray):
        raise PlanError(
            f"prediction_intervals are of tables held as a matrix, and this one "
            f"({dense_text(design.X)}) is not: leave them out"
        )
    tests = nested_cv.outer_tests(design, plan, design.labels, 0, 0)
    lost = len(design.labels.y) - sum(map(len, tests))
    if lost or len(tests) < 2:
        raise PlanError(
            f"prediction_intervals need every sample held out once, and {lost} never are: leave "
            "them out, or use other folds"
        )
