"""Bytes of a skops file: the same for the same content, and limits on what a file unpacks to."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import ModelError

LARGEST = 1 << 31  # bytes a file may unpack to
MOST_TEXT = 1 << 26  # and its text


def canonical_bytes(content: bytes) -> bytes:
    """A skops file without what varies between processes: object ids, names, dates."""
    source = zipfile.ZipFile(io.BytesIO(content))
    schema = json.loads(source.read("schema.json"))
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
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as target:
        entries = [(new, source.read(old)) for old, new in files.items()]
        for name, data in [*entries, ("schema.json", json.dumps(schema).encode())]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            target.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def checked_nodes(content: bytes, what: str) -> Iterator[dict[str, Any]]:
    """The nodes of a skops file, none of which is loaded.

    Raises
    ------
    ModelError
        It would unpack to too much; an array that is named twice counts twice.
    """
    source = zipfile.ZipFile(io.BytesIO(content))
    sizes = {entry.filename: entry.file_size for entry in source.infolist()}
    if sizes.get("schema.json", 0) > MOST_TEXT or sum(sizes.values()) > LARGEST:
        raise ModelError(f"{what} unpacks to {sum(sizes.values()):,} bytes: refused")
    nodes: list[Any] = [json.loads(source.read("schema.json"))]
    loaded = 0
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            nodes += node.values()
            if "__loader__" not in node:
                continue
            loaded += sizes.get(str(node.get("file")), 0)
            if loaded > LARGEST:
                raise ModelError(f"{what} unpacks to more than {LARGEST:,} bytes: refused")
            yield node
