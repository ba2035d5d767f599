"""The page of `tamis interact`: whole, self-contained, its numbers those of the dictionary."""

from __future__ import annotations

import base64
import copy
import hashlib
import importlib.util
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tamis._core.errors import StoreError
from tamis.discovery.monte_carlo_summary import NO_EDGE, NOTHING_KEPT
from tamis.plotting._svg import clean_text
from tamis.report import write_interactions
from tamis.report._interaction_words import headline_sentences
from tamis.report._interactions import page_view

VOID = {"meta", "link", "input", "br", "hr", "img"}
ASSETS = Path(__file__).parents[2] / "src" / "tamis" / "report" / "assets"


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made = load("interactions_fixture")
KINDS = {
    "plain": {},
    "hostile": {"hostile": True, "classes": made.HOSTILE[:3], "kept": 8},
    "none": {"kept": 0},
    "bare": {"n": 0, "e": 0, "rules": 0, "kept": 0, "cutoff": None},
    "one": {"n": 1, "e": 0, "rules": 1, "kept": 1, "cutoff": "kmeans"},
    "big": {"n": 200, "e": 1000, "rules": 300, "classes": ("a", "b", "c", "d"), "kept": 30},
}


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


@pytest.fixture(scope="module", params=KINDS)
def page(request, tmp_path_factory):
    """(result, text of its page), of each kind."""
    result = made.make(**KINDS[request.param])
    path = write_interactions(result, tmp_path_factory.mktemp(request.param) / "page.html")
    return result, path.read_text(encoding="utf-8")


def test_one_file_that_fetches_nothing_and_runs_only_its_own_script(page):
    text = page[1]
    found = Page(text)
    for tag, attributes in found.elements:
        assert tag not in ("img", "iframe", "object", "base")
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,"))
    *embedded, script = found.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (content,) = (a["content"] for t, a in found.elements if a.get("http-equiv"))
    assert content.startswith("default-src 'none'")
    assert f"script-src 'sha256-{digest}'" in content
    assert len(embedded) == 2
    assert not any("<" in one for one in embedded)
    ids = [a["id"] for _, a in found.elements if "id" in a]
    assert len(ids) == len(set(ids))
    targets = {a["href"] for t, a in found.elements if t == "a"}
    assert {t.removeprefix("#") for t in targets} <= set(ids)


def test_no_template_is_left_on_the_page(page):
    body = page[1].partition("<body>")[2].partition("<script")[0]
    assert "{{" not in re.sub(r"\{\{\s7\*7\s\}\}", "", body)  # which is a name


def test_charts_are_well_formed(page):
    result, text = page
    found = re.findall(r"<svg xmlns.*?</svg>", text, re.S)
    graph = 1 if result["graph"]["features"] else 0
    networks = [n for n in result["rules"]["networks"] if n["nodes"]]
    assert len(found) == graph + 2 + len(networks)
    assert {ElementTree.fromstring(svg).get("role") for svg in found} == {"img"}


def test_downloads_and_graphs_hold_the_numbers(page):
    result, text = page
    tables, drawn = (json.loads(one) for one in Page(text).scripts[:2])
    rows = {
        name: [dict(zip(t["columns"], row, strict=True)) for row in t["rows"]]
        for name, t in tables.items()
    }
    assert [r["importance"] for r in rows["features"]] == [
        f["importance"] for f in result["ranking"]["features"]
    ]
    assert [r["feature"] for r in rows["features"]] == [
        clean_text(f["name"]) for f in result["ranking"]["features"]
    ]
    assert [(r["source"], r["target"], r["weight"], r["met"]) for r in rows["edges"]] == [
        (clean_text(e["source"]), clean_text(e["target"]), e["weight"], e["met"])
        for e in result["graph"]["edges"]
    ]
    for row, rule in zip(rows["rules"], result["rules"]["rules"], strict=True):
        for key in ("support", "accuracy", "coverage", "p_value", "p_adjusted", "trees"):
            assert row[key] == rule[key]
        assert row["rule"].count(" AND ") == len(rule["conditions"]) - 1
    if not result["graph"]["features"]:
        assert drawn["main"] is None
        return
    nodes = drawn["main"]["nodes"]
    assert [n["ring"] for n in nodes] == [f["selected"] for f in result["graph"]["features"]]
    for (s, t, share, facts), edge in zip(
        drawn["main"]["edges"], result["graph"]["edges"], strict=True
    ):
        assert nodes[s]["name"] == (clean_text(edge["source"]) or "(no name)")
        assert nodes[t]["name"] == (clean_text(edge["target"]) or "(no name)")
        assert share == pytest.approx(edge["weight"] / drawn["main"]["heaviest"], abs=1e-4)
        assert float(facts[0]) == pytest.approx(edge["weight"], abs=1e-4)


def test_rules_are_linked_with_features_and_conditions(page):
    result, text = page
    drawn = json.loads(Page(text).scripts[1])
    rules = result["rules"]["rules"]
    for node in (drawn["main"] or {"nodes": []})["nodes"]:
        expected = [
            i
            for i, rule in enumerate(rules)
            if node["name"] in [clean_text(c["feature"]) or "(no name)" for c in rule["conditions"]]
        ]
        assert node["rules"] == expected
    for network, given in zip(drawn["networks"], result["rules"]["networks"], strict=True):
        weights = [float(node["facts"][0].replace(",", "")) for node in network["nodes"]]
        assert weights == sorted(weights, reverse=True)
        for node in network["nodes"]:
            assert node["rules"]
            assert all(rules[i]["label"] == given["label"] for i in node["rules"])


def test_conditions_differ_by_operator_and_by_category():
    """A node has the rules of its own side or category, whatever limits of one side they have."""
    conditions = [
        ("g", ">", 0.5),
        ("g", "<=", 0.5),
        ("g", ">", 0.7),
        ("h", ">", 0.5),
        ("c", "=", "yes"),
        ("c", "=", "no"),
        ("d", "=", "yes"),
    ]
    told = [dict(zip(("feature", "op", "value"), one, strict=True)) for one in conditions]
    result = made.make()
    rules = [made._rule([one], "ill", 20.0, 20.0 - i) for i, one in enumerate(told)]
    rules += [made._rule([told[0], told[5]], "ill", 20.0, 9.0), made._rule([told[0]], "well", 9, 9)]
    ill = made._network(rules, "ill")
    ill["nodes"] = [node for node in ill["nodes"] if node["value"] != 0.7]  # a median limit
    ill["edges"] = []
    result["rules"] |= {"rules": rules, "networks": [ill, made._network(rules, "well")]}
    drawn = page_view(result)["graphs"]["networks"]
    assert {node["name"]: node["rules"] for node in drawn[0]["nodes"]} == {
        "g > 0.5": [0, 2, 7],
        "g \u2264 0.5": [1],
        "h > 0.5": [3],
        "c = yes": [4],
        "c = no": [5, 7],
        "d = yes": [6],
    }
    assert [node["rules"] for node in drawn[1]["nodes"]] == [[8]]


def test_hostile_names_are_text():
    text = write_page(made.make(**KINDS["hostile"]))
    assert "<script>window" not in text
    assert "<img" not in text
    assert "\u202e" not in text


def write_page(result) -> str:
    from tamis.report._interactions import render_interactions

    return render_interactions(result)


def test_same_input_gives_same_bytes_and_is_left_alone():
    result = made.make(hostile=True)
    before = copy.deepcopy(result)
    assert write_page(result) == write_page(copy.deepcopy(result))
    assert result == before


def test_nothing_kept_is_said_first():
    said = page_view(made.make(kept=0))["sentences"]
    first = "None of 1,000 features is shown to matter (family-wise p = 0.35)."
    assert said[0] == first
    assert "do not differ from noise" in " ".join(said[1:3])
    text = write_page(made.make(kept=0))
    assert text.index(first) < text.index("Remarks</h2>")
    assert text.count(first) == 1
    assert "<summary>Graph of features that are not significant</summary>" in text
    assert "not significant</summary>" not in write_page(made.make())
    assert not any("Heaviest" in one or "→" in one for one in said)


def test_family_p_stands_before_single_p():
    """In the table and in the facts of a node; what the pointer shows is the family p."""
    page = page_view(made.make())
    titles = [head["title"] for head in page["features"]["head"]]
    assert titles.index("Family p") + 1 == titles.index("Single p")
    helps = {head["title"]: head["help"] for head in page["features"]["head"]}
    assert "not adjusted" in helps["Single p"]
    main = page["graphs"]["main"]
    facts = dict(zip(main["nodeFacts"], main["nodes"][0]["facts"], strict=True))
    assert (facts["Family p"], facts["Single p"]) == ("0.050", "0.0010")
    shown = [main["nodeFacts"][i] for i in main["tip"]]
    assert shown == ["Relative importance", "Family p", "FDR", "Offered"]


def test_bare_classes_are_named_with_their_column():
    """Recalls, rules, their list, networks and the choice of a class."""
    result = {**made.make(classes=("0", "1")), "target": "relapse"}
    page = page_view(result)
    both = {"relapse = 0", "relapse = 1"}
    assert page["subtitle"].endswith("relapse: 0 (40), 1 (39)")
    assert "relapse = 1" in " ".join(page["sentences"])
    assert set(page["classes"]) == both
    assert {row["cells"][1].text for row in page["rules"]["body"]} <= both
    assert {line["label"] for line in page["rule_list"]} <= both
    assert {n["label"] for n in page["networks"]} <= both
    assert all(n["nodes"] for n in page["graphs"]["networks"])
    text = write_page(result)
    for network in page["networks"]:
        assert f"Rule network of {network['label']}" in text


def test_remarks_do_not_repeat_the_headline():
    result = made.make(kept=0, e=0)
    result["remarks"] = [
        NOTHING_KEPT,
        "Fewer than 10 samples in a (3).",
        NO_EDGE,
    ]
    assert page_view(result)["remarks"] == ["Fewer than 10 samples in a (3)."]
    assert "No edge of the graph weighs two standard errors." in page_view(result)["sentences"]


def test_the_headline_names_edges_between_kept_features_alone():
    result = made.make(kept=3)
    kept = {f["name"] for f in result["graph"]["features"][:3]}
    inside = [e for e in result["graph"]["edges"] if {e["source"], e["target"]} <= kept]
    assert inside
    assert inside[0] is not result["graph"]["edges"][0]
    said = page_view(result)["sentences"][-1]
    assert re.findall(r"(gene \d+) → (gene \d+) \(", said) == [
        (e["source"], e["target"]) for e in inside[:3]
    ]
    result["graph"]["edges"] = [e for e in result["graph"]["edges"] if e not in inside]
    assert page_view(result)["sentences"][-1] == "No edge joins two kept features."


def test_buttons_are_those_that_change_something():
    def titles(**more):
        return [title for title, _, _ in page_view(made.make(**more))["views"]]

    assert titles() == ["6 features, 12 edges"]
    assert titles(n=30, kept=12) == ["6 features, 12 edges", "Kept: 12"]
    assert titles(n=30, kept=91) == ["6 features, 12 edges", "Kept: 30 of 91"]
    assert titles(n=2, e=2, kept=0) == []
    assert titles(n=5, e=12, kept=5) == ["Kept: 5"]


def test_without_rules_there_is_no_list_and_no_network():
    result = made.make(rules=0)
    result["rules"]["rule_list"] = [made._rule([], "ill", 80.0, 40.0)]
    assert not any(n["nodes"] for n in result["rules"]["networks"])
    text = write_page(result)
    assert "No rule beyond the most common class." in text
    assert "ELSE" not in Page(text).scripts[0]
    assert "<b>ELSE</b>" not in text
    assert 'id="networks"' not in text
    assert "no networks of rules" in text
    paper = page_view(result)["text"]
    assert "RIPPER" not in paper["paragraph"]
    assert not any("Cohen" in one or "Ciruvis" in one for one in paper["citations"])
    some = made.make(rules=1)  # of one class
    assert write_page(some).count("No rule is for this class.") == 1


def test_counts_of_one():
    result = made.make()
    result["ranking"]["maxima"] = [0.1]
    result["graph"]["features"][0]["offered"] = 1
    page = page_view(result)
    assert "exceeds the largest one in the one run with permuted" in " ".join(page["sentences"])
    assert page["graphs"]["main"]["nodes"][0]["facts"][-1] == "1 time"
    assert "beside the largest of the one run with permuted classes" in write_page(result)
    assert "k = 1 run with" in page["text"]["paragraph"]


def test_controls_start_as_they_are_after_going_back():
    for tag, attributes in Page(write_page(made.make())).elements:
        if tag in ("input", "select"):
            assert attributes["autocomplete"] == "off"


@pytest.mark.parametrize(
    ("cutoff", "words"),
    [
        ("permutations", "exceeds the largest one in each of 19 runs with permuted classes"),
        ("kmeans", "upper of two clusters"),
        ("angle", "critical angle"),
        ("mean", "mean of the sizes"),
        ("contrast", "uniform noise columns"),
        (None, "the number requested. Whether they matter was not tested"),
    ],
)
def test_each_cutoff_is_told_with_what_it_promises(cutoff, words):
    said = " ".join(page_view(made.make(cutoff=cutoff))["sentences"])
    matter = "matter (family-wise p = 0.050, the minimum possible)."
    assert said.startswith(
        f"6 of 1,000 features {matter if cutoff == 'permutations' else 'are kept'}"
    )
    assert words in said
    assert ("does not bound false findings" in said) == (cutoff not in ("permutations", None))
    assert ("5\u00a0% of analyses" in said) == (cutoff == "permutations")


def test_recalls_of_many_classes_are_given_by_their_ends():
    result = made.make(classes=tuple("abcdefgh"))
    result["ranking"]["recalls"] = [0.5, 0.6, 0.1, 0.7, 0.3, 0.2, 0.4, 0.9]
    said = " ".join(headline_sentences(result, 6, 6)).replace("\u00a0", " ")
    assert "recall: from c 0.10 to h 0.90." in said
    few = made.make(classes=("a", "b"))
    few["ranking"]["recalls"] = [0.5, 0.25]
    said = " ".join(headline_sentences(few, 6, 6)).replace("\u00a0", " ")
    assert "recall: a 0.50, b 0.25." in said


def test_the_heaviest_edges_named_are_among_the_features_drawn():
    result = made.make()
    names = [f["name"] for f in result["graph"]["features"]]
    for feature in result["graph"]["features"]:
        feature["selected"] = True
    result["graph"]["edges"][0] |= {"source": names[8], "target": names[0]}
    assert f"{names[8]} → {names[0]}" in " ".join(headline_sentences(result, 6, 9))
    assert names[8] not in " ".join(headline_sentences(result, 6, 8))


@pytest.mark.parametrize(
    ("k", "level", "words"),
    [
        (99, 0.05, "is reached in fewer than 5 of 99 runs"),
        (30, 0.05, "largest one in each of 30 runs"),
        (4, 0.6, "is reached in fewer than 3 of 4 runs"),
        (9, 0.1, "10\u00a0% of analyses"),
        (30, 0.05, "3.2\u00a0% of analyses"),
    ],
)
def test_the_level_is_that_of_the_runs(k, level, words):
    result = made.make()
    result["ranking"]["maxima"] = [0.1] * k
    result["ranking"]["cutoff"]["level"] = level
    assert words in " ".join(headline_sentences(result, 6, 6))


def test_accuracy_is_set_beside_guessing():
    result = made.make(classes=("a", "b", "c"))
    assert "0.710, where guessing gives 0.33" in " ".join(page_view(result)["sentences"])
    result["ranking"]["accuracy"] = 0.3
    assert "0.300, no better than guessing (0.33)" in " ".join(page_view(result)["sentences"])
    result["ranking"]["accuracy"] = float("nan")
    assert "not tested" in " ".join(page_view(result)["sentences"])


def test_the_paper_has_settings_and_sources():
    text = page_view(made.make())["text"]
    for words in ("s = 3,000 projections", "m = 30 of 1,000", "t = 5", "u = 1", "k = 19", "seed 7"):
        assert words in text["paragraph"]
    assert any("Bioinformatics 24:110-117" in one for one in text["citations"])
    assert "training (66 % of every class)" in text["paragraph"]
    bare = page_view(made.make(rules=0))["text"]
    assert len(bare["citations"]) < len(text["citations"])


@pytest.mark.parametrize(("stage", "m", "drawn"), [(30, 30, 6), (500, 30, 6), (30, 12, 8)])
def test_the_second_stage_is_told_as_it_was(stage, m, drawn):
    """The graph has 30 features: no more could be offered."""
    result = made.make()
    result["graph"]["settings"] |= {
        "second_stage": stage,
        "second_m": m,
        "second_top": drawn,
        "balance": 2.0,
        "max_ancestors": 3,
    }
    words = f"6,000 projections of {m} features each, {drawn} of them from the best 30."
    page = page_view(result)
    assert words in page["text"]["paragraph"]
    told = "66 % of the smallest class and at most 2 times as many of any other"
    assert told in page["text"]["paragraph"]
    panel = dict(page["settings"])
    assert panel["Features of the second stage"] == "30"
    assert panel["Features of its projections"] == str(m)
    assert panel["Balance: most of a class, times the smallest"] == "2"
    assert (panel["Cut-off"], panel["Level"]) == ("permutations", "0.05")
    assert panel["Most ancestors of a node"] == "3"


def test_what_is_no_result_is_refused(tmp_path):
    with pytest.raises(StoreError, match=r"schema 1; this one reads 2.*run `tamis interact`"):
        write_interactions({"schema": 1, "kind": "interactions"}, tmp_path / "x.html")
    for wrong in ({"schema": 2, "kind": "comparison"}, {}):
        with pytest.raises(StoreError, match=r"not 'interactions'.*interactions\.json"):
            write_interactions(wrong, tmp_path / "x.html")
    short = {k: v for k, v in made.make().items() if k != "graph"}
    with pytest.raises(StoreError, match="lacks 'graph'"):
        write_interactions(short, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_the_script_is_small_and_writes_no_markup():
    script = (ASSETS / "graph.js").read_text(encoding="utf-8")
    assert len(script.encode()) < 32_000
    for word in ("innerHTML", "insertAdjacentHTML", "eval(", "Math.random", "fetch(", "http:"):
        assert word not in script.replace("http://www.w3.org/2000/svg", "")
