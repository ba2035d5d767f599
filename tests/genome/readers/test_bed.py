"""PLINK's files opened: what they hold, and one clear line for what is none."""

from __future__ import annotations

import os
import pickle
import shutil

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from common.examples import settings
from genome.sets import MAGIC, random_codes, write_bed
from tamis._core.errors import DataError
from tamis.genome import mtd_scan, open_genotypes
from tamis.genome.readers.samples import read_fam
from tamis.genome.readers.variants import count_lines

COPIES = np.array([2, -1, 1, 0])
UNREAD = "broken line"


@pytest.fixture
def bed(tmp_path):
    return write_bed(tmp_path / "made", random_codes(0, 12, 23))


def test_calls_are_those_written(bed):
    genotypes = open_genotypes(bed)
    assert genotypes.shape == (23, 12)
    np.testing.assert_array_equal(genotypes.calls(), COPIES[random_codes(0, 12, 23)].T)
    np.testing.assert_array_equal(genotypes.calls([3, 1]), genotypes.calls()[:, [3, 1]])
    assert genotypes.samples.frame().loc[2].tolist() == ["f2", "s2", "0", "0", 1, "1"]
    assert genotypes.variants.frame().loc[2].tolist() == ["1", "v2", 201, "A", "G"]


@pytest.mark.parametrize("ending", ["", ".bed", ".bim", ".fam"])
def test_any_of_the_three_names_will_do(bed, ending):
    assert open_genotypes(bed.with_suffix("").as_posix() + ending).shape == (23, 12)


def test_bed_reader_reads_the_same(shared_data):
    bed_reader = pytest.importorskip("bed_reader")
    for name in ("hapmap3_957", "hlc_427"):
        path = shared_data / "genotypes" / f"{name}.bed"
        places = np.arange(0, 14000, 97)
        theirs = bed_reader.open_bed(path, count_A1=True, num_threads=1).read(places, dtype="int8")
        theirs[theirs == -127] = -1
        np.testing.assert_array_equal(open_genotypes(path).calls(places), theirs)


BROKEN = {
    "no .bed": (lambda p: p.unlink(), "'made.bed' is missing"),
    "no .bim": (lambda p: p.with_suffix(".bim").unlink(), "'made.bim' is missing"),
    "no .fam": (lambda p: p.with_suffix(".fam").unlink(), "'made.fam' is missing"),
    "empty": (lambda p: p.write_bytes(b""), "begins with nothing"),
    "magic": (lambda p: p.write_bytes(b"PLINK" + p.read_bytes()), "no .bed of PLINK 1"),
    "gzip": (lambda p: p.write_bytes(b"\x1f\x8b" + p.read_bytes()), "decompress"),
    "sample-major": (lambda p: p.write_bytes(MAGIC[:2] + b"\0" + p.read_bytes()[3:]), "--make-bed"),
    "head only": (lambda p: p.write_bytes(MAGIC[:2]), "cut short"),
    "a byte short": (lambda p: p.write_bytes(p.read_bytes()[:-1]), "11 variants and 5 bytes"),
    "a byte long": (lambda p: p.write_bytes(p.read_bytes() + b"\0"), "12 variants and 1 byte"),
    "a line less in .bim": (
        lambda p: p.with_suffix(".bim").write_text(p.with_suffix(".bim").read_text()[:100]),
        "it holds 12 variants",
    ),
    "four samples more": (
        lambda p: p.with_suffix(".fam").write_text(
            p.with_suffix(".fam").read_text() + "".join(f"x x{i} 0 0 1 1\n" for i in range(4))
        ),
        "not of one data set",
    ),
    "empty .bim": (lambda p: p.with_suffix(".bim").write_text("\n \n"), "has no variants"),
    "empty .fam": (lambda p: p.with_suffix(".fam").write_text(""), "has no samples"),
    "short .fam line": (
        lambda p: p.with_suffix(".fam").write_text("f s 0 0 1\n"),
        "line 1: 5 fields",
    ),
    "twins": (
        lambda p: p.with_suffix(".fam").write_text("f s 0 0 1 1\n" * 23),
        "samples twice",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_is_told_in_one_line(bed, what):
    spoil, says = BROKEN[what]
    spoil(bed)
    with pytest.raises(DataError, match=says) as caught:
        open_genotypes(bed)
    assert "\n" not in str(caught.value)


def test_no_file_and_unknown_formats(tmp_path):
    with pytest.raises(DataError, match="there is no"):
        open_genotypes(tmp_path / "nothing")
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(DataError, match="are read from"):
        open_genotypes(tmp_path / "a.txt")
    with pytest.raises(DataError, match="no file"):
        open_genotypes([])


def test_a_byte_order_mark_is_no_part_of_a_name(bed):
    for ending in (".bim", ".fam"):
        path = bed.with_suffix(ending)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    genotypes = open_genotypes(bed)
    assert genotypes.samples.family[0] == "f0"
    assert genotypes.subset(chromosome=1).shape == (23, 12)


def test_a_lone_carriage_return_ends_no_line(bed):
    bim = bed.with_suffix(".bim")
    bim.write_bytes(bim.read_bytes().replace(b"v3", b"v\r3").replace(b"\tv5", b"\r\tv5"))
    variants = open_genotypes(bed).variants
    assert np.flatnonzero(variants.broken).tolist() == [3]
    assert variants.id.to_pylist()[4:7] == ["v4", "v5", "v6"]


def test_a_broken_line_costs_its_variant_alone(bed):
    bim = bed.with_suffix(".bim")
    lines = bim.read_text().splitlines()
    lines[2], lines[5], lines[7] = "rubbish", "1\tv5\t0\tfar\tA\tG", "1 v7  0 -5 A G"
    bim.write_text("\n".join(lines) + "\n\n")
    genotypes = open_genotypes(bed)
    assert np.flatnonzero(genotypes.variants.broken).tolist() == [2, 5]
    scan = mtd_scan(genotypes, permutations=19)
    assert scan.dropped()[["SNP", "REASON"]].to_numpy().tolist() == [
        ["", UNREAD],
        ["v5", UNREAD],
        ["v7", "negative position"],
    ]
    assert len(scan.frame()) == 9
    kept = mtd_scan(genotypes.subset(variants=np.flatnonzero(scan.reasons == 0)), permutations=19)
    np.testing.assert_array_equal(kept.largest, scan.largest)  # the best of all is of those kept


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_spoiled_files_are_told_or_read(tmp_path_factory, data):
    """Bytes cut off, put in and changed at any place of any of the three files."""
    folder = tmp_path_factory.mktemp("fuzz")
    path = write_bed(folder / "made", random_codes(1, 6, 9))
    spoiled = path.with_suffix(data.draw(st.sampled_from([".bed", ".bim", ".fam"])))
    content = bytearray(spoiled.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        kind = data.draw(st.sampled_from(["cut", "insert", "change"]))
        if kind == "cut":
            del content[at : at + data.draw(st.integers(1, 40))]
        elif kind == "insert":
            content[at:at] = data.draw(st.binary(max_size=12))
        elif at < len(content):
            content[at] = data.draw(st.integers(0, 255))
    spoiled.write_bytes(bytes(content))
    try:
        genotypes = open_genotypes(path)
        found = genotypes.variants, genotypes.calls()
    except DataError as error:
        told = str(error)
    else:
        told = ""
        assert len(found[0]) == genotypes.shape[1] == found[1].shape[1]
    assert "\n" not in told
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", 0),
        (b"\n \r\n", 0),
        (b"a", 1),
        (b"a\n", 1),
        (b"a\n\nb\r\n", 3),
        (b"a\n \n\n", 1),
        (b"a\n" + b" \n" * 5000, 1),
        (b"x" * 5000 + b"\nb" + b"\n" * 4096, 2),
    ],
)
def test_lines_are_counted_but_for_empty_ones_at_the_end(tmp_path, text, lines):
    (tmp_path / "x").write_bytes(text)
    assert count_lines(tmp_path / "x") == lines


def test_a_header_of_a_fam_is_no_sample(tmp_path):
    """Nine samples take as many bytes as ten."""
    bed = write_bed(tmp_path / "made", random_codes(0, 12, 9))
    fam = bed.with_suffix(".fam")
    people = fam.read_text()
    for header in ("#FID IID PAT MAT SEX PHENO1\n", "FID\tIID\tPAT\tMAT\tSEX\tsick\r\n"):
        fam.write_text(header + people)
        assert open_genotypes(bed).samples.id.tolist() == [f"s{i}" for i in range(9)]
    fam.write_text("#IID SEX PAT MAT A B\n" + people)
    with pytest.raises(DataError, match="its first line names '#IID"):
        open_genotypes(bed)


def test_sexes_in_letters(bed):
    fam = bed.with_suffix(".fam")
    fam.write_text(
        "".join(f"f s{i} 0 0 {sex} 1\n" for i, sex in enumerate("MFmf120?x--xxxxxxxxxxxx"))
    )
    assert open_genotypes(bed).samples.sex.tolist() == [1, 2, 1, 2, 1, 2, *[0] * 17]


def test_a_bim_without_morgans(bed):
    whole = open_genotypes(bed).variants.frame()
    bim = bed.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\t0\t", "\t"))
    assert open_genotypes(bed).variants.frame().equals(whole)


@pytest.mark.parametrize("line", [0, 11])
def test_a_line_may_be_larger_than_a_block_of_the_parser(bed, line):
    bim = bed.with_suffix(".bim")
    lines = bim.read_text().splitlines()
    lines[line] += "G" * (5 << 20)
    lines[5] = "rubbish"
    bim.write_text("\n".join(lines))
    variants = open_genotypes(bed).variants
    assert np.flatnonzero(variants.broken).tolist() == [5]
    assert len(variants.allele2[line].as_py()) == (5 << 20) + 1


def test_a_bed_that_is_shortened_while_it_is_read_is_told(bed):
    genotypes = open_genotypes(bed)
    mtd_scan(genotypes)
    os.truncate(bed, 40)
    with pytest.raises(DataError, match="shortened while it was read: it had 75 bytes and has 40"):
        mtd_scan(genotypes)
    with pytest.raises(DataError, match="is cut short"):
        pickle.loads(pickle.dumps(genotypes))


def test_pickled_is_opened_anew(bed):
    genotypes = open_genotypes(bed).subset(variants=[1, 4])
    again = pickle.loads(pickle.dumps(genotypes))
    np.testing.assert_array_equal(again.calls(), genotypes.calls())


@pytest.mark.parametrize(
    ("values", "says"),
    [("01", r"\(0 is unknown\) has one class only, '1'"), ("00", "says no class of any sample")],
)
def test_cases_of_one_are_told(tmp_path, values, says):
    phenotypes = [values[i % 2] for i in range(9)]
    genotypes = open_genotypes(write_bed(tmp_path / "m", random_codes(0, 3, 9), phenotypes))
    with pytest.raises(DataError, match=says):
        mtd_scan(genotypes)


def test_parents_are_read_by_their_places(tmp_path):
    (tmp_path / "c.fam").write_text("f1 s1 dad mum 1 2\nf1 s2 0 0 2 1\n")
    found = read_fam(tmp_path / "c.fam")
    assert found.father.tolist() == ["dad", "0"]
    assert found.mother.tolist() == ["mum", "0"]
