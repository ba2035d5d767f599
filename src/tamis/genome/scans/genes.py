"""Genes and where they are, from GTF or BED files, and which one is nearest to a variant."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, value_text
from ..readers.text_blocks import line_blocks
from ..readers.variants import plain_chromosome

GENE_FEATURE = "gene"  # the feature of GTF's lines that count
MAX_GENES = 1 << 22  # genes of a file
MAX_NAME_LENGTH = 200  # letters of a name
COMMENT_STARTS = ("#", "track ", "track\t", "browser ", "browser\t")
GENE_NAME_PATTERNS = tuple(
    re.compile(rf'(?:^|;)\s*{key}\s+"([^"]*)"') for key in ("gene_name", "gene_id")
)


@dataclass(frozen=True)
class Genes:
    """Genes by chromosome.

    Attributes
    ----------
    names : dict
        Chromosome, without "chr" and as PLINK numbers it, to its genes' names (g,), by their start.
    starts, ends : dict
        To the first and the last base pair of each (g,), from 1 on.
    """

    names: dict[str, np.ndarray]
    starts: dict[str, np.ndarray]
    ends: dict[str, np.ndarray]

    def __len__(self) -> int:
        return sum(map(len, self.names.values()))

    def nearest(self, chromosome: object, position: int) -> tuple[list[str], int | None]:
        """Names of the genes at a position and 0, or else of the nearest and how far they are.

        Parameters
        ----------
        chromosome : str or int
            22 and "chr22" are one, and so are 23 and "X".
        position : int
            Base pairs, from 1 on.

        Returns
        -------
        names : list of str
            Several if genes overlap or are as near, by their start; none where the chromosome has
            no gene.
        distance : int or None
            Base pairs from the position to the nearer end.

        Examples
        --------
        >>> genes = Genes.of([("1", 100, 200, "A"), ("1", 150, 300, "B"), ("2", 5, 9, "C")])
        >>> genes.nearest("chr1", 180), genes.nearest(1, 310), genes.nearest("X", 5)
        ((['A', 'B'], 0), (['B'], 10), ([], None))
        """
        name = plain_chromosome(chromosome)
        if name not in self.names:
            return [], None
        far = np.maximum(self.starts[name] - position, position - self.ends[name]).clip(min=0)
        distance = int(far.min())
        found = self.names[name][far == distance]
        return list(dict.fromkeys(found.tolist())), distance

    @classmethod
    def of(cls, spans: list[tuple[str, int, int, str]]) -> Genes:
        """Of chromosomes, first and last base pairs, and names."""
        plain = {where: plain_chromosome(where) for where, *_ in spans}
        ordered = sorted((plain[span[0]], *span[1:]) for span in spans)
        wheres = [one[0] for one in ordered]
        cuts = [k for k, where in enumerate(wheres) if not k or where != wheres[k - 1]]
        found = cls({}, {}, {})
        for first, last in pairwise([*cuts, len(ordered)]):
            starts, ends, names = zip(*(one[1:] for one in ordered[first:last]), strict=True)
            found.names[wheres[first]] = np.array(names, dtype=object)
            found.starts[wheres[first]] = np.array(starts, dtype=np.int64)
            found.ends[wheres[first]] = np.array(ends, dtype=np.int64)
        return found


def read_genes(path: str | os.PathLike[str]) -> Genes:
    """Genes of a GTF or BED file, which may be compressed by gzip.

    Of a GTF the lines whose feature is ``gene`` count, with their ``gene_name``, or else their
    ``gene_id``. A BED has a gene a line: chromosome, start (from 0 on), end and name. The file is
    read in blocks; only the genes stay in memory.

    Parameters
    ----------
    path : path

    Raises
    ------
    DataError
        There is no such file, a line cannot be read, or there is no gene.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/genes.bed").write_text("chr6\\t100\\t200\\tHLA-A\\n")
    ...     genes = read_genes(f"{folder}/genes.bed")
    >>> genes.nearest(6, 100), genes.nearest(6, 101)
    ((['HLA-A'], 1), (['HLA-A'], 0))
    """
    path = Path(path)
    spans: list[tuple[str, int, int, str]] = []
    is_gtf: bool | None = None
    for number, block in line_blocks(path, "a GTF or BED file of genes"):
        if number == 1 and block.startswith(b"##gff-version") and b"3" in block[:18]:
            raise DataError(f"{path.name!r} is GFF3: give genes as GTF, or as BED")
        if is_gtf is None:
            is_gtf = _is_gtf(block)
        lines = _gtf_genes(block, number) if is_gtf else _bed_genes(block, number)
        for line, where, first, last, name in lines:
            if len(spans) == MAX_GENES:
                raise DataError(
                    f"{path.name!r} has more than {MAX_GENES:,} genes: give genes alone"
                )
            spans.append((where, *_checked_gene(path.name, line, is_gtf, first, last, name)))
    if not spans:
        what = f"no line whose feature is {GENE_FEATURE!r}" if is_gtf else "no gene"
        raise DataError(f"{path.name!r} has {what}")
    return Genes.of(spans)


def _is_gtf(block: bytes) -> bool | None:
    """By the first line that says anything; None if none does."""
    for line in block.decode().splitlines():
        if line.strip() and not line.startswith(COMMENT_STARTS):
            fields = line.split("\t")
            return len(fields) >= 9 and not fields[1].strip().isdigit()
    return None


def _gtf_genes(block: bytes, number: int) -> Iterator[tuple[int, str, str, str, str | None]]:
    """Lines of genes: number, chromosome, first and last base pair as they stand there, name."""
    mark = f"\t{GENE_FEATURE}\t".encode()
    if mark not in block:
        return
    for k, line in enumerate(block.split(b"\n")):
        if mark not in line or line.startswith(b"#"):
            continue
        fields = line.decode().split("\t")
        if fields[2] == GENE_FEATURE:
            attributes = fields[8] if len(fields) > 8 else ""
            names = (
                found[1]
                for key in GENE_NAME_PATTERNS
                if (found := key.search(attributes)) and found[1]
            )
            first, last = (fields[3:5] + ["", ""])[:2]
            yield number + k, fields[0], first, last, next(names, None)


def _bed_genes(block: bytes, number: int) -> Iterator[tuple[int, str, str, str, str | None]]:
    """As of GTF."""
    for k, line in enumerate(block.decode().split("\n")):
        if not line.strip() or line.startswith(COMMENT_STARTS):
            continue
        fields = line.split("\t") if "\t" in line else line.split()
        where, first, last, name = (fields + [""] * 4)[:4]
        yield number + k, where, first, last, name.strip() or None


def _checked_gene(
    file: str, line: int, is_gtf: bool | None, first: str, last: str, name: str | None
) -> tuple[int, int, str]:
    """First and last base pair, from 1 on, and the name; or one line."""
    at = f"{file!r}, line {line:,}"
    if name is None:
        of = "gene_name and no gene_id" if is_gtf else "name: a BED of genes has four columns"
        raise DataError(f"{at}: a gene has no {of}")
    plain = [text.strip() for text in (first, last)]
    if not all(text.isdecimal() and text.isascii() and len(text) <= 12 for text in plain):
        raise DataError(
            f"{at}: a gene goes from {value_text(first)} to {value_text(last)}, where base pairs "
            "are whole numbers"
        )
    start, end = int(plain[0]) + (not is_gtf), int(plain[1])
    if start > end:
        raise DataError(f"{at}: a gene goes from {start:,} to {end:,}: it ends before it starts")
    if len(name) > MAX_NAME_LENGTH:
        raise DataError(f"{at}: a gene's name has {counted_noun(len(name), 'letter')}")
    return start, end, name
