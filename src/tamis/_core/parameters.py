"""What is set of a method, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Parameters = Mapping[str, object]
"""Parameters of any method by their names, as a plan or a call gives them.

Which there are and what each may be, the row of the method says, or the code of the user's own: who
takes a value checks it first.
"""

ParameterTypes = Mapping[str, tuple[Any, Any]]
"""What a plan may set of a method: the type of each parameter, and pydantic's ``Field`` or ``...``.
"""

StepSettings = Mapping[str, float | str]
"""What tells one step of a path from another, by name."""
