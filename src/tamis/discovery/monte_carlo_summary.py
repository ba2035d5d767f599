"""What Monte Carlo feature selection found, in words: remarks, and the summary on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.errors import counted_noun, listed_names
from ..data.checks import Summary
from ..data.dataset import Dataset
from ..interactions.rules.rule import condition_text, weights_text
from .interface import Task, printable_name, small_classes, summary_head
from .schema import FamilyTest, Graph, GraphEdge, InteractionsResult, RankedFeature, Ranking
from .schema import Rule as RuleEntry

NOTHING_KEPT = (
    "No feature passes the cut-off. The graph and the rules are of the best features all the same: "
    "treat them as noise."
)
NO_EDGE = (
    "The graph has no edge that weighs two standard errors: where features part the classes one by "
    "one, trees need no second split."
)
MIXED_KINDS = (
    "Features of few values stand beside numbers of many. Without effect the latter have the "
    "larger importances, so the p-values and FDR of single numbers are too small, and those of "
    "the others too large; the family p, and with it the cut-off, allows for it."
)
FEW_OFFERS = 30
CLOSE_TO_CHANCE = 0.02
MANY_LEVELS, MUCH_MISSING = 10, 0.2
MIN_MIXED_SHARE = 0.1  # share of features of each kind
LOOKED_AT = 10  # features, if none is kept
MAX_FEATURE_LINES, MAX_EDGE_LINES, MAX_RULE_LINES = 10, 5, 5  # lines of the summary


def search_remarks(task: Task, ranking: Ranking, graph: Graph) -> list[str]:
    """Plain warnings: what to know before the result is believed."""
    data, columns, settings = task.data, task.columns, task.settings
    found: list[str] = []
    rule, kept = ranking["cutoff"]["rule"], ranking["cutoff"]["size"]
    if kept == 0:
        found.append(NOTHING_KEPT)
    elif rule != "permutations":
        found.append(
            f"The cut-off {rule!r} is no test: it keeps features of data without any effect too."
        )
    chance = 1 / len(data.classes)
    if ranking["accuracy"] < chance + CLOSE_TO_CHANCE:
        found.append(
            f"The trees are hardly better than chance on the samples they did not train on: mean "
            f"weighted accuracy {ranking['accuracy']:.3f}, chance {chance:.3f}."
        )
    found += small_classes(data)
    if settings["balance"] == "auto" and ranking["settings"]["balance"] is not None:
        found.append(
            "The largest class is more than 5 times the smallest: no tree trained on more than "
            f"{ranking['settings']['balance']:g} times as many samples of a class as of the "
            "smallest (balance)."
        )
    offered = ranking["settings"]["s"] * ranking["settings"]["m"] / data.shape[1]
    if offered < FEW_OFFERS:
        found.append(
            f"A feature was offered {offered:.3g} times on average (by default 100): "
            "importance is rough, and weak features are lost."
        )
    if settings["projections"] == "auto" and ranking["cutoff"]["level"] is not None:
        found.append(
            "The number of projections was found on the observed classes: the level of the "
            "cut-off is approximate."
        )
    if settings["second_stage"] < 2:
        found.append(
            "The graph has no second stage: most of its pairs met rarely, and the heaviest edges "
            "of such pairs are luck (look at met and se)."
        )
    if not graph["edges"]:
        found.append(NO_EDGE)
    constant = int((columns.low == columns.high).sum())
    if constant:
        found.append(
            f"{counted_noun(constant, 'feature')} with one value only: no tree splits there."
        )
    return found + _remarks_on_odd_features(data, ranking["features"], kept, columns)


def _remarks_on_odd_features(
    data: Dataset, best: Sequence[RankedFeature], kept: int, columns: Summary
) -> list[str]:
    """Of the best: those whose importance without effect is distributed otherwise."""
    at = [f["column"] for f in best[: kept or LOOKED_AT]]
    share = columns.missing / data.shape[0]
    gaps = [data.feature_names[j] for j in at if share[j] >= MUCH_MISSING]
    many = [data.feature_names[j] for j in at if len(data.levels.get(j, ())) >= MANY_LEVELS]
    tail = (
        "such features have another importance without effect than the rest, and their own "
        "p-values are rough."
    )
    found = []
    if gaps:
        found.append(f"At least {MUCH_MISSING:.0%} missing in {listed_names(gaps)}: {tail}")
    if many:
        found.append(f"At least {MANY_LEVELS} levels in {listed_names(many)}: {tail}")
    if "p_value" in best[0] and _has_mixed_kinds(data, columns):
        found.append(MIXED_KINDS)
    return found


def _has_mixed_kinds(data: Dataset, columns: Summary) -> bool:
    """Whether there are many features of few values and many numbers of more than two."""
    kinds = zip(data.matrix.T, columns.low, columns.high, columns.missing, strict=True)
    few = np.array(
        [((x == low) | (x == high)).sum() + gaps == len(x) for x, low, high, gaps in kinds]
    )
    few[list(data.levels)] = True
    varying = columns.low < columns.high
    return bool(varying.any() and MIN_MIXED_SHARE <= few[varying].mean() <= 1 - MIN_MIXED_SHARE)


def family_test(ranking: Ranking) -> FamilyTest | None:
    """The family p of the best feature; None without permuted runs.

    The one p-value of the full search: those of single features count the importances of all
    features of all runs, and so may be far below 1 in the number of runs and one.

    Examples
    --------
    >>> family_test({"features": [{"family_p_value": 0.05}], "maxima": [0.1] * 19})
    {'p_value': 0.05, 'n': 19, 'least': 0.05}
    """
    best, n = ranking["features"][:1], len(ranking["maxima"])
    p_value = best[0].get("family_p_value") if best else None
    if not n or p_value is None:
        return None
    return {"p_value": p_value, "n": n, "least": 1 / (1 + n)}


def summary_text(content: InteractionsResult) -> str:
    """Kept features, heaviest edges and best rules."""
    d, ranking, graph = content["data"], content["ranking"], content["graph"]
    cut = ranking["cutoff"]
    level = "" if cut["level"] is None else f" at level {cut['level']:g}"
    trees = (
        f"{ranking['n_trees']:,} trees of {ranking['settings']['m']} features, mean weighted "
        f"accuracy {ranking['accuracy']:.3f} (chance {1 / len(d['classes']):.3f})"
    )
    lines = summary_head(content, trees, "feature")
    among = counted_noun(d["n_features"], "feature")
    lines.append(f"  kept     {cut['size']:,} of {among}, by {cut['rule']}{level}")
    shown = ranking["features"][: min(cut["size"], MAX_FEATURE_LINES)]
    if shown:
        lines += [f"    {line}" for line in _feature_lines(shown)]
        if cut["size"] > len(shown):
            lines.append(f"    and {cut['size'] - len(shown):,} more")
    among, edges = _shown_edges(graph)
    if edges:
        lines.append(f"  edges    among the {among}: antecedent -> given, weight (standard error)")
        lines += [f"    {_edge_line(edge)}" for edge in edges]
    rules = content["rules"]
    if rules["rules"]:
        lines.append(f"  rules    best of {rules['n_rules']:,}, (samples/wrong ones)")
        lines += [
            f"    {printable_name(_rule_line(rule), 200)}"
            for rule in rules["rules"][:MAX_RULE_LINES]
        ]
    return "\n".join(lines)


def _rule_line(rule: RuleEntry) -> str:
    """As its `text`, of the names that people are shown."""
    conditions = [condition_text((c["feature"], c["op"], c["value"])) for c in rule["conditions"]]
    weights = weights_text(rule["support"], rule["correct"])
    return f"IF {' AND '.join(conditions) or 'true'} THEN {rule['label']} {weights}"


def _feature_lines(features: Sequence[RankedFeature]) -> list[str]:
    """Importance and p-values in columns."""
    names = ["feature", *(printable_name(f["name"]) for f in features)]
    width = max(map(len, names))
    tested = "p_value" in features[0]
    head = f"{'RI':>8}" + (f"{'family p':>10}{'single p':>10}" if tested else "")
    lines = [f"{names[0]:<{width}}{head}"]
    for name, f in zip(names[1:], features, strict=True):
        line = f"{name:<{width}}{f['importance']:>#8.3g}"
        if tested:
            line += f"{f['family_p_value']:>10.2g}{f['p_value']:>10.2g}"
        lines.append(line)
    return lines


def _shown_edges(graph: Graph) -> tuple[str, list[GraphEdge]]:
    """The heaviest edges among the kept features, or else among the best, as the source has it."""
    shown, among = [f["name"] for f in graph["features"] if f["selected"]], "kept"
    if len(shown) < 2:
        shown = [f["name"] for f in graph["features"][: graph["preset"]["features"]]]
        among = f"best {len(shown)}"
    ends = set(shown)
    edges = [e for e in graph["edges"] if e["source"] in ends and e["target"] in ends]
    return among, edges[:MAX_EDGE_LINES]


def _edge_line(edge: GraphEdge) -> str:
    se = "" if edge["se"] is None else f" ({edge['se']:.2g})"
    ends = f"{printable_name(edge['source'])} -> {printable_name(edge['target'])}"
    return f"{ends}  {edge['weight']:.3g}{se}"
