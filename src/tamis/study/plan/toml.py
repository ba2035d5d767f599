"""A plan's file as plain values, with nothing in it that no plan needs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ..._core.errors import PlanError

MOST_BYTES = 16 << 20  # of a plan; the longest list of sizes takes a few thousand
MOST_DEEP = 32  # tables and lists inside each other
WHOLE = range(-(2**63), 2**63)  # what TOML promises of whole numbers


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a file.

    Raises
    ------
    PlanError
        It cannot be read, is not TOML, or is larger, deeper or of longer numbers than plans are.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PlanError(f"cannot read plan {str(path)!r}: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise PlanError(f"{str(path)!r} is no plan: it has more than {MOST_BYTES >> 20} MB")
    try:
        found = tomllib.loads(data.decode("utf-8").replace("\r\n", "\n"))
    except RecursionError:
        raise _too_deep(path) from None
    except ValueError as error:  # its kinds: TOML, UTF-8, digits of a number
        raise PlanError(f"plan {str(path)!r} is not TOML: {error}") from error
    layer: list[Any] = [found]
    for _ in range(MOST_DEEP):
        inside: list[Any] = []
        for one in layer:
            if isinstance(one, dict | list):
                inside += one.values() if isinstance(one, dict) else one
            elif isinstance(one, int) and one not in WHOLE:
                raise PlanError(f"plan {str(path)!r} has a whole number of more than 64 bits")
        layer = inside
    if layer:
        raise _too_deep(path)
    return found


def _too_deep(path: Path) -> PlanError:
    return PlanError(f"plan {str(path)!r} has tables or lists more than {MOST_DEEP} deep")
