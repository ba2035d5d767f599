"""The page of `tamis interact` in Chromium: clicked, dragged, by keyboard, by touch, on paper."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path

import pytest

from tamis.report import write_interactions

pytestmark = pytest.mark.browser

KINDS = {
    "plain": {},
    "hostile": {"hostile": True, "kept": 8},
    "none": {"kept": 0},
    "bare": {"n": 0, "e": 0, "rules": 0, "kept": 0, "cutoff": None},
    "one": {"n": 1, "e": 0, "rules": 1, "kept": 1},
    "big": {"n": 200, "e": 1000, "rules": 300, "classes": ("a", "b", "c", "d"), "kept": 30},
}
MAIN = "[data-graph=main]"


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made, common = load("interactions_fixture"), load("test_browser")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """kind -> (result, path)."""
    folder = tmp_path_factory.mktemp("interactions")
    kinds = {kind: dict(more) for kind, more in KINDS.items()}
    kinds["hostile"]["classes"] = made.HOSTILE[:3]
    results = {kind: made.make(**more) for kind, more in kinds.items()}
    return {k: (r, write_interactions(r, folder / f"{k}.html")) for k, r in results.items()}


@pytest.fixture
def opened(driver, pages):
    """Opens a kind; gives its dictionary and a function that runs script in the page."""

    def show(kind="plain", **more):
        driver.get_log("browser")
        common.show(driver, pages[kind][1], **more)
        driver.execute_script("document.querySelector('#graph').scrollIntoView()")
        time.sleep(0.15)
        return pages[kind][0], driver.execute_script

    return show


def nodes(driver, graph=MAIN):
    return driver.find_elements("css selector", f"{graph} .stage .node")


def panel(driver, graph=MAIN) -> str:
    return driver.find_element("css selector", f"{graph} .about").text


def places(driver, graph=MAIN) -> list[list[float]]:
    """Where the nodes are, in pixels of the stage, in order of importance."""
    return driver.execute_script(
        "const stage = document.querySelector(arguments[0] + ' .stage').getBoundingClientRect();"
        "return [...document.querySelectorAll(arguments[0] + ' .stage .node .dot')].map((e) => {"
        " const r = e.getBoundingClientRect();"
        " return [r.x + r.width / 2 - stage.x, r.y + r.height / 2 - stage.y] })",
        graph,
    )


def drag(driver, start, way):
    """Press at a place of the window, move in steps, let go."""
    from selenium.webdriver.common.action_chains import ActionChains

    chain = ActionChains(driver)
    pointer = chain.w3c_actions.pointer_action
    pointer.move_to_location(round(start[0]), round(start[1]))
    pointer.pointer_down()
    for part in (0.3, 0.6, 1.0):
        pointer.move_to_location(round(start[0] + part * way[0]), round(start[1] + part * way[1]))
    pointer.pointer_up()
    chain.perform()


def slide(driver, which, value, graph="main"):
    driver.execute_script(
        "const e = document.querySelector(`#g-${arguments[2]}-${arguments[0]}`);"
        "e.value = arguments[1]; e.dispatchEvent(new Event('input', { bubbles: true }))",
        which, value, graph,
    )  # fmt: skip


def focused(driver) -> str | None:
    return driver.execute_script("return document.activeElement.getAttribute('aria-label')")


def press(driver, *keys, shift=False):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    chain = ActionChains(driver)
    if shift:
        chain.key_down(Keys.SHIFT)
    for key in keys:
        chain.send_keys(getattr(Keys, key, key))
    if shift:
        chain.key_up(Keys.SHIFT)
    chain.perform()


@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize("kind", ["plain", "hostile"])
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
    assert run(f"return {still}.querySelectorAll('.dot').length") == len(nodes(driver)) == 6
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
    rules = [r for r in result["rules"]["rules"]
             if feature["name"] in [c["feature"] for c in r["conditions"]]]  # fmt: skip
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


def test_hover_shows_numbers_of_nodes_and_edges(driver, opened):
    from selenium.webdriver.common.action_chains import ActionChains

    result, run = opened()
    tip = driver.find_element("css selector", f"{MAIN} .tip")
    assert not tip.is_displayed()
    ActionChains(driver).move_to_element(nodes(driver)[0]).perform()
    assert f"{result['graph']['features'][0]['importance']:.3f}" in tip.text
    number, x, y = run(
        "const e = document.querySelector('[data-graph=main] .stage .edge:last-child');"
        "const p = e.lastChild.getPointAtLength(e.lastChild.getTotalLength() / 2);"
        "const r = e.ownerSVGElement.getBoundingClientRect();"
        "return [Number(e.dataset.edge), r.left + p.x, r.top + p.y]"
    )
    move = ActionChains(driver)
    move.w3c_actions.pointer_action.move_to_location(round(x), round(y))
    move.perform()
    edge = result["graph"]["edges"][number]
    assert f"{edge['source']} → {edge['target']}" in tip.text
    assert f"Weight {edge['weight']:.4f}" in tip.text
    assert "Met in projections 500" in tip.text
    ActionChains(driver).move_to_element(driver.find_element("css selector", "#h-graph")).perform()
    assert not tip.is_displayed()


def test_nodes_are_dragged_and_the_ground_is_panned(driver, opened):
    _, run = opened()
    before = places(driver)
    left, top, bottom = run(
        "const r = document.querySelector('[data-graph=main] .stage').getBoundingClientRect();"
        "return [Math.round(r.left), Math.round(r.top), Math.round(r.bottom)]"
    )
    drag(driver, (left + before[1][0], top + before[1][1]), (40, 30))
    after = places(driver)
    assert after[1] == pytest.approx([before[1][0] + 40, before[1][1] + 30], abs=2)
    assert after[0] == pytest.approx(before[0], abs=0.2)
    assert "Click a feature" in panel(driver)  # a drag is no click
    drag(driver, (left + 6, bottom - 6), (25, -35))
    moved = places(driver)
    for now, then in zip(moved, after, strict=True):
        assert now == pytest.approx([then[0] + 25, then[1] - 35], abs=1)
    driver.find_element("css selector", f"{MAIN} [data-zoom=reset]").click()
    for now, then in zip(places(driver), before, strict=True):
        assert now == pytest.approx(then, abs=0.2)


def test_a_node_cannot_be_dragged_away(driver, opened):
    _, run = opened()
    left, top, width, height = run(
        "const r = document.querySelector('[data-graph=main] .stage').getBoundingClientRect();"
        "return [r.left, r.top, r.width, r.height]"
    )
    x, y = places(driver)[1]
    drag(driver, (left + x, top + y), (-left - x + 1, -min(60, top) - y))
    x, y = places(driver)[1]
    assert 0 < x < 40
    assert 0 < y < 40
    drag(driver, (left + x, top + y), (width / 2, height / 2))  # it can be caught again
    assert places(driver)[1] == pytest.approx([x + width / 2, y + height / 2], abs=2)


def test_zoom_by_button_and_wheel(driver, opened):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    from selenium.webdriver.common.keys import Keys

    _, run = opened()

    def span():
        xs = [x for x, _ in places(driver)]
        return max(xs) - min(xs)

    before = span()
    driver.find_element("css selector", f"{MAIN} [data-zoom=in]").click()
    assert span() == pytest.approx(1.3 * before, rel=0.01)
    driver.find_element("css selector", f"{MAIN} [data-zoom=out]").click()
    assert span() == pytest.approx(before, rel=0.01)
    svg = ScrollOrigin.from_element(driver.find_element("css selector", f"{MAIN} .stage svg"))
    top = run("return scrollY")
    ActionChains(driver).scroll_from_origin(svg, 0, 60).perform()
    time.sleep(0.3)
    assert run("return scrollY") > top  # the page is not trapped
    assert span() == pytest.approx(before, rel=0.01)
    run("document.querySelector('#graph').scrollIntoView()")
    ActionChains(driver).key_down(Keys.CONTROL).scroll_from_origin(svg, 0, -60).key_up(
        Keys.CONTROL
    ).perform()
    time.sleep(0.3)
    assert span() > 1.2 * before


def test_by_keyboard(driver, opened):
    result, run = opened()
    names = [f["name"] for f in result["graph"]["features"]]
    run("document.querySelector('[data-graph=main] [data-zoom=reset]').focus()")
    press(driver, "TAB")
    assert focused(driver).startswith(f"{names[0]}: Rank 1, Relative importance")
    outline = "return getComputedStyle(document.activeElement.querySelector('.dot')).strokeWidth"
    assert run(outline) == "3.5px"
    press(driver, "ARROW_RIGHT")
    assert focused(driver).startswith(f"{names[1]}:")
    press(driver, "ARROW_LEFT", "ARROW_LEFT")
    assert focused(driver).startswith(f"{names[5]}:")  # round the end
    press(driver, "HOME", "ARROW_DOWN")
    shown = [e for e in result["graph"]["edges"] if {e["source"], e["target"]} <= set(names[:6])][
        :12
    ]
    heaviest = next(e for e in shown if names[0] in (e["source"], e["target"]))
    assert focused(driver).startswith(f"Edge {heaviest['source']} to {heaviest['target']}: Weight")
    tip = driver.find_element("css selector", f"{MAIN} .tip").text
    assert f"{heaviest['weight']:.4f}" in tip
    press(driver, "ARROW_RIGHT")
    (other,) = {heaviest["source"], heaviest["target"]} - {names[0]}
    assert focused(driver).startswith(f"{other}:")
    before = places(driver)
    press(driver, "ARROW_RIGHT", shift=True)
    at = names.index(other)
    assert places(driver)[at][0] == pytest.approx(before[at][0] + 14, abs=0.5)
    press(driver, "ENTER")
    assert other in panel(driver)
    assert run("return document.activeElement.tagName") == "H3"
    press(driver, "ESCAPE")
    assert "Click a feature" in panel(driver)
    assert focused(driver).startswith(f"{other}:")
    press(driver, "+")
    spread = [x for x, _ in places(driver)]
    assert max(spread) - min(spread) > 1.2 * (max(x for x, _ in before) - min(x for x, _ in before))
    press(driver, "TAB")  # one stop only: Tab leaves the graph
    assert not (focused(driver) or "").startswith(tuple(names))


def test_touch_taps_and_pinches(driver, opened):
    result, run = opened(width=380)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        (left, top) = run(
            "const r = document.querySelector('[data-graph=main] .stage').getBoundingClientRect();"
            "return [r.left, r.top]"
        )
        (x, y), before = places(driver)[0], places(driver)

        def touch(kind, *points):
            spots = [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(points)]
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

        touch("touchStart", (left + x, top + y))
        touch("touchEnd")
        time.sleep(0.2)
        assert result["graph"]["features"][0]["name"] in panel(driver)
        middle, low = left + 170, top + 200
        touch("touchStart", (middle - 30, low), (middle + 30, low))
        for step in range(1, 7):
            touch("touchMove", (middle - 30 - 5 * step, low), (middle + 30 + 5 * step, low))
        touch("touchEnd")
        time.sleep(0.2)
        wide = [max(p[0] for p in at) - min(p[0] for p in at) for at in (before, places(driver))]
        assert wide[1] / wide[0] == pytest.approx(2, rel=0.12)
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_rule_networks_by_class(driver, opened):
    result, run = opened()
    tabs = driver.find_elements("css selector", "[data-tab]")
    assert [t.text for t in tabs] == ["ill", "well"]
    run("arguments[0].scrollIntoView()", tabs[0])
    tabs[1].click()
    time.sleep(0.1)
    assert tabs[1].get_attribute("aria-pressed") == "true"
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
def test_print_shows_the_still_pictures(driver, opened, pages, kind):
    result, run = opened(kind, width=688, dark=True, media="print")
    run("dispatchEvent(new Event('beforeprint'))")
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
    run("dispatchEvent(new Event('afterprint'))")


def test_without_script_the_page_is_whole(driver, opened):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        result, _ = opened()
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
    longest = run(
        "const started = performance.now();"
        "for (const [which, value] of [['nodes', 200], ['edges', 1000]]) {"
        " const e = document.querySelector(`#g-main-${which}`);"
        " e.value = value; e.dispatchEvent(new Event('input')) }"
        "return performance.now() - started"
    )
    assert len(nodes(driver)) == 200
    assert len(driver.find_elements("css selector", f"{MAIN} .stage .edge")) == 1000
    assert longest < 2000
    flat = [v for at in places(driver) for v in at]
    assert all(-1 <= v <= 900 for v in flat)


def test_motion_is_shown_only_to_those_who_want_it(driver, opened):
    _, run = opened()
    slide(driver, "nodes", 12)
    settled = places(driver)
    features = [{"name": "prefers-reduced-motion", "value": "no-preference"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
    slide(driver, "nodes", 6)
    time.sleep(0.6)
    driver.execute_script(
        "const e = document.querySelector('#g-main-nodes'); e.value = 12;"
        "e.dispatchEvent(new Event('input'));"
        "window.early = [...document.querySelectorAll('[data-graph=main] .stage .node')]"
        " .map((n) => n.getAttribute('transform')).join()"
    )
    time.sleep(0.6)
    late = run(
        "return [...document.querySelectorAll('[data-graph=main] .stage .node')]"
        " .map((n) => n.getAttribute('transform')).join()"
    )
    assert run("return window.early") != late
    for now, then in zip(places(driver), settled, strict=True):
        assert now == pytest.approx(then, abs=0.2)
