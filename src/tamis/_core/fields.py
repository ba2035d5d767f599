"""Text in tables for people, which a spreadsheet may open: none of it is a formula there.

A spreadsheet computes what begins with ``=``, ``+``, ``-`` or ``@``, and what a name of a file
says may so read other cells, or start a program. Such a text gets an apostrophe before it, with
which spreadsheets mark plain text. Numbers stay, and single characters. A carriage return becomes
a blank: writers of CSV do not quote it, and readers end a line there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

FORMULA_PATTERN = re.compile("'*[=+\\-@\t\n\uff1d\uff0b\uff0d\uff20].", re.DOTALL)  # full width too
NUMBER_PATTERN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-](inf|nan)", re.ASCII)


def plain_field(text: str) -> str:
    """A text as a field of a table: with an apostrophe before what would be a formula.

    Examples
    --------
    >>> [plain_field(text) for text in ("-log10 p", "=1+1", "-1.5e-3", "TP53", "+")]
    ["'-log10 p", "'=1+1", '-1.5e-3', 'TP53', '+']
    """
    if text[:1].isalnum() and "\r" not in text:  # as nearly all are
        return text
    text = text.replace("\r", " ")
    return (
        f"'{text}" if FORMULA_PATTERN.match(text) and not NUMBER_PATTERN.fullmatch(text) else text
    )


def text_of_field(field: str) -> str:
    """The text that `plain_field` made a field of.

    Examples
    --------
    >>> [text_of_field(field) for field in ("'-log10 p", "-1.5e-3", "3'-UTR")]
    ['-log10 p', '-1.5e-3', "3'-UTR"]
    """
    return field[1:] if field.startswith("'") and FORMULA_PATTERN.match(field) else field


def plain_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """A data frame with `plain_field` of all texts, names of columns too."""
    found = frame.copy(deep=False)
    for j, kind in enumerate(frame.dtypes):
        if kind.kind not in "biuf":
            texts = [plain_field(v) if isinstance(v, str) else v for v in frame.iloc[:, j]]
            found.isetitem(j, texts)
    found.columns = [plain_field(str(name)) for name in frame.columns]
    return found
