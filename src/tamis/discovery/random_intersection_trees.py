"""rit: sets of features, of any order, that rows of a class share and others do not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from .._core.errors import DataError, counted_noun, shorten_text
from .._core.parameters import MOST_RUNS
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.sets.intersections import Intersections
from ..interactions.sets.random_intersection_trees import random_intersection_trees
from ..interactions.sets.tree_settings import checked_thresholds
from .interface import (
    BINS_SETTING,
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

# Cuts that look at the classes would have to be made anew in every permuted run.
CUT_CHOICES = ("equal_frequency", "equal_width")
N_BEST_SETS, MIN_BEST_STABILITY = 10, 0.5  # sets looked at, and what the best of them should reach
MAX_CLASS_SHARE = 0.8  # a share of a class that leaves little to look for
TREE_SETTINGS = settings_of(
    "tamis.interactions.sets.random_intersection_trees:random_intersection_trees",
    TREES_SETTING,
    Setting("depth", "Random rows that a leaf meets beside that of the root", ge=1, le=MOST_RUNS),
    BRANCH_SETTING,
    MIN_SIZE,
    Setting(
        "theta",
        "Smallest share of its class that holds a set, or one a class (0.3,0.2); "
        "auto: from permuted classes",
        float,
        per_class=True,
        words=("auto",),
    ),
    Setting(
        "theta_out",
        "Largest share of another class that holds it, or one a class",
        float,
        per_class=True,
        default_text="as --theta",
    ),
    BOOTSTRAPS_SETTING,
    Setting("max_sets", "Most sets of a class that are compared", ge=1),
)
SETTINGS = (
    *TREE_SETTINGS,
    PERMUTATIONS_SETTING,
    Setting(
        "signed", "Let zeros count as well as ones", bool, option="signed/unsigned", default=False
    ),
    Setting(
        "discretizer",
        "Cut numbers into intervals that rows can share, without a look at the classes",
        str,
        choices=CUT_CHOICES,
        default=None,
        default_text="none",
    ),
    replace(BINS_SETTING, default=3),
    LEVEL_SETTING,
)
MEASURES: list[Measure] = [
    {"key": "share", "title": "Share", "form": "share",
     "help": "samples of its class that hold the set"},
    {"key": "others", "title": "Others", "form": "share",
     "help": "samples that hold it, of the other class where most do"},
    DIFFERENCE_MEASURE,
    {"key": "samples", "title": "Samples", "form": "count",
     "help": "samples of its class that hold the set"},
    {"key": "stability", "title": "Stability", "form": "share",
     "help": "bootstrap samples whose search gives the very same set"},
    FAMILY_P,
    {"key": "q", "title": "q", "form": "p",
     "help": "false sets expected among those that stand out so far"},
]  # fmt: skip
READING_NOTES = [
    (
        "Set",
        "Values that rows share: that a feature is 1, that a category has a level, that a "
        "number lies in an interval. No larger set is held often enough.",
    ),
    (
        "Difference",
        "The share of its class that holds a set, less the share of the other class "
        "where most do. Counted in all samples, exactly.",
    ),
    (
        "Family p",
        "The share of searches, this one among them, whose best set stands out as far, "
        "with classes permuted. It says that the features have to do with the classes, not that "
        "they work together: two features that each mark the class alone are a set, too.",
    ),
    ("q", "Of the sets that stand out so far, the share that permuted classes give as well."),
    (
        "Stability",
        "How often the very same set comes again where samples are drawn anew with "
        "replacement. Sets that overlap take each other's place.",
    ),
    EDGE_NOTE,
]


@dataclass(frozen=True)
class Items:
    """A table of items.

    Attributes
    ----------
    X : ndarray of shape (n, k) of bool
        Missing values hold none.
        None is the same in every row.
    said : list of (int, str)
        The feature of each, and what it says of it; empty where it is that it is 1.
    cut : bool
        Whether any is an interval.
    """

    X: np.ndarray
    said: list[tuple[int, str]]
    cut: bool


def _zero_or_one(X: np.ndarray) -> np.ndarray:
    return (X == 0) | (X == 1) | np.isnan(X)


def _number_columns(data: Dataset) -> np.ndarray:
    """Columns that are neither categories nor zeros and ones."""
    other = np.flatnonzero(~_zero_or_one(data.matrix).all(axis=0))
    return np.setdiff1d(other, list(data.levels))


def items_of(data: Dataset, discretizer: str | None, bins: int, signed: bool) -> Items:
    """Every level of a category, every 1 of zeros and ones (`signed`: every 0 too), every interval.

    Raises
    ------
    DataError
        There is none.
    """
    from ..data.equal_bins import EqualFrequencyDiscretizer, EqualWidthDiscretizer

    said: list[tuple[int, str]] = []
    columns: list[np.ndarray] = []

    def add_item(j: int, words: str, holds: np.ndarray) -> None:
        if 0 < holds.sum() < len(holds):
            said.append((j, words))
            columns.append(holds)

    numbers, limits = _number_columns(data), {}
    if len(numbers):
        equal = discretizer == "equal_frequency"
        kind = EqualFrequencyDiscretizer if equal else EqualWidthDiscretizer
        cuts = kind(bins).fit(data.matrix[:, numbers]).cuts_
        limits = dict(zip(numbers.tolist(), cuts, strict=True))
    for j in range(data.shape[1]):
        x, cuts = data.matrix[:, j], limits.get(j)
        if j in data.levels:
            for code, level in enumerate(data.levels[j]):
                add_item(j, f"= {level}", x == code)
        elif cuts is None:
            if signed:
                add_item(j, "= 0", x == 0)
            add_item(j, "= 1" if signed else "", x == 1)
        elif len(cuts):
            place = np.where(np.isnan(x), -1, np.searchsorted(cuts, x, side="left"))
            for k, words in enumerate(interval_words(cuts, x)):
                add_item(j, words, place == k)
    if not columns:
        raise DataError(f"{data.name!r} has nothing that some rows share and others do not")
    return Items(np.column_stack(columns), said, bool(limits))


def interval_words(cuts: np.ndarray, x: np.ndarray) -> list[str]:
    """The intervals between cuts, to so few digits as put every value of x where the cuts do.

    An interval holds its upper end.

    Examples
    --------
    >>> x = np.array([100040.0, 100050.5, 100060.0])
    >>> interval_words(np.array([100050.0, 100051.0]), x)
    ['<= 100050', '100050 to 100051', '> 100051']
    """
    known = x[~np.isnan(x)]
    place = np.searchsorted(cuts, known, side="left")
    for digits in range(4, 18):  # 17 tell any two numbers apart
        ends = [f"{cut:.{digits}g}" for cut in cuts]
        if (np.searchsorted(np.array(ends, dtype=float), known, side="left") == place).all():
            break
    return [
        f"<= {ends[0]}",
        *(f"{low} to {high}" for low, high in pairwise(ends)),
        f"> {ends[-1]}",
    ]


def check_settings(data: Dataset, columns: Summary, chosen: dict[str, Any]) -> None:
    """Refuse what no search of these data can be made with."""
    for name in ("theta", "theta_out"):
        if chosen[name] is not None:
            checked_thresholds(chosen[name], len(data.classes), name)
    permuted_runs(chosen["level"], chosen["n_permutations"])
    numbers = _number_columns(data)
    if chosen["discretizer"] is None and len(numbers):
        x = data.matrix[:, numbers[0]]
        other = x[~_zero_or_one(x)][0]
        raise DataError(
            f"random intersection trees need zeros and ones or categories, and "
            f"{shorten_text(data.feature_names[numbers[0]])!r} holds {other:g}: give "
            "discretizer='equal_frequency', which cuts numbers into intervals"
        )


def find_sets_of_rows(task: Task) -> SetsResult:
    """Search, write the tables, and give the dictionary."""
    import pandas as pd

    data, chosen = task.data, task.settings
    items = items_of(data, chosen["discretizer"], chosen["bins"], bool(chosen["signed"]))
    words = [f"{data.feature_names[j]} {v}".rstrip() for j, v in items.said]
    found = random_intersection_trees(
        pd.DataFrame(items.X, columns=words),
        data.y,
        random_state=chosen["seed"],
        n_permutations=permuted_runs(chosen["level"], chosen["n_permutations"]),
        n_jobs=task.n_jobs,
        progress=not task.quiet,
        **{one.name: chosen[one.name] for one in TREE_SETTINGS},
    )
    k, n = len(found.classes), len(items.said)
    theta, theta_out = _shares_text(found, "theta"), _shares_text(found, "theta_out")
    own = found.counts[np.arange(len(found)), found.origin]
    optional = {"stability": found.stability, "p": found.p_value, "q": found.q_value}
    more = {"samples": own, **{key: v for key, v in optional.items() if v is not None}}
    says = [(j, {0: words}) for j, words in items.said]
    labels, names = found.classes, data.feature_names
    said = (
        f"Random intersection trees, {chosen['n_trees']:,} of each class, on what rows share "
        f"among {counted_noun(n, 'item')} of {counted_noun(data.shape[1], 'feature')}: a set is "
        f"held by a share of at least theta of its class ({theta}), and of at most theta_out of "
        f"{'the other' if k == 2 else 'any other'} ({theta_out})."
    )
    cuts = f"{str(chosen['discretizer']).replace('_', ' ')}, {chosen['bins']} intervals"
    cut = f"Numbers were cut by {cuts}. " if items.cut else ""
    text = (
        f"Sets of features were searched for with random intersection trees (Shah and Meinshausen "
        f"2014) in {task.made_by}. {cut}{said} Trees had depth {chosen['depth']} and "
        f"{chosen['branch']:g} children a node."
    ) + tested_words("difference in prevalence", "set", len(found.maxima))
    return set_result(
        task,
        SetFindings(
            title=f"random intersection trees, {chosen['n_trees']:,} of each class",
            sets=sets_of_classes(found, range(len(found)), labels, names, says, **more),
            by="difference",
            measures=[m for m in MEASURES if m["key"] not in optional or m["key"] in more],
            level=float(chosen["level"]),
            maxima=[None if np.isnan(v) else float(v) for v in found.maxima],
            p_values=() if found.p_value is None else found.p_value.tolist(),
            headline=[said] if len(found) else [],
            empty=found.reason,
            remarks=[*_search_warnings(found), *found.notes],
            settings=[
                ("Trees of each class", f"{chosen['n_trees']:,}"),
                ("Depth", str(chosen["depth"])),
                ("Children of a node", f"{chosen['branch']:g}"),
                ("Least features of a set", str(chosen["min_size"])),
                ("Least share of its class, theta", theta + " (auto)" * found.settings["auto"]),
                ("Greatest share of another, theta_out", theta_out),
                ("Runs with permuted classes", str(len(found.maxima))),
                ("Bootstrap samples", str(chosen["n_bootstraps"])),
                ("Seed", str(found.settings["random_state"])),
                *([("Zeros count too", "yes")] if chosen["signed"] else []),
                *([("Numbers cut by", cuts)] if items.cut else []),
            ],
            reading=READING_NOTES,
            text=text,
        ),
    )


def _search_warnings(found: Intersections) -> list[str]:
    """Sets that do not come again; and what "auto" makes of rows that share much."""
    said = []
    if (
        found.stability is not None
        and len(found)
        and found.stability[:N_BEST_SETS].max() < MIN_BEST_STABILITY
    ):
        said.append(
            f"Of the first {counted_noun(min(N_BEST_SETS, len(found)), 'set')} none came again in "
            "more "
            f"than {found.stability[:N_BEST_SETS].max():.0%} of bootstrap samples: which sets "
            "they are "
            "is open, whatever p says of there being any."
        )
    if len(found) and found.settings["auto"] and max(found.settings["theta"]) >= MAX_CLASS_SHARE:
        said.append(
            f"Rows share so much, whatever their class, that theta by chance is "
            f"{_shares_text(found, 'theta')}: sets of fewer samples are not looked for. Give a "
            "lower theta and a theta_out, such as 0.3 and 0.1."
        )
    return said


def _shares_text(found: Intersections, name: str) -> str:
    """One number, or one a class."""
    few = [f"{share:.3g}" for share in found.settings[name]]
    if len(set(few)) == 1:
        return few[0]
    return ", ".join(f"{one} of {c}" for one, c in zip(few, found.classes, strict=True))


SEARCH = set_search(SETTINGS, find_sets_of_rows, check_settings)
