"""The method of a row as the checks see it: on tables, or on beliefs."""

from __future__ import annotations

from .._core.response import ResponseKind
from .._core.rows import PlanRow
from . import roles
from .on_beliefs import OnBeliefs
from .on_tables import OnTables
from .procedure import Procedure, Settings


def procedure_of(
    row: PlanRow, settings: Settings, response: ResponseKind | None = None
) -> Procedure:
    """The method as the checks see it, on tables of an outcome that it serves.

    Raises
    ------
    Inapplicable
        Made-up tables have nothing for it.
    """
    roles.refuse_untested(row)
    if roles.is_decision(row):
        return OnBeliefs(row, settings)
    return OnTables(row, settings, response=response)
