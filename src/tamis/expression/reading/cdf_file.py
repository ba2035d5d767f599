"""What a CDF holds, in text or binary, made of the cells of its probe sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.errors import DataError, counted_noun, shorten_text
from .cel_file import CelFile

NO_CELL = -1
COMPLEMENT_TABLE = np.zeros(256, dtype=np.uint8)  # of A, C, G and T; 0 for what is no base
COMPLEMENT_TABLE[list(b"ACGT")] = list(b"TGCA")
UPPER_CASE_TABLE = np.arange(256, dtype=np.uint8)
UPPER_CASE_TABLE[ord("a") : ord("z") + 1] -= 32


@dataclass(frozen=True)
class CdfFile:
    """The probe sets of a type of array.

    Cells are numbered by ``x + y * n_columns`` from 0 on, so that ``cel.intensities.ravel()[pm]``
    are the perfect matches of an array; affy's numbers are these plus one.

    Attributes
    ----------
    chip_type : str
        Of a text CDF what it says, of a binary CDF the name of its file.
    n_rows, n_columns : int
    names : list of str
        Of the probe sets, in the order of the file. (affy sorts its results by name.)
    offsets : ndarray of int64, shape (n_sets + 1,)
        The probes of set k are ``offsets[k]`` to ``offsets[k + 1]`` (excluded).
    pm : ndarray of int32, shape (n_probes,)
        Cell of each perfect match, set by set, in a set by atom number as affy has them: the
        result of a median polish depends on it.
    mm : ndarray of int32, shape (n_probes,)
        Cell of the mismatch of the same atom; -1 where there is none.
    n_other_units : int
        Units that are no expression probe sets (genotyping, tags), which are left out.
    """

    chip_type: str
    n_rows: int
    n_columns: int
    names: list[str]
    offsets: np.ndarray
    pm: np.ndarray
    mm: np.ndarray
    n_other_units: int = 0

    @property
    def probe_sets(self) -> np.ndarray:
        """Name of the probe set of each probe: ndarray of str (object), shape (n_probes,)."""
        return np.repeat(np.array(self.names, dtype=object), np.diff(self.offsets))

    def intensities(self, cel: CelFile) -> tuple[np.ndarray, np.ndarray]:
        """Intensities of the perfect matches and of their mismatches in an array.

        Parameters
        ----------
        cel : CelFile

        Returns
        -------
        pm, mm : ndarray, shape (n_probes,)
            Of the type of the array's intensities; NaN where a probe has no mismatch.

        Raises
        ------
        DataError
            The array has other rows and columns than this CDF.
        """
        if (cel.n_rows, cel.n_columns) != (self.n_rows, self.n_columns):
            raise DataError(
                f"the CDF {self.chip_type!r} is of {self.n_rows:,} x {self.n_columns:,} cells, and "
                f"the array ({cel.chip_type or 'of unknown type'}) has {cel.n_rows:,} x "
                f"{cel.n_columns:,}: give the CDF of its type"
            )
        cells = cel.intensities.ravel()
        mm = np.where(self.mm == NO_CELL, cells.dtype.type(np.nan), cells[self.mm])
        return cells[self.pm], mm


@dataclass(frozen=True)
class Cells:
    """Cells of probe sets as a file has them: one array each, all of the same length.

    Attributes
    ----------
    probe_set, atom, x, y : ndarray of int
    probe_base, target_base : ndarray of uint8
        Letters.
    """

    probe_set: np.ndarray
    atom: np.ndarray
    x: np.ndarray
    y: np.ndarray
    probe_base: np.ndarray
    target_base: np.ndarray


def are_perfect_matches(probe_base: np.ndarray, target_base: np.ndarray) -> np.ndarray:
    """Whether the bases pair. A letter that is no base pairs with any but itself, as in affxparser.

    Examples
    --------
    >>> are_perfect_matches(np.frombuffer(b"ATcGaAN", "u1"), np.frombuffer(b"TaGGACG", "u1"))
    array([ True,  True,  True, False, False, False,  True])
    """
    probe, target = UPPER_CASE_TABLE[probe_base], UPPER_CASE_TABLE[target_base]
    complement = COMPLEMENT_TABLE[probe]
    return np.where(complement != 0, complement == target, probe != target)


def probe_sets_of(
    name: str,
    chip_type: str,
    shape: tuple[int, int],
    names: Sequence[str],
    cells: Cells,
    n_other_units: int,
) -> CdfFile:
    """Perfect matches and mismatches by set and atom.

    Raises
    ------
    DataError
        There is no perfect match, a name or an atom comes twice, or a cell is outside the array.
    """
    n_rows, n_columns = shape
    outside = (cells.x < 0) | (cells.x >= n_columns) | (cells.y < 0) | (cells.y >= n_rows)
    if outside.any():
        at = int(np.argmax(outside))
        raise DataError(
            f"{name!r} is damaged: probe set {shorten_text(names[cells.probe_set[at]])!r} has a "
            f"cell at x = {cells.x[at]:,}, y = {cells.y[at]:,}, outside {n_rows:,} x "
            f"{n_columns:,} cells"
        )
    cell = (cells.x + cells.y.astype(np.int64) * n_columns).astype(np.int32)
    perfect = are_perfect_matches(cells.probe_base, cells.target_base)
    pm, pm_key = _sorted_by_atom(cells, perfect, cell, names, name, "perfect matches")
    mm, mm_key = _sorted_by_atom(cells, ~perfect, cell, names, name, "mismatches")
    if not len(pm):
        units = f"; {counted_noun(n_other_units, 'unit')} of other kinds" if n_other_units else ""
        raise DataError(f"{name!r} has no expression probe sets with perfect matches{units}")
    sets, counts = np.unique(pm_key["probe_set"], return_counts=True)
    kept = [names[k] for k in sets]
    if len(set(kept)) < len(kept):
        twice = next(a for a, b in zip(sorted(kept), sorted(kept)[1:], strict=False) if a == b)
        raise DataError(f"{name!r} has two probe sets of the name {shorten_text(twice)!r}")
    return CdfFile(
        chip_type=chip_type,
        n_rows=n_rows,
        n_columns=n_columns,
        names=kept,
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        pm=pm,
        mm=_mismatch_beside(pm_key, mm_key, mm),
        n_other_units=n_other_units,
    )


KEY_DTYPE = np.dtype([("probe_set", np.int32), ("atom", np.int32)])


def _sorted_by_atom(
    cells: Cells, which: np.ndarray, cell: np.ndarray, names: Sequence[str], name: str, what: str
) -> tuple[np.ndarray, np.ndarray]:
    """Cells in the order of sets and atoms, and these."""
    key = np.empty(int(which.sum()), dtype=KEY_DTYPE)
    key["probe_set"], key["atom"] = cells.probe_set[which], cells.atom[which]
    order = np.lexsort((key["atom"], key["probe_set"]))
    key = key[order]
    twice = key[1:] == key[:-1]
    if twice.any():
        at = key[int(np.argmax(twice))]
        raise DataError(
            f"{name!r} is damaged: atom {at['atom']:,} of probe set "
            f"{shorten_text(names[at['probe_set']])!r} has two {what}"
        )
    return cell[which][order], key


def _mismatch_beside(pm_key: np.ndarray, mm_key: np.ndarray, mm: np.ndarray) -> np.ndarray:
    """The mismatch of each perfect match's atom, or `NO_CELL`."""
    found = np.full(len(pm_key), NO_CELL, dtype=np.int32)
    if len(mm_key):
        pm_code, mm_code = (
            (key["probe_set"].astype(np.int64) << 32) + key["atom"] for key in (pm_key, mm_key)
        )
        at = np.minimum(np.searchsorted(mm_code, pm_code), len(mm_code) - 1)
        same = mm_code[at] == pm_code
        found[same] = mm[at[same]]
    return found
