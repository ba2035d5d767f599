"""No file imports another that imports it, by however many files between: not inside a function and
not for types alone either. What both need stands in a file below them."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CIRCLE = {  # through a function, and through an import for types
    "first.py": "def use():\n    from .second import Second\n",
    "second.py": "from . import third\nclass Second: ...\n",
    "third.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .first import use\n",
}


def circle_of(imports: dict[str, set[str]]) -> str:
    """A circle of files, each of which imports the next; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return " -> ".join(reversed(error.args[1]))
    return ""


def imports_in(package: str) -> dict[str, set[str]]:
    """What each module of a package imports of it."""
    graph = grimp.build_graph(package, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def imported_names(file: Path) -> set[str]:
    """Modules that a script imports."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    whole = {alias.name for one in nodes if isinstance(one, ast.Import) for alias in one.names}
    return whole | {one.module or "" for one in nodes if isinstance(one, ast.ImportFrom)}


def test_the_package_has_no_circle_of_imports():
    assert circle_of(imports_in("tamis")) == ""


def test_benchmarks_have_no_circle_of_imports():
    assert circle_of({file.stem: imported_names(file) for file in BENCHMARKS.glob("*.py")}) == ""


def test_a_circle_is_named(tmp_path, monkeypatch):
    package = tmp_path / "going_round"
    package.mkdir()
    for name, text in {"__init__.py": "", **CIRCLE}.items():
        (package / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    names = circle_of(imports_in("going_round")).replace("going_round.", "").split(" -> ")
    assert names[0] == names[-1]
    at = names.index("first")
    assert [*names[at:-1], *names[:at]] == ["first", "second", "third"]
