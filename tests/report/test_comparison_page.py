"""The page of a comparison: whole, self-contained, names never live, numbers those of the dict."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from common.comparisons import write_studies, write_study
from tamis._core.errors import StoreError
from tamis.report import write_comparison
from tamis.study.results.compare import compare_studies

from .test_browser import show

BAD = (
    "<script>window.__pwned=1</script>",
    '"><img src=x onerror="window.__pwned=1">',
    "</script><script>window.__pwned=1</script>",
    "{{ 7*7 }}",
    "\u202egnp.exe",
    "L" * 300,
    "' onmouseover='window.__pwned=1",
    "日本語の手法",
)
VOID = {"meta", "link", "input", "br", "hr", "img"}


class Page(HTMLParser):
    """Elements in order, and the texts of scripts; fails on a tag not closed in turn."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """(comparison, path) by kind: plain, of a loss with sources, hostile, two methods."""
    root = tmp_path_factory.mktemp("comparison")
    plain = write_studies(root / "plain", 8)
    hostile = write_studies(
        root / "hostile",
        3,
        methods={name: 0.3 * i for i, name in enumerate(BAD)},
        classes=BAD[:2],
    )
    for folder, name in zip(hostile, BAD, strict=False):
        path = folder / "results.json"
        result = json.loads(path.read_text(encoding="utf-8"))
        result["data"]["name"] = name
        path.write_text(json.dumps(result), encoding="utf-8")
    (plain[0] / "report.html").write_text("x")
    two = write_studies(root / "two", 5, methods={"pam": 1.0, "all": 0.5})
    for folder in two:  # one method and a reference: the headline is the method
        result = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        result["methods"][1]["reference"] = True
        (folder / "results.json").write_text(json.dumps(result), encoding="utf-8")
    found = {
        "plain": compare_studies(plain),
        "sources": compare_studies(plain, "loss", sources={"d0": "<b>", "d1": "<b>"}),
        "hostile": compare_studies(hostile),
        "two": compare_studies(two),
    }
    return {
        kind: (one.to_dict(), write_comparison(one.to_dict(), root / f"{kind}.html"))
        for kind, one in found.items()
    }


@pytest.fixture(params=["plain", "sources", "hostile", "two"])
def page(request, pages):
    comparison, path = pages[request.param]
    return comparison, path.read_text(encoding="utf-8")


def test_html_is_balanced_and_nothing_is_fetched_or_live(page):
    _, text = page
    parsed = Page(text)
    assert text.startswith("<!doctype html>")
    ids = [a["id"] for _, a in parsed.elements if "id" in a]
    assert len(ids) == len(set(ids))
    for tag, attributes in parsed.elements:
        assert tag not in {"img", "iframe", "object", "embed", "form", "base"}
        assert not [name for name in attributes if name.startswith("on")]
        assert "src" not in attributes
        address = attributes.get("href")
        if address is not None:
            assert address.startswith(("#", "./") if tag == "a" else "data:,")
            assert not address.startswith("#") or address[1:] in ids
    assert "url(" not in text
    assert "@import" not in text


def test_only_our_script_runs(page):
    _, text = page
    parsed = Page(text)
    content = next(a["content"] for _, a in parsed.elements if a.get("http-equiv"))
    embedded, script = parsed.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert content.startswith("default-src 'none'")
    assert f"script-src 'sha256-{digest}'" in content
    assert "<" not in embedded


def test_charts_are_well_formed(page):
    comparison, text = page
    found = re.findall(r"<svg xmlns.*?</svg>", text, re.S)
    diagrams = 2 if comparison["ranks"]["by_source"] else 1
    assert len(found) == diagrams + len(comparison["methods"]) - 1
    assert {ElementTree.fromstring(svg).get("role") for svg in found} == {"img"}


def test_pictures_are_those_of_the_page(tmp_path):
    folders = [write_study(tmp_path / f"d{k}", f"d{k}", seed=k) for k in range(4)]
    found = compare_studies(folders)
    page = found.write_report(tmp_path / "page.html").read_text(encoding="utf-8")
    for kind in ("diagrams", "scatter"):
        assert all(chart in page for chart in found.plot(kind).charts)
    assert found.plot() == found.plot("diagrams")
    assert found.plot().charts == found.ranks.plot().charts


def tables(text: str) -> dict[str, list[dict]]:
    """The downloads, as lists of rows."""
    return {
        name: [dict(zip(t["columns"], row, strict=True)) for row in t["rows"]]
        for name, t in json.loads(Page(text).scripts[0]).items()
    }


@pytest.mark.parametrize("kind", ["plain", "sources"])
def test_downloads_hold_the_numbers(pages, kind):
    comparison, path = pages[kind]
    data = tables(path.read_text(encoding="utf-8"))
    ranks = {r["method"]: r["average_rank"] for r in data["ranking"]}
    assert list(ranks.values()) == sorted(ranks.values())
    assert ranks == {m["name"]: m["average_rank"] for m in comparison["methods"]}
    scores = {(r["dataset"], m): r[m] for r in data["scores"] for m in ranks}
    assert scores == {(s["dataset"], s["method"]): s["mean"] for s in comparison["scores"]}
    chi2 = [r["statistic"] for r in data["tests"] if r["test"] == "Friedman"]
    assert chi2[:2] == [
        comparison["ranks"]["friedman"]["chi2"],
        comparison["ranks"]["friedman_corrected"]["chi2"],
    ]
    assert len(data["tests"]) == (8 if kind == "sources" else 4)
    names = comparison["win_loss"]["methods"]
    for row in data["win_loss"]:
        i = names.index(row["method"])
        assert row["more"] == sum(comparison["win_loss"]["wins"][i])
    best = next(iter(ranks))
    for row in data["differences"]:
        (told,) = [
            d
            for d in comparison["differences"]
            if d["dataset"] == row["dataset"] and {d["first"], d["second"]} == {best, row["method"]}
        ]
        sign = 1 if told["second"] == best else -1
        assert row["difference"] == pytest.approx(sign * told["mean"])
        assert row["low"] is None or row["low"] <= row["difference"] <= row["high"]


@pytest.mark.parametrize("kind", ["plain", "sources"])
def test_the_scatter_counts_what_it_shows(pages, kind):
    comparison, path = pages[kind]
    at = {(s["dataset"], s["method"]): s["mean"] for s in comparison["scores"]}
    text = path.read_text(encoding="utf-8")
    told = re.findall(
        r"<desc>(\S+) is above the diagonal on (\d+) data sets, on it on (\d+), below it on (\d+)"
        r"\. d0: \S+ [\d.]+, (\S+) ",
        text,
    )
    assert len(told) == 3
    for first, above, on, below, second in told:
        gaps = [at[d["name"], first] - at[d["name"], second] for d in comparison["datasets"]]
        assert int(above) == sum(gap > 1e-12 for gap in gaps)
        assert int(on) == sum(abs(gap) <= 1e-12 for gap in gaps)
        assert int(below) == sum(gap < -1e-12 for gap in gaps)


def test_hostile_names_are_text(pages):
    text = pages["hostile"][1].read_text(encoding="utf-8")
    assert "<script>window" not in text
    assert "<img" not in text
    names = [row["method"] for row in tables(text)["ranking"]]
    assert set(names) == {"headline", *(b.replace("\u202e", "\ufffd") for b in BAD)}


def test_reports_beside_are_linked(pages):
    text = pages["plain"][1].read_text(encoding="utf-8")
    assert 'href="./plain/d0/report.html"' in text
    assert "d1/report.html" not in text


def test_sources_are_said_and_same_input_gives_same_bytes(pages, tmp_path):
    comparison, path = pages["sources"]
    text = path.read_text(encoding="utf-8")
    assert "With each source counted once, over 7 sources" in text
    assert "Lower is better" in text
    before = json.dumps(comparison)
    again = write_comparison(comparison, path.with_name("again.html"))
    assert again.read_bytes() == path.read_bytes()
    assert json.dumps(comparison) == before


def test_what_is_no_comparison_is_refused(pages, tmp_path):
    with pytest.raises(StoreError, match="schema 2"):
        write_comparison({"schema": 2}, tmp_path / "x.html")
    short = {k: v for k, v in pages["plain"][0].items() if k != "ranks"}
    with pytest.raises(StoreError, match="lacks 'ranks'"):
        write_comparison(short, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["sources", "hostile", "two"])
@pytest.mark.parametrize("width", [360, 1280])
def test_in_a_browser(driver, pages, kind, width):
    driver.get_log("browser")
    show(driver, pages[kind][1], width)
    ask = driver.execute_script
    ask("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    assert driver.get_log("browser") == []
    assert ask("return performance.getEntriesByType('resource').length") == 0
    assert ask("return window.__pwned === undefined")
    assert ask("return document.documentElement.scrollWidth") <= width
    smallest = ask(
        "return Math.min(...[...document.querySelectorAll('svg.chart')].map((s) =>"
        " parseFloat(getComputedStyle(s).fontSize) * s.getBoundingClientRect().width"
        " / s.viewBox.baseVal.width))"
    )
    assert smallest >= 10
    ask("document.querySelector('#table-ranking th:nth-child(3) button').click()")
    assert ask("return document.querySelectorAll('#table-ranking [aria-sort]').length") == 1
