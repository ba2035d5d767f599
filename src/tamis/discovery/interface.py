"""What a search is: its settings, what it is given, and what it returns.

A new search is a file and a row. `tamis interact` makes its options and their help of the settings,
`tamis methods` lists them, and `find_interactions` checks by them what users give, before a folder
is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import PlanError, counted_noun, nearest_hint, printable_text, shorten_text
from .._core.fields import plain_frame
from .._core.files import atomic_file
from .._core.inside import Inside
from .._core.parameters import MOST_RUNS, Parameters
from .._core.rows import load_attribute
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.sets.tree_settings import MOST_BRANCHES
from .schema import KIND, SCHEMA, FamilyTest, SearchHead, SearchRecord, SearchResult

if TYPE_CHECKING:
    import pandas as pd

FEW_SAMPLES = 10
MAX_NAMED_CLASSES = 5  # classes
MAX_INTEGER = 2**31 - 1  # of a whole number


@dataclass(frozen=True)
class Setting:
    """What a user may set of a search.

    Attributes
    ----------
    name : str
        As `find_interactions` takes it.
    help : str
        What it is: a sentence without its full stop and without the default.
    type : type
        bool, int, float or str.
    ge, gt, le, lt : float, optional
        Bounds of a number, as pydantic names them.
    words : tuple
        What may stand in place of a number. None is "none" on the command line.
    choices : tuple of str
        What a text may be.
    per_class : bool
        A number, or a list with one for each class; the search checks them.
    option : str
        On the command line, if it is not the name; of a bool, "on/off".
    default : object
        `settings_of` takes it from a function's signature.
    default_text : str
        In words, where the value says nothing.
    """

    name: str
    help: str
    type: type = int
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    words: tuple[str | None, ...] = ()
    choices: tuple[str, ...] = ()
    per_class: bool = False
    option: str = ""
    default: Any = Parameter.empty
    default_text: str = ""

    def known(self) -> Setting:
        """With its default, where that is another's."""
        if not isinstance(self.default, DefaultOf):
            return self
        return replace(self, default=self.default.of(self.name))

    def check(self, value: Any) -> None:
        """Refuse a value of another type, or out of bounds.

        Raises
        ------
        PlanError

        Examples
        --------
        >>> Setting("depth", "How deep", ge=1, default=5).check(0)
        Traceback (most recent call last):
        ...
        tamis._core.errors.PlanError: depth=0: give a whole number of at least 1
        """
        if value is None and self.default is None:
            return
        if isinstance(value, str | None) and value in self.words:
            return
        if self.choices:
            if value not in self.choices:
                raise PlanError(f"{self.name}={value!r}: {nearest_hint(value, self.choices)}")
        elif not (self.per_class or self._fits(value)):
            raise PlanError(f"{self.name}={value!r}: give {self._allowed()}")
        elif self.type is int and value > MAX_INTEGER:
            raise PlanError(f"{self.name}={value!r}: give at most {MAX_INTEGER:,}")

    def _fits(self, value: Any) -> bool:
        if self.type is bool or isinstance(value, bool):
            return self.type is bool and isinstance(value, bool)
        if not isinstance(value, int if self.type is int else int | float):
            return False
        return bool(
            (isinstance(value, int) or np.isfinite(value))  # the former may be beyond any float
            and (self.ge is None or value >= self.ge)
            and (self.gt is None or value > self.gt)
            and (self.le is None or value <= self.le)
            and (self.lt is None or value < self.lt)
        )

    def _allowed(self) -> str:
        """What may be given, for a message."""
        if self.type is bool:
            return "True or False"
        named = (
            ("of at least", self.ge),
            ("above", self.gt),
            ("at most", self.le),
            ("below", self.lt),
        )
        bounds = " and ".join(
            f"{how} {at:,}" if isinstance(at, int) else f"{how} {at:g}"
            for how, at in named
            if at is not None
        )
        kind = "a whole number" if self.type is int else "a number"
        return " or ".join([f"{kind} {bounds}".rstrip(), *map(repr, self.words)])


@dataclass(frozen=True)
class DefaultOf:
    """The default of a parameter of ``module:attribute``, imported when it is needed."""

    target: str

    def of(self, name: str) -> Any:
        """The default of a parameter."""
        return signature(load_attribute(self.target)).parameters[name].default


def settings_of(target: str, *settings: Setting) -> tuple[Setting, ...]:
    """Settings, with the defaults of ``module:attribute`` where they have none of their own."""
    return tuple(
        replace(one, default=DefaultOf(target)) if one.default is Parameter.empty else one
        for one in settings
    )


# What every search has: a test of all that it finds, by runs with permuted classes.
LEVEL_SETTING = Setting(
    "level",
    "Family-wise error rate: probability of finding anything in noise",
    float,
    gt=0,
    lt=1,
    default=0.05,
)
PERMUTATIONS_SETTING = Setting(
    "n_permutations",
    "Runs with permuted classes; 0: no test",
    ge=0,
    le=MOST_RUNS,
    option="permutations",
    default=None,
    default_text="the fewest for --level, 19 for 0.05",
)
# What searches have that cut numbers.
BINS_SETTING = Setting("bins", "Intervals that a number is cut into", ge=2)
# What searches have that grow intersection trees, on rows or on paths of forests.
TREES_SETTING = Setting(
    "n_trees", "Intersection trees of each class", ge=1, le=MOST_RUNS, option="trees"
)
BRANCH_SETTING = Setting("branch", "Children of a node", float, ge=1, le=MOST_BRANCHES)
MIN_SIZE = Setting("min_size", "Fewest features of a set", ge=1)
BOOTSTRAPS_SETTING = Setting(
    "n_bootstraps",
    "Bootstrap samples, for the stability of a set",
    ge=0,
    le=MOST_RUNS,
    option="bootstraps",
)


@dataclass(frozen=True)
class Task:
    """One search, whose settings are checked.

    Attributes
    ----------
    data : Dataset
    columns : Summary
        Of its columns.
    about : SearchRecord
        With all settings and the seed.
    folder : Path
        For the tables, and for what is to be kept if the search is killed.
    n_jobs : int or None
        Threads.
    quiet : bool
        No progress.
    """

    data: Dataset
    columns: Summary
    about: SearchRecord
    folder: Path
    n_jobs: int | None
    quiet: bool

    def inside(self, name: str) -> Inside:
        """A file of the folder."""
        return Inside(self.folder, name)

    @property
    def settings(self) -> dict[str, Any]:
        """As the user gave them, or the defaults."""
        return self.about["settings"]

    @property
    def made_by(self) -> str:
        """What a paper names: the version, and the seed."""
        return f"Tamis {self.about['versions'].get('tamis', '')}, seed {self.settings['seed']}"

    def write_features(self, table: pd.DataFrame, order: np.ndarray, kept: np.ndarray) -> None:
        """``features.csv``: a table of all features, in this order, with what is known of each."""
        share = self.columns.missing[order] / self.data.shape[0]
        levels = [len(self.data.levels.get(int(j), ())) or "" for j in order]
        table = table.assign(kept=np.where(kept, "yes", "no"), missing=share, levels=levels)
        with atomic_file(self.inside("features.csv"), "w") as file:
            plain_frame(table).to_csv(file, index=False, lineterminator="\n", chunksize=1000)

    def head(self, permutation: FamilyTest | None) -> SearchHead:
        """What every result begins with."""
        data, (n, p) = self.data, self.data.shape
        sizes = np.bincount(data.codes, minlength=len(data.classes)).tolist()
        return {
            "schema": SCHEMA,
            "kind": KIND,
            "method": self.settings["method"],
            "name": data.name,
            "target": data.target,
            "seed": self.settings["seed"],
            "versions": self.about["versions"],
            "data": {
                "n_samples": n,
                "n_features": p,
                "n_categorical": len(data.levels),
                "missing": float(self.columns.missing.sum() / (n * p)),
                "classes": [
                    {"name": name, "size": size}
                    for name, size in zip(data.classes, sizes, strict=True)
                ],
            },
            "permutation": permutation,
        }


@dataclass(frozen=True)
class Search:
    """A way to search.

    Attributes
    ----------
    given : tuple of Setting
        What a user may set; `LEVEL_SETTING` and `PERMUTATIONS_SETTING` among them.
    find : callable
        From a `Task` to the result; writes the tables, too.
    tables : tuple of str
        Files written beside ``interactions.json``.
    content : type
        Of the result: a TypedDict, before Python 3.12 that of typing_extensions (as pydantic asks).
    summary : callable
        From the result to a few lines of text.
    check : callable, optional
        From data, columns and settings, each of which is in its bounds; raises what is wrong,
        before a folder is made.
    """

    given: tuple[Setting, ...]
    find: Callable[[Task], SearchResult]
    tables: tuple[str, ...]
    content: type
    summary: Callable[[Any], str]
    check: Callable[[Dataset, Summary, dict[str, Any]], None] | None = None

    def __post_init__(self) -> None:
        for one in self.given:
            if one.default is Parameter.empty:
                raise PlanError(f"the setting {one.name!r} of a search has no default: give one")

    @property
    def names(self) -> list[str]:
        """Of the settings: without what they belong to, which may take long to import."""
        return [one.name for one in self.given]

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """With their defaults."""
        return tuple(one.known() for one in self.given)

    @property
    def defaults(self) -> dict[str, Any]:
        """Every setting that a user leaves out."""
        return {one.name: one.default for one in self.settings}

    def checked(self, given: Parameters, name: str) -> dict[str, Any]:
        """Every setting, with those given in the place of defaults.

        Raises
        ------
        PlanError
            A value is out of its bounds, or the search of this name has no such setting.
        """
        chosen = self.defaults
        for key, value in given.items():
            if key not in chosen:
                raise PlanError(f"unknown setting {key!r} of {name}: {nearest_hint(key, chosen)}")
            chosen[key] = value
        for one in self.settings:
            one.check(chosen[one.name])
        return chosen


# what remarks and summaries of all searches have in common


def is_least(test: FamilyTest) -> bool:
    """Whether no permuted run came near, so that more runs could give a smaller p."""
    return test["p_value"] <= test["least"] + 1e-12


def summary_head(content: SearchResult, what: str, noun: str) -> list[str]:
    """The first lines: the table, the search, and its p-value, which is that of its best feature,
    set or pair."""
    d, test = content["data"], content["permutation"]
    lines = [
        f"{printable_name(content['name'])}: {d['n_samples']:,} samples, {d['n_features']:,} "
        f"features; {what}"
    ]
    if test is not None:
        least = ": the least possible" if is_least(test) else ""
        lines.append(
            f"  p        {test['p_value']:.2g}, {counted_noun(test['n'], 'permuted run')}{least} "
            f"(family p of the best {noun})"
        )
    return lines


def small_classes(data: Dataset) -> list[str]:
    """A remark on classes of few samples, if there are any."""
    sizes = np.bincount(data.codes, minlength=len(data.classes))
    small = [(name, n) for name, n in zip(data.classes, sizes, strict=True) if n < FEW_SAMPLES]
    if not small:
        return []
    named = ", ".join(
        f"{shorten_text(name)!r} ({size})" for name, size in small[:MAX_NAMED_CLASSES]
    )
    more = f" and {len(small) - MAX_NAMED_CLASSES:,} more" if len(small) > MAX_NAMED_CLASSES else ""
    return [f"Fewer than {FEW_SAMPLES} samples in {named}{more}."]


def printable_name(text: object, most: int = 60) -> str:
    """A name for the terminal: short, on one line, without control characters.

    Examples
    --------
    >>> printable_name("a\\tb\\x1b[31m")
    'a b?[31m'
    """
    line = " ".join(str(text).split())
    return shorten_text(printable_text(line), most)
