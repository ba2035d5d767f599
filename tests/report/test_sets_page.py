"""The page of a search for sets: whole, self-contained, its numbers those of the dictionary."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from report import sets_fixture as made
from report.test_interactions_page import Page
from tamis.plotting._svg import clean_text
from tamis.report import write_interactions
from tamis.report._interactions import page_view

KINDS = {
    "plain": {},
    "hostile": {"hostile": True, "classes": made.HOSTILE[:3]},
    "untested": {"tested": False},
    "nothing passes": {"passing": 0},
    "none": {"n": 0, "passing": 0},
    "pairs": {"largest": 2, "noun": "pair", "n": 300, "features": 120},
    "long": {"largest": 60, "features": 250, "n": 100},
}


@pytest.fixture(scope="module", params=KINDS)
def page(request, tmp_path_factory):
    """(result, text of its page), of each kind."""
    result = made.make(**KINDS[request.param])
    path = write_interactions(result, tmp_path_factory.mktemp("sets") / "page.html")
    return result, path.read_text(encoding="utf-8")


def test_it_is_one_file_whose_links_lead_somewhere(page):
    found = Page(page[1])
    for tag, attributes in found.elements:
        assert tag not in ("img", "iframe", "object", "base")
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,"))
    ids = [a["id"] for _, a in found.elements if "id" in a]
    assert len(ids) == len(set(ids))
    targets = {a["href"] for t, a in found.elements if t == "a"}
    assert {t.removeprefix("#") for t in targets} <= set(ids)
    assert "<script>window" not in page[1]


def test_tables_and_graph_hold_the_numbers(page):
    result, text = page
    tables, drawn = (json.loads(one) for one in Page(text).scripts[:2])
    rows = {
        name: [dict(zip(t["columns"], row, strict=True)) for row in t["rows"]]
        for name, t in tables.items()
    }
    sets = result["sets"]["sets"]
    assert len(rows["sets"]) == len(sets)
    for row, one in zip(rows["sets"], sets, strict=True):
        assert {key: row[key] for key in one["numbers"]} == one["numbers"]
        for part in one["parts"]:
            assert clean_text(part["feature"]).strip() in row["set"]
        assert row.get("passes") == one["passes"]
    graph = result["graph"]
    assert [(r["source"], r["target"], r["weight"], r["sets"]) for r in rows["edges"]] == [
        (clean_text(e["source"]), clean_text(e["target"]), e["weight"], e["sets"])
        for e in graph["edges"]
    ]
    if not graph["features"]:
        assert drawn["main"] is None
        return
    for node, feature in zip(drawn["main"]["nodes"], graph["features"], strict=True):
        assert node["ring"] is feature["selected"]
        holding = [
            k
            for k, one in enumerate(sets)
            if feature["name"] in [part["feature"] for part in one["parts"]]
        ]
        assert node["rules"] == holding


def test_charts_are_well_formed(page):
    result, text = page
    found = re.findall(r"<svg xmlns.*?</svg>", text, re.S)
    assert len(found) == (2 if result["sets"]["sets"] else 0)
    assert {ElementTree.fromstring(svg).get("role") for svg in found} <= {"img"}


def test_no_template_is_left_on_the_page(page):
    body = page[1].partition("<body>")[2].partition("<script")[0]
    assert "{{" not in re.sub(r"\{\{\s7\*7\s\}\}", "", body)  # which is a name


def test_what_was_not_tested_is_not_told_as_if():
    page = page_view(made.make(tested=False))
    assert not page["nothing"]
    assert page["sentences"] == ["5 of 40 sets pass."]
    heads = [h["title"] for h in page["sets"]["head"]]
    assert "Passes" not in heads
    assert "Family p" not in heads
    tested = page_view(made.make(passing=0))
    assert tested["nothing"]
    assert "In one run there was none" in tested["chart_said"] or "1 run" in tested["chart_said"]


def test_a_long_set_is_cut_in_the_table_and_whole_in_the_download():
    result = made.make(**KINDS["long"])
    page = page_view(result)
    k = max(range(100), key=lambda j: len(result["sets"]["sets"][j]["parts"]))
    n = len(result["sets"]["sets"][k]["parts"])
    shown, whole = page["sets"]["body"][k]["cells"][1], page["sets"]["data"]["rows"][k][1]
    assert shown.text.endswith(f"+ {n - 6} more")
    assert whole.count(" + ") == n - 1


def test_no_edge_is_left_out_beside_one_as_heavy():
    """A set of eight features is 28 equal edges."""
    result = made.make(n=1, largest=8, features=8, passing=0)
    one = result["sets"]["sets"][0]
    one["parts"] = [{"feature": f"gene {j:03d}", "value": ""} for j in range(8)]
    result["graph"] = made.graph_of_sets([one], "difference")
    assert page_view(result)["start"] == {"features": 6, "edges": 15}


def test_classes_of_bare_numbers_are_named_with_their_column():
    result = made.make(classes=("0", "1"))
    page = page_view(result)
    assert page["classes"] == ["class = 0", "class = 1"]
    assert {row[2] for row in page["sets"]["data"]["rows"]} == {"class = 0", "class = 1"}
