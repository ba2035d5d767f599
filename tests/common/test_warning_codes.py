"""Every code of a warning stands in a table of docs/, and a test makes it fire."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("data", "look", "model", "study")
CODE = re.compile(r"[a-z]+(-[a-z]+)*")


def texts_of(node: ast.expr) -> list[str]:
    """A text that stands there, or either of two."""
    if isinstance(node, ast.IfExp):
        return [*texts_of(node.body), *texts_of(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def codes_in(tree: ast.Module) -> Iterator[str]:
    """Codes of pairs that are yielded with their text, and of `Warned`."""
    for node in ast.walk(tree):
        pair = node.value if isinstance(node, ast.Yield) else None
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:
            yield from texts_of(pair.elts[0])
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Warned":
            for keyword in node.keywords:
                yield from texts_of(keyword.value) if keyword.arg == "code" else ()


@cache
def codes() -> frozenset[str]:
    found = set[str]()
    for room in ROOMS:
        for path in sorted((ROOT / "src/tamis" / room).rglob("*.py")):
            found.update(codes_in(ast.parse(path.read_text(encoding="utf-8"))))
    return frozenset(one for one in found if CODE.fullmatch(one)) - {"headline"}


def test_codes_are_found():
    assert {"below-chance", "possible-leak", "other-scale", "small-class", "zeros"} <= codes()
    assert len(codes()) > 35


@pytest.mark.parametrize("code", sorted(codes()))
def test_a_code_is_explained_and_tested(code):
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    row = re.compile(rf"^\|[^|\n]*`{code}`[^|\n]*\| ", re.MULTILINE)
    assert any(row.search(text) for text in pages)
    own = re.compile(rf"[\"']{code}[\"']")
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    assert any(own.search(path.read_text(encoding="utf-8")) for path in tests)
