"""plink2's .pgen beside the .bed that plink2 makes of the same data."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pickle import dumps, loads

import numpy as np
import pyarrow as pa
import pytest

from genome.plink import run_plink
from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError, MissingExtraError
from tamis.genome import mtd_scan, open_genotypes
from tamis.genome.readers.psam import read_psam
from tamis.genome.readers.pvar import read_pvar

HEADER = "#CHROM\tPOS\tID\tREF\tALT\n"


@pytest.fixture
def made(tmp_path):
    """A .bed, and the .pgen that plink2 makes of it: rare, frequent and nearly fixed variants."""
    pytest.importorskip("pgenlib")
    codes = random_codes(1, 90, 203)
    rng = np.random.default_rng(2)
    codes[::3] = np.where(rng.random((30, 203)) < 0.01, 2, 3)
    codes[1::3] = np.where(rng.random((30, 203)) < 0.02, 1, 0)
    codes[5] = codes[2]
    bed = write_bed(tmp_path / "made", codes)
    run_plink("plink2", tmp_path, "--bfile", "made", "--make-pgen")
    return bed, tmp_path / "out.pgen"


def test_calls_samples_and_variants_are_those_of_the_bed(made):
    bed, pgen = map(open_genotypes, made)
    assert pgen.shape == bed.shape == (203, 90)
    np.testing.assert_array_equal(pgen.calls(), bed.calls())
    assert set(np.unique(bed.calls())) == {-1, 0, 1, 2}
    assert pgen.variants.frame().equals(bed.variants.frame())
    assert pgen.samples.frame().equals(bed.samples.frame())
    for width in (1, 7, 64):
        rows = [piece.packed() for piece in pgen.pieces(width)]
        np.testing.assert_array_equal(
            np.concatenate(rows), [row for piece in bed.pieces() for row in piece.packed()]
        )
    some = np.array([88, 3, 5])
    np.testing.assert_array_equal(pgen.calls(some), bed.calls(some))
    assert mtd_scan(pgen, permutations=9).frame().equals(mtd_scan(bed, permutations=9).frame())


def test_threads_and_other_processes_read_the_same(made):
    pgen = open_genotypes(made[1])
    expected = pgen.calls()
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: pgen.calls(), range(12)):
            np.testing.assert_array_equal(found, expected)
    again = loads(dumps(pgen))
    np.testing.assert_array_equal(again.calls(), expected)
    assert again.digest() == pgen.digest()


def test_each_file_of_the_three_and_their_stem_stand_for_all(made, tmp_path):
    expected = open_genotypes(made[1]).digest()
    for name in ("out", "out.pvar", "out.psam"):
        assert open_genotypes(tmp_path / name).digest() == expected
    three = [tmp_path / f"out.{ending}" for ending in ("pgen", "psam", "pvar")]
    assert open_genotypes(three).shape == (203, 90)
    table = (tmp_path / "out.pvar").read_bytes()
    (tmp_path / "out.pvar").unlink()
    (tmp_path / "out.pvar.zst").write_bytes(pa.compress(table, codec="zstd", asbytes=True))
    for name in ("out.pvar.zst", "out.pgen"):
        found = open_genotypes(tmp_path / name)
        assert found.variants.frame().equals(open_genotypes(made[0]).variants.frame())


def _vcf(path, *, several, dosages):
    """Phased and unphased calls, of one copy too; a variant of two ALT, or dosages."""
    rng = np.random.default_rng(5)
    names = "\t".join(f"f{i}_s{i}" for i in range(80))
    lines = [
        "##fileformat=VCFv4.2",
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="g">',
        '##FORMAT=<ID=DS,Number=1,Type=Float,Description="d">',
        f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{names}",
    ]
    for j in range(40):
        two = several and j % 10 == 3
        copies = rng.integers(0, 2, (80, 2)) + (rng.random((80, 2)) < 0.2) * two
        calls = ["|/"[j % 2].join(map(str, pair)) for pair in copies]
        calls = ["./." if rng.random() < 0.1 else call for call in calls]
        if dosages:
            near = np.clip(copies.sum(axis=1) + rng.normal(0, 0.1, 80), 0, 2)
            calls = [f"{call}:{dose:.3f}" for call, dose in zip(calls, near, strict=True)]
        form, alt = ("GT:DS" if dosages else "GT"), ("C,G" if two else "C")
        fields = [f"22\t{j + 1}\tv{j}\tA\t{alt}\t.\tPASS\tX={j}\t{form}", *calls]
        lines.append("\t".join(fields))
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("kind", ["several", "dosages"])
def test_several_alleles_have_no_calls_and_dosages_are_hard_calls(tmp_path, kind):
    pytest.importorskip("pgenlib")
    several = kind == "several"
    _vcf(tmp_path / "own.vcf", several=several, dosages=not several)
    how = () if several else ("dosage=DS",)
    run_plink(
        "plink2",
        tmp_path,
        "--vcf",
        "own.vcf",
        *how,
        "--id-delim",
        "_",
        "--make-pgen",
        "vzs",
        "pvar-cols=+info,+qual",
    )
    found = open_genotypes(tmp_path / "out.pgen")
    assert found.shape == (80, 40)
    run_plink("plink2", tmp_path, "--pfile", "out", "vzs", "--max-alleles", "2", "--make-bed")
    bed = open_genotypes(tmp_path / "out.bed")
    broken = found.variants.broken
    assert np.flatnonzero(broken).tolist() == ([3, 13, 23, 33] if several else [])
    np.testing.assert_array_equal(found.calls()[:, ~broken], bed.calls())
    assert (found.calls()[:, broken] == -1).all()
    assert found.subset(variants=~broken).variants.frame().equals(bed.variants.frame())
    if several:  # as the reader of VCF has it
        vcf = open_genotypes(tmp_path / "own.vcf")
        np.testing.assert_array_equal(vcf.calls(), found.calls())
        np.testing.assert_array_equal(vcf.variants.broken, broken)
    else:  # dosages in between have no hard call
        assert (found.calls() == -1).mean() > 0.2


SPOILED = {
    "no .pvar": ("out.pvar", None, "'out.pvar' is missing"),
    "no .psam": ("out.psam", None, "'out.psam' is missing"),
    "no .pgen": ("out.pgen", None, "'out.pgen' is missing"),
    "something else": ("out.pgen", lambda b: b"PK" + b[2:], "is no .pgen of plink2: it begins"),
    "a .bed": ("out.pgen", lambda b: b[:2] + b"\x01" + b[3:], "is a .bed of PLINK 1"),
    "another kind": (
        "out.pgen",
        lambda b: b[:2] + b"\x20" + b[3:],
        "kind 0x20, or damaged.*`plink2 --pfile out --make-bed --out out`",
    ),
    "empty": ("out.pgen", lambda b: b"", "begins with nothing"),
    "cut in its head": ("out.pgen", lambda b: b[:9], "is cut short: it has 9 bytes"),
    "no samples": ("out.pgen", lambda b: b[:7] + bytes(4) + b[11:], "0 samples"),
    "too many variants": ("out.pgen", lambda b: b[:3] + b"\xff" * 3 + b[6:], "do not fit in its"),
    "cut among its calls": ("out.pgen", lambda b: b[:-40], "'out.pgen' is damaged"),
    "a line of .pvar less": (
        "out.pvar",
        lambda b: b[: b.rstrip().rfind(b"\n") + 1],
        "'out.pvar' has 89 variants, 'out.pgen' 90",
    ),
    "a line of .pvar more": ("out.pvar", lambda b: b + b"1\t9\tx\tA\tC\n", "has more than the 90"),
    "no header of .pvar": (
        "out.pvar",
        lambda b: b.replace(b"POS", b"BP"),
        "'out.pvar' is no .pvar",
    ),
    "no lines of .pvar": ("out.pvar", lambda b: b"#CHROM\tPOS\tID\tREF\tALT\n", "has no line"),
    "too many alleles": (
        "out.pvar",
        lambda b: b.replace(b"\tA\n", b"\t" + b"A," * 300 + b"A\n", 1),
        "a variant of 302 alleles",
    ),
    "a line of .psam less": (
        "out.psam",
        lambda b: b[: b.rstrip().rfind(b"\n") + 1],
        "'out.psam' has 202 samples, 'out.pgen' 203",
    ),
    "a field of .psam less": (
        "out.psam",
        lambda b: b.replace(b"f7\ts7\t", b"s7\t"),
        "line 9: 3 fields",
    ),
    "no ids in .psam": ("out.psam", lambda b: b.replace(b"IID", b"ID"), "'out.psam' is no .psam"),
    "a sample twice": ("out.psam", lambda b: b.replace(b"f7\ts7\t", b"f8\ts8\t"), "twice"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_spoiled_files_are_told_in_one_line(made, tmp_path, what):
    file, change, says = SPOILED[what]
    path = tmp_path / file
    good = path.read_bytes()
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(good))
        assert path.read_bytes() != good
    with pytest.raises(DataError, match=says) as caught:
        open_genotypes(tmp_path / "out.pgen").calls()
    assert "\n" not in str(caught.value)


def test_a_zstd_file_that_is_cut_is_told(made, tmp_path):
    table = pa.compress((tmp_path / "out.pvar").read_bytes(), codec="zstd", asbytes=True)
    (tmp_path / "out.pvar").unlink()
    (tmp_path / "out.pvar.zst").write_bytes(table[:-9])
    with pytest.raises(DataError, match=r"'out\.pvar\.zst' is damaged or cut short"):
        open_genotypes(tmp_path / "out.pgen")


def test_without_the_library_the_way_out_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pgenlib", None)
    (tmp_path / "x.pgen").write_bytes(bytes.fromhex("6c1b10 01000000 01000000 00"))
    (tmp_path / "x.pvar.zst").write_bytes(b"")
    (tmp_path / "x.psam").write_text("#IID\na\n")
    with pytest.raises(MissingExtraError) as caught:
        open_genotypes(tmp_path / "x.pgen")
    told = str(caught.value)
    assert "reading 'x.pgen' needs the library 'pgenlib': install it" in told
    assert "'.[pgen]'" in told
    assert told.endswith("or make a .bed of it: `plink2 --pfile x vzs --make-bed --out x`")


PEOPLE = {
    "#FID\tIID\tPAT\tMAT\tSEX\tsick\tage\nf\ta\tp\tm\t1\t2\t40\ng\tb\t0\t0\tF\tNA\t50\n": (
        ["f", "g"],
        ["p", "0"],
        [1, 2],
        ["2", "NA"],
    ),
    "##x\n#IID SEX\na NA\nb 2\n": (["a", "b"], ["0", "0"], [0, 2], ["-9", "-9"]),
    "#FID IID SID sick\nf a 1 yes\ng b 2 no\n": (["f", "g"], ["0", "0"], [0, 0], ["yes", "no"]),
    "f a 0 0 1 2\ng b 0 0 2 1\n": (["f", "g"], ["0", "0"], [1, 2], ["2", "1"]),
}


@pytest.mark.parametrize("text", PEOPLE)
def test_psam(tmp_path, text):
    (tmp_path / "x.psam").write_text(text)
    found = read_psam(tmp_path / "x.psam")
    family, father, sex, phenotype = PEOPLE[text]
    assert found.id.tolist() == ["a", "b"]
    assert found.family.tolist() == family
    assert found.father.tolist() == father
    assert found.sex.tolist() == sex
    assert found.phenotype.tolist() == phenotype


TABLES = {
    "plain": HEADER + "22\t5\ta\tA\tC\n22\t6\tb\tG\tT\n",
    "more columns": "##a b\n##INFO=<x y>\n#CHROM\tID\tPOS\tREF\tALT\tINFO\n"
    "22\ta\t5\tA\tC\tX=1 2\n\n22\tb\t6\tG\tT\t.\n",
    "blanks": "#CHROM POS  ID REF ALT CM\n22 5 a A C 0\n22 6 b G T 0\n",
    "as .bim": "22\ta\t0\t5\tC\tA\n22\tb\t0\t6\tT\tG\n",
    "as .bim without morgans": "22 a 5 C A\n22 b 6 T G\n",
    "windows": (HEADER + "22\t5\ta\tA\tC\n22\t6\tb\tG\tT").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("kind", TABLES)
def test_pvar(tmp_path, kind):
    (tmp_path / "x.pvar").write_text(TABLES[kind], newline="")
    found = read_pvar(tmp_path / "x.pvar", 2)
    assert found.frame().to_numpy().tolist() == [["22", "a", 5, "C", "A"], ["22", "b", 6, "T", "G"]]
    assert not found.broken.any()


def test_lines_of_a_pvar_that_cannot_be_read_cost_their_variant(tmp_path):
    lines = "22\t5\ta\tA\tC\n22\tx\tb\tG\tT\n22\t6\n22\t7\td\tG\tA,C\n22\t8\te\tG\tA\n"
    (tmp_path / "x.pvar").write_text(HEADER + lines)
    found = read_pvar(tmp_path / "x.pvar", 5)
    assert found.broken.tolist() == [False, True, True, True, False]
    assert found.id.to_pylist()[4] == "e"
    with pytest.raises(DataError, match="more than the 4 variants"):
        read_pvar(tmp_path / "x.pvar", 4)
