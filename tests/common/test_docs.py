"""The pages name what there is: files, functions, and what can be imported."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tamis._core.citations import CITATIONS
from tamis._core.registry import ANY_OUTCOME, rows_of
from tamis._core.rows import PlanRow

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "ARCHITECTURE.md",
    *sorted((ROOT / "architecture").glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
ROOMS = ("src", "tests", "benchmarks", "examples", "docs")
FOREIGN = {"NearestCentroid", "SelectKBest", "float", "get_support"}


@cache
def sources():
    """The Python files of the repository."""
    return [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]


@cache
def defined():
    """The names of all their functions and classes."""
    texts = (path.read_text(encoding="utf-8") for path in sources())
    return {name for text in texts for name in re.findall(r"^ *(?:def|class) (\w+)", text, re.M)}


def quoted(page):
    """What stands between backticks, outside of blocks of code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return re.findall(r"`([^`\n]+)`", text)


def resolves(name):
    """The module of the package, or the thing in one, that a dotted name names; else None."""
    found = importlib.import_module("tamis")
    for part in name.split(".")[1:]:
        try:  # first, since importing a module hides a function of its name
            found = getattr(found, part)
        except AttributeError:
            if not isinstance(found, ModuleType):
                return None
            try:
                found = importlib.import_module(f"{found.__name__}.{part}")
            except ModuleNotFoundError:
                return None
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_on_a_page_exist(page):
    paths = ["/" + path.relative_to(ROOT).as_posix() for path in sources()]
    wrong = []
    for text in quoted(page):
        if re.fullmatch(r"[\w/]+\.py", text):
            fine = any(path.endswith(f"/{text}") for path in paths)
        elif re.fullmatch(r"tamis(\.\w+)+", text):
            fine = resolves(text) is not None
        elif call := re.fullmatch(r"(tamis(?:\.\w+)+)\(.*\)", text):
            fine = callable(resolves(call[1]))
        elif call := re.fullmatch(r"(\w{3,})\([^()]*\)", text):
            fine = call[1] in defined() | FOREIGN
        else:
            continue
        if not fine:
            wrong.append(text)
    assert not wrong


def tables():
    """The script that writes the tables of methods."""
    spec = importlib.util.spec_from_file_location("make_tables", ROOT / "docs" / "make_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "row", rows_of(PlanRow, ANY_OUTCOME), ids=lambda row: f"{row.role}-{row.name}"
)
def test_a_row_has_its_words_its_page_and_known_citations(row):
    assert row.title
    assert row.summary
    assert row.page, f"{row.name}: give the row a page of docs/methods"
    assert f"`{row.name}`" in (ROOT / "docs" / "methods" / row.page).read_text(encoding="utf-8")
    assert all(key in CITATIONS or "(" in key for key in row.cite)


def test_tables_of_methods_are_those_of_the_registry():
    for path, text in tables().pages().items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/make_tables.py"


def test_no_page_of_the_report_names_a_method_itself():
    """What a method is called stands in its row."""
    names = {
        row.name for row in rows_of(PlanRow, ANY_OUTCOME) if "_" in row.name
    }  # others are words
    for path in (ROOT / "src" / "tamis" / "report").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            literal = isinstance(node, ast.Constant) and isinstance(node.value, str)
            assert not (literal and node.value in names), f"{path.name}: {node.value}"
