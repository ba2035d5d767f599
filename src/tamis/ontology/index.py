"""A prepared index: an `Ontology` as one file that opens at once.

The file is a line that names it and its version, a line with a checksum of the rest, and an Arrow
stream of one row: every attribute is a column that holds a list. Tuples inside (synonyms, parents)
lie one after the other in such a list, and a second column says where each ends. Properties,
individuals and restrictions have a column for each of their fields.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from .._core.bounded_arrow import read_bounded_stream
from .._core.errors import DataError
from .._core.files import write_bytes
from .._core.inside import read_named
from .ontology_data import NO_FILLER, Individual, OntologyData, Property, PropertyKind, Restriction

if TYPE_CHECKING:
    import pyarrow as pa

INDEX_MAGIC = b"TAMIS ontology index "
INDEX_VERSION = b"2"
PREPARE_AGAIN_ADVICE = "prepare it again with `tamis ontology index`"
ENDS_SUFFIX = "_ends"
OF_CLASSES = {
    "iris": "text",
    "labels": "text",
    "local_names": "text",
    "definitions": "text",
    "synonyms": "texts",
    "related": "texts",
    "parents": "numbers",
    "labelled": "flag",
    "obsolete": "flag",
}
OF_RECORDS: dict[str, tuple[Any, str, dict[str, str]]] = {
    "properties": (Property, "property_", {
        "iri": "text", "label": "text", "kind": "text", "domains": "numbers", "ranges": "numbers",
        "datatypes": "texts",
    }),
    "individuals": (Individual, "individual_", {
        "name": "text", "label": "text", "types": "numbers",
    }),
    "restrictions": (Restriction, "restriction_", {
        "owner": "number", "property": "number", "filler": "number",
    }),
}  # fmt: skip
POSITION_ARRAYS = {  # of what, in the same file
    "parents": "iris",
    "property_domains": "iris",
    "property_ranges": "iris",
    "individual_types": "iris",
    "restriction_owner": "iris",
    "restriction_filler": "iris",
    "restriction_property": "property_iri",
}


def write_index(ontology: OntologyData, path: str | os.PathLike[str]) -> None:
    """Write an ontology as an index, atomically."""
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    for name, kind in OF_CLASSES.items():
        _add_column(columns, name, kind, getattr(ontology, name))
    _add_column(columns, "remarks", "text", ontology.remarks)
    _add_column(columns, "head", "text", (ontology.name, ontology.iri, ontology.reasoner))
    _add_column(columns, "inferred", "numbers", ontology.inferred)
    for attribute, (_, name, fields) in OF_RECORDS.items():
        rows = getattr(ontology, attribute)
        for field, kind in fields.items():
            _add_column(columns, name + field, kind, [getattr(one, field) for one in rows])
    arrays = [pa.LargeListArray.from_arrays([0, len(one)], one) for one in columns.values()]
    batch = pa.record_batch(arrays, names=list(columns))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    body = sink.getvalue().to_pybytes()
    write_bytes(path, INDEX_MAGIC + INDEX_VERSION + b"\n" + _body_checksum(body) + b"\n" + body)


def _add_column(columns: dict[str, pa.Array], name: str, kind: str, values: Sequence[Any]) -> None:
    """A column; of tuples all values one after the other, and where each tuple ends."""
    import pyarrow as pa

    if kind in ("texts", "numbers"):
        ends = np.cumsum([len(one) for one in values], dtype=np.int64)
        columns[name + ENDS_SUFFIX] = pa.array(ends)
        kind, values = kind[:-1], [x for one in values for x in one]
    if kind == "text":
        columns[name] = pa.array(values, type=pa.large_string())
    else:
        columns[name] = pa.array(np.array(values, np.uint8 if kind == "flag" else np.int32))


def is_index(path: Path) -> bool:
    """Whether a file begins as an index does."""
    with open(path, "rb") as file:
        return file.read(len(INDEX_MAGIC)) == INDEX_MAGIC


def read_index(path: Path) -> OntologyData:
    """What an index holds of an ontology.

    Raises
    ------
    DataError
        The index is damaged, or of another version.
    """
    import pyarrow as pa

    first, _, rest = read_named(path).partition(b"\n")
    if (version := first.removeprefix(INDEX_MAGIC)) != INDEX_VERSION:
        raise DataError(
            f"{path.name!r} is an ontology index of another version of Tamis (format "
            f"{version[:20].decode('latin-1')!r}; this one reads {INDEX_VERSION.decode()}): "
            f"{PREPARE_AGAIN_ADVICE}"
        )
    checksum, _, body = rest.partition(b"\n")
    if checksum != _body_checksum(body):
        raise DataError(f"{path.name!r} is a damaged ontology index: {PREPARE_AGAIN_ADVICE}")
    try:
        table = read_bounded_stream(pa.py_buffer(body), len(body))
        table.validate(full=True)
        with _collector_paused():
            return _ontology_of_columns({n: table.column(n)[0].values for n in table.schema.names})
    except (
        pa.ArrowException,
        OSError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        StopIteration,
    ) as error:
        raise DataError(
            f"{path.name!r} is no ontology index that fits together: {PREPARE_AGAIN_ADVICE}"
        ) from error


def _ontology_of_columns(columns: dict[str, pa.Array]) -> OntologyData:
    """Columns become tuples again, if they fit together."""
    fields = {name: _taken_values(columns, name, kind) for name, kind in OF_CLASSES.items()}
    if {len(value) for value in fields.values()} != {len(fields["iris"])}:
        raise ValueError("columns of several lengths")
    for name, of in POSITION_ARRAYS.items():
        positions = columns[name].to_numpy(zero_copy_only=False)
        least = NO_FILLER if name == "restriction_filler" else 0
        if len(positions) and not least <= positions.min() <= positions.max() < len(columns[of]):
            raise ValueError(f"positions of {name}")
    for attribute, (record, start, kinds) in OF_RECORDS.items():
        rows = [_taken_values(columns, start + name, kind) for name, kind in kinds.items()]
        fields[attribute] = tuple(map(record._make, zip(*rows, strict=True)))
    if not {one.kind for one in fields["properties"]} <= {*get_args(PropertyKind)}:
        raise ValueError("a property of no kind")
    name, iri, reasoner = _taken_values(columns, "head", "text")
    inferred = _taken_values(columns, "inferred", "numbers")
    if len(inferred) != (len(fields["iris"]) if reasoner else 0) or not all(
        set(one) <= set(ups) for one, ups in zip(inferred, fields["parents"], strict=False)
    ):
        raise ValueError("inferred superclasses")
    return OntologyData(
        name,
        iri,
        remarks=_taken_values(columns, "remarks", "text"),
        reasoner=reasoner,
        inferred=inferred,
        **fields,
    )


def _taken_values(columns: dict[str, pa.Array], name: str, kind: str) -> Any:
    """The values of a column."""
    from pyarrow import types

    column = columns[name]
    right = types.is_large_string if kind.startswith("text") else types.is_integer
    if column.null_count or not right(column.type):
        raise ValueError(f"values of {name}")
    if kind == "flag":
        return column.to_numpy().astype(bool)
    values = column.to_numpy(zero_copy_only=False).tolist()
    if kind in ("text", "number"):
        return tuple(values)
    ends = [0, *_taken_values(columns, name + ENDS_SUFFIX, "number")]
    pairs = list(pairwise(ends))
    if ends[-1] != len(values) or any(a > b for a, b in pairs):
        raise ValueError(f"ends of {name}")
    return tuple(tuple(values[a:b]) for a, b in pairs)


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Without a search for cycles: tuples of texts have none, and there are many."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _body_checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
