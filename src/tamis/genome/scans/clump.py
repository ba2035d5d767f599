"""Significant variants of a scan put together by linkage disequilibrium: clumping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..._core.arrow import arrow_numbers, arrow_texts, numbers_of
from ..._core.errors import DataError, counted_noun, value_text
from ..._core.settings import checked_positive, checked_share
from ..blocks.calls import packed_rows
from ..blocks.sharing import in_threads
from ..readers.genotypes import Genotypes
from ..readers.variants import plain_chromosome
from .clump_result import BIN_COLUMNS, BIN_P_VALUES, Clumps
from .clump_schema import ClumpRows

X, Y = "23", "24"  # as `plain_chromosome` names them
MOST_KB = 2_147_483.0  # so that base pairs fit into PLINK's numbers
STRETCH_BYTES = 1 << 26  # of packed calls that are read at once
TASK_VARIANTS = 256  # significant variants of a task, if there are so many near each other


def clump_variants(
    genotypes: Genotypes,
    ids: Any,
    p_values: Any,
    *,
    p1: float = 1e-4,
    p2: float = 0.01,
    r2: float = 0.5,
    kb: float = 250,
    quiet: bool = True,
    n_jobs: int = 1,
) -> Clumps:
    """Clumps of variants around the most significant ones, by the rules of PLINK 1.9.

    The variant with the smallest p-value is an index variant. With it go all variants of the table
    nearer than `kb` whose squared correlation with it is above `r2`, whatever their p-values, that
    are in no clump yet; then the next of those that have a p-value of `p1` or less and are in none.

    Squared correlations are those of haplotypes, whose frequencies are of maximum likelihood, among
    founders who are called at both variants. On X males have one allele, on Y females none.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    ids : sequence of str of length m
        Variants of a table of results. One that comes several times counts with each row.
    p_values : array-like of shape (m,)
        From 0 to 1; NaN where there is none.
    p1 : float, default=1e-4
        Largest p-value of an index variant.
    p2 : float, default=0.01
        Members with a smaller p-value are listed by name.
    r2 : float, default=0.5
    kb : float, default=250
        Thousands of base pairs between an index variant and a member, which are fewer.
    quiet : bool, default=True
        No progress on stderr.
    n_jobs : int, default=1
        Threads; results do not depend on them.

    Returns
    -------
    Clumps
        Without any where no p-value is `p1` or less.

    Raises
    ------
    DataError
        There are not as many p-values as ids, one is not from 0 to 1, or nobody is a founder.
    PlanError
        A parameter is not one of those allowed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from tamis.genome import clump_variants, open_genotypes
    >>> from tamis.kernels.genotypes.words import pack_calls
    >>> codes = np.array([0, 2, 3])[np.random.default_rng(0).binomial(2, 0.4, (5, 200))]
    >>> codes[1] = codes[0]  # in complete linkage disequilibrium
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = Path(folder) / "made.bed"
    ...     _ = made.write_bytes(b"\\x6c\\x1b\\x01" + pack_calls(codes).tobytes())
    ...     bim = "".join(f"1 rs{j} 0 {j + 1} A C\\n" for j in range(5))
    ...     fam = "".join(f"f i{k} 0 0 0 -9\\n" for k in range(200))
    ...     _ = made.with_suffix(".bim").write_text(bim), made.with_suffix(".fam").write_text(fam)
    ...     names, p = ["rs0", "rs1", "rs3", "rs4"], [1e-6, 1e-9, 1e-5, 0.3]
    ...     found = clump_variants(open_genotypes(made), names, p)
    >>> found.frame()[["SNP", "P", "TOTAL", "S0001", "SP2"]]
       SNP             P  TOTAL  S0001     SP2
    0  rs1  1.000000e-09      1      1  rs0(1)
    1  rs3  1.000000e-05      0      0    NONE
    """
    p1, p2, r2 = checked_share(p1, "p1"), checked_share(p2, "p2"), checked_share(r2, "r2")
    kb = checked_positive(kb, "kb")
    values = _checked_values(p_values)
    names = _checked_ids(ids)
    if len(names) != len(values):
        raise DataError(
            f"{counted_noun(len(names), 'id')}, and {counted_noun(len(values), 'p-value')}"
        )
    samples = genotypes.samples
    founder = (samples.father == "0") & (samples.mother == "0")
    if not founder.any():
        raise DataError(
            f"none of {counted_noun(len(founder), 'sample')} is a founder (father and mother 0), "
            "and linkage disequilibrium is that of founders: set the parents to 0"
        )
    column, rows = _find_variants(genotypes, names, values, p1)
    table = _Table.of(genotypes, column, values, p2)
    people = _People.of(genotypes, founder)
    radius = int(min(kb, MOST_KB) * 1000 * (1 + 2**-44) - 1)
    tasks = list(table.tasks(p1, radius))
    total = sum(size for size, _ in tasks)
    leader = np.full(len(table.column), -1, dtype=np.int64)

    def clump_stretches(stretches: list[_Stretch]) -> list[tuple[_Stretch, np.ndarray]]:
        return [(stretch, _clump_stretch(genotypes, people, stretch, r2)) for stretch in stretches]

    for part in in_threads(clump_stretches, tasks, total, "Clumping", n_jobs, quiet):
        for stretch, found in part:
            leader[stretch.first : stretch.first + len(found)] = np.where(
                found < 0, -1, stretch.first + found
            )
    index = np.flatnonzero(leader == np.arange(len(leader)))
    index = index[np.lexsort((table.column[index], table.least[index]))]
    columns, least = table.column[index], table.least[index]
    counts, listed, cuts = _gather_clumps(table, leader, index, p2)
    names_there = genotypes.variants.id.take(arrow_numbers(table.column[listed])).to_pylist()
    members = tuple(names_there[first:last] for first, last in pairwise(cuts.tolist()))
    return Clumps(
        genotypes.variants.take(columns),
        columns,
        least,
        counts,
        members,
        p1,
        p2,
        r2,
        kb,
        int(founder.sum()),
        total,
        rows,
    )


def _gather_clumps(
    table: _Table, leader: np.ndarray, index: np.ndarray, p2: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows in each clump beside that of the index variant: how many by their p-values (k, 5), the
    variants of those below p2, clump by clump and by position, and where clumps begin (k + 1,)."""
    there = np.flatnonzero(leader >= 0)
    rank = np.empty(len(leader), dtype=np.int64)
    rank[index] = np.arange(len(index))
    clump = rank[leader[there]]
    counts = np.zeros((len(index), len(BIN_COLUMNS)), dtype=np.int64)
    np.add.at(counts, clump, table.counts[there])
    counts[np.arange(len(index)), _p_value_bins(table.least[index])] -= 1
    listed = table.listed.copy()
    listed[index] -= table.least[index] < p2
    order = np.argsort(clump, kind="stable")
    times = listed[there[order]]
    cuts = np.searchsorted(np.repeat(clump[order], times), np.arange(len(index) + 1))
    return counts, np.repeat(there[order], times), cuts


def _checked_values(p_values: Any) -> np.ndarray:
    try:
        values = np.asarray(p_values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("p_values: give numbers from 0 to 1, NaN where there is none") from error
    if values.ndim != 1:
        raise DataError(
            f"p_values has {counted_noun(values.ndim, 'dimension')}: give one number a row"
        )
    if (wrong := ~np.isnan(values) & ~((values >= 0) & (values <= 1))).any():
        k = int(np.flatnonzero(wrong)[0])
        raise DataError(f"p_values[{k}] = {values[k]:g}: a p-value is a number from 0 to 1")
    return values


def _checked_ids(ids: Any) -> pa.Array | pa.ChunkedArray:
    if isinstance(ids, pa.Array | pa.ChunkedArray) and pa.types.is_string(ids.type):
        return pc.fill_null(ids, "")
    if isinstance(ids, str):
        raise DataError(f"ids = {value_text(ids)}: give a list of ids")
    return arrow_texts(map(str, ids))


def _find_variants(
    genotypes: Genotypes, names: pa.Array, values: np.ndarray, p1: float
) -> tuple[np.ndarray, ClumpRows]:
    """Which variant each row is of (m,), -1 where it is not used; and why rows are not."""
    variants = genotypes.variants
    coded = variants.id.dictionary_encode()
    codes = numbers_of(coded.indices)
    usable = np.flatnonzero(variants.left_out == 0)
    often = np.bincount(codes[usable], minlength=len(coded.dictionary))
    only = np.full(len(often), -1, dtype=np.int64)
    only[codes[usable]] = usable
    only[often > 1] = -2
    place = pc.fill_null(pc.index_in(names, value_set=coded.dictionary), len(often))
    column = np.append(only, -1)[numbers_of(place)]
    known = ~np.isnan(values)
    unknown, ambiguous = known & (column == -1), known & (column == -2)
    used = known & (column >= 0)
    return np.where(used, column, -1), {
        "read": len(values),
        "missing": int((~known).sum()),
        "unknown": int(unknown.sum()),
        "unknown_top": int((unknown & (values <= p1)).sum()),
        "ambiguous": int(ambiguous.sum()),
        "used": int(used.sum()),
    }


def _p_value_bins(values: np.ndarray) -> np.ndarray:
    """In which of `BIN_COLUMNS` p-values are."""
    return np.asarray(sum((values < level).astype(np.int64) for level in BIN_P_VALUES))


@dataclass(frozen=True)
class _Stretch:
    """Variants of the table that lie on one chromosome, enough for some index variants.

    Attributes
    ----------
    chromosome : str
    first : int
        Place of the first in the table.
    columns : ndarray of shape (m,)
    tops : ndarray of int64
        Those that may be index variants, the most significant first.
    low, high : ndarray of int64
        What is near each of them.
    """

    chromosome: str
    first: int
    columns: np.ndarray
    tops: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class _Table:
    """Variants that have p-values, by chromosome and position.

    Attributes
    ----------
    column : ndarray of shape (v,)
        Among those of the genotypes.
    least : ndarray of shape (v,)
        The smallest p-value.
    counts : ndarray of shape (v, 5)
        Rows by their p-values.
    listed : ndarray of shape (v,)
        Rows with a p-value below p2.
    position : ndarray of shape (v,)
    chromosomes : list of (str, slice)
    """

    column: np.ndarray
    least: np.ndarray
    counts: np.ndarray
    listed: np.ndarray
    position: np.ndarray
    chromosomes: list[tuple[str, slice]]

    @classmethod
    def of(cls, genotypes: Genotypes, column: np.ndarray, values: np.ndarray, p2: float) -> _Table:
        used = column >= 0
        there, at = np.unique(column[used], return_inverse=True)
        values, n = values[used], len(there)
        least = np.full(n, np.inf)
        np.minimum.at(least, at, values)
        kinds = len(BIN_COLUMNS)
        counts = np.bincount(at * kinds + _p_value_bins(values), minlength=n * kinds).reshape(
            n, kinds
        )
        listed = np.bincount(at, values < p2, n).astype(np.int64)
        of = genotypes.variants.take(there)
        coded = of.chromosome.dictionary_encode()
        plain = [plain_chromosome(name) for name in coded.dictionary.to_pylist()]
        place = {name: k for k, name in enumerate(dict.fromkeys(plain))}
        codes = np.array([place[name] for name in plain], dtype=np.int64)[numbers_of(coded.indices)]
        order = np.lexsort((there, of.position, codes))
        cuts = np.searchsorted(codes[order], np.arange(len(place) + 1))
        chromosomes = [(name, slice(int(cuts[k]), int(cuts[k + 1]))) for name, k in place.items()]
        return cls(
            there[order],
            least[order],
            counts[order],
            listed[order],
            of.position[order],
            chromosomes,
        )

    def tasks(self, p1: float, radius: int) -> Iterator[tuple[int, list[_Stretch]]]:
        """Stretches of which no two share a variant, some together, and their significant ones."""
        waiting: list[_Stretch] = []
        size = 0
        for name, at in self.chromosomes:
            for stretch in self._stretches(name, at, p1, radius):
                waiting.append(stretch)
                size += len(stretch.tops)
                if size >= TASK_VARIANTS:
                    yield size, waiting
                    waiting, size = [], 0
        if waiting:
            yield size, waiting

    def _stretches(self, name: str, at: slice, p1: float, radius: int) -> Iterator[_Stretch]:
        position, least = self.position[at], self.least[at]
        tops = np.flatnonzero(least <= p1)
        low = np.searchsorted(position, position[tops] - radius, "left")
        high = np.searchsorted(position, position[tops] + radius, "right")
        cuts = np.flatnonzero(low[1:] >= high[:-1]) + 1
        for part in np.split(np.arange(len(tops)), cuts):
            if not len(part):
                continue
            first, last = int(low[part[0]]), int(high[part[-1]])
            columns = self.column[at][first:last]
            best = part[np.lexsort((self.column[at][tops[part]], least[tops[part]]))]
            yield _Stretch(
                name,
                at.start + first,
                columns,
                tops[best] - first,
                low[best] - first,
                high[best] - first,
            )


@dataclass(frozen=True)
class _People:
    """Masks of the founders among the samples of the files."""

    n_file: int
    everyone: np.ndarray
    male: np.ndarray
    other: np.ndarray

    @classmethod
    def of(cls, genotypes: Genotypes, founder: np.ndarray) -> _People:
        from ...kernels.genotypes.words import masks_of

        male = founder & (genotypes.samples.sex == 1)
        masks = (
            masks_of(genotypes.groups_of_file(np.where(one, 0, -1)), 1)[0]
            for one in (founder, male, founder & ~male)
        )
        return cls(genotypes.n_file, *masks)

    def by_ploidy(self, chromosome: str) -> tuple[np.ndarray, np.ndarray]:
        """Who has two alleles there, and who has one."""
        none = np.zeros_like(self.everyone)
        if chromosome == X:
            return self.other, self.male
        return (none, self.male) if chromosome == Y else (self.everyone, none)


def _clump_stretch(
    genotypes: Genotypes, people: _People, stretch: _Stretch, r2: float
) -> np.ndarray:
    """The index variant with which each variant of a stretch goes, -1 for none."""
    from ...kernels.genotypes.haplotypes import clump_rows

    diploid, haploid = people.by_ploidy(stretch.chromosome)
    columns = stretch.columns
    if len(columns) * -(-people.n_file // 4) <= STRETCH_BYTES:
        packed = _rows_in_order(genotypes, columns)
        near = stretch.tops, stretch.low, stretch.high
        return clump_rows(packed, diploid, haploid, *near, r2)[0]
    leader = np.full(len(columns), -1, dtype=np.int64)
    width = max(1, STRETCH_BYTES // -(-people.n_file // 4))
    top, low = np.array([0]), np.array([1])
    for i, first, last in zip(stretch.tops, stretch.low, stretch.high, strict=True):
        if leader[i] >= 0:
            continue
        leader[i] = i
        near = first + np.flatnonzero(leader[first:last] < 0)
        for k in range(0, len(near), width):
            compared = np.append(i, near[k : k + width])
            packed = _rows_in_order(genotypes, columns[compared])
            high = np.array([len(compared)])
            found, _ = clump_rows(packed, diploid, haploid, top, low, high, r2)
            leader[compared[found >= 0]] = i
    return leader


def _rows_in_order(genotypes: Genotypes, columns: np.ndarray) -> np.ndarray:
    """Packed calls of variants in any order."""
    order = np.argsort(columns)
    packed = packed_rows(genotypes, columns[order])
    if np.array_equal(order, np.arange(len(order))):
        return packed
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return packed[place]
