"""Bytes of a skops file: the same for the same content, read only as far as limits allow.

What a file may unpack to grows with the file: a writer stores, and does not compress, what would
be more.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import ModelError

FREE = 1 << 24  # bytes that any file may unpack to
RATIO = 16  # bytes that each byte of a file may unpack to, beside these
TEXT_FREE = 1 << 22  # of the schema
TEXT_RATIO = 64  # which says the same things often
DEEPEST = 32  # nodes inside each other
SCHEMA = "schema.json"


def canonical_bytes(content: bytes) -> bytes:
    """A skops file without what varies between processes: object ids, names, dates."""
    source = zipfile.ZipFile(io.BytesIO(content))
    schema = json.loads(source.read(SCHEMA))
    ids: dict[int, int] = {}
    files: dict[str, str] = {}

    def visit(node: Any) -> None:
        if isinstance(node, dict):
            if "__id__" in node:
                node["__id__"] = ids.setdefault(node["__id__"], len(ids) + 1)
            if isinstance(node.get("file"), str) and "__loader__" in node:
                name = node["file"]
                files.setdefault(name, f"{len(files) + 1}{Path(name).suffix}")
                node["file"] = files[name]
            for value in node.values():
                visit(value)
        elif isinstance(node, list):
            for value in node:
                visit(value)

    visit(schema)
    members = {new: source.read(old) for old, new in files.items()}
    return zipped({**members, SCHEMA: json.dumps(schema).encode()})


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip file that may be unpacked: where it would be too small for its content, what
    compresses best is only stored."""
    packed = _packed(members, frozenset())
    if sum(map(len, members.values())) <= allowance(len(packed)):
        return packed
    entries = zipfile.ZipFile(io.BytesIO(packed)).infolist()
    empty = {e.filename for e in entries if e.file_size > RATIO * e.compress_size}
    return _packed(members, frozenset(empty - {SCHEMA}))


def _packed(members: Mapping[str, bytes], stored: frozenset[str]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            how = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            target.writestr(entry, data, how)
    return sink.getvalue()


def allowance(size: int) -> int:
    """Bytes that a file of so many may unpack to."""
    return FREE + RATIO * size


class Members:
    """The members of a skops file, each read once and no further than it says it is long.

    Parameters
    ----------
    content : bytes
    what : str
        For messages: what it is.

    Attributes
    ----------
    schema : object
        What the file's schema says.

    Raises
    ------
    ModelError
        It would unpack to too much, is packed in another way, or two members share a name.
    """

    def __init__(self, content: bytes, what: str):
        self._what = what
        self._source = zipfile.ZipFile(io.BytesIO(content))
        entries = self._source.infolist()
        self._entries = {entry.filename: entry for entry in entries}
        size, most = sum(entry.file_size for entry in entries), allowance(len(content))
        if size > most:
            raise ModelError(
                f"{what} unpacks to {size:,} bytes, more than the {most:,} that a file of "
                f"{len(content):,} may hold: it was not loaded; make it anew if it is a study's"
            )
        ways = {entry.compress_type for entry in entries}
        if len(self._entries) < len(entries) or ways - {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise ModelError(f"{what} is packed as no model is: it was not loaded")
        text = self._entries[SCHEMA]
        if text.file_size > TEXT_FREE + TEXT_RATIO * text.compress_size:
            raise ModelError(
                f"{what} has a schema of {text.file_size:,} bytes in {text.compress_size:,}: it "
                "was not loaded"
            )
        self.schema: Any = json.loads(self._read(text))

    def take(self, name: object) -> bytes:
        """A member, which cannot be had a second time."""
        entry = self._entries.pop(str(name), None)
        if entry is None:
            raise ModelError(f"{self._what} names a part of itself twice, or one it has not")
        return self._read(entry)

    def _read(self, entry: zipfile.ZipInfo) -> bytes:
        with self._source.open(entry) as file:  # `read` without a size would unpack all there is
            return file.read(entry.file_size)

    def anew(self) -> bytes:
        """A file of the same members, of what they were read to be."""
        members = {name: self._read(entry) for name, entry in self._entries.items()}
        return _packed(members, frozenset(members))


def nodes_of(schema: Any) -> Iterator[dict[str, Any]]:
    """The nodes of a schema, none of which is loaded; the outermost first."""
    nodes = [schema]
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            nodes += node.values()
            if "__loader__" in node:
                yield node
