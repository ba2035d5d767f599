"""The registry: every method that can be named, one row each, imported only when used.

A family's rows stand in its own room, in a module named in `ROLES_BY_MODULE`; other packages add
theirs
by the entry point ``tamis.methods`` (a sequence of rows). The plan's validation, `tamis methods`,
the report's words and citations, the tables of the docs and the common tests follow from the row.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, TypeVar

from .citations import CITATIONS
from .errors import PlanError, listed_names, nearest_hint, value_text
from .own_checks import (
    check_classifier,
    check_outcome,
    check_regressor,
    check_selector,
    is_kind,
    takes_weights,
)
from .own_code import Own, is_own, own_named, running_own_code
from .response import NUMBERS, RESPONSE_KINDS, RESPONSE_NOUNS, response_kind
from .row_groups import (
    ClassifierPromises,
    ClassifierTakes,
    PlanDefaults,
    SelectorPromises,
    SelectorTakes,
)
from .rows import (
    ClassifierRow,
    DecisionRow,
    PathRow,
    PlanRow,
    RankerRow,
    RecalibrationRow,
    Row,
    RuleRow,
    SearchRow,
    SelectingRow,
    SimilarityRow,
    StepRow,
)

ARG_MAX = "arg_max"  # the decision that is what the classifier itself would say
AS_PREDICTED = "as_predicted"  # that of a number, which is no decision
LEAST_RISK = "minimum_risk"  # that of a plan that names none but costs
DEFAULT_RECALIBRATION = "slope"  # the recalibration of a plan that names none
NO_RECALIBRATION = "none"  # the recalibration that leaves probabilities as they are
# what predicts after a ranker that names nothing of its own, by the kind of outcome
USUAL_CLASSIFIERS = {"class": "logistic", "number": "ridge"}
NO_REJECTION = "nobody"  # the rule that declines none
# the classifier that says how far samples are from what it has seen
NOVELTY_CLASSIFIER = "with_novelty"
OWN_RANKER = "tamis.selection._user_ranker:UserRanker"
OWN_CLASSIFIER = "tamis.classifiers.user_classifier:UserClassifier"
OWN_REGRESSOR = "tamis.classifiers.user_classifier:UserRegression"
ROLES_BY_MODULE: dict[str, tuple[type[Row], ...]] = {  # and the roles that each has
    "tamis.selection.rows": (RankerRow,),
    "tamis.classifiers.rows": (PathRow, ClassifierRow, RecalibrationRow, DecisionRow, RuleRow),
    "tamis.preparation.rows": (StepRow,),
    "tamis.expression.rows": (StepRow,),
    "tamis.discovery.rows": (SearchRow,),
    "tamis.ontology.similarities.rows": (SimilarityRow,),
}
ANY_OUTCOME = "any"  # rows whatever they are for
R = TypeVar("R", bound=Row)


def _rows_of_rooms(kind: type[Row]) -> list[Row]:
    """The rows of the rooms that may have such, in their order; no other is imported."""
    return [
        row
        for room, roles in ROLES_BY_MODULE.items()
        if any(issubclass(kind, role) or issubclass(role, kind) for role in roles)
        for row in importlib.import_module(room).ROWS
    ]


@cache
def _rows_of_others() -> tuple[Row, ...]:
    """Those of other packages."""
    from importlib.metadata import entry_points

    found: list[Row] = []
    for point in entry_points(group="tamis.methods"):
        try:
            rows = list(point.load())
        except Exception as error:  # whatever another package raises
            raise PlanError(
                f"the methods of the entry point tamis.methods = {point.value!r} cannot be had "
                f"({type(error).__name__}: {error}): mend or remove that package"
            ) from error
        found += checked_rows(rows, point.value, _names_of([*_rows_of_rooms(Row), *found]))
    return tuple(found)


def _names_of(rows: Sequence[Row]) -> set[tuple[str, str, str]]:
    return {(row.name, row.key, kind) for row in rows for kind in _kinds_of(row)}


def _kinds_of(row: Row) -> tuple[str, ...]:
    """The outcomes that a row is for."""
    return row.serves if isinstance(row, PlanRow) else RESPONSE_KINDS


def checked_rows(
    rows: Sequence[Any], origin: str, taken: set[tuple[str, str, str]]
) -> Sequence[Row]:
    """Rows of another package, refused if they are none or their names are taken."""
    for row in rows:
        if not isinstance(row, Row) or not row.role:
            raise PlanError(
                f"{origin!r} gives {type(row).__name__}, not a row of the registry: make it one of "
                "a role, such as tamis._core.rows.ClassifierRow"
            )
        if not re.fullmatch(r"[a-z][a-z0-9_]*", row.name):
            raise PlanError(
                f"{origin!r} names a method {row.name!r}: give a name of small letters, digits and "
                "underscores, as plans have it"
            )
        if unknown := [key for key in row.cite if key not in CITATIONS and "(" not in key]:
            raise PlanError(
                f"{row.name!r} cites {unknown[0]!r}, which is no key of _core/citations.py: give "
                "the full citation, as in 'Author A (2020). Title. Journal 1:2-3.'"
            )
        if taken & (own := _names_of([row])):
            raise PlanError(f"{origin!r} names a method {row.name!r}, which there is already")
        taken |= own
    return rows


_added: list[Row] = []
_kept: dict[type[Row], Any] = {}


@contextmanager
def with_rows(rows: Sequence[Row]) -> Iterator[None]:
    """More rows for a while, in this process: for trying out a method of one's own."""
    _added.extend(checked_rows(rows, "with_rows", _names_of(rows_of(Row, ANY_OUTCOME))))
    _kept.clear()
    try:
        yield
    finally:
        del _added[len(_added) - len(rows) :]
        _kept.clear()


def rows_of(kind: type[R], response: str = "class") -> list[R]:
    """The rows of a role, or of all that plans name (`PlanRow`), in the order of the rooms: those
    for an outcome, or for `ANY_OUTCOME`."""
    found = _by_name(kind)[0]
    return [row for row in found if response in (ANY_OUTCOME, *_kinds_of(row))]


def _by_name(kind: type[R]) -> tuple[list[R], dict[tuple[str, str], R]]:
    """Rows of a role, and by name and outcome; kept, for a study asks a hundred thousand times."""
    if kind not in _kept:
        every = (*_rows_of_rooms(kind), *_rows_of_others(), *_added)
        found = [row for row in every if isinstance(row, kind)]
        by_name = {(row.name, one): row for row in reversed(found) for one in _kinds_of(row)}
        _kept[kind] = found, by_name
    kept: tuple[list[R], dict[tuple[str, str], R]] = _kept[kind]
    return kept


def row_names(kind: type[Row], response: str = "class") -> list[str]:
    """Names of a role, in the order of the rooms; as of `rows_of`."""
    return list(dict.fromkeys(row.name for row in rows_of(kind, response)))


def find_row(name: str, kind: type[R], response: str | None = None) -> R:
    """The row of a name, of a role, for an outcome; None: for classes, or else for another.

    Raises
    ------
    PlanError
        With the nearest valid name; of a method for another outcome, with those for this one.

    Examples
    --------
    >>> from tamis._core.rows import SearchRow
    >>> find_row("mcsf", SearchRow)
    Traceback (most recent call last):
    ...
    tamis._core.errors.PlanError: unknown name method = 'mcsf': did you mean 'mcfs'?
    """
    if is_own(name):
        row = own_row(name, kind)
        assert isinstance(row, kind)
        if response is not None and row.key == ClassifierRow.key and name not in SAVED_OWN_VIEWS:
            check_outcome(own_named(name), response)
        return row
    known, key = _by_name(kind)[1], kind.key
    for one in RESPONSE_KINDS if response is None else (response,):
        if (name, one) in known:
            return known[name, one]
    able = row_names(kind, response or ANY_OUTCOME)
    others = [one for one in RESPONSE_KINDS if (name, one) in known]
    if others and response is not None:
        raise PlanError(
            f"{key} = {value_text(name)} needs {RESPONSE_NOUNS[others[0]]}; for "
            f"{RESPONSE_NOUNS[response_kind(response)]}: {listed_names(able, 20)}"
        )
    if "." in name and any(issubclass(one, kind) for one in OWN_ROWS):
        module, _, last = name.rpartition(".")
        own = value_text(f"{module}:{last}")
        raise PlanError(f"unknown name {key} = {value_text(name)}: of own code write {own}")
    raise PlanError(f"unknown name {key} = {value_text(name)}: {nearest_hint(name, able)}")


def selecting_row(name: str, response: str | None = None) -> SelectingRow:
    """The row of a plan's `select`: a ranker, or a path that classifies too."""
    return find_row(name, SelectingRow, response)


OWN_ROWS = (RankerRow, ClassifierRow)  # what the user's own code can be
# in model files: whether it sees a table as it is
SAVED_OWN_VIEWS = {"own:Filled": False, "own:Raw": True}


def own_row(name: str, kind: type[Row]) -> Row:
    """The row of code of the user's own, ``package.module:Name``.

    Raises
    ------
    PlanError
        It cannot be had, or is no selector or classifier.
    """
    made = next((one for one in OWN_ROWS if issubclass(one, kind)), None)
    # before anything is imported
    if made is None or (name in SAVED_OWN_VIEWS and made is RankerRow):
        raise PlanError(f"{kind.key} = {name!r}: own code can select and classify")
    if name in SAVED_OWN_VIEWS:
        return ClassifierRow(
            name,
            OWN_CLASSIFIER,
            takes=ClassifierTakes(
                raw=SAVED_OWN_VIEWS[name], accepts_sample_weight=True, outcomes=RESPONSE_KINDS
            ),
            promises=ClassifierPromises(natural=False),
        )
    return _row_of(own_named(name), made.key)


@lru_cache(maxsize=100)
def _row_of(own: Own, key: str) -> Row:
    parameters = dict.fromkeys(own.parameters, (Any, ...))
    with running_own_code(own, "be described"):
        text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(own.example).split()))
    words = f"{text} ({own.name.partition(':')[0]})"
    if key == RankerRow.key:
        check_selector(own)
        sizes = () if callable(getattr(own.example, "rank", None)) else ("own",)
        return RankerRow(
            own.name,
            OWN_RANKER,
            words,
            own.short,
            {"own": own},
            parameters,
            plan_defaults=PlanDefaults(sizes),
            takes=SelectorTakes(outcomes=RESPONSE_KINDS),
            promises=SelectorPromises(own_size=True),
        )
    raw = "categorical_features" in own.parameters
    if is_kind(own.example, "is_regressor"):
        check_regressor(own)
        return ClassifierRow(
            own.name,
            OWN_REGRESSOR,
            words,
            own.short,
            {"own": own},
            parameters,
            takes=ClassifierTakes(raw=raw, outcomes=NUMBERS),
            promises=ClassifierPromises(natural=False),
        )
    beliefs = check_classifier(own)
    return ClassifierRow(
        own.name,
        OWN_CLASSIFIER,
        words,
        own.short,
        {"own": own},
        parameters,
        takes=ClassifierTakes(raw=raw, accepts_sample_weight=takes_weights(own)),
        promises=ClassifierPromises(beliefs, natural=False),
    )
