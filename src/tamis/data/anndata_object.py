"""An AnnData object as a table: `obs` is the sample sheet, `X` or a layer the features."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._core.errors import DataError, listed_names
from .frame import read_frame, sheet_of
from .h5ad import add_remarks
from .h5ad_child import MAX_LISTED_LAYERS, symbols_of
from .memory import check_room
from .names import SYMBOL_HEADER_PATTERN
from .raw import ROW_NAMES, Raw, Wanted
from .reading import Reading

if TYPE_CHECKING:
    import pandas as pd


def samples_of(table: Any, where: str) -> pd.DataFrame:
    """What it holds of its samples: `obs`.

    Raises
    ------
    DataError
        It is a MuData object, which has several tables.
    """
    if hasattr(table, "mod"):
        raise DataError(
            f"{where!r} has several tables ({listed_names(table.mod)}): give one of them, such as "
            f"data.mod[{next(iter(table.mod))!r}], or write it as .h5mu and read that"
        )
    return table.obs


def read_anndata(table: Any, obs: pd.DataFrame, wanted: Wanted, how: Reading, where: str) -> Raw:
    """The table as its .h5ad is read, with `obs` for its own."""
    layers = [*table.layers, *(["raw"] if table.raw is not None else [])]
    if how.layer is None and table.X is None:
        has = (
            f", but layers ({listed_names(layers)}): layer={layers[0]!r} reads one"
            if layers
            else ""
        )
        raise DataError(f"{where!r} has no matrix X{has}")
    if how.layer is not None and how.layer not in layers:
        has = listed_names(layers) if layers else "X alone"
        raise DataError(f"{where!r} has no layer {how.layer!r}; it has {has}")
    from_raw = how.layer == "raw" and "raw" not in table.layers
    if from_raw and getattr(table, "isbacked", False):
        raise DataError(
            f"{where!r} is on the disk, where raw cannot be read: give data.to_memory()"
        )
    shown = table.raw.to_adata() if from_raw else table
    check_room(16.0 * shown.n_obs * shown.n_vars, where, "as a matrix that is not sparse")
    features = shown.to_df(None if from_raw else how.layer)
    raw = read_frame(features, replace(wanted, text=frozenset()), how, where)
    raw.text = {ROW_NAMES: raw.text.pop(str(raw.index)), **raw.text}
    raw.index = ROW_NAMES
    raw.sheet, typed = sheet_of(obs)
    raw.typed |= typed
    symbols = symbols_of(shown.var, SYMBOL_HEADER_PATTERN.pattern)
    add_remarks(raw, raw.header, [] if how.layer else layers[:MAX_LISTED_LAYERS], symbols, where)
    return raw
