"""The page of a mapping of two ontologies."""

from __future__ import annotations

import json
import re

import pytest

from tamis.ontology import Correspondence, Mapping
from tamis.ontology.review import Question
from tamis.report import write_mapping_page
from tamis.report._mapping import MAX_TABLE_ROWS

from .test_browser import show

HOSTILE = "</td><script>window.__pwned=1</script>"


def context(iri, label=HOSTILE):
    return {
        "iri": iri,
        "label": label,
        "parents": "body",
        "synonyms": HOSTILE,
        "definition": "a rather long definition " * 12,
    }


def mapping(n=30):
    evidence = {"name": 0.93, "path": None, "gap": -0.25, HOSTILE: 1.0}
    rows = [
        Correspondence(
            f"http://a#{k}",
            f"http://b#{k}",
            confidence=1 - k / (2 * n),
            status="accepted" if k % 7 == 0 else "mapped",
            source_label=f"class {k}",
            target_label=HOSTILE,
            evidence=evidence,
        )
        for k in range(n)
    ]
    rows += [
        Correspondence("http://a#u", "http://b#u", confidence=0.4, status="uncertain"),
        Correspondence("http://a#n", "http://b#n", "<", 0.1, "uncertain", "lung lobe", "lobe"),
        Correspondence("http://a#r", "http://b#r", status="refused", comment=HOSTILE),
    ]
    return Mapping(
        tuple(rows),
        "http://a",
        "http://b",
        HOSTILE,
        "b.owl",
        "tamis 1.0",
        {"threshold": "0.3", "similarities": "learned_words, mine"},
        ("nothing is known",),
    )


def contexts(found):
    return {
        side: {getattr(c, side): context(getattr(c, side)) for c in found.correspondences}
        for side in ("source", "target")
    }


@pytest.fixture
def page(tmp_path):
    found = mapping()
    asked = [Question(context("http://a#1", "lobe"), context("http://b#2"), 0.42, True, 0.58)]
    return write_mapping_page(found.to_dict(), tmp_path / "page.html", contexts(found), asked)


def section(text, name):
    return re.search(rf'<section id="{name}".*?</section>', text, re.S)[0]


def test_each_kind_of_pair_has_its_table(page):
    text = page.read_text()
    for name, word in (
        ("questions", "0.420"),
        ("mapping", "class 3"),
        ("uncertain", "http://a#u"),
        ("kinds", "narrower"),
        ("refused", "http://a#r"),
        ("learned", "threshold"),
    ):
        assert word in section(text, name)
    assert section(text, "mapping").count("<tr data-row") == 30
    assert section(text, "mapping").count('class="strong"') == 5
    assert "nothing is known" in section(text, "headline")
    assert "25 found by the model, 5 accepted by a person" in text
    assert 'title="path: undefined"' in text
    assert 'title="gap to the best rival -0.25"' in text  # as the row has it
    assert "learned words, mine" in section(text, "learned")
    assert "--h:0.00" in text  # below zero is drawn as nothing
    assert "<script>window" not in text


def test_the_download_has_iris_and_numbers(page):
    tables = json.loads(re.search(r'id="tables">(.*?)</script>', page.read_text(), re.S)[1])
    table = tables["mapping"]
    row = dict(zip(table["columns"], table["rows"][0], strict=True))
    assert (row["source"], row["name"], row["path"], row["gap"]) == (
        "http://a#0",
        0.93,
        None,
        -0.25,
    )
    assert "body" in row["source_context"]


def test_very_many_pairs_are_cut_to_the_least_certain(tmp_path):
    found = mapping(10_000)
    page = write_mapping_page(found.to_dict(), tmp_path / "page.html", contexts(found))
    text = page.read_text()
    assert section(text, "mapping").count("<tr data-row") == MAX_TABLE_ROWS
    assert "The 1,000 least certain of 10,000" in text
    assert "class 9999<" in text
    assert "class 0<" not in text
    assert len(text) < 5_000_000


def test_an_empty_mapping_is_a_page(tmp_path):
    text = write_mapping_page(Mapping(()).to_dict(), tmp_path / "page.html").read_text()
    assert "There is none." in section(text, "mapping")
    assert 'id="refused"' not in text


@pytest.mark.browser
def test_it_opens_at_a_desk_and_on_a_phone(driver, page):
    for width in (1280, 390):
        for dark in (False, True):
            driver.get_log("browser")
            show(driver, page, width=width, dark=dark)
            run = driver.execute_script
            assert driver.get_log("browser") == []
            assert run("return performance.getEntriesByType('resource').length") == 0
            assert run("return window.__pwned === undefined")
            assert run("return document.documentElement.scrollWidth") <= width
    bars = run("return [...document.querySelector('.strip').children].map(i => i.offsetHeight)")
    assert bars[0] > bars[2]
    run("""const box = document.querySelector("[data-search=mapping]");
           box.value = "class 12"; box.dispatchEvent(new Event("input"))""")
    shown = "return document.querySelectorAll('#table-mapping tbody tr:not([hidden])').length"
    assert run(shown) == 1
