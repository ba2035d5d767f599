"""Columns that look like leaks: which a study refuses, and what it reports of the others."""

from __future__ import annotations

from .._core.errors import DataError
from ..data.dataset import Dataset
from ..data.faults import Fault, Faults
from ..data.leak_detection import find_suspects
from ..data.leak_detection.watched import matches_patterns
from .plan import Plan


def leak_warnings(data: Dataset, plan: Plan) -> list[str]:
    """What a study reports: of suspects that are not grave, and of columns that the plan allows.

    Raises
    ------
    DataError
        Grave ones are left, each with the two ways to answer.
    """
    others = find_suspects(data, without=plan.allow)  # a column that is meant would hide them
    grave = [Fault(f"{one.text}; {one.advice}") for one in others if one.grave]
    if len(grave) > 1:
        raise Faults(data.name, grave, "may hold leaks, and is not studied")
    if grave and any(one.kind == "time-to-event" and one.grave for one in others):
        raise DataError(f"{data.name!r} is not studied: it {grave[0]}")
    if grave:
        raise DataError(f"{data.name!r} may hold a leak, and is not studied: {grave[0]}")
    every = find_suspects(data) if plan.allow else []
    meant = [
        one
        for one in every
        if any(matches_patterns(name, plan.allow) for name in one.columns) or one.kind in plan.allow
    ]
    return [
        *(f"{one.text}; allowed as meant" for one in meant),
        *(f"{one.text}; {one.advice}" for one in others),
    ]
