"""Labels of samples from the tables that geneticists have."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.genome.readers.classes import labels_known, own_labels
from tamis.genome.readers.phenotypes import read_phenotypes
from tamis.genome.readers.samples import MISSING_LABELS, Samples, read_fam

SAMPLES = Samples.of_ids(["a", "b", "c"])
TABLES = {
    "plink, no header": "a a 2\nc c 1\nb b -9\n",
    "plink, tabs": "FID\tIID\tsick\na\ta\t2\nc\tc\t1\nb\tb\t0\n",
    "plink2": "#FID\tIID\tsick\na\ta\t2\nc\tc\t1\nb\tb\tNA\n",
    "ids alone": "#IID sick\nc 1\na 2\n",
    "comma, other columns": "centre,sample,sick\nx,c,1\ny,a,2\ny,z,1\n",
    "quoted by R": '"FID" "IID" "sick"\n"a" "a" 2\n"c" "c" 1\n',
    "quoted": '"IID","note","sick"\n"a","x, y","2"\n"c","","1",\n',
    "windows, byte order mark": "\ufeffIID;sick\r\na;2\r\n\r\nc;1\r\n",
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_are_read(kind, tmp_path):
    path = tmp_path / "p.txt"
    path.write_text(TABLES[kind], encoding="utf-8", newline="")
    column = "sick" if "sick" in TABLES[kind] else None
    found = read_phenotypes(path, SAMPLES, column)
    assert found.labels.tolist() == ["2", None, "1"]
    assert found.unknown == (1 if "z" in TABLES[kind] else 0)


def test_zero_is_a_class_where_there_is_no_two(tmp_path):
    (tmp_path / "p.txt").write_text("IID phase\na 0\nb 1\nc 0\n")
    assert read_phenotypes(tmp_path / "p.txt", SAMPLES).labels.tolist() == ["0", "1", "0"]


def test_families_tell_samples_of_one_id_apart(tmp_path):
    samples = Samples.of_ids(["a", "a"])
    samples = Samples(
        np.array(["f", "g"], dtype=object),
        *(getattr(samples, k) for k in ("id", "father", "mother", "sex", "phenotype")),
    )
    (tmp_path / "p.txt").write_text("FID IID x\ng a one\nf a two\n")
    assert read_phenotypes(tmp_path / "p.txt", samples).labels.tolist() == ["two", "one"]
    (tmp_path / "p.txt").write_text("IID x\na one\n")
    with pytest.raises(DataError, match="column FID"):
        read_phenotypes(tmp_path / "p.txt", samples)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", None, "is empty"),
        ("a 2\n", None, "no header"),
        ("a a 2\n", "sick", "no header, and so no column"),
        ("IID sick\n", None, "a header and no rows"),
        ("IID sick\na 2\n", "sikc", "did you mean 'sick'"),
        ("IID\na\nb\n", None, "no column but names"),
        ("FID name x\na a 1\n", None, "no column of ids"),
        ("IID x y\na 1 2\n", "x,y", "no column 'x,y': columns are named one at a time"),
        ("IID sick\nx 1\ny 2\n", None, "none of the samples 'a', 'b', 'c'"),
        ("IID sick\na 1\na 2\n", None, "line 3: 'a' comes twice"),
        ('"FID" "IID" "sick"\n"1" "a" "a" 2\n', None, "line 2: 4 fields, where the header names 3"),
        ("IID sick\na 1\nb\n", "sick", "line 3: 1 field, where the header names 2: write NA"),
        ("IID sick age\na 1 30\nb 41\n", "sick", "line 3: 2 fields, where the header names 3"),
        ("IID\tsick\na\t1\nb\n", "sick", "line 3: 1 field only"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path, text, column, says):
    (tmp_path / "p.txt").write_text(text)
    with pytest.raises(DataError, match=says) as caught:
        read_phenotypes(tmp_path / "p.txt", SAMPLES, column)
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path):
    with pytest.raises(DataError, match="is not there"):
        read_phenotypes(tmp_path / "p.txt", SAMPLES)
    with pytest.raises(DataError, match="is a folder"):
        read_phenotypes(tmp_path, SAMPLES)


def test_the_column_of_the_classes_is_not_guessed_among_several(tmp_path):
    (tmp_path / "p.txt").write_text("#IID\tSEX\tPAT\tPHENO1\na\t1\t0\t2\nb\t2\t0\t1\n")
    assert read_phenotypes(tmp_path / "p.txt", SAMPLES).column == "PHENO1"
    (tmp_path / "p.txt").write_text("IID,age,case\na,5,1\n")
    with pytest.raises(DataError, match="several columns"):
        read_phenotypes(tmp_path / "p.txt", SAMPLES)
    (tmp_path / "p.txt").write_text("IID,case,case\na,5,1\n")
    with pytest.raises(DataError, match="twice"):
        read_phenotypes(tmp_path / "p.txt", SAMPLES, "case")


def test_strata_may_be_named_zero(tmp_path):
    (tmp_path / "p.txt").write_text("IID batch\na 0\nb 1\nc 2\n")
    found = read_phenotypes(tmp_path / "p.txt", SAMPLES, "batch", coded=False)
    assert found.labels.tolist() == ["0", "1", "2"]
    found = read_phenotypes(tmp_path / "p.txt", SAMPLES, "batch")
    assert (found.labels.tolist(), found.zeros) == ([None, "1", "2"], 1)


def test_no_families_are_joined_by_ids(tmp_path):
    (tmp_path / "p.txt").write_text("#FID IID x\n0 c one\n0 a two\n")
    assert read_phenotypes(tmp_path / "p.txt", SAMPLES).labels.tolist() == ["two", None, "one"]
    samples = Samples(
        np.array(["f", "f", "f"], dtype=object),
        *(getattr(SAMPLES, k) for k in ("id", "father", "mother", "sex", "phenotype")),
    )
    assert read_phenotypes(tmp_path / "p.txt", samples).labels.tolist() == ["two", None, "one"]


def test_what_is_no_text_is_told(tmp_path):
    (tmp_path / "p.txt").write_bytes("IID x\na 1\n".encode("utf-16"))
    with pytest.raises(DataError, match="UTF-16"):
        read_phenotypes(tmp_path / "p.txt", SAMPLES)


def test_quotes_hold_blanks_and_other_quotes(tmp_path):
    for text in (
        '"IID" "sick now"\n"a" "yes \\"so\\""\n"c" "no"\n',
        '"IID"\t"sick now"\n"a"\t"yes ""so"""\n"c"\t"no"\n',
    ):
        (tmp_path / "p.txt").write_text(text)
        read = read_phenotypes(tmp_path / "p.txt", SAMPLES)
        assert (read.column, read.labels.tolist()) == ("sick now", ['yes "so"', None, "no"])


def test_families_that_are_others_are_told(tmp_path):
    samples = Samples(
        np.array(["f", "f", "f"], dtype=object),
        *(getattr(SAMPLES, k) for k in ("id", "father", "mother", "sex", "phenotype")),
    )
    (tmp_path / "p.txt").write_text("FID IID x\ng a one\nh b two\n")
    with pytest.raises(DataError, match="families are others"):
        read_phenotypes(tmp_path / "p.txt", samples)


@pytest.mark.parametrize("word", [word for word in MISSING_LABELS if word])
def test_what_is_missing_in_a_table_is_in_a_fam(tmp_path, word):
    (tmp_path / "p.txt").write_text(f"IID x\na 1\nb {word}\nc 2\n")
    assert read_phenotypes(tmp_path / "p.txt", SAMPLES).labels.tolist() == ["1", None, "2"]
    people = zip("abc", ("1", word, "2"), strict=True)
    (tmp_path / "m.fam").write_text("".join(f"{i} {i} 0 0 1 {told}\n" for i, told in people))
    labels, what = own_labels(read_fam(tmp_path / "m.fam"))
    assert (labels.tolist(), what) == (["1", None, "2"], "the phenotype of the files")


@pytest.mark.parametrize(
    "labels",
    [
        ["a", None, "", "b"],
        ["a", float("nan"), "", np.str_("b")],
        [1, pd.NA, "", 2],
        [1.5, pd.NaT, "", np.float64(2)],
        np.array(["a", "nan", "", "b"]),
        pd.Series(["a", None, "", "b"], dtype="string"),
    ],
)
def test_which_labels_are_classes_is_what_pandas_says(labels):
    found, known = labels_known(labels, 4)
    right = ~pd.isna(np.asarray(labels, dtype=object)) & [str(label) != "" for label in labels]
    assert known.tolist() == right.tolist()
    assert known[[0, 3]].all()
    assert not known[2]
    assert found.dtype == object
