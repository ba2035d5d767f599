"""Reading CEL files: packed, reordered, without a header, and refused in one line."""

from __future__ import annotations

import datetime
import gzip
import re
import struct
import tracemalloc

import numpy as np
import pytest

from expression.reading.array_files import (
    MASKED,
    OUTLIERS,
    WRITERS,
    cel_command_console,
    cel_text,
    cel_version_4,
    made_intensities,
)
from tamis._core.errors import DataError
from tamis.expression.reading import read_cel

VALUES = made_intensities((6, 7), 3)


@pytest.fixture(params=WRITERS)
def parts(request):
    """Parts of a valid file of each kind."""
    return WRITERS[request.param](VALUES, [(3, 4)], [(0, 1), (6, 2)])


@pytest.fixture
def reads(tmp_path):
    """A function that writes bytes and reads them."""

    def of(data, flags=False):
        if isinstance(data, dict):
            data = b"".join(data.values())
        path = tmp_path / "some.CEL"
        path.write_bytes(data)
        return read_cel(path, flags=flags)

    return of


def test_a_file_packed_by_gzip_is_read_as_it_is_unpacked(parts, reads):
    plain = reads(parts, flags=True)
    packed = reads(gzip.compress(b"".join(parts.values())), flags=True)
    assert plain.intensities.dtype == (np.float64 if "head_text" in parts else np.float32)
    assert plain.intensities.flags.c_contiguous
    assert plain.intensities.flags.writeable
    for field in ("intensities", "masked", "outliers"):
        np.testing.assert_array_equal(getattr(packed, field), getattr(plain, field))
    np.testing.assert_array_equal(np.float32(plain.intensities), VALUES)
    assert np.argwhere(plain.masked).tolist() == [[4, 3]]
    assert np.argwhere(plain.outliers).tolist() == [[1, 0], [2, 6]]


def test_flags_are_read_if_they_are_asked_for(parts, reads):
    cel = reads(parts)
    assert cel.masked is None
    assert cel.outliers is None


def test_no_beginning_of_a_file_is_read_as_the_whole(parts, reads):
    data = b"".join(parts.values())
    needed = len(data)
    if "intensity_text" in parts:  # what lies behind is asked for by flags only
        needed = len(parts["head_text"] + parts["intensity_text"]) - 5  # "5\r\n\r\n"
    elif "Mask_rows" in parts:
        needed = data.index(parts["Mask_head"])
    for length in [*range(0, needed - 40, 23), *range(needed - 40, needed)]:
        with pytest.raises(DataError, match=r"'some\.CEL'") as error:
            reads(data[:length])
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"GIF89a", r"is no CEL file of version 3, 4 or Command Console"),
        (b"\x1f\x8b\x08\x00damaged", "is a damaged gzip file"),
        (gzip.compress(b"[CEL]\nVersion=3\n" * 99, mtime=0)[:-9], "is a damaged gzip file"),
        (b"[CEL]\nVersion=2\n", "in text of version 2"),
        (b"[CEL] \nVersion=3\n[HEADER]\n", "has no intensities"),
        (b"\x40\0\0\0\x03\0\0\0" + bytes(100), "binary CEL file of version 3"),
    ],
)
def test_what_is_no_cel_file_is_refused(reads, data, says):
    with pytest.raises(DataError, match=says):
        reads(data)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_an_intensity_that_is_none_is_refused(reads, value):
    wrong = VALUES.copy()
    wrong[2, 5] = value
    for write in WRITERS.values():
        with pytest.raises(DataError, match=r"intensity of the cell in row 2, column 5 is"):
            reads(write(wrong))


@pytest.mark.parametrize("cells", [-1, 41, 43, 1 << 30, (1 << 31) - 1])
def test_wrong_counts_take_no_memory(reads, cells):
    text, four, console = (write(VALUES) for write in WRITERS.values())
    text["intensity_text"] = text["intensity_text"].replace(b"Cells=42", b"Cells=%d" % cells)
    four["numbers"] = four["numbers"][:16] + struct.pack("<i", cells)
    head = console["Intensity_head"]
    console["Intensity_head"] = head[:-4] + struct.pack(">I", cells & 0xFFFFFFFF)
    for parts in (text, four, console):
        tracemalloc.start()
        with pytest.raises(DataError, match="damaged"):
            reads(parts)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1 << 21


def test_flags_outside_the_array_are_refused(reads):
    for write in WRITERS.values():
        with pytest.raises(DataError, match="outliers lie outside its 6 x 7 cells"):
            reads(write(VALUES, [], [(7, 0)]), flags=True)


def test_rows_and_columns_of_version_4_are_those_of_the_words(reads):
    parts = cel_version_4(VALUES)
    parts["numbers"] = struct.pack("<5i", 64, 4, 7, 6, 42)
    assert reads(parts).intensities.shape == (6, 7)
    parts["header_text"] = struct.pack("<i", 0)
    parts["numbers"] = struct.pack("<5i", 64, 4, 6, 7, 42)
    cel = reads(parts)
    assert cel.intensities.shape == (6, 7)
    assert (cel.chip_type, cel.scan_date, cel.algorithm) == ("", None, "Percentile")


def test_cells_of_a_text_come_in_any_order_each_once(reads):
    parts = cel_text(VALUES)
    keep = parts["intensity_text"].split(b"\r\n")
    head, cells, rest = keep[:3], keep[3:45], keep[45:]
    shuffled = [cells[k] for k in np.random.default_rng(0).permutation(42)]
    parts["intensity_text"] = b"\r\n".join(head + shuffled + rest)
    np.testing.assert_array_equal(np.float32(reads(parts).intensities), VALUES)
    parts["intensity_text"] = b"\r\n".join(head + [*cells[:-1], cells[0]] + rest)
    with pytest.raises(DataError, match="some cells have two lines, and others none"):
        reads(parts)


def test_columns_of_a_text_are_found_by_name(reads):
    text = (
        b"[CEL]\nVersion=3\n[HEADER]\nCols=2\nRows=1\n[INTENSITY]\nNumberCells=2\n"
        b"CellHeader=MEAN\tY\tX\n5.5\t0\t1\n4.5\t0\t0\n"
    )
    assert reads(text).intensities.tolist() == [[4.5, 5.5]]
    with pytest.raises(DataError, match="without X, Y, MEAN"):
        reads(text.replace(b"MEAN", b"AVERAGE"))


def test_command_console_without_its_own_chip_has_that_of_the_dat_header(reads):
    parts = cel_command_console(VALUES)
    key = "affymetrix-array-type".encode("utf-16-be")
    other = "affymetrix-array-typo".encode("utf-16-be")
    parts["header"] = parts["header"].replace(key, other)
    cel = reads(parts)
    assert cel.chip_type == "Made_1"
    assert cel.scan_date == datetime.datetime(2009, 8, 25, 13, 14, 15)


def test_a_date_that_is_none_is_left_out(reads):
    parts = cel_text(VALUES, MASKED[:1], OUTLIERS[:1])
    parts["head_text"] = parts["head_text"].replace(b"02/18/04", b"02/31/04")
    assert reads(parts).scan_date is None


def test_a_name_that_steers_the_terminal_is_shown_without(tmp_path):
    path = tmp_path / "\x1b[31mred\n.CEL"
    path.write_bytes(b"no")
    with pytest.raises(DataError) as error:
        read_cel(path)
    assert re.fullmatch(r"[ -~]+", str(error.value))
