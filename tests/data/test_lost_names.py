"""Tables whose names would stand over other values, or be lost, by what a message says to do."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.cleaned import clean_table
from tamis.data.faults import Fault
from tamis.data.passing import place_of_line

LABELS = ("ill", "well", "ill", "well", "ill", "well")
G1, G2 = [1.5, 2.25, 0.5, 4.75, 3.25, 9.5], [7.0, 6.0, 9.0, 8.0, 5.0, 4.0]


@pytest.fixture
def write(tmp_path):
    def write_text(text, name="t.csv"):
        (tmp_path / name).write_text(text, newline="")
        return tmp_path / name

    return write_text


def lines_of(ids, separator=",", head="id,class,g1,g2"):
    rows = zip(ids, LABELS, G1, G2, strict=False)
    return [head.replace(",", separator), *(separator.join(map(str, row)) for row in rows)]


def is_table(data, ids):
    assert data.sample_names == tuple(ids)
    assert data.feature_names == ("g1", "g2")
    assert data.y.tolist() == list(LABELS[: len(ids)])
    np.testing.assert_array_equal(data.X, np.array([G1, G2]).T[: len(ids)])


# --- a header that ends with a delimiter and lacks the name of the first column ------------------

ROW_NAMES = {
    "padded": ["001", "002", "003", "004", "005", "006"],
    "numbers of R": ["1", "2", "3", "4", "5", "6"],
    "decimals": ["101.50", "102.50", "103.50", "104.50", "105.50", "106.50"],
    "text": ["pt 1", "pt 2", "pt 3", "pt 4", "pt 5", "pt 6"],
}


@pytest.mark.parametrize("separator", ["|", ",", ";"])
@pytest.mark.parametrize("ids", ROW_NAMES)
def test_no_remedy_leaves_out_the_last_of_names_that_have_moved(write, ids, separator):
    lines = lines_of(ROW_NAMES[ids], separator, "class,g1,g2,")
    path = write("\n".join(lines) + "\n")
    with pytest.raises(DataError, match="if the first name is of the second column") as error:
        read_table(path, target="class")
    assert "drop=" not in str(error.value)
    with pytest.raises(DataError):
        clean_table(path, {"target": "class"})
    lines[0] = f"id{separator}{lines[0].rstrip(separator)}"
    is_table(read_table(write("\n".join(lines) + "\n"), target="class", id="id"), ROW_NAMES[ids])


@pytest.mark.parametrize(
    ("head", "id"),
    [("id,class,g1,g2,", "id"), ("class,id,g1,g2,", "id"), ("sample,class,g1,,", "")],
)
def test_a_last_column_without_a_name_is_left_out_where_no_name_can_have_moved(write, head, id):
    rows = [
        f"s{k},{label},{a},{b},{k % 2}"
        for k, (label, a, b) in enumerate(zip(LABELS, G1, G2, strict=True))
    ]
    if head.startswith("class"):
        rows = [",".join([*row.split(",")[1::-1], *row.split(",")[2:]]) for row in rows]
    path = write("\n".join([head, *rows]) + "\n")
    drop = ["column 5"] if id else ["column 4", "column 5"]
    said = {"target": "class", "id": id or None}
    with pytest.raises(DataError, match=r"drop=\['column 5'\]"):
        read_table(path, **said)
    data = read_table(path, drop=drop, **said)
    assert data.sample_names == tuple(f"s{k}" for k in range(6))
    assert data.X[:, 0].tolist() == G1
    assert data.feature_names == (("g1", "g2") if id else ("g1",))


@pytest.mark.parametrize("separator", ["\t", ";", ","])
@pytest.mark.parametrize("name", ["Sample ID", "id", "patient"])
def test_a_last_column_without_a_name_above_rows_that_end_with_a_delimiter(write, separator, name):
    lines = lines_of(ROW_NAMES["text"], separator, f"{name},class,g1,")
    path = write("\n".join([lines[0], *(line + separator for line in lines[1:])]) + "\n")
    with pytest.raises(DataError, match="'column 4' has no name in the header"):
        read_table(path, target="class")
    data = read_table(path, target="class", drop=["column 4"])
    assert data.sample_names == tuple(ROW_NAMES["text"])
    assert data.y.tolist() == list(LABELS)
    assert data.X[:, 0].tolist() == G1


# --- delimiters that nobody expects --------------------------------------------------------------


@pytest.mark.parametrize("mark", ["^", "~", ":", "\x01", "\x1f", "&", "/"])
@pytest.mark.parametrize("ids", [["s1", "s2", "s3", "s4", "s5", "s6"], ROW_NAMES["text"]])
def test_an_odd_delimiter_is_named_and_no_line_is_to_be_removed(write, mark, ids):
    text = "\n".join(lines_of(ids, mark, "Sample ID,class,g1,g2")) + "\n"
    path = write(text)
    with pytest.raises(Fault) as error:
        read_table(path, target="class")
    assert str(error.value) == (
        f"'t.csv': 6 of its first 6 lines have 4 fields each between {mark!r}: say "
        f"separator={mark!r}"
    )
    is_table(read_table(path, target="class", separator=mark), ids)
    is_table(clean_table(path, {"target": "class"}).data, ids)


def test_a_title_or_an_uneven_line_hides_no_odd_delimiter(write):
    lines = lines_of(ROW_NAMES["text"], "^")
    lines[3] += "^7"
    path = write("\n".join(["All patients", *lines]) + "\n")
    with pytest.raises(Fault, match=r"4 of its first 6 lines have 4 fields each between '\^'"):
        read_table(path, target="class")


@pytest.mark.parametrize(
    "text",
    [
        "id class at g\ns1 ill 10:30:00 1\ns2 well 11:30:00 2\n",
        "at\tclass\tg\n10:30:00\till\t1\n11:30:00\twell\t2\n",
        "id,class,g:a:b:c:d\ns1,ill,1\ns2,well,2\n",
        "id class k:p:c\n1:2:3 ill 1\n2:3:4 well 2\n",
        "id,class,path/to/one,path/to/two\na/b/c,ill,1,3\nb/c/d,well,2,5\n",
    ],
)
def test_marks_in_names_and_cells_are_no_delimiter(write, text):
    data = read_table(write(text), target="class", categorical=[])
    assert data.y.tolist() == ["ill", "well"]


@pytest.mark.parametrize("mark", ["^", "~"])
def test_a_comma_in_each_line_hides_no_odd_delimiter(write, mark):
    lines = [mark.join(["id", "class", "HLA-A,2", "g", "h", "k"])]
    lines += [
        mark.join([f"s{k}", label, f"1,{k}00", "3", "4", "5"]) for k, label in enumerate(LABELS)
    ]
    path = write("\n".join(lines) + "\n")
    with pytest.raises(Fault, match="have 6 fields each between"):
        read_table(path, target="class")
    data = read_table(path, target="class", separator=mark, thousands=",")
    assert data.feature_names == ("HLA-A,2", "g", "h", "k")
    assert data.X[:, 0].tolist() == [1000 + 100 * k for k in range(6)]


def test_blanks_in_each_line_hide_no_odd_delimiter(write):
    lines = ["^".join(["id", "class", "comment", "CD3 T", "miR 21", "h", "k"])]
    lines += [
        "^".join([f"s{k}", label, f"seen by Dr. {k}", "1", "3", "4", "5"])
        for k, label in enumerate(LABELS)
    ]
    lines[2] += "^9"
    lines[0] += " T"
    with pytest.raises(Fault, match=r"have 7 fields each between '\^'"):
        read_table(write("\n".join(lines) + "\n"), target="class")


def test_paths_beside_a_class_are_no_delimiter(write):
    ids = ["a/b/no", "a/b/se", "a/b/de", "a/b/fr"]
    sheet = "".join(f"{name},{label}\n" for name, label in zip(ids, LABELS, strict=False))
    sheet = write(f"of/all/countries,class\n{sheet}", "sheet.csv")
    table = write("id,g1\n" + "".join(f"{name},{k}\n" for k, name in enumerate(ids)))
    data = read_table(table, target="class", samples=sheet)
    assert data.y.tolist() == list(LABELS[:4])


def test_a_blank_in_each_line_is_no_delimiter(write):
    lines = lines_of(ROW_NAMES["text"], "|", "id,class,g 1,g2")
    lines[3] += "|7"
    with pytest.raises(DataError, match=r"line 4 has 5 fields where 4 are expected"):
        read_table(write("\n".join(lines) + "\n"), target="class")
    del lines[3]
    data = read_table(write("\n".join(lines) + "\n"), target="class")
    assert data.feature_names == ("g 1", "g2")
    assert data.X.tolist() == [
        [a, b] for k, (a, b) in enumerate(zip(G1, G2, strict=True)) if k != 2
    ]


def test_a_comma_in_a_title_is_no_delimiter(write):
    lines = ["probe\t001\t002\t003\t", "class\tx\ty\tx", "g1\t1\t2\t3", "g2\t4.5\t5\t6"]
    for title in ("log2 intensities, normalised", "a, b, c", "Table 1; all"):
        path = write("\n".join([title, *lines]) + "\n")
        with pytest.raises(DataError, match=f"its first line, '{title}', names no columns"):
            read_table(path, transpose=True, target="class")
    path = write("\n".join(lines) + "\n")
    data = read_table(path, transpose=True, target="class")
    assert data.sample_names == ("001", "002", "003")
    assert data.y.tolist() == ["x", "y", "x"]
    assert data.X.tolist() == [[1, 4.5], [2, 5], [3, 6]]


def test_between_tabs_a_cell_may_be_empty_and_another_too_many(write):
    lines = ["probe\ts1\ts2\t", "\tmg/l\tmg/l\tmg/l", "g1\t1\t2", "g2\t4.5\t5", "g3\t4\t3"]
    with pytest.raises(DataError, match=r"line 2 has 4 fields where 3 are expected"):
        read_table(write("\n".join(lines) + "\n"), transpose=True)


# --- the header among the rows -------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize(
    "head", ["id,101,102,103", "id,c1,c2,c3", "id,100.5,200.5,300.5", '"id","c1","c2","c3"']
)
def test_the_header_among_the_rows_is_found(write, head, transpose, end):
    rows = ["g1,7,8,9", "g2,4,4,4", "g3,1,2,3", "g4,5,5,6"]
    path = write(end.join([head, *rows[:2], head, *rows[2:]]) + end)
    with pytest.raises(DataError) as error:
        read_table(path, transpose=transpose)
    assert str(error.value) == (
        "'t.csv': line 4 has the names of the header again: remove the line"
    )
    data = read_table(write(end.join([head, *rows]) + end), transpose=transpose)
    values = np.array([[7, 8, 9], [4, 4, 4], [1, 2, 3], [5, 5, 6]])
    np.testing.assert_array_equal(data.X, values.T if transpose else values)


def test_no_class_is_called_like_its_column(write):
    """Of genotypes the header would be a row of levels."""
    head, cells = "id,class,rs1,rs2", ["ill,AA,AG", "well,AG,AG", "ill,GG,AA", "well,AA,AA"] * 3
    rows = [f"p{k},{own}" for k, own in enumerate(cells)]
    with pytest.raises(DataError, match=r"line 14 has the names of the header again"):
        read_table(write("\n".join([head, *rows, head, *rows]) + "\n"), target="class")
    data = read_table(write("\n".join([head, *rows]) + "\n"), target="class")
    assert data.classes == ("ill", "well")
    assert data.levels == {0: ("AA", "AG", "GG"), 1: ("AA", "AG")}


@pytest.mark.parametrize("above", [",,,", ",,,\n,,,\n", ",,,\n\n,,,", '"","","",""'])
@pytest.mark.parametrize("ids", [["101", "102", "103"], ["s1", "s2", "s3"]])
def test_delimiters_alone_are_no_header(write, above, ids):
    rows = ["TP53,1.5,2,3", "EGFR,4,5,6.5", "MYC,7,8,9"]
    path = write("\n".join([above, ",".join(["", *ids]), *rows]) + "\n")
    data = read_table(path, transpose=True)
    assert data.sample_names == tuple(ids)
    assert data.feature_names == ("TP53", "EGFR", "MYC")
    assert data.X.tolist() == [[1.5, 4, 7], [2, 5, 8], [3, 6.5, 9]]


# --- points that may part thousands, further down ------------------------------------------------

DOUBT = "'81.566' and others are read with a decimal point: if it stands between thousands, say "


@pytest.mark.parametrize("transpose", [False, True])
def test_points_between_thousands_are_asked_for_further_down(write, transpose):
    counts = [["81.566", "8.416", "79.083"], ["55.510", "12.471", "70.971"]]
    rows = [f"f{k};{k};{k + 1};{k + 2}" for k in range(8)]
    rows += [";".join([f"g{k}", *cells]) for k, cells in enumerate(counts)]
    path = write("\n".join(["name;s1;s2;s3", *rows]) + "\n")
    notes = read_table(path, transpose=transpose).notes
    assert sum(note.startswith(DOUBT) for note in notes) == 1
    told = {"thousands": ".", "decimal": ","}
    data = read_table(path, transpose=transpose, **told)
    X = data.X.T if transpose else data.X
    assert X[8:].tolist() == [[81566, 8416, 79083], [55510, 12471, 70971]]
    assert not any("thousands" in note for note in data.notes)


@pytest.mark.parametrize("head", ["X;Gene ID", "gene;description", "gene"])
def test_names_beside_counts_have_no_decimals(write, head):
    rows = [f"{k};{name};58.254;{k + 2}.118;16.259" for k, name in enumerate(["1.5", "a.7", "b"])]
    rows = rows if ";" in head else [row.split(";", 1)[1] for row in rows]
    path = write("\n".join([f"{head};S0;S1;S2", *rows]) + "\n")
    notes = read_table(path, transpose=True).notes
    assert sum("if it stands between thousands" in note for note in notes) == 1


@pytest.mark.parametrize("other", ["0.566", "1234.566", "5.5", "1.5e3", "-0.416", ".25", "5.4167"])
def test_another_point_anywhere_shows_that_it_stands_before_decimals(write, other):
    rows = [f"f{k};{k}.125;{k + 1}.250" for k in range(1, 8)]
    path = write("\n".join(["name;s1;s2", *rows, f"g;{other};1.125"]) + "\n")
    assert not any("thousands" in note for note in read_table(path, id="name").notes)


# --- an index in front of the names of the features ----------------------------------------------


@pytest.mark.parametrize("corner", ["X", "", "Unnamed: 0"])
@pytest.mark.parametrize(
    ("head", "names"),
    [("Gene ID", ["1.5", "TP53", "007", "kind"]), ("gene_name", ["n", "2", "3", "4"]),
     ("Entrez ID", ["7157", "1956", "672", "675"]), ("probe", ["a", "b", "c", "d"]),
     ("gene", ["a", "", "c", "7"])],
)  # fmt: skip
def test_features_called_by_numbers_keep_their_names_behind_an_index(write, head, names, corner):
    values = [[1.5, 2.5], [3.0, 4.0], [5.0, 6.5], [7.0, 8.0]]
    rows = [
        f"{k},{name},{a},{b}" for k, (name, (a, b)) in enumerate(zip(names, values, strict=True))
    ]
    path = write("\n".join([f"{corner},{head},s1,s2", *rows]) + "\n")
    data = read_table(path, transpose=True)
    assert data.feature_names == tuple(names)
    assert data.sample_names == ("s1", "s2")
    np.testing.assert_array_equal(data.X, np.array(values).T)


def test_a_sample_behind_numbers_of_features_stays_a_sample(write):
    rows = [f"{k},{k}.5,{9 - k}.25" for k in range(5)]
    data = read_table(write("\n".join(["X,s1,s2", *rows]) + "\n"), transpose=True)
    assert data.sample_names == ("s1", "s2")
    assert data.X[0].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]


@pytest.mark.parametrize("transpose", [False, True])
def test_a_further_feature_of_a_name_can_be_declared(write, transpose):
    columns = {
        "g": [1, 2, 1, 2],
        "h": [3, 4, 5, 7],
        "again": [10, 20, 20, 10],
        "third": [3, 8, 5, 6],
    }
    table = [["id", "g", "h", "g", "g"], *map(list, zip("abcd", *columns.values(), strict=True))]
    table = list(map(list, zip(*table, strict=True))) if transpose else table
    path = write("".join(",".join(map(str, row)) + "\n" for row in table))
    said = {"transpose": transpose, "categorical": ["g.2"]}
    data = read_table(path, duplicates="suffix", **said)
    assert data.feature_names == ("g", "h", "g.2", "g.3")
    assert data.levels == {2: ("10", "20")}
    data = read_table(path, duplicates="mean", **said)
    assert data.X.T.tolist() == [[2, 5, 3, 4], [3, 4, 5, 7]]


def test_a_mean_is_also_of_numbers_that_are_text_in_the_file(write):
    rows = ["a,x,1,'1\u2019001.5'", "b,y,2,'2\u2019000'", "c,x,4,'3\u2019000'", "d,y,5,'12'"]
    names = ("id string", "cls {x,y}", "g numeric", "g string")
    text = "".join(f"@attribute {name}\n" for name in names)
    path = write("\n".join([f"@relation t\n{text}@data", *rows]) + "\n", "t.arff")
    data = read_table(path, target="cls", duplicates="mean", thousands="\u2019")
    assert data.feature_names == ("g",)
    assert data.X[:, 0].tolist() == [501.25, 1001, 1502, 8.5]
    assert "1 name stands more than once ('g'): the mean of their values is taken" in data.notes


# --- a column that stands twice in a sample sheet ------------------------------------------------


@pytest.mark.parametrize(
    "role", [{"group": "patient"}, {"batch": "patient"}, {"covariates": ["patient"]}]
)
def test_a_role_that_stands_twice_in_a_sheet_is_refused(write, tmp_path, role):
    table = write("id,g1,g2\na,1,2\nb,3,4\nc,5,7\nd,8,6\n")
    rows = ["a,ill,1,3", "b,well,1,4", "c,ill,2,3", "d,well,2,4"]
    write("\n".join(["id,class,patient,patient", *rows]) + "\n", "sheet.csv")
    with pytest.raises(DataError) as error:
        read_table(table, target="class", samples=tmp_path / "sheet.csv", **role)
    assert str(error.value) == (
        "the column 'patient' stands more than once in 'sheet.csv', and it is no feature: leave "
        "one of them in the file"
    )
    data = read_table(table, target="class", samples=tmp_path / "sheet.csv")
    assert data.y.tolist() == ["ill", "well", "ill", "well"]


def test_a_line_is_found_where_it_begins_and_not_within_others():
    header = b"gene\t" + b"\t".join(b"s%d" % k for k in range(30))
    longer, row = header + b"\ts30", b"g1\t" + b"\t".join(b"%d" % k for k in range(30))
    blocks = {
        b"\n".join([row, longer, row, header, row, b""]): 2 * len(row) + len(longer) + 3,
        b"\n".join([header, row, b""]): 0,
        b"\n".join([row, longer, b"x" + header, row, b""]): -1,
    }
    assert {block: place_of_line(block, header) for block in blocks} == blocks


@pytest.mark.parametrize("first", ["gene", "probe_id", "Symbol"])
def test_features_in_rows_lend_their_heading_to_no_sample(write, first):
    """Rows of a field more than the header, which begins with a heading of features."""
    samples = [f"S{k}" for k in range(6)]
    rows = [["class", *LABELS], ["TP53", *map(str, G1)], ["EGFR", *map(str, G2)]]
    text = "\n".join([",".join([first, *samples]), *(",".join([*row, "1"]) for row in rows)])
    path = write(f"{text}\n")
    with pytest.raises(DataError, match=f"one field more .* begins with {first!r}: name every"):
        read_table(path, target="class", transpose=True)
    named = write(text.replace(samples[-1], f"{samples[-1]},extra") + "\n")
    data = read_table(named, target="class", transpose=True, drop_unlabelled=True)
    assert data.feature_names == ("TP53", "EGFR")
    assert data.sample_names[:6] == tuple(samples)


def test_samples_called_like_ids_may_stand_above_row_names_without_a_header(write):
    """As R writes them."""
    text = "id_1,id_2,id_3,id_4\nclass,a,b,a,b\nTP53,1,2,3,4\nEGFR,5.5,6,7,8\n"
    data = read_table(write(text), target="class", transpose=True)
    assert data.sample_names == ("id_1", "id_2", "id_3", "id_4")


def test_a_sample_above_the_names_of_features_is_refused(write, tmp_path):
    """A header one name short over rows of which one ends early, so that it seems complete."""
    samples = [f"S{k}" for k in range(6)]
    (tmp_path / "sheet.csv").write_text(
        "id,class\n" + "".join(f"{s},{c}\n" for s, c in zip(samples, LABELS, strict=True))
    )
    rows = ["TP53,1,2,3,4,5", "EGFR,2,3,4,5,6"]
    path = write("\n".join([",".join(samples), *rows]) + "\n")
    how = {"target": "class", "transpose": True, "samples": tmp_path / "sheet.csv"}
    with pytest.raises(DataError, match="'S0' stands above the names of the features, and is a "):
        read_table(path, **how)
    path = write("\n".join(["gene," + ",".join(samples), *(f"{row},7" for row in rows)]) + "\n")
    data = read_table(path, **how)
    assert data.sample_names == tuple(samples)
    assert data.X[:, 0].tolist() == [1, 2, 3, 4, 5, 7]


@pytest.mark.parametrize("title", ["", "Cohort 7\n\n"])
def test_one_column_is_refused_where_features_are_in_rows(write, title):
    text = f"{title}gene>S1>S2\np*>160>296\nTP53>25.59>1231.3\n\nkind>m>f\n"
    with pytest.raises(DataError, match=r"no sample columns; check|or name the delimiter with sep"):
        read_table(write(text), target="kind", transpose=True)
    data = read_table(write(text), target="kind", transpose=True, separator=">")
    assert data.feature_names == ("p*", "TP53")
