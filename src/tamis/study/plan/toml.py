"""A plan's file: read as plain values, with nothing in it that no plan needs, and written."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from ..._core.errors import PlanError
from ..._core.toml_text import toml_text

MOST_BYTES = 16 << 20  # of a plan; the longest list of sizes takes a few thousand
MOST_DEEP = 32  # tables and lists inside each other
OMITTED_VALUES: tuple[object, ...] = (None, "", [], {})  # what need not be written
TOML_INTEGERS = range(-(2**63), 2**63)  # what TOML promises of whole numbers


def read_toml(path: Path) -> dict[str, object]:
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
    layer: list[object] = [found]
    for _ in range(MOST_DEEP):
        inside: list[object] = []
        for one in layer:
            if isinstance(one, dict | list):
                inside += one.values() if isinstance(one, dict) else one
            elif isinstance(one, int) and one not in TOML_INTEGERS:
                raise PlanError(f"plan {str(path)!r} has a whole number of more than 64 bits")
        layer = inside
    if layer:
        raise _too_deep(path)
    return found


def _too_deep(path: Path) -> PlanError:
    return PlanError(f"plan {str(path)!r} has tables or lists more than {MOST_DEEP} deep")


def plan_toml(plan: Mapping[str, object]) -> str:
    """A plan, as `Plan.model_dump` gives it, as the TOML that `read_toml` reads.

    Examples
    --------
    >>> methods = [{"select": "pearson", "sizes": [5, 10], "tune": ""}]
    >>> print(plan_toml({"method": methods, "seed": 1, "costs": None}), end="")
    seed = 1
    <BLANKLINE>
    [[method]]
    select = "pearson"
    sizes = [5, 10]
    """
    methods_last = sorted(plan.items(), key=lambda entry: entry[0] == "method")
    return toml_text(_written_entries(dict(methods_last), OMITTED_VALUES))


def _written_entries(table: Mapping[str, object], silent: tuple[object, ...]) -> dict[str, object]:
    """Entries that say something; of parameters all do but None."""
    found = {k: _written(v, (None,) if k == "parameters" else silent) for k, v in table.items()}
    return {k: v for k, v in found.items() if v not in silent}


def _written(value: object, silent: tuple[object, ...]) -> object:
    if isinstance(value, list):
        return [_written(one, silent) for one in value]
    return _written_entries(value, silent) if isinstance(value, dict) else value


def merged_tables(raw: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """`raw` with the values of `over` in place; tables are merged, not replaced.

    Examples
    --------
    >>> merged_tables({"outer": {"folds": 5, "repeats": 2}}, {"outer": {"folds": 3}})
    {'outer': {'folds': 3, 'repeats': 2}}
    """
    out = dict(raw)
    for key, value in over.items():
        old = out.get(key)
        both = isinstance(value, Mapping) and isinstance(old, Mapping)
        out[key] = merged_tables(old, value) if both else value  # type: ignore[arg-type]
    return out
