"""The page of `tamis interact` in Chromium: clicked, without script, on paper."""

from __future__ import annotations

import time

import pytest

from report.interactions_browser import KINDS, MAIN, SETS, common, nodes, panel, places

pytestmark = [pytest.mark.browser, pytest.mark.longer]


def slide(driver, which, value, graph="main"):
    driver.execute_script(
        "const e = document.querySelector(`#g-${arguments[2]}-${arguments[0]}`);"
        "e.value = arguments[1]; e.dispatchEvent(new Event('input', { bubbles: true }))",
        which,
        value,
        graph,
    )


@pytest.mark.parametrize("kind", [*KINDS, *SETS])
@pytest.mark.parametrize("width", [380, 1100])
def test_no_errors_no_requests_no_sideways_scroll(driver, opened, kind, width):
    _, run = opened(kind, width=width)
    run("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    for node in nodes(driver)[:3]:
        run("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))", node)
    for tab in driver.find_elements("css selector", "[data-tab]"):
        run("arguments[0].click()", tab)
    assert driver.get_log("browser") == []
    assert run("return performance.getEntriesByType('resource').length") == 0
    assert run("return window.__pwned === undefined && ({}).polluted === undefined")
    assert run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("kind", ["plain", "hostile", "hostile sets"])
@pytest.mark.parametrize("dark", [False, True])
def test_contrast(driver, opened, kind, dark):
    _, run = opened(kind, dark=dark)
    nodes(driver)[0].click()
    least, where = run(common.CONTRASTS)
    faded = run("return [...document.querySelectorAll('.stage text.off')].length")
    assert least >= 4.5, (where, faded)


def test_the_graph_starts_as_the_picture_says(driver, opened):
    result, run = opened()
    still = "document.querySelector('#graph .still svg')"
    assert run(f"return {still}.querySelectorAll('.node').length") == len(nodes(driver)) == 6
    lines = "[data-graph=main] .stage .edge"
    assert run(f"return {still}.querySelectorAll('.edge').length") == 12
    assert len(driver.find_elements("css selector", lines)) == 12
    names = [t.text for t in driver.find_elements("css selector", f"{MAIN} .stage text")]
    assert names == [f["name"] for f in result["graph"]["features"][:6]]
    assert not driver.find_element("css selector", "#graph .still").is_displayed()


def test_weight_importance_and_degree_are_drawn(driver, opened):
    result, run = opened()
    slide(driver, "nodes", 30)
    slide(driver, "edges", 120)
    drawn = run(
        "return [...document.querySelectorAll('[data-graph=main] .stage .edge')].map((e) =>"
        " [Number(e.dataset.edge), Number(e.querySelector('.line').getAttribute('stroke-width')),"
        " Number(e.firstChild.getAttribute('opacity'))])"
    )
    heaviest = result["graph"]["edges"][0]["weight"]
    assert len(drawn) == 120
    for i, width, darkness in drawn:
        share = result["graph"]["edges"][i]["weight"] / heaviest
        assert width == pytest.approx(1 + 4.5 * share, abs=0.01)
        assert darkness == pytest.approx(0.22 + 0.68 * share, abs=0.01)
    dots = run(
        "return [...document.querySelectorAll('[data-graph=main] .stage .node .dot')].map((e) =>"
        " [Number(e.style.getPropertyValue('--v')), Number(e.getAttribute('r'))])"
    )
    features = result["graph"]["features"]
    ends = [n for e in result["graph"]["edges"] for n in (e["source"], e["target"])]
    degrees = [ends.count(f["name"]) for f in features]
    best = features[0]["importance"]
    assert [v for v, _ in dots] == pytest.approx(
        [f["importance"] / best for f in features], abs=1e-3
    )
    for a in range(30):
        for b in range(30):
            assert degrees[a] <= degrees[b] or dots[a][1] >= dots[b][1]
    rings = len(driver.find_elements("css selector", f"{MAIN} .stage .node .ring"))
    assert rings == sum(f["selected"] for f in features)


def test_sliders_and_presets(driver, opened):
    result, run = opened()
    status = driver.find_element("css selector", f"{MAIN} .status")
    slide(driver, "nodes", 10)
    top = {f["name"] for f in result["graph"]["features"][:10]}
    inside = [e for e in result["graph"]["edges"] if {e["source"], e["target"]} <= top]
    assert status.text == f"10 features and 12 of {len(inside)} edges between them"
    slide(driver, "edges", 20)
    assert len(driver.find_elements("css selector", f"{MAIN} .stage .edge")) == min(20, len(inside))
    slide(driver, "weight", 50)
    heavy = result["graph"]["edges"][0]["weight"] / 2
    half = [e for e in inside[:20] if e["weight"] >= heavy * 0.999]
    assert len(driver.find_elements("css selector", f"{MAIN} .stage .edge")) == len(half)
    driver.find_element("css selector", f"{MAIN} [data-view='6,12']").click()
    assert len(nodes(driver)) == 6
    assert status.text.startswith("6 features and 12 of")
    assert run("return document.querySelector('#g-main-weight').value") == "0"
    slider = driver.find_element("css selector", "#g-main-nodes")
    slider.click()
    slider.send_keys("\ue014")  # the right arrow
    assert int(run("return document.querySelector('#g-main-nodes + output').value")) == len(
        nodes(driver)
    )


def test_the_layout_is_the_same_every_time(driver, opened):
    opened()
    slide(driver, "nodes", 20)
    slide(driver, "edges", 40)
    first = places(driver)
    slide(driver, "nodes", 9)
    slide(driver, "nodes", 20)
    assert places(driver) == first
    opened()
    slide(driver, "nodes", 20)
    slide(driver, "edges", 40)
    assert places(driver) == first


@pytest.mark.parametrize("width", [380, 1100])
def test_labels_do_not_lie_on_one_another(driver, opened, width):
    _, run = opened(width=width)
    for n, e in ((6, 12), (12, 30), (30, 60)):
        slide(driver, "nodes", n)
        slide(driver, "edges", e)
        worst = run(
            "const b = [...document.querySelectorAll('[data-graph=main] .stage text')]"
            " .filter((t) => getComputedStyle(t).display !== 'none')"
            " .map((t) => t.getBoundingClientRect());"
            "let worst = 0;"
            "b.forEach((r, i) => b.slice(0, i).forEach((s) => { worst = Math.max(worst, Math.min("
            " Math.min(r.right, s.right) - Math.max(r.left, s.left),"
            " Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top))) }));"
            "return [worst, b.length]"
        )
        assert worst[0] <= 4  # halves of the leading
        assert worst[1] >= 0.6 * n


def test_a_click_opens_the_panel_and_filters_the_rules(driver, opened):
    result, run = opened()
    feature = result["graph"]["features"][2]
    nodes(driver)[2].click()
    text = panel(driver)
    assert text.startswith(("×", feature["name"]))
    assert f"{feature['importance']:.3f}" in text
    rules = [
        r
        for r in result["rules"]["rules"]
        if feature["name"] in [c["feature"] for c in r["conditions"]]
    ]
    assert f"Rules ({len(rules)})" in text
    shown = common.column(driver, "rules", 0)
    assert len(shown) == len(rules)
    assert all(feature["name"] in row.replace("\u00a0", " ") for row in shown)
    found = run("return document.querySelector('#rules-found').textContent")
    assert found == f"{len(rules)} of {len(result['rules']['rules'])}"
    ends = driver.find_elements("css selector", f"{MAIN} .ends button")
    other = ends[0].text.split(" ", 1)[1]
    ends[0].click()
    assert other in panel(driver).splitlines()[:2]
    driver.find_element("css selector", f"{MAIN} .close").click()
    assert "Click a feature" in panel(driver)
    assert len(common.column(driver, "rules", 0)) == len(result["rules"]["rules"])


def test_rules_by_class_and_feature(driver, opened):
    result, _ = opened()
    from selenium.webdriver.support.select import Select

    Select(driver.find_element("id", "rules-class")).select_by_visible_text("well")
    own = [r for r in result["rules"]["rules"] if r["label"] == "well"]
    assert common.column(driver, "rules", 1) == ["well"] * len(own)
    name = own[0]["conditions"][0]["feature"]
    Select(driver.find_element("id", "rules-feature")).select_by_visible_text(name)
    both = [r for r in own if name in [c["feature"] for c in r["conditions"]]]
    assert len(common.column(driver, "rules", 0)) == len(both)


def test_a_name_in_the_table_leads_to_its_node(driver, opened):
    result, run = opened()
    name = result["graph"]["features"][14]["name"]  # not shown at first
    links = driver.find_elements("css selector", "#table-features a")
    assert links[14].get_attribute("textContent") == name
    run("arguments[0].click()", links[14])
    assert name in panel(driver)
    assert len(nodes(driver)) == 15
    common.click(driver, "#table-features th:nth-child(2) button")
    common.click(driver, "#table-features th:nth-child(2) button")  # Z to A
    run("document.querySelector('#table-features tbody a').click()")
    first = run("return document.querySelector('#table-features tbody a').textContent")
    assert first in panel(driver)


def test_rule_networks_by_class(driver, opened):
    result, run = opened()
    common.click(driver, "#networks summary")
    tabs = driver.find_elements("css selector", "[data-tab]")
    assert [t.text for t in tabs] == ["ill", "well"]
    run("arguments[0].scrollIntoView()", tabs[0])
    tabs[1].click()
    assert common.until(lambda: tabs[1].get_attribute("aria-pressed") == "true")
    assert not driver.find_element("css selector", "[data-graph='0']").is_displayed()
    network = result["rules"]["networks"][1]
    assert not driver.find_elements("css selector", "[data-graph='1'] .stage .head[d]")
    run("document.querySelector(\"[data-graph='1'] .stage\").scrollIntoView()")
    shown = nodes(driver, "[data-graph='1']")
    assert len(shown) == min(12, len(network["nodes"]))
    shown[0].click()
    heaviest = max(network["nodes"], key=lambda c: c["weight"])
    text = panel(driver, "[data-graph='1']")
    assert f"Weight\n{heaviest['weight']:.0f}" in text
    assert f"Rules ({heaviest['rules']})" in text
    hue = {">": "above", "<=": "below", "=": "equal"}[heaviest["op"]]
    assert hue in shown[0].find_element("css selector", ".dot").get_attribute("class")


def test_long_names_are_cut_in_the_picture_and_whole_in_the_panel(driver, opened):
    _, run = opened("hostile")
    texts = driver.find_elements("css selector", f"{MAIN} .stage text")
    at = [t.get_attribute("textContent").startswith("LLLL") for t in texts].index(True)
    assert len(texts[at].get_attribute("textContent")) < 30
    nodes(driver)[at].click()
    assert "L" * 300 in panel(driver)
    assert run("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("kind", ["plain", "hostile", "big"])
def test_print_shows_the_still_pictures(driver, opened, interaction_pages, kind):
    result, run = opened(kind, width=688, dark=True, media="print")
    run("for (const d of document.querySelectorAll('#networks details')) d.open = true")
    stills = driver.find_elements("css selector", ".still")
    assert len(stills) == 1 + len(result["rules"]["networks"])
    assert all(s.is_displayed() for s in stills)
    hidden = run(
        "return [...document.querySelectorAll('.stage, .about, .controls, .buttons, .status,"
        " .filters, button:not(.sort)')].every((e) => !e.getClientRects().length)"
    )
    assert hidden
    cut = run(
        "return [...document.querySelectorAll('table, svg, .still')].filter((t) =>"
        " t.getBoundingClientRect().right > document.documentElement.clientWidth + 1).length"
    )
    assert cut == 0
    rows = "return [...document.querySelectorAll('#table-rules tbody tr')]"
    assert run(rows + ".filter((r) => r.getClientRects().length).length") <= 50
    assert run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_without_script_the_page_is_whole(driver, opened):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        result, _ = opened()
        driver.find_element("css selector", "#networks summary").click()
        assert all(s.is_displayed() for s in driver.find_elements("css selector", ".still"))
        for selector in ("button", "select", "input", ".stage", ".about"):
            found = driver.find_elements("css selector", selector)
            assert found
            assert not any(e.is_displayed() for e in found)
        assert len(driver.find_elements("css selector", "#table-rules tbody tr")) == len(
            result["rules"]["rules"]
        )
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_large_graph_settles_quickly(driver, opened):
    _, run = opened("big")
    run(
        "for (const [which, value] of [['nodes', 200], ['edges', 1000]]) {"
        " const e = document.querySelector(`#g-main-${which}`);"
        " e.value = value; e.dispatchEvent(new Event('input')) }"
    )
    assert len(nodes(driver)) == 200
    assert len(driver.find_elements("css selector", f"{MAIN} .stage .edge")) == 1000
    flat = [v for at in places(driver) for v in at]
    assert all(-1 <= v <= 900 for v in flat)


def test_motion_is_shown_only_to_those_who_want_it(driver, opened):
    _, run = opened()
    slide(driver, "nodes", 12)
    settled = places(driver)
    features = [{"name": "prefers-reduced-motion", "value": "no-preference"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
    slide(driver, "nodes", 6)
    time.sleep(0.6)  # until the six are where they go
    driver.execute_script(
        "const e = document.querySelector('#g-main-nodes'); e.value = 12;"
        "e.dispatchEvent(new Event('input'));"
        "window.early = [...document.querySelectorAll('[data-graph=main] .stage .node')]"
        " .map((n) => n.getAttribute('transform')).join()"
    )

    def arrived():
        return places(driver) == [pytest.approx(then, abs=0.2) for then in settled]

    assert common.until(arrived)
    late = run(
        "return [...document.querySelectorAll('[data-graph=main] .stage .node')]"
        " .map((n) => n.getAttribute('transform')).join()"
    )
    assert run("return window.early") != late


def test_a_feature_clicked_shows_its_sets_and_chooses_them_in_the_table(driver, opened):
    result, run = opened("sets")
    name = result["graph"]["features"][0]["name"]
    mine = [
        k
        for k, one in enumerate(result["sets"]["sets"])
        if name in [part["feature"] for part in one["parts"]]
    ]
    nodes(driver)[0].click()
    told = panel(driver)
    assert f"Sets ({len(mine)})" in told
    first = result["sets"]["sets"][mine[0]]
    assert all(part["feature"] in told for part in first["parts"])
    assert f": {first['label']} {first['numbers']['difference']:.3f}" in told
    shown = "[...document.querySelectorAll('#table-sets tbody tr')].filter((r) => !r.hidden)"
    assert sorted(run(f"return {shown}.map((r) => +r.dataset.row)")) == mine
    assert run("return document.querySelector('#sets-found').value") == f"{len(mine)} of 40"
    run(
        "const e = document.querySelector('#sets-class'); e.value = '1';"
        "e.dispatchEvent(new Event('change'))"
    )
    well = [k for k in mine if result["sets"]["sets"][k]["label"] == "well"]
    assert sorted(run(f"return {shown}.map((r) => +r.dataset.row)")) == well


def test_pairs_have_no_class_to_choose(driver, opened):
    _, run = opened("pairs")
    assert run("return document.querySelector('#sets-class')") is None
    nodes(driver)[0].click()
    assert "Pairs (" in panel(driver)
