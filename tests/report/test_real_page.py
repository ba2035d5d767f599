"""The page of a real study, opened in a browser. TAMIS_PAGE names another page to open."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from common.studies import QUICK, make_data
from tamis.report import write_report
from tamis.study import run_study

from .test_browser import show


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    if "TAMIS_PAGE" in os.environ:
        return Path(os.environ["TAMIS_PAGE"])
    folder = tmp_path_factory.mktemp("study") / "s"
    data = make_data(classes=("ill", "well", "<i>other</i>"), n=45)
    names = tuple(f"<script>window.live = {j}</script>" for j in range(data.shape[1]))
    result = run_study(replace(data, feature_names=names), QUICK, folder)
    return write_report(result.to_dict(), folder)


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1280])
def test_a_real_page_is_sound(driver, page, width):
    driver.get_log("browser")
    show(driver, page, width)
    ask = driver.execute_script
    assert ask("return document.documentElement.scrollWidth") <= width
    assert ask("return performance.getEntriesByType('resource').length") == 0
    assert ask("return document.querySelectorAll('svg').length") > 5
    assert ask("return typeof window.live") == "undefined"
    assert [e for e in driver.get_log("browser") if e["level"] == "SEVERE"] == []


@pytest.mark.browser
@pytest.mark.parametrize(("width", "most"), [(390, 8200), (1280, 5100)])  # wider fonts: 2 %
def test_a_real_page_is_not_long_before_anything_is_opened(driver, page, width, most):
    if "TAMIS_PAGE" not in os.environ:
        pytest.skip("the page here has names of 35 characters; CI opens that of the demo")
    show(driver, page, width)
    assert driver.execute_script("return document.documentElement.scrollHeight") <= most


def test_a_real_page_is_small_and_whole(page):
    text = page.read_text(encoding="utf-8")
    assert len(text) < 2_000_000
    assert text.rstrip().endswith("</html>")
