"""AnnData files: `obs` is the sample sheet, `X` or a layer the features. MuData files: several.

They are read by another process (`h5ad_child`), which the HDF5 library may end or hold up.
"""

from __future__ import annotations

import importlib.util
import json
import math
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .._core.errors import DataError, listing, require
from . import limits, memory
from .h5ad_child import Message
from .raw import MISSING, ROW_NAMES, Modalities, Raw, Text, Wanted
from .repeated_names import apart

CHILD = Path(__file__).with_name("h5ad_child.py")


def read_h5ad(path: Path, wanted: Wanted) -> Raw:
    """Read `X` or a layer (dense or sparse, made dense by blocks), `obs` and the names.

    Raises
    ------
    Modalities
        It is an .h5mu, and no modality is asked for.
    """
    if importlib.util.find_spec("anndata") is None:
        require("anndata", "h5ad", f"reading {path.name!r}")
    most = min(memory.available_bytes(), limits.most_expanded(path))
    asked = json.dumps([wanted.modality or "", wanted.layer or ""])
    with begin(path, asked, limits.H5AD_SECONDS.value, most) as child:
        try:
            return _received(Messages(child.stdout, path, most), wanted)
        except EOFError:
            raise _ended(path, child.wait()) from None
        finally:
            child.kill()


def begin(path: Path, asked: str, seconds: int, most: int) -> Any:
    """The process that reads what is asked for of a file, in so many seconds a message, and in so
    many bytes."""
    command = [sys.executable, "-P", str(CHILD), str(path), asked, str(seconds), str(most)]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


class Messages:
    """What the other process tells; `EOFError` where it ends before all is told."""

    def __init__(self, stream: BinaryIO, path: Path, most: int):
        self.stream, self.path, self.most = stream, path, most

    def next(self) -> Message:
        """A message; `DataError` if it is one."""
        line = self.stream.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message = json.loads(line)
        if message["what"] == "error":
            raise DataError(f"{self.path.name!r} {message['text']}")
        if message["what"] == "memory":
            needs = f"takes more than {memory.bytes_text(self.most)} while being read"
            raise memory.too_large(self.path.name, needs)
        return message

    def array(self, message: Message) -> np.ndarray:
        """The array that follows a message."""
        dtype, shape = np.dtype(message["dtype"]), message["shape"]
        wanted = math.prod(shape) * dtype.itemsize
        content = self.stream.read(wanted)
        if len(content) < wanted:
            raise EOFError
        return np.frombuffer(content, dtype).reshape(shape)


def _received(messages: Messages, wanted: Wanted) -> Raw:
    first = messages.next()
    ids, name = first["rows"], messages.path.name
    limits.refuse_many(len(ids), limits.ROWS, "rows", name)
    if first["what"] == "modalities":
        sheet = _received_table(messages, wanted, first | {"columns": [], "by": "rows"})
        raise Modalities(messages.path, first["names"], sheet)
    limits.refuse_many(len(first["columns"]), limits.COLUMNS, "columns", name)
    columns, again = apart(first["columns"])
    raw = _received_table(messages, wanted, first | {"columns": columns, "again": again})
    raw.repeated = again
    if layers := first["layers"]:
        has = f"the layer {layers[0]!r}" if len(layers) == 1 else f"the layers {listing(layers)}"
        raw.notes.append(f"X is read; the file has {has} too: layer={layers[0]!r} reads it")
    if symbols := first["symbols"]:
        kept, told = set(raw.columns), zip(columns, symbols, strict=True)
        raw.labels = {
            name: label for name, label in told
            if name in kept and label not in (None, name, *MISSING)
        }  # fmt: skip
    return raw


def _received_table(messages: Messages, wanted: Wanted, names: Message) -> Raw:
    """The matrix and the columns of `obs`."""
    ids, features, path = names["rows"], names["columns"], messages.path
    n, p = len(ids), len(features)
    narrow = wanted.drop or wanted.only is not None or wanted.keep is not None
    again = names.get("again")
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
        if names["by"] == "rows":
            X[at, : len(keep)] = block[:, keep]
        else:
            kept = place[at] >= 0
            X[:, place[at][kept]] = block[kept].T
    columns = [features[k] for k in keep] + reserve
    text = {ROW_NAMES: Text.of(ids)}
    return Raw(columns, X, text, features, ROW_NAMES, sheet=sheet, typed=typed)


def _ended(path: Path, code: int) -> DataError:
    """Of a process that has not told all."""
    if hasattr(signal, "SIGPROF") and code == -signal.SIGPROF:
        seconds = limits.H5AD_SECONDS
        return DataError(
            f"{path.name!r} is damaged, or very slow to read: a part of it took more than "
            f"{seconds.value:,} s of work; store it again, or set {seconds.variable} higher"
        )
    if hasattr(signal, "SIGKILL") and code == -signal.SIGKILL:
        return memory.too_large(path.name, "made the system end the process that read it")
    return DataError(
        f"{path.name!r} is damaged: the HDF5 library ended with {code} while reading it; "
        "store it again"
    )
