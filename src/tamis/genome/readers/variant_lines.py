"""Lines of files that may be the variants of a model, and how their alleles fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..._core.column_ids import ColumnIds
from ..._core.errors import ModelError
from .variants import UNPLACED_CHROMOSOMES, Variants, plain_chromosome

LETTER_CODES = {"0": 0, ".": 0, "": 0, "A": 1, "C": 2, "G": 3, "T": 4}  # 0: not known
OTHER_STRAND = [0, 4, 3, 2, 1]
NO_FIT, SAME_ORDER, SWAPPED_ORDER = 0, 1, 2  # how alleles fit: not, in the same order, in the other
WRITTEN_STRAND, COMPLEMENT_STRAND = 0, 1  # the letters as written, and those of the other strand
# lines to prefer: as written, other strand, no letters
DIRECT_LINE, FLIPPED_LINE, UNLETTERED_LINE, MISFIT_LINE = range(4)


@dataclass(frozen=True)
class Wanted:
    """Variants that are looked for.

    Attributes
    ----------
    name, chromosome, allele1, allele2 : sequence of str
    position : ndarray of shape (k,) of int64
    calls, copies : ndarray of shape (k,)
        Samples with a call, and copies of allele 1, where the model was trained.
    """

    name: Sequence[str]
    chromosome: Sequence[str]
    allele1: Sequence[str]
    allele2: Sequence[str]
    position: np.ndarray
    calls: np.ndarray
    copies: np.ndarray

    @classmethod
    def of(cls, names: Sequence[str], column_ids: ColumnIds | None) -> Wanted:
        """Those that a model keeps.

        Raises
        ------
        ModelError
            It knows columns of a table, and no variants.
        """
        if column_ids is None or column_ids.kind != "variants":
            raise ModelError(
                "the model knows its columns by their names alone, and not as variants: give a "
                "table of these columns, or study the genotypes themselves (.bed, .pgen, .bgen, "
                ".vcf)"
            )
        try:
            chromosome, one, other = (
                column_ids.texts[name] for name in ("chromosome", "allele1", "allele2")
            )
            place, calls, copies = (
                column_ids.numbers[name] for name in ("position", "calls", "copies")
            )
        except KeyError as error:
            raise ModelError(f"the model lacks {error} of its variants: it was not used") from error
        return cls(names, chromosome, one, other, place.astype(np.int64), calls, copies)

    def __len__(self) -> int:
        return len(self.name)

    def words(self, which: Iterable[int]) -> list[str]:
        """Names and alleles of some."""
        return [f"{self.name[j]} ({self.allele1[j]}/{self.allele2[j]})" for j in which]


@dataclass(frozen=True)
class Lines:
    """A line for each of k variants.

    Attributes
    ----------
    line : ndarray of shape (k,)
        -1: none that fits.
    fit : ndarray of shape (2, k)
        How, `WRITTEN_STRAND` and `COMPLEMENT_STRAND`.
    letters_known : ndarray of shape (k,) of bool
        All alleles are known letters.
    several : ndarray of shape (k,) of bool
        Others fit as well.
    misfit : ndarray of shape (k,)
        A line that does not fit, -1 if there is none.
    """

    line: np.ndarray
    fit: np.ndarray
    letters_known: np.ndarray
    several: np.ndarray
    misfit: np.ndarray

    def or_else(self, other: Lines) -> Lines:
        """Another's where there is no line."""
        lost = self.line < 0
        line, fit, letters_known, several, misfit = (
            np.where(lost, getattr(other, f.name), getattr(self, f.name)) for f in fields(self)
        )
        return Lines(line, fit, letters_known, several, np.where(misfit < 0, self.misfit, misfit))

    def witness(self, strand: int) -> np.ndarray:
        """Which are known to be on this strand, and not on the other (k,) bool."""
        return self.letters_known & (self.fit[strand] > NO_FIT) & (self.fit[1 - strand] == NO_FIT)

    def believed(self) -> Lines:
        """Without lines of a known letter that fits on the other strand alone, which any other
        variant might have, where nothing else is on that strand."""
        doubtful = (
            ~self.letters_known
            & (self.fit[COMPLEMENT_STRAND] > NO_FIT)
            & (self.fit[WRITTEN_STRAND] == NO_FIT)
        )
        if self.witness(COMPLEMENT_STRAND).any() or not doubtful.any():
            return self
        return replace(
            self,
            line=np.where(doubtful, -1, self.line),
            misfit=np.where(doubtful, self.line, self.misfit),
        )


def find_lines(wanted: Wanted, there: Variants) -> tuple[Lines, np.ndarray]:
    """The lines of variants, and which (k,) of them were found by name alone.

    Places come first, unless more names stand at other places than variants are found at theirs:
    the files are of another genome build then, and what is at a place there is something else.
    Where both a place and a name fit, and lines are two, there are several.
    """
    which, line = _those_placed(wanted, there)
    placed = _fitting_lines(wanted, there, which, line)
    named = _fitting_lines(wanted, there, *_those_named(wanted, there))
    at_home = np.isin(
        _pair_number(np.arange(len(wanted)), named.line, there), _pair_number(which, line, there)
    )
    known = (wanted.position > 0) & (there.position[named.line] > 0)
    moved = (named.line >= 0) & known & ~at_home
    stayed = (placed.line >= 0) & ~moved
    if moved.sum() > stayed.sum():
        return named, ~at_home
    twice = (placed.line >= 0) & moved
    return replace(placed, several=placed.several | twice).or_else(named), placed.line < 0


def _pair_number(which: np.ndarray, line: np.ndarray, there: Variants) -> np.ndarray:
    """A number for each pair of a variant and a line."""
    return which * len(there) + line


def _fitting_lines(wanted: Wanted, there: Variants, which: np.ndarray, line: np.ndarray) -> Lines:
    """The lines that fit best, of pairs of a variant and a line of the files."""
    k, of = len(wanted), there.take(line)
    one, other, new_one, new_other = _coded_alleles(
        [wanted.allele1[j] for j in which],
        [wanted.allele2[j] for j in which],
        of.allele1.to_pylist(),
        of.allele2.to_pylist(),
    )
    across = np.full(
        max(len(LETTER_CODES), *(c.max(initial=0) + 1 for c in (new_one, new_other))), -1
    )
    across[:5] = OTHER_STRAND
    fit = np.stack(
        [
            _allele_order(one, other, new_one, new_other),
            _allele_order(one, other, across[new_one], across[new_other]),
        ]
    )
    silent = (new_one == 0) & (new_other == 0)
    kind = np.select(
        [fit[WRITTEN_STRAND] > NO_FIT, fit[COMPLEMENT_STRAND] > NO_FIT, silent],
        [DIRECT_LINE, FLIPPED_LINE, UNLETTERED_LINE],
        MISFIT_LINE,
    )
    ids = np.array(of.id.to_pylist(), dtype=object)
    foreign = ids != np.array([wanted.name[j] for j in which], dtype=object)
    order = np.lexsort([line, foreign, kind, which])
    keys = np.stack([which, kind, foreign])[:, order]
    first = np.flatnonzero(np.diff(keys[0], prepend=-1))
    again = np.append((keys[:, 1:] == keys[:, :-1]).all(axis=0), False)
    own, at = keys[0, first].astype(np.int64), order[first]
    fits = kind[at] != MISFIT_LINE
    result = Lines(
        np.full(k, -1),
        np.zeros((2, k), dtype=np.int64),
        np.zeros(k, dtype=bool),
        np.zeros(k, dtype=bool),
        np.full(k, -1),
    )
    result.line[own] = np.where(fits, line[at], -1)
    result.misfit[own] = np.where(fits, -1, line[at])
    result.fit[:, own] = fit[:, at]
    result.several[own] = again[first] & fits
    letters = np.stack([one[at], other[at], new_one[at], new_other[at]])
    result.letters_known[own] = ((letters > 0) & (letters < len(OTHER_STRAND))).all(axis=0)
    return result


def _allele_order(one: np.ndarray, other: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How two alleles are two others, where 0 may be any and -1 is none."""

    def same_alleles(x: np.ndarray, y: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        may = ((x == 0) | (y == 0) | (x == y)) & ((u == 0) | (v == 0) | (u == v))
        return may & (((x == y) & (x > 0)) | ((u == v) & (u > 0)))

    sound = (a >= 0) & (b >= 0) & ((one != other) | (one == 0)) & ((a != b) | (a == 0))
    return np.select(
        [sound & same_alleles(one, a, other, b), sound & same_alleles(one, b, other, a)],
        [SAME_ORDER, SWAPPED_ORDER],
        NO_FIT,
    )


def _coded_alleles(*columns: Sequence[str]) -> list[np.ndarray]:
    """Alleles as numbers, equal ones the same: those of `LETTER_CODES`, and others behind them."""
    place = dict(LETTER_CODES)
    return [
        np.array([place.setdefault(text.upper(), len(place)) for text in column], dtype=np.int64)
        for column in columns
    ]


def _those_placed(wanted: Wanted, there: Variants) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a variant and a line at its place."""
    near = (there.position > 0) & ~there.broken & np.isin(there.position, wanted.position)
    line = np.flatnonzero(near)
    ours = pd.DataFrame(
        {
            "chromosome": _plain_chromosomes(pa.array(wanted.chromosome, pa.string())),
            "position": wanted.position,
            "which": np.arange(len(wanted)),
        }
    )
    theirs = pd.DataFrame(
        {
            "chromosome": _plain_chromosomes(there.chromosome.take(pa.array(line))),
            "position": there.position[line],
            "line": line,
        }
    )
    ours = ours[(ours["position"] > 0) & ~ours["chromosome"].isin(UNPLACED_CHROMOSOMES)]
    both = ours.merge(theirs, on=["chromosome", "position"])
    return both["which"].to_numpy(), both["line"].to_numpy()


def _those_named(wanted: Wanted, there: Variants) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a variant and a line of its name."""
    names = np.array(wanted.name, dtype=object)
    same = pc.is_in(there.id, value_set=pa.array(names, pa.string()))
    line = np.flatnonzero(np.asarray(same.to_numpy(zero_copy_only=False)) & ~there.broken)
    ids = np.array(there.id.take(pa.array(line)).to_pylist(), dtype=object)
    theirs = pd.DataFrame({"name": ids, "line": line})
    ours = pd.DataFrame({"name": names, "which": np.arange(len(names))})
    both = ours.merge(theirs, on="name")
    return both["which"].to_numpy(np.int64), both["line"].to_numpy(np.int64)


def _plain_chromosomes(chromosome: pa.Array) -> np.ndarray:
    """Chromosomes without their spelling."""
    written = chromosome.dictionary_encode()
    names = np.array([plain_chromosome(name) for name in written.dictionary.to_pylist()], object)
    return names[np.asarray(written.indices, dtype=np.int64)]
