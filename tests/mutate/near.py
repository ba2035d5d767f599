"""Which tests see a change most probably: what imports what, and what was seen to run what."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from mutate.draw import PACKAGE, room_of

READERS = ["tests/common/test_constants.py"]  # of all sources; they import none
TARGET = re.compile(r"tamis(\.\w+)*(:\w+)?|\w+:\w+")  # "tamis.selection.rows", "members:overlap"


class Imports:
    """The files of src and tests and what each imports, read from the sources alone.

    Names of a package come from the modules that its face names under `if TYPE_CHECKING:`; rows
    name modules in strings.
    """

    def __init__(self, root: Path):
        self.root, self.modules = root, dict[str, str]()
        for top in ("src", "tests"):
            for file in (root / top).rglob("*.py"):
                dotted = ".".join(file.relative_to(root / top).with_suffix("").parts)
                self.modules[dotted.removesuffix(".__init__")] = file.relative_to(root).as_posix()
        self.names = {path: name for name, path in self.modules.items()}
        trees = {p: ast.parse((root / p).read_bytes()) for p in self.modules.values()}
        self.faces = {p: _face(t) for p, t in trees.items() if p.endswith("__init__.py")}
        self.imports = {
            path: set(self._imported(path, tree)) - {path} for path, tree in trees.items()
        }

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """The other way round."""
        found = defaultdict[str, set[str]](set)
        for path, others in self.imports.items():
            for other in others:
                found[other].add(path)
        return found

    def distances(self, path: str) -> dict[str, int]:
        """Of all files that import this one, through others too: by how many steps."""
        return _steps(path, self.importers)

    def all_of(self, path: str) -> set[str]:
        """A file and all that it imports, through others too."""
        return set(_steps(path, self.imports))

    def tests(self, path: str) -> list[str]:
        """Test files that see a file, nearest first.

        First those of the same name in the folder of the same name, then by steps of imports, less
        one for each folder that they share; of equals those that import least.
        """
        far = self.distances(path)
        own = path.removeprefix(f"{PACKAGE}/").removesuffix(".py").split("/")
        stem = own[-1].lstrip("_")

        def order(test: str) -> tuple[object, ...]:
            *folder, name = test.split("/")[1:]
            same = 0  # folders on the way
            while same < min(len(folder), len(own) - 1) and folder[same] == own[same]:
                same += 1
            mirrored = folder == own[:-1] and name.removeprefix("test_").startswith(stem)
            return not mirrored, far[test] - same, far[test], len(self.imports[test]), test

        return sorted((one for one in far if is_test(one)), key=order)

    def rooms_above(self, path: str) -> set[str]:
        """Folders of tests of the rooms that import a file, its own among them."""
        inside = (one for one in self.distances(path) if one.startswith(PACKAGE))
        return {room_of(one).split("/")[0] for one in inside}

    def _imported(self, path: str, tree: ast.Module) -> Iterator[str]:
        within = self.names[path].split(".")
        within = within if path.endswith("__init__.py") else within[:-1]
        attributes = {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}
        texts = {"__name__": self.names[path]}
        for node in _run_nodes(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._found(alias.name, attributes)
            elif isinstance(node, ast.ImportFrom):
                base = ".".join([*within[: len(within) + 1 - node.level]] if node.level else [])
                base = ".".join(filter(None, [base, node.module]))
                for alias in node.names:
                    if f"{base}.{alias.name}" in self.modules:
                        yield from self._found(f"{base}.{alias.name}", attributes)
                    else:
                        yield from self._found(base, {alias.name})
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                if isinstance(node.value.value, str) and isinstance(node.targets[0], ast.Name):
                    texts[node.targets[0].id] = node.value.value
            elif _imports_beside(node, texts):
                beside = path.rsplit("/", 1)[0]
                yield from (p for p in self.modules.values() if p.rsplit("/", 1)[0] == beside)
            if isinstance(node, (ast.Constant, ast.JoinedStr)) and path.startswith(PACKAGE):
                text = _text(node, texts)
                if TARGET.fullmatch(text):
                    module, _, attribute = text.partition(":")
                    yield from self._found(module, {attribute})
                    if attribute:  # beside
                        yield from self._found(".".join([*within, module]), {attribute})

    def _found(self, dotted: str, names: set[str]) -> Iterator[str]:
        """The file of a module, and where its face has these names from."""
        path = self.modules.get(dotted)
        if path is None:
            return
        yield path
        for name in names & self.faces.get(path, {}).keys():
            level, module = self.faces[path][name]
            inner = ".".join([*dotted.split(".")[: len(dotted.split(".")) + 1 - level], module])
            yield from self._found(inner, {name})


class Recorded:
    """What `--record` kept: the tests that ran each line, and how long each test takes."""

    def __init__(self, folder: Path, root: Path):
        self.lines = None
        self.seconds: dict[str, float] = {}
        known, data = folder / "recorded.json", folder / "coverage"
        if known.is_file() and data.is_file():
            from coverage import CoverageData

            kept = json.loads(known.read_text())
            self.seconds, self.sources, self.root = kept["seconds"], kept["sources"], root
            self.lines = CoverageData(str(data))
            self.lines.read()

    def tests(self, path: str, lines: Iterable[int]) -> list[str]:
        """Tests that ran the statement of these lines; none for what is run by an import.

        None either where the file is no longer as it was. Of compiled kernels nothing is seen.
        """
        source = (self.root / path).read_bytes() if self.lines else b""
        if not self.lines or self.sources.get(path) != hashlib.sha256(source).hexdigest():
            return []
        wanted = statement_lines(ast.parse(source), set(lines))
        found = self.lines.contexts_by_lineno(path)
        tests = {test for line in wanted for test in found.get(line, ()) if test}
        gone = {
            one
            for one in {test.split("::")[0] for test in tests}
            if not (self.root / one).is_file()
        }
        return sorted(test for test in tests if test.split("::")[0] not in gone)


def statement_lines(tree: ast.Module, lines: set[int]) -> set[int]:
    """The lines of the statements in functions that these lines are part of."""
    found = set()
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for node in (inner for part in function.body for inner in ast.walk(part)):
                if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                    whole = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
                elif isinstance(node, (ast.If, ast.While, ast.For, ast.With)):
                    whole = set(range(node.lineno, node.body[0].lineno))
                else:
                    continue
                found |= whole if whole & lines else set()
    return found


def is_test(path: str) -> bool:
    return path.startswith("tests/") and path.rsplit("/", 1)[-1].startswith("test_")


def _steps(start: str, graph: dict[str, set[str]]) -> dict[str, int]:
    """Breadth first."""
    found, edge = {start: 0}, [start]
    while edge:
        further = {other for one in edge for other in graph.get(one, ())} - found.keys()
        found |= dict.fromkeys(further, found[edge[0]] + 1)
        edge = sorted(further)
    return found


def _run_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes in their order but those under `if TYPE_CHECKING:`."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        yield node
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _imports_beside(node: Any, texts: dict[str, str]) -> bool:
    """Whether this is `import_module(f".{name}", ...)`: any module beside."""
    called = getattr(node, "func", None)
    name = getattr(called, "attr", getattr(called, "id", ""))
    return name == "import_module" and _text(node.args[0], texts).startswith(".")


def _face(tree: ast.Module) -> dict[str, tuple[int, str]]:
    """Names of a package, with the module each comes from."""
    return {
        alias.name: (line.level, line.module or "")
        for block in tree.body
        if isinstance(block, ast.If)
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }


def _text(node: ast.AST, texts: dict[str, str]) -> str:
    """The text of a string, names of strings put in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts = []
    for part in getattr(node, "values", ()):
        inner = part.value
        parts.append(texts.get(inner.id, "") if isinstance(inner, ast.Name) else str(inner))
    return "".join(parts)
