"""Write the tables of methods and metrics in docs/ from their rows.

Run as ``python docs/make_tables.py``; a test holds the pages to it. README.md in docs/methods lists
all methods by role; each method's page has a table of the names that plans have for it, between two
marks; docs/choosing.md has one of what they cost, docs/methods/metrics.md those of metrics.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path

from tamis._core.citations import CITATIONS
from tamis._core.registry import ANY_OUTCOME, rows_of
from tamis._core.rows import Row, SearchRow, SelectingRow
from tamis.cli._interact_options import option_groups, search_options
from tamis.metrics import METRICS, Metric
from tamis.metrics.number_metrics import NUMBER_METRICS
from tamis.study.results.numbers import NUMBER_ROWS

FOLDER = Path(__file__).parent / "methods"
INDEX = "README.md"
BEGIN, END = "<!-- In plans: made by docs/make_tables.py -->", "<!-- end -->"
INTERACT = FOLDER.parent / "interact.md"
OPTIONS_BEGIN = "<!-- Options of the searches: made by docs/make_tables.py -->"
CHOOSING = FOLDER.parent / "choosing.md"
COSTS = FOLDER.parent / "results" / "method_costs.tsv"  # made by benchmarks/choosing.py
COSTS_BEGIN = "<!-- Costs of the methods: made by docs/make_tables.py -->"
NUMBERS_PAGE = FOLDER.parent / "numbers.md"
NUMBERS_BEGIN = "<!-- Numbers: made by docs/make_tables.py -->"
METRICS_BEGIN = "<!-- Metrics: made by docs/make_tables.py -->"
HEAD = """# Methods by name

Every name that a [plan](../plan.md), [`tamis interact`](../interact.md) or
[`tamis ontology match`](../ontology_matching.md) can use, as `tamis methods` lists them, with what
may be set and the defaults. This page is made from the registry by `docs/make_tables.py`.

Not chosen by name, but commands of their own: [scans](mtd_scan.md), [linear
scans](linear_scan.md), [mixed-model scans](mixed_scan.md), [pairs](pair_scan.md),
[clumping](clumping.md), [kinship](kinship.md) and
[quality](genotype_quality.md) of genotypes.
"""


def settings_text(row: Row) -> str:
    """What may be set, with the defaults as TOML has them where it can."""
    given = [f"`{name}` = {_value(value)}" for name, value in row.defaults.items()]
    return ", ".join([*(f"`{name}`" for name in row.settings if name not in row.defaults), *given])


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def sources(row: Row) -> str:
    """Authors and years."""
    texts = [CITATIONS.get(key, key) for key in row.cite]
    for text in texts:
        if "(" not in text:
            sys.exit(f"{row.name} cites {text!r}: no key of _core/citations.py, and no citation")
    return "; ".join(f"{_authors(text)} {text[text.index('(') + 1 :][:4]}" for text in texts)


def _authors(text: str) -> str:
    names = [name.strip() for name in text[: text.index("(")].split(",")]
    last = [re.sub(r" [A-Z]+( et al\.)?$", r"\1", name) for name in names]
    return " & ".join(last) if len(last) < 3 else f"{last[0]} et al."


def index_page() -> str:
    """All rows by role."""
    parts = [HEAD]
    for heading, rows in groupby(rows_of(Row, ANY_OUTCOME), lambda row: row.heading):
        what, _, key = heading.partition(": ")
        parts.append(f"\n## {what[:1].upper()}{what[1:]}\n\n`{key}`\n")
        parts += ["| name | called | what it does | may be set | source |", "| - | - | - | - | - |"]
        parts += [
            f"| [`{row.name}`]({row.page}) | {row.title} | {row.sentence} | {settings_text(row)} "
            f"| {sources(row)} |"
            for row in rows
        ]
    return "\n".join(parts) + "\n"


def page_table(page: str) -> str:
    """Names of the methods of a page, between the marks."""
    lines = ["| | name | what it does | may be set |", "| - | - | - | - |"]
    lines += [
        f"| `{row.key}` | `{row.name}` | {row.sentence} | {settings_text(row)} |"
        for row in rows_of(Row, ANY_OUTCOME)
        if row.page == page
    ]
    return "\n".join([BEGIN, *lines, END])


def with_table(text: str, page: str) -> str:
    """A page with its table as it should be; behind all else where it has none yet."""
    table = page_table(page)
    if BEGIN not in text:
        return f"{text.rstrip()}\n\n## In plans\n\n{table}\n"
    return with_block(text, table)


def with_block(text: str, block: str) -> str:
    """A page with another block in place of the one that begins with the same mark."""
    before, rest = text.split(block.splitlines()[0], 1)
    return before + block + rest.split(END, 1)[1]


def option_table() -> str:
    """The options of the searches, in the groups of `tamis interact --help`."""
    rows = rows_of(SearchRow)
    lines = ["| option | default | what |", "| - | - | - |"]
    for name, options in option_groups(search_options(rows), rows).items():
        lines.append(f"| **{name.lower()}** | | |")
        for option in options:
            told, defaults = option.words()
            lines.append(f"| `--{option.name}` | {defaults} | {told} |")
    return "\n".join([OPTIONS_BEGIN, *lines, END])


def cost_table() -> str:
    """What each way to select fits and takes, of those that were measured."""
    measured = dict(line.split("\t", 1) for line in COSTS.read_text().splitlines())
    lines = [
        "| `select` | called | fits | own size | CPU s | MB |",
        "| - | - | - | - | - | - |",
    ]
    for row in rows_of(SelectingRow):
        if row.name in measured:
            seconds, memory = measured[row.name].split("\t")
            link = f"[`{row.name}`](methods/{row.page})"
            own, fits = "yes" if row.promises.own_size else "", row.display.fits
            lines.append(f"| {link} | {row.title} | {fits} | {own} | {seconds} | {memory} |")
    return "\n".join([COSTS_BEGIN, *lines, END])


def metric_tables() -> str:
    """What each metric is, what a study makes of it, and where it is from."""
    lines = [
        "| short name | function | definition | better | needs | chance |",
        "| - | - | - | - | - | - |",
    ]
    for row in METRICS.values():
        function = f"`{row.function}`" if row.function else "–"
        better = "higher" if row.direction > 0 else "lower"
        needs = "labels" if row.needs == "labels" else "beliefs"
        chance = formula(row.chance_of)
        lines.append(
            f"| `{row.name}` | {function} | {row.definition} | {better} | {needs} | {chance} |"
        )
    lines += [
        "",
        "| short name | one class that gets chance | interval from | decision | criterion |",
        "| - | - | - | - | - |",
    ]
    for row in METRICS.values():
        decision = f"`{row.decide}`"
        if row.decide_two:
            decision = f"two classes: `{row.decide_two}`; several: {decision}"
        lines.append(
            f"| `{row.name}` | {formula(row.constant)} | {interval_source(row)} | {decision} "
            f"| `{row.tune}` |"
        )
    lines += [
        "",
        "| of numbers | definition | meaning | better | where nothing is found |",
        "| - | - | - | - | - |",
    ]
    for number in NUMBER_METRICS.values():
        better = "higher" if number.direction > 0 else "lower"
        chance = "the training mean's" if number.chance_value is None else number.chance_value
        definition = number.definition.replace("|", r"\|")
        lines.append(f"| `{number.name}` | {definition} | {number.meaning} | {better} | {chance} |")
    rows = (*METRICS.values(), *NUMBER_METRICS.values())
    cited = [f"- `{row.name}`: {row.cite}" for row in rows if row.cite]
    return "\n".join([METRICS_BEGIN, *lines, "", *cited, END])


def number_table() -> str:
    """What each number of a result estimates."""
    lines = [
        "| number of `results.json` | estimates | varies with | made by | from |",
        "| - | - | - | - | - |",
    ]
    for row in NUMBER_ROWS:
        paths = ", ".join(f"`{path}`" for path in row.paths.split(" | "))
        lines.append(
            f"| {paths} | {row.estimates} | {row.unit} | {row.made} | {row.least or '–'} |"
        )
    return "\n".join([NUMBERS_BEGIN, *lines, END])


def formula(function: Callable[..., object] | None) -> str:
    """The first line of a function's docstring, which is a formula or what it gives."""
    if isinstance(function, partial):
        function = function.func
    return (function.__doc__ or "").partition("\n")[0].rstrip(".") if function else "–"


def interval_source(row: Metric) -> str:
    """Of what the interval is made."""
    if not row.covered:
        return "none given"
    if row.of_confusion is None:
        return "areas" if row.of_pairs else "means of classes"
    return "recalls" + (f", up to {row.most_classes} classes" if row.most_classes else "")


def pages() -> dict[Path, str]:
    """What every page should hold."""
    found = {FOLDER / INDEX: index_page()}
    for path, block in (
        (INTERACT, option_table()),
        (CHOOSING, cost_table()),
        (FOLDER / "metrics.md", metric_tables()),
        (NUMBERS_PAGE, number_table()),
    ):
        found[path] = with_block(path.read_text(encoding="utf-8"), block)
    for page in dict.fromkeys(row.page for row in rows_of(Row, ANY_OUTCOME)):
        path = FOLDER / page
        found[path] = with_table(path.read_text(encoding="utf-8"), page)
    return found


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
