"""The page that compares studies of one table: whole, self-contained, its numbers the dict's."""

from __future__ import annotations

import copy
import json
import re
from xml.etree import ElementTree

import pytest

from common.comparisons import write_study
from tamis._core.errors import PlanError, StoreError
from tamis.report import write_comparison
from tamis.study import compare_studies
from tamis.study.results.compare_plans import PlanComparison

from .test_browser import show
from .test_comparison_page import BAD, Page, tables


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """(comparison, path): of two studies, of five of which one has other folds, of bad names."""
    root = tmp_path_factory.mktemp("plans")
    folders = [
        write_study(root / name, "cohort", seed=k, digest="d", folds=4 if name == "e" else 5)
        for k, name in enumerate("abcde")
    ]
    (folders[0] / "report.html").write_text("x")
    two, five = compare_studies(folders[:2]).to_dict(), compare_studies(folders).to_dict()
    bad = copy.deepcopy(five)
    names = dict(zip([one["name"] for one in bad["studies"]], BAD, strict=False))
    for one in bad["studies"]:
        one["name"], one["methods"] = names[one["name"]], list(BAD)
    for pair in bad["pairs"]:
        pair["first"], pair["second"] = names[pair["first"]], names[pair["second"]]
    bad["data"]["name"] = BAD[0]
    found = {"two": two, "five": five, "hostile": bad}
    return {k: (one, write_comparison(one, root / f"{k}.html")) for k, one in found.items()}


@pytest.fixture(params=["two", "five", "hostile"])
def page(request, pages):
    comparison, path = pages[request.param]
    return comparison, path.read_text(encoding="utf-8")


def test_html_is_balanced_and_nothing_is_live(page):
    _, text = page
    parsed = Page(text)
    ids = [a["id"] for _, a in parsed.elements if "id" in a]
    assert len(ids) == len(set(ids))
    for tag, attributes in parsed.elements:
        assert tag not in {"img", "iframe", "object", "embed", "form", "base"}
        assert not [name for name in attributes if name.startswith("on")]
        address = attributes.get("href")
        if address is not None and address.startswith("#"):
            assert address[1:] in ids
    charts = re.findall(r"<svg xmlns.*?</svg>", text, re.S)
    assert [ElementTree.fromstring(svg).get("role") for svg in charts] == ["img", "img"]


@pytest.mark.parametrize("kind", ["two", "five"])
def test_downloads_hold_the_numbers(pages, kind):
    comparison, path = pages[kind]
    data = tables(path.read_text(encoding="utf-8"))
    assert [(r["study"], r["score"]) for r in data["studies"]] == [
        (s["name"], s["mean"]) for s in comparison["studies"]
    ]
    columns = {
        "difference": "mean",
        "low": "low",
        "high": "high",
        "p_value": "p_value",
        "p_holm": "p_holm",
        "folds": "n_folds",
        "note": "note",
    }
    for row, pair in zip(data["pairs"], comparison["pairs"], strict=True):
        assert {k: row[k] for k in columns} == {k: pair[v] for k, v in columns.items()}


def test_pictures_are_those_of_the_page(pages):
    comparison, path = pages["five"]
    found, page = PlanComparison(comparison), path.read_text(encoding="utf-8")
    for kind in ("differences", "scores"):
        (chart,) = found.plot(kind).charts
        assert chart in page
    assert found.plot().name == "differences"
    with pytest.raises(PlanError, match="this result has 'scores', 'differences'"):
        found.plot("diagrams")


def test_what_is_said(pages):
    two, five = (pages[kind][1].read_text(encoding="utf-8") for kind in ("two", "five"))
    assert "2 studies of cohort" in two
    assert "Holm" not in two
    assert "Holm S (1979)" in five
    assert "4 pairs of studies cannot be tested" in five
    assert "different outer folds" in five
    assert 'href="./a/report.html"' in two
    assert "b/report.html" not in two


def test_what_is_no_comparison_is_refused(pages, tmp_path):
    two = pages["two"][0]
    with pytest.raises(StoreError, match="schema 2"):
        write_comparison({**two, "schema": 2}, tmp_path / "x.html")
    short = {k: v for k, v in two.items() if k != "pairs"}
    with pytest.raises(StoreError, match="lacks 'pairs'"):
        write_comparison(short, tmp_path / "x.html")
    assert write_comparison(two, tmp_path / "y.html").stat().st_size > 10_000
    assert json.dumps(two)


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["two", "five", "hostile"])
@pytest.mark.parametrize("width", [360, 1280])
def test_in_a_browser(driver, pages, kind, width):
    driver.get_log("browser")
    show(driver, pages[kind][1], width)
    ask = driver.execute_script
    assert driver.get_log("browser") == []
    assert ask("return performance.getEntriesByType('resource').length") == 0
    assert ask("return window.__pwned === undefined")
    assert ask("return document.documentElement.scrollWidth") <= width
