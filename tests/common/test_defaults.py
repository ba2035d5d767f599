"""Defaults are promises: all of them are listed, and none changes by accident.

`tests/common/defaults.tsv` has a line for each: of the plan, of each method's parameters, of public
functions and classes, and of the command's options. After a change that is meant, write it anew
(`python -m common.test_defaults` with tests/ on PYTHONPATH), and read its difference.
"""

from __future__ import annotations

import importlib
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path

import click
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from tamis._core.registry import ANY_OUTCOME, rows_of
from tamis._core.rows import Row
from tamis.cli.main import main
from tamis.study.plan import Plan

LIST = Path(__file__).with_name("defaults.tsv")
ROOMS = (
    *("classifiers", "data", "discovery", "expression", "genome", "interactions", "look"),
    *("metrics", "model", "ontology", "plotting", "preparation", "selection", "study"),
)


def found_defaults() -> list[str]:
    """A line each: where, what it is called, its default."""
    return sorted({f"{where}\t{value!r}" for where, value in _every_default()})


def _every_default() -> Iterator[tuple[str, object]]:
    yield from _of_model(Plan, "plan")
    for row in rows_of(Row, ANY_OUTCOME):
        for name, default in getattr(row, "defaults", {}).items():
            yield f"{type(row).__name__} {row.name}.{name}", default
    for room in ROOMS:
        module = importlib.import_module(f"tamis.{room}")
        for name in module.__all__:
            yield from _of_signature(getattr(module, name), f"tamis.{room}.{name}")
    yield from _of_command(main, "tamis")


def _of_model(model: type[BaseModel], where: str) -> Iterator[tuple[str, object]]:
    for name, field in model.model_fields.items():
        value = field.get_default(call_default_factory=True, validated_data={})
        if value is not PydanticUndefined and not isinstance(value, BaseModel):
            yield f"{where}.{name}", value
        for part in (field.annotation, *typing.get_args(field.annotation)):
            if inspect.isclass(part) and issubclass(part, BaseModel) and part is not model:
                yield from _of_model(part, f"{where}.{name}")


def _of_signature(one: object, where: str) -> Iterator[tuple[str, object]]:
    try:
        parameters = inspect.signature(one).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return
    for parameter in parameters:
        plain = isinstance(parameter.default, int | float | str | bool | tuple | None)
        if parameter.default is not parameter.empty and plain:
            yield f"{where}.{parameter.name}", parameter.default


def _of_command(command: click.Command, where: str) -> Iterator[tuple[str, object]]:
    for parameter in command.params:
        default = parameter.default
        if isinstance(default, int | float | str | bool):
            yield f"{where} {parameter.name}", default
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            own = command.get_command(click.Context(command), name)
            assert own is not None
            yield from _of_command(own, f"{where} {name}")


def test_no_default_has_changed():
    assert found_defaults() == LIST.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    LIST.write_text("".join(f"{line}\n" for line in found_defaults()), encoding="utf-8")
