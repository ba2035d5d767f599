"""rit: sets of features, of any order, that rows of a class share and others do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._core.errors import plural
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.intersections import Intersections
from ..interactions.random_intersection_trees import random_intersection_trees
from ..interactions.tree_settings import checked_thresholds
from .binary_items import CUTS, Items, check_cuts, items_of
from .interface import BINS, LEVEL, PERMUTATIONS, Setting, Task, settings_of
from .schema import FoundSet, Measure, SetsResult
from .set_result import (
    DIFFERENCE,
    EDGE,
    FAMILY_P,
    SetFindings,
    permuted_runs,
    set_result,
    set_search,
    share_numbers,
    tested_words,
)
from .tree_settings import BOOTSTRAPS, BRANCH, MIN_SIZE, TREES

FIRST, STABLE = 10, 0.5  # sets looked at, and what the best of them should reach
SURE = ("stability", "p", "q")  # measures that may be left out
MUCH = 0.8  # a share of a class that leaves little to look for
TREE_SETTINGS = settings_of(
    random_intersection_trees,
    TREES,
    Setting("depth", "Random rows that a leaf meets beside that of the root", ge=1),
    BRANCH,
    MIN_SIZE,
    Setting("theta", "Smallest share of its class that holds a set, or one a class (0.3,0.2); "
            "auto: from permuted classes", float, per_class=True, words=("auto",)),
    Setting("theta_out", "Largest share of another class that holds it, or one a class", float,
            per_class=True, default_text="as --theta"),
    BOOTSTRAPS,
    Setting("max_sets", "Most sets of a class that are compared", ge=1),
)  # fmt: skip
SETTINGS = (
    *TREE_SETTINGS,
    PERMUTATIONS,
    Setting("signed", "Let zeros count as well as ones", bool, option="signed/unsigned",
            default=False),
    Setting("discretizer",
            "Cut numbers into intervals that rows can share, without a look at the classes",
            str, choices=CUTS, default=None, default_text="none"),
    replace(BINS, default=3),
    LEVEL,
)  # fmt: skip
MEASURES: list[Measure] = [
    {"key": "share", "title": "Share", "form": "share",
     "help": "samples of its class that hold the set"},
    {"key": "others", "title": "Others", "form": "share",
     "help": "samples that hold it, of the other class where most do"},
    DIFFERENCE,
    {"key": "samples", "title": "Samples", "form": "count",
     "help": "samples of its class that hold the set"},
    {"key": "stability", "title": "Stability", "form": "share",
     "help": "bootstrap samples whose search gives the very same set"},
    FAMILY_P,
    {"key": "q", "title": "q", "form": "p",
     "help": "false sets expected among those that stand out so far"},
]  # fmt: skip
READING = [
    ("Set", "Values that rows share: that a feature is 1, that a category has a level, that a "
     "number lies in an interval. No larger set is held often enough."),
    ("Difference", "The share of its class that holds a set, less the share of the other class "
     "where most do. Counted in all samples, exactly."),
    ("Family p", "The share of searches, this one among them, whose best set stands out as far, "
     "with classes permuted. It says that the features have to do with the classes, not that they "
     "work together: two features that each mark the class alone are a set, too."),
    ("q", "Of the sets that stand out so far, the share that permuted classes give as well."),
    ("Stability", "How often the very same set comes again where samples are drawn anew with "
     "replacement. Sets that overlap take each other's place."),
    EDGE,
]  # fmt: skip


def check_settings(data: Dataset, columns: Summary, chosen: dict[str, Any]) -> None:
    """Refuse what no search of these data can be made with."""
    for name in ("theta", "theta_out"):
        if chosen[name] is not None:
            checked_thresholds(chosen[name], len(data.classes), name)
    permuted_runs(chosen["level"], chosen["n_permutations"])
    check_cuts(data, chosen["discretizer"])


def find_sets_of_rows(task: Task) -> SetsResult:
    """Search, write the tables, and give the dictionary."""
    import pandas as pd

    data, chosen = task.data, task.settings
    items = items_of(data, chosen["discretizer"], chosen["bins"], bool(chosen["signed"]))
    words = [f"{data.feature_names[j]} {v}".rstrip() for j, v in items.said]
    found = random_intersection_trees(
        pd.DataFrame(items.X, columns=words), data.y, random_state=chosen["seed"],
        n_permutations=permuted_runs(chosen["level"], chosen["n_permutations"]),
        n_jobs=task.n_jobs, progress=not task.quiet,
        **{one.name: chosen[one.name] for one in TREE_SETTINGS},
    )  # fmt: skip
    k, n = len(found.classes), len(items.said)
    said = (
        f"Random intersection trees, {chosen['n_trees']:,} of each class, on what rows share "
        f"among {plural(n, 'item')} of {plural(data.shape[1], 'feature')}: a set is held by a "
        f"share of at least theta of its class ({_shares(found, 'theta')}), and of at most "
        f"theta_out of {'the other' if k == 2 else 'any other'} ({_shares(found, 'theta_out')})."
    )
    return set_result(
        task,
        SetFindings(
            title=f"random intersection trees, {chosen['n_trees']:,} of each class",
            sets=_found_sets(found, items, data),
            by="difference",
            measures=[m for m in MEASURES if m["key"] not in SURE or m["key"] in _sure(found)],
            level=float(chosen["level"]),
            maxima=[None if np.isnan(v) else float(v) for v in found.maxima],
            p_values=() if found.p_value is None else found.p_value.tolist(),
            headline=[said] if len(found) else [],
            empty=found.reason,
            remarks=[*_warnings(found), *found.notes],
            settings=[*_settings(found), *_cut_settings(task, items)],
            reading=READING,
            text=_text(task, found, items, said),
        ),
    )


def _warnings(found: Intersections) -> list[str]:
    """Sets that do not come again; and what "auto" makes of rows that share much."""
    said = []
    if found.stability is not None and len(found) and found.stability[:FIRST].max() < STABLE:
        said.append(
            f"Of the first {plural(min(FIRST, len(found)), 'set')} none came again in more than "
            f"{found.stability[:FIRST].max():.0%} of bootstrap samples: which sets they are is "
            "open, whatever p says of there being any."
        )
    if len(found) and found.settings["auto"] and max(found.settings["theta"]) >= MUCH:
        said.append(
            f"Rows share so much, whatever their class, that theta by chance is "
            f"{_shares(found, 'theta')}: sets of fewer samples are not looked for. Give a lower "
            "theta and a theta_out, such as 0.3 and 0.1."
        )
    return said


def _sure(found: Intersections) -> dict[str, np.ndarray]:
    """What was asked for of how sure each set is."""
    there = {"stability": found.stability, "p": found.p_value, "q": found.q_value}
    return {key: values for key, values in there.items() if values is not None}


def _found_sets(found: Intersections, items: Items, data: Dataset) -> list[FoundSet]:
    own = found.counts[np.arange(len(found)), found.origin].astype(float)
    more = {"samples": own, **_sure(found)}
    return [
        {
            "parts": [
                {"feature": data.feature_names[items.said[j][0]], "value": items.said[j][1]}
                for j in columns
            ],
            "label": str(found.classes[found.origin[s]]),
            "numbers": {**shares, **{key: float(values[s]) for key, values in more.items()}},
            "passes": None,
        }
        for s, (columns, shares) in enumerate(zip(found.columns, share_numbers(found), strict=True))
    ]


def _shares(found: Intersections, name: str) -> str:
    """One number, or one a class."""
    few = [f"{share:.3g}" for share in found.settings[name]]
    if len(set(few)) == 1:
        return few[0]
    return ", ".join(f"{one} of {c}" for one, c in zip(few, found.classes, strict=True))


def _settings(found: Intersections) -> list[tuple[str, str]]:
    s = found.settings
    return [
        ("Trees of each class", f"{s['n_trees']:,}"),
        ("Depth", str(s["depth"])),
        ("Children of a node", f"{s['branch']:g}"),
        ("Least features of a set", str(s["min_size"])),
        ("Least share of its class, theta", _shares(found, "theta") + " (auto)" * s["auto"]),
        ("Greatest share of another, theta_out", _shares(found, "theta_out")),
        ("Runs with permuted classes", str(len(found.maxima))),
        ("Bootstrap samples", str(s["n_bootstraps"])),
        ("Seed", str(s["random_state"])),
    ]


def _cut_settings(task: Task, items: Items) -> list[tuple[str, str]]:
    said = [("Zeros count too", "yes")] if task.settings["signed"] else []
    return [*said, ("Numbers cut by", _cuts(task))] if items.cut else said


def _cuts(task: Task) -> str:
    kind = task.settings["discretizer"].replace("_", " ")
    return f"{kind}, {task.settings['bins']} intervals"


def _text(task: Task, found: Intersections, items: Items, said: str) -> str:
    s, version = found.settings, task.about["versions"].get("tamis", "")
    cuts = f"Numbers were cut by {_cuts(task)}. " if items.cut else ""
    text = (
        f"Sets of features were searched for with random intersection trees (Shah and Meinshausen "
        f"2014) in Tamis {version}, seed {s['random_state']}. {cuts}{said} Trees had depth "
        f"{s['depth']} and {s['branch']:g} children a node."
    )
    return text + tested_words("difference in prevalence", "set", len(found.maxima))


SEARCH = set_search(SETTINGS, find_sets_of_rows, check_settings)
