"""The row of a method under check by its role: the one place that looks at rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .._core.errors import PlanError, nearest_hint, value_text
from .._core.own_code import is_own, object_named, own_named
from .._core.registry import (
    ANY_OUTCOME,
    ARG_MAX,
    find_row,
    own_row,
    row_names,
    rows_of,
    selecting_row,
    with_rows,
)
from .._core.response import ResponseKind
from .._core.rows import (
    ClassifierRow,
    DecisionRow,
    PathRow,
    PlanRow,
    RankerRow,
    RecalibrationRow,
    Row,
    RuleRow,
    SelectingRow,
    StepRow,
)
from .procedure import Settings
from .verdict import Inapplicable

if TYPE_CHECKING:
    from ..study.plan import MethodPlan

# that stand beside what has none of its own, by the outcome
COMPANION_RANKERS = {"class": "moderated_t", "number": "correlation"}
COMPANION_CLASSIFIERS = {"class": "naive_bayes", "number": "ridge"}


def rows_named(name: str) -> list[Row]:
    """Rows by a plan's name, or by ``package.module:NAME`` of a row, a list of rows, or code of
    the user's own that selects or classifies.

    Raises
    ------
    PlanError
        There is none.
    """
    if not is_own(name):
        found = [row for row in rows_of(Row, ANY_OUTCOME) if row.name == name]
        if not found:
            raise PlanError(
                f"no method {value_text(name)}: {nearest_hint(name, row_names(Row))} (one of your "
                "own is package.module:ROW)"
            )
        return found
    given = object_named(name)
    rows = [given] if isinstance(given, Row) else given
    if isinstance(rows, list | tuple) and rows and all(isinstance(one, Row) for one in rows):
        return list(rows)
    example = own_named(name).example
    last = example.steps[-1][1] if hasattr(example, "steps") else example
    selects = hasattr(last, "get_support") or hasattr(last, "rank")
    return [own_row(name, RankerRow if selects else ClassifierRow)]


@contextmanager
def row_in_registry(row: Row) -> Iterator[None]:
    """With the row among those of the registry, if it is not there yet."""
    if is_own(row.name) or row in rows_of(Row, ANY_OUTCOME):
        yield
        return
    with with_rows([row]):
        yield


def of_this_process(row: PlanRow) -> PlanRow:
    """The registry's own row, of one that came from another process."""
    key = row.name, row.key, row.serves
    every = rows_of(PlanRow, ANY_OUTCOME)
    named = (one for one in every if (one.name, one.key, one.serves) == key)
    return next(named, row)


def refuse_untested(row: PlanRow) -> None:
    """Refuse a method for which made-up tables have nothing.

    Raises
    ------
    Inapplicable
        With the reason.
    """
    if isinstance(row, StepRow) and not row.load().on_matrix:
        raise Inapplicable("it takes packed genotypes alone, of which there is no made-up table")
    if isinstance(row, StepRow) and row.enter == "intensities":
        raise Inapplicable(
            "it takes intensities of probes alone, of which there is no made-up table"
        )
    if isinstance(row, RankerRow) and not row.target and not row.takes.prepared:
        raise Inapplicable("it selects nothing")
    if isinstance(row, DecisionRow) and "class" not in row.serves:
        raise Inapplicable("it leaves predictions as they are")


def is_decision(row: PlanRow) -> bool:
    """Whether it sees beliefs alone, and no table."""
    return isinstance(row, DecisionRow | RecalibrationRow | RuleRow)


def is_rule(row: PlanRow) -> bool:
    """Whether it says which samples are given no class."""
    return isinstance(row, RuleRow)


def is_recalibration(row: PlanRow) -> bool:
    """Whether it gives probabilities in the place of a classifier's own."""
    return isinstance(row, RecalibrationRow)


def outcome_of(row: PlanRow) -> ResponseKind:
    """The outcome on which it is checked: classes, or the only one that it serves."""
    return row.serves[0]


def plain_decision() -> DecisionRow:
    """The decision with which rules and recalibrations are checked."""
    return find_row(ARG_MAX, DecisionRow)


def is_step(row: PlanRow) -> bool:
    """Whether it stands before a ranking."""
    return isinstance(row, StepRow)


def is_path(row: PlanRow) -> bool:
    """Whether it selects along a path of its own."""
    return isinstance(row, PathRow)


def takes_sizes(row: PlanRow) -> bool:
    """Whether a plan's numbers of features are for it."""
    return is_path(row) or (isinstance(row, RankerRow) and row.sized)


def gives_probabilities(row: PlanRow) -> bool:
    """Whether what it says of classes adds to 1; else it orders samples, or is a label alone."""
    return not isinstance(row, ClassifierRow) or row.promises.beliefs == "proba"


def by_batch(row: PlanRow) -> bool:
    """Whether it is a step that is given batches."""
    return isinstance(row, StepRow) and row.learns_by("batch")


def by_counts(row: PlanRow) -> bool:
    """Whether it is a step that takes sequencing counts."""
    return isinstance(row, StepRow) and row.enter == "counts"


def gives_scores(row: PlanRow) -> bool:
    """Whether it gives each column a score."""
    return isinstance(row, RankerRow) and bool(row.target)


def ranks_as_it_is(row: PlanRow) -> bool:
    """Whether it is a ranker that sees missing values and codes."""
    return isinstance(row, RankerRow) and row.takes.raw


def of_two_classes(row: PlanRow) -> bool:
    """Whether it is a decision between two classes alone."""
    return isinstance(row, DecisionRow) and row.two_classes


def looks_at_costs(row: PlanRow) -> bool:
    """Whether it is a decision that is given what errors cost."""
    return isinstance(row, DecisionRow) and row.costs


def is_classifier(row: PlanRow) -> bool:
    """Whether it is fitted on what others select."""
    return isinstance(row, ClassifierRow)


def plans_of(
    row: PlanRow,
    settings: Settings,
    sizes: Sequence[int | str] | None = None,
    response: ResponseKind | None = None,
) -> list[dict[str, object]]:
    """Methods of a plan in which it takes part, as small as they can be; a path as it is, and cut
    at sizes."""
    given = dict(settings.parameters)
    kind = response or outcome_of(row)
    ranked: dict[str, object] = {"select": COMPANION_RANKERS[kind], "sizes": [3]}
    if isinstance(row, StepRow):
        return [{**ranked, "prepare": [{"name": row.name, **given}]}]
    if isinstance(row, ClassifierRow):
        label: Any = (
            {"name": row.name, "of": COMPANION_CLASSIFIERS[kind]}
            if row.takes.is_meta_estimator
            else row.name
        )
        grid = {**{k: [v] for k, v in given.items()}, **settings.grid}
        return [{**ranked, "classify": label, "grid": grid}]
    if is_decision(row):
        return [{**ranked, "sizes": [2, 4], row.key: {"name": row.name, **given}}]
    found: dict[str, object] = {"select": row.name, "parameters": given}
    if isinstance(row, PathRow):
        return [found, {**found, "sizes": sizes or [1, 3]}]
    if not row.target:  # all features: none is ranked
        return [found]
    own_size = isinstance(row, RankerRow) and row.plan_defaults.sizes == ("own",)
    return [{**found, "sizes": sizes or (["own"] if own_size else [2, 5])}]


def selecting_row_of(plan: MethodPlan) -> SelectingRow:
    """The row of what a method selects by."""
    return selecting_row(plan.select, plan.response)
