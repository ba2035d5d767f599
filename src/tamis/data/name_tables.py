"""Small tables of names: of features to keep, of ids and symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import limits
from .fields import WHITESPACE
from .lines import Lines
from .quoting import record_readings

LOOKED_AT = 20  # lines
DELIMITERS = ("\t", ",", ";", "|")
# headings, of letters and digits alone; the first that is there is taken
SYMBOL_HEADERS = (
    "symbol",
    "genesymbol",
    "hgncsymbol",
    "mgisymbol",
    "externalgenename",
    "genename",
    "symbols",
    "genesymbols",
    "label",
    "name",
    "gene",
)
ID_HEADERS = (
    "id", "geneid", "ensembl", "ensemblid", "ensemblgeneid", "ensemblgene", "ensg", "probe",
    "probeid", "probeset", "probesetid", "idref", "feature", "featureid", "featurename",
    "entrez", "entrezid", "entrezgeneid", "transcript", "transcriptid", "protein", "proteinid",
    "uniprot", "gene", "name",
)  # fmt: skip


def name_rows(path: Path, blanks: bool = False) -> Iterator[list[str]]:
    """Cells of each line, which are stripped; without blank lines and those that begin with #.

    Lines are cut where all of the first ones have a tab, or a comma, a semicolon or a bar; with
    `blanks` also between words. Else a line is one cell.
    """
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    with Lines(path, zipped) as lines:
        first = [text for line in lines.peek(LOOKED_AT) if (text := _line_content(line))]
        separator = next((d for d in DELIMITERS if first and all(d in t for t in first)), "")
        if not separator and blanks and all(len(text.split()) > 1 for text in first):
            separator = WHITESPACE
        count = 0
        for block, _ in lines:
            for line in block.split(b"\n"):
                if text := _line_content(line):
                    count += 1
                    yield _line_cells(text, separator)
            limits.refuse_many(count, limits.ROWS_LIMIT, "names", path.name)


def _line_content(line: bytes) -> str:
    text = line.decode("utf-8", "replace").rstrip("\r")
    return "" if not text.strip() or text.lstrip().startswith("#") else text


def _line_cells(text: str, separator: str) -> list[str]:
    ways = record_readings(text, separator or "\t") if '"' in text else []
    cells = (
        ways[0][1] if ways else text.split(None if separator == WHITESPACE else separator or "\t")
    )
    return [cell.strip() for cell in cells]


def heading_place(cells: Sequence[str], headings: Sequence[str]) -> int | None:
    """Which cell is the first of some headings, whatever stands between its letters.

    Examples
    --------
    >>> heading_place(["Gene.ID", "Gene name"], ID_HEADERS), heading_place(["TP53"], ID_HEADERS)
    (0, None)
    """
    plain = [re.sub(r"[\W_]", "", cell).lower() for cell in cells]
    return next((plain.index(word) for word in headings if word in plain), None)


def is_heading(name: str) -> bool:
    """Whether a name is that of a column of names."""
    return heading_place([name], (*ID_HEADERS, *SYMBOL_HEADERS)) is not None
