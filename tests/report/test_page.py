"""The written file: well formed, self-contained, the same every time, names never live."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from tamis._core.errors import StoreError
from tamis.plotting._svg import ACCENT_COLOUR
from tamis.report import write_report
from tamis.report._assets import asset_text
from tamis.report.pages import interactions_picture, study_picture

from .interactions_fixture import make

VOID = {"meta", "link", "input", "br", "hr", "img"}
EVERY = ["plain", "four", "bare", "hostile", pytest.param("wide", marks=pytest.mark.longer)]


class Page(HTMLParser):
    """Elements in order; fails on a tag that is not closed in turn."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
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


@pytest.fixture(params=EVERY)
def text(request, report) -> str:
    return report(request.param).read_text(encoding="utf-8")


def test_html_is_balanced_and_ids_are_unique(text):
    page = Page(text)
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    targets = {a["href"][1:] for t, a in page.elements if t == "a" and a["href"].startswith("#")}
    assert targets <= set(ids)


def test_nothing_is_fetched_and_nothing_is_live(text):
    for tag, attributes in Page(text).elements:
        assert tag not in {"img", "iframe", "object", "embed", "form", "base"}
        assert not [name for name in attributes if name.startswith("on")]
        assert "src" not in attributes
        address = attributes.get("href")
        if address is not None:
            assert tag in {"a", "link"}
            allowed = ("#", "./", "https://doi.org/") if tag == "a" else ("data:,",)
            assert address.startswith(allowed)
    assert "url(" not in text
    assert "@import" not in text


def test_only_our_script_runs(text):
    page = Page(text)
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv"))
    embedded, script = page.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "<" not in embedded
    assert set(json.loads(embedded)) >= {"headline", "methods", "features", "folds"}


def test_charts_are_well_formed(text):
    found = re.findall(r"<svg xmlns.*?</svg>", text, re.S)
    assert len(found) >= 2
    for svg in found:
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert [child.tag.split("}")[1] for child in root[:2]] == ["title", "desc"]


def test_hostile_names_are_told_as_text(made, report):
    text = report("hostile").read_text(encoding="utf-8")
    data = json.loads(Page(text).scripts[0])
    at = data["features"]["columns"].index("feature")
    names = [row[at] for row in data["features"]["rows"]]
    for name in made.HOSTILE:
        expected = name
        for character in ("\x00", "\x07", "\x7f", "\ud800", "\u202e"):
            expected = expected.replace(character, "\ufffd")
        assert expected in names
    assert "<script>window" not in text
    assert "<img" not in text


def test_size(report, made, tmp_path):
    made.write_features(tmp_path)
    assert report("wide").stat().st_size < 2_000_000
    assert report("hostile").stat().st_size < 2_000_000


def test_same_result_same_bytes(made, tmp_path):
    first = write_report(made.make_result(), tmp_path / "a").read_bytes()
    assert write_report(made.make_result(), tmp_path / "b").read_bytes() == first
    assert (tmp_path / "a" / "report.html").is_file()


def test_another_place_links_back(made, tmp_path):
    path = write_report(made.make_result(), tmp_path / "study", tmp_path / "pages" / "one.html")
    assert path == tmp_path / "pages" / "one.html"
    assert 'href="./../study/tables/features.tsv"' in path.read_text(encoding="utf-8")


def test_the_result_is_left_alone(made, tmp_path):
    result = made.make_result()
    before = json.dumps(result)
    write_report(result, tmp_path)
    assert json.dumps(result) == before


def test_pictures_of_parts_that_do_not_fit_are_refused_as_pages_are(made):
    with pytest.raises(StoreError, match="do not fit together"):
        study_picture({**made.make_result(), "metrics": {}}, "intervals")
    search = make()
    for feature in search["graph"]["features"]:
        feature["name"] = "another"
    with pytest.raises(StoreError, match="do not fit together"):
        interactions_picture(search, "graph")


def test_what_charts_draw_in_their_accent_has_the_pages():
    """Which is a light one on a dark page; charts by themselves are on white."""
    style = asset_text("report.css")
    for attribute in ("fill", "stroke"):
        rule = f'.chart [{attribute}="{ACCENT_COLOUR}"] {{ {attribute}: var(--accent); }}'
        assert rule in style
