"""`tamis read`: all that is wrong with a table at once, and the table without it."""

import json
from contextlib import suppress

import numpy as np
import pytest

from common import corpus
from tamis._core.errors import DataError
from tamis.data import cleaned, read_table

HEAD = "Pat;class;age;crp;height;visit;crp;remark"
ROWS = [
    "P01;ill;54,5;<0,5;170 cm;01.02.2021;1;none",
    "P02;well;n/a;1,2;180 cm;03.02.2021;2;as before",
    "P03;;33;3,4;165,5 cm;01.04.2021;3;x y",
    "P04;ill;61;>200;171 cm;01.05.2021;4;later",
    "P05;well;28;0,7;169 cm;11.02.2021;5;-",
    "P06;ill;44;pending;160 cm;12.02.2021;6;moved",
    "P07;well;39;0,9;175 cm;13.02.2021;7;good",
]


@pytest.fixture
def mess(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(["Tabelle: Köln;;;;;;;", ";;;;;;;", HEAD, *ROWS]) + "\n"
    (tmp_path / "mess.csv").write_bytes(text.encode("windows-1252"))
    return tmp_path


def test_all_faults_come_at_once_the_commonest_first(tamis, mess):
    code, out, err = tamis("read", "mess.csv", "--target", "class")
    assert (code, out) == (2, "")
    head, *lines = err.rstrip("\n").split("\n")
    assert head == "tamis: 'mess.csv' cannot be read yet, for 8 reasons:"
    options = [
        "--units 'remove'",
        "--drop 'visit'",
        "--drop 'remark'",
        "--limits 'value'",
        "--missing 'crp=pending'",
        "--missing 'n/a'",
        "--duplicates",
        "--drop-unlabelled",
    ]
    assert len(lines) == len(options)
    for option in options:
        assert sum(option in line for line in lines) == 1, option
    assert [line[2] for line in lines] == list("12345678")
    assert "'height' has numbers followed by a unit" in lines[0]  # in all rows, so it comes first


def test_what_was_mended_is_written_and_runs_again(tamis, mess):
    code, out, err = tamis("read", "mess.csv", "--target", "class", "--fix", "clean.parquet")
    assert code == 0
    for text in ("decimal comma", "read as windows-1252", "1 line is above the header"):
        assert text in err
    assert out.count("  fixed     --") == 8
    data = read_table("clean.parquet", target="class")
    assert data.feature_names == ("age", "crp", "height", "crp.2")
    assert data.sample_names == ("P01", "P02", "P04", "P05", "P06", "P07")
    expected = [
        [54.5, 0.5, 170, 1],
        [np.nan, 1.2, 180, 2],
        [61, 200, 171, 4],
        [28, 0.7, 169, 5],
        [44, np.nan, 160, 6],
        [39, 0.9, 175, 7],
    ]
    np.testing.assert_array_equal(data.X, expected)
    before = (mess / "clean.parquet").read_bytes()
    (mess / "clean.parquet").unlink()
    assert tamis("read", "clean.toml", "--quiet")[0] == 0
    assert (mess / "clean.parquet").read_bytes() == before
    account = (mess / "clean.toml").read_text()
    (mess / "clean.toml").write_text(account.replace('limits = "value"', 'limits = "half"'))
    assert tamis("read", "clean.toml", "--quiet", "--fix", "half.csv")[0] == 0
    assert read_table("half.csv", target="class").X[0, 1] == 0.25


def test_what_the_user_says_is_not_overruled(tamis, mess):
    given = ("--limits", "missing", "--drop", "crp", "--duplicates", "first")
    assert tamis("read", "mess.csv", "--target", "class", *given, "--fix", "c.parquet")[0] == 0
    assert read_table("c.parquet", target="class").feature_names == ("age", "height")


def test_what_only_the_user_can_know_is_refused(tamis, mess):
    code, _, err = tamis("read", "mess.csv", "--target", "clas", "--fix", "c.parquet")
    assert (code, err.count("\n")) == (2, 1)
    assert "did you mean 'class'" in err
    assert not (mess / "c.parquet").exists()


@pytest.mark.parametrize(
    "name", ["German", "GCT 1.3", "PLINK raw", "featureCounts", "Excel with titles", "salmon"]
)
def test_a_cleaned_table_is_the_same_table(tamis, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    case = corpus.CASES[name]
    path, options = corpus.write(case, tmp_path)
    said = [word for key, value in options.items() for word in (f"--{key}", value)]
    (tmp_path / "out").mkdir()
    code, out, _ = tamis("read", path, *said, "--fix", "out/clean.parquet", "--json")
    assert code == 0
    found = json.loads(out)
    frame = corpus.BASES[case.base]
    assert (found["samples"], found["features"]) == (len(frame), frame.shape[1] - 2)
    again = read_table("out/clean.parquet", target=options["target"])
    assert again.digest() == read_table(path, **options).digest()


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("mess.csv", "would be written"),
        ("other.csv", "--force"),
        ("c.doc", "name it so"),
        ("mess.toml", "name it so"),
    ],
)
def test_nothing_is_written_over(tamis, mess, out, says):
    (mess / "other.csv").write_text("my,own\n1,2\n")
    before = {path.name: path.read_bytes() for path in mess.iterdir()}
    code, _, err = tamis("read", "mess.csv", "--target", "class", "--fix", out)
    assert code == 2
    assert says in err
    assert {path.name: path.read_bytes() for path in mess.iterdir()} == before


def test_help_names_every_way_to_read_a_table(tamis):
    out = tamis("read", "--help")[1]
    options = "decimal encoding sheet missing limits units duplicates drop-unlabelled keep fix"
    for option in options.split():
        assert f"--{option}" in out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cutoff = 1", "it has 'cutoff'; choose from"),
        ("drop = 'g'", "drop = 'g'"),
        ("drop = [1]", "drop.0 = 1"),
        ("transpose = 'maybe'", "transpose = 'maybe'"),
        ("blocks = {a = 1}", "blocks.a = 1"),
        ("duplicates = 'last'", "duplicates = 'last'"),
        ("[fix]", "fix = {}"),
        ('samples = "a\\u0000b"', "a path has a NUL"),
    ],
)
def test_an_account_that_was_edited_wrongly_is_one_line(tamis, tmp_path, monkeypatch, line, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,class,g\ns1,x,1\ns2,y,2\n")
    own = (
        f'{cleaned.FILE_HEAD}\ntable = "t.csv"\n'
        + ('fix = "c.csv"\n' if line != "[fix]" else "")
        + line
    )
    (tmp_path / "c.toml").write_text(own)
    code, _, err = tamis("read", "c.toml")
    assert code == 2
    assert f"'c.toml' is damaged: {told}" in err
    assert len(err.strip().splitlines()) == 1


def test_what_a_format_cannot_hold_is_said(tamis, tmp_path, monkeypatch):
    """Codes that are categories, and a name that a spreadsheet would compute; classes in `obs`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,class,stage,=a\ns1,x,1,1\ns2,y,2,2\ns3,x,1,3\ns4,y,2,4\n")
    told = "--target", "class", "--categorical", "stage"
    code, _, err = tamis("read", "t.csv", *told, "--fix", "c.csv")
    assert code == 0
    assert "study it with --categorical 'stage'" in err
    assert "have an apostrophe before in 'c.csv'" in err
    code, _, err = tamis("read", "t.csv", *told, "--fix", "c.parquet", "--force")
    assert (code, "apostrophe" in err, "does not say all" in err) == (0, False, False)
    assert read_table("c.parquet", target="class").levels == {0: ("1", "2")}
    pytest.importorskip("anndata")
    code, _, err = tamis("read", "t.csv", *told, "--fix", "c.h5ad", "--force")
    assert code == 2
    assert "features of numbers alone, none of categories such as 'stage'" in err
    assert tamis("read", "t.csv", *told, "--drop", "stage", "--fix", "d.h5ad", "--quiet")[0] == 0
    data = read_table("d.h5ad", target="class")
    assert data.feature_names == ("=a",)
    assert data.y.tolist() == ["x", "y", "x", "y"]


IDS, CODES = {"id": "id"}, {"categorical": "g"}  # how a table is read
LOST = {  # and what has to be said of the table that is written
    "ids of numbers": ("id,class,g\n7,x,1\n38,y,2\n75,x,3\n9,y,4\n", IDS, {"id": "sample"}),
    "categories TRUE": ("id,class,g,h\na,x,TRUE,1\nb,y,FALSE,2\nc,x,TRUE,3\n", CODES, CODES),
    "numbers and text": ("id,class,g,h\na,x,1,1\nb,y,2,2\nc,x,unk,3\nd,y,1,4\n", CODES, CODES),
    "nothing": ("id,class,g\na,x,1\nb,y,2\nc,x,3\n", {}, {}),
}


@pytest.mark.parametrize("case", LOST)
def test_what_a_written_table_does_not_say_is_said(tamis, tmp_path, monkeypatch, case):
    """Read with what is said it is the same, and without it is not."""
    monkeypatch.chdir(tmp_path)
    text, options, said = LOST[case]
    (tmp_path / "t.csv").write_text(text)
    given = [word for key, value in options.items() for word in (f"--{key}", value)]
    code, _, err = tamis("read", "t.csv", "--target", "class", *given, "--fix", "c.csv")
    assert code == 0
    data = read_table("t.csv", target="class", **options)
    assert cleaned.same_content(data, read_table("c.csv", target="class", **said))
    for key, value in said.items():
        assert f"study it with --{key} '{value}'" in err
        with suppress(DataError):
            assert not cleaned.same_content(data, read_table("c.csv", target="class"))
    assert ("does not say all" in err) == bool(said)


def test_classes_that_would_be_formulas_are_said(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,class,g\na,=x,1\nb,+y,2\nc,=x,3\n")
    code, _, err = tamis("read", "t.csv", "--target", "class", "--fix", "c.csv")
    assert code == 0
    assert "have an apostrophe before in 'c.csv'" in err
    assert read_table("c.csv", target="class").classes == ("'+y", "'=x")


def test_an_account_keeps_what_no_option_says(tamis, tmp_path, monkeypatch):
    """Flags that were given then hold again; an option goes before."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("gene,a,b,c\ng1,1,2,3\ng2,n/a,5,6\nclass,x,y,\n")
    options = "--transpose", "--drop-unlabelled", "--target", "class"
    assert tamis("read", "t.csv", *options, "--fix", "c.v1.parquet")[0] == 0
    assert (tmp_path / "c.v1.toml").is_file()
    first = sorted((tmp_path / "c.v1.toml").read_text().splitlines())
    assert tamis("read", "c.v1.toml", "--force")[0] == 0
    assert sorted((tmp_path / "c.v1.toml").read_text().splitlines()) == first
    assert read_table("c.v1.parquet", target="class").sample_names == ("a", "b")


def test_a_covariate_is_not_left_out(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"s{k},{'xy'[k % 2]},0{1 + k % 9}.02.20{10 + k},{k}\n" for k in range(30))
    (tmp_path / "t.csv").write_text("id,class,visit,g\n" + rows)
    code, _, err = tamis(
        "read", "t.csv", "--target", "class", "--covariate", "visit", "--fix", "c.csv"
    )
    assert code == 2
    assert "text column 'visit' has 30 different values" in err
    assert "named both" not in err


def test_a_value_that_only_looks_like_text_of_python(tamis, tmp_path, monkeypatch):
    r"""``\N`` is what MySQL writes for a missing value."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,class,g,h\np1,a,1,1\np2,b,2,2\np3,a,\\N,3\np4,b,5,4\n")
    code, _, err = tamis("read", "t.csv", "--target", "class")
    assert code == 2
    assert r"--missing 'g=\N'" in err
    assert tamis("read", "t.csv", "--target", "class", "--missing", r"g=\N")[0] == 0
