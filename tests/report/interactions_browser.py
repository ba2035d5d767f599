"""What the tests of the page of `tamis interact` in Chromium share."""

from __future__ import annotations

from report import interactions_fixture as made
from report import sets_fixture as sets
from report import test_browser as common

__all__ = ["KINDS", "MAIN", "SETS", "common", "made", "nodes", "panel", "places", "sets"]

KINDS = {
    "plain": {},
    "hostile": {"hostile": True, "kept": 8},
    "none": {"kept": 0},
    "bare": {"n": 0, "e": 0, "rules": 0, "kept": 0, "cutoff": None},
    "one": {"n": 1, "e": 0, "rules": 1, "kept": 1},
    "big": {"n": 200, "e": 1000, "rules": 300, "classes": ("a", "b", "c", "d"), "kept": 30},
}
SETS = {
    "sets": {},
    "hostile sets": {"hostile": True, "classes": made.HOSTILE[:3]},
    "no sets": {"n": 0, "passing": 0},
    "long sets": {"largest": 60, "features": 250, "n": 100},
    "pairs": {"largest": 2, "noun": "pair", "n": 300, "features": 120, "tested": False},
}
MAIN = "[data-graph=main]"


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
