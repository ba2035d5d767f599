"""Genotypes of a cohort: who, which variants, and their calls at two bits each."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, value_text
from .samples import Samples
from .source import Source
from .variants import Variants, plain_chromosome

MAX_READ_GAP = 64  # variants not requested that are read all the same, between two that are
BLOCK_BYTES = 1 << 23  # of packed calls that a task gets


@dataclass(frozen=True)
class Piece:
    """Some variants that lie behind each other, all that is needed to read their calls.

    Attributes
    ----------
    source : Source
    place : slice
        Among the variants taken.
    columns : slice, or ndarray of int64
        In the file, rising.
    """

    source: Source
    place: slice
    columns: slice | np.ndarray

    def __len__(self) -> int:
        return int(self.place.stop - self.place.start)

    def packed(self) -> np.ndarray:
        """Calls (m, bytes) uint8 of all samples of the file, taken or not (`kernels.genotypes`)."""
        columns = self.columns
        if isinstance(columns, slice):
            return self.source.packed(columns.start, columns.stop)
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > MAX_READ_GAP) + 1)
        parts = [self.source.packed(int(r[0]), int(r[-1]) + 1)[r - r[0]] for r in runs]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


@dataclass(frozen=True)
class Genotypes:
    """Samples by variants, some of those of one file or of several.

    Attributes
    ----------
    sources : tuple of Source
        Of the same samples in the same order.
    rows : ndarray of int64, or None
        Samples taken, in this order; None: all.
    columns : ndarray of int64, or None
        Variants taken, rising; None: all.
    """

    sources: tuple[Source, ...]
    rows: np.ndarray | None = None
    columns: np.ndarray | None = None

    def __post_init__(self) -> None:
        first, *others = self.sources
        for other in others:
            same = np.array_equal(other.samples.id, first.samples.id) and np.array_equal(
                other.samples.family, first.samples.family
            )
            if not same:
                raise DataError(
                    f"{other.path.name!r} does not have the samples of {first.path.name!r} in the "
                    "same order: files of one cohort must"
                )

    def __reduce__(self) -> tuple[type[Genotypes], tuple[object, ...]]:
        """Without the tables, which whoever reads it reads from the files."""
        return type(self), (self.sources, self.rows, self.columns)

    @property
    def n_file(self) -> int:
        """Samples of the files, taken or not."""
        return len(self.sources[0].samples)

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and variants taken."""
        n = self.n_file if self.rows is None else len(self.rows)
        p = self.starts[-1] if self.columns is None else len(self.columns)
        return n, int(p)

    @cached_property
    def starts(self) -> list[int]:
        """Where the variants of each source begin among all, and the end."""
        return [0, *accumulate(source.n_variants for source in self.sources)]

    @cached_property
    def samples(self) -> Samples:
        """Those taken."""
        found = self.sources[0].samples
        return found if self.rows is None else found.take(self.rows)

    @cached_property
    def variants(self) -> Variants:
        """Those taken; the tables of the files are read when this is first requested."""
        parts = [source.variants() for source in self.sources]
        found = parts[0] if len(parts) == 1 else Variants.joined(parts)
        return found if self.columns is None else found.take(self.columns)

    def subset(
        self,
        *,
        samples: object = None,
        chromosome: object = None,
        region: str | None = None,
        variants: object = None,
    ) -> Genotypes:
        """Some samples, and variants that meet all conditions; nothing is copied.

        Parameters
        ----------
        samples : mask of shape (n,), or indices, or list of ids, or None
            In the order given, where it is no mask.
        chromosome : str or int, or None
            22 and "chr22" are one, and so are 23 and "X".
        region : str or None
            ``"22:16000000-17000000"``, both ends included.
        variants : mask of shape (p,), or indices, or list of ids, or None

        Raises
        ------
        DataError
            Nothing is left, or a name is not there.
        """
        found = self
        if samples is not None:
            rows = requested_indices(samples, self.samples.id, "sample")
            found = replace(found, rows=rows if self.rows is None else self.rows[rows])
        keep = np.ones(self.shape[1], dtype=bool)
        if region is not None:
            where, low, high = _parsed_region(str(region))
            if chromosome is not None and plain_chromosome(chromosome) != plain_chromosome(where):
                raise DataError(
                    f"region={region!r} is on another chromosome than chromosome={chromosome!r}"
                )
            chromosome = where
            keep &= (self.variants.position >= low) & (self.variants.position <= high)
        if chromosome is not None:
            keep &= self.variants.on(chromosome)
        if variants is not None:
            names = None
            if np.asarray(variants).dtype.kind in "OUT":
                names = np.asarray(self.variants.id.to_numpy(zero_copy_only=False))
            chosen = np.zeros(len(keep), dtype=bool)
            chosen[requested_indices(variants, names, "variant", len(keep))] = True
            keep &= chosen
        if not keep.any():
            requested = region if region is not None else chromosome
            where = "of those named" if requested is None else f"on {value_text(requested)}"
            names = self.variants.chromosome.unique().to_pylist()
            there = f" (chromosomes here: {listed_names(names)})" if requested is not None else ""
            raise DataError(f"no variant {where}: nothing is left to look at{there}")
        return found if keep.all() else found.only(np.flatnonzero(keep))

    def only(self, columns: np.ndarray) -> Genotypes:
        """Some of the variants taken, by their numbers, rising; nothing is copied."""
        return replace(self, columns=columns if self.columns is None else self.columns[columns])

    def pieces(self, width: int | None = None) -> list[Piece]:
        """All variants taken in their order, each piece of one file.

        Parameters
        ----------
        width : int or None, default=None
            Variants of a piece; None: as many as 8 MB hold.
        """
        if width is not None and width < 1:
            raise DataError(f"width = {width}: a block has one variant at least")
        if width is None:
            width = max(1, BLOCK_BYTES // -(-self.n_file // 4))
        cuts = self.starts if self.columns is None else np.searchsorted(self.columns, self.starts)
        found = []
        for k, (source, start) in enumerate(zip(self.sources, self.starts, strict=False)):
            end = int(cuts[k + 1])
            for low in range(int(cuts[k]), end, width):
                place = slice(low, min(low + width, end))
                columns: slice | np.ndarray = slice(place.start - start, place.stop - start)
                if self.columns is not None:
                    columns = self.columns[place] - start
                found.append(Piece(source, place, columns))
        return found

    def groups_of_file(self, groups: np.ndarray) -> np.ndarray:
        """Groups of the samples taken (n,) as groups of those of the files, -1 where not taken."""
        if self.rows is None:
            return groups
        found = np.full(self.n_file, -1, dtype=np.int64)
        found[self.rows] = groups
        return found

    def calls(self, variants: slice | np.ndarray | None = None) -> np.ndarray:
        """Copies of allele 1 (n, m) int8, -1 where there is no call.

        Parameters
        ----------
        variants : slice, indices, mask or None, default=None
            Of those taken; None: all.
        """
        from ...kernels.genotypes.words import unpack_copies

        wanted = np.arange(self.shape[1])[slice(None) if variants is None else variants]
        rising, place = np.unique(wanted, return_inverse=True)
        if not len(rising):
            return np.empty((self.shape[0], 0), dtype=np.int8)
        parts = []
        for piece in self.only(rising).pieces():
            copies = unpack_copies(piece.packed(), self.n_file)
            parts.append(copies if self.rows is None else copies[:, self.rows])
        return np.ascontiguousarray(np.concatenate(parts)[place].T)

    def digest(self) -> str:
        """A hash of the files, and of what is taken of them."""
        found = hashlib.sha256()
        for source in self.sources:
            found.update(source.digest().encode())
        for taken in (self.rows, self.columns):
            found.update(b"all" if taken is None else taken.astype("<i8").tobytes())
        return found.hexdigest()


def _parsed_region(text: str) -> tuple[str, int, int]:
    match = re.fullmatch(r"\s*([^:\s]+):([0-9][0-9,]*)-([0-9][0-9,]*)\s*", text)
    if match is None:
        raise DataError(f"region = {value_text(text)}: write chromosome:first-last")
    low, high = (int(match[k].replace(",", "")) for k in (2, 3))
    if low > high:
        raise DataError(f"region = {value_text(text)}: it ends before it begins")
    return match[1], low, high


def requested_indices(
    requested: object, names: np.ndarray | None, what: str, n: int | None = None
) -> np.ndarray:
    """Indices of what is requested by a mask, by indices or by names."""
    given = np.asarray(requested)
    n = len(names) if names is not None else n
    assert n is not None
    if given.ndim != 1 or not len(given):
        raise DataError(f"{what}s: give a mask, a list of numbers or of ids, of one at least")
    if given.dtype == bool:
        if len(given) != n:
            raise DataError(
                f"a mask of {counted_noun(len(given), what)} does not fit {counted_noun(n, what)}"
            )
        if not given.any():
            raise DataError(f"no {what} is left")
        return np.flatnonzero(given)
    if np.issubdtype(given.dtype, np.integer):
        if given.min() < 0 or given.max() >= n:
            raise DataError(f"{what}s are numbered from 0 to {n - 1:,}")
        if len(np.unique(given)) < len(given):
            raise DataError(f"a {what} is requested twice")
        return given.astype(np.int64)
    if names is None:
        raise DataError(f"{what}s: give a mask, whole numbers from 0 on, or ids")
    place: dict[str, int] = {}
    several = set()
    for k, name in enumerate(map(str, names)):
        if place.setdefault(name, k) != k:
            several.add(name)
    wanted = list(map(str, given))
    unknown = [name for name in wanted if name not in place]
    if unknown:
        raise DataError(f"no {what} has the id {listed_names(unknown)}")
    shared = [name for name in wanted if name in several]
    if shared:
        raise DataError(
            f"several {what}s have the id {listed_names(shared)}: give numbers or a mask"
        )
    if len(set(wanted)) < len(wanted):
        raise DataError(f"a {what} is requested twice")
    return np.array([place[name] for name in wanted])
