"""Pages as the package writes them, for the gallery: `python docs/site/make_reports.py FOLDER`."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from tamis.data import load_golub, make_mcfs_toy
from tamis.discovery import find_interactions
from tamis.look import look_at
from tamis.report import write_evaluation_page
from tamis.study import compare_studies, run_study

FAST = {"outer": {"folds": 5}, "inner": {"folds": 5, "repeats": 1}, "permutations": 19}


@dataclass(frozen=True)
class Report:
    """A page: what it is called, what it shows, and what writes it, in a folder of its own."""

    title: str
    text: str
    write: Callable[[Path, Path], object]


def normal_table(n: int, p: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    names = [f"G{j:04d}" for j in range(1, p + 1)]
    samples = [f"S{i:03d}" for i in range(1, n + 1)]
    return pd.DataFrame(rng.normal(8, 1, (n, p)), samples, names).round(3)


def with_batches() -> pd.DataFrame:
    """Counts of two runs, which go with the class; patients measured twice; missing values."""
    rng = np.random.default_rng(5)
    table = normal_table(48, 400, 5)
    table.iloc[24:] += rng.normal(0, 0.8, 400)  # the second run
    table.iloc[1::4] = table.iloc[0::4].to_numpy() + rng.normal(0, 0.1, (12, 400))
    table = (2**table).round(1)
    table.iloc[:18, :40] = table.iloc[:18, :40].mask(rng.random((18, 40)) < 0.3)
    table["run"] = np.repeat(["first", "second"], 24)
    table["state"] = np.repeat(["ill", "well", "ill", "well"], [18, 6, 8, 16])
    return table


def demo(page: Path, folder: Path) -> None:
    run_study(load_golub(), None, folder, n_jobs=2).write_report(page)


def six_classes(page: Path, folder: Path) -> None:
    table = normal_table(120, 800, 1)
    tissue = np.arange(120) % 6
    for k in range(6):
        table.iloc[tissue == k, 5 * k : 5 * k + 5] += 1.2
    state = np.array(["brain", "colon", "kidney", "liver", "lung", "skin"])[tissue]
    plan = FAST | {"method": [{"select": "moderated_t", "sizes": [5, 10, 20, 50]}]}
    run_study(table, plan, folder, target=state, name="tissues", n_jobs=2).write_report(page)


def warned(page: Path, folder: Path) -> None:
    result = run_study(
        with_batches(), FAST, folder, target="state", batch="run", name="two runs", n_jobs=2
    )
    result.write_report(page)


def nothing_found(page: Path, folder: Path) -> None:
    state = np.repeat(["ill", "well"], 40)
    found = find_interactions(
        normal_table(80, 60, 3), folder, target=state, method="pairs", n_permutations=99
    )
    found.write_report(page)


def networks(page: Path, folder: Path) -> None:
    found = find_interactions(make_mcfs_toy(60), folder, method="mcfs", n_permutations=19, s=100)
    found.write_report(page)


def look(page: Path, folder: Path) -> None:
    look_at(with_batches(), "state", batch="run", name="two runs").write_report(page)


def validated(page: Path, folder: Path) -> None:
    """100 samples to learn from, 120 of another hospital, where values are higher."""
    table = normal_table(220, 500, 7)
    state = np.where(np.arange(220) % 2, "ill", "well")
    table.iloc[np.flatnonzero(state == "ill"), :10] += 0.8
    table.iloc[100:] += 0.3
    model = run_study(table[:100], FAST, folder, target=state[:100], name="first", n_jobs=2).model
    found = model.evaluate(table[100:], state[100:], name="second hospital")
    write_evaluation_page(found, page)


def two_plans(page: Path, folder: Path) -> None:
    table = normal_table(90, 500, 3)
    table.iloc[:45, :5] += 1
    state = np.repeat(["ill", "well"], 45)
    folders = []
    for name, sizes in (("few", [5]), ("many", [200])):
        plan = FAST | {"method": [{"select": "moderated_t", "sizes": sizes}]}
        folders.append(folder / name)
        run_study(table, plan, folders[-1], target=state, name="cohort", n_jobs=2)
    compare_studies(folders).write_report(page)


REPORTS = {
    "demo": Report(
        "The demo",
        "What `tamis demo` writes: the default study of 38 leukaemias with 3,051 genes.",
        demo,
    ),
    "six_classes": Report(
        "Six classes",
        "A simulated study of 120 samples in six classes, each with five genes of its own.",
        six_classes,
    ),
    "warned": Report(
        "A study with warnings",
        "Raw intensities of two runs that go with the class, patients that were measured twice, "
        "missing values. The warnings stand first.",
        warned,
    ),
    "validated": Report(
        "An external validation",
        "A model judged on 120 samples of another hospital, whose values are higher.",
        validated,
    ),
    "look": Report(
        "A look before any study", "The same table, before a study: nothing is estimated.", look
    ),
    "networks": Report(
        "Interactions that were found",
        "Monte Carlo feature selection on simulated data of three classes.",
        networks,
    ),
    "nothing_found": Report(
        "An interaction search without a finding",
        "All pairs of 60 features of noise: permuted labels give better ones.",
        nothing_found,
    ),
    "two_plans": Report(
        "Two plans compared",
        "Five features or 200, in the same outer folds, with a paired test.",
        two_plans,
    ),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, report in REPORTS.items():
        start = time.perf_counter()
        files = folder.absolute() / "files" / name  # which the page links to
        shutil.rmtree(files, ignore_errors=True)
        report.write(folder.absolute() / f"{name}.html", files)
        shutil.rmtree(files / "cells", ignore_errors=True)
        print(f"{name}.html: {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
