"""Sets of features as a result: their graph, tables, remarks and summary."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._core.errors import plural
from .._core.files import atomic
from ..interactions.graph_files import GraphFiles
from ..metrics.permuted_maxima import family_threshold, number_of_permutations
from .schema import (
    FamilyTest,
    FoundSet,
    Measure,
    SetEdge,
    SetFeature,
    SetGraph,
    SetsResult,
)
from .searches import Task
from .words import FEW_SAMPLES, named_few, permutation_words, printable_name

LISTED = 1000  # sets in the dictionary
MOST_FEATURES, MOST_EDGES = 200, 1000  # of the graph
SHOWN = 10  # lines of the summary
JOIN = " + "
NOTHING_PASSES = "None passes the test: take those listed for noise."
NOT_TESTED = "Nothing was tested: the like may be found in noise too."
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
    p_values : sequence of float
        Of the family, a set each; empty without permuted runs.
    headline : sequence of str
        What was searched, in sentences.
    empty : str
        Why there is no set.
    remarks : sequence of str
    settings, reading : sequences of (str, str)
    text : str
        For a paper.
    citations : sequence of str
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
    p_values: Sequence[float]
    headline: Sequence[str] = ()
    empty: str = ""
    remarks: Sequence[str] = ()
    settings: Sequence[tuple[str, str]] = ()
    reading: Sequence[tuple[str, str]] = ()
    text: str = ""
    citations: Sequence[str] = ()
    noun: str = "set"
    looked_at: int | None = None


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


def set_result(task: Task, found: SetFindings) -> SetsResult:
    """Write the tables, and give the dictionary."""
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
        # a run without a set is beaten by any set
        threshold = family_threshold([-1.0 if v is None else v for v in found.maxima], found.level)
    head = task.head(_family_test(found) if tested else None)
    return {
        **head,
        "remarks": [*_remarks(task, found, tested, passing), *found.remarks],
        "sets": {
            "title": found.title,
            "sets": list(found.sets[:LISTED]),
            "noun": found.noun,
            "n_sets": len(found.sets) if found.looked_at is None else found.looked_at,
            "n_passing": passing,
            "n_features": sum(row["sets"] > 0 for row in rows),
            "n_kept": sum(row["kept"] == "yes" for row in rows),
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
        "citations": list(found.citations),
    }


def graph_of_sets(sets: Sequence[FoundSet], by: str) -> SetGraph:
    """The features of the best sets, and which of them stand together.

    A feature's value, and a pair's weight, is the largest of the sets that hold it.
    """
    names: dict[str, int] = {}
    inside: list[np.ndarray] = []
    values = []
    for one in sets[:LISTED]:
        there = dict.fromkeys(part["feature"] for part in one["parts"])
        for name in there:
            if len(names) < MOST_FEATURES:
                names.setdefault(name, len(names))
        inside.append(np.array([names[name] for name in there if name in names], dtype=np.int64))
        values.append(one["numbers"][by] or 0.0)
    n = len(names)
    weight, count = np.full((n, n), -np.inf), np.zeros((n, n), dtype=np.int64)
    for at, value in zip(inside[::-1], values[::-1], strict=True):  # so that the best comes last
        here = np.ix_(at, at)
        weight[here] = np.maximum(weight[here], value)
        count[here] += 1
    kept = {part["feature"] for one in sets[:LISTED] if one["passes"] for part in one["parts"]}
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


def check_level(level: Any, n_permutations: int) -> None:
    """Refuse a level that so many permuted runs cannot reach; 0 runs are no test."""
    number_of_permutations(level, n_permutations or None)


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
        writer.writerows(rows)


def _write_sets(task: Task, found: SetFindings) -> None:
    """Every set, best first."""
    keys = [measure["key"] for measure in found.measures]
    with atomic(task.folder / "sets.csv", "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["set", "order", "class", *keys, "passes"])
        for one in found.sets:
            numbers = ["" if one["numbers"][key] is None else one["numbers"][key] for key in keys]
            passes = {True: "yes", False: "no", None: ""}[one["passes"]]
            label = "" if one["label"] is None else one["label"]
            writer.writerow([set_words(one), len(one["parts"]), label, *numbers, passes])


def _passing_words(found: SetFindings, passing: int, tested: bool) -> list[str]:
    if not found.sets:
        return [f"No {found.noun} was found" + (f": {found.empty}." if found.empty else ".")]
    n = plural(found.looked_at or len(found.sets), found.noun)
    if not tested:
        return [f"{n} found. {NOT_TESTED}"]
    runs = plural(len(found.maxima), "run")
    said = (
        f"{passing:,} of {n} pass{'es' if passing == 1 else ''} the test at level {found.level:g}, "
        f"by {runs} with permuted classes. Where the features say nothing of the classes, "
        f"{found.level:.0%} of analyses would find one or more."
    )
    return [said]


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
    return said


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
    n, kept = plural(ranking["n_sets"], ranking["noun"]), plural(ranking["n_features"], "feature")
    if test is None:
        lines.append(f"  found    {n} of {kept}, not tested")
    else:
        lines.append(
            f"  found    {ranking['n_passing']:,} of {n} at level {ranking['level']:g}; "
            f"{ranking['n_kept']:,} of {kept} in these"
        )
    return "\n".join([*lines, *(f"    {line}" for line in _table_lines(ranking))])


def _table_lines(ranking: Any) -> list[str]:
    """The best sets in columns; all but those that pass, if some do, are left to the files."""
    shown = ranking["sets"][: min(ranking["n_passing"] or SHOWN, SHOWN)]
    measures = ranking["measures"]
    labelled = any(one["label"] is not None for one in shown)
    head = [ranking["noun"], *(["class"] if labelled else []), *(m["key"] for m in measures)]
    rows = [head]
    for one in shown:
        label = [printable_name(one["label"], 20)] if labelled else []
        cells = [_number(one["numbers"][m["key"]], m["form"]) for m in measures]
        rows.append([_short_words(one), *label, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = 1 + labelled
    return [
        "  ".join(
            cell.ljust(width) if i < texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _short_words(one: FoundSet) -> str:
    """The first features of a set, and how many more there are."""
    few: FoundSet = {**one, "parts": one["parts"][:SPELLED]}
    more = len(one["parts"]) - SPELLED
    return printable_name(set_words(few), 80) + (f" + {more:,} more" if more > 0 else "")


def _number(value: float | None, form: str) -> str:
    if value is None:
        return ""
    return {"share": f"{value:.0%}", "count": f"{value:,.0f}", "p": f"{value:.2g}"}.get(
        form, f"{value:.3f}"
    )
