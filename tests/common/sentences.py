"""Every sentence that a user can meet, by file: help, errors, screens, pages and remarks.

`just sentences` writes them to `tests/common/sentences.txt`, to be read as a stranger reads them; a
test keeps that file current, so that a change of words is seen.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/tamis"
KEPT = Path(__file__).parent / "sentences.txt"
WORD = re.compile(r"[A-Za-z][a-z]+")
FEWEST = 3  # words of a sentence: less is a name, a key or a label
TAGS = re.compile(r"\{#.*?#\}|\{%.*?%\}|<(script|style)\b.*?</\1>|<[^<>]*>", re.DOTALL)
VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')  # inside a value of a template


def sentences() -> Iterator[tuple[str, list[str]]]:
    """Files below the package, and the sentences of each in their order."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name == "citations.py":  # of others
            continue
        yield _named(path, _of_python(path.read_text(encoding="utf-8")))
    for path in sorted(PACKAGE.rglob("*.j2")):
        yield _named(path, _of_template(path.read_text(encoding="utf-8")))


def _named(path: Path, found: Iterator[str]) -> tuple[str, list[str]]:
    shown = (" ".join(text.split()) for text in found)
    kept = dict.fromkeys(text for text in shown if len(WORD.findall(text)) >= FEWEST)
    return path.relative_to(PACKAGE).as_posix(), list(kept)


def _of_python(source: str) -> Iterator[str]:
    """String constants but for docstrings; what is filled in is `{}`."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    unseen: set[ast.AST] = {
        one.value
        for one in nodes
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    }
    unseen -= {help_ for one in nodes if (help_ := _help_of(one))}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            unseen.update(node.values)
            parts = [one.value if isinstance(one, ast.Constant) else "{}" for one in node.values]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in unseen:
            yield node.value


def _help_of(node: ast.AST) -> ast.AST | None:
    """The docstring of a command, which is its help."""
    if not isinstance(node, ast.FunctionDef) or not isinstance(node.body[0], ast.Expr):
        return None
    made_by = (ast.unparse(one) for one in node.decorator_list)
    return (
        node.body[0].value if any("command" in one or "group" in one for one in made_by) else None
    )


def _of_template(source: str) -> Iterator[str]:
    for value in VALUE.findall(source):
        yield from TEXT.findall(value)
    plain = VALUE.sub("{}", TAGS.sub("\n", re.sub(r"</?(b|bdi|code|small|a|span|kbd)\b[^<>]*>",
                                                  "", source)))  # fmt: skip
    yield from re.split(r"\n\s*\n|(?<=[.:])\s*\n", plain)


@cache
def found_sentences() -> dict[str, list[str]]:
    """Of each file."""
    return dict(sentences())


def text_of_all() -> str:
    """The content of `sentences.txt`."""
    own = found_sentences()
    parts = [f"## {name}\n\n" + "\n".join(told) for name, told in own.items() if told]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    KEPT.write_text(text_of_all(), encoding="utf-8")
