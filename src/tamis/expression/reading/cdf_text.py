"""CDF in text: a section for the chip, each unit and each block, a line for each cell."""

from __future__ import annotations

import re
from array import array

import numpy as np

from ..._core.errors import DataError, counted_noun, printable_text, shorten_text
from .cdf_file import CdfFile, Cells, probe_sets_of
from .content import integer_of, key_and_value, text_lines

EXPRESSION_TYPE = 3  # the type of unit in text; in binary files 1
WANTED_COLUMNS = ("X", "Y", "PBASE", "TBASE", "ATOM")
UNIT_PATTERN = re.compile(r"\[Unit\d+\]\Z")
BLOCK_PATTERN = re.compile(r"\[Unit\d+_Block\d+\]\Z")


def read_text(data: bytes, name: str) -> CdfFile:
    """Sections as they come: the chip, then each unit and its blocks."""
    found = _Sections(name)
    for line in text_lines(data):
        if line.startswith(b"["):
            found.begin(line.decode("latin-1").strip())
        elif line.startswith(b"Cell") and found.columns:
            found.take_cell(line)
        elif b"=" in line:
            found.take_value(*key_and_value(line))
    return found.cdf()


class _Sections:
    """What has been read of the sections so far."""

    def __init__(self, name: str):
        self.name = name
        self.section = self.version = ""
        self.keys, self.chip, self.unit = dict[str, str](), dict[str, str](), dict[str, str]()
        self.columns: list[int] = []  # of the cells of a block of expression
        self.fewest = 0  # fields of such a cell
        self.cells_left = 0
        self.units = self.units_with_blocks = self.other_units = 0
        self.blocks = self.blocks_said = 0
        self.names: list[str] = []
        self.sets, self.atoms, self.xs, self.ys = (array("i") for _ in range(4))
        self.probes, self.targets = bytearray(), bytearray()

    def begin(self, section: str) -> None:
        """The one before ends with the last of its cells."""
        if self.cells_left:
            raise DataError(
                f"{self.name!r} is damaged or cut short: {counted_noun(self.cells_left, 'cell')} "
                f"of {shorten_text(self.section)} missing"
            )
        self.section, self.keys, self.columns = section, {}, []
        if section == "[Chip]":
            self.chip = self.keys
        elif UNIT_PATTERN.match(section):
            self.unit = self.keys
            self.units += 1

    def take_value(self, key: str, value: str) -> None:
        """A line ``key=value``."""
        self.keys[key] = value
        if key == "Version" and self.section == "[CDF]":
            self.version = value
        elif key == "UnitType" and UNIT_PATTERN.match(self.section):
            self.other_units += self._integer(self.keys, key) != EXPRESSION_TYPE
        elif key == "NumberBlocks" and UNIT_PATTERN.match(self.section):
            self.units_with_blocks += 1
            self.blocks_said += self._integer(self.keys, key)
        elif key == "CellHeader" and BLOCK_PATTERN.match(self.section):
            self.blocks += 1
            if self._integer(self.unit, "UnitType") == EXPRESSION_TYPE:
                self.columns = self._columns(value)
                # one more than is wanted, if there is one: a line could be cut within a number
                self.fewest = min(max(self.columns) + 2, len(value.split("\t")))
                self.cells_left = self._integer(self.keys, "NumCells")
                own = self.keys.get("Name", "")
                self.names.append(own if own not in ("", "NONE") else self.unit.get("Name", ""))

    def take_cell(self, line: bytes) -> None:
        """A line ``Cell1=`` and its fields."""
        if not self.cells_left:
            raise DataError(
                f"{self.name!r} is damaged: {shorten_text(self.section)} has more cells than it "
                "says"
            )
        try:
            fields = line.split(b"=", 1)[1].split(b"\t")
            fields[self.fewest - 1]  # or IndexError
            x, y, probe, target, atom = (fields[j].strip() for j in self.columns)
            self.xs.append(int(x))
            self.ys.append(int(y))
            self.atoms.append(int(atom))
            self.probes.append(probe[0])
            self.targets.append(target[0])
        except (ValueError, IndexError, OverflowError) as error:
            raise DataError(
                f"{self.name!r} is damaged: a cell of {shorten_text(self.section)} is "
                f"{shorten_text(line.decode('latin-1').strip())!r}"
            ) from error
        self.sets.append(len(self.names) - 1)
        self.cells_left -= 1

    def cdf(self) -> CdfFile:
        """All units are there that the file says, and all of their blocks."""
        self.begin("the end")
        if not self.version.startswith("GC"):
            raise DataError(
                f"{self.name!r} is a CDF in text of version "
                f"{shorten_text(self.version or 'none')!r}, where GC3.0 and later are read"
            )
        shape = self._integer(self.chip, "Rows"), self._integer(self.chip, "Cols")
        if not 0 < shape[0] * shape[1] < 1 << 31:
            raise DataError(f"{self.name!r} is damaged: it has {shape[0]:,} x {shape[1]:,} cells")
        said = self._integer(self.chip, "NumberOfUnits")
        if not said == self.units == self.units_with_blocks or self.blocks != self.blocks_said:
            raise DataError(
                f"{self.name!r} is damaged or cut short: it should have "
                f"{counted_noun(said, 'unit')} of {counted_noun(self.blocks_said, 'block')}, and "
                f"has {self.units:,} and {self.blocks:,}"
            )
        sets, atoms, xs, ys = (
            np.frombuffer(numbers, np.intc) for numbers in (self.sets, self.atoms, self.xs, self.ys)
        )
        probes, targets = (np.frombuffer(b, np.uint8) for b in (self.probes, self.targets))
        return probe_sets_of(
            self.name,
            printable_text(self.chip.get("Name", "")),
            shape,
            self.names,
            Cells(sets, atoms, xs, ys, probes, targets),
            self.other_units,
        )

    def _columns(self, header: str) -> list[int]:
        """Where in a line of a cell the fields stand that are wanted."""
        found = header.split("\t")
        missing = [column for column in WANTED_COLUMNS if column not in found]
        if missing:
            raise DataError(
                f"{self.name!r} is damaged: the cells of {shorten_text(self.section)} have no "
                f"{', '.join(missing)}"
            )
        return [found.index(column) for column in WANTED_COLUMNS]

    def _integer(self, keys: dict[str, str], key: str) -> int:
        return integer_of(keys.get(key), f"{key} of {shorten_text(self.section)}", self.name)
