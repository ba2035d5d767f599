"""VCF and BCF against rules written out slowly, PLINK and cyvcf2; damaged files."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from common.examples import settings
from genome.plink import run_plink
from genome.sets import bgzip
from tamis._core.errors import DataError
from tamis.genome import open_genotypes
from tamis.genome.readers import inflate, vcf, vcf_head
from tamis.genome.readers.inflate import BGZF_END
from tamis.kernels.genotypes.words import unpack_calls

HEAD = """##fileformat=VCFv4.2
##contig=<ID=22>
##contig=<ID=chrX>
##FILTER=<ID=PASS,Description="All filters passed">
##INFO=<ID=AF,Number=A,Type=Float,Description="f, g">
##FORMAT=<ID=DS,Number=1,Type=Float,Description="d">
##FORMAT=<ID=GT,Number=1,Type=String,Description="g">
"""
COLUMNS = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT"
LINE = "22\t5\ta\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n"


def text_of(lines, n=3):
    return HEAD + COLUMNS + "".join(f"\ts{k}" for k in range(n)) + "\n" + "".join(lines)


def written(folder, lines, n=3, name="made.vcf"):
    path = folder / name
    path.write_bytes(text_of(lines, n).encode())
    return path


def codes_of(genotypes):
    source = genotypes.sources[0]
    return unpack_calls(source.packed(0, source.n_variants), genotypes.n_file)


def slow_code(text):
    """Code of one sample's GT in a record of two alleles."""
    alleles = re.split(r"[/|]", text.removeprefix("/").removeprefix("|"))
    if len(alleles) > 2 or not all(a in ("0", "1") for a in alleles):
        return 1
    return {0: 3, len(alleles): 0}.get(alleles.count("1"), 2)


GTS = ["0/0", "0/1", "1|0", "1|1", "./.", ".", "0", "1", "./1", "0|.", "0/1/1", "1/1/1", "2/1",
       "0/10",
       "x", "", "0/", "/", "|0|1", "01/0", "0|0"]  # fmt: skip


@st.composite
def records(draw):
    n = draw(st.integers(1, 9))
    lines, codes = [], []
    for k in range(draw(st.integers(1, 6))):
        fields = draw(st.sampled_from(["GT", "GT:DS", "DS:GT", "DS:GT:AA"]))
        gts = draw(st.lists(st.sampled_from(GTS), min_size=n, max_size=n))
        cells = [":".join(gt if f == "GT" else "1.5" for f in fields.split(":")) for gt in gts]
        lines.append("\t".join(["22", str(k), f"r{k}", "A", "C", ".", ".", ".", fields, *cells]))
        codes.append([slow_code(gt) for gt in gts])
    return n, lines, codes, draw(st.sampled_from(["\n", "\r\n", "\n\n"]))


@pytest.mark.longer
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records(), st.booleans(), st.integers(7, 400))
def test_calls_are_those_written_however_the_bytes_come(tmp_path, made, packed, chunk):
    n, lines, codes, newline = made
    text = (text_of([], n) + newline.join(lines)).encode()
    path = tmp_path / ("m.vcf.gz" if packed else "m.vcf")
    path.write_bytes(gzip.compress(text[:200]) + gzip.compress(text[200:]) if packed else text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inflate, "CHUNK_BYTES", chunk)
        patch.setattr(inflate, "COMPRESSED_BYTES", chunk)
        genotypes = open_genotypes(path)
    assert codes_of(genotypes).tolist() == codes
    assert genotypes.variants.id.to_pylist() == [f"r{k}" for k in range(len(lines))]
    assert not genotypes.variants.broken.any()
    source = genotypes.sources[0]
    whole = source.packed(0, len(lines))
    for first in range(len(lines)):
        assert np.array_equal(source.packed(first, len(lines)), whole[first:])


BAD = {
    "few": "22\t6\tfew\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\n",
    "more": "22\t6\tmore\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\t0/0\n",
    "place": "22\tx\tpos\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n",
    "below zero": "22\t-1\tpos\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n",
    "beyond": f"22\t{10**30}\tpos\tA\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n",
    "short": "22\n",
    "no format": "22\t6\tsites\tA\tC\t.\t.\t.\n",
    "a head": COLUMNS + "\ts0\ts1\ts2\n",
    "no bases": "22\t6\tnone\t\tC\t.\t.\t.\tGT\t0/1\t1|1\t0/0\n",
    "bytes": "\x00\x01\t\n",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_broken_line_costs_its_variant(tmp_path, bad):
    genotypes = open_genotypes(written(tmp_path, [LINE, bad, LINE]))
    assert genotypes.variants.broken.tolist() == [False, True, False]
    assert codes_of(genotypes).tolist() == [[2, 0, 3], [1, 1, 1], [2, 0, 3]]
    assert genotypes.variants.id.to_pylist() == ["a", "", "a"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_empty_lines_are_no_records(tmp_path, newline):
    line = LINE.replace("\n", newline)
    genotypes = open_genotypes(written(tmp_path, [newline, line, newline, newline, line, newline]))
    assert codes_of(genotypes).tolist() == [[2, 0, 3]] * 2
    assert not genotypes.variants.broken.any()


def test_records_without_calls(tmp_path):
    lines = [
        "22\t1\tds\tA\tC\t.\t.\t.\tDS\t0\t1\t2\n",
        "22\t2\tmany\tA\tC,G\t.\t.\t.\tGT\t0/1\t1/2\t0/0\n",
        "22\t3\tmono\tA\t.\t.\t.\t.\tGT\t0/0\t./.\t0\n",
        "22\t4\tstar\tAT\t*\t.\t.\t.\tGT\t0/0\t0/1\t1/1\n",
        "22\t5\té\tA\t<DEL>\t.\t.\t.\tGT\t0/0\t0/1\t1/1",
    ]
    genotypes = open_genotypes(written(tmp_path, lines))
    assert codes_of(genotypes).tolist() == [[1] * 3, [1] * 3, [3, 1, 3], [3, 2, 0], [3, 2, 0]]
    assert genotypes.variants.broken.tolist() == [False, True, False, False, False]
    assert genotypes.variants.allele1.to_pylist() == ["C", "C,G", ".", "*", "<DEL>"]
    assert genotypes.variants.allele2.to_pylist() == ["A", "A", "A", "AT", "A"]
    assert genotypes.variants.id.to_pylist()[-1] == "é"
    assert genotypes.samples.id.tolist() == ["s0", "s1", "s2"]


FILES = {
    "without GT": (
        (HEAD.replace("GT", "XX") + COLUMNS + "\ts0\n22\t1\ta\tA\tC\t.\t.\t.\tDS\t1\n"),
        "VCF without GT",
    ),
    "no samples": (
        HEAD + COLUMNS.replace("\tFORMAT", "") + "\n22\t1\ta\tA\tC\t.\t.\t.\n",
        "no samples",
    ),
    "no variants": (HEAD + COLUMNS + "\ts0\n", "no variants"),
    "no newline": (HEAD + COLUMNS + "\ts0", "no variants"),
    "twins": (HEAD + COLUMNS + "\ts0\ts0\n", "twice"),
    "cut short": (HEAD, "no line #CHROM"),
    "other columns": (HEAD + "#CHROM POS ID\n", "its head ends with"),
    "nothing": ("", "is no VCF"),
    "a table": ("a,b\n1,2\n", "is no VCF"),
    "only broken": (HEAD + COLUMNS + "\ts0\n22\n", "VCF without GT"),
}


@pytest.mark.parametrize(("text", "says"), FILES.values(), ids=FILES)
def test_other_files_are_one_line(tmp_path, text, says):
    path = tmp_path / "o.vcf"
    path.write_text(text)
    with pytest.raises(DataError, match=says) as raised:
        open_genotypes(path)
    assert "\n" not in str(raised.value)


def test_compressed_and_cut_short(tmp_path):
    path = tmp_path / "c.vcf.gz"
    good = bgzip(text_of([LINE] * 30).encode())
    path.write_bytes(good)
    assert open_genotypes(path).shape == (3, 30)
    for text, says in [
        (good[: -len(BGZF_END)], "cut short"),
        (good[:-1], "cut short"),
        (good[:50] + b"\xff\xff\xff" + good[53:], "damaged"),
        (gzip.compress(text_of([LINE]).encode())[:-9], "cut short"),
        (b"\x1f\x8b", "is no VCF|cut short"),
    ]:
        path.write_bytes(text)
        with pytest.raises(DataError, match=says):
            open_genotypes(path)
    path.write_bytes(gzip.compress(text_of([LINE]).encode()) + bytes(1000))
    assert open_genotypes(path).shape == (3, 1)


def plink_bed(tmp_path, program, path):
    program = shutil.which(program)
    if program is None:
        pytest.skip("needs plink1.9 and plink2")
    more = [] if program.endswith("plink2") else ["--keep-allele-order", "--allow-extra-chr"]
    subprocess.run(
        [program, "--vcf", path, "--make-bed", "--out", tmp_path / "p", *more],
        check=True,
        capture_output=True,
    )
    return open_genotypes(tmp_path / "p.bed")


@pytest.mark.parametrize("program", ["plink1.9", "plink2"])
def test_calls_are_those_plink_makes(tmp_path, program):
    rng = np.random.default_rng(5)
    fine = ["0/0", "0/1", "1|0", "1|1", "./.", ".", "0", "1"]
    lines = [
        "\t".join(
            [
                "22",
                str(k + 1),
                f"r{k}",
                "AG",
                rng.choice(["C", "*", "<DEL>"]),
                ".",
                ".",
                ".",
                "GT",
                *rng.choice(fine, size=13),
            ]
        )
        + "\n"
        for k in range(50)
    ]
    path = written(tmp_path, lines, 13)
    ours, theirs = open_genotypes(path), plink_bed(tmp_path, program, path)
    assert np.array_equal(ours.calls(), theirs.calls())
    assert ours.variants.allele1.equals(theirs.variants.allele1)
    assert ours.variants.allele2.equals(theirs.variants.allele2)


def test_the_shared_vcf(shared_data, tmp_path):
    path = shared_data / "genotypes" / "kg_eur_chr22_358.vcf.gz"
    ours = open_genotypes(path)
    assert ours.shape == (358, 85485)
    assert ours.variants.on(22).all()
    theirs = plink_bed(tmp_path, "plink1.9", path)
    assert np.array_equal(
        ours.sources[0].packed(0, 85485), theirs.sources[0].packed(0, 85485)
    )  # so are all counts
    assert ours.variants.position.tolist() == theirs.variants.position.tolist()


@pytest.fixture
def bcf(tmp_path):
    """A BCF as htslib writes it, and the VCF it is of."""
    cyvcf2 = pytest.importorskip("cyvcf2", reason="cyvcf2 writes the BCF that is read here")
    rng = np.random.default_rng(7)
    gts = ["0/0", "0/1", "1|0", "1|1", "./.", ".", "0", "1", "./1", "0/1/1"]
    lines = []
    for k in range(40):
        many = k % 7 == 3
        cells = rng.choice(["0/1", "1/2", "./."] if many else gts, size=6)
        fields = "GT" if k % 2 else "DS:GT"
        cells = [c if k % 2 else f"1.5:{c}" for c in cells]
        alt = "C,GTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT,G" if many else "." if k == 5 else "C"
        name = "." if k % 5 == 0 else f"r{k}" * (1 + k)
        place = "chrX" if k > 30 else "22"
        fixed = [place, str(k + 1), name, "AG", alt, ".", "PASS", "AF=0.5", fields]
        lines.append("\t".join([*fixed, *cells]) + "\n")
    lines.append("22\t77\tds\tA\tC\t.\t.\t.\tDS\t" + "\t".join(["1"] * 6) + "\n")
    path = written(tmp_path, lines, 6)
    reader = cyvcf2.VCF(str(path))
    writer = cyvcf2.Writer(str(tmp_path / "made.bcf"), reader, "wb")
    for record in reader:
        writer.write_record(record)
    writer.close()
    return tmp_path / "made.bcf", path


def test_a_bcf_is_its_vcf(bcf):
    ours, text = map(open_genotypes, bcf)
    assert np.array_equal(codes_of(ours), codes_of(text))
    assert ours.variants.frame().equals(text.variants.frame())
    assert np.array_equal(ours.variants.broken, text.variants.broken)
    assert ours.samples.id.tolist() == text.samples.id.tolist()


def test_calls_are_those_of_cyvcf2(bcf):
    cyvcf2 = pytest.importorskip("cyvcf2")
    ours = open_genotypes(bcf[1])
    codes = codes_of(ours)
    for j, record in enumerate(cyvcf2.VCF(str(bcf[1]), gts012=True, strict_gt=True)):
        alleles = [] if "GT" not in record.FORMAT else record.genotype.array()[:, :-1]
        for i, each in enumerate(alleles):
            if len(record.ALT) < 2 and (each >= 0).all() and len(each) == 2:
                assert codes[j, i] == (3, 2, 0)[each.sum()]


def spoil(data, text):
    """Some bytes changed, and the end cut or moved."""
    text = bytearray(text)
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.one_of(st.integers(0, 255), st.sampled_from(b"\t\n\r:,/|.01")))
    cut = data.draw(st.sampled_from([0, 0, 0, 1, 7, len(text) // 2, len(text) - 3]))
    return bytes(text[: len(text) - cut]) + bytes(data.draw(st.sampled_from([0, 0, 1, 40])))


def opens_or_says(path):
    said = ""
    try:
        genotypes = open_genotypes(path)
        genotypes.variants.frame()
        genotypes.variants.on(22)
        assert genotypes.calls().shape == genotypes.shape
    except DataError as error:
        said = str(error)
    assert "\n" not in said


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage_to_a_vcf_is_one_line_or_opens(tmp_path, data):
    good = text_of([LINE, BAD["more"], LINE.replace("GT", "DS:GT"), LINE]).encode()
    path = tmp_path / "f.vcf"
    if data.draw(st.booleans()):
        path.write_bytes(spoil(data, good))
    else:
        path.write_bytes(spoil(data, bgzip(good)))
    opens_or_says(path)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage_to_a_bcf_is_one_line_or_opens(bcf, data):
    path, _ = bcf
    good = gzip.decompress(path.with_name("made.bcf").read_bytes())
    start = 9 + int.from_bytes(good[5:9], "little")
    spoiled = (
        good[:start] + spoil(data, good[start:]) if data.draw(st.booleans()) else spoil(data, good)
    )
    other = path.with_name("fuzzed.bcf")
    other.write_bytes(spoiled)
    opens_or_says(other)


@pytest.mark.parametrize("room", [1, 300, 1 << 26])
def test_as_many_records_are_read_together_as_there_is_room_for(bcf, monkeypatch, room):
    whole = [open_genotypes(path) for path in bcf]
    monkeypatch.setattr(vcf, "MAX_RECORDS_BYTES", room)
    for path, same in zip(bcf, whole, strict=True):
        found = open_genotypes(path)
        assert np.array_equal(codes_of(found), codes_of(same))
        assert found.variants.frame().equals(same.variants.frame())


@pytest.mark.parametrize("line", ["x", "22\t1\t.\tA\tC\t.\t.\t.\tDS\t0"])
def test_short_lines_take_no_more_room_than_long_ones(tmp_path, monkeypatch, line):
    """Each would take the calls of all samples."""
    monkeypatch.setattr(vcf, "MAX_RECORDS_BYTES", 1 << 14)
    path = tmp_path / "many.vcf.gz"
    n = 1000
    good = "22\t5\ta\tA\tC\t.\t.\t.\tGT" + "\t0/1" * n + "\n"
    path.write_bytes(gzip.compress(text_of([good, *[f"{line}\n"] * 5], n).encode()))
    assert open_genotypes(path).variants.broken.sum() == (5 if line == "x" else 0)
    path.write_bytes(gzip.compress(text_of([good, *[f"{line}\n"] * 5000], n).encode()))
    with pytest.raises(DataError, match="too short to have calls of 1,000 samples"):
        open_genotypes(path)


def test_a_head_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(vcf_head, "MAX_HEAD_BYTES", 1 << 10)
    monkeypatch.setattr(inflate, "CHUNK_BYTES", 100)
    monkeypatch.setattr(inflate, "COMPRESSED_BYTES", 100)
    path = tmp_path / "long.vcf"
    for text in ("##a\n" * 1000, "##a\n" + COLUMNS + "\ts" * 3000):
        path.write_text(text)
        with pytest.raises(DataError, match="no line #CHROM, or its end"):
            open_genotypes(path)


def test_a_byte_order_mark_is_skipped(tmp_path):
    path = written(tmp_path, [LINE])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert open_genotypes(path).shape == (3, 1)


def test_a_head_may_be_its_last_line_alone(tmp_path):
    path = tmp_path / "bare.vcf"
    path.write_text(COLUMNS + "\ts0\ts1\ts2\n" + LINE)
    assert codes_of(open_genotypes(path)).tolist() == [[2, 0, 3]]


def test_a_record_on_no_contig_has_no_calls(bcf):
    path, _ = bcf
    good = gzip.decompress(path.read_bytes())
    start = 9 + int.from_bytes(good[5:9], "little")
    path.write_bytes(good[: start + 8] + b"\x09" + good[start + 9 :])
    genotypes = open_genotypes(path)
    assert genotypes.variants.broken[0]
    assert (codes_of(genotypes)[0] == 1).all()


def test_a_record_whose_calls_would_end_behind_it_has_none(bcf):
    path, _ = bcf
    data = bytearray(gzip.decompress(path.read_bytes()))
    start = 9 + int.from_bytes(data[5:9], "little")
    shared, own = (int.from_bytes(data[at : at + 4], "little") for at in (start, start + 4))
    end = start + 8 + shared + own
    # its last field is GT: the type, 8-bit numbers, and how many each of six samples has
    size = next(k for k in (1, 2, 3) if data[end - 6 * k - 1] == k << 4 | 1)
    data[end - 6 * size - 1] += 1 << 4
    path.write_bytes(data)
    genotypes = open_genotypes(path)
    assert genotypes.variants.broken[:2].tolist() == [True, False]
    assert (codes_of(genotypes)[0] == 1).all()


def test_chromosomes_of_one_copy_and_other_records_are_as_plink2_has_them(tmp_path):
    lines = [
        "chr1\t5\tr1\tA\tG\t.\t.\t.\tGT\t0/1\t1|0\t.\t./.\n",
        "chr1\t6\tr2\tA\t<CN0>\t.\t.\t.\tGT:DS\t0/1:3\t1|1\t.:.\t0/0:9\n",
        "chr1\t7\tr3\tA\tG,T\t.\t.\t.\tGT\t0/1\t1/2\t2/2\t0/0\n",
        "chr1\t11\tr4\ta\tg\t.\tq10\t.\tGT\t1/1\t0/0\t0/1\t1|.\n",
        "chrX\t90000000\tr5\tA\tG\t.\t.\t.\tGT\t0\t1\t0/1\t1/1\n",
        "chrY\t9000000\tr6\tA\tG\t.\t.\t.\tGT\t0\t1\t.\t.\n",
        "chrM\t5\tr7\tA\tG\t.\t.\t.\tGT\t0\t1\t0\t.\n",
    ]
    path = tmp_path / "made.vcf"  # without lines of contigs, as on Windows
    head = re.sub("##contig.*\n", "", text_of([], 4))
    path.write_bytes((head + "".join(lines)).replace("\n", "\r\n").encode())
    (tmp_path / "sex").write_text("#IID SEX\ns0 1\ns1 1\ns2 2\ns3 2\n")
    asked = [
        "--vcf",
        path,
        "--vcf-half-call",
        "m",
        "--max-alleles",
        "2",
        "--update-sex",
        "sex",
        "--make-bed",
    ]
    theirs = open_genotypes(f"{run_plink('plink2', tmp_path, *asked)}.bed")
    ours = open_genotypes(path)
    assert np.flatnonzero(ours.variants.broken).tolist() == [2]
    ours = ours.subset(variants=~ours.variants.broken)
    assert np.array_equal(ours.calls(), theirs.calls())
    assert ours.variants.id.equals(theirs.variants.id)
    for chromosome in (1, "X", 24, "MT"):
        places = ours.variants.on(chromosome)
        assert places.any()
        assert np.array_equal(places, theirs.variants.on(chromosome))
