"""The made-up results, written reports and a browser to open them in."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.report import write_interactions, write_report

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "costs": {"costs": "matrix", "rule": {"name": "f_beta", "parameters": {"most": 0.3}}},
    "four": {"classes": 4},
    "bare": {"bare": True},
    "hostile": {
        "hostile": True,
        "classes": 4,
        "methods": 12,
        "costs": "sizes",
        "rule": {"name": "coverage", "parameters": {"at": 0.8}, "score": "posterior"},
    },
    "wide": {"methods": 12, "folds": 100, "n_features": 60_000, "permutations": 1000},
}


@pytest.fixture(scope="session")
def made() -> Any:
    """The module that makes results."""
    from report import fixture

    return fixture


@pytest.fixture(scope="session")
def report(made: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The path of a variant's report, written on first use."""
    written: dict[str, Path] = {}

    def path(variant: str) -> Path:
        if variant not in written:
            folder = tmp_path_factory.mktemp(variant)
            written[variant] = write_report(made.make_result(**VARIANTS[variant]), folder)
        return written[variant]

    return path


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless Chromium; tests that ask for it are skipped where there is none."""
    browser = os.environ.get("TAMIS_CHROMIUM") or shutil.which("chromium")
    chromedriver = shutil.which("chromedriver")
    if not browser or not chromedriver:
        pytest.skip("needs Chromium (or TAMIS_CHROMIUM=<path>) and chromedriver on the path")
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(chromedriver))
    try:
        yield opened
    finally:
        opened.quit()


@pytest.fixture(scope="session")
def interaction_pages(tmp_path_factory):
    """kind -> (result, path)."""
    from report import interactions_browser as shared

    folder = tmp_path_factory.mktemp("interactions")
    kinds = {kind: dict(more) for kind, more in shared.KINDS.items()}
    kinds["hostile"]["classes"] = shared.made.HOSTILE[:3]
    results = {kind: shared.made.make(**more) for kind, more in kinds.items()}
    results |= {kind: shared.sets.make(**more) for kind, more in shared.SETS.items()}
    return {k: (r, write_interactions(r, folder / f"{k}.html")) for k, r in results.items()}


@pytest.fixture
def opened(driver, interaction_pages):
    """Opens a kind; gives its dictionary and a function that runs script in the page."""
    from report import interactions_browser as shared

    def show(kind="plain", **more):
        driver.get_log("browser")
        shared.common.show(driver, interaction_pages[kind][1], **more)
        driver.execute_script("document.querySelector('#graph').scrollIntoView()")
        time.sleep(0.15)
        return interaction_pages[kind][0], driver.execute_script

    return show
