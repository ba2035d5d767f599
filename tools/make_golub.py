"""Turn the TSV of make_golub.R into the bundled Parquet file (genes in rows, zstd)."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

OUT = Path(__file__).parents[1] / "src" / "tamis" / "data" / "bundled" / "golub.parquet"


def main(source: str) -> None:
    """Five decimals need float64; a dictionary of the values compresses best."""
    options = csv.ParseOptions(delimiter="\t", quote_char=False)
    convert = csv.ConvertOptions(strings_can_be_null=False)
    table = csv.read_csv(source, parse_options=options, convert_options=convert)
    assert table.shape == (3051, 40), table.shape
    numbers = table.column_names[2:]
    assert all(table.schema.field(name).type == pa.float64() for name in numbers)
    pq.write_table(table, OUT, compression="zstd", compression_level=19, use_dictionary=True)
    print(OUT, OUT.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1])
