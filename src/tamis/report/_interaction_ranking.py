"""The page of Monte Carlo feature selection: the dictionary as words, tables and graphs."""

from __future__ import annotations

from typing import Any

from .. import plotting
from ..data.class_heading import class_heading
from ..discovery.monte_carlo_summary import NO_EDGE, NOTHING_KEPT
from ..discovery.schema import (
    ClassSize,
    Graph,
    InteractionsResult,
    Network,
    Preset,
    RankedFeature,
    Rule,
    Rules,
)
from ..plotting.importance_cutoff import CutoffPicture
from ._interaction_graphs import graphs_for_script
from ._interaction_words import (
    READING_NOTES,
    conditions_text,
    headline_sentences,
    paper_paragraph,
    settings_rows,
)
from ._numbers import count_text, decimal_text, p_text, percent_text, plural_text
from ._table import Cell, Column, TableView, build_table, computed_column, field_column

P_VALUES = (
    (
        "family_p_value",
        "Family p",
        "adjusted for all features: from the largest importance of each permuted run",
    ),
    (
        "p_value",
        "Single p",
        "of the feature alone, not adjusted for the others: from the "
        "importances of all features in all permuted runs",
    ),
    ("fdr", "FDR", "false discovery rate of the single p by Benjamini and Hochberg"),
)
HEADLINE_REMARKS = (NOTHING_KEPT, NO_EDGE)  # remarks that the headline makes
MAX_PRINTED_RULES = 50  # rules on paper
LEAST_VIEW, MOST_VIEW = 6, 20  # features shown at first


def ranking_view(bare: InteractionsResult) -> dict[str, Any]:
    """The page's content as short formatted strings."""
    r = _with_class_headings(bare)
    ranking, graph, rules = r["ranking"], r["graph"], r["rules"]
    kept = number_kept(r)
    shown = min(max(kept, LEAST_VIEW), MOST_VIEW, len(graph["features"]))
    start: Preset = {"features": shown, "edges": 2 * max(shown, LEAST_VIEW)}
    k = len(ranking["maxima"])
    networks = rules["networks"] if any(n["nodes"] for n in rules["networks"]) else []
    cutoff: CutoffPicture = {
        "features": ranking["features"],
        "maxima": ranking["maxima"],
        "size": kept,
        "threshold": ranking["cutoff"].get("threshold"),
    }
    return {
        "parts": ["interactions_graph.html.j2", "interactions_rules.html.j2"],
        "sentences": headline_sentences(r, kept, shown),
        "nothing": kept == 0,
        "remarks": [remark for remark in r["remarks"] if remark not in HEADLINE_REMARKS],
        "start": start,
        "graph": graph,
        "views": _graph_views(graph, kept),
        "graphs": graphs_for_script(r, start),
        "features": _feature_table(r, kept),
        "edges": _edge_table(graph),
        "n_edges": plural_text(len(graph["edges"]), "edge"),
        "rules": _rule_table(rules),
        "n_rules": len(rules["rules"]),
        "rules_said": _rules_sentence(rules),
        "classes": [c["name"] for c in rules["classes"]],
        "rule_names": rule_features(rules["rules"]),
        "rule_list": [_rule_list_step(rule, at) for at, rule in enumerate(rules["rule_list"])],
        "networks": networks,
        "cutoff": cutoff,
        "n_permuted": f"each of {count_text(k)} runs" if k > 1 else "the one run" if k else "",
        "convergence": ranking["convergence"],
        "settings": settings_rows(r),
        "reading": READING_NOTES,
        "text": paper_paragraph(r, kept),
        "printed": MAX_PRINTED_RULES,
        "tables": ("features", "edges", "rules"),
        "svg": _chart_svgs(r, start, networks, cutoff),
        "nav": _nav_entries(bool(rules["rule_list"]), bool(networks)),
    }


def _with_class_headings(r: InteractionsResult) -> InteractionsResult:
    """Classes called by bare numbers or letters named with their column, wherever they stand."""

    def heading_of_class(name: str) -> str:
        return class_heading(r["target"] or "", name)

    def with_headings(classes: list[ClassSize]) -> list[ClassSize]:
        return [{**c, "name": heading_of_class(c["name"])} for c in classes]

    def with_label_headings(rules: list[Rule]) -> list[Rule]:
        return [{**rule, "label": heading_of_class(rule["label"])} for rule in rules]

    rules = r["rules"]
    return {
        **r,
        "data": {**r["data"], "classes": with_headings(r["data"]["classes"])},
        "rules": {
            **rules,
            "classes": with_headings(rules["classes"]),
            "rules": with_label_headings(rules["rules"]),
            "rule_list": with_label_headings(rules["rule_list"]),
            "networks": [{**n, "label": heading_of_class(n["label"])} for n in rules["networks"]],
        },
    }


def _graph_views(graph: Graph, kept: int) -> list[tuple[str, int, int]]:
    """Buttons above the graph: title, features, edges."""
    n, e, views = len(graph["features"]), len(graph["edges"]), []
    few, light = graph["preset"]["features"], graph["preset"]["edges"]
    if n > few or e > light:
        title = f"{plural_text(min(few, n), 'feature')}, {plural_text(min(light, e), 'edge')}"
        views.append((title, few, light))
    shown = min(kept, n)
    if shown > 1 and shown != few:
        title = f"Kept: {shown}" + (f" of {count_text(kept)}" if shown < kept else "")
        views.append((title, shown, 2 * shown))
    return views


def number_kept(r: InteractionsResult) -> int:
    """Features that the cut-off keeps, or as many as were requested."""
    size = r["ranking"]["cutoff"].get("size")
    return sum(f["selected"] for f in r["graph"]["features"]) if size is None else int(size)


class FeatureRow(RankedFeature):
    """A feature of the ranking and its place there."""

    rank: int
    kept: bool


def _feature_table(r: InteractionsResult, kept: int) -> TableView:
    drawn = {f["name"] for f in r["graph"]["features"]}
    rows: list[FeatureRow] = [
        {**f, "rank": j, "kept": j <= kept} for j, f in enumerate(r["ranking"]["features"], 1)
    ]
    best = max((f["importance"] or 0.0 for f in rows), default=0.0) or 1.0

    def importance_cell(f: FeatureRow) -> Cell:
        value = f["importance"]
        return Cell(decimal_text(value), bar=None if value is None else max(value, 0.0) / best)

    columns = [
        field_column("rank", "#"),
        computed_column(
            "feature",
            lambda f: f["name"],
            "Feature",
            lambda v: Cell(v or "(no name)", href="#graph" if v in drawn else ""),
            numeric=False,
        ),
        Column(
            "importance",
            lambda f: f["importance"],
            "RI",
            importance_cell,
            help="relative importance",
        ),
        *(
            field_column(key, title, p_text, help=words)
            for key, title, words in P_VALUES
            if rows and all(key in f for f in rows)
        ),
        field_column("offered", "Offered", count_text, help="projections that offered the feature"),
        field_column("kept", "Kept", lambda v: "✓" if v else "", help="by the cut-off"),
    ]
    return build_table(
        "features", "Features", columns, rows, lambda f: f["kept"], search=len(rows) > 20
    )


def _edge_table(graph: Graph) -> TableView:
    columns = [
        field_column("source", "Antecedent", lambda v: Cell(v or "(no name)"), numeric=False),
        field_column("target", "Given", lambda v: Cell(v or "(no name)"), numeric=False),
        field_column(
            "weight", "Weight", lambda v: decimal_text(v, 4), help="ID weight per tree offered both"
        ),
        field_column("se", "SE", lambda v: decimal_text(v, 4), help="standard error of the weight"),
        field_column("met", "Met", count_text, help="projections that offered both features"),
        field_column(
            "count",
            "Count",
            count_text,
            help="node pairs behind it: splits on the given below one on the antecedent",
        ),
    ]
    return build_table("edges", "Edges", columns, graph["edges"], search=True)


def rule_features(rules: list[Rule]) -> list[str]:
    """Features that stand in rules, in order of first mention."""
    return list(dict.fromkeys(c["feature"] for rule in rules for c in rule["conditions"]))


def _unseen_cases(rule: Rule) -> str:
    return f"of {count_text(rule['test_support'])}" if rule["test_support"] else ""


def _rule_table(rules: Rules) -> TableView:
    unseen = any(rule["test_support"] is not None for rule in rules["rules"])
    columns = [
        Column(
            "rule",
            conditions_text,
            "If",
            lambda q: Cell(conditions_text(q, short=True)),
            numeric=False,
        ),
        Column("class", lambda q: q["label"], "Then", numeric=False),
        Column(
            "support",
            lambda q: q["support"],
            "Support",
            lambda q: Cell(count_text(q["support"]), f"{count_text(q['correct'])} right"),
            help="samples that meet the conditions",
        ),
        field_column("correct"),
        field_column(
            "accuracy", "Accuracy", percent_text, help="share of these that are of the class"
        ),
        field_column(
            "coverage", "Coverage", percent_text, help="share of the class that meets them"
        ),
        Column(
            "p_value",
            lambda q: q["p_value"],
            "p",
            lambda q: Cell(p_text(q["p_value"]), f"adj. {p_text(q['p_adjusted'])}"),
            help="hypergeometric, of at least so many right; adjusted for the number of rules",
        ),
        field_column("p_adjusted"),
        field_column("trees", "Trees", count_text, help="trees that say it"),
    ]
    if unseen:
        columns += [
            Column(
                "test_accuracy",
                lambda q: q["test_accuracy"],
                "Unseen",
                lambda q: Cell(percent_text(q["test_accuracy"]), _unseen_cases(q)),
                help="accuracy on samples that the tree did not train on; still too good, as "
                "features and rules were chosen with these samples",
            ),
            field_column("test_support"),
        ]
    return build_table("rules", "Rules from trees", columns, rules["rules"])


def _rules_sentence(rules: Rules) -> str:
    shown, found = len(rules["rules"]), rules["n_rules"]
    if not shown:
        return "No rules were found, and so there are no networks of rules."
    most = f"; the best {count_text(shown)} are listed" if shown < found else ""
    return (
        f"{plural_text(found, 'rule')} from {plural_text(rules['n_trees'], 'tree')} of a further "
        f"small forest on the features of the graph{most}."
    )


def _rule_list_step(rule: Rule, at: int) -> dict[str, str]:
    """One step of the ordered list."""
    last = not rule["conditions"]
    return {
        "word": "ELSE" if last else "ELSE IF" if at else "IF",
        "conditions": "" if last else conditions_text(rule, short=True),
        "label": rule["label"],
        "numbers": f"{count_text(rule['correct'])} of {count_text(rule['support'])} right"
        if rule["support"]
        else "no sample left",
    }


def _chart_svgs(
    r: InteractionsResult, start: Preset, networks: list[Network], cutoff: CutoffPicture
) -> dict[str, str | list[str]]:
    updates = r["ranking"]["convergence"]
    return {
        "graph": plotting.id_graph(r["graph"], **start),
        "networks": [plotting.rule_network(n) for n in networks],
        "cutoff": plotting.importance_cutoff(cutoff),
        "convergence": plotting.ranking_convergence(updates) if len(updates) > 1 else "",
    }


def _nav_entries(rule_list: bool, networks: bool) -> list[tuple[str, str, bool]]:
    return [
        ("graph", "Graph of features", True),
        ("cutoff", "Cut-off", True),
        ("features", "Features", True),
        ("rules", "Rules", True),
        ("rule-list", "Rule list", rule_list),
        ("networks", "Rule networks", networks),
    ]
