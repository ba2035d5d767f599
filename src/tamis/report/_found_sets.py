"""The page of a search for sets or pairs: the dictionary as words, tables and graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import plotting
from ..data.class_heading import class_heading
from ..discovery.interface import is_least
from ..discovery.schema import FoundSet, Measure, Preset, SetGraph, SetRanking, SetsResult
from ..discovery.set_result import NOT_TESTED, set_words
from ..plotting._network import node_caption
from ..plotting.importance_cutoff import CutoffPicture, Ranked
from ._interaction_graphs import Rows, ScriptGraph, ScriptGraphs, drawn_edges
from ._numbers import NO_BREAK_SPACE, count_text, decimal_text, p_text, percent_text, plural_text
from ._table import Cell, Column, TableView, build_table, computed_column, field_column

MAX_CHARTED_SETS = 100  # sets
MAX_NAMED_FEATURES = 6  # features of a set
LEAST_VIEW, MOST_VIEW = 6, 20  # features shown at first
NUMBER_FORMS: dict[str, Callable[[Any], str]] = {
    "share": percent_text,
    "value": decimal_text,
    "p": p_text,
    "count": count_text,
}


def sets_view(r: SetsResult) -> dict[str, Any]:
    """The page's content as short formatted strings."""
    ranking, graph, noun = r["sets"], r["graph"], r["sets"]["noun"]
    shown = ranking["sets"]
    target = r["target"] or ""
    labels = [None if s["label"] is None else class_heading(target, s["label"]) for s in shown]
    headed: list[FoundSet] = [{**s, "label": label} for s, label in zip(shown, labels, strict=True)]
    kept = sum(f["selected"] for f in graph["features"])
    first = min(max(kept, LEAST_VIEW), MOST_VIEW, len(graph["features"]))
    start: Preset = {"features": first, "edges": _edges_shown(graph, first)}
    names = list(dict.fromkeys(part["feature"] for s in shown for part in s["parts"]))
    classes = [label for label in dict.fromkeys(labels) if label is not None]
    by = next(m["title"].lower() for m in ranking["measures"] if m["key"] == ranking["by"])
    tested = r["permutation"] is not None
    return {
        "parts": ["interactions_sets.html.j2"],
        "sentences": _found_set_sentences(r),
        "nothing": tested and ranking["n_passing"] == 0,
        "remarks": [remark for remark in r["remarks"] if remark != NOT_TESTED],
        "noun": noun,
        "by": by,
        "tested": tested,
        "start": start,
        "graph": graph,
        "views": _set_graph_views(graph, kept, noun),
        "graphs": _drawn_set_graph(r, headed, names, classes, start, by),
        "features": _feature_table(graph, by, noun),
        "edges": _edge_table(graph, by, noun),
        "n_edges": plural_text(len(graph["edges"]), "edge"),
        "sets": _set_table(headed, ranking["measures"], noun, tested),
        "sets_said": _listed_words(ranking, len(shown)),
        "classes": classes,
        "names": names,
        "chart_said": _chart_words(r, by),
        "settings": r["settings"],
        "reading": r["reading"],
        "text": {"paragraph": r["text"], "citations": r["citations"]},
        "nav": [
            ("graph", "Graph of features", True),
            ("sets", f"{noun.capitalize()}s", shown),
            ("cutoff", "What chance gives", shown),
            ("features", "Features", shown),
        ],
        "svg": {
            "graph": plotting.set_graph(graph, **start),
            "cutoff": plotting.importance_cutoff(_importance_chart(r), by, noun) if shown else "",
        },
        "tables": ("features", "edges", "sets"),
    }


def _found_set_sentences(r: SetsResult) -> list[str]:
    test = r["permutation"]
    if test is None:
        return r["headline"]
    least = ", the minimum possible" if is_least(test) else ""
    first, *others = r["headline"]
    family = (
        f"The family-wise p-value of the best {r['sets']['noun']} is {p_text(test['p_value'])} "
        f"({plural_text(test['n'], 'permuted run')}{least})."
    )
    return [first, family, *others]


def _edges_shown(graph: SetGraph, features: int) -> int:
    """The heaviest edges between so many features: about two a feature, none of equals left out."""
    names = {f["name"] for f in graph["features"][:features]}
    weights = [e["weight"] for e in graph["edges"] if e["source"] in names and e["target"] in names]
    few = 2 * max(features, LEAST_VIEW)
    return few if len(weights) <= few else sum(w >= weights[few - 1] for w in weights)


def _set_graph_views(graph: SetGraph, kept: int, noun: str) -> list[tuple[str, int, int]]:
    """Buttons above the graph: title, features, edges."""
    n, views = len(graph["features"]), []
    if n > LEAST_VIEW:
        views.append((f"{LEAST_VIEW} features", LEAST_VIEW, _edges_shown(graph, LEAST_VIEW)))
    if kept > 1 and kept != LEAST_VIEW:
        views.append((f"In {noun}s that pass: {kept}", kept, _edges_shown(graph, kept)))
    return views


def _set_table(
    shown: list[FoundSet], measures: list[Measure], noun: str, tested: bool
) -> TableView:
    columns = [
        field_column("rank", "#"),
        Column(
            "set", set_words, noun.capitalize(), lambda row: Cell(_cell_words(row)), numeric=False
        ),
    ]
    labelled = any(s["label"] is not None for s in shown)
    columns.append(
        Column("class", lambda row: row["label"], "Class" if labelled else "", numeric=False)
    )
    if tested:
        columns.append(
            field_column(
                "passes",
                "Passes" if any(s["passes"] for s in shown) else "",
                lambda v: "✓" if v else "",
                help="the test",
            )
        )
    columns += [_measure_column(m) for m in measures]
    rows = [{**s, "rank": j} for j, s in enumerate(shown, 1)]
    return build_table(
        "sets",
        f"{noun.capitalize()}s found",
        columns,
        rows,
        lambda row: row["passes"] is True,
        search=len(rows) > 20,
    )


def _cell_words(s: FoundSet) -> str:
    """The first features of a set; a short one with its value is not broken over lines."""
    parts = [set_words({**s, "parts": [part]}) for part in s["parts"][:MAX_NAMED_FEATURES]]
    few = [one.replace(" ", NO_BREAK_SPACE) if len(one) < 30 else one for one in parts]
    more = len(s["parts"]) - MAX_NAMED_FEATURES
    return " + ".join([*few, f"{count_text(more)} more"] if more > 0 else few)


def _measure_column(m: Measure) -> Column:
    show = NUMBER_FORMS[m["form"]]
    return computed_column(
        m["key"], lambda row: row["numbers"].get(m["key"]), m["title"], show, help=m["help"]
    )


def _feature_table(graph: SetGraph, by: str, noun: str) -> TableView:
    best = max((f["value"] for f in graph["features"]), default=0.0) or 1.0
    columns = [
        field_column("rank", "#"),
        computed_column(
            "feature",
            lambda f: f["name"],
            "Feature",
            lambda v: Cell(v or "(no name)", href="#graph"),
            numeric=False,
        ),
        field_column(
            "value",
            f"Best {by}",
            lambda v: Cell(decimal_text(v), bar=max(v, 0.0) / best),
            help=f"of the {noun}s with the feature",
        ),
        field_column("sets", f"{noun.capitalize()}s", count_text, help="listed with the feature"),
    ]
    rows = [{**f, "rank": j} for j, f in enumerate(graph["features"], 1)]
    return build_table(
        "features", "Features", columns, rows, lambda f: f["selected"], search=len(rows) > 20
    )


def _edge_table(graph: SetGraph, by: str, noun: str) -> TableView:
    columns = [
        field_column("source", "Feature", numeric=False),
        field_column("target", "And", numeric=False),
        field_column("weight", f"Best {by}", decimal_text, help=f"of the {noun}s with both"),
        field_column("sets", f"{noun.capitalize()}s", count_text, help="listed with both"),
    ]
    return build_table("edges", "Edges", columns, graph["edges"], search=True)


def _listed_words(ranking: SetRanking, shown: int) -> str:
    n, written = plural_text(ranking["n_sets"], ranking["noun"]), ranking["n_written"]
    if shown == ranking["n_sets"]:
        return f"{n}."
    more = ""
    if shown < written:
        all_ = written == ranking["n_sets"]
        more = f"; sets.csv has {'all' if all_ else f'the best {count_text(written)}'}"
    return f"The best {count_text(shown)} of {n}{more}."


def _importance_chart(r: SetsResult) -> CutoffPicture:
    ranking = r["sets"]
    values: list[Ranked] = [
        {
            "name": _cell_words(s),
            "importance": max(s["numbers"][ranking["by"]] or 0.0, 0.0),
        }
        for s in ranking["sets"][:MAX_CHARTED_SETS]
    ]
    return {
        "features": values,
        "maxima": ranking["maxima"],
        "size": min(ranking["n_passing"], len(values)),
        "threshold": ranking["threshold"],
    }


def _chart_words(r: SetsResult, by: str) -> str:
    ranking, noun = r["sets"], r["sets"]["noun"]
    passing = " (blue: those that pass)" if ranking["n_passing"] else ""
    said = f"The {noun}s listed by {by}{passing}"
    if not ranking["maxima"]:
        return f"The {noun}s listed by {by}. Nothing was tested."
    empty = sum(value is None for value in ranking["maxima"])
    said += f", beside the best of each of {plural_text(len(ranking['maxima']), 'run')} with "
    said += "permuted classes (orange)."
    if empty:
        said += f" In {plural_text(empty, 'run')} there was none."
    return said + (" Dashed: what has to be exceeded." if ranking["threshold"] is not None else "")


def _drawn_set_graph(
    r: SetsResult,
    shown: list[FoundSet],
    names: list[str],
    classes: list[str],
    start: Preset,
    by: str,
) -> ScriptGraphs:
    """What ``assets/graph.js`` draws: nodes, edges and their numbers as text."""
    graph, ranking, noun = r["graph"], r["sets"], r["sets"]["noun"]
    named = {name: j for j, name in enumerate(names)}
    labels = {label: j for j, label in enumerate(classes)}
    inside = [sorted({named[part["feature"]] for part in s["parts"]}) for s in shown]
    rows: Rows = [
        (-1 if s["label"] is None else labels[s["label"]], at)
        for s, at in zip(shown, inside, strict=True)
    ]
    show = NUMBER_FORMS[next(m["form"] for m in ranking["measures"] if m["key"] == ranking["by"])]
    main = _drawn_graph(graph, named, inside, start, by, noun) if graph["features"] else None
    return {
        "main": main,
        "networks": [],
        "rules": rows,
        "listed": {
            "table": "sets",
            "title": f"{noun.capitalize()}s",
            "none": f"In none of the {noun}s listed.",
            "link": f"In the table of {noun}s",
            "before": "",
            "between": ": ",
            "text": "set",
            "notes": [show(s["numbers"][ranking["by"]]) for s in shown],
        },
        "places": list(range(len(graph["features"]))),
    }


def _drawn_graph(
    graph: SetGraph,
    named: dict[str, int],
    inside: list[list[int]],
    start: Preset,
    by: str,
    noun: str,
) -> ScriptGraph:
    features, edges = graph["features"], graph["edges"]
    place = {f["name"]: j for j, f in enumerate(features)}
    best = max((f["value"] for f in features), default=0.0) or 1.0
    most = max((f["sets"] for f in features), default=0) or 1
    heaviest = max((e["weight"] for e in edges), default=0.0) or 1.0
    return {
        "title": "Features that act together",
        "directed": False,
        "many": "features",
        "empty": f"Click a feature to see its numbers, its edges and the {noun}s it stands in.",
        "view": {"nodes": start["features"], "edges": start["edges"]},
        "heaviest": heaviest,
        "nodeFacts": ["Rank", f"Best {by}", f"{noun.capitalize()}s listed", "Test"],
        "edgeFacts": [f"Best {by}", f"{noun.capitalize()}s listed"],
        "tip": [1, 2, 3],
        "nodes": [
            {
                "name": f["name"] or "(no name)",
                "label": node_caption(f["name"]),
                "hue": "",
                "v": round(max(f["value"], 0.0) / best, 3),
                "size": round(f["sets"] / most, 3),
                "ring": f["selected"],
                "named": named.get(f["name"]),
                "rules": [i for i, at in enumerate(inside) if named.get(f["name"], -1) in at],
                "facts": [
                    str(j),
                    decimal_text(f["value"]),
                    count_text(f["sets"]),
                    f"in a {noun} that passes" if f["selected"] else "",
                ],
            }
            for j, f in enumerate(features, 1)
        ],
        "edges": drawn_edges(
            edges, place, heaviest, lambda e: [decimal_text(e["weight"]), count_text(e["sets"])]
        ),
    }
