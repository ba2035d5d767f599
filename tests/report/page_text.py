"""What a page shows, and the result it is of, as plain text: a line a paragraph, row or number.

Of a long table the first rows are written out and the others are one digest, and so is what is
embedded; of a chart there is its title and a digest (`tests/plotting/` looks at the pictures).
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator
from typing import Any

MOST = 6  # rows of a table that are written out
CHART = re.compile(r"<svg xmlns.*?</svg>", re.DOTALL)
SCRIPT = re.compile(r"<script[^>]*json[^>]*>(.*?)</script>", re.DOTALL)
UNSEEN = re.compile(r"<(style|script|head|nav)\b.*?</\1>|<!.*?>", re.DOTALL)
TABLE = re.compile(r"<tbody.*?</tbody>", re.DOTALL)
BREAKS = re.compile(
    r"</(p|li|h\d|tr|section|div|caption|summary|details|d[td]|pre|button|label|option|figure)>|<br>"
)
CELLS = re.compile(r"</t[hd]>")
# What a number decides beside words: lengths of bars and shades, help, and classes.
SHOWN = re.compile(r'<[^>]*?(?:style|title|class)="[^"]*[^>]*>')
PART = re.compile(r'(style|title)="([^"]*)"|\b(strong|right|marked|nothing)\b')


def page_text(page: str) -> str:
    """All of a page that results decide."""
    embedded = [line for found in SCRIPT.findall(page) for line in _embedded(json.loads(found))]
    page = UNSEEN.sub("", page)
    page = CHART.sub(lambda found: f"<p>{_chart(found[0])}</p>", page)
    page = TABLE.sub(lambda found: _folded(found[0]), page)
    return "\n".join([*_lines(page), *embedded, ""])


def result_text(value: Any, where: str = "result", depth: int = 3) -> str:
    """A line of each number of a result; what is deeper or long is a digest."""
    value = _rounded(value)
    if isinstance(value, dict) and depth and value:
        parts = [(f"{where}.{key}", one) for key, one in value.items() if key != "versions"]
    elif isinstance(value, list) and depth and 0 < len(value) <= MOST and value != _plain(value):
        parts = [(f"{where}[{k}]", one) for k, one in enumerate(value)]
    else:
        text = json.dumps(value)
        return f"{where}: {text if len(text) < 80 else f'{len(value)} in {_digest([text])}'}\n"
    return "".join(result_text(one, path, depth - 1) for path, one in parts)


def table_text(name: str, table: str) -> str:
    """The first rows of a file of tabs, numbers short, and a digest of the others."""
    rows = [_short(row) for row in table.splitlines()]
    return "\n".join([f"table {name}", *_cut(rows), ""])


def _plain(values: list[Any]) -> list[Any]:
    return [one for one in values if not isinstance(one, dict | list)]


def _lines(page: str) -> Iterator[str]:
    """Of elements that are lines; the names of their parts do not count."""
    page = re.sub(r"\s+", " ", page)
    page = CELLS.sub(" | ", SHOWN.sub(_decided, BREAKS.sub("\n", page)))
    for line in html.unescape(re.sub(r"<[^>]*>", "", page)).split("\n"):
        if words := " ".join(line.split()).strip("| "):
            yield words


def _decided(tag: re.Match[str]) -> str:
    parts = (style or mark for _, style, mark in PART.findall(tag[0]))
    return "".join(f"{{{_short(part)}}}" for part in parts)


def _folded(body: str) -> str:
    """The first rows of a table, and a digest of the others."""
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    lines = [" ".join(_lines(row.removesuffix("</tr>"))) for row in rows]
    return "".join(f"<p>{html.escape(line)}</p>" for line in _cut(lines))


def _cut(lines: list[str]) -> list[str]:
    rest = lines[MOST:]
    return lines[:MOST] + ([f"... {len(rest)} more: {_digest(rest)}"] if rest else [])


def _chart(svg: str) -> str:
    title = re.findall(r"<(?:title|desc)[^>]*>(.*?)</", svg, re.DOTALL)[:2]
    return f"chart {_digest([svg])}: {' '.join(title)}"


def _embedded(tables: dict[str, Any]) -> Iterator[str]:
    """A line of each table: its columns, how many rows, and a digest of them."""
    for name, table in tables.items():
        if isinstance(table, dict) and {"columns", "rows"} == table.keys():
            rows = [json.dumps(_rounded(row)) for row in table["rows"]]
            yield f"download {name}: {len(rows)} rows, {_digest(rows)}: {table['columns']}"
        else:
            yield f"data {name}: {_digest([json.dumps(_rounded(table))])}"


def _rounded(value: Any) -> Any:
    """Floats to four digits: the last ones are of the machine."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value


def _short(text: str) -> str:
    return re.sub(r"\d\.\d{4,}", lambda number: f"{float(number[0]):.4g}", text)


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:12]
