"""What the registry holds of a method: one row, of a class for each role.

A row is the single source of a method's names, words, citations, docs page and of what a plan
may set; `registry` finds rows.
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
    has_interface,
)
from .lazy_names import RenamedFields
from .parameters import Parameters, ParameterTypes


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
        Keys of `citations.CITATIONS`, or whole citations.
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
        """The summary, and what else is to be said in a list of methods."""
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
    """A function of `tamis.ontology.pairs.Pairs`: one float32 a pair, NaN where undefined.

    Attributes
    ----------
    learns : bool
        The target is a class with ``fit(known)`` whose instances are such functions.
    """

    role: ClassVar[str] = "similarity"
    key: ClassVar[str] = "similarity"
    heading: ClassVar[str] = "similarities of classes: tamis ontology match --similarity ..."

    learns: bool = False

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
        What a plan may set, with pydantic's constraints.
    estimator : str
        ``module:attribute`` of the public estimator, if it is another class than the target; names
        and defaults of the parameters are the same.
    told : tuple of str
        Parameters that a methods paragraph names, chosen or not.
    free : bool
        Its parameters may be any JSON; the code itself checks them.
    sklearn : bool
        It uses scikit-learn, which a study loads for such methods alone: that takes longer than the
        study of a small table.
    """

    interface: ClassVar[type] = object
    beside: ClassVar[tuple[str, ...]] = ()  # what a plan may give beside the parameters

    fixed: Parameters = field(default_factory=dict)
    parameters: ParameterTypes = field(default_factory=dict)
    estimator: str = ""
    told: tuple[str, ...] = ()
    free: bool = False
    sklearn: bool = field(default=True, kw_only=True)

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
        if self.free:
            return {key: _json_of(value, self.name, key) for key, value in values.items()}
        fields: dict[str, Any] = {key: self.parameters[key] for key in values}
        model = create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)
        try:
            return model.model_validate(dict(values)).model_dump()
        except ValidationError as error:
            faults = error.errors(include_url=False)
            key = str(faults[0]["loc"][0])
            should = "Input should be "
            words = dict.fromkeys(  # of a union those of each part
                f["msg"].removeprefix(should) for f in faults if f["loc"][0] == key
            )
            told = should * faults[0]["msg"].startswith(should) + " or ".join(words)
            raise PlanError(f"{self.name}: {key} = {values[key]!r}: {told}") from error


@dataclass(frozen=True)
class SelectingRow(PlanRow):
    """A plan's `select`: what ranks, or what selects and classifies along its own path.

    Attributes
    ----------
    sizes, tune
        Defaults of a plan that selects by it.
    size_rule : str
        What that chooses the size by, in words.
    sized : bool
        It is cut at the plan's sizes.
    own : bool
        It has a size of its own, ``sizes = ["own"]``.
    cuts : tuple of str
        Parameters that cut its ranking off.
    raw : bool
        It takes a table as it is: categories as codes in one column, and missing values as NaN.
    members : int
        Samples of each class that it needs in every training set.
    covariates : bool
        It has models that carry covariates.
    prepared : bool
        Steps before ranking are for it; the covariates by themselves are only imputed.
    fits : str
        Models that it fits to one training set, in words; empty: none.
    """

    key: ClassVar[str] = "select"

    sizes: tuple[int | str, ...] = ()
    tune: str = ""
    size_rule: str = ""
    sized: bool = True
    own: bool = False
    cuts: tuple[str, ...] = ()
    raw: bool = False
    members: int = 1
    covariates: bool = True
    prepared: bool = True
    fits: str = ""

    def title_for(self, n_classes: int) -> str:
        """What people call it with so many classes."""
        return self.title

    @property
    def sentence(self) -> str:
        """With how its own defaults choose the size."""
        return self.summary + (f"; size by {self.size_rule}" if self.size_rule else "")


@dataclass(frozen=True)
class RankerRow(SelectingRow):
    """A `Ranker`.

    Attributes
    ----------
    classify : tuple of str
        Classifiers of a plan that names none.
    codes : bool
        It takes categories as codes in one column, not spread over 0/1 columns, and leaves out
        missing values in a table that has some.
    """

    role: ClassVar[str] = "ranker"
    heading: ClassVar[str] = "rankers: select = ..."
    interface: ClassVar[type] = Ranker

    classify: tuple[str, ...] = ("logistic",)
    codes: bool = False


@dataclass(frozen=True)
class PathRow(SelectingRow):
    """A `PathClassifier`.

    Attributes
    ----------
    natural, poorly_calibrated : bool
        As of a `ClassifierRow`.
    """

    role: ClassVar[str] = "path"
    heading: ClassVar[str] = "selectors that classify: select = ..."
    interface: ClassVar[type] = PathClassifier

    natural: bool = True
    poorly_calibrated: bool = False


@dataclass(frozen=True)
class ClassifierRow(PlanRow):
    """A `Classifier`, or a `RawClassifier`.

    Attributes
    ----------
    raw : bool
        It takes a table as it is: categories as codes in one column, and missing values as NaN
        (`RawClassifier`). One around another has what it is around.
    is_meta_estimator : bool
        It is one around another, ``classify = {name = ..., of = ...}``.
    accepts_sample_weight : bool
        It takes a weight for each row: ``fit(..., weights=)``; one around another hands them on.
    sets_sample_weight : bool
        It gives the classifier that it is around weights.
    needs : {"labels", "order", "proba"}
        The least that the classifier that it is around must say of samples.
    costs : bool
        It is given what errors cost, ``costs``, an array (C, C), rows predicted.
    charged : bool
        Costs are charged in what it fits, so that its own labels are those of least cost. Its
        probabilities are on the natural scale all the same, its margins on that of the costs;
        one that cannot say the former says ``beliefs = "order"`` or "labels".
    natural : bool
        Its probabilities stand for the training set's class shares (once what its `prior` says is
        taken out). Not of one that decides by its margins.
    poorly_calibrated : bool
        Its probabilities are far too certain, or take few values: a logarithmic score of them says
        little of how well it does, and candidates are compared by the metric itself.
    beliefs : {"proba", "order", "labels"}
        What it says of samples: probabilities; what orders them (margins); or its labels alone.
    max_features_per_sample : float or None
        Features per training sample from which it is not to be trusted.
    """

    role: ClassVar[str] = "classifier"
    key: ClassVar[str] = "classify"
    heading: ClassVar[str] = "classifiers: classify = ..."
    interface: ClassVar[type] = Classifier

    raw: bool = False
    is_meta_estimator: bool = False
    accepts_sample_weight: bool = False
    sets_sample_weight: bool = False
    needs: Kind = "labels"
    costs: bool = False
    charged: bool = False
    natural: bool = True
    poorly_calibrated: bool = False
    beliefs: Kind = "proba"
    max_features_per_sample: float | None = None

    @property
    def settings(self) -> list[str]:
        """What it is around, if it is one around another, and its parameters."""
        return [*(["of"] if self.is_meta_estimator else []), *self.parameters]


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
    by_prior : bool
        It divides by the class prior that probabilities stand for; of a classifier that declares
        none it takes what that says itself.
    """

    role: ClassVar[str] = "decision"
    key: ClassVar[str] = "decide"
    heading: ClassVar[str] = "decisions: decide = ..."
    interface: ClassVar[type] = Decision

    costs: bool = False
    beliefs: Kind = "proba"
    two_classes: bool = False
    by_prior: bool = False


@dataclass(frozen=True)
class RecalibrationRow(PlanRow):
    """A `Recalibration`."""

    role: ClassVar[str] = "recalibration"
    key: ClassVar[str] = "recalibrate"
    heading: ClassVar[str] = "recalibrations of probabilities: recalibrate = ..."
    interface: ClassVar[type] = Recalibration


@dataclass(frozen=True)
class RuleRow(PlanRow):
    """A `Rule` for abstaining on uncertain samples.

    Attributes
    ----------
    costs : bool
        It compares with what errors cost, if that is known.
    beliefs : {"proba", "order", "labels"}
        The least that it needs of samples.
    """

    role: ClassVar[str] = "rule"
    key: ClassVar[str] = "reject"
    heading: ClassVar[str] = "rules for abstaining: reject = ..."
    interface: ClassVar[type] = Rule
    beside: ClassVar[tuple[str, ...]] = ("score", "novelty")

    costs: bool = False
    beliefs: Kind = "proba"


@dataclass(frozen=True)
class StepRow(PlanRow):
    """A `Step` before ranking.

    Attributes
    ----------
    enter : {"numbers", "categories"}
        Which columns it is for: numeric ones, or the 0/1 columns of categories.
    logs : bool
        It takes logarithms.
    counts : bool
        It takes sequencing counts: whole numbers from 0.
    intensities : bool
        It takes raw intensities of the probes of arrays.
    names : bool
        It learns from the names of its columns, too: ``learn(X, y, names=...)``.
    groups : bool
        It fits what is peculiar to its training rows, too, and says what each would be if its group
        had been left out: ``learn(X, y, groups=...)``, or `learn_table`, then gives a step with
        `FittedStep.training`.
    batches : bool
        It is given the samples' batches too, and says what it does with one it has not seen:
        ``unseen``, "refuse" or "keep".
    """

    role: ClassVar[str] = "step"
    key: ClassVar[str] = "prepare"
    heading: ClassVar[str] = "steps before ranking: prepare = [...]"
    interface: ClassVar[type] = Step
    beside: ClassVar[tuple[str, ...]] = ("block",)

    enter: Literal["numbers", "categories"] = "numbers"
    logs: bool = False
    counts: bool = False
    intensities: bool = False
    names: bool = False
    groups: bool = False
    batches: bool = False


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
