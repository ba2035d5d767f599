"""What is asked of result folders that may be wrong."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from fuzz.result_files import DATA, PLAN, SEARCHES
from fuzz.spoiled_results import SPOILED, finished
from tamis.discovery import find_interactions, open_interactions
from tamis.report import write_comparison, write_interactions, write_report
from tamis.study import open_study
from tamis.study.results.compare import compare_studies
from tamis.study.run import begin_study


def warm() -> None:
    """Everything once, of what is whole."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in finished().items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, name).write_bytes(content)
        for name in SPOILED:
            ask(Path(folder, name))


def _study(folder: Path) -> None:
    found = open_study(folder)
    assert found.summary()
    repr(found), found.warnings, found.features
    found.frame()
    json.dumps(found.to_dict(), allow_nan=False)
    write_report(found.to_dict(), folder)
    _compared(folder)


def _compared(folder: Path) -> None:
    found = compare_studies([folder, folder.parent / "other"])
    assert found.summary()
    write_comparison(found.to_dict(), folder / "comparison.html")


def _search(folder: Path) -> None:
    found = open_interactions(folder)
    assert found.summary()
    repr(found)
    write_interactions(found.to_dict(), folder / "page.html")


def _resumed_study(folder: Path) -> None:
    begin_study(DATA, PLAN, folder, if_exists="resume")


def _resumed_search(folder: Path) -> None:
    method = folder.name
    find_interactions(DATA, folder, method=method, if_exists="resume", **SEARCHES[method])


ASKED: dict[str, Callable[[Path], None]] = {
    "results.json": _study,
    "plan.json": _resumed_study,
    "data.json": _resumed_study,
    "interactions.json": _search,
    "settings.json": _resumed_search,
}


def ask(path: Path) -> None:
    """Whatever reads the file.

    Raises
    ------
    TamisError
        It is wrong.
    """
    if path.name == "predictions.tsv":
        _compared(path.parent.parent)
    else:
        ASKED[path.name](path.parent)
