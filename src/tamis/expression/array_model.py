"""RMA learned from CEL files, in a file: a new patient's array is processed as those were."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from typing_extensions import TypedDict

from .._core.array_file import array_file, checked_text, parsed_array_file
from .._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from .._core.errors import DataError, ModelError, StoreError, value_text
from .._core.files import write_bytes
from .._core.inside import read_named
from .._core.interfaces import Arrays
from .._core.settings import checked_share
from .cel_arrays import CelArrays, cel_files, read_arrays, sample_names
from .frozen_rma import FrozenRMA
from .probe_columns import ProbeColumns
from .probe_set_values import ProbeSetValues
from .reading.cdf_file import NO_CELL
from .reading.cel_file import CelFile

KIND, FORMAT = "rma", 1


class StoredText(TypedDict):
    """What its file holds, but for arrays."""

    kind: str
    format: int
    chip_type: str
    shape: list[int]
    n_arrays: int
    probe_sets: list[str]


@dataclass(frozen=True)
class ArrayModel:
    """RMA frozen at training arrays, with the cells that it reads.

    Attributes
    ----------
    rma : FrozenRMA
    cells : ndarray of shape (q,)
        Number of the cell of each perfect match, ``x + y * n_columns``.
    shape : tuple of int
        Rows and columns of cells.
    chip_type : str
        Of the training arrays; empty if their files did not say it.
    probe_sets : ndarray of shape (m,)
        Names of the outputs.
    n_arrays : int
        So many it learned from.
    """

    rma: FrozenRMA
    cells: np.ndarray
    shape: tuple[int, int]
    chip_type: str
    probe_sets: np.ndarray
    n_arrays: int

    @classmethod
    def learn(
        cls,
        arrays: CelArrays,
        background: bool = True,
        detected: float = 0.0,
        n_jobs: int | None = None,
    ) -> tuple[Self, ProbeSetValues]:
        """From CEL files; and their own values: those of `rma`, probe sets in the CDF's order.

        Parameters
        ----------
        arrays : CelArrays
            Read once, one at a time.
        background, detected, n_jobs
            As of `RMA`.

        Raises
        ------
        DataError
            A file is damaged or of another type, or no probe set is detected often enough.
        """
        cdf, least = arrays.cdf, checked_share(detected, "detected")
        if least > 0 and (cdf.mm == NO_CELL).all():
            raise DataError(
                "arrays of this type have no mismatches, from which detection is computed: leave "
                "out --detected"
            )
        chips: set[str] = set()

        def intensity_pairs() -> Iterator[tuple[np.ndarray, np.ndarray]]:
            for cel in read_arrays(arrays.files, arrays.quiet):
                chips.add(cel.chip_type)
                yield cdf.intensities(cel)

        columns = ProbeColumns.in_order(cdf.probe_sets, cdf.mm)
        names = [repr(file.name) for file in arrays.files]
        rma, values = FrozenRMA.learn(intensity_pairs(), columns, background, least, n_jobs, names)
        model = cls(
            rma,
            cdf.pm.astype(np.int64),
            (cdf.n_rows, cdf.n_columns),
            max(chips),
            values.probe_sets,
            len(arrays),
        )
        return model, values

    def values_of(self, cel: CelFile, name: str) -> np.ndarray:
        """Values of an array (m,), as it would have had among the training arrays.

        Raises
        ------
        DataError
            It is of another type.
        """
        same = not (self.chip_type and cel.chip_type) or cel.chip_type == self.chip_type
        if not same or (cel.n_rows, cel.n_columns) != self.shape:
            raise DataError(
                f"{name!r} is an array of type {cel.chip_type or 'unknown'} with {cel.n_rows:,} x "
                f"{cel.n_columns:,} cells; the model is of {self.chip_type or 'unknown'} with "
                f"{self.shape[0]:,} x {self.shape[1]:,}"
            )
        return self.rma.transform(cel.intensities.ravel()[self.cells][None], [repr(name)])[0]

    def transform(
        self, paths: Iterable[str | Path], quiet: bool = True
    ) -> tuple[Sequence[str], ProbeSetValues]:
        """Names of the samples and their values, of CEL files and folders of them."""
        files = cel_files(paths)
        names = sample_names(files)
        pairs = zip(files, read_arrays(files, quiet), strict=True)
        found = np.stack([self.values_of(cel, file.name) for file, cel in pairs])
        return names, ProbeSetValues(found, self.probe_sets, self.effects)

    @property
    def effects(self) -> np.ndarray:
        """Of the probes (q,), log2; 0 of those of sets that were left out."""
        found = np.zeros(len(self.cells))
        found[self.rma.polish.probes] = self.rma.polish.effects
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file of arrays and text, atomically."""
        text: StoredText = {
            "kind": KIND,
            "format": FORMAT,
            "chip_type": self.chip_type,
            "shape": list(self.shape),
            "n_arrays": self.n_arrays,
            "probe_sets": self.probe_sets.tolist(),
        }
        arrays = {**self.rma.to_arrays(), "cells": self.cells.astype(np.float64)}
        write_bytes(path, array_file(text, arrays))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read such a file.

        Raises
        ------
        ModelError
            It is missing, is no file of this kind, or its parts do not fit together.
        """
        try:
            text, arrays = parsed_array_file(read_named(path), f"model {str(path)!r}")
            kind, version = text["kind"], text["format"]
            if kind != KIND:
                raise ModelError(
                    f"{str(path)!r} is no model that `tamis expression rma --save` wrote; a "
                    "study's model predicts by `tamis predict`, from a table that this command "
                    "or `tamis expression probes` makes"
                )
            if version != FORMAT:
                raise ModelError(
                    f"{str(path)!r} is no RMA model of this version: its format is "
                    f"{value_text(version)}"
                )
            return cls._from(checked_text(text, StoredText), arrays)
        except (ModelError, StoreError):
            raise
        except OSError as error:
            raise ModelError(f"cannot read model {str(path)!r}: {error.strerror}") from error
        except Exception as error:  # whatever a damaged file makes the readers raise
            raise ModelError(
                f"{str(path)!r} is no model that `tamis expression rma --save` wrote "
                f"({type(error).__name__})"
            ) from error

    @classmethod
    def _from(cls, text: StoredText, arrays: Arrays) -> Self:
        shape, n_arrays, chip_type = text["shape"], text["n_arrays"], text["chip_type"]
        if len(shape) != 2 or min(*shape, n_arrays) < 1:
            raise unfit_part_error("shape")
        rows, columns = shape
        names = np.array(text["probe_sets"], dtype=object)
        (cells,) = fitting_arrays(arrays, cells=(None,))
        rma = FrozenRMA.from_arrays(arrays, len(cells))
        if not chip_type.isprintable():
            raise unfit_part_error("chip_type")
        sound = len(names) == len(set(names)) == len(rma.polish.starts) - 1 > 0
        if not (sound and len(rma.pm) == len(cells)):
            raise unfit_part_error("probe_sets")
        return cls(
            rma,
            checked_integers(cells, 0, rows * columns, "cells"),
            (rows, columns),
            chip_type,
            names,
            n_arrays,
        )


def is_array_model(path: Path) -> bool:
    """Whether a file holds one."""
    try:
        ArrayModel.load(path)
    except (ModelError, StoreError):
        return False
    return True
