"""What is set of a method, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

Parameters = Mapping[str, object]
"""Parameters of any method by their names, as a plan or a call gives them.

Which there are and what each may be, the row of the method says, or the code of the user's own: who
takes a value checks it first.
"""

ParameterTypes = Mapping[str, tuple[Any, Any]]
"""What a plan may set of a method: the type of each parameter, and pydantic's ``Field`` or ``...``.
"""

MOST_RUNS = 100_000  # of what is done again and again: permuted runs, trees, rounds
MOST_DRAWS = 10_000_000  # of some features each, until all have been drawn often
MOST_ITEMS = 100_000_000  # of what is counted: features, samples, sets


def runs_field(least: int = 1) -> tuple[type, Any]:
    """How often something is done, as a plan's parameter: more than `MOST_RUNS` would not end."""
    from pydantic import Field

    return (int, Field(ge=least, le=MOST_RUNS))


def items_field(least: int = 1) -> tuple[type, Any]:
    """How many of something there are, as a plan's parameter; arrays hold `MOST_ITEMS`."""
    from pydantic import Field

    return (int, Field(ge=least, le=MOST_ITEMS))


def takes_argument(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has an argument of this name; one of compiled code may not tell."""
    try:
        return name in inspect.signature(function).parameters
    except ValueError:
        return False


StepSettings = Mapping[str, float | str]
"""What distinguishes one step of a path from another, by name."""
