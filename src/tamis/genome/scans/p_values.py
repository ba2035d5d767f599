"""P-values of variants from tables of results, PLINK's, plink2's, GEMMA's or any other's."""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ..._core.arrow import arrow_texts, numbers_of
from ..._core.errors import DataError, counted_noun, nearest_hint, value_text
from ..._core.fields import text_of_field
from ..readers.phenotypes import QUOTE_CHARACTERS
from ..readers.text_blocks import line_blocks, tabs_for_blanks

MISSING_TEXTS = ("", "NA", "N/A", "na", "NaN", "nan", "null", "None", ".")  # of a p-value
# names of such columns, those that go first in front: PLINK's and ours, GWAS-SSF's, SAIGE's ...
USUAL_HEADERS = {
    "id": (
        *("SNP", "ID", "rs", "RSID", "rsid", "rs_id", "MarkerName", "MarkerID", "variant_id"),
        *("SNPID", "SNP_ID"),
    ),
    "p": (
        *("P", "p_value", "p.value", "p_wald", "p_lrt", "p_score", "PVAL", "Pval", "PVALUE"),
        *("P_BOLT_LMM", "P_MAXT"),
    ),
}
# of -log10 p: REGENIE's, plink2's, GWAS-SSF's, FinnGen's ...
LOG_P_HEADERS = (
    *("LOG10P", "LOG10_P", "NEG_LOG10_P", "neg_log_10_p_value", "MLOG10P", "mlogp", "NEGLOG10P"),
    *("LP", "-log10(p)", "-LOG10P", "NLOG10P", "neg_log10_pval"),
)
ADDITIVE_TEST = "ADD"  # the test of a variant, beside those of covariates
MAX_TEST_NAMES = 20  # names of tests that are remembered
MIN_STEP = float(np.finfo(np.float64).smallest_subnormal)  # a step of the smallest numbers
MIN_EXACT_P = float(np.finfo(np.float64).tiny)  # p below are kept by their order alone
SCIENTIFIC_PATTERN = re.compile(r"\+?([\d.]+)[eE](-\d+)")


@dataclass(frozen=True)
class PValues:
    """Rows of a table of results.

    Attributes
    ----------
    ids : pyarrow.ChunkedArray of string
        Of the variants, one each row.
    values : ndarray of shape (rows,)
        P-values; NaN where the table has none. Those below 2.2e-308, which numbers do not hold,
        are the smallest numbers above 0 in the order of what is written.
    tests : tuple of str
        What its column TEST names, sorted, where there is one; the first 20.
    test : str, optional
        That whose rows these are; None: all rows.
    p, snp : str
        The columns that were read.
    """

    ids: pa.ChunkedArray
    values: np.ndarray
    tests: tuple[str, ...] = ()
    test: str | None = None
    p: str = "P"
    snp: str = "SNP"

    def __len__(self) -> int:
        return len(self.values)


def read_p_values(
    path: str | os.PathLike[str],
    p: str | None = None,
    snp: str | None = None,
    test: str | None = None,
) -> PValues:
    """Ids of variants and their p-values from a table with a header.

    It is read block by block; only these columns stay in memory. Blank lines are skipped; NA, NaN,
    a dot or nothing is a missing p-value.

    Parameters
    ----------
    path : path
        Fields between tabs, commas, semicolons, or any number of blanks; may be compressed by gzip.
    p : str, optional
        Column of p-values, or of -log10 p by its name (``LOG10P``, ``MLOG10P``, ...). By default
        the first of those that PLINK, GWAS-SSF, SAIGE, GEMMA or REGENIE write.
    snp : str, optional
        Column of ids; by default found likewise.
    test : str, optional
        Rows with this in a column TEST; by default those of ADD if there are any, else all.
        plink2's ``--glm`` with covariates has rows of these, too.

    Raises
    ------
    DataError
        There is no such file or column, a line has another number of fields than the header, or a
        p-value is no number from 0 to 1.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/a.assoc").write_text(" SNP   P\\n rs1 1e-5 \\n rs2   NA\\n")
    ...     found = read_p_values(f"{folder}/a.assoc")
    >>> found.ids.to_pylist(), found.values.tolist()
    (['rs1', 'rs2'], [1e-05, nan])
    """
    path = Path(path)
    columns: _Columns | None = None
    ids: list[pa.Array] = []
    values: list[np.ndarray] = []
    logs: list[np.ndarray] = []
    tests: set[str] = set()
    of_tests: list[pa.Array] = []
    for number, block in line_blocks(path, "a table of p-values"):
        if columns is None:
            line = b""
            while block and not line.strip():
                line, _, block = block.partition(b"\n")
                number += 1
            if not line.strip():
                continue
            columns = _Columns.of(path.name, line.decode(), p, snp)
        table, lines = columns.read(block, number)
        ids.append(_plain_ids(table["id"].combine_chunks()))
        read = _log_numbers if columns.logarithms else _p_value_numbers
        numbers, tiny = read(table["p"].combine_chunks(), path.name, lines)
        values.append(numbers)
        logs.append(tiny)
        if "test" in table.column_names:
            of_tests.append(table["test"].combine_chunks())
            if len(tests) < MAX_TEST_NAMES:
                tests.update(pc.unique(table["test"])[:MAX_TEST_NAMES].to_pylist())
    if columns is None:
        raise DataError(f"{path.name!r} is empty: a table of p-values has a header and rows")
    every, numbers = pa.chunked_array(ids, pa.string()), np.concatenate([*values, np.empty(0)])
    _put_in_order(numbers, np.concatenate([*logs, np.empty(0)]))
    wanted = test if test is not None or ADDITIVE_TEST not in tests else ADDITIVE_TEST
    if wanted is not None:
        kept = pc.equal(pa.chunked_array(of_tests or [[]], pa.string()), wanted)
        if not pc.any(kept).as_py():
            has = nearest_hint(wanted, sorted(tests)) if tests else "it has no column TEST"
            raise DataError(f"{path.name!r} has no rows of test={value_text(wanted)}: {has}")
        every, numbers = every.filter(kept), numbers[numbers_of(kept)]
    names = (columns.header[columns.wanted[what]] for what in ("p", "id"))
    return PValues(every, numbers, tuple(sorted(tests)[:MAX_TEST_NAMES]), wanted, *names)


@dataclass(frozen=True)
class _Columns:
    """How lines are cut, and which fields are wanted."""

    name: str
    delimiter: str | None  # None: blanks
    header: list[str]
    wanted: dict[str, int]

    @property
    def logarithms(self) -> bool:
        """The column wanted is of -log10 p."""
        return self.header[self.wanted["p"]] in LOG_P_HEADERS

    @classmethod
    def of(cls, name: str, line: str, p: str | None, snp: str | None) -> _Columns:
        delimiter = next((d for d in ("\t", ",", ";") if d in line.strip()), None)
        header = [
            field.strip(" \t" + QUOTE_CHARACTERS) for field in line.strip("\n").split(delimiter)
        ]
        header[0] = header[0].removeprefix("#")
        if len(header) < 2:
            raise DataError(
                f"{name!r}: its first line is {value_text(line.strip())}, where a table of "
                "p-values has a header of several columns"
            )
        wanted = {}
        for what, given in (("id", snp), ("p", p)):
            usual = [one for one in USUAL_HEADERS[what] if one in header]
            if what == "p":
                usual += [one for one in LOG_P_HEADERS if one in header]
            column = given or (usual[0] if usual else USUAL_HEADERS[what][0])
            if column not in header:
                option = "snp" if what == "id" else "p"
                # "ps" is near to P, and no p-value
                expected = column in USUAL_HEADERS[what] and usual
                hint = f"did you mean {usual[0]!r}?" if expected else nearest_hint(column, header)
                raise DataError(f"{name!r} has no column {option}={value_text(column)}: {hint}")
            if header.count(column) > 1:
                raise DataError(f"{name!r} has the column {value_text(column)} twice")
            wanted[what] = header.index(column)
        if header.count("TEST") == 1:
            wanted["test"] = header.index("TEST")
        return cls(name, delimiter, header, wanted)

    def read(self, block: bytes, number: int) -> tuple[pa.Table, np.ndarray]:
        """The wanted columns of a block, and the lines they are of; the first has this number."""
        if self.delimiter is None:
            block = tabs_for_blanks(block)
        blank: list[int] = []
        ragged: list[tuple[int, int]] = []

        def note_ragged_row(row: csv.InvalidRow) -> str:
            if row.text.strip():
                ragged.append((row.number, row.actual_columns))
            blank.append(row.number)
            return "skip"

        n, names = block.count(b"\n"), [str(k) for k in range(len(self.header))]
        quoted = self.delimiter is not None and b'"' in block
        try:
            table = csv.read_csv(
                io.BytesIO(block or b"\n"),
                read_options=csv.ReadOptions(
                    column_names=names, use_threads=False, block_size=len(block) + 2
                ),
                parse_options=csv.ParseOptions(
                    delimiter=self.delimiter or "\t",
                    quote_char='"' if quoted else False,
                    ignore_empty_lines=False,
                    invalid_row_handler=note_ragged_row,
                ),
                convert_options=csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    strings_can_be_null=False,
                    include_columns=[str(k) for k in self.wanted.values()],
                ),
            )
        except pa.ArrowInvalid as error:
            raise DataError(f"{self.name!r} is no table: {value_text(str(error))}") from error
        if ragged:
            row, count = ragged[0]
            raise DataError(
                f"{self.name!r}, line {number + row - 1:,}: {counted_noun(count, 'field')}, where "
                f"the header names {len(self.header):,}"
            )
        there = np.ones(max(n, 1), dtype=bool)
        there[np.array(blank, dtype=np.int64) - 1] = False
        table, lines = table.rename_columns(list(self.wanted)), number + np.flatnonzero(there)
        if table.num_rows != len(lines):
            raise DataError(
                f"{self.name!r}, from line {number:,} on: a quoted text goes on in the next line"
            )
        filled = pc.or_(pc.not_equal(table["id"], ""), pc.not_equal(table["p"], ""))
        if not pc.all(filled).as_py():  # blank lines between tabs
            table, lines = table.filter(filled), lines[numbers_of(filled)]
        return table, lines


def _plain_ids(ids: pa.Array) -> pa.Array:
    """Without quotes around them, and without the apostrophe that keeps a text from being one of a
    spreadsheet's formulas."""
    ids = pc.utf8_trim_whitespace(ids)
    if not pc.any(pc.match_substring_regex(ids, f"^[{QUOTE_CHARACTERS}]")).as_py():
        return ids
    return arrow_texts(
        one[1:-1]
        if len(one) > 1 and one[0] in QUOTE_CHARACTERS and one[-1] == one[0]
        else text_of_field(one)
        for one in ids.to_pylist()
    )


def _put_in_order(values: np.ndarray, logs: np.ndarray) -> None:
    """P-values that numbers do not hold, by -log10 p (n,), NaN of the others: as the smallest
    numbers above 0, in their order."""
    at = np.flatnonzero(~np.isnan(logs))
    if len(at):
        _, rank = np.unique(-logs[at], return_inverse=True)
        values[at] = (rank + 1) * MIN_STEP


def _p_value_numbers(
    texts: pa.Array, name: str, lines: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """P-values (n,), NaN where there is none; -log10 p (n,) of those that numbers do not hold."""
    plain, found, known = _numbers(texts)
    if (wrong := known & ~((found >= 0) & (found <= 1))).any():
        k = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"{name!r}, line {int(lines[k]):,}: a p-value of {value_text(texts[k].as_py())}, where "
            "one is a number from 0 to 1, or NA"
        )
    logs = np.full(len(found), np.nan)
    for k in np.flatnonzero(found < MIN_EXACT_P).tolist():
        if (written := SCIENTIFIC_PATTERN.fullmatch(plain[k].as_py())) and float(written[1]) > 0:
            logs[k] = -int(written[2]) - np.log10(float(written[1]))
    return found, logs


def _log_numbers(texts: pa.Array, name: str, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P-values (n,) of -log10 p, NaN where there is none; these of those that numbers do not
    hold."""
    _, found, known = _numbers(texts)
    if (wrong := known & ~(found >= 0)).any():
        k = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"{name!r}, line {int(lines[k]):,}: -log10 p of {value_text(texts[k].as_py())}, where "
            "one is a number of 0 or more, or NA"
        )
    values = 10.0**-found
    return values, np.where(values < MIN_EXACT_P, found, np.nan)


def _numbers(texts: pa.Array) -> tuple[pa.Array, np.ndarray, np.ndarray]:
    """Texts without blanks and quotes around, their numbers (n,), and which are not missing."""
    plain = pc.utf8_trim(texts, " \t" + QUOTE_CHARACTERS)
    missing = pc.is_in(plain, value_set=arrow_texts(MISSING_TEXTS))
    try:
        found = numbers_of(pc.if_else(missing, "nan", plain).cast(pa.float64()))
    except pa.ArrowInvalid:
        found = np.array([_p_value_number(text) for text in plain.to_pylist()])
    return plain, found, ~numbers_of(missing)


def _p_value_number(text: str) -> float:
    """Of a text that Arrow may not read; -1 if it is none."""
    if text in MISSING_TEXTS:
        return np.nan
    try:
        return float(text)
    except ValueError:
        return -1.0
