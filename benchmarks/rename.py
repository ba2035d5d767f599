"""Rename module-level names everywhere: `python benchmarks/rename.py benchmarks/renames.tsv`.

A line of the table is a module (below `tamis`), an old and a new name, tab-separated. The
definition, imports, uses through a module (`units.MOST`), names in strings
(`monkeypatch.setattr(units, "MOST", 1)`, "tamis.kernels.units.MOST") and comments of the files that
bind it, and examples of its docstrings, follow. A name that a function binds itself is another one.
Run on a rebased tree, it renames what is there and passes over the rest; `ruff format` does the
lines. Nothing is written where two names would become one.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tamis"
FOLDERS = {"src": "", "tests": "", "benchmarks": "", "docs": "docs"}  # prefix of their modules
SETTERS = ("setattr", "getattr", "delattr", "object", "hasattr")

Renames = dict[tuple[str, str], str]
Span = tuple[int, int, str, str]  # line, column in bytes, old, new


class File:
    """A source with what its names stand for."""

    def __init__(self, path: Path, module: str, modules: set[str]):
        self.path, self.module, self.modules = path, module, modules
        self.text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.origins: dict[str, tuple[str, str]] = {}  # of a name bound at any level
        self.aliases: dict[str, str] = {}  # names that are modules
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    self.aliases[one.asname or one.name.split(".")[0]] = (
                        one.name if one.asname else one.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                base = self.base(node)
                for one in node.names:
                    inner, name = f"{base}.{one.name}", one.asname or one.name
                    if inner in modules:
                        self.aliases[name] = inner
                    else:
                        self.origins[name] = (base, one.name)
        self.own = {name for node in self.tree.body for name in bound_by(node)}

    def base(self, node: ast.ImportFrom) -> str:
        parts = self.module.split(".")
        if self.path.name != "__init__.py":
            parts = parts[:-1]
        up = parts[: len(parts) - node.level + 1] if node.level else []
        return ".".join([*up, *([node.module] if node.module else [])])

    def module_of(self, node: ast.expr) -> str | None:
        """The module that an expression stands for."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute):
            outer = self.module_of(node.value)
            inner = f"{outer}.{node.attr}"
            return inner if outer and inner in self.modules else None
        return None


def bound_by(node: ast.AST) -> Iterator[str]:
    """Names that a statement binds, but for imports."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id


def spread(renames: Renames, files: Iterable[File]) -> Renames:
    """With the modules that import a name and hand it on."""
    renames, before = dict(renames), 0
    while len(renames) > before:
        before = len(renames)
        for file in files:
            for name, origin in file.origins.items():
                if origin in renames and origin[1] == name:
                    renames[file.module, name] = renames[origin]
    return renames


class Spans(ast.NodeVisitor):
    """Where a file has names to be changed."""

    def __init__(self, file: File, renames: Renames):
        self.file, self.renames = file, renames
        self.local = {name: new for (module, name), new in renames.items() if module == file.module}
        self.found: list[Span] = []
        self.inside: list[tuple[ast.JoinedStr, list[tuple[str, str]]]] = []
        self.shadowed: list[set[str]] = []

    def add_definition(self, node: ast.AST, name: str, word: str) -> None:
        if node in self.file.tree.body and name in self.local:
            line, column = getattr(node, "lineno", 0), len(word)
            self.add(line, column, name, self.local[name])

    def visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        if isinstance(node, ast.FunctionDef):
            self.add_definition(node, node.name, "def ")
        every = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        names = {one.arg for one in every}
        names |= {one.arg for one in (node.args.vararg, node.args.kwarg) if one}
        body = node.body if isinstance(node.body, list) else []
        outer = {name for part in body for inner in ast.walk(part) if isinstance(inner, ast.Global)
                 for name in inner.names}  # fmt: skip
        names |= {name for part in body for name in bound_by(part)} - outer
        self.shadowed.append(names)
        self.generic_visit(node)
        self.shadowed.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """What its body binds is the class's own, and not seen by its methods."""
        self.add_definition(node, node.name, "class ")
        functions = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        others = [part for part in node.body if part not in functions]
        for part in [*node.bases, *node.decorator_list, *functions]:
            self.visit(part)
        self.shadowed.append({name for part in others for name in bound_by(part)})
        for part in others:
            self.visit(part)
        self.shadowed.pop()

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.inside.append((node, []))
        self.generic_visit(node)
        _, names = self.inside.pop()
        if self.inside:
            self.inside[-1][1].extend(names)
        elif names:
            self.found.extend(in_braces(self.file.text, node, dict(names)))

    def add(self, line: int, column: int, old: str, new: str) -> None:
        if self.inside:
            self.inside[-1][1].append((old, new))
        else:
            self.found.append((line, column, old, new))

    def visit_Name(self, node: ast.Name) -> None:
        new = self.local.get(node.id)
        if new and not any(node.id in names for names in self.shadowed):
            self.add(node.lineno, node.col_offset, node.id, new)

    def visit_Global(self, node: ast.Global) -> None:
        line = self.file.text.splitlines()[node.lineno - 1]
        for name in set(node.names) & self.local.keys():
            at = re.search(rf"\b{name}\b", line)
            if at:
                self.add(node.lineno, at.start(), name, self.local[name])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        module = self.file.module_of(node.value)
        new = self.renames.get((module, node.attr)) if module else None
        if new:
            size = len(node.attr.encode())
            column = (node.end_col_offset or 0) - size - 1
            self.add(node.end_lineno or 0, column, f".{node.attr}", f".{new}")
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = self.file.base(node)
        for one in node.names:
            new = self.renames.get((base, one.name))
            if new:
                self.add(one.lineno, one.col_offset, one.name, new)
            if new and one.asname == one.name:
                size = len(one.name.encode())
                self.add(one.end_lineno or 0, (one.end_col_offset or 0) - size, one.name, new)

    def visit_Call(self, node: ast.Call) -> None:
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in SETTERS and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            module, text = self.file.module_of(node.args[0]), node.args[1]
            new = self.renames.get((module or "", str(text.value)))
            if new:
                self.add(text.lineno, text.col_offset + 1, str(text.value), new)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if [getattr(target, "id", "") for target in node.targets] == ["__all__"]:
            for one in ast.walk(node.value):
                if isinstance(one, ast.Constant) and one.value in self.local:
                    self.add(one.lineno, one.col_offset + 1, one.value, self.local[one.value])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str) or not node.value.startswith(f"{PACKAGE}."):
            return
        at = re.fullmatch(r"([\w.]+)[.:](\w+)", node.value)
        new = at and self.renames.get((at[1], at[2]))
        if at and new:
            self.add(node.lineno, node.col_offset + 1 + at.start(2), at[2], new)


def in_braces(text: str, node: ast.JoinedStr, names: dict[str, str]) -> Iterator[Span]:
    """Names between the braces of a formatted string, whose parts have no exact places."""
    lines = text.splitlines(keepends=True)
    for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        line, depth = lines[number - 1], 0
        for at in re.finditer(r"\{\{|\}\}|[{}]|\.?\w+", line):
            depth += {"{": 1, "}": -1}.get(at[0], 0)
            if depth > 0 and at[0] in names:
                yield number, len(line[: at.start()].encode()), at[0], names[at[0]]


def in_comments(text: str, names: dict[str, str]) -> Iterator[Span]:
    if not names:
        return
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
    quoted = re.compile(rf"(?<=`)({'|'.join(map(re.escape, names))})(?=`)")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        documented = token.type == tokenize.STRING and token.string.startswith(('"""', 'r"""'))
        if token.type == tokenize.COMMENT or documented:
            for k, line in enumerate(token.string.splitlines()):
                start = token.start[1] if k == 0 else 0
                example = line.lstrip().startswith((">>> ", "... "))
                for at in (quoted if documented and not example else pattern).finditer(line):
                    before = text.splitlines()[token.start[0] - 1][:start] if start else ""
                    column = len(before.encode()) + len(line[: at.start()].encode())
                    yield token.start[0] + k, column, at[0], names[at[0]]


def changed(text: str, spans: Iterable[Span]) -> str:
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    for line, column, old, new in sorted(set(spans), reverse=True):
        row = lines[line - 1]
        if row[column : column + len(old)] != old.encode():
            raise ValueError(f"line {line}: {row.decode()!r} has no {old} at {column}")
        lines[line - 1] = row[:column] + new.encode() + row[column + len(old) :]
    return b"".join(lines).decode()


def clashes(file: File, renames: Renames) -> Iterator[str]:
    """Names that would be bound twice, to other things."""
    after: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name in file.own:
        after[renames.get((file.module, name), name)].add((file.module, name))
    for name, origin in file.origins.items():
        after[renames.get((file.module, name), name)].add(origin)
    for name, sources in after.items():
        if len(sources) > 1 and any(source in renames for source in sources):
            yield f"{file.path.relative_to(ROOT)}: {name} would be all of {sorted(sources)}"


def main() -> int:
    rows = [line.split("\t") for line in Path(sys.argv[1]).read_text().splitlines() if line]
    given = {(f"{PACKAGE}.{module}", old): new for module, old, new in rows}
    paths = {}
    for folder, prefix in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            inside = path.relative_to(ROOT / folder).with_suffix("").parts
            dotted = [*([prefix] if prefix else []), *inside]
            paths[path] = ".".join(dotted).removesuffix(".__init__")
    modules = set(paths.values())
    files = [File(path, module, modules) for path, module in paths.items()]
    here = {(file.module, name) for file in files for name in file.own}
    missing = sorted(given.keys() - here)
    renames = spread({key: new for key, new in given.items() if key in here}, files)
    found = [line for file in files for line in clashes(file, renames)]
    print(f"{len(missing)} are not there", *missing[:20], sep="\n  ", file=sys.stderr)
    if found:
        print(*found, sep="\n", file=sys.stderr)
        return 1
    for file in files:
        spans = Spans(file, renames)
        spans.visit(file.tree)
        local = {old: new for (module, old), new in renames.items() if module == file.module}
        every = [*spans.found, *in_comments(file.text, local)]
        if every:
            file.path.write_text(changed(file.text, every), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
