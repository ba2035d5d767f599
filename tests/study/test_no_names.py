"""The engine knows interfaces, never names."""

from __future__ import annotations

import ast
from pathlib import Path

import tamis.study
from tamis._core.registry import ANY_OUTCOME, rows_of
from tamis._core.rows import PlanRow

KEYS = {
    "all",
    "covariates",
    "tree",
    "forest",
    "coverage",
    "cost",
    "risk",
    "none",
    "slope",
    "pearson",
    "spearman",
}  # words that are keys too


def literals(source: str):
    """(line, text) of every string literal that is not a docstring."""
    tree = ast.parse(source)
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                docstrings.add(id(first.value))
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if text and id(node) not in docstrings:
            yield node.lineno, node.value


def test_no_plan_name_of_a_method_stands_in_the_engine():
    names = {row.name for row in rows_of(PlanRow, ANY_OUTCOME)} - KEYS
    assert len(names) > 30
    folder = Path(tamis.study.__file__).parent
    found = [
        (path.relative_to(folder).as_posix(), line, text)
        for path in sorted(folder.rglob("*.py"))
        for line, text in literals(path.read_text(encoding="utf-8"))
        if text in names
    ]
    assert found == []


def test_the_search_finds_names_and_leaves_docstrings_out():
    source = '"""pam"""\ndef f(x):\n    """rfs"""\n    return x == "mtd"\n'
    assert list(literals(source)) == [(4, "mtd")]
