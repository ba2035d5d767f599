"""irf: features that act together on the decision paths of forest after forest."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from .._core.errors import DataError, counted_noun, shorten_text
from .._core.files import write_json
from .._core.inside import MOST_TEXT
from .._core.parameters import MOST_RUNS
from .._core.progress import Progress
from .._core.streams import generator
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.sets.forest_interactions import ForestInteractions
from .folder import RUNS_NAME
from .interface import (
    BOOTSTRAPS_SETTING,
    BRANCH_SETTING,
    LEVEL_SETTING,
    MIN_SIZE,
    PERMUTATIONS_SETTING,
    TREES_SETTING,
    Setting,
    Task,
    settings_of,
)
from .schema import Measure, SetsResult
from .set_result import (
    DIFFERENCE_MEASURE,
    EDGE_NOTE,
    FAMILY_P,
    SetFindings,
    permuted_runs,
    set_result,
    set_search,
    sets_of_classes,
    tested_words,
)

# More trees and bootstrap samples than of the classifier: one fit to all rows, a study makes many.
FOREST_SETTINGS = settings_of(
    "tamis.interactions.sets.iterative_forest:IterativeForest",
    BRANCH_SETTING,
    Setting("depth", "Random paths that a leaf meets beside that of the root", ge=1, le=MOST_RUNS),
    Setting(
        "max_features",
        "Features that a split tries: a number, a share, sqrt, log2 or none",
        float,
        gt=0,
        words=("sqrt", "log2", None),
    ),
    MIN_SIZE,
    replace(BOOTSTRAPS_SETTING, default=20),
    Setting("n_estimators", "Trees of a forest", ge=1, le=MOST_RUNS, option="forest", default=200),
    Setting(
        "n_iterations",
        "Forests, each on the importances of the last",
        ge=1,
        le=MOST_RUNS,
        option="rounds",
    ),
    TREES_SETTING,
    Setting(
        "signed", "Tell high values of a feature from low ones", bool, option="signed/unsigned"
    ),
    Setting("stability", "Smallest share of bootstrap samples that give a set", float, gt=0, le=1),
)
Part = tuple[int, dict[int, str]]  # feature; what it is to be high (1), low (-1), or either (0)
ONE_FEATURE = "those found are of levels of a single feature"
MEASURES: list[Measure] = [
    {
        "key": "share",
        "title": "Share",
        "form": "share",
        "help": "of the decision paths to leaves of its class, those that hold the set",
    },
    {
        "key": "others",
        "title": "Others",
        "form": "share",
        "help": "the same of the other class where it is most",
    },
    DIFFERENCE_MEASURE,
    {
        "key": "stability",
        "title": "Stability",
        "form": "share",
        "help": "bootstrap samples on whose forest it was found; high in noise, too",
    },
    FAMILY_P,
]
READING_NOTES = [
    (
        "Set",
        "Features that are split on together on the way to leaves of a class, each high (above "
        "the threshold of a split) or low. None that is part of a larger one on half of its paths.",
    ),
    (
        "Difference",
        "The share of the paths of its class that hold a set, less that of the other "
        "class where it is most; paths are weighed by samples, in the last forest.",
    ),
    (
        "Stability",
        "How often a set is found on forests of samples drawn anew with replacement. The "
        "features' weights come from the same samples, so that sets of noise are stable as well.",
    ),
    (
        "Family p",
        "The share of forests, this one among them, whose best set stands out as far, "
        "with classes permuted. It says that the features have to do with the classes, not that "
        "they work together: features that each mark the class alone share paths, too. Where one "
        "feature is enough, trees need no second, paths are short, and p is large however plain "
        "the classes are.",
    ),
    EDGE_NOTE,
]


def check_settings(data: Dataset, columns: Summary, chosen: dict[str, Any]) -> None:
    """Refuse what no forest of these data can be grown with."""
    from ..interactions.sets.iterative_forest import tried_features

    most = np.maximum(np.abs(columns.low), np.abs(columns.high))
    if (most > np.finfo(np.float32).max).any():
        name = shorten_text(data.feature_names[int(np.nanargmax(most))])
        raise DataError(f"{name!r} holds {np.nanmax(most):.3g}: forests take numbers up to 3e38")
    tried_features(chosen["max_features"], data.shape[1])
    permuted_runs(chosen["level"], chosen["n_permutations"])


def find_sets_of_paths(task: Task) -> SetsResult:
    """Grow the forests, as the classes are and permuted; write the tables."""
    data, chosen = task.data, task.settings
    X, parts = _forest_columns(data)
    n = permuted_runs(chosen["level"], chosen["n_permutations"])
    maxima: list[float | None] = []
    with Progress(1 + n, "iterative forests", quiet=task.quiet) as progress:
        found, kept = _forest_interactions(task, X, parts, "observed")
        progress.advance()
        for k in range(n if len(kept) else 0):
            maxima.append(_permuted_maximum(task, X, parts, k))
            progress.advance()
    assert found.stability is not None  # forests always give it
    sets = sets_of_classes(
        found, kept, data.classes, data.feature_names, parts, stability=found.stability
    )
    said = (
        f"An iterative random forest: {counted_noun(chosen['n_iterations'], 'round')} of "
        f"{chosen['n_estimators']:,} trees, features drawn by the importance that they had in the "
        f"round before; then sets found on the paths of forests of "
        f"{counted_noun(chosen['n_bootstraps'], 'bootstrap sample')}, in "
        f"{chosen['stability']:.0%} of these or more."
    )
    signed = "a signed" if chosen["signed"] else "an"
    text = (
        f"Interactions were searched for with {signed} iterative random forest (Basu et al. 2018, "
        f"Kumbier et al. 2018) in {task.made_by}. {said}"
    ) + tested_words("difference in prevalence on decision paths", "set", len(maxima))
    return set_result(
        task,
        SetFindings(
            title=f"iterative forest, {chosen['n_iterations']} x {chosen['n_estimators']:,} trees",
            sets=sets,
            by="difference",
            measures=MEASURES,
            level=float(chosen["level"]),
            maxima=maxima,
            headline=[said] if len(kept) else [],
            empty=found.reason or ONE_FEATURE,
            remarks=found.notes,
            settings=[
                ("Rounds of forests", str(chosen["n_iterations"])),
                ("Trees of a forest", f"{chosen['n_estimators']:,}"),
                ("Intersection trees of a class", f"{chosen['n_trees']:,}"),
                ("Their depth", str(chosen["depth"])),
                ("Children of a node", f"{chosen['branch']:g}"),
                ("Least features of a set", str(chosen["min_size"])),
                ("Bootstrap samples", str(chosen["n_bootstraps"])),
                ("Least stability", f"{chosen['stability']:g}"),
                ("Features a split tries", str(chosen["max_features"])),
                ("High and low distinguished", "yes" if chosen["signed"] else "no"),
                ("Runs with permuted classes", str(len(maxima))),
                ("Seed", str(chosen["seed"])),
            ],
            reading=READING_NOTES,
            text=text,
        ),
    )


def _forest_columns(data: Dataset) -> tuple[np.ndarray, list[Part]]:
    """Numbers as they are, categories as zeros and ones; what high and low of each say."""
    blocks, parts = [], []
    for j in range(data.shape[1]):
        x, levels = data.matrix[:, j], data.levels.get(j, ())
        if j not in data.levels:
            blocks.append(x)
            parts.append((j, {1: "high", -1: "low", 0: ""}))
        elif len(levels) == 2:
            blocks.append(x)
            parts.append((j, {1: f"= {levels[1]}", -1: f"= {levels[0]}", 0: ""}))
        else:
            for code, level in enumerate(levels):
                blocks.append(np.where(np.isnan(x), np.nan, x == code))
                words = {1: f"= {level}", -1: f"not {level}", 0: f"({level} or not)"}
                parts.append((j, words))
    return np.column_stack(blocks), parts


def _forest_interactions(
    task: Task, X: np.ndarray, parts: list[Part], *run: object
) -> tuple[ForestInteractions, np.ndarray]:
    """What a run finds, and which of that are sets of enough features: levels of one are one.

    The classes are as they are in the run "observed", and permuted in all others.
    """
    from ..interactions.sets.iterative_forest import IterativeForest

    rng = generator(task.settings["seed"], "iterative forest", *run)
    codes = task.data.codes if run == ("observed",) else rng.permutation(task.data.codes)
    forest = IterativeForest(
        **{one.name: task.settings[one.name] for one in FOREST_SETTINGS},
        random_state=int(rng.integers(2**31)),
        n_jobs=task.n_jobs,
    )
    found = forest.fit(X, codes).interactions_
    features = [len({parts[j][0] for j in columns}) for columns in found.columns]
    return found, np.flatnonzero(np.array(features, dtype=np.int64) >= task.settings["min_size"])


def _permuted_maximum(task: Task, X: np.ndarray, parts: list[Part], k: int) -> float | None:
    """The largest difference of a run with permuted classes; kept until the search is finished."""
    file = task.inside(f"{RUNS_NAME}/{k}.json")
    made_of = sha256(json.dumps([task.about, k], sort_keys=True).encode()).hexdigest()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # none, or none of ours
        before = json.loads(file.read_bytes(MOST_TEXT))
        if before["made_of"] == made_of:
            return None if before["largest"] is None else float(before["largest"])
    found, kept = _forest_interactions(task, X, parts, "permuted", k)
    value = float(found.difference[kept].max()) if len(kept) else None
    write_json(file, {"made_of": made_of, "largest": value})
    return value


SEARCH = set_search(
    (*FOREST_SETTINGS, PERMUTATIONS_SETTING, LEVEL_SETTING), find_sets_of_paths, check_settings
)
