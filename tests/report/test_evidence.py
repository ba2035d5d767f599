"""Sections about evidence: edges of graphs, interactions of models, and what nobody knows."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from tamis._core.interfaces import Term
from tamis.report import write_report
from tamis.report._evidence import EVIDENCE_KINDS, number_words
from tamis.report._plain_evidence import content_lines, counted_terms
from tamis.report._render import render_study
from tamis.report._view import page_tables, study_page
from tamis.study.results.interactions import interaction_stability

NAMES = [f"g{j}" for j in range(50)]


def words(result):
    """What the page says, one space between any two words."""
    html = render_study(study_page(result)).partition("<body>")[2].partition("<script")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("\u00a0", " ").split())


def section(result, kind):
    return next(one for one in study_page(result)["evidence"] if one["kind"] == kind)


def edges(*pairs):
    return [Term((a, b), about={"weight": w}) for a, b, w in pairs]


FOLDS = [  # of three training sets, the last with no edge
    edges((0, 1, 0.5), (0, 2, 0.3)),
    edges((0, 1, 0.3), (3, 4, 0.2)),
    [],
]


@pytest.fixture
def result(made):
    """The fourth method has the graph of FOLDS, of 7 edges on all samples."""
    given = made.make_result()
    found = interaction_stability(FOLDS, NAMES, ["a", "b"], 50)
    content = {"n_edges": 7, "shown": 7, "of": 9, "interactions": found}
    given["methods"][3]["evidence"] = {"id_graph": content}
    return given


def test_edges_are_counted_over_all_training_parts(result):
    (block,) = section(result, "id_graph")["blocks"]
    (table,) = block["tables"]
    assert table["data"]["columns"] == ["rank", "from", "to", "frequency", "mean weight"]
    assert table["data"]["rows"] == [
        [1, "g0", "g1", 2 / 3, pytest.approx(0.4)],
        [2, "g0", "g2", 1 / 3, 0.3],
        [3, "g3", "g4", 1 / 3, 0.2],
    ]
    shown = table["body"][0]["cells"][3]
    assert (shown.text, shown.bar) == ("2 of 3", 2 / 3)


def test_the_stability_of_edges_is_told_with_what_it_cannot_be_held_against(result):
    text = words(result)
    found = result["methods"][3]["evidence"]["id_graph"]["interactions"]
    assert "3 outer training sets gave 3 different edges, 1.3 each on average." in text
    # Pairs of parts share 1, 0 and 0 edges, of 4/3 each on average: 1/3 over 4/3.
    assert found["nogueira"] == pytest.approx(0.25, abs=2e-3)
    assert "is 0.25: of the edges of one training set, another had about 0.3 too." in text
    assert "there is no number of permuted labels to hold this against" in text
    assert "On all samples the graph has 7 edges" in text


def test_a_graph_without_a_final_model_or_an_edge(result):
    evidence = result["methods"][3]["evidence"]
    for key in ("n_edges", "shown", "of"):
        del evidence["id_graph"][key]
    assert "On all samples the graph" not in words(result)
    evidence["id_graph"]["interactions"] = interaction_stability([[], []], NAMES, ["a"], 50)
    assert "No edge was as heavy in any outer training set." in words(result)
    evidence["id_graph"] = {"n_edges": 0, "shown": 0, "of": 3}
    assert "0 edges of 2 standard errors or more between 3 features" in words(result)


def test_the_real_studys_graph_is_over_its_outer_folds(made):
    content = made.make_result()["methods"][3]["evidence"]["id_graph"]
    assert content["interactions"]["n_folds"] == 6
    assert content["shown"] <= content["n_edges"]


def test_interactions_of_models(made):
    result = made.make_result()
    folds = [
        [Term((0, 1), (1, -1), 1, {"prevalence": 0.5}), Term((2, 3, 4), (1, 0, 1), 0)],
        [Term((0, 1), (1, -1), 1, {"prevalence": 0.3})],
    ]
    found = interaction_stability(folds, NAMES, ["ill", "well"], 50)
    result["methods"][0]["interactions"] = {**found, "most": 260, "kept": 200}
    (block,) = section(result, "interactions")["blocks"]
    (table,) = block["tables"]
    assert table["data"]["columns"] == ["rank", "features", "class", "frequency", "mean prevalence"]
    assert table["data"]["rows"] == [
        [1, "g0 high × g1 low", "well", 1.0, pytest.approx(0.4)],
        [2, "g2 high × g3 × g4 high", "ill", 0.5, None],
    ]
    text = words(result)
    assert "2 outer training sets gave 2 different interactions, 1.5 each" in text
    assert "A model had up to 260; the first 200 of each are counted." in text
    result["methods"][0]["interactions"]["most"] = 200
    assert "A model had up to" not in words(result)
    result["methods"][2]["interactions"] = result["methods"][0]["interactions"]
    assert len(section(result, "interactions")["blocks"]) == 2


def test_interactions_of_models_stand_beside_those_of_permuted_labels(made):
    result = made.make_result()
    folds = [[Term((0, 1), (), 1)], [Term((0, 1), (), 1), Term((1, 2), (), 1)]]
    found = interaction_stability(folds, NAMES, ["ill", "well"], 50)
    again = {
        "observed": 0.75,
        "values": [0.1, None, 0.3],
        "median": 0.2,
        "most": 0.3,
        "excess": 0.55,
        "above": True,
    }
    chance = {"size": 2.0, "sizes": [0.0, 1.5, 3.0], "repeatability": again}
    method = result["methods"][0]
    method["interactions"] = {**found, "most": 3, "kept": 3, "permuted": chance}
    text = words(result)
    assert "2 with true labels in that design, in the 3 permuted runs 0 to 3." in text
    assert "Stability: 0.75 of 1; shuffled labels: median 0.20, max 0.30" in text
    assert "They recur more than chance explains." in text
    again["above"] = False
    assert "They are not shown to recur more than chance explains." in words(result)
    again |= {"observed": None, "above": None}
    assert "Their stability is undefined in that design." in words(result)


def test_the_graph_of_interactions_weighs_the_best_share_of_training_parts(made):
    result = made.make_result()
    folds = [[Term((0, 1, 2), (), 1)], [Term((0, 1, 2), (), 1), Term((1, 2), (), 0)]]
    found = interaction_stability(folds, NAMES, ["ill", "well"], 50)
    result["methods"][0]["interactions"] = {**found, "most": 3, "kept": 3}
    (block,) = section(result, "interactions")["blocks"]
    edges = {(e["source"], e["target"]): (e["weight"], e["sets"]) for e in block["chart"]["edges"]}
    assert edges == {("g0", "g1"): (1.0, 1), ("g0", "g2"): (1.0, 1), ("g1", "g2"): (1.0, 2)}


UNKNOWN = {
    "setting": 3,
    "note": "<b>x</b>",
    "ok": True,
    "none": None,
    "empty": [],
    "nothing": {},
    "numbers": list(range(30)),
    "deep": {"a": [{"b": 0.123456}, {"b": [1, [2]]}]},
}


def test_an_unknown_kind_is_told_line_by_line(made):
    result = made.make_result()
    result["methods"][0]["evidence"] = {"</section>odd kind": UNKNOWN}
    one = section(result, "</section>odd kind")
    assert one["id"] == "evidence-1"
    rows = dict(one["blocks"][0]["tables"][0]["data"]["rows"])
    assert rows["deep, a, 1, b"] == "0.1235"
    assert rows["deep, a, 2, b, 2"] == "2"
    assert rows["numbers"].endswith("19 and 10 more")
    assert (rows["ok"], rows["none"], rows["empty"], rows["nothing"]) == ("yes", "—", "—", "—")
    html = render_study(study_page(result))
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "</section>odd" not in html
    assert 'href="#evidence-1"' in html


@pytest.mark.parametrize("content", [{}, {"interactions": 3}, {"interactions": {"terms": []}}])
def test_no_content_of_a_plug_in_breaks_the_page(made, content):
    result = made.make_result()
    result["methods"][0]["evidence"] = {"odd": content}
    assert "Evidence: odd" in words(result)


def test_terms_of_an_unknown_kind_are_counted(made):
    result = made.make_result()
    found = interaction_stability(FOLDS, NAMES, ["a", "b"], 50)
    result["methods"][0]["evidence"] = {"odd": {"size": 3, "interactions": found}}
    lines, terms = section(result, "odd")["blocks"][0]["tables"]
    assert lines["data"]["rows"] == [["size", "3"]]
    assert terms["data"]["rows"][0][:2] == [1, "g0 × g1"]
    names = [table["name"] for table in page_tables(study_page(result))]
    assert len(set(names)) == len(names)


def test_long_content_is_cut(made):
    result = made.make_result()
    result["methods"][0]["evidence"] = {"odd": {f"key {i}": i for i in range(500)}}
    (block,) = section(result, "odd")["blocks"]
    assert len(block["tables"][0]["body"]) == 200
    assert block["rest"] == "300 more lines are in results.json."


def test_lines_of_nested_content():
    assert list(content_lines({"a": {"b": 1}, "c": [1, 2]})) == [("a, b", "1"), ("c", "1, 2")]


def test_known_kinds_stand_in_the_order_of_the_table_of_kinds(result):
    result["methods"][0]["evidence"] = {"odd": {"x": 1}}
    there = {kind for method in result["methods"] for kind in method.get("evidence", {})}
    known = [kind for kind in EVIDENCE_KINDS if kind in there]
    assert len(known) > 2
    assert [one["kind"] for one in study_page(result)["evidence"]] == [*known, "odd"]


def test_each_number_of_a_feature_is_a_column(made):
    result = made.make_result()
    a, b = (m["name"] for m in result["methods"][:2])
    for i, feature in enumerate(result["features"]):
        feature["numbers"] = {"share of trees": {a: i / 100}, "weight": {a: -i, b: float(i)}}
    table = study_page(result)["features"]["table"]
    titles = [head["title"] for head in table["head"]]
    at = titles.index("Share of trees")
    assert titles[at + 1] == "Weight"
    assert table["body"][7]["cells"][at].text == "0.07"
    assert table["body"][7]["cells"][at + 1].text == "7"
    assert [value for _, value in table["body"][7]["cells"][at + 1].more] == ["−7", "7"]
    columns = table["data"]["columns"]
    row = dict(zip(columns, table["data"]["rows"][7], strict=True))
    assert (row[f"weight ({a})"], row[f"weight ({b})"], row["weight"]) == (-7, 7.0, 7.0)
    assert number_words(result["features"][7], result)[0] == f"Share of trees 0.07 ({a})."


def test_the_ranking_of_one_method_is_never_told_as_anothers(made):
    result = made.make_result(methods=12)
    with_it = [m["name"] for m in result["methods"] if "evidence" in m]
    told = {b["name"] for one in study_page(result)["evidence"] for b in one["blocks"]}
    assert told == set(with_it)


def undefined(value, rng):
    if isinstance(value, dict):
        return {k: undefined(v, rng) for k, v in value.items()}
    if isinstance(value, list):
        return [undefined(v, rng) for v in value]
    return None if isinstance(value, float) and rng.random() < 0.5 else value


@pytest.mark.parametrize("seed", range(4))
def test_numbers_of_edges_may_be_undefined(result, seed):
    found = result["methods"][3]["evidence"]["id_graph"]
    rng = np.random.default_rng(seed)
    result["methods"][3]["evidence"]["id_graph"] = undefined(found, rng)
    result["methods"][0]["evidence"] = {"odd": undefined(json.loads(json.dumps(found)), rng)}
    assert " None" not in words(result).replace("None of 99", "")


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_its_sections_fit(driver, result, tmp_path, width):
    from report.test_browser import show

    found = result["methods"][3]["evidence"]["id_graph"]["interactions"]
    found["terms"][0]["features"] = ["L" * 300, "M" * 80]
    result["methods"][0]["interactions"] = {**found, "most": 3, "kept": 3}
    result["methods"][2]["evidence"] = {"odd": {**UNKNOWN, "long": "L" * 400}}
    driver.get_log("browser")
    show(driver, write_report(result, tmp_path), width)
    ask = driver.execute_script
    assert ask("return document.documentElement.scrollWidth") <= width
    assert driver.get_log("browser") == []
    tall = ask(
        "return ['#table-id_graph', '#table-interactions'].map((t) =>"
        " document.querySelector(t + ' tbody tr:nth-child(2)').getBoundingClientRect().height)"
    )
    assert max(tall) < 90


def test_evidence_without_a_section_of_its_own_is_a_table_of_names_and_values(made):
    given = made.make_result()
    given["methods"][3]["evidence"] = {"of_tomorrow": {"depth": 3, "kept": True, "share": None}}
    (block,) = next(
        one["blocks"] for one in study_page(given)["evidence"] if "tomorrow" in one["kind"]
    )
    (table,) = block["tables"]
    assert table["data"]["columns"] == ["what", "value"]
    assert [row[0] for row in table["data"]["rows"]] == ["depth", "kept", "share"]
    assert table["data"]["rows"][1] == ["kept", "yes"]


def test_interactions_are_those_that_have_all_that_a_table_of_them_shows():
    whole = {"n_folds": 3, "mean_size": 1.5, "nogueira": None, "n_different": 2, "terms": []}
    assert counted_terms({"interactions": whole}) is whole
    assert counted_terms({"interactions": {**whole, "more": 1}}) is not None
    for key in whole:
        part = {k: v for k, v in whole.items() if k != key}
        assert counted_terms({"interactions": part}) is None
    assert counted_terms({"interactions": list(whole)}) is None
    assert counted_terms({}) is None
