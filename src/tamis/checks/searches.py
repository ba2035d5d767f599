"""The common tests of a search on all samples: what every search has to keep, on made-up tables."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from .._core.checked_json import checked_value, parsed_json
from .._core.errors import PlanError, StoreError, shorten_text
from .._core.fields import text_of_field
from .._core.rows import SearchRow
from .._core.streams import generator
from ..data.dataset import Dataset
from ..discovery import Interactions, find_interactions
from ..discovery.folder import RESULT_NAME
from ..discovery.set_result import set_words
from .roles import row_in_registry
from .verdict import Check, Fault, Outcome, Report, Verdict, error_words, waiting_words

# of the test that most checks make: the fewest permuted runs for the level
TEST_LEVEL, N_PERMUTATIONS = 0.25, 3
# the features that separate the classes, together
FIRST_FEATURE, SECOND_FEATURE = "first", "second"
PLANTED_PROBABILITIES = {  # probabilities of (1, 1), (1, 0), (0, 1), (0, 0)
    "case": (0.6, 0.06, 0.02, 0.32),
    "control": (0.06, 0.24, 0.6, 0.1),
}
MIN_NOISE_P = 0.001  # probability of more hits on noise than are let pass
TIES_ADVICE = "comes later in the table and is as good: sort with kind='stable'"
HOSTILE_NAMES = (
    "=1+1",
    "a,b;c\t'd'",
    "<b>&amp;</b>",
    '"quoted"',
    "NA",
    "ü – 水",
    "{{ 7*7 }}",
    "../../etc",
)


@dataclass(frozen=True)
class Trial:
    """The search under check.

    Attributes
    ----------
    row : SearchRow
    """

    row: SearchRow

    def find(self, data: Dataset, folder: Path, **more: Any) -> Interactions:
        """One search under the row's quick settings, with few permuted runs."""
        few = {"level": TEST_LEVEL, "n_permutations": N_PERMUTATIONS}
        mine = self.row.settings
        given = {**{name: v for name, v in few.items() if name in mine}, **self.row.quick, **more}
        return find_interactions(data, folder, method=self.row.name, **given)

    def found(self, data: Dataset, **more: Any) -> SearchOutput:
        """What one search gives; its folder is gone."""
        with TemporaryDirectory() as folder:
            found = self.find(data, Path(folder) / "o", **more)
            with open(found.folder / "features.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            return SearchOutput(found.to_dict(), rows)

    def files(self, data: Dataset, **more: Any) -> dict[str, bytes]:
        """Every file of a search."""
        with TemporaryDirectory() as folder:
            made = self.find(data, Path(folder) / "o", **more).folder
            return {path.name: path.read_bytes() for path in sorted(made.iterdir())}


@dataclass(frozen=True)
class SearchOutput:
    """The dictionary of a search, and the rows of its features.csv."""

    content: dict[str, Any]
    rows: list[dict[str, str]]

    @property
    def names(self) -> list[str]:
        """Features, best first."""
        return [text_of_field(row["name"]) for row in self.rows]

    @property
    def kept(self) -> list[str]:
        """Those that pass."""
        return [n for n, row in zip(self.names, self.rows, strict=True) if row["kept"] == "yes"]


def planted_table(n: int = 200, *, seed: int = 0, categories: bool = False) -> Dataset:
    """Two features that separate the classes together, among six that say nothing.

    Of those two the first has three levels as a category, the middle one of which counts. The
    others are two of zeros and ones, two categories and two numbers.
    """
    rng = generator(seed, "a search under check")
    y = np.array(["control", "case"])[np.arange(n) % 2]
    cell = np.array([rng.choice(4, p=PLANTED_PROBABILITIES[label]) for label in y])
    first, second = np.isin(cell, (0, 1)).astype(float), np.isin(cell, (0, 2)).astype(float)
    levels: dict[int, tuple[str, ...]] = {3: ("x", "y", "z"), 5: ("no", "yes")}
    if categories:
        first = np.where(first == 1, 1.0, 2.0 * rng.integers(0, 2, n))
        levels |= {2: ("low", "middle", "high"), 6: ("off", "on")}
    X = np.column_stack(
        [
            rng.integers(0, 2, n),
            rng.normal(size=n),
            first,
            rng.integers(0, 3, n),
            rng.normal(size=n),
            rng.integers(0, 2, n),
            second,
            rng.integers(0, 2, n),
        ]
    ).astype(float)
    names = ("zero", "number", FIRST_FEATURE, "colour", "height", "answer", SECOND_FEATURE, "one")
    return Dataset(X, y, names, levels=levels, name="planted", classes=("control", "case"))


def with_gaps(data: Dataset, share: float = 0.05) -> Dataset:
    """The same with so many values missing."""
    X = data.matrix.copy()
    X[generator(0, "gaps of a search under check").random(X.shape) < share] = np.nan
    return replace(data, X=X)


def shuffled_classes(data: Dataset, seed: int) -> Dataset:
    """The same with classes that have nothing to do with the features."""
    assert data.y is not None
    return replace(data, y=generator(seed, "noise for a search").permutation(data.y))


def check_result(trial: Trial) -> None:
    """The files are there, of their types, and name every feature once."""
    search, data = trial.row.load(), planted_table(categories=True)
    with TemporaryDirectory() as folder:
        found = trial.find(data, Path(folder) / "o")
        written = parsed_json((found.folder / RESULT_NAME).read_text(encoding="utf-8"))
        checked_value(written, search.content, Path(RESULT_NAME))
        if written != found.to_dict():
            raise Fault(
                f"{RESULT_NAME} does not hold what the search gave: give plain numbers and text"
            )
        lacking = [name for name in search.tables if not (found.folder / name).is_file()]
        if lacking:
            raise Fault(f"it did not write {lacking[0]!r}, which its tables name")
        if sorted(found.frame()["name"]) != sorted(data.feature_names):
            raise Fault("features.csv does not have every feature once: list those not found, too")
        if not found.summary().strip():
            raise Fault("its summary is empty")


def check_settings(trial: Trial) -> None:
    """What was set is written down; other settings are no resumption; bad ones are refused."""
    data, search = planted_table(), trial.row.load()
    lacking = {"level", "n_permutations"} - set(search.defaults)
    if lacking:
        raise Fault(f"it has no setting {min(lacking)!r}: take LEVEL and PERMUTATIONS")
    with TemporaryDirectory() as folder:
        place = Path(folder) / "o"
        trial.find(data, place)
        given = json.loads((place / "settings.json").read_text(encoding="utf-8"))["settings"]
        lacking = search.defaults.keys() - given.keys()
        if lacking:
            raise Fault(f"settings.json lacks {min(lacking)!r}")
        before = {path.name: path.read_bytes() for path in place.iterdir()}
        trial.find(data, place, if_exists="resume")
        if before != {path.name: path.read_bytes() for path in place.iterdir()}:
            raise Fault("resumed with the same settings it has other files")
        try:
            trial.find(data, place, if_exists="resume", n_permutations=N_PERMUTATIONS + 1)
        except StoreError:
            pass
        else:
            raise Fault("resumed with other settings it goes on: do not change task.settings")
    with TemporaryDirectory() as folder:
        try:
            trial.find(data, Path(folder) / "o", level=2.0)
        except PlanError:
            return
    raise Fault("it takes level=2: give its settings bounds, as LEVEL has them")


def check_planted(trial: Trial, data: Dataset | None = None, what: str = "") -> None:
    """Two features that separate the classes together are the first two, and kept."""
    found = trial.found(planted_table() if data is None else data)
    best = found.names[:2]
    if set(best) != {FIRST_FEATURE, SECOND_FEATURE}:
        raise Fault(
            f"two features that separate the classes together{what} are not the first of those "
            f"that it finds, which are {shorten_text(', '.join(best))}"
        )
    if not {FIRST_FEATURE, SECOND_FEATURE} <= set(found.kept):
        raise Fault(f"two features that separate the classes together{what} pass no test")


def check_categories(trial: Trial) -> None:
    """They are found as categories, too, one level of three among them."""
    check_planted(trial, planted_table(categories=True), " as categories")


def check_gaps(trial: Trial) -> None:
    """And with missing values."""
    check_planted(trial, with_gaps(planted_table()), " where values are missing")


def check_classes(trial: Trial) -> None:
    """Other classes, other numbers."""
    data = planted_table()
    first, second = trial.found(data), trial.found(shuffled_classes(data, 1))
    if first.content == second.content:
        raise Fault("with the classes shuffled it finds the same: it does not look at the classes")


def check_twins(trial: Trial) -> None:
    """Rows and columns that are there twice; equal features keep the order of the table."""
    data = planted_table(80)
    assert data.y is not None
    p = data.shape[1]
    wide = replace(
        data,
        X=np.hstack([data.matrix, data.matrix]),
        name="wide",
        feature_names=(*data.feature_names, *(f"{name} again" for name in data.feature_names)),
        levels={**data.levels, **{j + p: v for j, v in data.levels.items()}},
    )
    long = replace(
        data,
        X=np.vstack([data.matrix, data.matrix]),
        y=np.concatenate([data.y, data.y]),
        sample_names=(),
        name="long",
    )
    for table in (long, wide):
        place = {name: j for j, name in enumerate(table.feature_names)}
        found = trial.found(table)
        equals = pairwise(zip(found.names, found.rows, strict=True))
        for (name, one), (after, other) in equals:
            same = {**one, "name": ""} == {**other, "name": ""}
            if same and place[name] > place[after]:
                raise Fault(f"{after!r} stands behind {name!r}, which {TIES_ADVICE}")
        for one, other in pairwise(found.content.get("sets", {}).get("sets", ())):
            columns = [[place[part["feature"]] for part in at["parts"]] for at in (one, other)]
            same = (one["numbers"], one["label"]) == (other["numbers"], other["label"])
            if same and len(columns[0]) == len(columns[1]) and columns[0] > columns[1]:
                raise Fault(
                    f"{set_words(other)!r} stands behind {set_words(one)!r}, which {TIES_ADVICE}"
                )


def check_names(trial: Trial) -> None:
    """The features of a table of other names are the same."""
    data = planted_table()
    odd = dict(zip(data.feature_names, HOSTILE_NAMES, strict=False))
    renamed = replace(data, feature_names=tuple(odd[name] for name in data.feature_names))
    plain, hostile = trial.found(data), trial.found(renamed)
    if hostile.names != [odd[name] for name in plain.names]:
        raise Fault("with other names of the features it finds others: go by columns, not by names")
    graphs = [_graph_names(found) for found in (plain, hostile)]
    if [odd.get(name, name) for name in graphs[0]] != graphs[1]:
        raise Fault("with other names of the features its graph has others")


def _graph_names(found: SearchOutput) -> list[str]:
    return [feature["name"] for feature in found.content["graph"]["features"]]


def check_global_random(trial: Trial) -> None:
    """Two searches from different states of the global generators, which they leave alone."""
    kept = (np.random.get_state(), random.getstate())  # noqa: NPY002
    files, moved = [], False
    try:
        for seed in (1, 2):
            np.random.seed(seed)  # noqa: NPY002
            random.seed(seed)
            before = (str(np.random.get_state()), random.getstate())  # noqa: NPY002
            files.append(trial.files(planted_table()))
            moved |= before != (str(np.random.get_state()), random.getstate())  # noqa: NPY002
    finally:
        np.random.set_state(kept[0])  # noqa: NPY002
        random.setstate(kept[1])
    if files[0] != files[1] or moved:
        raise Fault(
            "it draws from the global random generator, so that a result depends on what ran "
            "before: draw from tamis._core.streams.generator(task.settings['seed'], ...)"
        )


def check_same_bytes(trial: Trial) -> None:
    """The same files for any number of threads, and a second time."""
    data = planted_table(categories=True)
    files = [trial.files(data, n_jobs=n_jobs) for n_jobs in (1, 2)]
    differing = [name for name in files[0] if files[0][name] != files[1].get(name)]
    if differing or len(files[0]) != len(files[1]):
        raise Fault(f"with two threads {min(differing or files[1])!r} is another: n_jobs matters")


def check_data(trial: Trial) -> None:
    """What it is given stays as it is."""
    data = with_gaps(planted_table(categories=True))
    before = data.matrix.tobytes()
    trial.found(data)
    if data.matrix.tobytes() != before:
        raise Fault("it changes the table that it is given: work on a copy")


def check_p_value(trial: Trial) -> None:
    """No p-value is below 1 in the permuted runs and the observed one."""
    for n in (N_PERMUTATIONS, N_PERMUTATIONS + 4):
        test = trial.found(planted_table(), n_permutations=n).content["permutation"]
        if test is None:
            raise Fault("it found something, and does not say how probable that is by chance")
        if test["n"] != n or not 1 / (n + 1) - 1e-12 <= test["p_value"] <= 1:
            raise Fault(
                f"p = {test['p_value']:g} with {n} permuted runs: the least is 1 / (runs + 1), see "
                "tamis.metrics.permuted_maxima.family_p_values"
            )


def check_level(trial: Trial, tables: int = 16) -> None:
    """On noise it finds something as often as the level says, and not far more often."""
    from scipy.stats import binom

    hits = 0
    for k in range(tables):
        found = trial.found(shuffled_classes(planted_table(48, seed=k), k), seed=k)
        test = found.content["permutation"]
        hits += bool(found.kept) or (test is not None and test["p_value"] <= TEST_LEVEL)
    most = int(binom.ppf(1 - MIN_NOISE_P, tables, TEST_LEVEL))
    if hits > most:
        raise Fault(
            f"of {tables} tables of noise it finds something in {hits} at level {TEST_LEVEL:g} "
            "(at most "
            f"{most} are luck): repeat the full search in every permuted run"
        )


CHECKS = (
    Check("result", "The result and its tables are complete and of their types.", check_result),
    Check("settings", "Settings are kept, checked, and distinguished by --resume.", check_settings,
          after=("result",)),
    Check("classes", "What it finds depends on the classes.", check_classes, after=("result",)),
    Check("planted", "Two features that separate the classes together are found.", check_planted,
          after=("classes",)),
    Check("categories", "They are found as categories, too.", check_categories,
          after=("planted",)),
    Check("gaps", "They are found where values are missing, too.", check_gaps, after=("planted",)),
    Check("names", "Features may have any names.", check_names, after=("result",)),
    Check("twins", "Rows and columns may be there twice; equals keep the order of the table.",
          check_twins, after=("planted", "names")),
    Check("data", "The table stays as it is.", check_data, after=("gaps",)),
    Check("global-random", "Nothing depends on the global random generators of NumPy and Python.",
          check_global_random, after=("result",)),
    Check("same-bytes", "The files are the same bytes for any number of threads.",
          check_same_bytes, after=("data", "global-random")),
    Check("p-value", "No p-value is less than permuted runs allow.", check_p_value,
          after=("settings",)),
    Check("chance", "On noise it finds something no more often than its level says.", check_level,
          after=("p-value",)),
)  # fmt: skip


def fault_of(check: Check, row: SearchRow) -> str:
    """What a check finds wrong with a search; empty where nothing."""
    try:
        with row_in_registry(row):
            check.run(Trial(row))
    except Fault as fault:
        return str(fault)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:  # whatever the search raises
        return f"it stops ({error_words(error)})"
    return ""


def check_search(row: SearchRow, advance: Callable[[str], None] = lambda code: None) -> Report:
    """What every check says of a search.

    Parameters
    ----------
    row : SearchRow
        Registered or not.
    advance : callable
        Called with the code of each check that is done.

    Examples
    --------
    >>> from tamis._core.registry import find_row
    >>> check_search(find_row("pairs", SearchRow)).failed
    []
    """
    verdicts: list[Verdict] = []
    not_passed: set[str] = set()  # codes of checks that failed, or wait for one that did
    for check in CHECKS:
        before = [code for code in check.after if code in not_passed]
        outcome: Outcome = "passed"
        if before:
            words, outcome = waiting_words(before), "not applicable"
        elif words := fault_of(check, row):
            outcome = "failed"
        if outcome != "passed":
            not_passed.add(check.code)
        verdicts.append(Verdict(check.code, check.asks, outcome, words))
        advance(check.code)
    return Report(row.name, row.role, tuple(verdicts))
