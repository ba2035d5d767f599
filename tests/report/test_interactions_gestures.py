"""The graph of `tamis interact` in Chromium under pointer, keys and fingers."""

from __future__ import annotations

import pytest

from report.interactions_browser import MAIN, common, nodes, panel, places

pytestmark = [pytest.mark.browser, pytest.mark.longer]


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
    assert common.until(lambda: run("return scrollY") > top)  # the page is not trapped
    assert span() == pytest.approx(before, rel=0.01)
    run("document.querySelector('#graph').scrollIntoView()")
    ActionChains(driver).key_down(Keys.CONTROL).scroll_from_origin(svg, 0, -60).key_up(
        Keys.CONTROL
    ).perform()
    assert common.until(lambda: span() > 1.2 * before)


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


def test_keys_go_on_from_an_edge_that_was_clicked(driver, opened):
    """Not from the one reached by keys before."""
    result, run = opened()
    names = [f["name"] for f in result["graph"]["features"]]
    shown = [e for e in result["graph"]["edges"] if {e["source"], e["target"]} <= set(names[:6])]
    run("document.querySelector('[data-graph=main] [data-zoom=reset]').focus()")
    press(driver, "TAB", "ARROW_DOWN")  # an edge of the first feature
    ends = [[names.index(e["source"]), names.index(e["target"])] for e in shown[:12]]
    at = next(k for k, pair in enumerate(ends) if 0 not in pair)
    run(
        "const part = [...document.querySelectorAll('[data-graph=main] .stage [data-edge]')]"
        " .find((e) => e.getAttribute('aria-label').startsWith(arguments[0])); part.focus()",
        f"Edge {shown[at]['source']} to {shown[at]['target']}:",
    )
    assert focused(driver).startswith(f"Edge {shown[at]['source']} to {shown[at]['target']}:")
    press(driver, "ARROW_LEFT")
    assert focused(driver).startswith(f"{shown[at]['source']}:")


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
        assert common.until(lambda: result["graph"]["features"][0]["name"] in panel(driver))
        middle, low = left + 170, top + 200
        touch("touchStart", (middle - 30, low), (middle + 30, low))
        for step in range(1, 7):
            touch("touchMove", (middle - 30 - 5 * step, low), (middle + 30 + 5 * step, low))
        touch("touchEnd")

        def across(at):
            return max(x for x, _ in at) - min(x for x, _ in at)

        doubled = pytest.approx(2 * across(before), rel=0.12)
        assert common.until(lambda: across(places(driver)) == doubled)
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
