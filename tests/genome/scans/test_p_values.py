"""Tables of p-values as programs write them, and as they arrive damaged."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bed_files import write_cohort
from genome.clumped import draw_linked
from genome.plink import run_plink
from tamis._core.errors import DataError
from tamis.genome import mtd_scan, open_genotypes, read_p_values
from tamis.genome.blocks.tables import write_table
from tamis.genome.readers import inflate, text_blocks
from tamis.genome.readers.text_blocks import tabs_for_blanks


def read(folder, content, name="a.txt", **columns):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = read_p_values(path, **columns)
    return list(zip(found.ids.to_pylist(), found.values.tolist(), strict=True))


@pytest.mark.parametrize(
    "content",
    [
        "SNP\tP\nrs1\t0.5\nrs2\t1e-300\n",
        "SNP\tP\r\nrs1\t0.5\r\nrs2\t1e-300\r\n",
        "SNP\tP\rrs1\t0.5\rrs2\t1e-300",
        "\ufeffSNP\tP\nrs1\t0.5\nrs2\t1e-300",
        "\n\nSNP\tP\n\nrs1\t0.5\n\t\n\nrs2\t1e-300\n\n",
        "CHR,SNP,P\n1,rs1,.5\n1,rs2,1E-300\n",
        '"CHR","SNP","P"\n"1","rs1","0.5"\n"1","rs2","1e-300"\n',
        "P;SNP\n0.5;rs1\n+1e-300;rs2\n",
        "  CHR   SNP     P  \n   1   rs1  .500  \n  22   rs2 1e-300\n   \n",
        '"SNP" "P"\n"rs1" 0.5\n"rs2" 1e-300\n',
        "SNP\tNOTE\tP\nrs1\t\t0.5\nrs2\tx y\t 1e-300 \n",
    ],
)
def test_fields_however_they_are_divided(tmp_path, content):
    assert read(tmp_path, content) == [("rs1", 0.5), ("rs2", 1e-300)]
    packed = gzip.compress(content.encode())
    assert read(tmp_path, packed, "a.gz") == [("rs1", 0.5), ("rs2", 1e-300)]


def test_missing_p_values(tmp_path):
    marks = ("", "NA", "N/A", "nan", "NaN", ".", "null")
    found = read(tmp_path, "SNP\tP\n" + "".join(f"v\t{mark}\n" for mark in marks))
    assert len(found) == len(marks)
    assert all(np.isnan(p) for _, p in found)


def test_quotes_and_apostrophes(tmp_path):
    table = "SNP,P\n\"a,b\",0.5\n'c',0.25\n'=d,0.125\n"
    assert read(tmp_path, table) == [("a,b", 0.5), ("c", 0.25), ("=d", 0.125)]


def test_small_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(inflate, "CHUNK_BYTES", 7)
    monkeypatch.setattr(inflate, "COMPRESSED_BYTES", 5)
    rows = [(f"rs{k}", round(0.001 * k, 3)) for k in range(200)]
    for end in ("\n", "\r\n", "\r"):
        text = f" SNP  P {end}" + "".join(f"  {name}   {p} {end}" for name, p in rows)
        assert read(tmp_path, text) == rows
        assert read(tmp_path, gzip.compress(text.encode())) == rows
        with pytest.raises(DataError, match=r"line 202: a p-value of '2'"):
            read(tmp_path, f"{text}x 2{end}")


@given(st.text(" \tab\n", max_size=60))
def test_blanks_as_python_splits_them(text):
    block = text.encode() + b"\n"
    wanted = [b"\t".join(line.split()) for line in block.split(b"\n")]
    assert tabs_for_blanks(block).split(b"\n") == wanted


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "'a.txt' is empty"),
        ("\n \n", "'a.txt' is empty"),
        ("abc\n1\n", "its first line is 'abc'"),
        ('SNP,P\n"a,0.1\nb",0.2\n', "from line 2 on: a quoted text goes on"),
        ("  \n\t\nSNP P\n\nv 7\n", "line 5: a p-value of '7'"),
        ("SNP\tPP\nv\t1\n", "no column p='P': did you mean 'PP'"),
        ("NAME P\nv 1\n", "no column snp='SNP': choose from 'NAME', 'P'"),
        ("rs ps beta\nv 1 1\n", "no column p='P': did you mean 'ps'"),
        ("ID LOG10P\nv -1\n", "line 2: -log10 p of '-1', where one is a number of 0 or more"),
        ("SNP x y\nv 1 2\n", "no column p='P': choose from"),
        ("SNP P P\nv 1 1\n", "has the column 'P' twice"),
        ("SNP P\nv 1\nw -0.1\n", "line 3: a p-value of '-0.1', where one is a number from 0 to 1"),
        ("SNP P\n\nv 1.01\n", "line 3: a p-value of '1.01'"),
        ("SNP P\nv inf\n", "line 2: a p-value of 'inf'"),
        ("SNP P\nv 0.1\nw abc\n", "line 3: a p-value of 'abc'"),
        ("SNP P\nv 0x1\n", "line 2: a p-value of '0x1'"),
        ("SNP P\nv 0.1\n\nw 0.1 0.2\n", "line 4: 3 fields, where the header names 2"),
        ("SNP\tP\nv\n", "line 2: 1 field, where the header names 2"),
        (b"\xff\xfeS\x00N\x00", "is UTF-16 text"),
        (b"\x1f\x8b\x08\x00abcdefgh", "damaged|cut short"),
        (gzip.compress(b"SNP P\nv 0.1\n" * 99, mtime=0)[:-9], "cut short"),
    ],
)
def test_faults_are_one_line(tmp_path, content, words):
    with pytest.raises(DataError, match=words) as told:
        read(tmp_path, content)
    assert "\n" not in str(told.value)


def test_what_is_no_file(tmp_path):
    with pytest.raises(DataError, match="is a folder: a table of p-values is needed"):
        read_p_values(tmp_path)
    with pytest.raises(DataError, match="is not there"):
        read_p_values(tmp_path / "none.txt")


def test_endless_lines_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(inflate, "CHUNK_BYTES", 1 << 16)
    monkeypatch.setattr(text_blocks, "LINE_BYTES", 1 << 20)
    with pytest.raises(DataError, match="a line of more than 1 MB"):
        read(tmp_path, gzip.compress(b"SNP P\n" + b"x" * (1 << 22)))


def test_bytes_that_are_no_text(tmp_path):
    assert read(tmp_path, b"SNP\tP\n\xff\xfe\t0.5\n") == [("\ufffd\ufffd", 0.5)]
    assert read(tmp_path, b"SNP\tP\na\x00b\t0.5\n") == [("a\x00b", 0.5)]


def test_header_only(tmp_path):
    assert read(tmp_path, "SNP\tP\n") == read(tmp_path, "SNP P") == []


def test_tables_of_programs(tmp_path):
    path = write_cohort(
        tmp_path / "made", draw_linked(1, 60), phenotype=[1, 2] * 30 + [1], sex=[1] * 61
    )
    bfile = ("--bfile", path)
    ids = [f"v{j}" for j in range(60)]
    run_plink("plink1.9", tmp_path, *bfile, "--assoc")
    assert read_p_values(tmp_path / "out.assoc").ids.to_pylist() == ids
    run_plink("plink1.9", tmp_path, *bfile, "--logistic", "genotypic")
    found = read_p_values(tmp_path / "out.assoc.logistic")
    assert found.ids.to_pylist() == ids
    assert (found.tests, found.test) == (("ADD", "DOMDEV", "GENO_2DF"), "ADD")
    other = read_p_values(tmp_path / "out.assoc.logistic", test="DOMDEV")
    assert other.ids.to_pylist() == ids
    assert other.values.tolist() != found.values.tolist()
    with pytest.raises(DataError, match="no rows of test='DOM': did you mean 'DOMDEV'"):
        read_p_values(tmp_path / "out.assoc.logistic", test="DOM")
    rng = np.random.default_rng(0)
    covariates = "".join(f"f i{i} {a:.4f}\n" for i, a in enumerate(rng.normal(size=61)))
    (tmp_path / "c.txt").write_text("#FID IID AGE\n" + covariates)
    with_age = ("--glm", "cols=+a1freq", "--covar", "c.txt", "--covar-variance-standardize")
    run_plink("plink2", tmp_path, *bfile, *with_age)
    file = next(tmp_path.glob("out.*.glm.*"))
    assert read_p_values(file).ids.to_pylist() == ids
    plain = read_p_values(file).values
    run_plink("plink2", tmp_path, *bfile, "--glm", "log10", *with_age[1:])
    found = read_p_values(next(tmp_path.glob("out.*.glm.*")))
    assert (found.p, found.snp, found.test) == ("LOG10_P", "ID", "ADD")
    np.testing.assert_allclose(found.values, plain, rtol=1e-4)
    run_plink("plink2", tmp_path, *bfile, "--glm", "allow-no-covars")
    found = read_p_values(next(tmp_path.glob("out.*.glm.*")), snp="ID")
    assert found.ids.to_pylist() == ids
    assert 0 < np.nanmin(found.values) < 1
    scan = mtd_scan(open_genotypes(path), permutations=19)
    write_table(scan.table(), tmp_path / "mtd.tsv")
    for column, wanted in (("P", scan.p_values), ("P_MAXT", scan.p_adjusted)):
        values = read_p_values(tmp_path / "mtd.tsv", p=column).values
        np.testing.assert_array_equal(values, wanted[scan.reasons == 0])


@pytest.mark.parametrize(
    ("header", "p", "snp"),
    [
        (
            "CHROM GENPOS ID ALLELE0 A1FREQ TEST BETA SE LOG10P EXTRA",
            "LOG10P",
            "ID",
        ),
        (
            "CHR POS MarkerID Allele1 Allele2 BETA SE p.value",
            "p.value",
            "MarkerID",
        ),
        ("chromosome base_pair_location beta p_value rsid", "p_value", "rsid"),
        ("chromosome variant_id neg_log_10_p_value", "neg_log_10_p_value", "variant_id"),
        ("#chrom pos rsids pval mlogp rsid", "mlogp", "rsid"),
        ("chr rs ps n_miss allele1 allele0 af beta se logl_H1 l_remle p_wald", "p_wald", "rs"),
        ("ID P", "P", "ID"),
        ("SNP P LOG10P", "P", "SNP"),
    ],
)
def test_columns_of_programs_are_found(tmp_path, header, p, snp):
    """0.3 is a p-value, or -log10 of one."""
    names = header.removeprefix("#").split()
    cells = {p: "0.3", snp: "v7", "TEST": "ADD"}
    (tmp_path / "t.txt").write_text(f"{header}\n{' '.join(cells.get(n, '1') for n in names)}\n")
    found = read_p_values(tmp_path / "t.txt")
    assert (found.p, found.snp, found.ids.to_pylist()) == (p, snp, ["v7"])
    assert found.values[0] == pytest.approx(0.3 if p[0] in "Pp" else 10**-0.3)


@pytest.mark.parametrize("column", ["P", "LOG10P"])
def test_p_that_numbers_do_not_hold_keep_their_order(tmp_path, column):
    logs = [2.0, 330.0, 307.0, 400.0, 309.5, 330.0, 1e5]
    texts = [f"{x:g}" for x in logs] if column == "LOG10P" else [
        "1e-2", "1e-330", "1E-307", "0.1e-399", "3.16227766e-310", "1.0e-330", "1e-100000"
    ]  # fmt: skip
    rows = "".join(f"v{k} {text}\n" for k, text in enumerate(texts))
    (tmp_path / "t.txt").write_text(f"ID {column}\n{rows}w NA\nz 0\n")
    values = read_p_values(tmp_path / "t.txt").values
    assert values[[0, 2]] == pytest.approx([0.01, 1e-307])
    assert np.argsort(values[:5]).tolist() == [3, 1, 4, 2, 0]
    assert values[1] == values[5] > values[3] > values[6] > 0
    assert values[4] < 2.3e-308
    assert np.isnan(values[7])
    assert values[8] == (1 if column == "LOG10P" else 0)
