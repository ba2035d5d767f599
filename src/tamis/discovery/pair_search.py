"""pairs: every pair of features by its exact score."""

from __future__ import annotations

from typing import Any

from .._core.errors import DataError, PlanError, counted_noun, shorten_text
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.pairs.pair_search import ORDERS, search_pairs
from .interface import BINS_SETTING, LEVEL_SETTING, PERMUTATIONS_SETTING, Setting, Task, settings_of
from .schema import FoundSet, Measure, SetsResult
from .set_result import SetFindings, permuted_runs, set_result, set_search, tested_words

SETTINGS = settings_of(
    "tamis.interactions.pairs.pair_search:search_pairs",
    BINS_SETTING,
    Setting(
        "best",
        "Search only among so many features of largest single score",
        ge=2,
        default_text="all",
    ),
    PERMUTATIONS_SETTING,
    LEVEL_SETTING,
    Setting("keep", "Pairs that are written down", ge=1, option="most-pairs"),
    Setting("by", "Score used to order and to test pairs", str, choices=ORDERS),
)
MEASURES: list[Measure] = [
    {"key": "interaction", "title": "Interaction", "form": "value",
     "help": "the score less what the two features say alone, at least 0"},
    {"key": "score", "title": "Score", "form": "value",
     "help": "twice the 1-Wasserstein distance between the classes on the grid of both, 0 to 4"},
    {"key": "first", "title": "First alone", "form": "value", "help": "score of the first feature"},
    {"key": "second", "title": "Second alone", "form": "value",
     "help": "score of the second feature"},
    {"key": "samples", "title": "Samples", "form": "count",
     "help": "complete in both features, of any class"},
    {"key": "p", "title": "Family p", "form": "p",
     "help": "that the best pair reaches so much with permuted classes"},
]  # fmt: skip
READING_NOTES = [
    (
        "Score",
        "Twice the 1-Wasserstein distance between the classes on the grid of the levels of "
        "both features, under the Hamming distance: how much of a class must be moved over how "
        "many levels to look like the other.",
    ),
    (
        "Interaction",
        "The score less those of the two features alone. Where each says much alone "
        "there is little left to add, and the interaction is below what the pair deserves.",
    ),
    (
        "Family p",
        "The share of searches, this one among them, whose best pair reaches as much, "
        "with classes permuted. It says that the features have to do with the classes: a strong "
        "single feature lifts the pairs that it is in.",
    ),
    ("Edge", "A pair; it weighs what pairs are ordered by."),
]


def check_settings(data: Dataset, columns: Summary, chosen: dict[str, Any]) -> None:
    """Refuse what no search of these data can be made with."""
    from ..kernels.pair_transport import MOST_LEVELS

    permuted_runs(chosen["level"], chosen["n_permutations"])
    if chosen["bins"] > MOST_LEVELS:
        raise PlanError(f"bins={chosen['bins']}: give at most {MOST_LEVELS}")
    for j, levels in data.levels.items():
        if len(levels) > MOST_LEVELS:
            raise DataError(
                f"{shorten_text(data.feature_names[j])!r} has {len(levels):,} levels: pairs are "
                f"searched for up to {MOST_LEVELS}; merge levels, or leave it out"
            )


def find_pairs(task: Task) -> SetsResult:
    """Search, write the tables, and give the dictionary."""
    data, chosen = task.data, task.settings
    found = search_pairs(
        data.matrix,
        data.y,
        categorical_features=list(data.levels) or None,
        random_state=chosen["seed"],
        n_jobs=task.n_jobs,
        progress=not task.quiet,
        **{one.name: chosen[one.name] for one in SETTINGS},
    )
    best = (
        f"the {found.n_features:,} features of largest single score"
        if found.n_features < data.shape[1]
        else counted_noun(found.n_features, "feature")
    )
    every = f"all {found.n_pairs:,} pairs" if found.n_pairs > 1 else "the only pair"
    said = (
        f"{every[:1].upper()}{every[1:]} of {best}, ordered by {found.by}. Numbers are cut into "
        f"{found.bins} intervals with about equally many samples."
    )
    sets: list[FoundSet] = [
        {
            "parts": [{"feature": data.feature_names[j], "value": ""} for j in found.terms[k]],
            "label": " / ".join(map(str, found.classes[k])) if len(data.classes) > 2 else None,
            "numbers": {
                "interaction": float(found.interaction[k]),
                "score": float(found.score[k]),
                "first": float(found.singles[k, 0]),
                "second": float(found.singles[k, 1]),
                "samples": float(found.n[k]),
            },
            "passes": None,
        }
        for k in range(len(found.terms))
    ]
    text = (
        f"Pairs of features were searched for exhaustively in {task.made_by}. {said} The score of "
        "a pair is twice the 1-Wasserstein distance between the classes on the grid of both "
        "features' levels under the Hamming distance; the interaction is that score less those of "
        "the two features alone."
    ) + tested_words(found.by, "pair", len(found.maxima))
    return set_result(
        task,
        SetFindings(
            title=f"{every} of {counted_noun(found.n_features, 'feature')}, by {found.by}",
            sets=sets,
            noun="pair",
            looked_at=found.n_pairs,
            by=found.by,
            measures=sorted(MEASURES, key=lambda m: m["key"] != found.by),
            level=found.level,
            maxima=found.maxima.tolist(),
            p_values=() if found.family_p is None else found.family_p.tolist(),
            headline=[said],
            settings=[
                ("Intervals of a number", str(found.bins)),
                ("Features paired", f"{found.n_features:,}"),
                ("Pairs of a run", f"{found.n_pairs:,}"),
                ("Ordered by", found.by),
                ("Runs with permuted classes", str(len(found.maxima))),
                ("Seed", str(chosen["seed"])),
            ],
            reading=READING_NOTES,
            text=text,
        ),
    )


SEARCH = set_search(SETTINGS, find_pairs, check_settings)
