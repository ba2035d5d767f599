"""What a file is, by its first bytes; and of what is not read here, the command that turns it into
something that is."""

from __future__ import annotations

import json
import re
import shlex

from ..._core.errors import DataError
from ..h5ad_child import BIOM_ADVICE

READABLE_FORMATS = "a spreadsheet, CSV, TSV or other delimited text, Parquet, ARFF, .h5ad or .h5mu"
_R = 'in R, write.csv(readRDS("FILE"), "table.csv") writes a table'
_PANDAS = (
    "in Python, `import pandas; pandas.{}('FILE'{}).to_parquet('table.parquet')` writes a table"
)
# by default pandas makes numbers and dates of text: '001' would be 1
_AS_WRITTEN = ", dtype=False, convert_dates=False, convert_axes=False"
# pandas reads a stored 0 of SAS as 5.4e-79 and ids as bytes, and needs pyreadstat for SPSS
_STATISTICS = (
    "in Python, `import pyreadstat; pyreadstat.{}('FILE'{})[0].to_csv('table.csv', index=False)` "
    "writes a table (pip install pyreadstat pandas)"
)
_LABELLED = ", apply_value_formats=True"
_DATASET_JSON = (  # of CDISC, version 1.1: one object, or a line of it and a line a row
    "in Python, `import json, pandas; d = json.load(open('FILE')); pandas.DataFrame(d['rows'], "
    "columns=[c['name'] for c in d['columns']]).to_csv('table.csv', index=False)` writes a table"
)
_DATASET_LINES = (
    "in Python, `import json, pandas; d, *rows = map(json.loads, open('FILE')); "
    "pandas.DataFrame(rows, columns=[c['name'] for c in d['columns']]).to_csv('table.csv', "
    "index=False)` writes a table"
)
_STATA = "a file of Stata"
FOREIGN_FORMATS: tuple[tuple[bytes, str, str], ...] = (
    (b"BZh", "packed by bzip2", "unpack it with `bunzip2 -k FILE`"),
    (b"\xfd7zXZ", "packed by xz", "unpack it with `xz -dk FILE`"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", "unpack it with `zstd -d FILE`"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it with `7z x FILE`"),
    (b"Rar!", "a RAR archive", "unpack it"),
    (b"RDX", "data of R", 'in R, load("FILE") and write.csv(...) write a table'),
    (b"X\n\0", "an object of R", _R),
    (b"A\n", "an object of R", _R),
    (b"$FL", "a file of SPSS", _STATISTICS.format("read_sav", _LABELLED)),
    (b"<stata_dta>", _STATA, _STATISTICS.format("read_dta", _LABELLED)),
    (b"HEADER RECORD*******LIB", "a file of SAS", _STATISTICS.format("read_xport", "")),
    (
        b"\0" * 12 + b"\xc2\xea\x81\x60",
        "a file of SAS",
        _STATISTICS.format("read_sas7bdat", ""),
    ),
    (b"ARROW1", "a Feather file", _PANDAS.format("read_feather", "")),
    (b"FEA1", "a Feather file", _PANDAS.format("read_feather", "")),
    (b"\x93NUMPY", "an array without names", "write it with names, as pandas does by to_parquet"),
    (b"MATLAB 5.0", "a file of MATLAB", "in MATLAB, writetable(T, 'table.csv') writes a table"),
    (b"SQLite format 3", "a database", "write a query's rows as CSV: `sqlite3 -header -csv`"),
    (b"%PDF", "a PDF", "ask for the table itself"),
    (
        b"\x6c\x1b",
        "genotypes of PLINK",
        "`tamis genome` reads it, if it is called NAME.bed beside NAME.bim and NAME.fam",
    ),
    (
        b"##fileformat=VCF",
        "genotypes as VCF",
        "`tamis genome` reads it, if it is called NAME.vcf or NAME.vcf.gz",
    ),
    (b"BAM\1", "aligned reads", "count them by gene, as featureCounts does"),
    (b"^SAMPLE", "a SOFT file of GEO", "`tamis expression geo FILE` makes a table of it"),
    (b"^DATABASE", "a SOFT file of GEO", "`tamis expression geo FILE` makes a table of it"),
    (b"^SERIES", "a SOFT file of GEO", "`tamis expression geo FILE` makes a table of it"),
    (
        b"%%MatrixMarket",
        "a sparse matrix without names",
        "in Python, scanpy.read_10x_mtx('FOLDER').write_h5ad('table.h5ad') brings them together",
    ),
)
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")  # of byte order


def file_kind(head: bytes, name: str, encoded: bool = False) -> str | None:
    """The name of a format; None for delimited text, and ``utf-16-le`` for text of that encoding
    without a mark. `encoded`: the encoding of text is known.

    Raises
    ------
    DataError
        It is of another format: which, and what turns it into one that is read.
    """
    for start, what, advice in FOREIGN_FORMATS:
        if head.startswith(start):
            raise DataError(f"{name!r} is {what}: {_of_file(advice, name)}")
    if re.match(rb"[\x69-\x73][\x01\x02]\x01\0", head):  # before version 13
        advice = _STATISTICS.format("read_dta", _LABELLED)
        raise DataError(f"{name!r} is {_STATA}: {_of_file(advice, name)}")
    if head.startswith(b"PAR1"):
        return "parquet"
    if any(head.startswith(b"\x89HDF\r\n", at) for at in (0, 512, 1024, 2048)):
        return "h5ad"  # the first bytes may be the user's: an .h5mu has a line of text there
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return "spreadsheet"
    if encoded and b"\0" in head[:64]:
        return None
    if head[:64].count(b"\0") > 8 and not head.startswith(BYTE_ORDER_MARKS):
        even, odd = (head[k:64:2].count(b"\0") for k in (0, 1))
        if even and odd:
            raise DataError(f"{name!r} is of an unknown format; supported are {READABLE_FORMATS}")
        return "utf-16-be" if even else "utf-16-le"
    if web := re.match(rb"(\xef\xbb\xbf)?\s*<(!doctype |html|\?xml|error)", head, re.IGNORECASE):
        what = "XML" if web[2].lower() in (b"?xml", b"error") else "a web page"
        raise DataError(f"{name!r} is {what}, perhaps of an error while it was downloaded")
    if re.match(rb'\s*(\{\s*"|\[\s*[{\[])', head):
        if re.search(rb'"datasetJSONVersion"', head):
            first, newline, _ = head.partition(b"\n")  # perhaps longer than what is there
            lines = (first.rstrip().endswith(b"}") and newline) or name.endswith(".ndjson")
            advice = _of_file(_DATASET_LINES if lines else _DATASET_JSON, name)
            raise DataError(f"{name!r} is Dataset-JSON of CDISC: {advice}")
        if re.search(rb'"format"\s*:\s*"Biological Observation Matrix', head):
            raise DataError(f"{name!r} is a BIOM file: {_of_file(BIOM_ADVICE, name)}")
        advice = _of_file(_PANDAS.format("read_json", _AS_WRITTEN), name)
        raise DataError(f"{name!r} is JSON: {advice} if it holds one")
    text = re.sub(rb"(?m)^\s*(%.*)?\r?\n", b"", head.removeprefix(b"\xef\xbb\xbf"))
    comments_only = head.lstrip().startswith(b"%") and text[:1] in (b"", b"%")
    if comments_only or re.match(rb"\s*@(relation|attribute)\b", text, re.IGNORECASE):
        return "arff"  # comments longer than what was looked at: only ARFF opens so
    return None


def _of_file(advice: str, name: str) -> str:
    """With the name as Python, R or a shell has to have it."""
    written = {"'": repr(name), '"': json.dumps(name), "": shlex.quote(name)}
    return re.sub(r"""(['"]?)FILE\1""", lambda match: written[match[1]], advice)
