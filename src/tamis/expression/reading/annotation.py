"""Tables of platforms: the probe sets, and the symbols of their genes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..._core.errors import DataError, counted_noun, listed_names, nearest_hint, shorten_text
from ...data.limits import COLUMNS_LIMIT, FIELD_LIMIT, ROWS_LIMIT, refuse_many
from ...data.quoting import is_certain, record_readings
from ..annotation import Annotation, split_symbols
from .bounded_lines import TEXT_OVERHEAD_BYTES, BoundedLines
from .geo_entities import Platform

# headings, of letters and digits alone; the first that is there is taken
SYMBOL_HEADERS = (
    "genesymbol",
    "symbol",
    "genesymbols",
    "symbols",
    "hgncsymbol",
    "mgisymbol",
    "ilmngene",
    "geneassignment",
    "gene",
)
PROBE_HEADERS = (
    "id",
    "probesetid",
    "transcriptclusterid",
    "probeid",
    "probeset",
    "probesets",
    "probe",
    "idref",
)
BEGIN_MARK, END_MARK = "!platform_table_begin", "!platform_table_end"
ASSIGNMENT_HEADER = "geneassignment"


def read_annotation(
    path: str | Path,
    symbols: str | None = None,
    *,
    probes: str | None = None,
    platform: str | None = None,
) -> Annotation:
    """Read the genes of a platform's probe sets from a table at hand.

    Parameters
    ----------
    path : str or Path
        Unpacked or by gzip: GEO's ``GPL96.annot.gz``, ``GPL96-57554.txt``,
        ``GPL96_family.soft.gz`` or the family file of a series; the maker's
        ``HG-U133A.na36.annot.csv``; or any table with a heading, separated by tabs, commas or
        semicolons.
    symbols : str or None, default=None
        Heading of the column of symbols. None: a usual one, as Gene Symbol, SYMBOL, ILMN_Gene,
        gene_assignment.
    probes : str or None, default=None
        Heading of the column of probe sets. None: a usual one, as ID, Probe Set ID, PROBEID; else
        the first.
    platform : str or None, default=None
        As ``GPL96``, where a family file has several.

    Returns
    -------
    Annotation

    Raises
    ------
    DataError
        There is no such column, no gene in it, or several platforms and none is named; the file is
        damaged or cut short. The message is one line and names the file.

    Notes
    -----
    Several symbols of a probe set are separated by ``///`` or semicolons, or stand in several rows.
    Of a family file no more than the platforms is read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "GPL570.annot")
    ...     _ = path.write_text(
    ...         "^Annotation\\n!Annotation_platform = GPL570\\n!platform_table_begin\\n"
    ...         "ID\\tGene title\\tGene symbol\\n1007_s_at\\t\\tMIR4640///DDR1\\n"
    ...         "AFFX-TrpnX-M_at\\t\\t\\n!platform_table_end\\n")
    ...     found = read_annotation(path)
    >>> found
    Annotation('GPL570', 2 probe sets)
    >>> found.genes()
    {'1007_s_at': ('DDR1',), 'AFFX-TrpnX-M_at': ()}
    """
    path = Path(path)
    lines = BoundedLines(path)
    name, geo = "", False
    found: dict[str, Annotation] = {}
    others: list[str] = []
    for line in lines:
        line = line.removeprefix("\ufeff") if lines.number == 1 else line
        if line.startswith("^"):
            geo = True
            kind, name = (part.strip() for part in line[1:].partition("=")[::2])
            if kind.upper() == "SAMPLE" and found:
                break
        elif line.lower().startswith(BEGIN_MARK):
            geo = True
            if platform is not None and name not in ("", platform):
                others.append(name)
                for _ in lines.rows(END_MARK):
                    pass
                continue
            if name in found:
                raise lines.wrong("the beginning of a second table of one platform")
            table = lines.rows(END_MARK)
            found[name] = _annotation_of_rows(
                lines, next(table, [""]), table, name, symbols, probes
            )
        elif line.startswith("!"):
            geo = True
            if line.startswith("!Annotation_platform ="):
                name = line.partition("=")[2].strip()
        elif line.strip() and not geo and not line.startswith("#"):
            heading, table = _plain_table(lines, line)
            return _annotation_of_rows(lines, heading, table, path.name, symbols, probes)
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise DataError(
            f"{path.name!r} has tables of {counted_noun(len(found), 'platform')}: name one of "
            f"{listed_names(found)} with platform="
        )
    if others:
        raise DataError(
            f"{path.name!r} has no table of {shorten_text(platform)!r}: "
            f"{nearest_hint(platform, others)}"
        )
    raise DataError(
        f"{path.name!r} has no table of a platform; a series matrix file has none: give the "
        "platform's own, as GPL96.annot.gz"
    )


def platform_annotation(
    platform: Platform, symbols: str | None = None, probes: str | None = None
) -> Annotation:
    """The annotation in a platform's table of a family file, as `read_annotation` gives it."""
    heading = list(platform.columns)
    if not heading:
        raise DataError(
            f"the file has no table of {platform.name}: give an annotation, as "
            f"read_annotation('{platform.name}.annot.gz'), or --genes {platform.name}=FILE"
        )
    rows = zip(*platform.columns.values(), strict=True)
    return _annotation_of_rows(platform.name, heading, rows, platform.name, symbols, probes)


def _annotation_of_rows(
    source: BoundedLines | str,
    heading: Sequence[str],
    rows: Iterator[Sequence[str]],
    name: str,
    symbols: str | None,
    probes: str | None,
) -> Annotation:
    """The two columns that matter, of the rows of a table."""
    lines = source if isinstance(source, BoundedLines) else None
    file = lines.path.name if lines else str(source)
    heading = [field.strip() for field in heading]
    of = _named_column(file, heading, symbols, SYMBOL_HEADERS, "symbols")
    if of is None:
        raise DataError(
            f"{file!r} has no column of gene symbols among {listed_names(heading, 12)}: give its "
            "column the heading Gene Symbol, or in Python name it with symbols="
        )
    at = _named_column(file, heading, probes, PROBE_HEADERS, "probes")
    if at is None:
        at = next((j for j in range(len(heading)) if j != of), of)
    if at == of:
        raise DataError(f"{file!r} has one column for probe sets and symbols, {heading[of]!r}")
    assignment = _plain_heading(heading[of]) == ASSIGNMENT_HEADER
    known: dict[str, tuple[str, ...]] = {}  # one tuple for a text that comes again
    genes: dict[str, tuple[str, ...]] = {}
    for n, fields in enumerate(rows, 1):
        refuse_many(n, ROWS_LIMIT, "rows", file)
        probe, text = fields[at].strip(), fields[of]
        if not probe:
            continue
        if text not in known:
            if len(text) > FIELD_LIMIT.value:
                raise DataError(f"{file!r} has symbols of more than {FIELD_LIMIT.value:,} letters")
            known[text] = tuple(split_symbols(text, assignment))
            if lines:
                lines.hold(TEXT_OVERHEAD_BYTES * (1 + len(known[text])) + 2 * len(text))
        genes[probe] = (
            tuple(dict.fromkeys(genes[probe] + known[text])) if probe in genes else known[text]
        )
        if lines:
            lines.hold(2 * TEXT_OVERHEAD_BYTES + len(probe))
    if not any(genes.values()):
        raise DataError(
            f"{file!r} names no gene in its column {heading[of]!r}: name another with symbols=, of "
            f"{listed_names(heading, 12)}"
        )
    if symbols is None and all(one.isdigit() for several in genes.values() for one in several):
        raise DataError(
            f"{file!r} has numbers in its column {heading[of]!r}, not symbols; name it, or another "
            "column, with symbols="
        )
    return Annotation(tuple(genes), tuple(genes.values()), name or file, heading[of])


def _named_column(
    file: str, heading: Sequence[str], named: str | None, usual: Sequence[str], parameter: str
) -> int | None:
    """Place of the column that is named, or of a usual one."""
    plain = [_plain_heading(field) for field in heading]
    if named is None:
        wanted = next((one for one in usual if one in plain), None)
        return None if wanted is None else plain.index(wanted)
    same = [j for j, field in enumerate(heading) if field == named.strip()]
    same = same or [j for j, field in enumerate(plain) if field == _plain_heading(named)]
    if len(same) != 1:
        raise DataError(
            f"{file!r} has {'several columns' if same else 'no column'} {shorten_text(named)!r} "
            f"({parameter}=): {nearest_hint(named, heading)}"
        )
    return same[0]


def _plain_heading(heading: str) -> str:
    """Letters and digits alone, small."""
    return re.sub(r"[\W_]+", "", heading[:100]).lower()


def _plain_table(lines: BoundedLines, line: str) -> tuple[list[str], Iterator[list[str]]]:
    """Heading and rows of a table that goes to the end of the file."""
    separator = max("\t,;", key=lambda mark: (mark == "\t" and mark in line, line.count(mark)))
    refuse_many(line.count(separator) + 1, COLUMNS_LIMIT, "columns", lines.path.name)
    # GEO quotes nothing: there a quote is a letter
    quoted = separator != "\t" or '"' in line
    heading = _cells_of_line(lines, line, separator, quoted)
    return heading, _plain_rows(lines, heading, separator, quoted)


def _plain_rows(
    lines: BoundedLines, heading: list[str], separator: str, quoted: bool
) -> Iterator[list[str]]:
    first = True
    for line in lines:
        if not line.strip():
            continue
        fields = _cells_of_line(lines, line, separator, quoted)
        if first and len(fields) == len(heading) + 1:  # R gives names of rows no heading
            raise lines.wrong(
                "one field longer than the heading: give the column of row names a heading "
                "(in R: write.table with col.names = NA)"
            )
        if len(fields) > len(heading):
            raise lines.wrong(
                f"of {len(fields):,} fields in a table of {counted_noun(len(heading), 'column')}"
            )
        yield fields + [""] * (len(heading) - len(fields))
        first = False


def _cells_of_line(lines: BoundedLines, line: str, separator: str, quoted: bool) -> list[str]:
    if not quoted or '"' not in line:
        if line.count(separator) >= COLUMNS_LIMIT.value:
            refuse_many(
                line.count(separator) + 1, COLUMNS_LIMIT, "fields in a line", lines.path.name
            )
        return line.split(separator)
    ways = record_readings(line, separator)
    if not ways or not is_certain(line, ways):
        raise lines.wrong(
            "one whose quotes are not closed or not doubled: write each row in one line, and a "
            "quote inside a field as two"
        )
    return ways[0][1]
