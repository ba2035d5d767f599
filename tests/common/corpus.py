"""Files as people have them, small: each is one of three tables in a shape of its own."""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

N = 12
IDS = [f"S{i + 1:02d}" for i in range(N)]
LABELS = ["ill" if i % 3 else "well" for i in range(N)]
GENES = ["TP53", "EGFR", "BRCA1", "MYC", "KRAS"]
RNG = np.random.default_rng(43)
VALUES = pd.DataFrame(RNG.normal(7, 3, (N, 5)).round(2), IDS, GENES)
COUNTS = pd.DataFrame(
    RNG.integers(0, 900, (N, 4)), IDS, [f"ENSG0000000000{k}.{k}" for k in range(1, 5)]
)
DOSES = pd.DataFrame(RNG.integers(0, 3, (N, 3)).astype(float), IDS, ["rs1_A", "rs2_C", "1:77_G"])
DOSES.iloc[4, 1] = np.nan


@dataclass(frozen=True)
class Case:
    """Files, which of them is read and how; and what it is, or what is answered."""

    files: Mapping[str, bytes | Callable[[], bytes]]
    options: Mapping[str, Any] = field(default_factory=dict)
    says: str = ""  # of a file that is not read
    base: str = "values"

    @property
    def table(self) -> str:
        return next(iter(self.files)).partition("/")[0]


def plain(values: pd.DataFrame, target: str = "class") -> pd.DataFrame:
    """The table of ids, class and values."""
    found = values.rename_axis("sample").reset_index()
    found.insert(1, target, LABELS)
    return found


FRAME = plain(VALUES)
SHEET = FRAME[["sample", "class"]].iloc[::-1].to_csv(index=False).encode()
BESIDE = {"sheet.csv": SHEET}
JOINED = {"samples": "sheet.csv", "target": "class"}
BASES = {"values": FRAME, "counts": plain(COUNTS), "doses": plain(DOSES)}


def csv(frame: pd.DataFrame = FRAME, **how: Any) -> str:
    return frame.to_csv(index=False, **how)


def text(content: str | bytes, encoding: str = "utf-8", name: str = "t.csv", **more: Any) -> Case:
    """One file of text, which has the class inside."""
    raw = content if isinstance(content, bytes) else content.encode(encoding)
    options = {"target": "class", **more.pop("options", {})}
    return Case({name: raw}, options, **more)


def turned(values: pd.DataFrame = VALUES, **how: Any) -> str:
    """Features in rows."""
    return values.T.rename_axis("gene").reset_index().to_csv(index=False, **how)


def described(values: pd.DataFrame) -> pd.DataFrame:
    """Features in rows with their symbols beside."""
    found = values.T.rename_axis("gene_id").reset_index()
    found.insert(1, "gene_name", [f"SYM{k}" for k in range(len(found))])
    return found


def german(frame: pd.DataFrame = FRAME, separator: str = ";") -> str:
    return csv(frame, sep=separator, decimal=",")


def series_matrix(values: pd.DataFrame = VALUES, table: bool = True) -> str:
    """As GEO writes it; two characteristics, whose lines are not in one order for all."""
    accessions = [f"GSM{k}" for k in range(N)]
    names = "\t".join(f'"{a}"' for a in accessions)
    sex = ["f" if k % 2 else "m" for k in range(N)]
    first = [f"class: {LABELS[k]}" if k % 4 else f"sex: {sex[k]}" for k in range(N)]
    second = [f"sex: {sex[k]}" if k % 4 else f"class: {LABELS[k]}" for k in range(N)]
    lines = [
        '!Series_title\t"Something ""quoted"" here"',
        '!Series_geo_accession\t"GSE1"',
        "",
        "!Sample_title\t" + "\t".join(f'"{s}"' for s in IDS),
        f"!Sample_geo_accession\t{names}",
        "!Sample_characteristics_ch1\t" + "\t".join(f'"{c}"' for c in first),
        "!Sample_characteristics_ch1\t" + "\t".join(f'"{c}"' for c in second),
        "!series_matrix_table_begin",
    ]
    if table:
        lines.append(f'"ID_REF"\t{names}')
        lines += ["\t".join([f'"{g}"', *map(str, values[g])]) for g in values.columns]
    return "\n".join([*lines, "!series_matrix_table_end"]) + "\n"


def gct(version: str) -> str:
    own = {"1.2": ["Description"], "1.3": ["pr_gene_symbol", "chr"]}[version]
    about = {"1.2": "", "1.3": f"\t{len(own)}\t2"}[version]
    lines = [f"#{version}", f"{len(GENES)}\t{N}{about}", "\t".join(["Name", *own, *IDS])]
    if version == "1.3":
        lines.append("\t".join(["class", *["na"] * len(own), *LABELS]))
        lines.append("\t".join(["age", *["na"] * len(own), *map(str, range(30, 30 + N))]))
    lines += ["\t".join([g, *[f"{g} {k}" for k in own], *map(str, VALUES[g])]) for g in GENES]
    return "\n".join(lines) + "\n"


def feature_counts() -> str:
    files = [f"/data/run 1/{s}.sorted.bam" for s in IDS]
    head = "\t".join(["Geneid", "Chr", "Start", "End", "Strand", "Length", *files])
    rows = [
        "\t".join([g, "chr1;chr1", "1;9", "5;20", "+;+", "15", *map(str, COUNTS[g])])
        for g in COUNTS.columns
    ]
    return "\n".join(["# Program:featureCounts v2.0.3; Command:...", head, *rows]) + "\n"


def of_one(maker: str, sample: str) -> str:
    """Counts of a sample as a program writes them."""
    counts = COUNTS.loc[sample]
    heads = {
        "salmon": "Name\tLength\tEffectiveLength\tTPM\tNumReads\n",
        "kallisto": "target_id\tlength\teff_length\test_counts\ttpm\n",
        "RSEM": "gene_id\ttranscript_id(s)\tlength\teffective_length\texpected_count\tTPM\tFPKM\n",
        "STAR": "N_unmapped\t5\t5\t5\nN_multimapping\t1\t1\t1\nN_noFeature\t2\t2\t2\n"
        "N_ambiguous\t0\t0\t0\n",
        "HTSeq": "",
    }
    rows = {
        "salmon": "{}\t100\t80.5\t3.25\t{}\n",
        "kallisto": "{}\t100\t80.5\t{}\t3.25\n",
        "RSEM": "{}\tt1,t2\t100\t80\t{}\t1.5\t2.5\n",
        "STAR": "{}\t{}\t0\t0\n",
        "HTSeq": "{}\t{}\n",
    }
    end = "__no_feature\t7\n__ambiguous\t3\n" if maker == "HTSeq" else ""
    return heads[maker] + "".join(rows[maker].format(g, n) for g, n in counts.items()) + end


def folder(maker: str, name: str) -> Case:
    """A file for each sample."""
    files = {f"counts/{name.format(s)}": of_one(maker, s).encode() for s in IDS}
    files["counts/log.txt"] = b"all went well\n"
    return Case({**files, **BESIDE}, JOINED, base="counts")


def plink_raw(separator: str) -> str:
    """The class is PHENOTYPE: 1 and 2."""
    head = ["FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE", *DOSES.columns]
    rows = [
        [
            f"F{k // 2}",
            s,
            "0",
            "0",
            "0" if k == 3 else str(1 + k % 2),
            LABELS[k],
            *("NA" if v != v else f"{v:.0f}" for v in DOSES.iloc[k]),
        ]
        for k, s in enumerate(IDS)
    ]
    return "\n".join(separator.join(row) for row in [head, *rows]) + "\n"


def sheets(engine: str, frames: Mapping[str, pd.DataFrame], top: int = 0) -> Callable[[], bytes]:
    """What makes a workbook; tables begin below so many empty rows."""

    def make() -> bytes:
        out = io.BytesIO()
        with pd.ExcelWriter(out, engine=engine) as book:
            for name, frame in frames.items():
                frame.to_excel(book, sheet_name=name, index=False, startrow=top)
        return out.getvalue()

    return make


def titled(frame: pd.DataFrame = FRAME) -> bytes:
    """A sheet with a title, an empty row, a note and then the table."""
    import openpyxl

    book = openpyxl.Workbook()
    page = book.active
    page.append(["Table S1. Patients of the cohort"])
    page.append([])
    page.append(["values are log2 intensities"])
    page.append(list(frame.columns))
    for row in frame.itertuples(index=False):
        page.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, content)
    return out.getvalue()


def with_column(name: str, values: Any, at: int = 2) -> pd.DataFrame:
    found = FRAME.copy()
    found.insert(at, name, values)
    return found


def put(column: str, row: int, value: Any) -> pd.DataFrame:
    """The table with one other cell."""
    found = FRAME.astype({column: object})
    found.loc[row, column] = value
    return found


GAP = VALUES.copy()
GAP.iloc[2, 0] = np.nan
TWICE = FRAME.assign(**{"TP53 ": FRAME["TP53"] + 1}).rename(columns={"TP53 ": "TP53"})
UMLAUT = ["krank ü" if one == "ill" else "gesund ß" for one in LABELS]
CYRILLIC = ["болен" if one == "ill" else "здоров" for one in LABELS]
POLISH = ["łzą" if one == "ill" else "źdźbło" for one in LABELS]
BASES |= {
    "gap": plain(GAP),
    "umlaut": FRAME.assign(**{"class": UMLAUT}),
    "cyrillic": FRAME.assign(**{"class": CYRILLIC}),
    "polish": FRAME.assign(**{"class": POLISH}),
    "labelled": FRAME.drop(index=[1, 5]).reset_index(drop=True),
    "mean": FRAME.assign(TP53=FRAME["TP53"] + 0.5),
    "suffix": FRAME.assign(**{"TP53.2": FRAME["TP53"] + 1}),
    "limit": put("MYC", 4, 0.5).astype({"MYC": float}),
    "half": put("MYC", 4, 0.25).astype({"MYC": float}),
    "thousands": FRAME.assign(MYC=FRAME["MYC"] + 1000),
}


def unlabelled() -> pd.DataFrame:
    found = FRAME.copy()
    found.loc[[1, 5], "class"] = None
    return found


TEXTS = {
    "comma": text(csv()),
    "tab": text(csv(sep="\t"), name="t.tsv"),
    "semicolon": text(csv(sep=";")),
    "bar": text(csv(sep="|"), name="t.txt"),
    "blanks": text(csv(sep=" "), name="t.txt"),
    "wrong ending": text(csv(sep="\t"), name="t.csv"),
    "no ending": text(csv(), name="table"),
    "gzip": text(gzip.compress(csv().encode()), name="t.csv.gz"),
    "gzip without the ending": text(gzip.compress(csv().encode()), name="t.csv"),
    "quoted": text(csv(quoting=1)),
    "sep line": text("sep=;\n" + csv(sep=";")),
    "line ends of Windows": text(csv().replace("\n", "\r\n")),
    "row names of R": text(FRAME.set_index("sample").to_csv(index_label=False)),
    "byte order mark": text(csv(), "utf-8-sig"),
    "UTF-16": text(csv(sep="\t"), "utf-16"),
    "UTF-16 big-endian": text(csv(), "utf-16-be"),
    "UTF-16 without a mark": text(csv(), "utf-16-le"),
    "Windows-1252": text(csv(BASES["umlaut"]), "windows-1252", base="umlaut"),
    "Latin-1, gzip": text(gzip.compress(csv(BASES["umlaut"]).encode("latin-1")), base="umlaut"),
    "Macintosh": text(csv(BASES["umlaut"]), "mac_roman", says="name its encoding with encoding="),
    "Macintosh, named": text(
        csv(BASES["umlaut"]), "mac_roman", base="umlaut", options={"encoding": "mac_roman"}
    ),
    "Cyrillic": text(csv(BASES["cyrillic"]), "cp1251", says="name its encoding with encoding="),
    "Cyrillic, named": text(
        csv(BASES["cyrillic"]), "cp1251", base="cyrillic", options={"encoding": "windows-1251"}
    ),
    "Polish, named": text(
        csv(BASES["polish"]), "cp1250", base="polish", options={"encoding": "cp1250"}
    ),
    "no such encoding": text(csv(), options={"encoding": "utf-99"}, says="encoding='utf-99'"),
    "German": text(german()),
    "German, Windows, title": text(
        "Kohorte Köln;;;\n\n" + german(BASES["umlaut"]), "windows-1252", base="umlaut"
    ),
    "decimal commas between tabs": text(german(separator="\t")),
    "decimal commas in quotes": text(csv(decimal=",", quoting=1)),
    "decimal commas, named": text(german(), options={"decimal": ","}),
    "decimal commas and points": text(german().replace("7,", "7.", 2), says="have a decimal comma"),
    "thousands": text(
        csv(BASES["thousands"].assign(MYC=[f"{v:,.2f}" for v in BASES["thousands"]["MYC"]])),
        options={"thousands": ","},
        base="thousands",
    ),
    "remarks": text("# made by a program\n# on a day\n" + csv()),
    "remarks and an empty line": text("! so\n\n" + csv()),
    "a header behind a number sign": text("#" + csv(sep="\t")),
    "biom": Case(
        {"t.tsv": ("# Constructed from biom file\n#" + turned(sep="\t")).encode(), **BESIDE},
        {**JOINED, "transpose": True},
    ),
    "a title": text("Table 1. All patients\n" + csv()),
    "a title in a row of empty cells": text("Table 1,,,\n,,,\n" + csv()),
}
FORMATS = {
    "series matrix": Case({"GSE1_series_matrix.txt": series_matrix(
        VALUES.set_axis([f"GSM{k}" for k in range(N)])).encode()}, {"target": "class"}, base="geo"),
    "series matrix, gzip": Case({"GSE1_series_matrix.txt.gz": gzip.compress(
        series_matrix().encode())}, {"target": "class"}, base="geo"),
    "series matrix as a sheet": Case(
        {"t.csv": csv(FRAME.drop(columns="class").assign(
            sample=[f"GSM{k}" for k in range(N)])).encode(),
         "sheet.txt": series_matrix(table=False).encode()},
        {"samples": "sheet.txt", "target": "class"}, base="geo"),
    "series matrix, cut": Case(
        {"t.txt": series_matrix().split("!series_matrix_table_begin")[0].encode()},
        {"target": "class"}, says="is cut short"),
    "GCT 1.2": Case({"t.gct": gct("1.2").encode(), **BESIDE}, JOINED),
    "GCT 1.3": Case({"t.gct": gct("1.3").encode()}, {"target": "class"}),
    "GCT of other sizes": Case({"t.gct": gct("1.2").replace(f"\t{N}", "\t99", 1).encode()},
                               {"target": "class"}, says="by line 2 it has"),
    "featureCounts": Case({"t.txt": feature_counts().encode(), **BESIDE}, JOINED, base="counts"),
    "genes with symbols": Case(
        {"t.tsv": csv(described(COUNTS), sep="\t").encode(), **BESIDE},
        {**JOINED, "transpose": True}, base="counts"),
    "genes with symbols, not turned": Case(
        {"t.tsv": csv(described(COUNTS), sep="\t").encode(), **BESIDE}, JOINED,
        says="transpose=True"),
    "salmon": folder("salmon", "{}/quant.sf"),
    "kallisto": folder("kallisto", "{}/abundance.tsv"),
    "RSEM": folder("RSEM", "{}.genes.results"),
    "STAR": folder("STAR", "{}ReadsPerGene.out.tab"),
    "HTSeq": folder("HTSeq", "{}.counts.txt"),
    "one file of salmon": Case({"quant.sf": of_one("salmon", "S01").encode()}, {},
                               says="tamis read FOLDER"),
    "one file of HTSeq": Case({"a.txt": of_one("HTSeq", "S01").encode()}, {},
                              says="the counts of one sample"),
    "one file of STAR": Case({"a.tab": of_one("STAR", "S01").encode()}, {}, says="as STAR writes"),
    "PLINK raw": Case({"t.raw": plink_raw(" ").encode()}, {"target": "PHENOTYPE"}, base="doses"),
    "PLINK raw, tabs": Case({"t.raw": plink_raw("\t").encode()}, {"target": "PHENOTYPE"},
                            base="doses"),
    "Excel": Case({"t.xlsx": sheets("openpyxl", {"Data": FRAME})}, {"target": "class"}),
    "Excel, another sheet": Case(
        {"t.xlsx": sheets("openpyxl", {"Read me": pd.DataFrame({"about": ["this"]}), "D": FRAME})},
        {"target": "class", "sheet": "D"}),
    "Excel, second sheet": Case(
        {"t.xlsx": sheets("xlsxwriter", {"A": pd.DataFrame({"about": ["this"]}), "D": FRAME})},
        {"target": "class", "sheet": "2"}),
    "Excel, no such sheet": Case({"t.xlsx": sheets("openpyxl", {"Data": FRAME})},
                                 {"target": "class", "sheet": "Date"}, says="did you mean 'Data'"),
    "Excel, below empty rows": Case({"t.xlsx": sheets("openpyxl", {"D": FRAME}, top=3)},
                                    {"target": "class"}),
    "Excel with titles": Case({"t.xlsx": titled}, {"target": "class"}),
    "Excel, features in rows": Case(
        {"t.xlsx": sheets("openpyxl", {"D": described(COUNTS)}), **BESIDE},
        {**JOINED, "transpose": True}, base="counts"),
    "Excel named as CSV": Case({"t.csv": sheets("openpyxl", {"D": FRAME})}, {"target": "class"}),
    "a sheet of samples in Excel": Case(
        {"t.csv": csv(FRAME.drop(columns="class")).encode(),
         "s.xlsx": sheets("openpyxl", {"D": FRAME[["sample", "class"]]})},
        {"target": "class", "samples": "s.xlsx"}),
    "Parquet": Case({"t.parquet": parquet(FRAME)}, {"target": "class"}),
    "features in rows": Case({"t.csv": turned().encode(), **BESIDE}, {**JOINED, "transpose": True}),
}  # fmt: skip
CELLS = {
    "n/a": text(csv(put("TP53", 2, "n/a")), says="say missing=['n/a']"),
    "n/a, named": text(csv(put("TP53", 2, "n/a")), options={"missing": "n/a"}, base="gap"),
    "-9": text(csv(put("TP53", 2, -9)), options={"missing": "-9"}, base="gap"),
    "99 in a column": text(csv(put("TP53", 2, 99)), options={"missing": "TP53=99"}, base="gap"),
    "a remark among numbers": text(csv(put("TP53", 2, "repeat")), says="or say missing=['TP53=rep"),
    "a limit": text(csv(put("MYC", 4, "<0.5")), says="limits='value' takes the limit itself"),
    "a limit, taken": text(csv(put("MYC", 4, "<0.5")), options={"limits": "value"}, base="limit"),
    "half a limit": text(csv(put("MYC", 4, "< 0.5")), options={"limits": "half"}, base="half"),
    "units": text(
        csv(FRAME.assign(MYC=FRAME["MYC"].astype(str) + " mg/l")),
        says="read them with units='remove'",
    ),
    "units, removed": text(
        csv(FRAME.assign(MYC=FRAME["MYC"].astype(str) + " mg/l")), options={"units": "remove"}
    ),
    "a unit in a cell": text(
        csv(put("MYC", 4, f"{FRAME['MYC'][4]} mg")), options={"units": "remove"}
    ),
    "mixed units": text(
        csv(
            FRAME.assign(MYC=[f"{v} {'mg' if k % 2 else 'g'}" for k, v in enumerate(FRAME["MYC"])])
        ),
        options={"units": "remove"},
        says="has several units, 'g', 'mg'",
    ),
    "a blank class": text(csv(unlabelled()), says="leave them out with drop_unlabelled=True"),
    "a blank class, left out": text(
        csv(unlabelled()), options={"drop_unlabelled": True}, base="labelled"
    ),
    "one name twice": text(csv(TWICE), says="say duplicates="),
    "the first of a name": text(csv(TWICE), options={"duplicates": "first"}),
    "the mean of a name": text(csv(TWICE), options={"duplicates": "mean"}, base="mean"),
    "both of a name": text(csv(TWICE), options={"duplicates": "suffix"}, base="suffix"),
    "dates": text(
        csv(with_column("visit", [f"2021-03-{k + 1:02d}" for k in range(N)])),
        says="write it as numbers (a date as days",
    ),
    "free text": text(
        csv(with_column("remark", [f"seen {k}" for k in range(N)])),
        says="leave it out with drop=['remark']",
    ),
    "several": text(
        csv(
            with_column("remark", [f"seen {k}" for k in range(N)]).assign(
                TP53=put("TP53", 2, "n/a")["TP53"],
                MYC=put("MYC", 4, "<1")["MYC"],
                **{"class": unlabelled()["class"]},
            )
        ),
        says="cannot be read yet, for 4 reasons",
    ),
}
OTHERS: dict[str, tuple[bytes, str]] = {
    "bzip2": (bz2.compress(csv().encode()), "bunzip2 -k"),
    "a zip with a table": (zipped("t.csv", csv().encode()), "with 't.csv' inside: unpack it"),
    "R data": (gzip.compress(b"RDX3\nX\n\0\0"), "in R, load("),
    "an object of R": (gzip.compress(b"X\n\0\0\0\3"), "write.csv(readRDS("),
    "SPSS": (b"$FL2@(#) SPSS DATA FILE", "pyreadstat.read_sav("),
    "Stata": (b"<stata_dta><header>", "pyreadstat.read_dta("),
    "Feather": (b"ARROW1\0\0", "pandas.read_feather("),
    "NumPy": (b"\x93NUMPY\1\0v\0{'descr'", "without names"),
    "PDF": (b"%PDF-1.7\n", "ask for the table itself"),
    "genotypes": (
        b"\x6c\x1b\1" + b"\xaa" * 40,
        "it is called NAME.bed beside",
    ),
    "VCF": (
        b"##fileformat=VCFv4.2\n#CHROM\tPOS\n",
        "if it is called NAME.vcf",
    ),
    "SOFT": (b"^DATABASE = GeoMiame\n!Database_name = GEO\n", "tamis expression geo"),
    "a web page": (b"<!DOCTYPE html>\n<html>", "a web page"),
    "JSON": (b'[{"a": 1}]', "pandas.read_json("),
    "a matrix without names": (b"%%MatrixMarket matrix\n3 3 3\n", "read_10x_mtx"),
}
CASES: dict[str, Case] = {
    **TEXTS,
    **FORMATS,
    **CELLS,
    **{name: Case({"t.dat": content}, says=says) for name, (content, says) in OTHERS.items()},
}
BASES["geo"] = FRAME.assign(sample=[f"GSM{k}" for k in range(N)])
BASES["doses"] = BASES["doses"].rename(columns={"class": "PHENOTYPE"})


def write(case: Case, home: Path) -> tuple[Path, dict[str, Any]]:
    """Its files in a folder: the table, and the arguments of `read_table`."""
    for name, content in case.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(content() if callable(content) else content)
    options = dict(case.options)
    if "samples" in options:
        options["samples"] = home / options["samples"]
    return home / case.table, options
