"""Options of `tamis interact`: which are of which method, and what a search calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import rich_click as click

from ._shared import applied_options

METHODS = ("mcfs", "rit", "irf", "pairs")
# What a search calls a setting; others have the option's name.
SETTINGS = {
    "permutations": "n_permutations",
    "top": "second_stage",
    "trees": "n_trees",
    "bootstraps": "n_bootstraps",
    "rounds": "n_iterations",
    "forest": "n_estimators",
}
OPTIONS = {setting: option for option, setting in SETTINGS.items()}
GROUPS = [
    {
        "name": "Table",
        "options": [
            "--target",
            "--samples",
            "--id",
            "--transpose",
            "--categorical",
            "--drop",
            "--separator",
        ],
    },
    {"name": "Every search", "options": ["--method", "--level", "--permutations", "--seed"]},
    {
        "name": "mcfs",
        "options": [
            *("--m", "--s", "--t", "--balance", "--projections", "--cutoff", "--top"),
            *("--meetings", "--max-ancestors"),
        ],
    },
    {
        "name": "rit, irf",
        "options": ["--trees", "--depth", "--branch", "--min-size", "--bootstraps", "--signed"],
    },
    {"name": "rit", "options": ["--theta", "--theta-out", "--discretizer"]},
    {"name": "irf", "options": ["--rounds", "--forest", "--stability", "--max-features"]},
    {"name": "rit, pairs", "options": ["--bins"]},
    {"name": "pairs", "options": ["--by", "--best", "--keep"]},
    {"name": "Run", "options": ["--out", "--resume", "--n-jobs", "--json", "--quiet", "--help"]},
]


class NumberOrWord(click.ParamType):
    """A number, or one of some words."""

    def __init__(self, *words: str):
        self.name, self.words = "number", words

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str) or value in self.words:
            return value
        try:
            return int(value) if value.lstrip("+-").isdecimal() else float(value)
        except ValueError:
            allowed = " or ".join(repr(word) for word in self.words)
            raise click.BadParameter(f"{value!r} is no number; give one, or {allowed}") from None


class SharesOrWord(NumberOrWord):
    """A share, one for each class between commas, or one of some words."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, str) and "," in value:
            return tuple(super(SharesOrWord, self).convert(v, param, ctx) for v in value.split(","))
        return super().convert(value, param, ctx)


def numeric(name: str, kind: Any, text: str, metavar: str = "NUMBER") -> Any:
    """An option that is left out unless given: each search has its own default."""
    return click.option(name, type=kind, metavar=metavar, help=text)


SHARE = click.FloatRange(0, 1)
COUNT, WHOLE = click.IntRange(min=1), click.IntRange(min=0)
METHOD = click.option(
    "--method", type=click.Choice(METHODS), default="mcfs", show_default=True,
    help="mcfs: trees on random features; rit: what rows of a class share; irf: paths of forests; "
    "pairs: all pairs.",
)  # fmt: skip
search_options = applied_options(
    METHOD,
    numeric(
        "--level", click.FloatRange(0, 1, min_open=True, max_open=True),
        "Probability of finding anything where nothing is to be found (default: 0.05).",
    ),
    numeric(
        "--permutations", WHOLE,
        "Runs with permuted classes (default: the fewest for --level, 19 for 0.05); 0: no test.",
    ),
    numeric(
        "--m", NumberOrWord("sqrt"),
        "Features offered to a tree: a number, a share (0.1), or their root (default: sqrt).",
    ),
    numeric(
        "--s", NumberOrWord("auto"),
        "Draws of so many features; auto offers each feature 100 times (default: auto).",
    ),
    numeric("--t", COUNT, "Trees of each draw (default: 5)."),
    numeric(
        "--balance", NumberOrWord("auto", "none"),
        "Train with at most so many times the samples of the smallest class; auto is 2 if the "
        "largest class is more than 5 times the smallest (default: auto).",
    ),
    click.option(
        "--projections", type=click.Choice(["all", "auto"]),
        help="auto ends before --s draws where the ranking has settled (default: all).",
    ),
    click.option(
        "--cutoff", type=click.Choice(["permutations", "kmeans", "angle", "mean", "contrast"]),
        help="What is kept; only permutations is a test (default: permutations).",
    ),
    numeric(
        "--top", WHOLE,
        "Features of the graph, drawn again together; 0: all, as they met (default: 30).",
    ),
    numeric(
        "--meetings", click.IntRange(min=2),
        "How often each two of them meet, on average (default: 500).",
    ),
    numeric(
        "--max-ancestors", COUNT,
        "Only so many splits above a split count as its antecedents (default: all).",
    ),
    numeric("--trees", COUNT, "Intersection trees of each class (default: rit 100, irf 500)."),
    numeric(
        "--depth", COUNT, "Rows that a leaf meets beside that of the root (default: rit 10, irf 5)."
    ),
    numeric(
        "--branch", click.FloatRange(min=1), "Children of a node (default: rit 5, irf 2)."
    ),
    numeric("--min-size", COUNT, "Features that a set has at least (default: 2)."),
    numeric("--bootstraps", WHOLE, "Bootstrap samples, for stability (default: 20)."),
    click.option(
        "--signed/--unsigned", default=None,
        help="Tell low from high, and in rit let zeros count, too (default: irf signed, rit not).",
    ),
    numeric(
        "--theta", SharesOrWord("auto"),
        "Least share of its class that holds a set, or one a class (0.3,0.2); auto: from permuted "
        "classes (default: auto).",
    ),
    numeric(
        "--theta-out", SharesOrWord(),
        "Greatest share of another class that does, or one a class (default: as --theta).",
    ),
    click.option(
        "--discretizer", type=click.Choice(["equal_frequency", "equal_width"]),
        help="Cut numbers into intervals, which rows can share.",
    ),
    numeric("--rounds", COUNT, "Forests, each on the importances of the last (default: 3)."),
    numeric("--forest", COUNT, "Trees of a forest (default: 200)."),
    numeric("--stability", SHARE, "Least share of bootstrap samples (default: 0.5)."),
    numeric(
        "--max-features", NumberOrWord("sqrt", "log2", "none"),
        "Features that a split tries: a number, a share, sqrt, log2 or none (default: sqrt).",
    ),
    numeric("--bins", click.IntRange(min=2), "Intervals of a number (default: 3)."),
    click.option(
        "--by", type=click.Choice(["interaction", "score"]),
        help="What pairs are ordered by and tested in (default: interaction).",
    ),
    numeric(
        "--best", click.IntRange(min=2),
        "Only pairs of so many features of largest single score (default: all).",
    ),
    numeric("--keep", COUNT, "Pairs that are written down (default: 1000)."),
)  # fmt: skip


def settings_of(method: str, given: Mapping[str, Any], allowed: Mapping[str, Any]) -> dict:
    """What was given, as the search calls it; an option of another search is refused."""
    found = {}
    for option, value in given.items():
        if value is None:
            continue
        name = SETTINGS.get(option, option)
        if name not in allowed:
            raise click.UsageError(f"--{option.replace('_', '-')} is none of --method {method}")
        found[name] = None if value == "none" else value
    return found


def parameters_as_options(message: str, names: Iterable[str]) -> str:
    """A message with the command's options in place of a search's settings.

    Examples
    --------
    >>> names = ("n_permutations", "level")
    >>> parameters_as_options("n_permutations=5: level=0.05 needs more; grade=3", names)
    '--permutations 5: --level 0.05 needs more; grade=3'
    """

    def option(match: re.Match) -> str:
        name = match[1]
        return f"--{OPTIONS.get(name, name).replace('_', '-')} "

    known = "|".join(sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<![\w'])({known})=", option, message).replace(" None", " none")
