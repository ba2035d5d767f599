"""Genes of GTF and BED files, and which are nearest."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import DataError
from tamis.genome import Genes, read_genes
from tamis.genome.readers import inflate
from tamis.genome.scans import genes as genes_module

GTF = """#!genome-build GRCh38
chr1\tHAVANA\tgene\t100\t200\t.\t+\t.\tgene_id "ENSG1.1"; gene_type "x"; gene_name "AB1"; level 2;
chr1\tHAVANA\ttranscript\t100\t150\t.\t+\t.\tgene_id "ENSG1.1"; gene_name "AB1";
chr1\tHAVANA\texon\tx\ty\t.\t+\t.\tgene_id "ENSG1.1";
chr1\tHAVANA\tgene\t150\t300\t.\t-\t.\tgene_id "ENSG2.3"; havana_gene_name "no";
X\tensembl\tgene\t5\t9\t.\t-\t.\tgene_id "ENSG3"; gene_name "";
"""
BED = """track name=genes description="x"
# genes
browser position chr1:1-2
chr1\t99\t200\tAB1\t0\t+
chr1\t149\t300\tENSG2.3

X\t4\t9\tENSG3
"""


def read(folder, content, name="genes.txt"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_genes(path)


@pytest.mark.parametrize(
    "content",
    [
        GTF,
        GTF.replace("\n", "\r\n"),
        BED,
        BED.replace("\t", "  "),
        BED.replace("\n", "\r"),
        "\ufeff" + BED,
        GTF.rstrip("\n"),
    ],
)
def test_either_format(tmp_path, content):
    for found in (read(tmp_path, content), read(tmp_path, gzip.compress(content.encode()), "g.gz")):
        assert len(found) == 3
        assert {name: names.tolist() for name, names in found.names.items()} == {
            "1": ["AB1", "ENSG2.3"],
            "23": ["ENSG3"],
        }
        assert found.starts["1"].tolist() == [100, 150]
        assert found.ends["1"].tolist() == [200, 300]
        assert found.nearest("23", 4) == (["ENSG3"], 1)


def test_small_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(inflate, "CHUNK_BYTES", 9)
    monkeypatch.setattr(inflate, "COMPRESSED_BYTES", 4)
    test_either_format(tmp_path, GTF)
    test_either_format(tmp_path, BED)


@pytest.mark.parametrize(
    ("position", "wanted"),
    [
        (99, (["AB1"], 1)),
        (100, (["AB1"], 0)),
        (150, (["AB1", "B"], 0)),
        (200, (["AB1", "B"], 0)),
        (201, (["B"], 0)),
        (310, (["B"], 10)),
        (345, (["B", "C"], 45)),
        (346, (["C"], 44)),
        (10**12, (["C"], 10**12 - 400)),
    ],
)
def test_nearest(position, wanted):
    genes = Genes.of(
        [
            ("chr1", 390, 400, "C"),
            ("1", 100, 200, "AB1"),
            ("1", 150, 300, "B"),
            ("1", 160, 170, "AB1"),
        ]
    )
    assert genes.nearest("chr1", position) == genes.nearest(1, position) == wanted
    assert genes.nearest("2", position) == ([], None)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 30), position=st.integers(1, 120))
def test_nearest_is_that_of_all_base_pairs(seed, n, position):
    rng = np.random.default_rng(seed)
    starts = rng.integers(1, 100, n)
    ends = starts + rng.integers(0, 20, n)
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    spans = [("7", first, last, f"g{k}") for k, (first, last) in enumerate(pairs)]
    far = {name: min(abs(x - position) for x in range(a, b + 1)) for _, a, b, name in spans}
    names, distance = Genes.of(spans).nearest("7", position)
    assert distance == min(far.values())
    assert sorted(names) == sorted(name for name in far if far[name] == distance)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "has no gene"),
        ("# nothing\n", "has no gene"),
        (GTF.replace("\tgene\t", "\texon\t"), "has no line whose feature is 'gene'"),
        ("chr1\t5\t9\n", "line 1: a gene has no name: a BED of genes has four columns"),
        ("chr1\t5\t9\tA\nchr1\tx\t9\tB\n", "line 2: a gene goes from 'x' to '9'"),
        ("chr1\t5\n", "line 1: a gene has no name"),
        ("chr1\t-5\t9\tA\n", "from '-5' to '9'"),
        ("chr1\t9\t5\tA\n", "from 10 to 5: it ends before it starts"),
        ("chr1\t5\t9999999999999\tA\n", "whole numbers"),
        ("chr1\t5\t9\t" + "A" * 300 + "\n", "a gene's name has 300 letters"),
        (GTF.replace("200", "20"), "line 2: a gene goes from 100 to 20: it ends"),
        (GTF.replace("100\t200", "1e2\t200"), "line 2: a gene goes from '1e2' to '200'"),
        (GTF.replace('gene_id "ENSG2.3"', "x"), "line 5: a gene has no gene_name and no gene_id"),
        ('1\ta\tgene\t5\t9\t.\t+\t.\tgene_id "A"\n1\ta\tgene\t5\n', "line 2: a gene has no"),
        ("##gff-version 3\nchr1\tx\tgene\t5\t9\t.\t+\t.\tID=gene:A\n", "is GFF3: give"),
        (b"\xff\xfec\x00", "is UTF-16 text"),
        (gzip.compress(BED.encode() * 99)[:-9], "cut short"),
    ],
)
def test_faults_are_one_line(tmp_path, content, words):
    with pytest.raises(DataError, match=words) as told:
        read(tmp_path, content)
    assert "\n" not in str(told.value)


def test_too_many_and_nowhere(tmp_path, monkeypatch):
    monkeypatch.setattr(genes_module, "MAX_GENES", 2)
    with pytest.raises(DataError, match="has more than 2 genes"):
        read(tmp_path, BED)
    with pytest.raises(DataError, match="is a folder: a GTF or BED file of genes is needed"):
        read_genes(tmp_path)
    with pytest.raises(DataError, match="is not there"):
        read_genes(tmp_path / "none.gtf")
