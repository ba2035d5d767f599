"""Tables and lists as files that PLINK's users can join."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ..._core.arrow import arrow_numbers, arrow_texts, numbers_of
from ..._core.fields import plain_field
from ..._core.files import atomic_file, write_text
from ..readers.variants import Variants

if TYPE_CHECKING:
    import pandas as pd

UNSAFE_FIELD_PATTERN = "^'*[=+\\-@＝＋－＠]|\""  # of texts that may be no plain fields


def write_table(
    table: pa.Table | pd.DataFrame, path: str | os.PathLike[str], to_plink: bool = False
) -> None:
    """Tab-separated, nothing quoted, as PLINK reads and writes; a quote in a name becomes an
    apostrophe, and a name that a spreadsheet would compute gets one before it, but for a file that
    goes to PLINK. Arrow writes a million rows in about a second."""
    if not isinstance(table, pa.Table):
        table = pa.Table.from_pandas(table, preserve_index=False)
    for name, kind in zip(table.column_names, table.schema.types, strict=True):
        if pa.types.is_dictionary(kind):
            table = table.set_column(
                table.column_names.index(name), name, table[name].cast(kind.value_type)
            )
    for place, (name, kind) in enumerate(zip(table.column_names, table.schema.types, strict=True)):
        if (
            pa.types.is_string(kind)
            and pc.any(pc.match_substring_regex(table[name], UNSAFE_FIELD_PATTERN)).as_py()
        ):
            plain = pc.replace_substring(table[name], '"', "'")
            if not to_plink:
                plain = pa.array(
                    [t if t is None else plain_field(t) for t in plain.to_pylist()], kind
                )
            table = table.set_column(place, name, plain)
    with atomic_file(path) as file:
        file.write(("\t".join(map(_one_line_name, table.column_names)) + "\n").encode())
        csv.write_csv(
            table,
            file,
            csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none"),
        )


def _one_line_name(name: str) -> str:
    """A name without what would break a line of the table."""
    return " ".join(str(name).split())


def write_ids(variants: Variants, kept: np.ndarray, path: str | os.PathLike[str]) -> int:
    """Ids of the variants kept, a line each, as PLINK's --extract takes them.

    Returns
    -------
    int
        How many are kept and not in the list, for it names ids: theirs are those of a variant that
        is not kept too, or none.
    """
    gone = pc.is_in(variants.id, value_set=variants.id.filter(arrow_numbers(~kept)))
    shared = (numbers_of(gone) | numbers_of(pc.equal(variants.id, arrow_texts(["."])[0]))) & kept
    ids = variants.id.filter(arrow_numbers(kept & ~shared)).to_pylist()
    write_text(path, "\n".join([*ids, ""]))
    return int(shared.sum())
