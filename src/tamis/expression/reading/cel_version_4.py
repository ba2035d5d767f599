"""CEL version 4: numbers of fixed size, the least significant byte first."""

from __future__ import annotations

import numpy as np

from ..._core.errors import DataError, printable_text
from .cel_file import CelFile, checked_intensities, checked_shape, chip_of, date_in, flagged_cells
from .content import INTEGER_PATTERN, Place, key_and_value

CELL_DTYPE = np.dtype([("mean", "<f4"), ("sd", "<f4"), ("pixels", "<i2")])
POSITION_DTYPE = np.dtype([("x", "<u2"), ("y", "<u2")])


def read_version_4(data: bytes, name: str, flags: bool) -> CelFile:
    """The header, the cells, the masked cells and the outliers, in this order."""
    place = Place(data, name, "<")
    _, version, rows, columns, cells, length = place.numbers("6i", "its header")
    if version != 4:
        raise DataError(f"{name!r} is a binary CEL file of version {version}, where 4 is read")
    text = place.take(length, "its header").decode("latin-1")
    header = dict(map(key_and_value, text.splitlines()))
    (length,) = place.numbers("i", "its algorithm")
    algorithm = place.take(length, "its algorithm").decode("latin-1").strip("\0 ")
    (length,) = place.numbers("i", "its parameters")
    place.take(length, "its parameters")
    _, n_outliers, n_masked, _ = place.numbers("i2Ii", "its counts")
    place.must_hold(cells, CELL_DTYPE.itemsize, "its intensities")
    # the format's description has columns before rows, Affymetrix's library and affxparser rows
    # before columns: the header's words decide
    said = [INTEGER_PATTERN.match(header.get(key, "")) for key in ("Rows", "Cols")]
    if said[0] and said[1] and int(said[0][1]) * int(said[1][1]) == cells:
        rows, columns = int(said[0][1]), int(said[1][1])
    shape = checked_shape(rows, columns, cells, name)
    means = place.array(CELL_DTYPE, cells, "its intensities")["mean"]
    masked = place.array(POSITION_DTYPE, n_masked, "its masked cells")
    outliers = place.array(POSITION_DTYPE, n_outliers, "its outliers")
    dat_header = header.get("DatHeader", "")
    return CelFile(
        intensities=checked_intensities(means, shape, name),
        chip_type=chip_of(dat_header),
        algorithm=printable_text(algorithm or header.get("Algorithm", "")),
        scan_date=date_in(dat_header),
        version="4",
        masked=flagged_cells(masked["x"], masked["y"], shape, "masked cells", name)
        if flags
        else None,
        outliers=flagged_cells(outliers["x"], outliers["y"], shape, "outliers", name)
        if flags
        else None,
    )
