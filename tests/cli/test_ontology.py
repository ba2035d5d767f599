"""`tamis ontology show` and `index` as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ontology.made_up import OBO, RDF_XML
from ontology.test_reasoner import DEFINED


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.obo").write_text(OBO)
    (tmp_path / "x.owl").write_text(RDF_XML)
    return "x.obo"


def test_it_shows_what_a_file_holds(file, tamis):
    code, out, err = tamis("ontology", "show", file)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "x.obo (http://purl.obolibrary.org/obo/x.owl)",
        "  classes       5 (4 with a label, 1 obsolete)",
        "  hierarchy     2 superclasses, 2 roots, depth 2",
        "  names         2 synonyms, 1 related names, 1 definitions",
        "  properties    1 (1 object, 0 data, 0 annotation), 2 restrictions",
        "  individuals   1",
        "  ! 1 of 5 classes without a label: the local name, in words, stands for it",
        "  ! 1 import not read ('http://other.org/y.owl'): merge them into the file if their "
        "classes are needed",
    ]
    _, of_obo, _ = tamis("ontology", "show", file, "--json")
    _, of_owl, _ = tamis("ontology", "show", "x.owl", "--json")
    of_obo, of_owl = json.loads(of_obo), json.loads(of_owl)
    assert of_obo.pop("name") == "x.obo"
    assert of_owl.pop("name") == "x.owl"
    assert of_obo == of_owl


@pytest.mark.parametrize(
    "name", ["HEART", "cor", "X_2", "http://purl.obolibrary.org/obo/X_2", "ticker"]
)
def test_it_shows_a_class_by_any_of_its_names(file, tamis, name):
    code, out, _ = tamis("ontology", "show", file, "--class", name)
    assert code == 0
    assert out.splitlines() == [
        "heart (http://purl.obolibrary.org/obo/X_2)",
        "  definition    pumps blood",
        '  synonyms      cor; the "pump"',
        "  related       ticker",
        "  parents       body",
        "  children      young heart",
        "  restrictions  part of body",
        "  individuals   mine",
    ]
    content = json.loads(tamis("ontology", "show", file, "--class", name, "--json")[1])
    assert content["parents"] == [{"iri": "http://purl.obolibrary.org/obo/X_1", "label": "body"}]


def test_of_many_neighbours_the_first_are_shown(tamis, tmp_path):
    terms = "".join(f"[Term]\nid: X:{k:02}\nname: c{k}\nis_a: X:99\n\n" for k in range(12))
    (path := tmp_path / "many.obo").write_text(terms + "[Term]\nid: X:99\nname: top\n")
    _, out, _ = tamis("ontology", "show", path, "--class", "top")
    assert out.splitlines()[1].endswith("; c8; c9; and 2 more")


def test_a_name_of_no_class_or_of_several(file, tamis, tmp_path):
    code, _, err = tamis("ontology", "show", file, "--class", "haert")
    assert (code, err.count("\n")) == (2, 1)
    assert "did you mean 'heart'?" in err
    (tmp_path / "two.obo").write_text("[Term]\nid: X:1\nname: a\n\n[Term]\nid: X:2\nname: A\n")
    code, _, err = tamis("ontology", "show", "two.obo", "--class", "a")
    assert (code, err.count("\n")) == (2, 1)
    assert "2 classes" in err


def test_an_index_is_read_in_the_place_of_its_file(file, tamis, tmp_path):
    code, out, err = tamis("ontology", "index", file)
    assert code == 0
    assert err.count("  ! ") == 2
    assert out.splitlines()[1].split() == ["index", "x.obo.index"]
    assert tamis("ontology", "show", "x.obo.index") == tamis("ontology", "show", file)
    assert tamis("ontology", "index", file, "--quiet", "--json", "--out", "x.obo.index")[0] == 0
    (tmp_path / "mine.txt").write_text("mine")
    code, _, err = tamis("ontology", "index", file, "--out", "mine.txt")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = tamis("ontology", "index", file, "--out", file, "--force")
    assert (code, err.count("\n")) == (2, 1)
    assert (tmp_path / file).read_text() == OBO


def test_what_is_wrong_is_told_in_one_line(file, tamis, tmp_path):
    (tmp_path / "page.owl").write_text("<!doctype html><html>")
    for name in ("page.owl", "gone.owl", "."):
        code, out, err = tamis("ontology", "show", name)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("tamis: ")


def test_the_room_is_imported_without_its_libraries():
    code = "import sys, tamis.ontology, tamis.cli.ontology; " + (
        "print([m for m in ('pyoxigraph', 'rapidfuzz', 'pyarrow', 'scipy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_missing_library_is_told_with_its_extra(file, tamis, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    code, _, err = tamis("ontology", "show", "x.owl")
    assert (code, err.count("\n")) == (2, 1)
    assert "pip install '.[ontology]'" in err
    assert tamis("ontology", "show", file)[0] == 0  # OBO needs none


def test_every_command_that_reads_asks_a_reasoner(file, tamis, monkeypatch):
    """Where Java is not there, so that each says what to install."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    pair = ("x.obo", "x.owl")
    for words in (
        ("show", file),
        ("index", file),
        ("match", *pair),
        ("review", *pair),
        ("explain", *pair, "heart", "heart"),
    ):
        code, out, err = tamis("ontology", *words, "--reasoner", "hermit")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "--reasoner 'hermit' needs" in err


@pytest.mark.longer
def test_what_is_inferred_is_shown(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.ttl").write_text(DEFINED)
    code, out, err = tamis("ontology", "show", "x.ttl", "--reasoner", "hermit")
    if "needs" in err:
        pytest.skip(err)
    assert code == 0
    assert "6 superclasses (2 of them inferred), 2 roots" in out
    code, _, err = tamis("ontology", "index", "x.ttl", "--reasoner", "hermit")
    assert "2 superclasses that the file does not state" in err
    for words in (("x.ttl", "--reasoner", "hermit"), ("x.ttl.index",)):
        _, out, _ = tamis("ontology", "show", *words, "--class", "Bird")
        assert "  parents       Animal; Flyer (inferred); Winged (inferred)" in out.splitlines()
