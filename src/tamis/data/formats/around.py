"""What a text file has above, beside and below its table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..collect import Strings
from ..fields import Fields
from ..raw import Text


def fields_of(line: bytes) -> list[str]:
    """The fields of a line between tabs, without quotes and blanks around them.

    Examples
    --------
    >>> fields_of(b'"a" \\t c \\r')
    ['a', 'c']
    """
    return [_unquoted_cell(cell.strip()) for cell in line.decode("utf-8", "replace").split("\t")]


def _unquoted_cell(cell: str) -> str:
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"').strip() if quoted else cell


@dataclass
class Around:
    """Found by the reader of a format, which has taken the lines above the header.

    Attributes
    ----------
    separator : str or None
        The delimiter, where the format fixes it.
    turned : bool
        Features are in rows.
    end : pattern or None
        Finds the line below the table.
    ids : str or None
        The column of sample ids.
    beside : tuple of str
        Columns that are no features (samples in rows), or no samples (features in rows).
    label : str or None
        One of these that names the features for people.
    missing : dict of str to tuple of str
        What stands for a missing value in a column beside, as 0 for a sex in PLINK.
    sheet : dict of str to list of str
        Attributes of the samples, which are named in `samples`.
    renamed : dict of str to str
        Samples of the header that get another name.
    rows : int or None
        How many features the file says that it has.
    notes : list of str
        What the user is to know.
    """

    separator: str | None = None
    turned: bool = False
    end: re.Pattern[bytes] | None = None
    ids: str | None = None
    beside: tuple[str, ...] = ()
    label: str | None = None
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    samples: tuple[str, ...] = ()
    sheet: dict[str, list[str]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    rows: int | None = None
    notes: list[str] = field(default_factory=list)

    def sheet_of(self, samples: Sequence[str]) -> dict[str, Text]:
        """The attributes with their rows in the order of some samples."""
        place = {name: k for k, name in enumerate(self.samples)}
        rows = [place.get(name) for name in samples]
        return {
            name: Text.of(None if k is None else values[k] for k in rows)
            for name, values in self.sheet.items()
        }


class Beside:
    """Columns taken out of a table while it is read."""

    def __init__(self, strings: Strings, header: Sequence[str], names: Sequence[str]):
        taken = set(names)
        self.at = np.array([j for j, name in enumerate(header) if name in taken], dtype=np.intp)
        self.rest = np.array([j for j, name in enumerate(header) if name not in taken], np.intp)
        self.names = [header[j] for j in self.at]
        self.strings, self.blocks = strings, list[np.ndarray]()

    def without(self, fields: Fields) -> Fields:
        """The other columns of some rows."""
        if not len(self.at):
            return fields
        self.blocks.append(self.strings.codes(*fields.strings(slice(None), self.at)))
        return Fields(fields.buffer, fields.spans[:, self.rest])

    def columns(self) -> dict[str, Text]:
        """What was taken out."""
        if not self.blocks:
            return {}
        codes, values = np.vstack(self.blocks), self.strings.values
        return {name: Text(codes[:, k], values) for k, name in enumerate(self.names)}
