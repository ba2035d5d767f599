"""Bytes of a skops file that are the same for the same content."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any


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
            target.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return sink.getvalue()
