"""All remedies that messages about tables print, found in the sources.

Each text of `tamis.data` that tells to give an option is a kind, for each option that it names. The
grid of writers has to draw it, or `ELSEWHERE` names the test that does what it says on a file of
that kind; so a new message needs one of both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tamis.data

DATA = Path(tamis.data.__file__).parent
NAMES = (
    "target|drop|allow|unify|categorical|id|separator|samples|group|split|batch|positive|incomplete|"
    "encoding|decimal|thousands|sheet|missing|limits|units|duplicates|layer|samples_sheet|blocks|"
    "long|transpose|drop_unlabelled|annotate|keep"
)
NAMED = re.compile(rf"\b({NAMES})=(?=[\[\s;,.'\"{{]|True|$)")
# what says that an argument itself is wrong
REFUSED = re.compile(
    rf"(?:{NAMES})=(?:\{{\}}|True)(?: is |: (?:give|name|no) )|\w+=(?:True)?$"
    r"|.*\btranspose=True (?:a Parquet table|the first column has)"
)
OTHER = "tests/remedies/test_other_files.py::"
ELSEWHERE = {  # words of a text: the test that does what it says
    "name a table of samples with samples=": f"{OTHER}test_samples_of_an_h5ad",
    "but layers ({}): layer=": f"{OTHER}test_layers",
    "X is read; {} has {} too": f"{OTHER}test_layers",
    "name it .parquet, or leave them out": f"{OTHER}test_what_a_written_table_cannot_hold",
    "no class column; name it with target=": f"{OTHER}test_a_class_that_was_not_named",
    "take the counts that lie beside it": f"{OTHER}test_a_series_without_values_is_a_sheet",
    "is read, not {}; sheet= names one": f"{OTHER}test_sheets_of_a_workbook",
    "name the sheet of the samples with samples_sheet=": f"{OTHER}test_sheets_of_a_workbook",
    "levels of row names": f"{OTHER}test_frames",
    "the index has {} more than once": f"{OTHER}test_frames",
    "has the type {}, which is neither number nor text: leave": f"{OTHER}test_frames",
    "holds values that are neither numbers": f"{OTHER}test_frames",
    "holds objects of the type {}": f"{OTHER}test_frames",
    "whole numbers beyond 2^53": f"{OTHER}test_frames",
    "neither number nor text; convert it": f"{OTHER}test_types_of_parquet",
    "join them by spelling with unify=[{}]; ": f"{OTHER}test_blocks",
    "not in block {}": f"{OTHER}test_blocks",
    "which is no feature here": f"{OTHER}test_blocks",
    "which is of no modality": f"{OTHER}test_modalities",
    "is no text of the encoding": f"{OTHER}test_encodings",
    "name its encoding with encoding=": f"{OTHER}test_encodings",
    "numbers written as text": f"{OTHER}test_numbers_that_are_text",
    "of the values are 0, and the others lie far off": f"{OTHER}test_zeros_that_were_not_measured",
    "study them with the column of patients": f"{OTHER}test_rows_that_are_nearly_the_same",
    ", or declare it with categorical=[{}]": f"{OTHER}test_whole_numbers_as_classes",
}
PIECES = ("categorical=[{}]", "id={}")  # of a text of `cleaned` that names them together


def template(node: ast.AST) -> str | None:
    """A text of the sources, with braces where something is put in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)
    return None


@cache
def printed_texts() -> dict[str, str]:
    """Texts of `tamis.data` that tell to give an option, and the file of each."""
    return {
        text: str(path.relative_to(DATA))
        for path in sorted(DATA.rglob("*.py"))
        if path.parent.name != "leak_detection"  # speaks of studies
        for text in _texts(ast.parse(path.read_text(encoding="utf-8")))
        if NAMED.search(text) and not REFUSED.match(text) and text not in PIECES
    }


def _texts(tree: ast.Module) -> Iterator[str]:
    inner = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
    inner |= {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        text = None if id(node) in inner else template(node)
        if text is not None:
            yield text


@cache
def kinds() -> dict[tuple[str, str], re.Pattern[str]]:
    """Options and the texts that name them, the longest first, with what a message of it is."""
    return {
        (option, text): re.compile(".*?".join(map(re.escape, text.split("{}"))), re.DOTALL)
        for text in sorted(printed_texts(), key=len, reverse=True)
        for option in dict.fromkeys(NAMED.findall(text))
    }


def drawn() -> list[tuple[str, str]]:
    """Those that the grid has to draw."""
    return [kind for kind in kinds() if not any(words in kind[1] for words in ELSEWHERE)]


def kind_of(option: str, message: str) -> tuple[str, str]:
    """Which remedy a message names.

    Raises
    ------
    AssertionError
        None that is known.
    """
    for kind, pattern in kinds().items():
        if kind[0] == option and pattern.search(message):
            return kind
    raise AssertionError(f"{option} is of no known text: {message}")
