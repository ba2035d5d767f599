"""Which program wrote a text file, by its first lines."""

from __future__ import annotations

from ..lines import BLANK, Lines
from .around import Around
from .counts import around_feature_counts, refuse_one_sample
from .gct import around_gct
from .geo_matrix import around_series_matrix
from .plink_raw import around_plink_raw

KNOWN = (around_gct, around_feature_counts, around_plink_raw)
REMARK = (b"#", b"!")


def find_around(lines: Lines, sheet_only: bool = False) -> Around:
    """What the file has around its table; the header line is next. `sheet_only`: it is read for
    what it says of the samples.

    Raises
    ------
    DataError
        It is damaged, or holds one sample only.
    """
    lines.skip(BLANK)
    if (series := around_series_matrix(lines, sheet_only)) is not None:
        return series
    for known in KNOWN:
        found = known(lines)
        if found is not None:
            return found
    refuse_one_sample(lines)
    return Around(notes=_skip_remarks(lines))


def _skip_remarks(lines: Lines) -> list[str]:
    """Take lines above the header that begin with a number sign or an exclamation mark."""
    taken = 0
    while (ahead := lines.peek(2)) and ahead[0].startswith(REMARK):
        if len(ahead) < 2 or _is_header(*ahead):
            mark = len(ahead[0]) - len(ahead[0].lstrip(b"#! ")) if len(ahead) > 1 else 0
            lines.pass_by(mark)
            break
        lines.line()
        taken += 1
    what = "line of remarks is" if taken == 1 else "lines of remarks are"
    return [f"{taken} {what} above the header, and left out"] if taken else []


def _is_header(line: bytes, below: bytes) -> bool:
    """Whether a line that begins like a remark names columns: it has as many fields as the one
    below, which is no remark."""
    if line.startswith(b"##") or below.startswith(REMARK):
        return False
    counts = [(line.count(mark), below.count(mark)) for mark in (b"\t", b",", b";", b"|")]
    return any(a == b > 0 for a, b in counts)
