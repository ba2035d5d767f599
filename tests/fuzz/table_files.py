"""Small valid tables of each format in layers, each of which can be spoiled before the next is on
it, and what may be asked of them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from common import corpus
from fuzz.genotype_files import Made

N = 8
FRAME = pd.DataFrame(
    {
        "id": [f"s{i}" for i in range(N)],
        "class": list("uvuvuuvv"),
        "who": [f"P{i // 2}" for i in range(N)],
        "age": [30 + i for i in range(N)],
        "kind": ["red", "blue", "red", None, "blue", "red", "red", "blue"],
        "ok": ["TRUE", "FALSE"] * (N // 2),
        **{f"g{j}": np.round(np.sin(np.arange(N) + 7 * j), 4) for j in range(12)},
    }
)
FRAME.loc[3, "g1"] = np.nan
SHEET = "sample,class,age,who\n" + "".join(
    f"s{i},{FRAME['class'][i]},{20 + i},P{i // 2}\n" for i in reversed(range(N))
)


def text(sep: str = ",", ending: str = "csv", frame: pd.DataFrame = FRAME, **more: Any) -> Made:
    """A delimited table; an ending with .gz packs it."""
    body = frame.to_csv(sep=sep, index=False, **more).encode()
    return packed({"table_text": body}, ending)


def packed(layers: Mapping[str, bytes], ending: str) -> Made:
    """Layers whose first is the table, the others what lies beside it."""

    def assemble(own: Mapping[str, bytes]) -> dict[str, bytes]:
        table = own["table_text"]
        files = {f"stem.{ending}": gzip.compress(table, 1) if ending.endswith("gz") else table}
        return files | ({"sheet.csv": own["sheet_text"]} if "sheet_text" in own else {})

    return Made(f"stem.{ending}", layers, assemble)


def turned() -> bytes:
    """Features in rows."""
    genes = FRAME[[f"g{j}" for j in range(12)]]
    flipped = genes.T.set_axis(list(FRAME["id"]), axis=1).rename_axis("probe").reset_index()
    return flipped.to_csv(index=False).encode()


HEAD = b"""% a table
@relation 'a table'
@attribute class {u,v}
@attribute 'the age' numeric
@attribute kind { red, 'dark blue' }
@attribute g1 REAL
@attribute note string

@data
"""
DENSE = (
    b"u,31,red,1.5,a\nv,32,'dark blue',?,'it\\'s'\n% so\nu,33,red,-2e3,\"a\"\nv,?,red,1,'it\\'s'\n"
)
SPARSE = b"{0 v, 1 31, 3 1.5}\n{}\n{1 2,2 'dark blue'}\n{0 v,3 ?,4 'a, b'}\n"


def parquet(frame: pd.DataFrame, **how: Any) -> Made:
    """A Parquet file: its names, what pandas says of itself, and all of its bytes at last."""
    table = pa.Table.from_pandas(frame, **how)
    layers = {
        "names_text": "\n".join(table.schema.names).encode(),
        "pandas_text": (table.schema.metadata or {}).get(b"pandas", b"{}"),
    }

    def assemble(own: Mapping[str, bytes]) -> dict[str, bytes]:
        names = own["names_text"].decode("utf-8", "replace").split("\n")[: table.num_columns]
        names += table.schema.names[len(names) :]
        made = table.rename_columns(names).replace_schema_metadata({b"pandas": own["pandas_text"]})
        out = io.BytesIO()
        pq.write_table(made, out, row_group_size=5)
        return {"stem.parquet": out.getvalue()}

    return Made("stem.parquet", layers, assemble)


def spreadsheet() -> Made:
    """Excel's file: the cells of its sheet and the texts, of which it is packed again."""
    with zipfile.ZipFile(io.BytesIO(corpus.titled(FRAME))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    layers = {f"{name}_text": parts[name] for name in parts if name.startswith(SPOILED_PARTS)}

    def assemble(own: Mapping[str, bytes]) -> dict[str, bytes]:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, own.get(f"{name}_text", content))
        return {"stem.xlsx": out.getvalue()}

    return Made("stem.xlsx", layers, assemble)


def of_corpus(name: str) -> Made:
    """One of the files as people have them."""
    case = corpus.CASES[name]
    layers = {"table_text": next(iter(case.files.values()))}
    if "sheet.csv" in case.files:
        layers["sheet_text"] = case.files["sheet.csv"]
    return packed(layers, case.table.partition(".")[2])


SPOILED_PARTS = ("xl/worksheets", "xl/sharedStrings", "xl/workbook.xml")
DOORS = {
    "german": "German, Windows, title",
    "utf_16": "UTF-16",
    "remarks": "remarks",
    "series_matrix": "series matrix",
    "gct_12": "GCT 1.2",
    "gct_13": "GCT 1.3",
    "feature_counts": "featureCounts",
    "symbols": "genes with symbols",
    "plink_raw": "PLINK raw",
    "codes": "99 in a column",
    "limits": "half a limit",
    "units": "units, removed",
    "mean": "the mean of a name",
    "unlabelled": "a blank class, left out",
}
CODED = FRAME.astype({"kind": "category"}).assign(ok=FRAME["ok"] == "TRUE")
TABLES: dict[str, Made] = {
    "csv": text(),
    "csv_gz": text(ending="csv.gz"),
    "tsv": text("\t", "tsv"),
    "semicolon": text(";", "txt"),
    "blanks": text(" ", "txt", na_rep="NA"),
    "quoted": text(quoting=1),
    "messy": text(frame=FRAME.assign(id=[f'a "{i}"\nb, c' for i in range(N)])),
    "trailing": packed({"table_text": text().layers["table_text"].replace(b"\n", b",\n")}, "csv"),
    "sheet": packed(
        {
            "table_text": FRAME.drop(columns=["class", "who", "age"]).to_csv(index=False).encode(),
            "sheet_text": SHEET.encode(),
        },
        "csv",
    ),
    "turned": packed({"table_text": turned(), "sheet_text": SHEET.encode()}, "csv.gz"),
    "arff": packed({"table_text": HEAD + DENSE}, "arff"),
    "arff_sparse": packed({"table_text": HEAD + SPARSE}, "arff"),
    "arff_gz": packed({"table_text": HEAD + DENSE + SPARSE}, "arff.gz"),
    "parquet": parquet(CODED, preserve_index=False),
    "parquet_index": parquet(CODED.set_index("id")),
    "parquet_rows": parquet(FRAME.drop(columns="id").set_axis([f"r{i}" for i in range(N)])),
    "spreadsheet": spreadsheet(),
    **{name: of_corpus(case) for name, case in DOORS.items()},
}
HOW: dict[str, dict[str, Any]] = {
    **{name: dict(corpus.CASES[case].options) for name, case in DOORS.items()},
    "sheet": {"samples": "sheet.csv"},
    "turned": {"samples": "sheet.csv", "transpose": True},
}
ASKED: list[dict[str, Any]] = [
    {"group": "who"},
    {"split": "who"},
    {"batch": "kind"},
    {"id": "id"},
    {"positive": "u"},
    {"covariates": ["age", "kind"]},
    {"categorical": ["age", "g1"]},
    {"drop": ["*s*"]},
    {"drop": ["<empty>", "g*"]},
    {"transpose": True},
    {"separator": "tab"},
    {"target": "kind"},
    {"target_optional": True, "only": ["g1", "kind", "not there"]},
    {"target": None},
    {"decimal": ","},
    {"encoding": "utf-16"},
    {"encoding": "cp1252"},
    {"thousands": ","},
    {"missing": ["-9", "g1=1", "NA"]},
    {"limits": "half", "units": "remove"},
    {"duplicates": "mean"},
    {"duplicates": "first"},
    {"duplicates": "suffix"},
    {"drop_unlabelled": True},
    {"sheet": "1"},
]


def how_read(name: str, **more: Any) -> bytes:
    """Arguments of `read_table` for a table, as a file beside it."""
    return json.dumps({"target": "class", **HOW.get(name, {}), **more}).encode()
