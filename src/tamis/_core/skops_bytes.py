"""Bytes of a skops file, which keeps a user's own estimator: the same for the same content, and
what it names before anything of it is loaded."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .bounded_zip import zipped_members

SCHEMA_NAME = "schema.json"


def canonical_bytes(content: bytes) -> bytes:
    """A skops file without what varies between processes: object ids, names, dates."""
    source = zipfile.ZipFile(io.BytesIO(content))
    schema = json.loads(source.read(SCHEMA_NAME))
    ids: dict[int, int] = {}
    files: dict[str, str] = {}

    def renumber_node(node: Any) -> None:
        if isinstance(node, dict):
            if "__id__" in node:
                node["__id__"] = ids.setdefault(node["__id__"], len(ids) + 1)
            if isinstance(node.get("file"), str) and "__loader__" in node:
                name = node["file"]
                files.setdefault(name, f"{len(files) + 1}{Path(name).suffix}")
                node["file"] = files[name]
            for value in node.values():
                renumber_node(value)
        elif isinstance(node, list):
            for value in node:
                renumber_node(value)

    renumber_node(schema)
    members = {new: source.read(old) for old, new in files.items()}
    return zipped_members({**members, SCHEMA_NAME: json.dumps(schema).encode()})


def nodes_of(schema: bytes) -> Iterator[dict[str, object]]:
    """The nodes of a schema, none of which is loaded; the outermost first."""
    nodes = [json.loads(schema)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            nodes += node.values()
            if "__loader__" in node:
                yield node


def names_files_once(nodes: Iterable[Mapping[str, object]]) -> bool:
    """Whether no two objects share a file: skops unpacks it anew for each that names it."""
    owners: dict[str, object] = {}
    named = [(str(node["file"]), node.get("__id__")) for node in nodes if "file" in node]
    return all(one and owners.setdefault(file, one) == one for file, one in named)
