"""All checks of one method, one after the other, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .._core.parameters import Parameters
from .._core.response import ResponseKind
from .._core.rows import PlanRow, Row, SearchRow
from .verdict import (
    Check,
    Fault,
    Inapplicable,
    Outcome,
    Report,
    Verdict,
    error_words,
    waiting_words,
)

if TYPE_CHECKING:
    from .procedure import Procedure


def every_check() -> tuple[Check, ...]:
    """All checks of a method of plans, in the order in which they run."""
    from . import (
        categories,
        chance,
        gaps,
        global_random,
        leak,
        left_alone,
        memory,
        missing_made,
        one_at_a_time,
        refit,
        same_bytes,
        sizes,
        unseen_levels,
    )

    rooms = (
        memory,
        global_random,
        leak,
        one_at_a_time,
        refit,
        sizes,
        same_bytes,
        missing_made,
        left_alone,
        gaps,
        categories,
        unseen_levels,
        chance,
    )
    return tuple(room.CHECK for room in rooms)


def n_checks(row: Row) -> int:
    """How many checks there are of its kind."""
    if isinstance(row, SearchRow):
        from .searches import CHECKS

        return len(CHECKS)
    return len(every_check())


def check_method(
    row: Row,
    parameters: Parameters | None = None,
    grid: Mapping[str, object] | None = None,
    codes: Sequence[str] = (),
    advance: Callable[[str], None] = lambda code: None,
    response: ResponseKind | None = None,
) -> Report:
    """What every check says of the method of a row.

    Parameters
    ----------
    row : Row
        Registered or not. A search has checks of its own, those of `searches.check_search`.
    parameters : mapping, optional
        What a plan would set, or more settings of a search.
    grid : mapping, optional
        Of a classifier, as in plans.
    codes : sequence of str, optional
        Of the checks to run; all of them if none are named.
    advance : callable
        Called with the code of each check that is done.
    response : {"class", "number"}, optional
        The outcome of the made-up tables; None: classes, or the only one that the row serves.

    Raises
    ------
    PlanError
        It does not run on the plainest table.

    Examples
    --------
    >>> from tamis._core.registry import find_row
    >>> from tamis.selection._filters import FilterRow
    >>> check_method(find_row("pearson", FilterRow)).failed
    []
    """
    if isinstance(row, SearchRow):
        from .searches import check_search

        row.load().checked(parameters or {}, row.name)
        return check_search(replace(row, quick={**row.quick, **(parameters or {})}), advance)
    from . import roles
    from .cell_manners import as_in_a_study
    from .procedure import Settings
    from .procedure_of import procedure_of

    with roles.row_in_registry(row), as_in_a_study():  # refuses a row without a role
        assert isinstance(row, PlanRow)
        checks = [check for check in every_check() if not codes or check.code in codes]
        settings = Settings(row.validated(parameters or {}), grid or {})
        try:
            method = procedure_of(row, settings, response)
        except Inapplicable as reason:
            idle = [Verdict(c.code, c.asks, "not applicable", str(reason)) for c in checks]
            return Report(row.name, row.role, tuple(idle))
        found = method.start()  # faults by code
        runs = bool(method.kinds)
        verdicts: list[Verdict] = []
        for check in checks:
            words, outcome = _outcome_of_check(check, method, found, runs)
            verdicts.append(Verdict(check.code, check.asks, outcome, words))
            advance(check.code)
        # what another check came upon
        late = [
            Verdict(v.code, v.asks, "failed", found[v.code]) if v.code in found else v
            for v in verdicts
        ]
        return Report(row.name, row.role, tuple(late))


def _outcome_of_check(
    check: Check, method: Procedure, found: dict[str, str], runs: bool
) -> tuple[str, Outcome]:
    """The words and the outcome of one check; its fault joins those found, by code."""
    if check.code in found:
        return found[check.code], "failed"
    before = [code for code in found if code in check.after or not runs]
    if before:
        return waiting_words(before), "not applicable"
    try:
        check.run(method)
    except Inapplicable as reason:
        return str(reason), "not applicable"
    except Fault as fault:
        found[check.code] = str(fault)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:  # whatever the method raises
        code = getattr(error, "check", "") or check.code
        found.setdefault(code, f"it stops ({error_words(error)})")
        if code != check.code:
            return waiting_words([code]), "not applicable"
    return (found[check.code], "failed") if check.code in found else ("", "passed")
