"""Tables of platforms: the symbols of probe sets in every format, and what is refused."""

from __future__ import annotations

import gzip

import pytest

from expression.reading.annotation_files import EASY, GENES, TABLES, annot, gpl, maker_csv
from expression.reading.soft_files import family, matrix
from tamis._core.errors import DataError
from tamis.expression import read_annotation, read_geo
from tamis.expression.annotation import Annotation

WANTED = {probe: set(genes) for probe, genes in GENES.items()}


@pytest.fixture
def reads(tmp_path):
    """A function that writes bytes, or parts of them, and reads them."""

    def of(data, *args, **kwargs):
        if isinstance(data, dict):
            data = b"".join(data.values())
        path = tmp_path / "table.txt"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return read_annotation(path, *args, **kwargs)

    return of


def as_sets(annotation):
    return {p: set(s) for p, s in zip(annotation.probes, annotation.symbols, strict=True)}


@pytest.mark.parametrize("name", TABLES)
def test_every_format_has_the_same_genes(reads, name):
    found = reads(TABLES[name]())
    assert as_sets(found) == WANTED
    assert list(found.probes) == list(GENES)
    assert found.genes()["1007_s_at"] == ("DDR1",)
    assert found.name == ("GPL96" if name == "annot" else "table.txt")


@pytest.mark.parametrize("name", TABLES)
def test_a_file_packed_by_gzip_with_other_line_ends_or_a_mark(reads, name):
    data = b"".join(TABLES[name]().values())
    for other in (gzip.compress(data), data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data):
        assert as_sets(reads(other)) == WANTED


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (EASY, "Symbol"),
        (EASY.replace(";", "\t"), "Symbol"),
        (EASY.replace(";", ","), "Symbol"),
        (EASY.replace("ID;Symbol", "PROBEID;SYMBOL"), "SYMBOL"),
        (EASY.replace("ID;Symbol", "Probe_Id;ILMN_Gene"), "ILMN_Gene"),
        (EASY.replace("ID;Symbol", "ID;GENE_SYMBOL"), "GENE_SYMBOL"),
        (EASY.replace("ID;Symbol", "affy_hg_u133a;hgnc_symbol"), "hgnc_symbol"),
        (EASY.replace("ID;Symbol", '"ID";"Gene symbol"'), "Gene symbol"),
    ],
)
def test_plain_tables_by_the_usual_headings(reads, text, column):
    found = reads(text)
    assert as_sets(found) == WANTED
    assert found.column == column


def test_symbols_before_other_columns_of_genes(reads):
    """Illumina has both; Agilent's GENE holds numbers."""
    assert reads("ID\tILMN_Gene\tSymbol\na\tHS.5\tTP53\n").column == "Symbol"
    assert reads("ID\tGENE\tGENE_SYMBOL\na\t7157\tTP53\n").genes() == {"a": ("TP53",)}
    with pytest.raises(DataError, match="has numbers in its column 'GENE', not symbols"):
        reads("ID\tGENE\tTITLE\na\t7157\ttumor protein\n")
    assert reads("ID\tGENE\na\t7157\n", "GENE").genes() == {"a": ("7157",)}


def test_several_rows_of_a_probe_set_are_taken_together(reads):
    found = reads("PROBEID,SYMBOL\na,DDR1\nb,NA\na,MIR4640\na,DDR1\n")
    assert found.symbols == (("DDR1", "MIR4640"), ())


def test_columns_that_are_named(reads):
    text = "spot\tname\tthe gene\n1\ta_at\tTP53\n"
    assert reads(text, "the gene", probes="name").genes() == {"a_at": ("TP53",)}
    assert reads(text, "The_Gene").genes() == {"1": ("TP53",)}


def test_a_family_file_is_read_up_to_its_samples(reads, tmp_path):
    parts = family()
    assert reads(parts).genes() == {"a_at": ("DDR1",), "b_at": ("RFC2",), "c_at": ()}
    parts["GSM1_text"] = b"^SAMPLE = GSM1\n\xff\x00"
    found = reads(parts, platform="GPL96")
    assert found.name == "GPL96"
    whole = tmp_path / "GSE1_family.soft"
    whole.write_bytes(b"".join(family().values()))
    assert read_geo(whole).annotation("GPL96") == found


def test_of_several_platforms_one_is_named(reads):
    second = b"!platform_table_begin\nID\tSymbol\nx_at\tPAX8\n!platform_table_end\n"
    parts = family()
    parts["platform_text"] += second
    with pytest.raises(DataError, match="has tables of 2 platforms: name one of 'GPL96', 'GPL570'"):
        reads(parts)
    assert reads(parts, platform="GPL570").genes() == {"x_at": ("PAX8",)}
    with pytest.raises(DataError, match="has no table of 'GPL97': did you mean 'GPL96'"):
        reads(parts, platform="GPL97")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"#ID = only remarks\n", "has no table of a platform"),
        (matrix(), "a series matrix file has none: give the platform's own"),
        ("ID\tTitle\na\tb\n", "no column of gene symbols among 'ID', 'Title': give its column the"),
        ("ID\tSymbol\na\tb\n".encode("utf-16"), "is no text in UTF-8: save it as such"),
        ("Symbol\nTP53\n", "has one column for probe sets and symbols, 'Symbol'"),
        ("ID\tSymbol\na\t---\n", "names no gene in its column 'Symbol'"),
        ("ID\tSymbol\n", "names no gene in its column 'Symbol'"),
        ("ID\tSymbol\na\tb\tc\n", "one field longer than the heading"),
        ("ID\tSymbol\na\tb\na\tb\tc\n", "its line 3 is of 3 fields in a table of 2 columns"),
        ('ID,Symbol\n"a,b\n', "its line 2 is one whose quotes are not closed"),
        (annot()["head_text"] + annot()["table_text"][:-20], "has no !platform_table_end"),
        ("ID\tSymbol\na\t" + "b" * (1 << 20) + "c\n", "symbols of more than 1,048,576 letters"),
        (gzip.compress(b"".join(gpl().values()))[:-9], "is a damaged gzip file"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(reads, data, says):
    with pytest.raises(DataError, match=says) as error:
        reads(data)
    assert "table.txt" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (
            {"symbols": "Gene Simbol"},
            "has no column 'Gene Simbol' .symbols=.: did you mean 'Gene S",
        ),
        ({"probes": "GI"}, "has no column 'GI' .probes=.: choose from 'Probe Set ID'"),
    ],
)
def test_a_column_that_is_not_there(reads, columns, says):
    with pytest.raises(DataError, match=says):
        reads(maker_csv(), **columns)


def test_a_line_beyond_the_bound(reads, monkeypatch):
    monkeypatch.setenv("TAMIS_LONGEST_LINE", "1000")
    with pytest.raises(DataError, match="its line 2 is longer than"):
        reads("ID\tSymbol\na\t" + "b" * 1000 + "\n")


def test_rows_and_columns_beyond_the_bound(reads, monkeypatch):
    monkeypatch.setenv("TAMIS_MOST_ROWS", "2")
    with pytest.raises(DataError, match="has 3 rows, and at most 2 are read"):
        reads("ID\tSymbol\na\tA\na\tA\na\tA\n")
    monkeypatch.setenv("TAMIS_MOST_COLUMNS", "2")
    with pytest.raises(DataError, match="has 3 columns, and at most 2 are read"):
        reads("ID\tSymbol\tTitle\na\tA\tb\n")


def test_a_file_that_unpacks_without_end(reads, monkeypatch):
    monkeypatch.setattr("tamis.data.limits.MAX_EXPANDED_BYTES", 0)
    monkeypatch.setenv("TAMIS_MOST_EXPANSION", "10")
    with pytest.raises(DataError, match="unpacks to more than"):
        reads(gzip.compress(b"ID\tSymbol\n" + b"a\tTP53\n" * 100_000))


def test_what_is_said_of_one(reads):
    found = reads(annot())
    assert found.to_dict() == {
        "name": "GPL96",
        "column": "Gene symbol",
        "n_probe_sets": 5,
        "n_unmapped": 1,
        "n_several": 1,
        "n_genes": 3,
    }
    assert found.summary() == "GPL96: 5 probe sets of 3 genes; 1 without a gene, 1 of several"
    table = found.frame()
    assert table.loc["1007_s_at"].tolist() == ["DDR1", "MIR4640 /// DDR1"]
    assert table.loc["117_at"].tolist() == ["", ""]
    assert Annotation.of(table["symbols"], "GPL96", "Gene symbol") == found
