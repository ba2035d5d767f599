"""The page of `tamis interact`: the dictionary as words, tables and graphs, then rendered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import plotting
from .._core.errors import StoreError, listing
from ..data.class_heading import class_heading
from ..discovery.words import NO_EDGE, NOTHING_KEPT
from ._interaction_graphs import graphs
from ._interaction_words import conditions, paper, sentences, settings
from ._numbers import amount, decimal, p_text, percent, plain, plural
from ._render import _asset, _environment, embed, policy
from ._table import Cell, Column, build

KEYS = (
    "name", "target", "seed", "versions", "data", "ranking", "graph", "rules", "remarks",
)  # fmt: skip
P_VALUES = (
    ("family_p_value", "Family p", "adjusted for all features: from the largest importance of "
     "each permuted run"),
    ("p_value", "Single p", "of the feature alone, not adjusted for the others: from the "
     "importances of all features in all permuted runs"),
    ("fdr", "FDR", "false discovery rate of the single p by Benjamini and Hochberg"),
)  # fmt: skip
SAID = (NOTHING_KEPT, NO_EDGE)  # remarks that the headline makes
PRINTED = 50  # rules on paper
LEAST_VIEW, MOST_VIEW = 6, 20  # features shown at first


def render_interactions(result: dict[str, Any]) -> str:
    """The page's HTML; only charts and assets pass unescaped."""
    from markupsafe import Markup

    page = view(result)
    script = _asset("report.js") + _asset("graph.js")
    return _environment().get_template("interactions.html.j2").render(
        **page,
        svg=_charts(page),
        css=Markup(_asset("report.css") + _asset("interactions.css")),
        script=Markup(script),
        embedded=Markup(embed({t["name"]: t["data"] for t in tables(page)})),
        drawn=Markup(embed(page["graphs"])),
        policy=policy(script),
        nav=_nav(page),
    )  # fmt: skip


def view(result: dict[str, Any]) -> dict[str, Any]:
    """The page's content as short formatted strings."""
    _check(result)
    bare = plain(result)
    r = _headed(bare)
    ranking, graph, rules = r["ranking"], r["graph"], r["rules"]
    kept = number_kept(r)
    start = {"features": min(max(kept, LEAST_VIEW), MOST_VIEW, len(graph["features"]))}
    start["edges"] = 2 * max(start["features"], LEAST_VIEW)
    k = len(ranking["maxima"])
    return {
        "title": f"Interactions in {r['name']}" if r["name"] else "Interactions",
        "subtitle": _subtitle(bare),  # it names the column itself
        "sentences": sentences(r, kept, start["features"]),
        "nothing": kept == 0,
        "remarks": [remark for remark in r["remarks"] if remark not in SAID],
        "start": start,
        "graph": graph,
        "views": _views(graph, kept),
        "graphs": graphs(r, start),
        "features": _features(r, kept),
        "edges": _edges(graph),
        "n_edges": plural(len(graph["edges"]), "edge"),
        "rules": _rules(rules),
        "n_rules": len(rules["rules"]),
        "rules_said": _rules_said(rules),
        "classes": [c["name"] for c in rules["classes"]],
        "rule_names": rule_features(rules["rules"]),
        "rule_list": [_line(rule, at) for at, rule in enumerate(rules["rule_list"])],
        "networks": rules["networks"] if any(n["nodes"] for n in rules["networks"]) else [],
        "cutoff": {
            "features": ranking["features"], "maxima": ranking["maxima"], "size": kept,
            "threshold": ranking["cutoff"].get("threshold"),
        },
        "n_permuted": f"each of {amount(k)} runs" if k > 1 else "the one run" if k else "",
        "convergence": ranking["convergence"],
        "settings": settings(r),
        "text": paper(r, kept),
        "version": r["versions"].get("tamis", ""),
        "printed": PRINTED,
    }  # fmt: skip


def _check(result: dict[str, Any]) -> None:
    if result.get("schema") != 1 or result.get("kind") != "interactions":
        raise StoreError(
            f"result has schema {result.get('schema')!r} and kind {result.get('kind')!r}, this "
            "version writes pages of schema 1 and kind 'interactions'; run `tamis interact` again"
        )
    lacking = [key for key in KEYS if key not in result]
    if lacking:
        raise StoreError(f"result lacks {listing(lacking)}; run `tamis interact` again")


def _headed(r: dict[str, Any]) -> dict[str, Any]:
    """Classes called by bare numbers or letters named with their column, wherever they stand."""

    def heading(name: str) -> str:
        return class_heading(r["target"] or "", name)

    def named(rows: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
        return [{**row, key: heading(row[key])} for row in rows]

    rules = r["rules"]
    return {
        **r,
        "data": {**r["data"], "classes": named(r["data"]["classes"], "name")},
        "rules": {
            **rules,
            "classes": named(rules["classes"], "name"),
            **{key: named(rules[key], "label") for key in ("rules", "rule_list", "networks")},
        },
    }


def _views(graph: dict[str, Any], kept: int) -> list[tuple[str, int, int]]:
    """Buttons above the graph: title, features, edges."""
    n, e, views = len(graph["features"]), len(graph["edges"]), []
    few, light = graph["preset"]["features"], graph["preset"]["edges"]
    if n > few or e > light:
        views.append((f"{plural(min(few, n), 'feature')}, {plural(min(light, e), 'edge')}",
                      few, light))  # fmt: skip
    shown = min(kept, n)
    if shown > 1 and shown != few:
        title = f"Kept: {shown}" + (f" of {amount(kept)}" if shown < kept else "")
        views.append((title, shown, 2 * shown))
    return views


def _subtitle(r: dict[str, Any]) -> str:
    d = r["data"]
    sizes = ", ".join(f"{c['name']} ({amount(c['size'])})" for c in d["classes"][:6])
    more = ", …" if len(d["classes"]) > 6 else ""
    return (
        f"{plural(d['n_samples'], 'sample')}, {plural(d['n_features'], 'feature')}; "
        f"{r['target'] or 'classes'}: {sizes}{more}"
    )


def number_kept(r: dict[str, Any]) -> int:
    """Features that the cut-off keeps, or as many as were asked for."""
    size = r["ranking"]["cutoff"].get("size")
    return sum(f["selected"] for f in r["graph"]["features"]) if size is None else int(size)


def _features(r: dict[str, Any], kept: int) -> dict[str, Any]:
    drawn = {f["name"] for f in r["graph"]["features"]}
    rows = [{**f, "rank": j, "kept": j <= kept}
            for j, f in enumerate(r["ranking"]["features"], 1)]  # fmt: skip
    best = max((f["importance"] or 0.0 for f in rows), default=0.0) or 1.0

    def importance(f: dict[str, Any]) -> Cell:
        value = f["importance"]
        return Cell(decimal(value), bar=None if value is None else max(value, 0.0) / best)

    columns = [
        Column("rank", lambda f: f["rank"], "#", lambda f: str(f["rank"])),
        Column("feature", lambda f: f["name"], "Feature",
               lambda f: Cell(f["name"] or "(no name)",
                              href="#graph" if f["name"] in drawn else ""), numeric=False),
        Column("importance", lambda f: f["importance"], "RI", importance,
               help="relative importance"),
        *(_p_column(*one) for one in P_VALUES if rows and all(one[0] in f for f in rows)),
        Column("offered", lambda f: f["offered"], "Offered", lambda f: amount(f["offered"]),
               help="projections that offered the feature"),
        Column("kept", lambda f: f["kept"], "Kept", lambda f: "✓" if f["kept"] else "",
               help="by the cut-off"),
    ]  # fmt: skip
    return build("features", "Features", columns, rows, lambda f: f["kept"], search=len(rows) > 20)


def _p_column(key: str, title: str, words: str) -> Column:
    return Column(key, lambda f: f[key], title, lambda f: p_text(f[key]), help=words)


def _edges(graph: dict[str, Any]) -> dict[str, Any]:
    columns = [
        Column("source", lambda e: e["source"], "Antecedent",
               lambda e: Cell(e["source"] or "(no name)"), numeric=False),
        Column("target", lambda e: e["target"], "Given",
               lambda e: Cell(e["target"] or "(no name)"), numeric=False),
        Column("weight", lambda e: e["weight"], "Weight", lambda e: decimal(e["weight"], 4),
               help="ID weight per tree offered both"),
        Column("se", lambda e: e["se"], "SE", lambda e: decimal(e["se"], 4),
               help="standard error of the weight"),
        Column("met", lambda e: e["met"], "Met", lambda e: amount(e["met"]),
               help="projections that offered both features"),
        Column("count", lambda e: e["count"], "Count", lambda e: amount(e["count"]),
               help="node pairs behind it: splits on the given below one on the antecedent"),
    ]  # fmt: skip
    return build("edges", "Edges", columns, graph["edges"], search=True)


def rule_features(rules: list[dict[str, Any]]) -> list[str]:
    """Features that stand in rules, in order of first mention."""
    return list(dict.fromkeys(c["feature"] for rule in rules for c in rule["conditions"]))


def _rules(rules: dict[str, Any]) -> dict[str, Any]:
    unseen = any(rule["test_support"] is not None for rule in rules["rules"])
    columns = [
        Column("rule", conditions, "If", lambda q: Cell(conditions(q, short=True)),
               numeric=False),
        Column("class", lambda q: q["label"], "Then", numeric=False),
        Column("support", lambda q: q["support"], "Support",
               lambda q: Cell(amount(q["support"]), f"{amount(q['correct'])} right"),
               help="samples that meet the conditions"),
        Column("correct", lambda q: q["correct"]),
        Column("accuracy", lambda q: q["accuracy"], "Accuracy",
               lambda q: percent(q["accuracy"]), help="share of these that are of the class"),
        Column("coverage", lambda q: q["coverage"], "Coverage",
               lambda q: percent(q["coverage"]), help="share of the class that meets them"),
        Column("p_value", lambda q: q["p_value"], "p",
               lambda q: Cell(p_text(q["p_value"]), f"adj. {p_text(q['p_adjusted'])}"),
               help="hypergeometric, of at least so many right; adjusted for the number of rules"),
        Column("p_adjusted", lambda q: q["p_adjusted"]),
        Column("trees", lambda q: q["trees"], "Trees", lambda q: amount(q["trees"]),
               help="trees that say it"),
    ]  # fmt: skip
    if unseen:
        columns += [
            Column("test_accuracy", lambda q: q["test_accuracy"], "Unseen",
                   lambda q: Cell(percent(q["test_accuracy"]),
                                  f"of {amount(q['test_support'])}" if q["test_support"] else ""),
                   help="accuracy on samples that the tree did not train on; still flatters, as "
                   "features and rules were chosen with these samples"),
            Column("test_support", lambda q: q["test_support"]),
        ]  # fmt: skip
    return build("rules", "Rules from trees", columns, rules["rules"])


def _rules_said(rules: dict[str, Any]) -> str:
    shown, found = len(rules["rules"]), rules["n_rules"]
    if not shown:
        return "No rules were found, and so there are no networks of rules."
    most = f"; the best {amount(shown)} are listed" if shown < found else ""
    return (
        f"{plural(found, 'rule')} from {plural(rules['n_trees'], 'tree')} of a further small "
        f"forest on the features of the graph{most}."
    )


def _line(rule: dict[str, Any], at: int) -> dict[str, Any]:
    """One step of the ordered list."""
    last = not rule["conditions"]
    return {
        "word": "ELSE" if last else "ELSE IF" if at else "IF",
        "conditions": "" if last else conditions(rule, short=True),
        "label": rule["label"],
        "numbers": f"{amount(rule['correct'])} of {amount(rule['support'])} right"
        if rule["support"] else "no sample left",
    }  # fmt: skip


def tables(page: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every table of the page."""
    yield from (page[name] for name in ("features", "edges", "rules"))


def _charts(page: dict[str, Any]) -> dict[str, Any]:
    return {
        "graph": plotting.id_graph(page["graph"], **page["start"]),
        "networks": [plotting.rule_network(n) for n in page["networks"]],
        "cutoff": plotting.importance_cutoff(page["cutoff"]),
        "convergence": plotting.ranking_convergence(page["convergence"])
        if len(page["convergence"]) > 1 else "",
    }  # fmt: skip


def _nav(page: dict[str, Any]) -> list[tuple[str, str]]:
    entries = [
        ("headline", "Headline", True), ("remarks", "Remarks", page["remarks"]),
        ("graph", "Graph of features", True), ("cutoff", "Cut-off", True),
        ("features", "Features", True), ("rules", "Rules", True),
        ("rule-list", "Rule list", page["rule_list"]),
        ("networks", "Rule networks", page["networks"]),
        ("reading", "How to read this", True), ("text", "For the paper", True),
    ]  # fmt: skip
    return [(name, title) for name, title, there in entries if there]
