"""A prepared index: an `Ontology` as one file that opens at once.

The file is a line that names it and its version, a line with a checksum of the rest, and an Arrow
stream of one row: every attribute is a column that holds a list. Tuples inside (synonyms, parents)
lie one after the other in such a list, and a second column says where each ends.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np

from .._core.errors import DataError
from .._core.files import write_bytes
from .ontology import ALONE, Individual, Ontology, Property, PropertyKind, Restriction

MARK = b"TAMIS ontology index "
VERSION = b"1"
TEXTS = ("iris", "labels", "local_names", "definitions", "remarks")
RAGGED_TEXTS = ("synonyms", "related")
ENDS = "_ends"
NUMBERS = (ENDS, "labelled", "obsolete", "parents", "_domains", "_ranges", "_types", "_owner",
           "_property", "_filler")  # fmt: skip
KINDS = get_args(PropertyKind)
AGAIN = "prepare it again with `tamis ontology index`"


def write_index(ontology: Ontology, path: str | os.PathLike[str]) -> None:
    """Write an ontology as an index, atomically."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in TEXTS:
        columns[name] = _texts(getattr(ontology, name))
    columns["head"] = _texts((ontology.name, ontology.iri))
    for name in RAGGED_TEXTS:
        columns[name], columns[name + ENDS] = _ragged(getattr(ontology, name), _texts)
    columns["parents"], columns["parents" + ENDS] = _ragged(ontology.parents, _numbers)
    columns["labelled"] = pa.array(ontology.labelled.astype(np.uint8))
    columns["obsolete"] = pa.array(ontology.obsolete.astype(np.uint8))
    properties, individuals = ontology.properties, ontology.individuals
    for field in ("iri", "label", "kind"):
        columns[f"property_{field}"] = _texts(getattr(one, field) for one in properties)
    for field in ("domains", "ranges", "datatypes"):
        values = [getattr(one, field) for one in properties]
        name = f"property_{field}"
        kind = _texts if field == "datatypes" else _numbers
        columns[name], columns[name + ENDS] = _ragged(values, kind)
    for field in ("name", "label"):
        columns[f"individual_{field}"] = _texts(getattr(one, field) for one in individuals)
    name = "individual_types"
    columns[name], columns[name + ENDS] = _ragged([one.types for one in individuals], _numbers)
    for field in ("owner", "property", "filler"):
        values = [getattr(one, field) for one in ontology.restrictions]
        columns[f"restriction_{field}"] = _numbers(values)
    arrays = [pa.LargeListArray.from_arrays([0, len(one)], one) for one in columns.values()]
    batch = pa.record_batch(arrays, names=list(columns))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    body = sink.getvalue().to_pybytes()
    write_bytes(path, MARK + VERSION + b"\n" + _checksum(body) + b"\n" + body)


def is_index(path: Path) -> bool:
    """Whether a file begins as an index does."""
    with open(path, "rb") as file:
        return file.read(len(MARK)) == MARK


def read_index(path: Path) -> Ontology:
    """The ontology that an index holds.

    Raises
    ------
    DataError
        The index is damaged, or of another version.
    """
    import pyarrow as pa

    first, _, rest = path.read_bytes().partition(b"\n")
    if (version := first.removeprefix(MARK)) != VERSION:
        raise DataError(
            f"{path.name!r} is an ontology index of version {version[:20].decode('latin-1')!r}, "
            f"and {VERSION.decode()} is read: {AGAIN}"
        )
    checksum, _, body = rest.partition(b"\n")
    if checksum != _checksum(body):
        raise DataError(f"{path.name!r} is a damaged ontology index: {AGAIN}")
    try:
        batch = pa.ipc.open_stream(body).read_next_batch()
        batch.validate(full=True)
        with _uncollected():
            return _Columns({n: batch.column(n)[0].values for n in batch.schema.names}).ontology()
    except (pa.ArrowException, OSError, LookupError, ValueError, TypeError, AttributeError,
            StopIteration) as error:  # fmt: skip
        raise DataError(
            f"{path.name!r} is no ontology index that fits together: {AGAIN}"
        ) from error


class _Columns:
    """What an index holds, and how it becomes tuples again."""

    def __init__(self, columns: dict[str, Any]) -> None:
        from pyarrow import types

        for name, column in columns.items():
            right = types.is_integer if name.endswith(NUMBERS) else types.is_large_string
            if column.null_count or not right(column.type):
                raise ValueError(f"values of {name}")
        self.columns = columns

    def ontology(self) -> Ontology:
        texts = {name: tuple(self._list(name)) for name in TEXTS}
        n = len(texts["iris"])
        name, iri = self._list("head")
        labelled, obsolete = (self._array(key).astype(bool) for key in ("labelled", "obsolete"))
        ragged: dict[str, Any] = {key: self._tuples(key) for key in (*RAGGED_TEXTS, "parents")}
        self._require_below("parents", n)
        lengths = {*map(len, ragged.values()), len(labelled), len(obsolete)}
        lengths |= {len(value) for key, value in texts.items() if key != "remarks"}
        if lengths != {n}:
            raise ValueError("columns of several lengths")
        properties = self._properties(n)
        return Ontology(
            name=name, iri=iri, labelled=labelled, obsolete=obsolete, properties=properties,
            individuals=self._individuals(n), restrictions=self._restrictions(n, len(properties)),
            **texts, **ragged,
        )  # fmt: skip

    def _properties(self, n: int) -> tuple[Property, ...]:
        for field in ("domains", "ranges"):
            self._require_below(f"property_{field}", n)
        kinds = self._list("property_kind")
        if not {*kinds} <= {*KINDS}:
            raise ValueError("a property of no kind")
        fields = [self._tuples(f"property_{field}") for field in ("domains", "ranges", "datatypes")]
        iris, labels = self._list("property_iri"), self._list("property_label")
        return tuple(map(Property._make, _even(iris, labels, kinds, *fields)))

    def _individuals(self, n: int) -> tuple[Individual, ...]:
        self._require_below("individual_types", n)
        names, labels = self._list("individual_name"), self._list("individual_label")
        return tuple(map(Individual._make, _even(names, labels, self._tuples("individual_types"))))

    def _restrictions(self, n: int, n_properties: int) -> tuple[Restriction, ...]:
        for field, most in (("owner", n), ("property", n_properties), ("filler", n)):
            self._require_below(f"restriction_{field}", most, ALONE if field == "filler" else 0)
        fields = ("owner", "property", "filler")
        return tuple(
            map(Restriction._make, _even(*(self._list(f"restriction_{f}") for f in fields)))
        )

    def _array(self, name: str) -> np.ndarray:
        return self.columns[name].to_numpy(zero_copy_only=False)

    def _list(self, name: str) -> list[Any]:
        return self._array(name).tolist()

    def _tuples(self, name: str) -> tuple[tuple[Any, ...], ...]:
        """Values between the ends of their tuples."""
        values, ends = self._list(name), self._array(name + ENDS)
        starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
        if (ends < starts).any() or (ends[-1] if len(ends) else 0) != len(values):
            raise ValueError(f"ends of {name}")
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        return tuple(tuple(values[a:b]) if a < b else () for a, b in pairs)

    def _require_below(self, name: str, most: int, least: int = 0) -> None:
        """Positions that there are."""
        positions = self._array(name)
        if len(positions) and not (least <= positions.min() and positions.max() < most):
            raise ValueError(f"positions of {name}")


def _even(*columns: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Rows of columns, if these have one length."""
    return zip(*columns, strict=True)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Without a search for cycles: tuples of texts have none, and there are many."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _texts(values: Iterable[str]) -> Any:
    import pyarrow as pa

    return pa.array(list(values), type=pa.large_string())


def _numbers(values: Iterable[int]) -> Any:
    import pyarrow as pa

    return pa.array(np.fromiter(values, dtype=np.int32))


def _ragged(values: Sequence[Sequence[Any]], kind: Any) -> tuple[Any, Any]:
    """All values one after the other, and where each tuple ends."""
    import pyarrow as pa

    ends = np.cumsum([len(one) for one in values], dtype=np.int64)
    return kind(x for one in values for x in one), pa.array(ends)


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
