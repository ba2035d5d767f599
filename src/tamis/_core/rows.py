"""The registry: every method a plan can name, one row each, imported only when used.

A family's rows stand in its own room, in a module named in `ROOMS`; other packages add theirs
by the entry point ``tamis.methods`` (a sequence of rows). The plan's validation, `tamis methods`,
the report's words and citations, and the common tests (leaks, chance, determinism) follow from
the row.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal

from .errors import PlanError, nearest, value_text
from .interfaces import Kind
from .own_checks import check_classifier, check_selector, takes_weights
from .own_code import Own, is_own, own_named, running
from .search_row import SearchRow

Role = Literal["select", "method", "classify", "decide", "reject", "prepare"]
ROLES: dict[Role, str] = {
    "select": "select = ...",
    "method": "select = ... (selects and classifies)",
    "classify": "classify = ...",
    "decide": "decide = ...",
    "reject": "reject = ...",
    "prepare": "prepare = [...]",
}
ARG_MAX = "arg_max"  # the decision that is what the classifier itself would say
LEAST_RISK = "minimum_risk"  # that of a plan that names none but costs
NOBODY = "nobody"  # the rule that declines none
NOVEL = "with_novelty"  # the classifier that says how far samples are from what it has seen
OWN_RANKER = "tamis.selection._own:OwnRanker"
OWN_CLASSIFIER = "tamis.classifiers.own:OwnClassifier"
ROOMS = (
    "tamis.selection._rows", "tamis.classifiers.rows", "tamis.preparation.rows",
    "tamis.discovery.rows",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One method.

    Attributes
    ----------
    name : str
        As in plans.
    role : str
        "select": a `Ranker`; "method": a `PathClassifier`, named by a plan's `select`;
        "classify": a `Classifier`; "decide": a `Decision`; "reject": a `Rule` about whom no
        decision is given for; "prepare": a `Step`.
    target : str
        ``module:attribute`` of the class (or factory), imported when the method is used. A
        ranker without one ranks nothing.
    summary : str
    title : str
        What people call it, in a few words.
    fixed : mapping
        Arguments that make this row of a more general class.
    parameters : mapping of name to (type, Field)
        What a plan may set, with pydantic's constraints.
    cite : tuple of str
        Keys of `citations.CITATIONS`.
    classify, sizes, tune
        Defaults of a plan that selects by it.
    sized : bool
        It is cut at the plan's sizes.
    own : bool
        It has a size of its own, ``sizes = ["own"]``.
    cuts : tuple of str
        Parameters that cut its ranking off.
    told : tuple of str
        Parameters that a methods paragraph names, chosen or not.
    codes : bool
        The ranker takes categories as codes in one column, not spread over 0/1 columns, and
        leaves out missing values in a table that has some.
    raw : bool
        The ranker or classifier takes a table as it is: categories as codes in one column, and
        missing values as NaN. Of classifiers see `RawClassifier`; one around another has what it
        is around.
    presorts : bool
        The ranker walks the sorted columns, which the table shares.
    members : int
        Samples of each class that the ranker needs in every training part.
    covariates : bool
        It has models that carry covariates.
    prepared : bool
        Steps before ranking are for it; the covariates by themselves are only imputed.
    enter : {"numbers", "categories"}
        Which columns a step is for: numeric ones, or the 0/1 columns of categories.
    logs : bool
        The step takes logarithms.
    batches : bool
        The step is given the samples' batches too, and says what it does with one it has not
        seen: ``unseen``, "refuse" or "keep".
    wraps : bool
        The classifier is one around another, ``classify = {name = ..., of = ...}``.
    weights : bool
        The classifier takes a weight for each row: ``fit(..., weights=)``; one around another
        hands them on.
    weighs : bool
        It gives the classifier that it is around weights.
    needs : {"labels", "order", "proba"}
        The least that the classifier that it is around must say of samples.
    costs : bool
        It is given what errors cost, ``costs``, an array (C, C), rows predicted; a plan that names
        it says so in ``[costs]``.
    charged : bool
        Costs are charged in what it fits, so that its own labels are those of least cost. Its
        probabilities are on the natural scale all the same, its margins on that of the costs;
        one that cannot say the former says ``beliefs = "order"`` or "labels".
    natural : bool
        A classifier's probabilities stand for the training part's class shares (once what its
        `prior` says is taken out). Not of one that decides by its margins.
    rough : bool
        Its probabilities are far too certain, or take few values: a logarithmic score of them says
        little of how well it does, and candidates are compared by the metric itself.
    beliefs : {"proba", "order", "labels"}
        What a classifier says of samples: probabilities; what orders them (margins); or its
        labels alone. Of a decision: the least that it needs.
    believes : bool or str
        The decision makes probabilities of what orders samples; always, or where this parameter
        of it is given.
    two_classes : bool
        The decision is between two classes.
    by_prior : bool
        The decision divides by the class prior that probabilities stand for; of a classifier that
        declares none it takes what that says itself.
    crowded : float or None
        Features per training sample from which a classifier is not to be trusted.
    free : bool
        Its parameters may be any JSON; the code itself checks them.
    """

    name: str
    role: Role
    target: str
    summary: str
    title: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cite: tuple[str, ...] = ()
    classify: tuple[str, ...] = ("logistic",)
    sizes: tuple[int | str, ...] = ()
    tune: str = ""
    sized: bool = True
    own: bool = False
    cuts: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    codes: bool = False
    raw: bool = False
    presorts: bool = False
    members: int = 1
    covariates: bool = True
    prepared: bool = True
    enter: Literal["numbers", "categories"] = "numbers"
    logs: bool = False
    batches: bool = False
    wraps: bool = False
    weights: bool = False
    weighs: bool = False
    needs: Kind = "labels"
    costs: bool = False
    charged: bool = False
    natural: bool = True
    rough: bool = False
    beliefs: Kind = "proba"
    believes: bool | str = False
    two_classes: bool = False
    by_prior: bool = False
    crowded: float | None = None
    free: bool = False

    def load(self) -> Any:
        """The class or factory."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    def build(self, parameters: Mapping[str, Any]) -> Any:
        """An instance with a plan's parameters; None of a row that ranks nothing."""
        return self.load()(**{**self.fixed, **parameters}) if self.target else None

    def makes_beliefs(self, parameters: Mapping[str, Any]) -> bool:
        """Whether the decision, with these parameters, makes probabilities of what orders."""
        if isinstance(self.believes, str):
            return parameters.get(self.believes) is not None
        return self.believes

    def validated(self, values: Any) -> dict[str, Any]:
        """Parameter values checked; unknown names and bad values are refused."""
        from pydantic import ConfigDict, ValidationError, create_model

        if not isinstance(values, Mapping):
            raise PlanError(f"parameters of {self.name!r} must be a table, not {values!r}")
        for key in values:
            if key not in self.parameters:
                allowed = list(self.parameters)
                hint = nearest(key, allowed) if allowed else "it takes none"
                raise PlanError(f"{self.name!r} has no parameter {key!r}: {hint}")
        if self.free:
            return {key: _json_of(value, self.name, key) for key, value in values.items()}
        fields = {key: self.parameters[key] for key in values}
        model = create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)
        try:
            return model.model_validate(dict(values)).model_dump()
        except ValidationError as error:
            faults = error.errors(include_url=False)
            key = str(faults[0]["loc"][0])
            words = dict.fromkeys(f["msg"] for f in faults if f["loc"][0] == key)  # a union's: all
            value = values[key]
            raise PlanError(f"{self.name}: {key} = {value!r}: {'; or '.join(words)}") from error


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


@cache
def _known() -> tuple[Row | SearchRow, ...]:
    from importlib.metadata import entry_points

    found = [row for room in ROOMS for row in importlib.import_module(room).ROWS]
    for point in entry_points(group="tamis.methods"):
        try:
            rows = list(point.load())
        except Exception as error:  # whatever another package raises
            raise PlanError(
                f"the methods of the entry point tamis.methods = {point.value!r} cannot be had "
                f"({type(error).__name__}: {error}): mend or remove that package"
            ) from error
        found += checked_rows(rows, point.value, {(row.name, row.role) for row in found})
    return tuple(found)


def checked_rows(
    rows: Sequence[Any], origin: str, taken: set[tuple[str, str]]
) -> Sequence[Row | SearchRow]:
    """Rows of another package, refused if they are none or their names are taken."""
    for row in rows:
        if not isinstance(row, Row | SearchRow):
            raise PlanError(
                f"{origin!r} gives {type(row).__name__}, not a row of the registry: a filter "
                "becomes one by tamis.selection._rows.filter_row"
            )
        if (row.name, row.role) in taken:
            raise PlanError(f"{origin!r} names a method {row.name!r}, which there is already")
    return rows


_added: list[Row | SearchRow] = []


def all_rows() -> tuple[Row, ...]:
    """Every row that a plan can name, in the order of the rooms."""
    return tuple(row for row in (*_known(), *_added) if isinstance(row, Row))


def search_rows() -> tuple[SearchRow, ...]:
    """Every search of `tamis interact`, in the order of the rooms."""
    return tuple(row for row in (*_known(), *_added) if isinstance(row, SearchRow))


def find_search(name: Any) -> SearchRow:
    """The row of a search.

    Examples
    --------
    >>> find_search("mcsf")
    Traceback (most recent call last):
    ...
    tamis._core.errors.PlanError: method='mcsf': did you mean 'mcfs'?
    """
    rows = {row.name: row for row in search_rows()}
    if name not in rows:
        raise PlanError(f"method={name!r}: {nearest(name, rows)}")
    return rows[name]


@contextmanager
def with_rows(rows: Sequence[Row | SearchRow]) -> Iterator[None]:
    """More rows for a while, in this process: for trying out a method of one's own."""
    taken: set[tuple[str, str]] = {(row.name, row.role) for row in (*_known(), *_added)}
    _added.extend(checked_rows(rows, "with_rows", taken))
    try:
        yield
    finally:
        del _added[-len(rows) :]


def row_names(*roles: Role) -> list[str]:
    """Plan names of some roles, in registry order."""
    return [row.name for row in all_rows() if row.role in roles]


def find_row(name: str, *roles: Role) -> Row:
    """The row of a plan name.

    Raises
    ------
    PlanError
        With the nearest valid name.
    """
    if is_own(name):
        return own_row(name, roles[0])
    for row in all_rows():
        if row.name == name and row.role in roles:
            return row
    key = "select" if roles[0] == "method" else roles[0]
    if "." in name and roles[0] in OWN_ROLES:
        module, _, last = name.rpartition(".")
        own = value_text(f"{module}:{last}")
        raise PlanError(f"unknown name {key} = {value_text(name)}: of own code write {own}")
    raise PlanError(f"unknown name {key} = {value_text(name)}: {nearest(name, row_names(*roles))}")


OWN_ROLES = ("select", "classify")
SAVED = {"own:Filled": False, "own:Raw": True}  # in model files: whether it sees a table as it is


def own_row(name: str, role: Role) -> Row:
    """The row of code of the user's own, ``package.module:Name``.

    Raises
    ------
    PlanError
        It cannot be had, or is no selector or classifier.
    """
    if name in SAVED:
        raw = SAVED[name]
        return Row(name, "classify", OWN_CLASSIFIER, "", "", raw=raw, weights=True, natural=False)
    if role not in OWN_ROLES:
        raise PlanError(f"{role} = {name!r}: own code can select and classify")
    own = own_named(name)
    return _row_of(own, role)


@lru_cache(maxsize=100)
def _row_of(own: Own, role: Role) -> Row:
    parameters = dict.fromkeys(own.parameters, (Any, ...))
    with running(own, "be described"):
        text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(own.example).split()))
    words = f"{text} ({own.name.partition(':')[0]})"
    if role == "select":
        check_selector(own)
        sizes = () if callable(getattr(own.example, "rank", None)) else ("own",)
        return Row(
            own.name, role, OWN_RANKER, words, own.short, {"own": own}, parameters,
            sizes=sizes, own=True, free=True,
        )  # fmt: skip
    beliefs = check_classifier(own)
    return Row(
        own.name, role, OWN_CLASSIFIER, words, own.short, {"own": own}, parameters,
        raw="categorical_features" in own.parameters, beliefs=beliefs, free=True,
        weights=takes_weights(own), natural=False,
    )  # fmt: skip


def selecting_row(name: str) -> Row:
    """The row of a plan's `select`: a ranker, or a method that classifies too."""
    return find_row(name, "select", "method")
