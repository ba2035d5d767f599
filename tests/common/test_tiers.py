"""The tiers: what runs when, kernels that are plain Python, tables that were measured."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

from common import tiers
from common.compiled import listed_kernels, read_types, types_text
from common.examples import settings
from common.tiers import (
    COSTS,
    MOST,
    MOST_SECONDS,
    TIERS,
    costs,
    family_of,
    file_runs,
    full_items,
    runs,
    spread,
)
from tamis._core.registry import find_row
from tamis._core.rows import ClassifierRow

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("marks", "tiers"),
    [((), "quick full"), (("longer",), "full"), (("slow",), "slow"), (("slow", "longer"), "slow")],
)
def test_a_mark_says_which_tiers_run_a_test(marks, tiers):
    assert [tier for tier in TIERS if runs((*marks, "shared"), tier)] == tiers.split()


@pytest.mark.parametrize(
    ("text", "tiers"),
    [
        ("", "quick full"),
        ("pytestmark = pytest.mark.shared", "quick full"),
        ("pytestmark = pytest.mark.longer  # files", "full"),
        ("pytestmark = [pytest.mark.browser, pytest.mark.longer]", "full"),
        ("pytestmark = [\n    pytest.mark.longer,\n]\nx = [pytest.mark.slow]", "full slow"),
        ("pytestmark = pytest.mark.slow", "slow"),
        ("@pytest.mark.longer\ndef test_one(): ...", "quick full"),
        ("@pytest.mark.slow\ndef test_one(): ...", "quick full slow"),
    ],
)
def test_a_file_of_another_tier_is_known_by_its_text(tmp_path, text, tiers):
    path = tmp_path / "test_it.py"
    path.write_text(f"import pytest\n\n{text}\n")
    assert [tier for tier in TIERS if file_runs(path, tier)] == tiers.split()


def test_a_parametrised_test_keeps_its_ends_and_some_between():
    assert spread([[k] for k in range(MOST)]) == list(range(MOST))
    assert spread([[k] for k in range(101)]) == [0, 20, 40, 60, 80, 100]
    assert spread([[]]) == [0]


def test_of_rows_the_first_of_each_family_is_kept():
    rows = ["lda", "moderated_t", "pam", "welch_t", "logistic", "pearson", "knn"]
    assert [rows[k] for k in spread([[name, k] for k, name in enumerate(rows)])] == [
        "lda",
        "moderated_t",
        "pam",
    ]
    assert family_of(find_row("lda", ClassifierRow)) == "ClassifierRow"
    assert family_of((3, "pam")) == "PathRow"
    assert family_of("lda and more") == family_of(3) == ""


@pytest.mark.parametrize(
    ("seconds", "count", "kept"),
    [
        (0.4, 3, [0, 1, 2]),
        (1.8, 1, [0]),
        (1.9, 1, []),
        (3.7, 2, []),
        (3.5, 2, [0]),
        (4.0, 12, [0]),
        (4.0, 20, [0, 19]),
        (10.0, 100, [0, 33, 66, 99]),
    ],
)
def test_a_dear_function_has_the_items_that_fit(monkeypatch, seconds, count, kept):
    monkeypatch.setattr(tiers, "costs", lambda: {"tests/a.py::test_a": seconds})
    assert full_items("tests/a.py::test_a", count) == kept
    assert full_items("tests/a.py::test_b", count) == list(range(count))


@pytest.mark.slow  # it collects all tests twice
def test_what_the_full_tier_leaves_out_is_slow():
    """Of a function over the limit, by its items in both tiers; one marked `full` keeps all."""
    dearest = max(
        (test for test in costs() if test.startswith("tests/selection/")), key=costs().__getitem__
    )
    assert costs()[dearest] > MOST_SECONDS
    file = ROOT / dearest.split("::")[0]
    assert file_runs(file, "slow")
    of = {}
    for tier in ("full", "slow"):
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "--collect-only", "--tier", tier]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
        lines = done.stdout.splitlines()
        of[tier] = {line for line in lines if line.split("[")[0] == dearest}
    assert not of["full"] & of["slow"]
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "--collect-only", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    every = {line for line in done.stdout.splitlines() if line.split("[")[0] == dearest}
    assert of["full"] | of["slow"] == every


def test_a_property_takes_the_share_of_its_examples_that_the_tier_has():
    share = hypothesis.settings.default.max_examples / 100
    assert settings(max_examples=200).max_examples == 200 * share
    assert settings(max_examples=4).max_examples == 4
    assert settings(max_examples=30).max_examples == round(max(5, 30 * share))


PLAIN_KERNELS = """
import importlib, pkgutil, types
import tamis.kernels
from common.plain import PLAIN, import_plain
import_plain()
found = pkgutil.walk_packages(tamis.kernels.__path__, "tamis.kernels.")
for module in (importlib.import_module(one.name) for one in found if not one.ispkg):
    plain = PLAIN.fullmatch(module.__name__)
    for one in vars(module).values():
        compiled = hasattr(one, "py_func") and one.py_func.__module__ == module.__name__
        assert not (plain and compiled), one
        uncompiled = isinstance(one, types.FunctionType) and PLAIN.fullmatch(one.__module__)
        assert plain or not uncompiled, (module, one)
print(sum(bool(PLAIN.fullmatch(one.name)) for one in pkgutil.walk_packages(
    tamis.kernels.__path__, "tamis.kernels.")))
"""


def test_kernels_that_quick_tests_run_plain_are_and_no_compiled_one_calls_them():
    """A compiled kernel cannot call an uncompiled one."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN_KERNELS],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=300,
    )
    assert (done.stdout, done.stderr) == ("7\n", "")


def test_every_kernel_that_is_listed_is_there():
    for module, lines in listed_kernels().items():
        for _, name, types in lines:
            assert hasattr(importlib.import_module(module), name), f"just measure: {name}"
            assert types_text(read_types(types)) == types
    assert listed_kernels()


def test_every_test_that_is_listed_as_dear_is_there():
    for line in COSTS.read_text(encoding="utf-8").splitlines():
        file, function = line.split("\t")[1].split("::")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), "just measure"


@pytest.mark.longer
@pytest.mark.parametrize(
    ("words", "tier"), [([], "full"), (["--tier", "quick"], "quick"), (["--tier", "slow"], "slow")]
)
def test_a_file_that_is_named_runs_its_full_tier(words, tier):
    command = [sys.executable, "-m", "pytest", "-n0", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *words, "tests/kernels/test_medians.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert f"tier: {tier} " in done.stdout


@pytest.mark.longer
def test_the_quick_tier_tests_plain_kernels_and_leaves_the_longer_tests_out():
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [
            *command,
            "-rA",
            "--tier",
            "quick",
            "tests/kernels/test_adaboost.py",
            "tests/kernels/test_cache.py",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    assert "test_the_hash_is_of_names_and_contents" in done.stdout
    assert "test_an_edited_callee" not in done.stdout  # marked longer
    assert "test_votes_are_those" in done.stdout
