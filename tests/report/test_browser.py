"""The page as a reader meets it: in Chromium, by clicking, at a phone's and a desk's width."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.longer]

CONTRASTS = """
const rgb = (text) => {
  const parts = text.match(/[\\d.]+/g).map(Number);
  return text.startsWith("color(") ? parts.slice(-3).map((v) => 255 * v) : parts;
};
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (e) => {
  for (; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)" && colour !== "transparent") return rgb(colour);
  }
  return [255, 255, 255];
};
const out = [];
for (const e of document.querySelectorAll(
    "h1, h2, p, li, dt, dd, th, td, small, code, a, summary, button, figcaption, .chart text")) {
  if (!e.getClientRects().length) continue;
  const style = getComputedStyle(e);
  const ink = rgb(e.closest("svg") ? style.fill : style.color);
  const [a, b] = [light(ink), light(behind(e))].sort((x, y) => y - x);
  out.push([(a + 0.05) / (b + 0.05), e.tagName + "." + e.className]);
}
return out.sort((x, y) => x[0] - y[0])[0];
"""


def show(driver, path: Path, width: int = 1280, dark: bool = False, media: str = "") -> None:
    """Open a report at a width, in a colour scheme, on the screen or as print."""
    size = {"width": width, "height": 850, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    still = {"name": "prefers-reduced-motion", "value": "reduce"}  # no click while it scrolls
    features = {"media": media, "features": [scheme, still]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    driver.get("about:blank")
    driver.get(path.resolve().as_uri())
    arrived = "return location.href !== 'about:blank' && document.readyState === 'complete'"
    assert until(lambda: driver.execute_script(arrived))  # on a busy machine `get` is too early


def click(driver, selector: str) -> None:
    driver.execute_script("document.querySelector(arguments[0]).click()", selector)


def until(condition, seconds: float = 30.0):
    """The condition's value as soon as it holds; what it last was if it never does."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return value


def column(driver, table: str, number: int) -> list[str]:
    """The texts of a column's visible cells."""
    return driver.execute_script(
        "return [...document.querySelectorAll(`#table-${arguments[0]} tbody tr`)]"
        ".filter((r) => !r.hidden).map((r) => r.cells[arguments[1]].textContent.trim())",
        table,
        number,
    )


@pytest.mark.parametrize("variant", ["plain", "four", "bare", "hostile", "wide"])
def test_no_errors_no_requests_nothing_live(driver, report, variant):
    show(driver, report(variant))
    assert driver.get_log("browser") == []
    assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert driver.execute_script("return window.__pwned === undefined")
    assert driver.execute_script("return document.documentElement.classList.contains('js')")


def test_hostile_names_are_displayed(driver, report, made):
    show(driver, report("hostile"))
    driver.execute_script(
        "for (const e of document.querySelectorAll('bdi, svg *'))"
        " for (const kind of ['mouseover', 'mouseenter', 'load', 'error'])"
        " e.dispatchEvent(new Event(kind))"
    )
    assert driver.execute_script("return window.__pwned === undefined")
    shown = [" ".join(text.split()) for text in column(driver, "features", 1)]
    for name in (*made.HOSTILE[:9], made.HOSTILE[10]):
        assert " ".join(name.split()) in shown


@pytest.mark.parametrize("variant", ["plain", "bare", "hostile", "wide"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_never_scrolls_sideways(driver, report, variant, width):
    show(driver, report(variant), width)
    driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    widest = driver.execute_script(
        "return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    )
    assert widest <= width


def test_chart_text_is_legible_on_a_phone(driver, report):
    show(driver, report("plain"), 360)
    driver.execute_script("for (const d of document.querySelectorAll('.fold')) d.open = true")
    smallest = driver.execute_script(
        "return Math.min(...[...document.querySelectorAll('svg.chart')]"
        ".filter((s) => s.getClientRects().length).map((s) =>"
        " parseFloat(getComputedStyle(s).fontSize) * s.getBoundingClientRect().width"
        " / s.viewBox.baseVal.width))"
    )
    assert smallest >= 10


@pytest.mark.parametrize("variant", ["plain", "hostile"])
@pytest.mark.parametrize("dark", [False, True])
def test_contrast(driver, report, variant, dark):
    show(driver, report(variant), dark=dark)
    least, where = driver.execute_script(CONTRASTS)
    assert least >= 4.5, where


def test_the_toggle_overrides_the_system(driver, report):
    show(driver, report("plain"), dark=True)
    paper = "return getComputedStyle(document.body).backgroundColor"
    dark = driver.execute_script(paper)
    click(driver, "#theme")
    assert driver.execute_script(paper) == "rgb(255, 255, 255)"
    click(driver, "#theme")
    assert driver.execute_script(paper) == dark


def test_sorting_puts_undefined_last(driver, report, made):
    show(driver, report("plain"))
    heads = driver.execute_script(
        "return [...document.querySelectorAll('#table-folds th')].map((h) => h.textContent.trim())"
    )
    at = heads.index("AUC")
    auc = f"#table-folds th:nth-child({at + 1}) button"
    click(driver, auc)  # numbers: largest first
    values = column(driver, "folds", at)
    numbers = [float(v) for v in values if v != "—"]
    assert numbers == sorted(numbers, reverse=True)
    assert values[len(numbers) :] == ["—"] * (50 - len(numbers)) != []
    click(driver, auc)
    values = column(driver, "folds", at)
    assert [float(v) for v in values[: len(numbers)]] == sorted(numbers)
    assert set(values[len(numbers) :]) == {"—"}
    state = "return document.querySelectorAll('#table-folds [aria-sort=ascending]').length"
    assert driver.execute_script(state) == 1
    click(driver, "#table-features th:nth-child(2) button")  # names: A to Z
    names = column(driver, "features", 1)
    assert names == sorted(names)


def test_search_finds_features_and_their_near_duplicates(driver, report, made):
    features = made.make_result()["features"]
    wanted = features[7]["name"]
    expected = [
        f["name"]
        for f in features
        if f["name"] == wanted or wanted in [g["name"] for g in f["group"]]
    ]
    show(driver, report("plain"))
    box = driver.find_element("css selector", "input[data-search=features]")
    box.send_keys(wanted.lower())
    assert column(driver, "features", 1) == expected
    found = driver.find_element("css selector", "[data-found=features]").text
    assert found == f"{len(expected)} of 100"
    box.clear()
    box.send_keys(" ")
    assert len(column(driver, "features", 1)) == 100


def test_download_holds_the_numbers(driver, report, made):
    """What the page hands to the browser to keep."""
    show(driver, report("hostile"))
    driver.execute_script(
        "const make = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { window.blob = blob; return make(blob) };"
        "HTMLAnchorElement.prototype.click = function () {"
        " window.blob.text().then((text) => { window.kept = [this.download, this.protocol, text] })"
        "}"
    )
    click(driver, "button[data-download=features]")
    name, protocol, text = until(lambda: driver.execute_script("return window.kept"))
    assert (name, protocol) == ("features.tsv", "blob:")
    lines = text.splitlines()
    result = made.make_result(hostile=True, classes=4, methods=12)
    head = lines[0].split("\t")
    assert len(lines) == 101
    assert {len(line.split("\t")) for line in lines} == {len(head)}
    rows = [dict(zip(head, line.split("\t"), strict=True)) for line in lines[1:]]
    assert [float(r["frequency"]) for r in rows] == [f["frequency"] for f in result["features"]]
    assert rows[0]["feature"] == made.HOSTILE[0]
    assert rows[13]["feature"] == "tab here and a new line"


@pytest.mark.slow  # whether a headless browser writes the file is not in the page's hands
def test_download_arrives_as_a_file(driver, report, tmp_path):
    driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    show(driver, report("plain"))
    click(driver, "button[data-download=features]")
    target = tmp_path / "features.tsv"
    assert until(target.exists), list(tmp_path.iterdir())
    assert len(target.read_text(encoding="utf-8").splitlines()) == 101


@pytest.mark.parametrize("allowed", [True, False])
def test_copy(driver, report, made, allowed):
    show(driver, report("plain"))
    driver.execute_cdp_cmd(
        "Browser.grantPermissions" if allowed else "Browser.resetPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]} if allowed else {},
    )
    if not allowed:  # the old command, where the page may not use the clipboard
        driver.execute_script(
            "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
            "document.execCommand = (name) => {"
            " window.copied = document.activeElement.value; return name === 'copy' }"
        )
    driver.execute_script("document.querySelector('#final-names').closest('details').open = true")
    driver.find_element("css selector", "button[data-copy=final-names]").click()
    read = (
        "arguments[0](window.copied)"
        if not allowed
        else ("navigator.clipboard.readText().then(arguments[0])")
    )
    button = driver.find_element("css selector", "button[data-copy=final-names]")
    assert until(lambda: button.text == "Copied")
    text = driver.execute_async_script(read)
    assert text.splitlines() == made.make_result()["final"]["features"]


def test_a_ticked_method_comes_forward_in_every_chart(driver, report):
    show(driver, report("plain"))
    click(driver, "input[data-series='2']")
    count = (
        "return [...document.querySelectorAll('#curve-charts .chart')]"
        ".filter((c) => c.querySelector('.thin.on.s2')).length"
    )
    assert driver.execute_script(count) == 3
    click(driver, "input[data-series='2']")
    assert driver.execute_script(count) == 0


def test_by_keyboard(driver, report):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    show(driver, report("plain"))
    press = ActionChains(driver)
    press.send_keys(Keys.TAB).perform()
    assert driver.switch_to.active_element.text == "Skip to the answer"
    driver.execute_script("document.querySelector('#table-methods th:nth-child(2) button').focus()")
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    ActionChains(driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    ActionChains(driver).send_keys(Keys.TAB).perform()
    assert driver.execute_script(outline) == "solid"
    ActionChains(driver).send_keys(Keys.ENTER).perform()
    state = "return document.activeElement.parentNode.getAttribute('aria-sort')"
    assert driver.execute_script(state) == "descending"
    reachable = driver.execute_script(
        "return [...document.querySelectorAll('.scroll')].every((e) => e.tabIndex === 0)"
    )
    assert reachable


def test_a_features_name_leads_to_its_details(driver, report, made):
    show(driver, report("plain"))
    feature = made.make_result()["features"][2]
    click(driver, "#table-features a[href='#feature-3']")
    state = "return [...document.querySelectorAll('.feature[open]')].map((d) => d.id)"
    assert until(lambda: driver.execute_script(state)) == ["feature-3"]
    shown = driver.find_element("css selector", "#feature-3")
    assert shown.find_element("css selector", "svg.distribution").is_displayed()
    assert feature["name"] in shown.text
    assert "On all samples" in shown.text
    high = (
        "const t = document.querySelector('#feature-3').getBoundingClientRect().top;"
        " return t >= -1 && t < 400"
    )
    assert until(lambda: driver.execute_script(high))


@pytest.mark.parametrize("dark", [False, True])
def test_a_wide_table_says_that_it_scrolls(driver, report, dark):
    show(driver, report("plain"), 390, dark)
    edges = (
        "const e = document.querySelector('#table-methods').closest('.edge');"
        "return ['::before', '::after'].map((side) => getComputedStyle(e, side).opacity)"
    )
    assert until(lambda: driver.execute_script(edges) == ["0", "1"])
    note = driver.find_element("css selector", "#methods .sideways")
    assert note.is_displayed()
    driver.execute_script(
        "document.querySelector('#table-methods').closest('.scroll').scrollLeft = 1e5"
    )
    assert until(lambda: driver.execute_script(edges) == ["1", "0"])
    narrow = driver.find_element("css selector", "#folds .sideways")
    assert not narrow.is_displayed()  # folded, and not too wide


@pytest.mark.parametrize("variant", ["plain", "hostile"])
def test_print(driver, report, variant):
    show(driver, report(variant), width=688, dark=True, media="print")  # A4 less its margins
    # what is folded stays off the paper, but for warnings
    assert driver.execute_script(
        "return [...document.querySelectorAll('.fold, .each, .feature')].every(d =>"
        " !d.open && !d.getClientRects().length)"
    )
    assert driver.execute_script(
        "return [...document.querySelectorAll('.warnings summary')].every(s =>"
        " s.scrollWidth <= s.clientWidth)"
    )
    assert driver.execute_script(
        "return [...document.querySelectorAll('button:not(.sort), nav, input')]"
        ".every((e) => !e.getClientRects().length)"
    )
    style = driver.execute_script(
        "const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]"
    )
    assert style == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    cut = driver.execute_script(
        "return [...document.querySelectorAll('table')].filter((t) =>"
        " t.getBoundingClientRect().right > document.documentElement.clientWidth + 1)"
        ".map((t) => t.id + ' ' + t.getBoundingClientRect().right)"
    )
    assert cut == []


def test_without_script_the_page_is_whole(driver, report):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(driver, report("plain"))
        buttons = driver.find_elements("css selector", "button")
        assert not any(button.is_displayed() for button in buttons)
        assert len(driver.find_elements("css selector", "#table-features tbody tr")) == 100
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
