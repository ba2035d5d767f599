"""The faces of packages: public names in one place, for Python and for type checkers."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import tamis

FOLDER = Path(tamis.__file__).parent
LINES = """
from typing import TYPE_CHECKING
from {dots}_core.lazy_names import lazy_names
if TYPE_CHECKING: ...
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
"""


def package_name(file: Path) -> str:
    return ".".join(("tamis", *file.parent.relative_to(FOLDER).parts))


FILES = {package_name(file): file for file in sorted(FOLDER.rglob("__init__.py"))}
FACES = [name for name, file in FILES.items() if "lazy_names" in file.read_text()]


def imports_taken_out(tree: ast.Module) -> list[ast.stmt]:
    """The imports for type checkers, in whose place three dots are left."""
    block = next(one for one in tree.body if isinstance(one, ast.If))
    lines, block.body = block.body, [ast.Expr(ast.Constant(...))]
    return lines


def test_there_are_faces():
    assert len(FACES) > 20
    assert {"tamis.study", "tamis.metrics", "tamis.plotting", "tamis.report"} <= set(FACES)


@pytest.mark.parametrize("name", sorted(FILES.keys() - set(FACES) - {"tamis"}))
def test_a_package_without_a_face_has_a_docstring_alone(name):
    tree = ast.parse(FILES[name].read_text())
    assert len(tree.body) == 1
    assert ast.get_docstring(tree)


@pytest.mark.parametrize("name", FACES)
def test_a_face_has_each_name_once_and_nothing_else(name):
    tree = ast.parse(FILES[name].read_text())
    lines = imports_taken_out(tree)
    assert ast.get_docstring(tree)
    expected = ast.parse(LINES.format(dots="." * (name.count(".") + 1)))
    assert ast.unparse(tree.body[1:]) == ast.unparse(expected.body)
    found = []
    for line in lines:
        assert isinstance(line, ast.ImportFrom)
        assert line.level
        for one in line.names:
            assert one.asname == one.name, (
                "write 'import name as name': so checkers know it lends it"
            )
            found.append(one.name)
    assert len(set(found)) == len(found)
    assert importlib.import_module(name).__all__ == sorted(found)


@pytest.mark.parametrize("name", FACES)
def test_every_name_resolves_and_is_no_module_whatever_was_imported_before(name):
    package = importlib.import_module(name)
    for one in pkgutil.iter_modules(package.__path__, f"{name}."):
        if one.name != "tamis.study.worker_preload":  # that begins the work of a server
            importlib.import_module(one.name)
    found: dict[str, object] = {}
    exec(f"from {name} import *", found)
    assert set(package.__all__) <= set(found)
    assert dir(package) == package.__all__
    assert not [name for name in package.__all__ if isinstance(found[name], ModuleType)]
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_that'"):
        package.__getattr__("nothing_of_that")


@pytest.mark.parametrize("name", FACES)
def test_importing_a_room_imports_none_of_its_modules_and_no_other_room(name):
    code = f"import sys, {name}; print(*(one for one in sys.modules if one.startswith('tamis')))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    parts = name.split(".")
    above = {".".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
    assert set(found.stdout.split()) == above | {"tamis._core", "tamis._core.lazy_names"}


@pytest.mark.longer
def test_type_checkers_know_every_name_and_no_other(tmp_path):
    """Those of a user too, who is strict."""
    lines = [
        f"from {name} import {', '.join(importlib.import_module(name).__all__)}" for name in FACES
    ]
    lines.append("from tamis.study import nothing_of_that")
    (tmp_path / "theirs.py").write_text("\n".join(lines))
    asked = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "theirs.py"]
    # mypy finds an installed package itself, and refuses site-packages on its path.
    installed = "site-packages" in FOLDER.parts
    where = {} if installed else {"MYPYPATH": str(FOLDER.parent)}
    found = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, env=where)
    told = [line for line in found.stdout.splitlines() if "[no-redef]" not in line]
    assert [line.partition(": ")[2] for line in told[:-1]] == [
        'error: Module "tamis.study" has no attribute "nothing_of_that"  [attr-defined]'
    ], found.stdout
