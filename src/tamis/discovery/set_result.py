"""Sets of features as a result: their graph, tables, remarks and summary."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.citations import CITATIONS
from .._core.errors import listing, plural
from .._core.fields import plain_field
from .._core.files import atomic
from .._core.registry import find_row
from .._core.rows import SearchRow
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.intersections import Intersections
from ..metrics.permuted_maxima import (
    attained_level,
    family_p_values,
    family_threshold,
    number_of_permutations,
)
from .interface import Search, Setting, Task, any_data
from .schema import (
    FamilyTest,
    FoundSet,
    Measure,
    SetRanking,
    SetsResult,
)
from .set_graph import LISTED, GraphOfSets, graph_of_sets
from .summary_parts import FEW_SAMPLES, named_few, permutation_words, printable_name

TABLES = ("features.csv", "edges.csv", "graph.graphml", "sets.csv")
SHOWN = 10  # lines of the summary
JOIN = " + "
NOTHING_PASSES = "None is significant: treat the list as noise."
NOT_TESTED = "Nothing was tested: the like may be found in noise too."
# What searches for sets of a class have in common.
DIFFERENCE: Measure = {
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
EDGE = (
    "Edge",
    "Two features that stand in sets together; it weighs what the best of these sets stands out "
    "by.",
)
TIE = 1e-12  # what is less by so little is as good
UNEVEN = 0.2  # of shares of missing values
SPELLED = 4  # features of a set on the terminal


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
    found = _with_p_values(found)
    tested = len(found.maxima) > 0
    for k, one in enumerate(found.sets):
        one["passes"] = bool(found.p_values[k] <= found.level + 1e-12) if tested else None
    passing = sum(one["passes"] is True for one in found.sets)
    graph = graph_of_sets(found.sets, found.by)
    rows = _feature_rows(task, found)
    _write_features(task, rows)
    _write_sets(task, found)
    GraphOfSets(graph).to_csv(task.folder / "edges.csv")
    GraphOfSets(graph).to_graphml(task.folder / "graph.graphml")
    threshold = None
    if tested:
        threshold = family_threshold(_comparable(found.maxima), found.level)
    row = find_row(task.settings["method"], SearchRow)
    head = task.head(_family_test(found) if tested else None)
    return {
        **head,
        "remarks": [*_remarks(task, found, tested, passing), *found.remarks],
        "sets": {
            "title": found.title,
            "sets": list(found.sets[:LISTED]),
            "noun": found.noun,
            "n_sets": found.n_sets,
            "n_written": len(found.sets),
            "n_passing": passing,
            "n_kept": sum(row["kept"] == "yes" for row in rows),
            "measures": list(found.measures),
            "by": found.by,
            "level": found.level,
            "threshold": None if threshold is None or threshold <= -1 else threshold,
            "maxima": list(found.maxima),
        },
        "graph": graph,
        "headline": [*_passing_words(found, passing, tested), *found.headline],
        "settings": [[what, how] for what, how in found.settings or _settings_as_declared(task)],
        "reading": [[word, meaning] for word, meaning in found.reading or _measures_read(found)],
        "text": found.text or _paragraph(task, row, found),
        "citations": [CITATIONS.get(key, key) for key in row.cite],
    }


def _with_p_values(found: SetFindings) -> SetFindings:
    """With those that permuted runs give, if the search gave none; without runs there are none."""
    if not len(found.maxima):
        return replace(found, measures=[m for m in found.measures if m["key"] != "p"])
    p_values = found.p_values
    if not len(p_values):
        values = np.array([one["numbers"][found.by] for one in found.sets], dtype=np.float64)
        p_values = family_p_values(values - TIE, _comparable(found.maxima)).tolist()
    for one, p in zip(found.sets, p_values, strict=True):
        one["numbers"].setdefault("p", p)
    return replace(found, p_values=p_values)


def _comparable(maxima: Sequence[float | None]) -> list[float]:
    """The best of each permuted run; one without a set is beaten by any set."""
    return [-1.0 if value is None else value for value in maxima]


def set_search(
    settings: Sequence[Setting],
    find: Callable[[Task], SetsResult],
    check: Callable[[Dataset, Summary, dict[str, Any]], None] = any_data,
) -> Search:
    """A search whose `find` ends with `set_result`, from which all else follows."""
    return Search(tuple(settings), find, TABLES, SetsResult, set_summary, check)


def _settings_as_declared(task: Task) -> list[tuple[str, str]]:
    """What was set, in the words of the settings' help."""
    search: Search = find_row(task.settings["method"], SearchRow).load()
    told = [(one.help.partition(";")[0], task.settings[one.name]) for one in search.settings]
    return [*((what, "default" if v is None else str(v)) for what, v in told),
            ("Seed", str(task.settings["seed"]))]  # fmt: skip


def _measures_read(found: SetFindings) -> list[tuple[str, str]]:
    """What each number means, in the words of the table's head."""
    told = ((m["title"], f"{m['help'][:1].upper()}{m['help'][1:]}.") for m in found.measures)
    return [*told, EDGE]


def _paragraph(task: Task, row: SearchRow, found: SetFindings) -> str:
    """For a paper: what was searched for, by what, and how it was tested."""
    version = task.about["versions"].get("tamis", "")
    title = next(m["title"].lower() for m in found.measures if m["key"] == found.by)
    return (
        f"Interactions were searched for by {row.title} ({row.summary}) in Tamis {version}, seed "
        f"{task.settings['seed']}."
    ) + tested_words(title, found.noun, len(found.maxima))


def share_numbers(found: Intersections) -> list[dict[str, float | None]]:
    """Of each set the share of its class, that of the other where it is most, the difference."""
    difference = found.difference
    own = found.prevalence[np.arange(len(found)), found.origin]
    return [
        {"share": share, "others": share - gap, "difference": gap}
        for share, gap in zip(own.tolist(), difference.tolist(), strict=True)
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
        f"{plural(n_permutations, 'run')} with permuted classes."
    )


def set_words(one: FoundSet) -> str:
    """A set as text.

    Examples
    --------
    >>> parts = [{"feature": "a", "value": "> 1.5"}, {"feature": "b", "value": ""}]
    >>> set_words({"parts": parts, "label": None, "numbers": {}, "passes": None})
    'a > 1.5 + b'
    """
    return JOIN.join(f"{part['feature']} {part['value']}".rstrip() for part in one["parts"])


def _short_words(one: FoundSet) -> str:
    """The first features of a set, and how many more there are."""
    few: FoundSet = {**one, "parts": one["parts"][:SPELLED]}
    more = len(one["parts"]) - SPELLED
    return set_words(few) + (f" + {more:,} more" if more > 0 else "")


def _family_test(found: SetFindings) -> FamilyTest:
    n = len(found.maxima)
    p_value = float(min(found.p_values)) if len(found.p_values) else 1.0
    return {"p_value": p_value, "n": n, "least": 1 / (1 + n)}


def _feature_rows(task: Task, found: SetFindings) -> list[dict[str, Any]]:
    """Every feature: in how many sets, the largest value of these, and whether one passes."""
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
    share = task.columns.missing / task.data.shape[0]
    rows = [
        {
            "name": name,
            found.by: value.get(name, ""),
            "sets": sets[name],
            "kept": "yes" if name in kept else "no",
            "missing": share[j],
            "levels": len(task.data.levels.get(j, ())) or "",
        }
        for j, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: (row["kept"] == "no", -value.get(row["name"], -np.inf)))


def _write_features(task: Task, rows: list[dict[str, Any]]) -> None:
    with atomic(task.folder / "features.csv", "w") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "name": plain_field(row["name"])} for row in rows)


def _write_sets(task: Task, found: SetFindings) -> None:
    """Every set, best first."""
    keys = [measure["key"] for measure in found.measures]
    with atomic(task.folder / "sets.csv", "w") as file:
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
    n = plural(found.n_sets, found.noun)
    if not tested:
        return [f"{n} found. {NOT_TESTED}"]
    runs = len(found.maxima)
    return [
        f"{count_passing(passing, len(found.sets), found.n_sets)} of {n} "
        f"pass{'es' if passing == 1 else ''} the test at level {found.level:g}, by "
        f"{plural(runs, 'run')} with permuted classes. Where the features say nothing of the "
        f"classes, at most {100 * attained_level(found.level, runs):.3g}% of analyses would find "
        "one or more."
    ]


def count_passing(passing: int, written: int, looked_at: int) -> str:
    """How many pass; of those that were not kept nobody looked whether they do.

    Examples
    --------
    >>> count_passing(3, 1000, 4950), count_passing(1000, 1000, 4950)
    ('3', '1,000 or more')
    """
    return f"{passing:,}" + (" or more" if passing == written < looked_at else "")


def _remarks(task: Task, found: SetFindings, tested: bool, passing: int) -> list[str]:
    """What to know of any search before its sets are believed."""
    said = []
    if found.sets and tested and not passing:
        said.append(NOTHING_PASSES)
    if found.sets and not tested:
        said.append(NOT_TESTED)
    sizes = np.bincount(task.data.codes, minlength=len(task.data.classes))
    small = [(c, n) for c, n in zip(task.data.classes, sizes, strict=True) if n < FEW_SAMPLES]
    if small:
        said.append(f"Fewer than {FEW_SAMPLES} samples in {named_few(small)}.")
    said += _gap_words(task, found)
    constant = int((task.columns.low == task.columns.high).sum())
    if constant:
        said.append(f"{plural(constant, 'feature')} with one value only.")
    return said


def _gap_words(task: Task, found: SetFindings) -> list[str]:
    """Features of the best sets whose gaps tell the classes apart."""
    data = task.data
    place = {name: j for j, name in enumerate(data.feature_names)}
    best = dict.fromkeys(part["feature"] for one in found.sets[:LISTED] for part in one["parts"])
    uneven = []
    for name in best:
        gaps = np.isnan(data.matrix[:, place[name]])
        shares = [gaps[data.codes == c].mean() for c in range(len(data.classes))]
        if max(shares) - min(shares) >= UNEVEN:
            uneven.append(name)
    if not uneven:
        return []
    return [
        f"Missing much more often in one class than in another: {listing(uneven)}. A {found.noun} "
        "with such a feature may say no more than where it was measured."
    ]


def set_summary(content: SetsResult) -> str:
    """The best sets and what is known of them."""
    d, ranking, test = content["data"], content["sets"], content["permutation"]
    lines = [
        f"{printable_name(content['name'])}: {d['n_samples']:,} samples, "
        f"{d['n_features']:,} features; {ranking['title']}",
    ]
    if test is not None:
        lines.append(f"  p        {permutation_words(test, ranking['noun'])}")
    if not ranking["sets"]:
        return "\n".join([*lines, f"  found    {content['headline'][0]}"])
    n = plural(ranking["n_sets"], ranking["noun"])
    if test is None:
        lines.append(f"  found    {n}, not tested")
    else:
        passing = count_passing(ranking["n_passing"], ranking["n_written"], ranking["n_sets"])
        counted = ranking["n_passing"] and not passing.endswith("more")
        kept = f"; {plural(ranking['n_kept'], 'feature')} in these" if counted else ""
        lines.append(f"  found    {passing} of {n} at level {ranking['level']:g}{kept}")
    return "\n".join([*lines, *(f"    {line}" for line in _table_lines(ranking))])


def _table_lines(ranking: SetRanking) -> list[str]:
    """The best sets in columns; all but those that pass, if some do, are left to the files."""
    shown = ranking["sets"][: min(ranking["n_passing"] or SHOWN, SHOWN)]
    measures = ranking["measures"]
    labelled = any(one["label"] is not None for one in shown)
    head = [ranking["noun"], *(["class"] if labelled else []), *(m["key"] for m in measures)]
    rows = [head]
    for one in shown:
        label = [printable_name(one["label"], 20)] if labelled else []
        cells = [_number(one["numbers"][m["key"]], m["form"]) for m in measures]
        rows.append([printable_name(_short_words(one), 90), *label, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = 1 + labelled
    return [
        "  ".join(
            cell.ljust(width) if i < texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _number(value: float | None, form: str) -> str:
    if value is None:
        return ""
    return {"share": f"{value:.0%}", "count": f"{value:,.0f}", "p": f"{value:.2g}"}.get(
        form, f"{value:.3f}"
    )
