"""The tiers of the tests, and fixtures that all share.

`--tier` chooses what runs: quick (the default, for a person at work), full (all that must pass
before a change lands), slow (what takes minutes). What each leaves out is decided by marks, by what
a test was measured to cost, by Hypothesis' profile and by `spread` (`common/tiers.py`).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path
from types import FunctionType
from typing import Any

# Workers have a core each: threads of a library, which wait for each other busily, would share it.
if "PYTEST_XDIST_WORKER" in os.environ:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")

import pytest
from hypothesis import settings

from common.tiers import TIERS, dear_tests, families_of, file_runs, full_items, runs, spread

EXAMPLES = {"quick": 20, "full": 30, "slow": 100}  # of a property that asks for no number

# People explore; CI repeats the same examples. A busy machine is no failure.
for tier, examples in EXAMPLES.items():
    settings.register_profile(
        tier, deadline=None, max_examples=examples, derandomize=bool(os.environ.get("CI"))
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=TIERS, help="which tests run: quick; of named files full")


def pytest_configure(config: pytest.Config) -> None:
    """Where files or names are chosen, the tier is full; workers get what is decided here."""
    some = config.getoption("file_or_dir") or config.getoption("keyword")
    config.option.tier = config.getoption("tier") or ("full" if some else "quick")
    settings.load_profile(config.getoption("tier"))
    is_controller = config.getoption("numprocesses", 0) and not hasattr(config, "workerinput")
    if config.getoption("tier") == "quick" and not is_controller:
        from common.plain import import_plain

        import_plain()


def pytest_report_header(config: pytest.Config) -> str:
    return f"tier: {config.getoption('tier')} (of {', '.join(TIERS)}: --tier)"


@pytest.hookimpl(tryfirst=True)  # before workers start
def pytest_sessionstart(session: pytest.Session) -> None:
    """Where all tests are to run, the kernels that they use are compiled first."""
    config = session.config
    is_worker = hasattr(config, "workerinput")
    some = config.getoption("file_or_dir") or config.getoption("keyword")
    measures = config.getoption("measure", None)
    if not (is_worker or some or measures or config.option.collectonly):
        from common.compiled import compile_listed

        compile_listed(len(os.sched_getaffinity(0)), config.getoption("tier"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file whose tests are all of another tier is not imported."""
    is_test = collection_path.suffix == ".py" and collection_path.name.startswith("test_")
    return True if is_test and not file_runs(collection_path, config.getoption("tier")) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Without Python's collector of garbage: what is made here stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[pytest.Item] | None:
    """A test function of another tier is not made into items, which would only take memory; where
    files or names are given, pytest says that they are deselected."""
    config = collector.config
    tier = config.getoption("tier")
    some = config.getoption("file_or_dir") or config.getoption("keyword")
    if some or tier == "slow" or not (name.startswith("test_") and isinstance(obj, FunctionType)):
        return None
    marks = _marks(collector) | {mark.name for mark in getattr(obj, "pytestmark", ())}
    kept = runs(marks, tier) and not _is_dear(f"{collector.nodeid}::{name}", marks, tier)
    return None if kept else []


@pytest.hookimpl(trylast=True)  # after the hooks that mark
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tier, some = config.getoption("tier"), config.getoption("file_or_dir")
    kept = [item for item in items if runs(_marks(item), tier)]
    if tier == "quick":
        kept = _quick_items(kept)
    elif tier == "slow":
        kept += _dearest_items([item for item in items if runs(_marks(item), "full")])
    elif not (some or config.getoption("keyword") or config.getoption("measure", None)):
        others = set(_dearest_items(kept))
        kept = [item for item in kept if item not in others]
    ids = set(map(id, kept))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in ids])
    items[:] = kept


def _is_dear(function: str, marks: set[str], tier: str) -> bool:
    """Whether the quick tier leaves a function to the full one for what it costs."""
    return tier == "quick" and function in dear_tests() and not marks & {"quick", "every"}


def _marks(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()}


def _by_function(items: list[pytest.Item]) -> dict[str, list[pytest.Item]]:
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        found.setdefault(item.nodeid.split("[")[0], []).append(item)
    return found


def _dearest_items(items: list[pytest.Item]) -> list[pytest.Item]:
    """Items that the full tier leaves to the slow one; it has all rows of the registry."""
    found = []
    for function, those in _by_function(items).items():
        kept = set(full_items(function, len(those)))
        dear = len(kept) < len(those) and not _marks(those[0]) & {"full", "quick", "every"}
        if dear and not (len(those) > 1 and all(families_of(_values(those)))):
            found += [item for k, item in enumerate(those) if k not in kept]
    return found


def _values(items: list[pytest.Item]) -> list[list[Any]]:
    """Of the parameters of items."""
    return [list(item.callspec.params.values()) for item in items]


def _quick_items(items: list[pytest.Item]) -> list[pytest.Item]:
    kept = []
    for function, those in _by_function(items).items():
        marks = _marks(those[0])
        if _is_dear(function, marks, "quick"):
            continue
        if len(those) > 1 and "every" not in marks:
            those = [those[k] for k in spread(_values(those))]
        kept += those
    return kept


def shared_folder() -> Path | None:
    """The folder of real data sets, if this machine has it."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    for place in (os.environ.get("TAMIS_DATA"), beside):
        if place and (Path(place) / "expression").is_dir():
            return Path(place)
    return None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared real data sets; the test is skipped without them."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("needs the shared real data sets: set TAMIS_DATA to their folder")
    return folder
