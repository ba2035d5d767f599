"""CEL files of Command Console, which holds them in its own container."""

from __future__ import annotations

import numpy as np

from ..._core.errors import DataError, counted_noun, shorten_text
from .cel_file import CelFile, checked_intensities, checked_shape, chip_of, date_in, flagged_cells
from .command_console import Contents, read_contents, rows_of
from .content import Place

KIND = "affymetrix-calvin-intensity"


def read_command_console(data: bytes, name: str, flags: bool) -> CelFile:
    """The data set "Intensity" of the first and only group, by request "Mask" and "Outlier"."""
    place = Place(data, name, ">")
    contents = read_contents(place)
    if contents.kind != KIND:
        raise DataError(
            f"{name!r} is a file of Command Console that holds no intensities of one array: its "
            f"type is {shorten_text(contents.kind)!r}, where {KIND!r} is read"
        )
    if contents.n_groups != 1:
        raise DataError(
            f"{name!r} has {counted_noun(contents.n_groups, 'group')} of data, and 1 is read"
        )
    if "Intensity" not in contents.data_sets:
        raise DataError(f"{name!r} is damaged: it has no data set 'Intensity'")
    rows = rows_of(place, contents.data_sets["Intensity"], "its intensities")
    shape = checked_shape(
        contents.integer("affymetrix-cel-rows", name),
        contents.integer("affymetrix-cel-cols", name),
        len(rows),
        name,
    )
    dat_header = contents.text("affymetrix-dat-header") or contents.text(
        "affymetrix-partial-dat-header"
    )
    return CelFile(
        intensities=checked_intensities(rows["c0"], shape, name),
        chip_type=contents.text("affymetrix-array-type") or chip_of(dat_header),
        algorithm=contents.text("affymetrix-algorithm-name"),
        scan_date=date_in(contents.text("affymetrix-scan-date")) or date_in(dat_header),
        version="Command Console",
        masked=_coordinate_flags(place, contents, "Mask", "masked cells", shape) if flags else None,
        outliers=_coordinate_flags(place, contents, "Outlier", "outliers", shape)
        if flags
        else None,
    )


def _coordinate_flags(
    place: Place, contents: Contents, data_set: str, what: str, shape: tuple[int, int]
) -> np.ndarray:
    """Cells of a data set of coordinates; none if the file has none of that name."""
    if data_set not in contents.data_sets:
        return np.zeros(shape, dtype=bool)
    rows = rows_of(place, contents.data_sets[data_set], what)
    if len(rows.dtype.names or ()) < 2:
        raise DataError(f"{place.name!r} is damaged: {what} have no X and Y")
    return flagged_cells(rows["c0"], rows["c1"], shape, what, place.name)
