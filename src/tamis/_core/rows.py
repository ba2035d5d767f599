"""What the registry holds of a method: one row, of a class for each role.

A row is the single source of a method's names, words, citations, docs page and of what a plan
may set; `registry` finds rows. It holds what must be known before the method is
imported; the method's class says the rest. What most rows leave as it is stands in groups
(`row_groups`).
"""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from .errors import PlanError, nearest_hint
from .interfaces import (
    Classifier,
    Decision,
    Kind,
    PathClassifier,
    Ranker,
    Recalibration,
    Rule,
    Step,
)
from .lazy_names import RenamedFields
from .method_data import has_interface
from .parameters import Parameters, ParameterTypes, takes_argument
from .response import CLASSES, RESPONSE_KINDS, ResponseKind
from .row_groups import (
    ClassifierPromises,
    ClassifierTakes,
    Display,
    PlanDefaults,
    SelectorPromises,
    SelectorTakes,
)


@dataclass(frozen=True)
class Row(metaclass=RenamedFields):
    """One method.

    Attributes
    ----------
    name : str
        As in plans, or in ``tamis interact --method``.
    target : str
        ``module:attribute`` of the class (or factory), imported when the method is used.
    summary : str
        What it does, for lists and the methods text: a sentence without its full stop.
    title : str
        What people call it, in a few words.
    cite : tuple of str
        Keys of `citations.CITATIONS`, or complete citations.
    page : str
        Of docs/methods, such as "filters.md".
    """

    role: ClassVar[str] = ""
    key: ClassVar[str] = ""  # where it is named: of a plan, or of a call
    heading: ClassVar[str] = ""  # in lists

    name: str
    target: str = ""
    summary: str = ""
    title: str = ""
    cite: tuple[str, ...] = field(default=(), kw_only=True)
    page: str = field(default="", kw_only=True)

    @property
    def sentence(self) -> str:
        """The summary, and what else a list of methods adds."""
        return self.summary

    @property
    def settings(self) -> list[str]:
        """All that a user may give with the name."""
        return list(self.defaults)

    @property
    def defaults(self) -> Parameters:
        """What each setting is that a user leaves out."""
        raise NotImplementedError

    def load(self) -> Any:
        """The class or factory."""
        return load_attribute(self.target)


@dataclass(frozen=True)
class SearchRow(Row):
    """A `tamis.discovery.interface.Search` of `tamis interact`, on all samples.

    Attributes
    ----------
    quick : mapping
        Settings under which the common tests run it.
    """

    role: ClassVar[str] = "search"
    key: ClassVar[str] = "method"
    heading: ClassVar[str] = "searches on all samples: tamis interact --method ..."

    quick: Parameters = field(default_factory=dict, compare=False)

    @property
    def settings(self) -> list[str]:
        """Their names alone."""
        names: list[str] = self.load().names
        return names

    @property
    def defaults(self) -> Parameters:
        """Those that the search declares."""
        defaults: Parameters = self.load().defaults
        return defaults


@dataclass(frozen=True)
class SimilarityRow(Row):
    """A function of `tamis.ontology.pairs.Pairs`: one float32 a pair, NaN where undefined; or a
    class with ``fit(known)``, whose instances are such functions."""

    role: ClassVar[str] = "similarity"
    key: ClassVar[str] = "similarity"
    heading: ClassVar[str] = "similarities of classes: tamis ontology match --similarity ..."

    @property
    def learns(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.load(), type)

    @property
    def defaults(self) -> Parameters:
        """It has no settings."""
        return {}


@dataclass(frozen=True)
class PlanRow(Row):
    """What a plan names; a ranker without a target ranks nothing.

    Attributes
    ----------
    fixed : mapping
        Arguments that make this row of a more general class.
    parameters : mapping of name to (type, Field)
        What a plan may set, with pydantic's constraints. What is of type `Any` may be any JSON; the
        code itself checks it.
    sklearn : bool
        It uses scikit-learn, which a study loads for such methods alone: that takes longer than the
        study of a small table.
    """

    interface: ClassVar[type] = object
    beside: ClassVar[tuple[str, ...]] = ()  # what a plan may give beside the parameters

    fixed: Parameters = field(default_factory=dict)
    parameters: ParameterTypes = field(default_factory=dict)
    sklearn: bool = field(default=True, kw_only=True)
    display: Display = field(default=Display(), kw_only=True)

    @property
    def serves(self) -> tuple[ResponseKind, ...]:
        """Outcomes that it can learn from or predict; two rows may have one name if they serve
        others."""
        return CLASSES

    @property
    def settings(self) -> list[str]:
        """All that a plan may give with the name."""
        return [*self.parameters, *self.beside]

    @property
    def defaults(self) -> Parameters:
        """What each parameter is that a plan leaves out: the default of the class, or `fixed`."""
        if not self.parameters:
            return {}
        known = inspect.signature(self.load()).parameters
        return {k: self.fixed.get(k, known[k].default) for k in self.parameters}

    def build(self, parameters: Parameters) -> Any:
        """An instance with a plan's parameters; None of a row that ranks nothing.

        Raises
        ------
        MethodError
            It is no subclass of the role's interface.
        """
        if not self.target:
            return None
        made = self.load()(**{**self.fixed, **parameters})
        has_interface(self.name, made, self.interface, self.target)
        return made

    def validated(self, values: Any) -> Parameters:
        """Parameter values checked; unknown names and bad values are refused."""
        from pydantic import ConfigDict, ValidationError, create_model

        if not isinstance(values, Mapping):
            raise PlanError(f"parameters of {self.name!r} must be a table, not {values!r}")
        if not values:
            return {}  # and no model is made
        for key in values:
            if key not in self.parameters:
                allowed = list(self.parameters)
                hint = nearest_hint(key, allowed) if allowed else "it takes none"
                raise PlanError(f"{self.name!r} has no parameter {key!r}: {hint}")
        types: dict[str, Any] = {key: self.parameters[key] for key in values}
        free = [key for key, (kind, _) in types.items() if kind is Any]
        plain = {key: _json_of(values[key], self.name, key) for key in free}
        if len(free) == len(values):
            return plain
        fields = {key: kind for key, kind in types.items() if key not in free}
        model = create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)
        try:
            found = model.model_validate({key: values[key] for key in fields}).model_dump()
            return {**values, **plain, **found}
        except ValidationError as error:
            faults = error.errors(include_url=False)
            key = str(faults[0]["loc"][0])
            should = "Input should be "
            words = dict.fromkeys(  # of a union those of each part
                f["msg"].removeprefix(should) for f in faults if f["loc"][0] == key
            )
            text = should * faults[0]["msg"].startswith(should) + " or ".join(words)
            raise PlanError(f"{self.name}: {key} = {values[key]!r}: {text}") from error


@dataclass(frozen=True)
class SelectingRow(PlanRow):
    """A plan's `select`: what ranks, or what selects and classifies along its own path."""

    key: ClassVar[str] = "select"

    plan_defaults: PlanDefaults = field(default=PlanDefaults(), kw_only=True)
    takes: SelectorTakes = field(default=SelectorTakes(), kw_only=True)
    promises: SelectorPromises = field(default=SelectorPromises(), kw_only=True)

    @property
    def serves(self) -> tuple[ResponseKind, ...]:
        """As it takes them."""
        return self.takes.outcomes

    @property
    def sized(self) -> bool:
        """Whether it is cut at the plan's sizes."""
        return bool(self.target)

    @property
    def cuts(self) -> tuple[str, ...]:
        """Parameters that cut its ranking off."""
        return ()

    def title_for(self, n_classes: int) -> str:
        """What people call it with so many classes."""
        return self.title

    @property
    def sentence(self) -> str:
        """With how its own defaults choose the size."""
        rule = self.plan_defaults.size_rule
        return self.summary + (f"; size by {rule}" if rule else "")


@dataclass(frozen=True)
class RankerRow(SelectingRow):
    """A `Ranker`."""

    role: ClassVar[str] = "ranker"
    heading: ClassVar[str] = "rankers: select = ..."
    interface: ClassVar[type] = Ranker


@dataclass(frozen=True)
class PathRow(SelectingRow):
    """A `PathClassifier`, whose probabilities stand for the training set's class shares."""

    role: ClassVar[str] = "path"
    heading: ClassVar[str] = "selectors that classify: select = ..."
    interface: ClassVar[type] = PathClassifier


@dataclass(frozen=True)
class ClassifierRow(PlanRow):
    """A `Classifier`, or a `RawClassifier`."""

    role: ClassVar[str] = "classifier"
    key: ClassVar[str] = "classify"
    heading: ClassVar[str] = "classifiers: classify = ..."
    interface: ClassVar[type] = Classifier

    takes: ClassifierTakes = field(default=ClassifierTakes(), kw_only=True)
    promises: ClassifierPromises = field(default=ClassifierPromises(), kw_only=True)

    @property
    def serves(self) -> tuple[ResponseKind, ...]:
        """As it takes them."""
        return self.takes.outcomes

    @property
    def settings(self) -> list[str]:
        """What it is around, if it is one around another, and its parameters."""
        return [*(["of"] if self.takes.is_meta_estimator else []), *self.parameters]


@dataclass(frozen=True)
class DecisionRow(PlanRow):
    """A `Decision`.

    Attributes
    ----------
    costs : bool
        It is given what errors cost; a plan that names it says so in ``[costs]``.
    beliefs : {"proba", "order", "labels"}
        The least that it needs of samples.
    two_classes : bool
        It is between two classes.
    outcomes : tuple of {"class", "number"}
    """

    role: ClassVar[str] = "decision"
    key: ClassVar[str] = "decide"
    heading: ClassVar[str] = "decisions: decide = ..."
    interface: ClassVar[type] = Decision

    costs: bool = False
    beliefs: Kind = "proba"
    two_classes: bool = False
    outcomes: tuple[ResponseKind, ...] = CLASSES

    @property
    def serves(self) -> tuple[ResponseKind, ...]:
        """As it says."""
        return self.outcomes


@dataclass(frozen=True)
class RecalibrationRow(PlanRow):
    """A `Recalibration`."""

    role: ClassVar[str] = "recalibration"
    key: ClassVar[str] = "recalibrate"
    heading: ClassVar[str] = "recalibrations of probabilities: recalibrate = ..."
    interface: ClassVar[type] = Recalibration


@dataclass(frozen=True)
class RuleRow(PlanRow):
    """A `Rule` for abstaining on uncertain samples."""

    role: ClassVar[str] = "rule"
    key: ClassVar[str] = "reject"
    heading: ClassVar[str] = "rules for abstaining: reject = ..."
    interface: ClassVar[type] = Rule
    beside: ClassVar[tuple[str, ...]] = ("score", "novelty")


@dataclass(frozen=True)
class StepRow(PlanRow):
    """A `Step` before ranking.

    Attributes
    ----------
    enter : {"numbers", "categories", "counts", "intensities"}
        Which columns it is for: numeric ones, or the 0/1 columns of categories. Of counts, numbers
        are integers from 0; of intensities, those of the probes of arrays, raw.
    logs : bool
        It takes logarithms.
    """

    role: ClassVar[str] = "step"
    key: ClassVar[str] = "prepare"
    heading: ClassVar[str] = "steps before ranking: prepare = [...]"
    interface: ClassVar[type] = Step
    beside: ClassVar[tuple[str, ...]] = ("block",)

    enter: Literal["numbers", "categories", "counts", "intensities"] = "numbers"
    logs: bool = False

    @property
    def serves(self) -> tuple[ResponseKind, ...]:
        """All: few look at the outcome."""
        return RESPONSE_KINDS

    def learns_by(self, name: Literal["batch", "names", "groups"]) -> bool:
        """Whether `learn`, or `learn_table`, takes an argument beside rows and their classes."""
        step = self.load()
        return any(takes_argument(one, name) for one in (step.learn, step.learn_table))


def load_attribute(target: str) -> Any:
    """What ``module:attribute`` names."""
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _json_of(value: Any, name: str, key: str) -> Any:
    """A setting as a plan keeps it."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    try:
        return json.loads(json.dumps(plain))
    except (TypeError, ValueError) as error:
        raise PlanError(
            f"{name}: {key} is {type(value).__name__}, no number, text or list: set it in the "
            "object that you give"
        ) from error
