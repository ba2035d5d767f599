"""AnnData files: `obs` is the sample sheet, `X` or a layer the features. MuData files: several.

They are read by another process (`h5ad_child` by `bounded`), which the HDF5 library may end.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from .._core.errors import listed_names, require_library
from . import limits, memory
from .bounded import Messages, messages_of
from .names import SYMBOL_HEADER_PATTERN
from .raw import MISSING_TEXTS, ROW_NAMES, Modalities, Raw, Text, Wanted
from .repeated_names import distinct_names

CHILD_SCRIPT = Path(__file__).with_name("h5ad_child.py")


def read_h5ad(path: Path, wanted: Wanted) -> Raw:
    """Read `X` or a layer (dense or sparse, made dense by blocks), `obs` and the names.

    Raises
    ------
    Modalities
        It is an .h5mu, and no modality is requested.
    """
    if importlib.util.find_spec("anndata") is None:
        require_library("anndata", "h5ad", f"reading {path.name!r}")
    request = [wanted.modality or "", wanted.layer or "", SYMBOL_HEADER_PATTERN.pattern]
    with messages_of(CHILD_SCRIPT, path, request, "the HDF5 library") as messages:
        return _received_h5ad(messages, wanted)


def _received_h5ad(messages: Messages, wanted: Wanted) -> Raw:
    first = messages.next()
    ids, name = first["rows"], messages.path.name
    limits.refuse_many(len(ids), limits.ROWS_LIMIT, "rows", name)
    if first["what"] == "modalities":
        sheet = _received_table(messages, wanted, ids, [], "rows")
        raise Modalities(messages.path, first["names"], sheet)
    limits.refuse_many(len(first["columns"]), limits.COLUMNS_LIMIT, "columns", name)
    columns, again = distinct_names(first["columns"])
    raw = _received_table(messages, wanted, ids, columns, first["by"], again)
    raw.repeated = again
    add_remarks(raw, columns, first["layers"], first["symbols"], "the file")
    return raw


def add_remarks(
    raw: Raw,
    columns: Sequence[str],
    layers: Sequence[str],
    symbols: Sequence[str | None] | None,
    where: str,
) -> None:
    """What is noted beside the matrix: layers that are not read, and symbols of the columns."""
    if layers:
        has = (
            f"the layer {layers[0]!r}" if len(layers) == 1 else f"the layers {listed_names(layers)}"
        )
        raw.notes.append(f"X is read; {where} has {has} too: layer={layers[0]!r} reads it")
    if symbols:
        kept, pairs = set(raw.columns), zip(columns, symbols, strict=True)
        raw.labels = {
            name: label
            for name, label in pairs
            if name in kept and label is not None and label not in (name, *MISSING_TEXTS)
        }


def _received_table(
    messages: Messages,
    wanted: Wanted,
    ids: list[str],
    features: list[str],
    by: str,
    again: Mapping[str, str] | None = None,
) -> Raw:
    """The matrix, whose blocks are of rows or of columns, and the columns of `obs`."""
    n, p, path = len(ids), len(features), messages.path
    narrow = wanted.drop or wanted.only is not None or wanted.keep is not None
    dropped = wanted.dropped(features, path.name, again) if narrow and features else set()
    keep = np.array([k for k, name in enumerate(features) if name not in dropped], int)
    reserve = [c for c in wanted.reserve if c not in set(features)]
    width = len(keep) + len(reserve)
    memory.check_memory(8.0 * n * width, path, f"{n:,} rows x {width:,} columns made dense")
    X = np.full((n, width), np.nan)
    place = np.full(p, -1)
    place[keep] = np.arange(len(keep))
    sheet: dict[str, Text] = {}
    typed = set()
    while (message := messages.next())["what"] != "done":
        block = messages.array(message)
        if message["what"] == "obs":
            sheet[message["name"]] = Text.of_codes(block, message["values"])
            if message["text"]:
                typed.add(message["name"])
            continue
        at = slice(message["start"], message["start"] + len(block))
        if by == "rows":
            X[at, : len(keep)] = block[:, keep]
        else:
            kept = place[at] >= 0
            X[:, place[at][kept]] = block[kept].T
    columns = [features[k] for k in keep] + reserve
    text = {ROW_NAMES: Text.of(ids)}
    return Raw(columns, X, text, features, ROW_NAMES, sheet=sheet, typed=typed)
