"""What the variants are: PLINK's .bim, and the like of other formats.

A million of them are read in a fraction of a second (pyarrow's reader) and stay as Arrow's strings,
a tenth of what Python's own would take. A line that cannot be read costs its variant, not the file.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ..._core.arrow import arrow_numbers, arrow_texts, numbers_of
from ..._core.errors import DataError, counted_noun, value_text
from .text_blocks import tabs_for_blanks

if TYPE_CHECKING:
    import pandas as pd

BIM_FIELDS = ("chromosome", "id", "morgans", "position", "allele1", "allele2")
REQUIRED_FIELDS = tuple(name for name in BIM_FIELDS if name != "morgans")
TEXT_FIELDS = ("chromosome", "id", "allele1", "allele2")
PLINK_NUMBERS = {"X": "23", "Y": "24", "XY": "25", "MT": "26", "M": "26"}
UNPLACED_CHROMOSOMES = ("0", "")  # chromosomes of variants that nobody has placed
BLOCK_BYTES, MAX_BLOCK_BYTES = 1 << 20, (1 << 31) - 1  # bytes that Arrow reads at once
INTEGER_PATTERN = r"^-?[0-9]{1,18}$"

LEFT_OUT = ("", "broken line", "negative position")  # why no command looks at a variant


@dataclass(frozen=True)
class Variants:
    """One row a variant.

    Attributes
    ----------
    chromosome, id, allele1, allele2 : pyarrow.Array of string
        As they are written; allele 1 is the one whose copies are counted.
    position : ndarray of shape (p,) of int64
        Base pairs; negative: not to be looked at, as PLINK has it.
    broken : ndarray of shape (p,) of bool
        Of lines that could not be read, whose texts are empty, and of variants of more than two
        alleles (allele 1 then names all ALT, or the first of them): they have no calls.
    """

    chromosome: pa.Array
    id: pa.Array
    allele1: pa.Array
    allele2: pa.Array
    position: np.ndarray
    broken: np.ndarray

    def __len__(self) -> int:
        return len(self.position)

    @property
    def left_out(self) -> np.ndarray:
        """Why a variant is not looked at (p,) int8, as `LEFT_OUT` numbers it; 0: it is."""
        return np.select([self.broken, self.position < 0], [1, 2], 0).astype(np.int8)

    def take(self, columns: np.ndarray | slice) -> Variants:
        """Some of them, in this order."""
        if isinstance(columns, slice):
            first, last, step = columns.indices(len(self))
            assert step == 1
            texts = [getattr(self, name).slice(first, last - first) for name in TEXT_FIELDS]
        else:
            texts = [getattr(self, name).take(arrow_numbers(columns)) for name in TEXT_FIELDS]
        chromosome, id, allele1, allele2 = texts
        position, broken = self.position[columns], self.broken[columns]
        return Variants(chromosome, id, allele1, allele2, position, broken)

    @classmethod
    def joined(cls, parts: Sequence[Variants]) -> Variants:
        """Those of several files, one behind the other."""
        chromosome, id, allele1, allele2 = (
            pa.concat_arrays([getattr(part, name) for part in parts]) for name in TEXT_FIELDS
        )
        position, broken = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("position", "broken")
        )
        return cls(chromosome, id, allele1, allele2, position, broken)

    def on(self, chromosome: object) -> np.ndarray:
        """Which are on a chromosome (p,) bool; 22 and chr22 are one, and so are X and 23."""
        names = pc.unique(self.chromosome)
        wanted = plain_chromosome(chromosome)
        same = [name for name in names.to_pylist() if plain_chromosome(name) == wanted]
        found = pc.is_in(self.chromosome, value_set=arrow_texts(same))
        return numbers_of(found) & ~self.broken

    def frame(self) -> pd.DataFrame:
        """One row a variant."""
        import pandas as pd

        return pd.DataFrame(
            {
                "chromosome": self.chromosome.to_pandas(),
                "id": self.id.to_pandas(),
                "position": self.position,
                "allele1": self.allele1.to_pandas(),
                "allele2": self.allele2.to_pandas(),
            }
        )


def plain_chromosome(name: object) -> str:
    """PLINK's number of a chromosome, if it has one; else the name without "chr".

    Examples
    --------
    >>> [plain_chromosome(name) for name in ("chr22", 22, "01", "X", "chrMT", "scaffold_7")]
    ['22', '22', '1', '23', '26', 'SCAFFOLD_7']
    """
    text = str(name).strip().upper()
    text = text.removeprefix("CHR") or text
    if text.isdigit():
        text = text.lstrip("0") or "0"
    return PLINK_NUMBERS.get(text, text)


def count_lines(path: Path) -> int:
    """Lines of a file, empty ones at its end aside."""
    room = np.empty(1 << 20, dtype=np.uint8)
    with open(path, "rb", buffering=0) as file:
        n = 0
        while read := file.readinto(room.data):
            n += int(np.count_nonzero(room[:read] == ord("\n")))
        end = file.tell()
        while end:
            start = max(end - 4096, 0)
            file.seek(start)
            block = file.read(end - start)
            kept = block.rstrip()
            n -= block[len(kept) :].count(b"\n")
            if kept:
                return n + 1
            end = start
    return 0


def read_bim(path: Path) -> Variants:
    """A .bim: chromosome, id, morgans, position, allele 1, allele 2 a line, between tabs or spaces.

    Where no line has six fields they may have five, without morgans, as PLINK reads them.

    Raises
    ------
    DataError
        There is no line that can be read.
    """
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").rstrip()
    if b"\r" in text:  # a lone one is no end of a line to PLINK, and is one to Arrow
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b" ")
    try:
        text.decode()
    except UnicodeDecodeError:
        text = text.decode("utf-8", "replace").encode()
    if b" " in text:
        text = tabs_for_blanks(text)
    for names in (BIM_FIELDS, REQUIRED_FIELDS):
        found, n_read = variants_of(text, names, path.name)
        if n_read:
            return found
    first = text.split(b"\n", 1)[0]
    fields = counted_noun(first.count(b"\t") + 1 if first else 0, "field")
    raise DataError(
        f"{path.name!r} has no line of six fields: chromosome, id, morgans, position and two "
        f"alleles; its first has {fields} (spaces divide fields, and ids have none)"
    )


def variants_of(text: bytes, names: Sequence[str], file: str) -> tuple[Variants, int]:
    """One for each line of fields between tabs, and how many lines have all fields.

    Parameters
    ----------
    text : bytes
        UTF-8, without a line feed at its end.
    names : sequence of str
        What the fields of a line are; `REQUIRED_FIELDS` are taken.
    file : str
        For messages.

    Raises
    ------
    DataError
        A line is longer than can be read.
    """
    n = text.count(b"\n") + 1 if text else 0
    table, bad = _read_fields(text, names, file)
    broken = np.zeros(n, dtype=bool)
    broken[np.array(bad, dtype=np.int64) - 1] = True
    columns = {name: table[name].combine_chunks() for name in REQUIRED_FIELDS}
    is_integer = pc.match_substring_regex(columns["position"], INTEGER_PATTERN)
    position = np.zeros(n, dtype=np.int64)
    read = pc.if_else(is_integer, columns["position"], arrow_texts("0")[0]).cast(pa.int64())
    position[~broken] = numbers_of(read)
    broken[np.flatnonzero(~broken)[~numbers_of(is_integer)]] = True
    chromosome, id, allele1, allele2 = (
        _spread_over_lines(columns[name], n, bad) for name in TEXT_FIELDS
    )
    return Variants(chromosome, id, allele1, allele2, position, broken), n - len(bad)


def _read_fields(text: bytes, names: Sequence[str], file: str) -> tuple[pa.Table, list[int]]:
    """Lines of so many fields between tabs, and the numbers of the others, from 1."""
    bad: list[int] = []

    def note_bad_row(row: csv.InvalidRow) -> str:
        bad.append(row.number)
        return "skip"

    # one line may be larger than a block
    for size in (
        BLOCK_BYTES,
        min(len(text) + 2, MAX_BLOCK_BYTES),
    ):
        bad.clear()
        try:
            table = csv.read_csv(
                io.BytesIO(text + b"\n"),
                read_options=csv.ReadOptions(
                    column_names=names, use_threads=False, block_size=size
                ),
                parse_options=csv.ParseOptions(
                    delimiter="\t",
                    quote_char=False,
                    ignore_empty_lines=False,
                    invalid_row_handler=note_bad_row,
                ),
                convert_options=csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    strings_can_be_null=False,
                    include_columns=REQUIRED_FIELDS,
                ),
            )
        except pa.ArrowInvalid as error:
            wrong = DataError(f"{file!r} has no lines of variants: {value_text(str(error))}")
        else:
            return table, bad
    raise wrong


def _spread_over_lines(values: pa.Array, n: int, bad: list[int]) -> pa.Array:
    """Texts of the lines that could be read among those of all lines, which are empty else."""
    if not bad:
        return values
    place = np.full(n, -1, dtype=np.int64)
    kept = np.ones(n, dtype=bool)
    kept[np.array(bad) - 1] = False
    place[kept] = np.arange(len(values))
    return pc.fill_null(values.take(pa.array(place, mask=place < 0)), "")
