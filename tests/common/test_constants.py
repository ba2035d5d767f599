"""Numbers with a name are promises: all of them are listed, and none changes by accident.

`tests/common/constants.tsv` has a line for each: of modules (thresholds, limits, grids), of classes
(fields and what a class says of itself), and the defaults of functions that are not public;
`defaults.tsv` has those that users see. After a change that is meant, write the list anew
(`just constants`), and read its difference: what rests on the number has a test of its own, with
values by hand or a simulation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tamis

LIST = Path(__file__).with_name("constants.tsv")
SOURCES = Path(tamis.__file__).parent
LITERAL = (  # what a constant may be made of, names of other ones apart
    *(ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Load),
    *(ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator),
)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def found_constants() -> list[str]:
    """A line each: where, what it is called, its value."""
    return sorted(
        f"{file.relative_to(SOURCES).with_suffix('').as_posix()} {name}\t{value!r}"
        for file in SOURCES.rglob("*.py")
        if file.name != "__init__.py"
        for name, value in _constants(ast.parse(file.read_bytes()), "")
    )


def _constants(block: ast.Module | ast.ClassDef, within: str) -> Iterator[tuple[str, object]]:
    for node in block.body:
        if isinstance(node, ast.ClassDef):
            yield from _constants(node, f"{within}{node.name}.")
        elif isinstance(node, FUNCTIONS):
            yield from _defaults(node.args, f"{within}{node.name}")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and _has_number(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield f"{within}{', '.join(map(ast.unparse, targets))}", _value(node.value)


def _defaults(given: ast.arguments, within: str) -> Iterator[tuple[str, object]]:
    places = [*given.posonlyargs, *given.args]
    places = places[len(places) - len(given.defaults) :] + given.kwonlyargs
    pairs = zip(places, [*given.defaults, *given.kw_defaults], strict=True)
    for parameter, default in pairs:
        if _has_number(default):
            yield f"{within}({parameter.arg})", _value(default)


def _has_number(value: ast.expr | None) -> bool:
    nodes = list(ast.walk(value)) if value is not None else []
    return all(isinstance(node, LITERAL) for node in nodes) and any(
        isinstance(node, ast.Constant) and isinstance(node.value, int | float) for node in nodes
    )


def _value(value: ast.expr | None) -> object:
    return eval(compile(ast.Expression(value), "", "eval"), {})


@pytest.mark.quick
def test_no_number_with_a_name_has_changed():
    assert found_constants() == LIST.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    LIST.write_text("".join(f"{line}\n" for line in found_constants()), encoding="utf-8")
