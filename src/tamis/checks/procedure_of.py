"""The method of a row as the checks see it: on tables, or on beliefs."""

from __future__ import annotations

from .._core.rows import PlanRow
from . import roles
from .on_beliefs import OnBeliefs
from .on_tables import OnTables
from .procedure import Procedure, Settings


def procedure_of(row: PlanRow, settings: Settings) -> Procedure:
    """The method as the checks see it.

    Raises
    ------
    Inapplicable
        Made-up tables have nothing for it.
    """
    roles.refuse_untested(row)
    return OnBeliefs(row, settings) if roles.is_decision(row) else OnTables(row, settings)
