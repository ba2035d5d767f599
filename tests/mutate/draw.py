"""Which mutants there are in a source, and a draw of some of them.

A room is drawn with the number of its possible mutants as weight, then one of the kinds of change
that the room has, each as likely as another (half of all would be off by one or swapped arguments),
then one of its mutants of that kind. Kernels and the rest are drawn apart.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import parso
from cosmic_ray.mutating import mutate_code

from mutate.operators import KINDS, types_of

PACKAGE = "src/tamis"
TEXTS = ("string", "strings", "fstring")
Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Site:
    """One possible mutant: the occurrence of an operator in a source, as cosmic-ray counts."""

    kind: str
    operator: Any
    occurrence: int
    line: int


@dataclass(frozen=True)
class Mutant:
    """A drawn one."""

    path: str  # from the root of the checkout
    kind: str
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{self.path}\n{self.after}".encode()).hexdigest()[:16]

    @property
    def diff(self) -> str:
        before, after = self.before.splitlines(), self.after.splitlines()
        name = self.path
        return "\n".join(difflib.unified_diff(before, after, name, name, lineterm="", n=2))

    @property
    def lines(self) -> set[int]:
        """Lines of the source that are changed."""
        before, after = self.before.splitlines(), self.after.splitlines()
        blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        return {
            k + 1 for tag, a, b, *_ in blocks if tag != "equal" for k in range(a, max(b, a + 1))
        }


def sites(source: str) -> list[Site]:
    """All possible mutants outside annotations, strings and what only type checkers read."""
    by_type: dict[str, list[tuple[str, Any]]] = {}
    for kind, operators in KINDS.items():
        for operator in operators:
            for node_type in types_of(operator):
                by_type.setdefault(node_type, []).append((kind, operator))
    seen, found = Counter[int](), []
    tree = parso.parse(source)
    left_out = list(_left_out(tree))
    for node in _walk(tree):
        for kind, operator in by_type.get(node.type, ()):
            for start, _ in operator.mutation_positions(node):
                if not any(first <= start < end for first, end in left_out):
                    found.append(Site(kind, operator, seen[id(operator)], start[0]))
                seen[id(operator)] += 1
    return found


def mutated(source: str, site: Site) -> str | None:
    """The mutant's source; None if it does not parse or says the same."""
    after = mutate_code(source, site.operator, site.occurrence)
    try:
        same = after is None or ast.dump(ast.parse(after)) == ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return None
    return None if same else after


def source_files(root: Path, kernels: bool) -> list[str]:
    """Files of the kernels, or all others, but for the faces of packages."""
    return sorted(
        path
        for file in (root / PACKAGE).rglob("*.py")
        if file.name != "__init__.py"
        and (path := file.relative_to(root).as_posix()).startswith(f"{PACKAGE}/kernels/") == kernels
    )


def draw(root: Path, kernels: bool, changes: int, seed: int, memory: Path) -> list[Mutant]:
    """So many different mutants; the same for the same sources and seed."""
    counts = count_sites(root, source_files(root, kernels), memory)
    rooms: dict[str, dict[str, Counter[str]]] = {}
    for path, kinds in counts.items():
        for kind, n in kinds.items():
            rooms.setdefault(room_of(path), {}).setdefault(kind, Counter())[path] += n
    weights = [sum(sum(files.values()) for files in kinds.values()) for kinds in rooms.values()]
    rng, found, tries = random.Random(f"{seed} {kernels}"), dict[str, Mutant](), 0
    while len(found) < min(changes, sum(weights)) and tries < 20 * changes:
        tries += 1
        (room,) = rng.choices(list(rooms), weights)
        kind = rng.choice(sorted(rooms[room]))
        files = rooms[room][kind]
        (path,) = rng.choices(list(files), list(files.values()))
        before = (root / path).read_text(encoding="utf-8")
        site = rng.choice([one for one in sites(before) if one.kind == kind])
        after = mutated(before, site)
        if after is not None:
            mutant = Mutant(path, kind, site.line, before, after)
            found[mutant.key] = mutant
    return list(found.values())


def room_of(path: str) -> str:
    """The first folder in the package, of kernels the second too; files beside are a room."""
    inside = path.removeprefix(f"{PACKAGE}/").split("/")[:-1]
    return "/".join(inside[: 2 if inside[:1] == ["kernels"] else 1])


def count_sites(root: Path, paths: list[str], memory: Path) -> dict[str, dict[str, int]]:
    """Possible mutants of each file by kind; those of a file that is as it was are remembered."""
    version = hashlib.sha256()
    for tool in ("operators.py", "draw.py"):
        version.update(Path(__file__).with_name(tool).read_bytes())
    known = json.loads(memory.read_text()) if memory.is_file() else {}
    counts = {}
    for path in paths:
        text = (root / path).read_text(encoding="utf-8")
        key = hashlib.sha256(version.digest() + text.encode()).hexdigest()
        if known.get(path, [None])[0] != key:
            known[path] = [key, dict(sorted(Counter(one.kind for one in sites(text)).items()))]
        counts[path] = known[path][1]
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory.write_text(json.dumps(known))
    return counts


def _walk(tree: Any) -> Iterator[Any]:
    """Nodes in the order of cosmic-ray's visitor."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(getattr(node, "children", ())))


def _left_out(tree: Any) -> Iterator[Span]:
    """Annotations, texts, what only type checkers read, and settings that change no answer."""
    for node in _walk(tree):
        children: list[Any] = getattr(node, "children", [])
        if node.type in ("fstring", "raise_stmt", "decorator"):
            yield node.start_pos, node.end_pos
        elif node.type == "annassign":  # `: int = 3`: the value is code
            yield node.start_pos, children[1].end_pos
        elif node.type in ("param", "funcdef") and node.annotation is not None:
            yield node.annotation.start_pos, node.annotation.end_pos
        elif node.type == "if_stmt" and children[1].get_code().strip() == "TYPE_CHECKING":
            yield node.start_pos, children[3].end_pos
        elif (node.type == "argument" and children[0].get_code().strip() == "strict") or (
            node.type == "arith_expr" and any(one.type in TEXTS for one in children)
        ):  # of `zip`; a text of several
            yield node.start_pos, node.end_pos
