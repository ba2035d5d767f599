"""Parquet to a C-ordered matrix, by blocks of columns, without a data frame in between."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._core.errors import DataError
from . import memory
from .dataset import check_unique
from .names import names_samples
from .raw import ROW_NAMES, Raw, Text, Wanted

BLOCK = 4096  # columns decoded at once


def read_parquet(path: Path, wanted: Wanted) -> Raw:
    """Read a Parquet file; text columns stay text, dictionary columns are categorical."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, memory_map=True)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(
            f"{path.name!r} is not a readable Parquet file: {_short_reason(error)}"
        ) from error
    with file:
        schema, n = file.schema_arrow, file.metadata.num_rows
        names = list(schema.names)
        check_unique(names, f"column names in {path.name!r}")
        if not n:
            raise DataError(f"{path.name!r} has columns but no rows; add the samples")
        index = _index_column(schema, names)
        dropped = set() if wanted.all_text else wanted.dropped(names, path.name)
        special = wanted.text | wanted.categorical | dropped | set(wanted.reserve)
        text_type = {name for name in names if _is_text(schema.field(name).type)}
        maybe = None
        if names[0] in text_type and names[0] not in special and index is None:
            maybe = names[0]
        outside = set(names) if wanted.all_text else set(wanted.text) | {index, maybe}
        outside &= set(names)
        keep = [c for c in names if c not in outside and c not in dropped]
        reserve = [c for c in wanted.reserve if c not in set(names)]
        as_text = {c for c in names if c in text_type or c in outside or c in wanted.categorical}
        read = [c for c in names if c not in dropped]
        _refuse_types(schema, [c for c in read if c not in text_type], path.name)

        width = len(keep) + len(reserve)
        memory.check_memory(8.0 * n * width, path, f"{n:,} rows x {width:,} columns")
        X = np.full((n, width), np.nan) if as_text or reserve else np.empty((n, width))
        place = {c: k for k, c in enumerate(keep)}
        text: dict[str, Text] = {}
        for start in range(0, len(read), BLOCK):
            some = read[start : start + BLOCK]
            try:
                table = file.read(columns=some)
            except (pa.ArrowInvalid, OSError) as error:
                raise DataError(f"{path.name!r} is damaged: {_short_reason(error)}") from error
            found = {c: k for k, c in enumerate(table.column_names)}
            numeric = [c for c in some if c not in as_text]
            for c in some:
                if c in as_text:
                    text[c] = _column_text(table.column(found[c]))
            _fill_columns(X, [(place[c], table.column(found[c])) for c in numeric])
        wished = [] if wanted.only is not None else names
        like_ids = [c for c in wished if c in dropped and (c in text_type or names_samples(c))]
        like_ids = [c for c in like_ids if not pa.types.is_nested(schema.field(c).type)]
        table = file.read(columns=like_ids)
        aside = {c: _column_text(table.column(c)) for c in like_ids}
    dictionary = pa.types.is_dictionary
    coded = [c for c in text if c not in outside and dictionary(schema.field(c).type)]
    levels = {c: tuple(text[c].distinct()) for c in coded}
    if index is not None and (index.startswith("__index_level") or not index):
        text[ROW_NAMES] = text.pop(index)
        index = ROW_NAMES
    columns = [*keep, *reserve]
    return Raw(columns, X, text, names, index, maybe, levels, typed=text_type, aside=aside)


def _fill_columns(X: np.ndarray, columns: list) -> None:
    """Columns into their places: through a small block, so that X is written in runs."""
    import pyarrow as pa

    block = np.empty((256, len(X)))
    for start in range(0, len(columns), len(block)):
        some = columns[start : start + len(block)]
        for k, (_, column) in enumerate(some):
            if not pa.types.is_floating(column.type) and not pa.types.is_integer(column.type):
                column = column.cast(pa.float64())  # booleans, decimals, nulls
            block[k] = column.to_numpy()
        places = [place for place, _ in some]
        if places[-1] - places[0] == len(places) - 1:
            X[:, places[0] : places[-1] + 1] = block[: len(some)].T
        else:
            X[:, places] = block[: len(some)].T


def _column_text(column) -> Text:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_boolean(column.type):
        return Text.of(None if v is None else str(v) for v in column.to_pylist())
    return Text.of(None if v is None or v != v else str(v) for v in column.to_pylist())


def _index_column(schema, names: list[str]) -> str | None:
    """The column that pandas wrote as its index, or an unnamed first column."""
    metadata = schema.pandas_metadata or {}
    for column in metadata.get("index_columns", []):
        if isinstance(column, str) and column in names:
            return column
    return names[0] if names[0] in ("", "Unnamed: 0") else None


def _is_text(kind) -> bool:
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return types.is_string(kind) or types.is_large_string(kind)


def _refuse_types(schema, names: list[str], where: str) -> None:
    import pyarrow.types as types

    fine = (types.is_integer, types.is_floating, types.is_boolean, types.is_null, types.is_decimal)
    for name in names:
        kind = schema.field(name).type
        if not any(test(kind) for test in fine):
            raise DataError(
                f"{where!r}: column {name!r} has the type {kind}, which is neither number nor "
                f"text; convert it, or leave it out with drop=[{name!r}]"
            )


def _short_reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120]


def read_flipped(path: Path, wanted: Wanted) -> Raw:
    """A Parquet table with features in rows: names in the first text column or the index."""
    raw = read_parquet(path, Wanted())
    key = raw.index or raw.maybe_index
    if key is None or len(raw.text) > 1:
        extra = [c for c in raw.text if c != key]
        raise DataError(
            f"{path.name!r}: with transpose=True a Parquet table has one column of feature "
            f"names and numeric sample columns; text is also in {extra[:3]}"
        )
    names = [str(v) for v in raw.text[key].labels]
    check_unique(names, f"feature names in column {key!r} of {path.name!r}")
    dropped = wanted.dropped(names, path.name)
    asked = wanted.text | wanted.categorical
    text = {
        name: Text.of(None if v != v else repr(float(v)) for v in raw.X[k])
        for k, name in enumerate(names)
        if name in asked and name not in dropped
    }
    keep = [k for k, name in enumerate(names) if name not in wanted.text and name not in dropped]
    reserve = [c for c in wanted.reserve if c not in set(names)]
    memory.check_memory(8.0 * raw.X.size, path, "turning it over")
    X = np.full((raw.X.shape[1], len(keep) + len(reserve)), np.nan)
    X[:, : len(keep)] = raw.X[keep].T
    text[ROW_NAMES] = Text(np.arange(len(X), dtype=np.int32), raw.columns)
    return Raw([*(names[k] for k in keep), *reserve], X, text, names, ROW_NAMES)
