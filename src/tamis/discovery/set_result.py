"""Sets of features as a result: their graph, tables, remarks and summary."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from .._core.citations import CITATIONS
from .._core.errors import counted_noun, listed_names
from .._core.fields import plain_field
from .._core.files import atomic_file
from .._core.registry import find_row
from .._core.rows import SearchRow
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.graphs.graph_files import GraphFiles
from ..interactions.sets.intersections import Intersections
from ..metrics.permuted_maxima import (
    attained_level,
    family_p_values,
    family_threshold,
    number_of_permutations,
)
from .interface import Search, Setting, Task, printable_name, small_classes, summary_head
from .schema import (
    FamilyTest,
    FoundSet,
    Measure,
    SetEdge,
    SetFeature,
    SetGraph,
    SetRanking,
    SetsResult,
)

TABLE_NAMES = ("features.csv", "edges.csv", "graph.graphml", "sets.csv")
MAX_LISTED_SETS = 300  # sets in the dictionary, and on the page
MOST_FEATURES, MOST_EDGES = 200, 1000  # of the graph
MAX_SUMMARY_SETS = 10  # lines of the summary
NAME_JOINER = " + "
NOTHING_PASSES = "None is significant: treat the list as noise."
NOT_TESTED = "Nothing was tested: the like may be found in noise too."
# What searches for sets of a class have in common.
DIFFERENCE_MEASURE: Measure = {
    "key": "difference",
    "title": "Difference",
    "form": "value",
    "help": "share less others",
}
FAMILY_P: Measure = {
    "key": "p",
    "title": "Family p",
    "form": "p",
    "help": "that any set stands out so far with permuted classes",
}
EDGE_NOTE = (
    "Edge",
    "Two features that stand in sets together; it weighs what the best of these sets stands out "
    "by.",
)
TIE_TOLERANCE = 1e-12  # what is less by so little is as good
MAX_MISSING_GAP = 0.2  # of shares of missing values
MAX_NAMED_FEATURES = 4  # features of a set on the terminal


@dataclass(frozen=True)
class SetFindings:
    """What a search for sets hands over.

    Attributes
    ----------
    title : str
        Of the search.
    sets : sequence of FoundSet
        All, best first; `passes` is filled in.
    by : str
        The measure that orders them.
    measures : sequence of Measure
    level : float
    maxima : sequence of float or None
        What the best of each permuted run reached; None: no set there.
    p_values : sequence of float, optional
        Of the family, a set each; if left out they come from `maxima`.
    headline : sequence of str
        What was searched, in sentences.
    empty : str
        Why there is no set.
    remarks : sequence of str
    settings, reading : sequences of (str, str), optional
        What was set and what the words of the page mean, if not as the search's settings and
        measures say it.
    text : str, optional
        For a paper, if not what the search's row says.
    noun : str
        What a set is called.
    looked_at : int, optional
        How many there were, if not all are in `sets`.
    """

    title: str
    sets: Sequence[FoundSet]
    by: str
    measures: Sequence[Measure]
    level: float
    maxima: Sequence[float | None]
    p_values: Sequence[float] = ()
    headline: Sequence[str] = ()
    empty: str = ""
    remarks: Sequence[str] = ()
    settings: Sequence[tuple[str, str]] = ()
    reading: Sequence[tuple[str, str]] = ()
    text: str = ""
    noun: str = "set"
    looked_at: int | None = None

    @property
    def n_sets(self) -> int:
        """How many there were."""
        return len(self.sets) if self.looked_at is None else self.looked_at


def set_result(task: Task, found: SetFindings) -> SetsResult:
    """Write the tables, and give the dictionary."""
    row = find_row(task.settings["method"], SearchRow)
    found = _with_words(_with_p_values(found), task, row)
    tested = len(found.maxima) > 0
    for k, one in enumerate(found.sets):
        one["passes"] = bool(found.p_values[k] <= found.level + 1e-12) if tested else None
    passing = sum(one["passes"] is True for one in found.sets)
    graph = graph_of_sets(found.sets, found.by)
    n_kept = _write_features(task, found)
    _write_sets(task, found)
    GraphOfSets(graph).to_csv(task.inside("edges.csv"))
    GraphOfSets(graph).to_graphml(task.inside("graph.graphml"))
    test: FamilyTest | None = None
    threshold = None
    if tested:
        threshold = family_threshold(_comparable_maxima(found.maxima), found.level)
        p_value, n = float(min(found.p_values, default=1.0)), len(found.maxima)
        test = {"p_value": p_value, "n": n, "least": 1 / (1 + n)}
    return {
        **task.head(test),
        "remarks": [*_set_remarks(task, found, tested, passing), *found.remarks],
        "sets": {
            "title": found.title,
            "sets": list(found.sets[:MAX_LISTED_SETS]),
            "noun": found.noun,
            "n_sets": found.n_sets,
            "n_written": len(found.sets),
            "n_passing": passing,
            "n_kept": n_kept,
            "measures": list(found.measures),
            "by": found.by,
            "level": found.level,
            "threshold": None if threshold is None or threshold <= -1 else threshold,
            "maxima": list(found.maxima),
        },
        "graph": graph,
        "headline": [*_passing_words(found, passing, tested), *found.headline],
        "settings": [[what, how] for what, how in found.settings],
        "reading": [[word, meaning] for word, meaning in found.reading],
        "text": found.text,
        "citations": [CITATIONS.get(key, key) for key in row.cite],
    }


def _with_p_values(found: SetFindings) -> SetFindings:
    """With those that permuted runs give, if the search gave none; without runs there are none."""
    if not len(found.maxima):
        return replace(found, measures=[m for m in found.measures if m["key"] != "p"])
    p_values = found.p_values
    if not len(p_values):
        values = np.array([one["numbers"][found.by] for one in found.sets], dtype=np.float64)
        p_values = family_p_values(
            values - TIE_TOLERANCE, _comparable_maxima(found.maxima)
        ).tolist()
    for one, p in zip(found.sets, p_values, strict=True):
        one["numbers"].setdefault("p", p)
    return replace(found, p_values=p_values)


def _with_words(found: SetFindings, task: Task, row: SearchRow) -> SetFindings:
    """With settings in the words of their help, measures in those of the table's head, and a
    paragraph in those of the search's row, where the search has none of its own."""
    search: Search = row.load()
    values = [(one.help.partition(";")[0], task.settings[one.name]) for one in search.settings]
    settings = [(what, "default" if v is None else str(v)) for what, v in values]
    title = {m["key"]: m["title"].lower() for m in found.measures}.get(found.by, found.by)
    text = f"Interactions were searched for by {row.title} ({row.summary}) in {task.made_by}."
    meant = ((m["title"], f"{m['help'][:1].upper()}{m['help'][1:]}.") for m in found.measures)
    return replace(
        found,
        settings=found.settings or [*settings, ("Seed", str(task.settings["seed"]))],
        reading=found.reading or [*meant, EDGE_NOTE],
        text=found.text or text + tested_words(title, found.noun, len(found.maxima)),
    )


def _comparable_maxima(maxima: Sequence[float | None]) -> list[float]:
    """The best of each permuted run; one without a set is beaten by any set."""
    return [-1.0 if value is None else value for value in maxima]


def set_search(
    settings: Sequence[Setting],
    find: Callable[[Task], SetsResult],
    check: Callable[[Dataset, Summary, dict[str, Any]], None] | None = None,
) -> Search:
    """A search whose `find` ends with `set_result`, from which all else follows."""
    return Search(tuple(settings), find, TABLE_NAMES, SetsResult, set_summary, check)


def sets_of_classes(
    found: Intersections,
    chosen: Iterable[int],
    labels: Sequence[Any],
    names: Sequence[str],
    says: Sequence[tuple[int, Mapping[int, str]]],
    **numbers: np.ndarray,
) -> list[FoundSet]:
    """Some of the sets that trees of classes found, as yet without p-values.

    `says` has the feature of each column and what a set says of it, by sign (0: without one);
    `numbers` are those beside the share of the class, of the other where it is most, and the gap.
    """
    own, gap = found.prevalence[np.arange(len(found)), found.origin], found.difference
    numbers = {"share": own, "others": own - gap, "difference": gap, **numbers}
    return [
        {
            "parts": [
                {"feature": names[says[j][0]], "value": says[j][1][sign]}
                for j, sign in zip(found.columns[s], found.signs[s] or repeat(0), strict=False)
            ],
            "label": str(labels[found.origin[s]]),
            "numbers": {key: float(values[s]) for key, values in numbers.items()},
            "passes": None,
        }
        for s in chosen
    ]


def permuted_runs(level: Any, n_permutations: Any) -> int:
    """Runs with permuted classes: those given, 0 for no test, or the fewest for the level."""
    none = not isinstance(n_permutations, bool) and n_permutations == 0
    runs = number_of_permutations(level, None if none else n_permutations)
    return 0 if none else runs


def tested_words(statistic: str, noun: str, n_permutations: int) -> str:
    """What is compared with what, for a paper."""
    if not n_permutations:
        return ""
    return (
        f" The test is by the largest {statistic} of a {noun} in each of "
        f"{counted_noun(n_permutations, 'run')} with permuted classes."
    )


@dataclass(frozen=True, eq=False)
class GraphOfSets(GraphFiles):
    """Features joined by the sets they stand in together; undirected."""

    directed: ClassVar[bool] = False
    content: SetGraph

    def _tables(self) -> tuple[Any, Any]:
        import pandas as pd

        nodes, edges = self.content["features"], self.content["edges"]
        return (
            pd.DataFrame(nodes, columns=list(SetFeature.__annotations__)),
            pd.DataFrame(edges, columns=list(SetEdge.__annotations__)),
        )


def graph_of_sets(sets: Sequence[FoundSet], by: str) -> SetGraph:
    """The features of the best sets, and which of them are in sets together.

    A feature's value, and a pair's weight, is the largest of the sets that hold it.
    """
    names: dict[str, int] = {}
    inside: list[np.ndarray] = []
    values = []
    for one in sets[:MAX_LISTED_SETS]:
        there = dict.fromkeys(part["feature"] for part in one["parts"])
        for name in there:
            if len(names) < MOST_FEATURES:
                names.setdefault(name, len(names))
        inside.append(np.array([names[name] for name in there if name in names], dtype=np.int64))
        values.append(one["numbers"][by] or 0.0)
    n = len(names)
    weight, count = np.full((n, n), -np.inf), np.zeros((n, n), dtype=np.int64)
    for at, value in zip(inside, values, strict=True):
        here = np.ix_(at, at)
        weight[here] = np.maximum(weight[here], value)
        count[here] += 1
    kept = {
        part["feature"] for one in sets[:MAX_LISTED_SETS] if one["passes"] for part in one["parts"]
    }
    best = np.argsort(-np.diag(weight), kind="stable")
    ordered = list(names)
    a, b = (best[side] for side in np.triu_indices(n, 1))
    joined = np.flatnonzero(count[a, b])
    heaviest = joined[np.argsort(-weight[a, b][joined], kind="stable")][:MOST_EDGES]
    return {
        "features": [
            {
                "name": ordered[j],
                "value": float(weight[j, j]),
                "sets": int(count[j, j]),
                "selected": ordered[j] in kept,
            }
            for j in best
        ],
        "edges": [
            {
                "source": ordered[a[k]],
                "target": ordered[b[k]],
                "weight": float(weight[a[k], b[k]]),
                "sets": int(count[a[k], b[k]]),
            }
            for k in heaviest
        ],
    }


def set_words(one: FoundSet) -> str:
    """A set as text.

    Examples
    --------
    >>> parts = [{"feature": "a", "value": "> 1.5"}, {"feature": "b", "value": ""}]
    >>> set_words({"parts": parts, "label": None, "numbers": {}, "passes": None})
    'a > 1.5 + b'
    """
    return NAME_JOINER.join(f"{part['feature']} {part['value']}".rstrip() for part in one["parts"])


def _write_features(task: Task, found: SetFindings) -> int:
    """Every feature: in how many sets, the largest value of these, and whether one passes; how
    many are in one that does."""
    import pandas as pd

    names = task.data.feature_names
    sets = dict.fromkeys(names, 0)
    value: dict[str, float] = {}
    kept = set()
    for one in found.sets:  # the best come first
        for name in {part["feature"]: None for part in one["parts"]}:
            sets[name] += 1
            value.setdefault(name, one["numbers"][found.by] or 0.0)
            if one["passes"]:
                kept.add(name)
    passes = np.array([name in kept for name in names])
    largest = np.array([value.get(name, -np.inf) for name in names])
    order = np.lexsort([-largest, ~passes])
    best = [value.get(name, "") for name in names]
    table = pd.DataFrame({"name": names, found.by: best, "sets": sets.values()})
    task.write_features(table.iloc[order], order, passes[order])
    return len(kept)


def _write_sets(task: Task, found: SetFindings) -> None:
    """Every set, best first."""
    keys = [measure["key"] for measure in found.measures]
    with atomic_file(task.inside("sets.csv"), "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["set", "order", "class", *keys, "passes", "parts"])
        for one in found.sets:
            numbers = ["" if one["numbers"][key] is None else one["numbers"][key] for key in keys]
            passes = {True: "yes", False: "no", None: ""}[one["passes"]]
            label = "" if one["label"] is None else plain_field(one["label"])
            pairs = [[part["feature"], part["value"]] for part in one["parts"]]
            parts = json.dumps(pairs, ensure_ascii=False)
            words = plain_field(set_words(one))
            writer.writerow([words, len(one["parts"]), label, *numbers, passes, parts])


def _passing_words(found: SetFindings, passing: int, tested: bool) -> list[str]:
    if not found.sets:
        return [f"No {found.noun} was found" + (f": {found.empty}." if found.empty else ".")]
    n = counted_noun(found.n_sets, found.noun)
    if not tested:
        return [f"{n} found. {NOT_TESTED}"]
    runs = len(found.maxima)
    are = "is" if passing == 1 else "are"
    some = f"{count_passing(passing, len(found.sets), found.n_sets)} of {n} {are} significant"
    if not passing:
        some = f"No {found.noun} of {found.n_sets:,} is significant"
    noise = "" if passing else ": treat the list as noise"
    return [
        f"{some} (family-wise level {found.level:g}, {counted_noun(runs, 'permutation')}){noise}. "
        "Where the features are unrelated to the classes, at most "
        f"{100 * attained_level(found.level, runs):.3g}% of analyses would find one or more."
    ]


def count_passing(passing: int, written: int, looked_at: int) -> str:
    """How many pass; of those that were not kept nobody looked whether they do.

    Examples
    --------
    >>> count_passing(3, 1000, 4950), count_passing(1000, 1000, 4950)
    ('3', '1,000 or more')
    """
    return f"{passing:,}" + (" or more" if passing == written < looked_at else "")


def _set_remarks(task: Task, found: SetFindings, tested: bool, passing: int) -> list[str]:
    """What to know of any search before its sets are believed."""
    data = task.data
    said = []
    if found.sets and tested and not passing:
        said.append(NOTHING_PASSES)
    if found.sets and not tested:
        said.append(NOT_TESTED)
    said += small_classes(data)
    place = {name: j for j, name in enumerate(data.feature_names)}
    best = dict.fromkeys(
        part["feature"] for one in found.sets[:MAX_LISTED_SETS] for part in one["parts"]
    )
    uneven = []  # features of the best sets whose gaps tell the classes apart
    for name in best:
        gaps = np.isnan(data.matrix[:, place[name]])
        shares = [gaps[data.codes == c].mean() for c in range(len(data.classes))]
        if max(shares) - min(shares) >= MAX_MISSING_GAP:
            uneven.append(name)
    if uneven:
        said.append(
            f"Missing much more often in one class than in another: {listed_names(uneven)}. A "
            f"{found.noun} with such a feature may say no more than where it was measured."
        )
    constant = int((task.columns.low == task.columns.high).sum())
    if constant:
        said.append(f"{counted_noun(constant, 'feature')} with one value only.")
    return said


def set_summary(content: SetsResult) -> str:
    """The best sets and what is known of them."""
    ranking, test = content["sets"], content["permutation"]
    lines = summary_head(content, ranking["title"], ranking["noun"])
    if not ranking["sets"]:
        return "\n".join([*lines, f"  found    {content['headline'][0]}"])
    n = counted_noun(ranking["n_sets"], ranking["noun"])
    if test is None:
        lines.append(f"  found    {n}, not tested")
    else:
        passing = count_passing(ranking["n_passing"], ranking["n_written"], ranking["n_sets"])
        counted = ranking["n_passing"] and not passing.endswith("more")
        kept = f"; {counted_noun(ranking['n_kept'], 'feature')} in these" if counted else ""
        lines.append(f"  found    {passing} of {n} at level {ranking['level']:g}{kept}")
    return "\n".join([*lines, *(f"    {line}" for line in _table_lines(ranking))])


def _table_lines(ranking: SetRanking) -> list[str]:
    """The best sets in columns; all but those that pass, if some do, are left to the files."""
    shown = ranking["sets"][: min(ranking["n_passing"] or MAX_SUMMARY_SETS, MAX_SUMMARY_SETS)]
    measures = ranking["measures"]
    labelled = any(one["label"] is not None for one in shown)
    head = [ranking["noun"], *(["class"] if labelled else []), *(m["key"] for m in measures)]
    rows = [head]
    for one in shown:
        label = [printable_name(one["label"], 20)] if labelled else []
        cells = [_formatted_number(one["numbers"][m["key"]], m["form"]) for m in measures]
        few: FoundSet = {**one, "parts": one["parts"][:MAX_NAMED_FEATURES]}
        left = len(one["parts"]) - MAX_NAMED_FEATURES
        words = set_words(few) + (f" + {left:,} more" if left > 0 else "")
        rows.append([printable_name(words, 90), *label, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = 1 + labelled
    return [
        "  ".join(
            cell.ljust(width) if i < texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _formatted_number(value: float | None, form: str) -> str:
    if value is None:
        return ""
    return {"share": f"{value:.0%}", "count": f"{value:,.0f}", "p": f"{value:.2g}"}.get(
        form, f"{value:.3f}"
    )
