"""A table of samples as a file that `read_table` reads again: Parquet, CSV, TSV or h5ad."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from .._core.errors import PlanError, listed_names, require_library
from .._core.fields import plain_frame
from .._core.files import atomic_file

if TYPE_CHECKING:
    import pandas as pd

MADE_BY = b"tamis"  # key of a Parquet file's metadata: what wrote it


def check_written(path: Path) -> None:
    """That the name of a file says a format which can be written, before anything is computed."""
    if table_ending(path) == "":
        raise PlanError(
            f"{str(path)!r}: a table is written as {listed_names(TABLE_WRITERS, 9)}; name it so"
        )
    if table_ending(path) == ".h5ad":
        require_library("anndata", "h5ad", f"writing {path.name!r}")


def write_values(frame: pd.DataFrame, path: Path, what: str) -> None:
    """Write a frame whose index holds the names of the samples, which become the first column.

    Parameters
    ----------
    frame : DataFrame of shape (n_samples, n_features)
    path : Path
        Its ending says the format.
    what : str
        What made it; a Parquet file keeps it, so that the same command may write it again.

    Raises
    ------
    PlanError
        There is no such format.
    StoreError
        It cannot be written; what was there is as it was.
    """
    check_written(path)
    with atomic_file(path) as file:
        TABLE_WRITERS[table_ending(path)](frame, file, what)


def is_written_for(what: str) -> Callable[[Path], bool]:
    """Whether a file is a Parquet table that `write_values` wrote for this."""

    def is_ours(path: Path) -> bool:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return (pq.read_schema(path).metadata or {}).get(MADE_BY) == what.encode()
        except (OSError, pa.ArrowException):
            return False

    return is_ours


def table_ending(path: Path) -> str:
    """The ending of a name that says a format which can be written; else nothing."""
    return next((end for end in TABLE_WRITERS if path.name.lower().endswith(end)), "")


def _write_parquet(frame: pd.DataFrame, file: IO[bytes], what: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [str(frame.index.name or "sample"), *map(str, frame.columns)]
    columns = [pa.array(frame.index.astype(str))]
    columns += [pa.array(frame.iloc[:, j]) for j in range(frame.shape[1])]
    table = pa.Table.from_arrays(columns, names).replace_schema_metadata({MADE_BY: what.encode()})
    pq.write_table(table, file, compression="zstd", write_statistics=False)


def _text_writer(delimiter: str, packed: bool) -> Callable[[pd.DataFrame, IO[bytes], str], None]:
    def write_delimited(frame: pd.DataFrame, file: IO[bytes], what: str) -> None:
        index = frame.index.name or "sample"
        plain = plain_frame(frame.rename_axis(index=str(index)).reset_index())
        with gzip.GzipFile("", "wb", 6, file, mtime=0) if packed else nullcontext(file) as out:
            plain.to_csv(out, sep=delimiter, index=False, lineterminator="\n")

    return write_delimited


def _write_h5ad(frame: pd.DataFrame, file: IO[bytes], what: str) -> None:
    import anndata
    import pandas as pd

    index = pd.Index(frame.index.astype(str), name=frame.index.name or "sample")
    numbers = frame.select_dtypes("number")
    sheet = frame.select_dtypes(exclude="number").set_axis(index, axis=0)  # classes and the like
    table = anndata.AnnData(
        numbers.to_numpy(), obs=sheet, var=pd.DataFrame(index=numbers.columns.astype(str))
    )
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "t.h5ad"
        table.write_h5ad(made)
        with open(made, "rb") as source:
            shutil.copyfileobj(source, file)


TABLE_WRITERS: dict[str, Callable[[pd.DataFrame, IO[bytes], str], None]] = {
    ".parquet": _write_parquet,
    ".csv": _text_writer(",", False),
    ".tsv": _text_writer("\t", False),
    ".csv.gz": _text_writer(",", True),
    ".tsv.gz": _text_writer("\t", True),
    ".h5ad": _write_h5ad,
}
