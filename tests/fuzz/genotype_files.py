"""Small valid files of genotypes in layers, each of which can be spoiled before the next is on it.

Compressed bytes that are spoiled only tell whether decompressing fails; what lies beneath is
reached by spoiling it first.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa

from genome.sets import bgzip

N = 5  # samples
IDS = [f"s{i}" for i in range(N)]


@dataclass(frozen=True)
class Made:
    """A cohort as files.

    Attributes
    ----------
    opened : str
        The file that is opened; `stem` in all names is replaced by the cohort's.
    layers : mapping of str to bytes
        What files are put together of; of names that end with "text" lines may be edited.
    assemble : callable
        Layers to files by name.
    """

    opened: str
    layers: Mapping[str, bytes]
    assemble: Callable[[Mapping[str, bytes]], dict[str, bytes]]


BIM = b"22\tv0\t0\t100\tA\tG\n22\tv1\t0\t200\tC\tT\nX\tv2\t0.5\t300\tA\tAT\n23 v3 0 400 G A\n"
FAM = "".join(f"f{i} s{i} 0 0 {1 + i % 2} {1 + i % 2}\n" for i in range(N)).encode()
BED = bytes.fromhex("6c1b01 e803 3200 2c01 ff03")
SHEET = (
    b"ID_1 ID_2 missing sex sick\n0 0 0 D B\n"
    + "".join(f"s{i} s{i} 0 {1 + i % 2} {i % 2}\n" for i in range(N)).encode()
)


def bed(**more: bytes) -> Made:
    """The three files of PLINK 1; `more` are tables beside it, by ending."""
    layers = {"bed": BED, "bim_text": BIM, "fam_text": FAM}
    layers |= {f"{ending}_text": table for ending, table in more.items()}
    return Made(
        "stem.bed",
        layers,
        lambda own: {f"stem.{name.removesuffix('_text')}": data for name, data in own.items()},
    )


def pheno(table: str) -> Made:
    """A .bed with a table of phenotypes."""
    return bed(pheno=table.encode())


def bgen(compression: int, bits: int, phased: bool = False, sheet: bool = False) -> Made:
    """A BGEN 1.2 or 1.3 (`compression` 2): its head, names, heads of variants and data of each."""
    rng = np.random.default_rng(bits)
    layers = {"head": struct.pack("<4I", 20, 3, N, 0)[:12] + b"bgen"}
    layers["flags"] = struct.pack("<I", compression | 2 << 2 | (not sheet) << 31)
    if sheet:
        layers["sample_text"] = SHEET
    else:
        names = b"".join(struct.pack("<H", len(i)) + i.encode() for i in IDS)
        layers["names"] = struct.pack("<2I", 8 + len(names), N) + names
    for j, (chromosome, alleles) in enumerate(
        [(b"22", [b"A", b"G"]), (b"X", [b"C", b"CTT"]), (b"22", [b"A", b"C", b"T"])]
    ):
        texts = [b"id%d" % j, b"rs%d" % j if j else b"", chromosome]
        layers[f"head{j}"] = (
            b"".join(struct.pack("<H", len(text)) + text for text in texts)
            + struct.pack("<IH", 100 * j + 1, len(alleles))
            + b"".join(struct.pack("<I", len(a)) + a for a in alleles)
        )
        ploidy = [2] * N if j != 1 else [1, 2, 2, 130, 1]
        numbers = sum(
            (copies & 63) * (len(alleles) - 1)
            if phased
            else (3 if len(alleles) == 2 else 6) - 1
            if copies & 63 == 2
            else len(alleles) - 1
            for copies in ploidy
        )
        data = rng.integers(0, 256, -(-numbers * bits // 8), dtype=np.uint8)
        if not phased:
            data[1::2] = 0  # sums of probabilities of at most one, mostly
        layers[f"data{j}"] = (
            struct.pack("<IH2B", N, len(alleles), 1, 2)
            + bytes(ploidy)
            + bytes([phased, bits])
            + data.tobytes()
        )
    return Made("stem.bgen", layers, lambda own: _bgen_files(own, compression))


def _bgen_files(own: Mapping[str, bytes], compression: int) -> dict[str, bytes]:
    squeeze: Callable[[bytes], bytes] = [
        bytes,
        zlib.compress,
        lambda data: pa.compress(data, codec="zstd", asbytes=True),
    ][compression]
    start = own["head"] + own["flags"] + own.get("names", b"")
    parts = [struct.pack("<I", len(start)), start]
    for j in range(3):
        data = squeeze(own[f"data{j}"])
        if compression:
            data = struct.pack("<I", len(own[f"data{j}"])) + data
        parts += [own[f"head{j}"], struct.pack("<I", len(data)), data]
    found = {"stem.bgen": b"".join(parts)}
    if "sample_text" in own:
        found["stem.sample"] = own["sample_text"]
    return found


VCF_HEAD = b"""##fileformat=VCFv4.2
##contig=<ID=22>
##contig=<ID=chrX>
##FILTER=<ID=PASS,Description="All filters passed">
##FORMAT=<ID=DS,Number=1,Type=Float,Description="d">
##FORMAT=<ID=GT,Number=1,Type=String,Description="g">
#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t""" + "\t".join(IDS).encode()
VCF_LINES = b"""
22\t5\ta\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\t./.\t0/1
22\t6\t.\tA\tC,G\t.\tPASS\tAF=.5\tGT\t0/1\t1/2\t0/0\t0/0\t2/2
chrX\t7\tc\tAT\t<DEL>\t9\t.\t.\tDS:GT\t1:0\t1:1\t.:.\t1:0|1\t0
22\t8\td\tG\t.\t.\t.\t.\tGT:DS\t0/0:0\t0/0:0\t0/0:0\t0:0\t.
"""


def vcf(ending: str, squeeze: Callable[[bytes], bytes]) -> Made:
    """A VCF, compressed or not."""
    layers = {"head_text": VCF_HEAD, "lines_text": VCF_LINES}
    return Made(
        f"stem{ending}",
        layers,
        lambda own: {f"stem{ending}": squeeze(own["head_text"] + own["lines_text"])},
    )


def bcf(squeeze: Callable[[bytes], bytes]) -> Made:
    """A BCF: its head, and of each record the shared part and that of the samples."""
    layers = {"head_text": VCF_HEAD + b"\n\0"}
    genotypes = [
        [2, 4, 4, 4, 2, 2, 0, 0, 2, 5],
        [2, 4, 4, 6, 2, 2, 0, 0, 6, 6],
        [2, 0x81, 4, 0x81, 0, 0x81, 2, 5, 2, 0x81],
    ]
    for j, alleles in enumerate([[b"A", b"C"], [b"A", b"C", b"G" * 20], [b"AT", b"<DEL>"]]):
        layers[f"shared{j}"] = (
            struct.pack("<3if2H", j == 2, 10 * j, 1, 1.0, 0, len(alleles))
            + struct.pack("<I", N | 1 << 24)
            + b"".join(map(_typed_text, [b"r%d" % j if j else b".", *alleles]))
            + b"\x00"
        )
        layers[f"own{j}"] = b"\x11\x02\x21" + bytes(genotypes[j])
    return Made("stem.bcf", layers, lambda own: {"stem.bcf": squeeze(_bcf_bytes(own))})


def _typed_text(text: bytes) -> bytes:
    size = bytes([len(text) << 4 | 7]) if len(text) < 15 else b"\xf7\x11" + bytes([len(text)])
    return size + text


def _bcf_bytes(own: Mapping[str, bytes]) -> bytes:
    found = b"BCF\x02\x02" + struct.pack("<I", len(own["head_text"])) + own["head_text"]
    for j in range(3):
        shared, rest = own[f"shared{j}"], own[f"own{j}"]
        found += struct.pack("<2I", len(shared), len(rest)) + shared + rest
    return found


# as plink2 makes them of the first three lines of VCF_LINES and two more like the last; `PGEN_DS`
# with dosages, and without the variant of two ALT
PGEN = bytes.fromhex(
    "6c1b100500000005000000441e0000000000000010080000000405020202c901050009020f0302790000010001"
)
PGEN_DS = bytes.fromhex(
    "6c1b100400000005000000441c00000000000000700000000d020202c90105000f6646857b8f029a19790000010001"
)
PVAR = b"""#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER
22\t5\ta\tA\tC\t.\t.
22\t6\t.\tA\tC,G\t.\tPASS
X\t7\tc\tAT\tA\t9\t.
22\t8\td\tG\tA\t.\t.
22\t9\te\tG\tA\t.\t.
"""
PSAM = "#FID\tIID\tSEX\tsick\n" + "".join(f"f{i}\ts{i}\t{i % 3}\t{1 + i % 2}\n" for i in range(N))


def pgen(calls: bytes, variants: bytes, people: str, zstd: bool = False) -> Made:
    """The three files of plink2: the head of the .pgen, and what is behind it."""
    layers = {
        "head": calls[:12],
        "calls": calls[12:],
        "pvar_text": variants,
        "psam_text": people.encode(),
    }

    def assemble(own: Mapping[str, bytes]) -> dict[str, bytes]:
        found = {"stem.pgen": own["head"] + own["calls"], "stem.psam": own["psam_text"]}
        if zstd:
            return found | {
                "stem.pvar.zst": pa.compress(own["pvar_text"], codec="zstd", asbytes=True)
            }
        return found | {"stem.pvar": own["pvar_text"]}

    return Made("stem.pgen", layers, assemble)


COHORTS: dict[str, Made] = {
    "bed": bed(),
    "pheno_plink": pheno("".join(f"f{i} s{i} {1 + i % 2}\n" for i in range(N))),
    "pheno_csv": pheno("IID,sex,sick\n" + "".join(f'"s{i}","1",{i % 2}\n' for i in range(N))),
    "pheno_plink2": pheno(
        "#FID\tIID\tsick\n" + "".join(f"f{i}\ts{i}\tc{i % 2}\n" for i in range(N))
    ),
    "bgen_8": bgen(0, 8),
    "bgen_zlib_8": bgen(1, 8),
    "bgen_zlib_16_sample": bgen(1, 16, sheet=True),
    "bgen_zstd_8_phased": bgen(2, 8, phased=True),
    "bgen_zstd_3": bgen(2, 3),
    "vcf": vcf(".vcf", bytes),
    "vcf_gzip": vcf(".vcf.gz", gzip.compress),
    "vcf_bgzip": vcf(".vcf.gz", lambda text: bgzip(text, 80)),
    "bcf": bcf(bgzip),
    "bcf_plain": bcf(bytes),
}
if find_spec("pgenlib"):  # an optional library
    COHORTS |= {
        "pgen": pgen(PGEN, PVAR, PSAM),
        "pgen_dosages": pgen(
            PGEN_DS, BIM, "#IID\tSEX\n" + "".join(f"s{i}\tNA\n" for i in range(N)), zstd=True
        ),
    }


def write_cohort(
    made: Made,
    folder: Path,
    stem: str = "made",
    layers: Mapping[str, bytes] | None = None,
    change: Callable[[dict[str, bytes]], dict[str, bytes]] = dict,
) -> Path:
    """Write files into a folder, of which nothing else is left; the one to open.

    Parameters
    ----------
    made : Made
    folder : Path
    stem : str
        The cohort's name.
    layers : dict or None
        None: the valid ones.
    change : callable
        Of the files put together.
    """
    for old in folder.iterdir():
        old.unlink()
    files = change(made.assemble(made.layers if layers is None else layers))
    for name, data in files.items():
        (folder / name.replace("stem", stem, 1)).write_bytes(data)
    return folder / made.opened.replace("stem", stem, 1)
