"""Tables that would be read as something that nobody meant: refused, or told in a remark."""

import gzip

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.checks import notes_on_labels

BODY = [("ill" if k % 2 else "well", f"{k % 5}.{k}", f"{k * 7 % 11}") for k in range(8)]


def table(header, rows, separator=","):
    lines = [separator.join(header), *(separator.join(row) for row in rows)]
    return "\n".join(lines) + "\n"


def rows(make=lambda k: f"s{k}", put=None):
    return [(make(k), *(put(k, row) if put else row)) for k, row in enumerate(BODY)]


HEAD = ("id", "class", "g", "h")
SHEET = table(HEAD, rows())


@pytest.fixture
def read(tmp_path):
    def reading(text, **options):
        path = tmp_path / "table.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_table(path, target="class", **options)

    return reading


REFUSED = {
    "case": (
        table(HEAD, rows(put=lambda k, row: ("Ill" if k == 3 else row[0], *row[1:]))),
        "column 'class' has spellings of one class: 'Ill' and 'ill' (capitals), so that 3 are read "
        "for 2",
    ),
    "one decimal comma": (SHEET.replace(".", ","), "one field more than the header"),
    "remarks behind": (
        table(HEAD, [(*row, "odd" if k == 1 else "") for k, row in enumerate(rows())]),
        "one field more than the header",
    ),
    "web page": ("\n<!DOCTYPE html>\n<html><body>Forbidden, so</body></html>\n", "a web page"),
    "xml": ('<?xml version="1.0"?>\n<Error>no</Error>\n', "is XML"),
    "json": ('[\n {"id": 1, "class": "a"},\n {"id": 2, "class": "b"}\n]\n', "is JSON"),
    "gzipped page": (gzip.compress(b"<html>\n<body>\n</body>\n</html>\n"), "a web page"),
    "greek": (
        SHEET.replace("s1", "\u03b1\u03b2").encode("iso8859_7"),
        "name its encoding with encoding=",
    ),
    "thousands": (
        table(HEAD, rows(put=lambda k, row: (row[0], f'"{k + 1},000"', row[2]))),
        "thousands= what stands between them",
    ),
    "french thousands": (
        table(HEAD, rows(put=lambda k, row: (row[0], f"{k + 1}\u202f000,5", row[2])), ";"),
        "marks between thousands",
    ),
    "a thousand further down": (
        table(HEAD, rows(put=lambda k, row: (row[0], '"1,234"' if k == 7 else str(k), row[2]))),
        "thousands=','",
    ),
    "typographic minus": (
        table(HEAD, rows(put=lambda k, row: (row[0], f"\u2212{k % 2}.5", row[2]))),
        "column 'g' has decimal commas, a long minus",
    ),
    "units": (
        table(HEAD, rows(put=lambda k, row: (*row[:2], f"{k}.5 kg"))),
        "read them with units='remove'",
    ),
    "another's mark": (
        table(HEAD, rows(put=lambda k, row: (*row[:2], "#NULL!" if k == 4 else row[2]))),
        "say missing=['#NULL!']",
    ),
    "title above numbers": ("Table S1. Genes\n" + SHEET.split("\n", 1)[1], "names no columns"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(read, case):
    text, says = REFUSED[case]
    with pytest.raises(DataError) as error:
        read(text)
    assert says in str(error.value)


READ = {  # to the same numbers, and what is told
    "utf-16 without a mark": (SHEET.encode("utf-16-le"), {}, ""),
    "utf-16": (SHEET.encode("utf-16"), {}, "read as utf-16"),
    "windows": (
        SHEET.replace("s1", "\u00e9").encode("cp1252"),
        {},
        "not UTF-8 and was read as windows-1252",
    ),
    "decimal commas": (
        table(HEAD, rows()).replace(",", ";").replace(".", ","),
        {},
        "have a decimal comma",
    ),
    "decimal commas further down": (
        table(HEAD, rows(put=lambda k, row: (row[0], row[1] if k == 7 else str(k), row[2])))
        .replace(",", ";")
        .replace(".", ","),
        {},
        "have a decimal comma",
    ),
    "title": ("Table S1. Genes\n\n" + SHEET, {}, "1 line is above the header"),
    "title of a spreadsheet": ("Table S1,,,\n" + SHEET, {}, "1 line is above the header"),
    "remark of GEO": (
        '!Series_title\t"Genes"\n\n' + SHEET.replace(",", "\t"),
        {},
        "1 line of remarks is left out: '!Series_title",
    ),
    "remark of biom": (
        "# Constructed from biom file\n#" + SHEET.replace(",", "\t"),
        {},
        "1 line of remarks",
    ),
    "units": (SHEET.replace("\n", " kg\n").replace("h kg", "h"), {"units": "remove"}, ""),
    "thousands": (SHEET.replace("4.4", "0'004.4"), {"thousands": "'"}, ""),
}


@pytest.mark.parametrize("case", READ)
def test_read(read, case):
    text, options, says = READ[case]
    found, plain = read(text, **options), read(SHEET)
    if case != "decimal commas further down":
        np.testing.assert_array_equal(found.X, plain.X)
    assert found.X[7, 0] == 2.7
    assert found.feature_names == plain.feature_names
    assert found.classes == plain.classes
    assert any(says in note for note in found.notes)


REMARKS = {
    "no name for rows": (
        table(HEAD[1:], rows(), "\t"),
        "the header has one name fewer than the rows have fields",
    ),
    "counter": (
        table(HEAD, rows(put=lambda k, row: (row[0], row[1], str(k + 3)))),
        "column 'h' numbers the rows and is used as a feature: leave out with drop=['h'] what",
    ),
    "counters": (
        table(HEAD, rows(put=lambda k, row: (row[0], str(k - 2), str(k + 3)))),
        "2 columns number the rows and are used as features ('g', 'h'): leave out with drop=['g']",
    ),
    "record number": (
        table(("MRN", *HEAD[1:]), rows(lambda k: str(10321 + k * k))),
        "column 'MRN' holds different whole numbers and is used as a feature",
    ),
    "very many digits": (
        table(("accession", *HEAD[1:]), rows(lambda k: str(12345678901234567890 + k))),
        "column 'accession' holds whole numbers of very many digits",
    ),
    "stand-in": (
        table(HEAD, rows(put=lambda k, row: (row[0], row[1], "-999" if k == 2 else row[2]))),
        "-999 is read as a number in 1 column, such as 'h'",
    ),
    "dates": (
        table((*HEAD[:2], "1-Mar", "h"), rows()),
        "1 feature is called like dates ('1-Mar'): a spreadsheet may have changed names of genes",
    ),
    "levels": (
        table(HEAD, rows(put=lambda k, row: (*row[:2], ("m", "M", "f")[k % 3]))),
        "column 'h': 'M' and 'm' (capitals) are taken as different",
    ),
    "dates in german": (
        table((*HEAD[:2], "01. Mrz", "h"), rows()),
        "1 feature is called like dates ('01. Mrz')",
    ),
    "dates of python": (
        table((*HEAD[:2], "2021-09-02 00:00:00", "h"), rows()),
        "1 feature is called like dates ('2021-09-02 00:00:00')",
    ),
    "no genes": (
        table((*HEAD[:2], "__no_feature", "__ambiguous"), rows()),
        "2 features named like what HTSeq and STAR count outside of genes ('__no_feature', ",
    ),
    "no label": (
        table(HEAD, rows(put=lambda k, row: ("#N/A" if k < 3 else row[0], *row[1:]))),
        "column 'class': '#N/A' is taken as a value like others",
    ),
}


@pytest.mark.parametrize("case", REMARKS)
def test_told(read, case):
    text, says = REMARKS[case]
    notes = read(text).notes
    assert sum(note.startswith(says) for note in notes) == 1
    assert not any(note.startswith(says) for note in read(SHEET).notes)


@pytest.mark.parametrize("name", ["index", "X", "Unnamed: 0.1", "row_number", "no."])
def test_numbers_of_rows_are_no_feature(read, name):
    data = read(table((name, *HEAD[1:]), rows(str)))
    assert data.feature_names == ("g", "h")
    assert f"sample ids: column '{name}' (the first, and it counts the rows)" in data.notes


def test_row_numbers_of_r_before_ids(read):
    data = read(table(HEAD, [(str(k + 1), *row) for k, row in enumerate(rows())]), drop="id")
    assert data.feature_names == ("g", "h")
    assert data.sample_names[0] == "1"


def test_intensities_about_0_are_not_asked_about(read):
    """Golub's leukaemia has 22 genes whose least value is -99, among 1,800 with one near it."""
    draws = np.random.default_rng(0).normal(0, 60, (40, 300))
    rows = [("ab"[k % 2], *(f"{v:.0f}" for v in row)) for k, row in enumerate(draws)]
    data = read(table(("class", *(f"g{j}" for j in range(300))), rows))
    assert (data.matrix.min(axis=0) == -99).sum() > 1
    assert not any("stands for a missing value" in note for note in data.notes)


@pytest.mark.parametrize(
    ("label", "other", "asked"),
    [
        ("none", "mild", 0),
        ("None", "mild", 1),
        ("None", "Mild", 0),
        ("NONE", "MILD", 0),
        ("Unknown", "Mild", 1),
        ("None", "Tumour", 1),
        ("NULL.", "mild", 0),
        ("n.a.", "mild", 1),
        ("-", "+", 0),
        ("--", "+", 0),
        ("n/a", "+", 1),
        ("-", "ill", 1),
        ("'--", "ill", 1),
        ("./.", "0/1", 1),
        ("Not Reported", "ill", 1),
        ("[Not Available]", "ill", 1),
        ("not ill", "ill", 0),
    ],
)
def test_what_is_asked_about_as_no_label(read, label, other, asked):
    data = read(table(HEAD, rows(put=lambda k, row: (label if k % 2 else other, *row[1:]))))
    assert sum("taken as a value like others" in note for note in data.notes) == asked


def test_a_minus_answers_a_plus_and_none_a_degree():
    """Written alike; beside any other label both may stand for a missing value."""
    for labels, told in (
        (["-", "+"], []),
        (["--", "+++", "ill"], []),
        (["-", "ill"], ["-"]),
        (["-", "+ill"], ["-"]),
        (["None", "Mild"], []),
        (["None", "mild"], ["None"]),
        (["None", "+"], ["None"]),
        (["-", "null", "missing", "nan"], ["-", "null", "missing"]),  # three at most
    ):
        assert notes_on_labels("g", labels) == [
            f"column 'g': {label!r} is taken as a value like others; if it stands for a missing "
            f"one, say missing=['g={label}']"
            for label in told
        ]


def test_a_table_turned_round_is_told_how_to_read_it(read, tmp_path):
    first, *others = zip(*(line.split(",") for line in SHEET.splitlines()), strict=True)
    turned = table(first, others)
    with pytest.raises(DataError, match="are features in rows\\? then say transpose=True"):
        read(turned)
    with pytest.raises(DataError, match="are samples in rows\\? then leave out transpose=True"):
        read(SHEET, transpose=True)
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(table(HEAD[:2], [row[:2] for row in rows()]))
    for text, transpose in ((turned, False), (SHEET, True)):
        numbers = text.replace("class", "j").replace("well", "1").replace("ill", "2")
        with pytest.raises(DataError, match=r"samples of the sheet 'sheet\.csv' where features"):
            read(numbers, samples=sheet, transpose=transpose)


def test_what_is_said_of_genes_beside_the_samples(read):
    text = "gene\ttaxonomy\ts1\ts2\nclass\t\ta\tb\no1\tBacteria\t1\t2\no2\tVirus\t2\t1\n"
    with pytest.raises(DataError, match="if 'taxonomy' is not a sample, remove that column"):
        read(text, transpose=True)


def test_few_doses_are_categories_and_many_weights_are_not(read):
    many = [(f"s{k}", "ab"[k % 2], f"{k % 4 + 1}0 mg", f"{k % 30 + 50} kg") for k in range(90)]
    assert read(table(HEAD, many), drop="h").levels == {0: ("10 mg", "20 mg", "30 mg", "40 mg")}
    with pytest.raises(DataError, match="column 'h' has numbers followed by a unit"):
        read(table(HEAD, many))


def test_one_row_has_no_constant_columns(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text(table(HEAD, rows()[:1]))
    assert not any("constant" in note for note in read_table(path, drop="class").notes)


@pytest.mark.parametrize("name", ["MARCH1", "HLA-DRA", "1-Marx", "11-Decile", "SEP-2", "Dec-1991"])
def test_names_of_genes_are_no_dates(read, name):
    notes = read(table((*HEAD[:2], name, "Sep-02"), rows())).notes
    assert sum("called like dates ('Sep-02')" in note for note in notes) == 1


def test_names_that_look_like_numbers_stay(read):
    ids = [f"{k + 1}E{k}" for k in range(8)]
    data = read(table(HEAD, rows(lambda k: ids[k])), id="id")
    assert data.sample_names == tuple(ids)
    long = [str(12345678901234567890 + k) for k in range(8)]
    data = read(table(HEAD, rows(lambda k: long[k])), id="id")
    assert data.sample_names == tuple(long)
    labels = read(table(HEAD, rows(put=lambda k, row: (f"{k % 2 + 1}e5", *row[1:]))))
    assert labels.classes == ("1e5", "2e5")
    written = read(table(HEAD, rows(put=lambda k, row: (f"{k % 2 + 1}e+05", *row[1:]))))
    assert written.classes == ("100000", "200000")  # as R writes them


def test_a_line_for_spreadsheets_tells_the_delimiter(read):
    whole = read(table(HEAD, rows(), ";"))
    told = read("\ufeffsep=;\r\n" + table(HEAD, rows(), ";"))
    assert told.feature_names == whole.feature_names == ("g", "h")
    assert told.X.tolist() == whole.X.tolist()
    narrow = read("SEP=|\n" + table(HEAD[:3], [row[:3] for row in rows()], "|"))
    assert narrow.feature_names == ("g",)


def test_an_h5ad_without_x_says_what_it_has(tmp_path):
    anndata = pytest.importorskip("anndata")
    made = anndata.AnnData(layers={"counts": np.ones((4, 2))})
    made.write_h5ad(tmp_path / "made.h5ad")
    with pytest.raises(DataError, match=r"no matrix X, but .*: layer='counts' reads one"):
        read_table(tmp_path / "made.h5ad", target="class")


def test_a_column_of_parquet_may_have_no_name(tmp_path):
    frame = pd.DataFrame({"class": list("ababab"), "g1": [0.5, 2, 1, 4, 3, 7.0], "": range(6)})
    frame.to_parquet(tmp_path / "t.parquet")
    data = read_table(tmp_path / "t.parquet", target="class")
    assert data.feature_names == ("g1", "")
    assert "feature 2 has no name: it is called ''" in data.notes


def test_a_table_without_its_empty_columns_is_in_order_of_rows(tmp_path):
    (tmp_path / "t.csv").write_text("class,g1,g2,g3\na,1,,2\nb,3,,5\na,4,,9\nb,2,,6\n")
    data = read_table(tmp_path / "t.csv", target="class", drop=["<empty>"])
    assert data.matrix.flags.c_contiguous
    assert data.matrix.tolist() == [[1, 2], [3, 5], [4, 9], [2, 6]]


def test_a_row_of_line_ends_alone_is_no_traceback(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"id,class\n\r\r\ra,u\nb,v\n")
    with pytest.raises(DataError):
        read_table(tmp_path / "t.csv", target="class", transpose=True)


@pytest.mark.parametrize("name", ["g", "x"])
def test_an_infinite_value_is_one_line(tmp_path, recwarn, name):
    (tmp_path / "t.csv").write_text(f"{name},class\n1,a\ninf,b\ninf,a\n4,b\n")
    with pytest.raises(DataError, match="infinite value"):
        read_table(tmp_path / "t.csv", target="class")
    assert not recwarn.list


def test_points_between_thousands_are_asked_for_whatever_the_names_are(tmp_path):
    (tmp_path / "t.csv").write_text("id;class;g1;g2\n1.5;u;1.250;2.500\n2.25;v;7.125;9.375\n")
    notes = read_table(tmp_path / "t.csv", target="class").notes
    told = "'1.250' and others are read with a decimal point: if it stands between thousands, say"
    assert sum(note.startswith(told) for note in notes) == 1
