"""The plan of a study: every choice named, validated before anything runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from ..._core.errors import PlanError, nearest_hint
from ..._core.interfaces import Kind as Belief
from ..._core.parameters import MOST_RUNS
from ..._core.registry import (
    ARG_MAX,
    DEFAULT_RECALIBRATION,
    LEAST_RISK,
    NO_RECALIBRATION,
    find_row,
)
from ..._core.response import ResponseKind
from ..._core.rows import DecisionRow, PathRow, StepRow
from ...classifiers.classifier_labels import is_natural, takes_costs, takes_raw
from ...metrics.registry import metric_row
from .checks import checked_criterion
from .class_rules import has_criterion, own_beliefs
from .cost_settings import checked_costs
from .dataset import DatasetPlan
from .faults import first_fault
from .method import MethodPlan
from .parts import DecisionPlan, RecalibratePlan, RejectPlan, StepPlan
from .ready import DEFAULT_PLANS, PLANS_FOLDER, plan_file
from .resampling import BootstrapPlan, LearningCurvePlan
from .rules import rules_of
from .split import FIXED_SPLITS, InnerSplit, Split, Strict
from .toml import merged_tables, read_toml

# estimates beside the study's own, of their own cells
SIDE_ESTIMATES = ("bootstrap", "learning_curve")


class Method(MethodPlan):
    """One method, given in Python: `select` and `classify` may be classes and objects.

    Raises
    ------
    PlanError
        One line.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> Method(select="moderated_t", sizes=[5], classify=SVC(C=10.0)).name
    'moderated_t+SVC'
    """

    def __init__(self, select: Any, **settings: Any):
        try:
            super().__init__(select=select, **settings)
        except ValidationError as error:
            raise PlanError(first_fault(error, _plan_tables())) from None


@cache
def _default_plan(response: str = "class") -> dict[str, Any]:
    """What a plan comes to that names no method."""
    name = DEFAULT_PLANS.get(response, DEFAULT_PLANS["class"])
    found = read_toml(PLANS_FOLDER / f"{name}.toml")
    return {**found, "method": _for_response(found["method"], response)}


def _for_response(methods: Any, response: str) -> Any:
    """Methods as they are given, each with the outcome that it is for."""
    if not isinstance(methods, list | tuple):
        return methods
    return [
        {**one, "response": response} if isinstance(one, Mapping) and response != "class" else one
        for one in methods
    ]


class Plan(Strict):
    """The plan of a study.

    Parameters
    ----------
    seed : int
        All random numbers follow from it.
    response : {"class", "number"}
        What is predicted; "number" of a table that was read with `regression` or `log_target`.
    metric : str
        Short name of the score that picks methods and grid points in the inner loop; of a number it
        is "q2" if nothing else is said.
    costs : dict or str, optional
        What errors cost, by class: ``{sick: 10, well: 1}``, by predicted and true class,
        ``{well: {sick: 10}, sick: {well: 1}}``, where a column of the table may stand for a number,
        or "class_sizes". Given, `metric` is "loss" and `decide` "minimum_risk" if nothing else
        is said.
    tune : str
        Criterion by which methods that have none of their own choose among their candidates; left
        out, that of the metric's row: a logarithmic score for most.
    choose : {"first", "best"}
        Which of several methods a training set takes: the first named unless another is clearly
        better on the inner folds, or the one of the best inner score.
    parsimony : float
        More than 50 features are chosen only where the inner score is better by more than so many
        standard errors; where a logarithmic score chooses, if it gains a fifth more, whatever the
        number here. 0: the best score wins, by either, whatever the size.
    permutations : int
        Runs of the full procedure with permuted labels; fewer than 19 test nothing at 5 %.
    outer, inner : Split
    bootstrap : BootstrapPlan, optional
        Also estimate the error by the bootstrap .632+.
    learning_curve : LearningCurvePlan, optional
        Also run the study's outer folds with fewer training samples.
    method : list of MethodPlan
        Empty: the default methods.
    prepare : list of StepPlan
        Steps before ranking, fitted in each training set, for methods that name none; they are
        given on to those, and stand nowhere else in a stored plan.
    recalibrate : RecalibratePlan
        What probabilities are recalibrated by, for methods that name nothing else; False or
        "none": the classifiers' own. Left out, it is "slope" of methods whose classifiers give
        probabilities.
    decide : DecisionPlan
        What turns beliefs into labels, for methods that name nothing else; left out, the best in
        expectation for the metric.
    reject : RejectPlan, optional
        Whom no label is given for, of methods that name nothing else.
    allow : list of str
        Columns (patterns too) that look like a leak and are meant, and what is found of the table
        and meant, such as ``"preselected"``: docs/leaks.md.
    dataset : list of DatasetPlan
        Tables to study one after the other, each in a folder of its own.
    describe : bool
        Add to each feature shown its distribution by class and its scores under every filter.
    final : bool
        Refit the winning procedure on all rows and save the model.
    prediction_intervals : bool
        Of a number: keep the models of the outer folds in the saved model, too, so that it gives
        prediction intervals by CV+.

    Examples
    --------
    >>> Plan(method=[{"select": "moderated_t", "sizes": [5, 10]}]).method[0].classify
    ['logistic']
    """

    seed: int = Field(default=0, ge=0)
    response: ResponseKind = "class"
    metric: str = "bcr"
    costs: Any = None
    tune: str = ""
    choose: Literal["first", "best"] = "first"
    parsimony: float = Field(default=1.5, ge=0, le=100)
    permutations: int = Field(default=99, ge=0, le=MOST_RUNS, strict=True)
    outer: Split = Split()
    inner: InnerSplit = InnerSplit()
    bootstrap: BootstrapPlan | None = None
    learning_curve: LearningCurvePlan | None = None
    prepare: list[StepPlan] = Field(default=[], exclude=True)  # stored with the methods
    method: list[MethodPlan] = Field(
        default_factory=lambda data: _default_plan(data.get("response", "class"))["method"],
        validate_default=True,
    )
    recalibrate: RecalibratePlan = RecalibratePlan(name=DEFAULT_RECALIBRATION)
    decide: DecisionPlan = DecisionPlan(name=ARG_MAX)
    reject: RejectPlan | None = None
    allow: list[str] = []
    dataset: list[DatasetPlan] = []
    describe: bool = True
    final: bool = True
    # left out of a stored plan that has none, which is then as before there were any
    prediction_intervals: bool = Field(default=False, exclude_if=lambda value: not value)

    @model_validator(mode="before")
    @classmethod
    def _unnamed(cls, raw: Any) -> Any:
        """No methods, and those of the default plan, are as good as none said; others are for the
        outcome that the plan is for."""
        if not isinstance(raw, Mapping):
            return raw
        response = str(raw.get("response", "class"))
        if "method" not in raw:
            return raw
        given = _for_response(raw["method"], response)
        if given and given != _default_plan(response)["method"]:
            return {**raw, "method": given}
        return {key: value for key, value in raw.items() if key != "method"}

    @field_validator("method", mode="after")
    @classmethod
    def _prepared(cls, value: list[MethodPlan], info: ValidationInfo) -> list[MethodPlan]:
        """The plan's steps are those of every method that names none."""
        steps = info.data.get("prepare") or []
        return [
            method.model_copy(update={"prepare": steps})
            if steps and "prepare" not in method.model_fields_set
            else method
            for method in value
        ]

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, value: str, info: ValidationInfo) -> str:
        known = rules_of(info.data.get("response", "class")).metrics
        if value not in known:
            raise PlanError(f"unknown metric {value!r}: {nearest_hint(value, known)}")
        return value

    @field_validator("tune")
    @classmethod
    def _known_criterion(cls, value: str, info: ValidationInfo) -> str:
        return checked_criterion(value, rules_of(info.data.get("response", "class")).criteria)

    @field_validator("costs")
    @classmethod
    def _possible_costs(cls, value: Any) -> Any:
        return checked_costs(value)

    @model_validator(mode="after")
    def _repeated(self) -> Plan:
        """Inner folds of the default methods are drawn as often as the default plan has it."""
        inner, named = self.inner, "method" in self.model_fields_set
        if not named and inner.kind not in FIXED_SPLITS and "repeats" not in inner.model_fields_set:
            repeats = _default_plan(self.response)["inner"]["repeats"]
            self.fill(inner=inner.model_copy(update={"repeats": repeats}))
        return self

    def fill(self, **values: Any) -> None:
        """Resolve what was left out, while it is being validated."""
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @model_validator(mode="after")
    def _distinct(self) -> Plan:
        names = [" ".join(m.name.split()) for m in self.method]  # as tables will write them
        if "headline" in names:
            raise PlanError("the name 'headline' is that of the full procedure: choose another")
        for name, times in Counter(names).items():
            if times > 1:
                raise PlanError(f"two methods are named {name!r}: give each its own `name`")
        if all(method.reference for method in self.method):
            raise PlanError("every method is a reference: one at least has to be chosen from")
        return self

    @model_validator(mode="after")
    def _by_response(self) -> Plan:
        """What follows from the kind of outcome, and what it cannot have."""
        rules_of(self.response).resolve(self)
        return self

    def known(self, method: MethodPlan) -> dict[str, Belief]:
        """What each classifier of a method comes to say of samples, once decided on."""
        makes = self.recalibration_of(method) is not None
        own = own_beliefs(method)
        return {k: "proba" if v == "order" and makes else v for k, v in own.items()}

    @property
    def learns_costs(self) -> bool:
        """Whether a classifier is given what errors cost."""
        return any(takes_costs(k) for m in self.method if not m.alone for k in m.classify)

    @property
    def members(self) -> int:
        """Samples of each class that every training set must have."""
        return max(m.row.takes.members for m in self.method)

    @property
    def steps(self) -> list[StepPlan]:
        """Of all methods."""
        return [step for method in self.method for step in method.prepare]

    @property
    def uses_sklearn(self) -> bool:
        """Whether a method, a step or a rule of it does."""
        decisions = [self.decision_of(method).name for method in self.method]
        return (
            any(method.uses_sklearn for method in self.method)
            or any(find_row(name, DecisionRow).sklearn for name in decisions)
            or any(self.rejection_of(method) is not None for method in self.method)
            or any(find_row(step.name, StepRow).sklearn for step in self.steps)
        )

    @property
    def refuses_unseen_batches(self) -> bool:
        """Whether a step can do nothing for a sample of a batch that it was not fitted to."""
        return any(step.named.unseen == "refuse" for step in self.steps)

    @property
    def taking_gaps(self) -> list[str]:
        """Rankers and classifiers that take missing values as they are: nothing is filled."""
        names: dict[str, None] = {}
        for method in self.method:
            row = method.row
            labels = (
                []
                if isinstance(row, PathRow)
                else [c for c in method.classify if takes_raw(c, self.response)]
            )
            names |= dict.fromkeys([*([row.name] if row.takes.raw else []), *labels])
        return list(names)

    def takes_logs(self, block: str = "") -> bool:
        """Whether methods that steps are for see a block (of a table without: all columns), and
        every one of them its logarithms."""
        methods = [m for m in self.method if m.row.takes.prepared]
        seeing = [m.prepare for m in methods if not m.blocks or block in m.blocks]
        return bool(seeing) and all(
            any(step.named.row.logs and step.block in ("", block) for step in steps)
            for steps in seeing
        )

    @property
    def beside_metric(self) -> dict[str, str]:
        """`decide` and `tune` where the plan names others than its metric would have."""
        row = metric_row(self.metric)
        usual = (row.decide, row.decide_two) if self.costs is None else (LEAST_RISK,)
        named = {"decide": (self.decide.name, usual), "tune": (self.tune, (self.smooth,))}
        return {
            key: value
            for key, (value, usual) in named.items()
            if key in self.model_fields_set and value not in usual
        }

    @property
    def smooth(self) -> str:
        """The criterion of the metric's row, which distinguishes what few samples' labels cannot;
        empty where costs count, for which there is none."""
        return (
            "" if self.metric == "loss" and self.costs is not None else metric_row(self.metric).tune
        )

    @property
    def compares_by(self) -> str:
        """The criterion by which methods are compared; empty: by `PlanRules.points`."""
        smooth = self.smooth if rules_of(self.response).smooth else ""
        able = bool(smooth) and all(has_criterion(self, m, smooth) for m in self.compared)
        return smooth if able else ""

    def natural(self, method: MethodPlan) -> dict[str, bool]:
        """Whether each classifier's probabilities stand for its training set's class shares."""
        classes = rules_of(self.response).smooth
        if method.alone or not classes:
            return dict.fromkeys([method.select, *method.classify], classes)
        return {label: is_natural(label) for label in method.classify}

    @property
    def compared(self) -> list[MethodPlan]:
        """The methods that a training set chooses from: all but references."""
        return [method for method in self.method if not method.reference]

    def criterion_of(self, method: MethodPlan) -> str:
        """By what a method chooses among its candidates: its own, the plan's, or the metric."""
        return method.tune or self.tune or self.metric

    def recalibration_of(self, method: MethodPlan) -> RecalibratePlan | None:
        """A method's own recalibration, or the plan's; None of probabilities as they are."""
        found = method.recalibrate or self.recalibrate
        return None if found.name == NO_RECALIBRATION else found

    def needs_recalibrated(self, method: MethodPlan) -> bool:
        """Whether candidates can be compared by recalibrated probabilities alone: labels are made
        of them, or there are no others."""
        own = set(own_beliefs(method).values())
        return own != {"proba"} or find_row(self.decision_of(method).name, DecisionRow).costs

    def decision_of(self, method: MethodPlan) -> DecisionPlan:
        """A method's own decision, or the plan's."""
        return method.decide or self.decide

    def rejection_of(self, method: MethodPlan) -> RejectPlan | None:
        """A method's own rule about whom no label is given for, or the plan's; None of nobody."""
        found = method.reject or self.reject
        return found if found is not None and found.declines else None

    @classmethod
    def read(cls, path: str | Path, **overrides: Any) -> Plan:
        """Read a TOML plan; `overrides` win.

        Raises
        ------
        PlanError
            One line: the key or value, and the nearest valid one.
        """
        return cls.resolve(merged_tables(read_toml(plan_file(Path(path))), overrides))

    @classmethod
    def resolve(cls, raw: Mapping[str, object]) -> Plan:
        """Validate a plain dictionary, with errors in one line."""
        try:
            return cls.model_validate(dict(raw))
        except ValidationError as error:
            raise PlanError(first_fault(error, _plan_tables())) from error


def _plan_tables() -> dict[str, type[BaseModel]]:
    """What stands in each table of a plan, by its name."""
    return {
        "": Plan,
        "outer": Split,
        "inner": Split,
        "bootstrap": BootstrapPlan,
        "learning_curve": LearningCurvePlan,
        "method": MethodPlan,
        "dataset": DatasetPlan,
        "recalibrate": RecalibratePlan,
        "decide": DecisionPlan,
        "reject": RejectPlan,
    }
