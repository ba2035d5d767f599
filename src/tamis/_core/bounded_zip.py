"""Zip files that unpack to no more than limits allow, with the same bytes for the same content.

What a file may unpack to grows with the file: a writer stores, and does not compress, what would
be more. So whatever is written can be read.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Mapping

from .errors import ModelError

FREE_BYTES = 1 << 24  # bytes that any file may unpack to
MAX_UNPACK_RATIO = 16  # bytes that each byte of a file may unpack to, beside these
TEXT_ENDING = ".json"  # how the names of text end: as objects it takes many times its bytes
TEXT_FREE = 1 << 22
TEXT_RATIO = 64  # which says the same things often
ALLOWED_COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
ZIP_MAGIC = b"PK\x03\x04"  # bytes of a zip file that has members


def zipped_members(members: Mapping[str, bytes]) -> bytes:
    """A zip file that may be unpacked: where it would be too small for its content, what
    compresses best is only stored."""
    packed = packed_members(members)
    entries = zipfile.ZipFile(io.BytesIO(packed)).infolist()
    if not _too_much(entries, len(packed)):
        return packed
    return packed_members(members, {e.filename for e in entries if _by_far(e)})


def packed_members(members: Mapping[str, bytes], stored: Collection[str] = ()) -> bytes:
    """A zip file, whatever it unpacks to; members of these names are not compressed."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            how = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            target.writestr(entry, data, how)
    return sink.getvalue()


def unpacked_allowance(size: int) -> int:
    """Bytes that a file of so many may unpack to."""
    return FREE_BYTES + MAX_UNPACK_RATIO * size


def _by_far(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > MAX_UNPACK_RATIO * entry.compress_size


def _too_much(entries: Collection[zipfile.ZipInfo], size: int) -> str:
    """What is unpacked to more than a file of so many bytes may hold; empty: nothing."""
    total, most = sum(entry.file_size for entry in entries), unpacked_allowance(size)
    if total > most:
        return f"unpacks to {total:,} bytes, more than the {most:,} that one of {size:,} may hold"
    for entry in entries:
        most = TEXT_FREE + TEXT_RATIO * entry.compress_size
        if entry.filename.endswith(TEXT_ENDING) and entry.file_size > most:
            return f"has a text of {entry.file_size:,} bytes in {entry.compress_size:,}"
    return ""


class Members:
    """The members of a zip file, each read no further than it says it is long.

    Parameters
    ----------
    content : bytes
    what : str
        For messages: what it is.

    Attributes
    ----------
    names : tuple of str
        But for empty entries of folders, which programs that zip a folder add.

    Raises
    ------
    ModelError
        It is cut short, would unpack to too much, is packed in another way, or two members share
        a name.
    BadZipFile
        It is no zip file.
    """

    def __init__(self, content: bytes, what: str):
        try:
            self._source = zipfile.ZipFile(io.BytesIO(content))
        except zipfile.BadZipFile as error:
            if not content.startswith(ZIP_MAGIC):
                raise
            raise ModelError(f"{what} is damaged or cut short: copy or make it again") from error
        entries = [e for e in self._source.infolist() if e.file_size or not e.is_dir()]
        if much := _too_much(entries, len(content)):
            raise ModelError(f"{what} {much}: it was not loaded")
        self._entries = {entry.filename: entry for entry in entries}
        if (
            len(self._entries) < len(entries)
            or {e.compress_type for e in entries} - ALLOWED_COMPRESSIONS
        ):
            raise ModelError(f"{what} is packed as no model is: it was not loaded")
        self.names = tuple(self._entries)

    def read(self, name: str) -> bytes:
        """A member; `KeyError` if there is none of this name."""
        entry = self._entries[name]
        with self._source.open(entry) as file:  # `read` without a size would unpack all there is
            return file.read(entry.file_size)

    def anew(self) -> bytes:
        """A file of the same members, of what they were read to be."""
        return packed_members({name: self.read(name) for name in self.names}, self.names)
