"""What was once read wrongly without a word: marks, codes, names that stand twice, rows that are no
samples."""

import io

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

TWICE = "id,class,T,U,T\n" + "".join(f"s{k},{'xy'[k % 2]},{k},{k},{100 + k}\n" for k in range(6))


@pytest.fixture
def read(tmp_path):
    def reading(text, name="t.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_table(path, **{"target": "class", **options})

    return reading


@pytest.mark.parametrize("more", [{}, {"only": ("T", "U")}, {"drop": "U"}, {"keep": True}])
def test_a_mean_is_of_all_of_a_name_however_few_columns_are_read(read, tmp_path, more):
    if "keep" in more:
        (tmp_path / "panel.txt").write_text("T\n")
        more = {"keep": tmp_path / "panel.txt"}
    data = read(TWICE, duplicates="mean", **more)
    at = data.feature_names.index("T")
    np.testing.assert_array_equal(data.X[:, at], 50 + np.arange(6.0))
    assert "T.2" not in data.feature_names


def test_a_dropped_name_goes_wherever_it_stands(read):
    assert read(TWICE, drop="T", duplicates="suffix").feature_names == ("U",)


def test_codes_are_missing_before_a_mean_is_taken(read):
    data = read(TWICE.replace(",103\n", ",-9\n"), duplicates="mean", missing="-9")
    assert data.X[3, 0] == 3


@pytest.mark.parametrize("name", ["class", "site"])
def test_a_second_column_of_a_role_is_refused(read, name):
    text = TWICE.replace("U", name).replace(",T\n", ",V\n", 1)
    if name == "site":
        text = text.replace("T", "site", 1)
    with pytest.raises(DataError, match="is no feature: leave one of them in the file"):
        read(text, group="site" if name == "site" else None, duplicates="suffix")


def test_marks_between_thousands_part_three_digits(read):
    text = 'id,class,g\na,x,"1,234"\nb,y,"2,345,678.5"\nc,x,7\n'
    np.testing.assert_array_equal(read(text, thousands=",").X[:, 0], [1234, 2345678.5, 7])
    with pytest.raises(DataError, match=r"decimal comma"):
        read(text.replace("1,234", "1,5"), thousands=",")


GERMAN = "id;class;g;h\na;x;1.100;0,5\nb;y;2.101;1,5\nc;x;3.107;2,5\n"


def test_points_beside_decimal_commas_are_not_before_decimals(read):
    for options in ({}, {"decimal": ","}):
        with pytest.raises(DataError, match=r"thousands='\.'|thousands="):
            read(GERMAN, **options)
    data = read(GERMAN, decimal=",", thousands=".")
    np.testing.assert_array_equal(data.X, [[1100, 0.5], [2101, 1.5], [3107, 2.5]])


def test_points_that_may_part_thousands_are_told(read):
    notes = read(
        GERMAN.replace(",", ".").replace("0.5", "5").replace("1.5", "6").replace("2.5", "7")
    ).notes
    assert any("if it stands between thousands" in note for note in notes)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["4.090", "1.250"], True),
        (["4.090", "1.25"], False),
        (["4.090", "17"], False),
        (["4.090", "1234.250"], False),
        (["-4.090", "999.250"], True),
    ],
)
def test_two_numbers_of_three_decimals_may_be_thousands(read, cells, said):
    text = "id;class;g\n" + "".join(f"s{k};{'xy'[k]};{cell}\n" for k, cell in enumerate(cells))
    notes = read(text).notes
    assert any("if it stands between thousands" in note for note in notes) == said


def test_a_code_strikes_no_ids_and_no_classes(read):
    text = "id,class,g\n" + "".join(f"{k + 1},{k % 3},{k}\n" for k in range(120))
    data = read(text, missing=("99", "0"))
    assert data.feature_names == ("g",)
    assert data.sample_names[98] == "99"
    assert data.classes == ("0", "1", "2")
    assert np.isnan(data.X[[0, 99], 0]).all()
    assert np.isnan(data.X).sum() == 2


@pytest.mark.parametrize("row", ["id,class,T1,T2,T3", ",,mg/dl,mg/l,U/l"])
def test_a_second_header_is_no_sample(read, row):
    body = "".join(f"s{k},{'xy'[k % 2]},{k}.5,{k},{-k}.1\n" for k in range(8))
    with pytest.raises(DataError, match=r"row 1 has text in 3 columns of numbers"):
        read(f"id,class,a,b,c\n{row}\n{body}")


def test_a_footnote_is_told(read):
    body = "".join(f"s{k},{'xy'[k % 2]},{k}.5,{k}\n" for k in range(8))
    notes = read(f"id,class,a,b\n{body}n=8,x,,\n").notes
    assert any("1 row has no value at all ('9')" in note for note in notes)


@pytest.mark.parametrize("cells", [["8 %", "0.3"], ["8k", "3"], ["1x10^3", "2"], ["3 e-3", "1"]])
def test_factors_are_no_units(read, cells):
    rows = "".join(f"s{k},{'xy'[k % 2]},{cells[k % 2]}\n" for k in range(8))
    with pytest.raises(DataError):
        read(f"id,class,g\n{rows}", units="remove")


def test_a_hidden_sheet_is_not_read(read):
    import openpyxl

    book = openpyxl.Workbook()
    for name, factor in (("old", 10), ("Data", 1)):
        page = book.create_sheet(name)
        page.append(["id", "class", "g"])
        for k in range(6):
            page.append([f"s{k}", "xy"[k % 2], factor * (k + 0.5)])
    del book["Sheet"]
    book["old"].sheet_state = "hidden"
    book.active = 1
    out = io.BytesIO()
    book.save(out)
    assert read(out.getvalue(), "t.xlsx").X[1, 0] == 1.5


def test_text_that_is_partly_utf8_is_not_taken_for_another_encoding(read):
    text = "id,class,größe\na,x,1\n".encode() + "b,y,2\nm\xfcll,x,3\n".encode("latin-1")
    for start in (b"", b"\xef\xbb\xbf"):
        with pytest.raises(DataError, match="is not UTF-8 text"):
            read(start + text.replace("größe".encode(), b"g") if start else text)


def test_features_in_rows_of_one_name_keep_their_rows(read, tmp_path):
    text = "gene,a,b,c,d\nT,1,2,3,4\nT,x,y,x,y\nclass,u,v,u,v\ng,5,6,7,8\n"
    data = read(text, transpose=True, duplicates="first")
    assert data.feature_names == ("T", "g")
    np.testing.assert_array_equal(data.X, [[1, 5], [2, 6], [3, 7], [4, 8]])


def test_limits_alone_may_be_classes(read):
    """Ages of two classes beside a measurement with limits: as numbers all of them would be 40."""
    text = "id,class,age,crp\na,x,<40,<0.5\nb,y,>=40,2\nc,x,<40,3\nd,y,>=40,4\n"
    for way in ("value", "half", "missing"):
        with pytest.raises(DataError, match="'age' holds limits and no other numbers"):
            read(text, limits=way)
    data = read(text, limits="value", categorical="age")
    assert data.levels == {0: ("<40", ">=40")}
    np.testing.assert_array_equal(data.X[:, 1], [0.5, 2, 3, 4])


def test_stages_that_look_like_numbers_with_units(read):
    text = "id,class,stage,dose\na,x,1a,5 mg\nb,y,1b,6 mg\nc,x,2a,7 mg\n"
    with pytest.raises(DataError, match=r"'stage' has several units.*categorical=.'stage'."):
        read(text, units="remove")
    data = read(text, units="remove", categorical="stage")
    assert data.X[:, 1].tolist() == [5, 6, 7]


@pytest.mark.parametrize("name", ["id", "sample", "PatientID", ""])
def test_ids_keep_their_zeros(read, tmp_path, name):
    text = f"{name},class,g\n001,x,1\n002,y,2\n010,x,3\n100,y,5\n"
    data = read(text)
    assert data.sample_names == ("001", "002", "010", "100")
    assert data.feature_names == ("g",)
    (tmp_path / "s.csv").write_text("who,age\n100,1\n010,2\n002,3\n001,4\n")
    joined = read(text, samples=tmp_path / "s.csv", covariates="age")
    assert joined.X[:, 1].tolist() == [4, 3, 2, 1]


def test_a_first_column_of_padded_codes_is_numbers(read):
    data = read("grade,class,g\n01,x,1\n02,y,2\n01,x,3\n03,y,5\n")
    assert data.feature_names == ("grade", "g")
    assert data.X[:, 0].tolist() == [1, 2, 1, 3]


def test_names_that_stand_twice_in_arff_and_in_turned_parquet(read, tmp_path):
    import pandas as pd

    text = (
        "@relation r\n@attribute g {a,b}\n@attribute class {x,y}\n@attribute v numeric\n"
        "@attribute v numeric\n@attribute g {b,c}\n@data\na,x,1,3,b\nb,y,2,6,c\n"
    )
    with pytest.raises(DataError, match=r"duplicate names .*'v', 'g'.*duplicates="):
        read(text, "t.arff")
    data = read(text, "t.arff", duplicates="suffix")
    assert data.feature_names == ("g", "v", "v.2", "g.2")
    assert data.levels == {0: ("a", "b"), 3: ("b", "c")}
    assert read(text, "t.arff", duplicates="first", drop="g").X.tolist() == [[1], [2]]
    frame = pd.DataFrame({"gene": ["T", "U", "T"], "a": [1.0, 2, 3], "b": [4.0, 5, 8]})
    frame.to_parquet(tmp_path / "t.parquet")
    (tmp_path / "s.csv").write_text("id,class\na,x\nb,y\n")
    told = {"target": "class", "transpose": True, "samples": tmp_path / "s.csv"}
    with pytest.raises(DataError, match=r"duplicate names in 't.parquet': 'T'"):
        read_table(tmp_path / "t.parquet", **told)
    data = read_table(tmp_path / "t.parquet", **told, duplicates="mean")
    assert data.X.tolist() == [[2, 2], [6, 5]]


def test_columns_without_a_name_and_rows_without_a_value(read):
    """As sheets have them, where something once stood there."""
    text = "id,class,,g,,\na,x,,1,,\n,,,,,\nb,y,,2,,\nc,x,,3,,\n,,,,,\n"
    data = read(text)
    assert data.sample_names == ("a", "b", "c")
    assert data.feature_names == ("g",)
    assert "2 rows without any value left out" in data.notes
    assert any("have neither a name nor a value ('column 3', 'column 5')" in n for n in data.notes)
    with pytest.raises(DataError, match=r"'column 5' has no name.*drop=\['column 5'\]"):
        read(text.replace("1,,", "1,7,"))
    assert read(text.replace("1,,", "1,7,"), drop="column 5").feature_names == ("g",)
    with pytest.raises(DataError, match=r"empty in row.*2"):  # a row of values needs its id
        read(text.replace(",,,,,\nb", ",x,,9,,\nb"))


def test_a_footnote_is_told_as_one(read):
    with pytest.raises(DataError, match=r"line 4 has 1 field where 3 .* a title or a footnote\?"):
        read("id,class,g\na,x,1\nb,y,2\nSource: the clinic\n")


def test_a_gct_that_is_cut_short(read, tmp_path):
    text = "#1.2\n3\t2\nName\tDescription\ta\tb\nG1\tT\t1\t2\nG2\tU\t3\t4\n"
    (tmp_path / "s.csv").write_text("id,class\na,x\nb,y\n")
    with pytest.raises(DataError, match=r"has 2 rows of features, and by line 2 it has 3"):
        read(text, samples=tmp_path / "s.csv")
    data = read(text.replace("3\t2", "2\t2"), samples=tmp_path / "s.csv")
    assert data.labels == {"G1": "T", "G2": "U"}


def test_attributes_that_featurecounts_was_asked_for(read, tmp_path):
    text = (
        "# Program:featureCounts\nGeneid\tChr\tStart\tEnd\tStrand\tLength\tgene_name\tbiotype\t"
        "a.bam\tb.bam\nENSG1\t1\t1\t9\t+\t9\tTP53\tcoding\t1\t2\nENSG2\t1\t1\t9\t+\t9\tEGFR\tcoding"
        "\t3\t4\n"
    )
    (tmp_path / "s.csv").write_text("id,class\na,x\nb,y\n")
    data = read(text, samples=tmp_path / "s.csv")
    assert data.X.tolist() == [[1, 3], [2, 4]]
    assert data.labels == {"ENSG1": "TP53", "ENSG2": "EGFR"}


def test_samples_of_a_folder_and_what_is_not_for_one(tmp_path):
    folder = tmp_path / "counts"
    folder.mkdir()
    for name in ("counts.txt", "s2.counts.txt"):
        (folder / name).write_text("G1\t1\nG2\t2\nG3\t5\n")
    assert read_table(folder).sample_names == ("counts", "s2")
    for option in ({"layer": "raw"}, {"transpose": True}):
        with pytest.raises(DataError, match="is for a file"):
            read_table(folder, **option)


def test_ids_that_are_spelled_otherwise_are_told(read, tmp_path):
    (tmp_path / "s.csv").write_text("id,class\nTCGA-01,x\nTCGA-02,y\n")
    text = "id,g\nTCGA.01,1\nTCGA.02,2\n"
    with pytest.raises(DataError, match=r"'TCGA.01' may be 'TCGA-01' there"):
        read(text, samples=tmp_path / "s.csv")
    other = tmp_path / "o.csv"
    other.write_text("id,h\ntcga_01,1\ntcga_02,2\n")
    says = r"'TCGA-01' may be 'tcga_01' \(capitals and blanks or dashes\) there.*unify=\['rna'\]"
    with pytest.raises(DataError, match=says):
        read_table(tmp_path / "s.csv", target="class", blocks={"rna": other})
    data = read_table(tmp_path / "s.csv", target="class", blocks={"rna": other}, unify="rna")
    assert data.X[:, -1].tolist() == [1, 2]


def test_a_dropped_feature_in_rows_may_have_limits_and_units(read, tmp_path):
    text = "gene,s1,s2,s3,s4\nG1,<1,2 mg,3,4\nG2,1,2,3,5\nclass,a,b,a,b\n"
    said = {"transpose": True, "limits": "value", "units": "remove"}
    assert read(text, drop="G1", **said).feature_names == ("G2",)
    (tmp_path / "panel.txt").write_text("G2\n")
    assert read(text, keep=tmp_path / "panel.txt", **said).feature_names == ("G2",)


def test_half_of_a_limit_below_zero_is_not_above_it(read):
    data = read("id,class,g\na,x,<-3\nb,y,<4\nc,x,5\n", limits="half")
    assert data.X[:, 0].tolist() == [-3, 2, 5]


def test_one_number_that_is_a_limit_too(read):
    with pytest.raises(DataError, match="'age' holds limits and no other numbers"):
        read("id,class,age,g\na,x,<40,1\nb,y,>=40,2\nc,x,40,3\n", limits="value")


def test_rows_without_a_value_where_numbers_name_the_samples(read):
    data = read("id,class,g\n1,x,1\n2,y,2\n3,x,3\n,,\n")
    assert data.sample_names == ("1", "2", "3")
    assert data.feature_names == ("g",)


def test_rows_are_called_by_their_numbers_in_the_file(read):
    with pytest.raises(DataError, match="id column 'id' is empty in row 4;"):
        read("id,class,g\np1,x,1\n,,\np2,y,2\n,x,3\np4,y,4\n")


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_families_of_plink_need_not_be_numbers(read, blank):
    """PLINK 1.9 writes blanks between fields: names in front are of families, none has moved."""
    lines = ["FID IID PAT MAT SEX PHENOTYPE v1_A"]
    lines += [f"f{k} i{k} 0 0 1 {1 + k % 2} {k % 3}" for k in range(6)]
    data = read("\n".join(lines).replace(" ", blank), target="PHENOTYPE")
    assert data.sample_names == tuple(f"i{k}" for k in range(6))
    assert (data.feature_names, data.X[:, 0].tolist()) == (("v1_A",), [0, 1, 2] * 2)
    table = "\n".join(["FID IID cls age", *(f"f{k} i{k} {'ab'[k % 2]} {k}" for k in range(6))])
    data = read(table, target="cls", id="IID", drop=["FID"])
    assert data.sample_names == tuple(f"i{k}" for k in range(6))
    assert data.X.ravel().tolist() == list(range(6))


def test_an_empty_line_of_plink_raw(read):
    head = "FID\tIID\tPAT\tMAT\tSEX\tPHENOTYPE\tv1_A\n"
    rows = [f"f{k}\ti{k}\t0\t0\t1\t{1 + k % 2}\t{k % 3}\n" for k in range(6)]
    rows.insert(3, "\t" * 6 + "\n")
    data = read(head + "".join(rows), target="PHENOTYPE", drop_unlabelled=True)
    assert data.sample_names == tuple(f"i{k}" for k in range(6))
    assert data.y.tolist() == ["1", "2"] * 3


def test_a_stand_in_is_no_name_of_another_column(read):
    data = read("id,class,column 4,,g\na,x,1,,2\nb,y,3,,4\n")
    assert data.feature_names == ("column 4", "g")
    text = "id,class,column 4,,g\na,x,1,7,2\nb,y,3,8,4\n"
    with pytest.raises(DataError, match="'column 4_' has no name"):
        read(text)
    assert read(text, drop="column 4_").feature_names == ("column 4", "g")


def test_a_last_column_without_a_name(read):
    text = "id,class,g,\na,x,1,\nb,y,2,seen\n"
    with pytest.raises(DataError, match=r"'column 4' has no name.*drop=\['column 4'\]"):
        read(text)
    assert read(text, drop="column 4").feature_names == ("g",)
    assert read(text.replace("seen", "")).feature_names == ("g",)


def test_numbers_and_text_of_a_workbook_are_read_alike(read, tmp_path):
    """Decimal commas in cells of text, beside what Excel knows to be numbers."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["id", "class", "g"], ["a", "x", "0,05"], ["b", "y", 0.125], ["c", "x", 1.125]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    for said in ({}, {"decimal": ","}, {"decimal": ",", "thousands": "."}):
        data = read_table(tmp_path / "t.xlsx", target="class", **said)
        assert data.X[:, 0].tolist() == [0.05, 0.125, 1.125]


def test_an_archive_that_asks_for_another_program(read, tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.save(tmp_path / "t.xlsx")
    content = bytearray((tmp_path / "t.xlsx").read_bytes())
    content[content.find(b"PK\1\2") + 6] = 145
    with pytest.raises(DataError, match="damaged zip archive"):
        read(bytes(content), "t.xlsx")


def test_files_of_a_folder_without_counts_are_told(tmp_path):
    for name, text in (
        ("s1", "G1\t1\nG2\t2\nG3\t5\n"),
        ("s2", "G1\t1\nG2\t2\nG3\t5\n"),
        ("s3", ""),
    ):
        (tmp_path / f"{name}.txt").write_text(text)
    assert "no counts are in 's3.txt': left out" in read_table(tmp_path).notes


def test_the_first_of_text_is_told_where_means_are_asked_for(read):
    data = read("id,class,g,g,t,t\na,x,1,3,u,v\nb,y,2,4,v,v\n", duplicates="mean")
    assert data.X[:, 0].tolist() == [2, 3]
    assert any("mean of their values is taken, of text the first ('t')" in n for n in data.notes)


def test_a_line_of_units_is_one_beside_columns_without_numbers(tmp_path):
    """Half of the columns of numbers have it, whatever stands beside them."""
    head = "id,class,a,b,e1,e2,e3,kind\nunits,,mg,mg,,,,\n"
    rows = "".join(f"s{k},{'uv'[k % 2]},{k},{k / 2},,,,{'rb'[k % 2]}\n" for k in range(12))
    (tmp_path / "t.csv").write_text(head + rows)
    with pytest.raises(DataError, match="row 1 has text in 2 columns of numbers, such as 'mg'"):
        read_table(tmp_path / "t.csv", target="class")


@pytest.mark.parametrize(
    ("cells", "foreign"),
    [
        (["0", "\u22121.5", "2", "1"], "'\u22121.5'"),
        (["1", "2,5", "3", "4"], "'2,5'"),
        (["1 200", "3", "40", "5"], "'1 200'"),
        (["1.200,5", "3", "4", "1.100,25"], "'1.100,25', '1.200,5'"),
        (["<0,5", "3", "4", ">0,5"], "'<0,5', '>0,5'"),
    ],
)
def test_text_of_numbers_of_which_some_are_foreign_is_no_category(tmp_path, cells, foreign):
    frame = pd.DataFrame({"id": list("abcdefgh"), "class": list("xy") * 4, "g": cells * 2})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError) as error:
        read_table(tmp_path / "t.parquet", target="class")
    assert str(error.value).startswith(
        "column 'g' has decimal commas, a long minus or marks between thousands, for instance "
        f"{foreign}: "
    )
    data = read_table(tmp_path / "t.parquet", target="class", categorical=["g"])
    assert sorted(data.levels[0]) == sorted(cells)


@pytest.mark.parametrize(
    "cells", [["1/2", "1"], ["0-1", "2"], ["<5", "5"], ["1p", "1"], ["1", "2"]]
)
def test_text_of_few_kinds_is_a_category(tmp_path, cells):
    frame = pd.DataFrame({"id": list("abcdefgh"), "class": list("xy") * 4, "g": cells * 4})
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", target="class").levels == {0: tuple(sorted(cells))}


@pytest.mark.parametrize("sign", ["<", "> ", "≤", ">="])
def test_a_limit_shows_a_decimal_comma(read, sign):
    rows = [f"s{k};{'xy'[k % 2]};{sign}0,5;{sign}{k},25;{k}" for k in range(1, 7)]
    text = "\n".join(["id;class;g;h;n", *rows]) + "\n"
    data = read(text, drop=["g"], limits="value", categorical=["h"])
    assert any("decimal comma" in note for note in data.notes)
    with pytest.raises(DataError, match="'g' holds limits and no other numbers"):
        read(text, drop=["h"], limits="value")
    mixed = text.replace(f"{sign}3,25", "3,75")
    data = read(mixed, drop=["g"], limits="value")
    assert data.feature_names == ("h", "n")
    assert data.X[:, 0].tolist() == [1.25, 2.25, 3.75, 4.25, 5.25, 6.25]


def test_a_row_of_units_is_told_beside_decimal_commas(tmp_path):
    """Though as many columns have a comma in another row."""
    lines = ["id\tclass\tg\th\tk", "\tmg/l\tmg/l\tmg/l\tmg/l"]
    lines += [f"00{k}\t{'xy'[k % 2]}\t{k}\t{k + 1}\t{k + 2}" for k in range(1, 5)]
    lines += [f"00{k}\t{'xy'[k % 2]}\t1,{k}01\t1,{k}02\t1,{k}03" for k in range(5, 9)]
    (tmp_path / "t.tsv").write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match="row 1 has text in 3 columns of numbers, such as 'mg/l'"):
        read_table(tmp_path / "t.tsv", target="class")
