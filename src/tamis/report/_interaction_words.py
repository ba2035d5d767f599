"""What the page of `tamis interact` says in sentences: on top, and for a paper."""

from __future__ import annotations

from typing import TypedDict

from .._core.citations import CITATIONS
from .._core.errors import shorten_text
from ..discovery.interface import is_least
from ..discovery.monte_carlo_summary import family_test
from ..discovery.schema import Cutoff, Graph, InteractionsResult, Rule
from ..interactions.graphs.graph import MOST_FEATURES
from ..metrics.permuted_maxima import attained_level
from ..plotting.rule_network import limit_label
from ._numbers import NO_BREAK_SPACE, count_text, decimal_text, p_text, percent_text, plural_text

OPERATOR_SIGNS = {"<=": "≤", ">": ">", "=": "="}
RULE_SENTENCES = {
    "kmeans": "it is in the upper of two clusters of importance (2-means)",
    "angle": "it stands before the importances level off (critical angle)",
    "mean": "it is among the best k, k the mean of the sizes of the permutation, 2-means and "
    "critical-angle rules",
    "contrast": "its importance exceeds the .95 quantile of that of uniform noise columns",
}
MOST_RECALLS = 6
READING_NOTES = (
    (
        "Projection",
        "A random draw of m features. The trees of a projection are offered these features "
        "alone, each with another split of the samples into training and test set.",
    ),
    (
        "Relative importance",
        "How much the trees that were offered a feature made of it: gain ratio times the share "
        "of the samples at the node, weighted by the tree's accuracy, averaged over these "
        "trees.",
    ),
    (
        "Edge",
        "How much trees gain from the given feature below a split on the antecedent, averaged "
        "over the trees that were offered both. An edge says that one feature is of use once "
        "the other is known. It is no test of interaction: two features that each help alone "
        "are joined as well, often by the heavier edge. It says nothing of causes, and two "
        "correlated features may take each other's place.",
    ),
    (
        "Standard error",
        "From the scatter between projections on these same samples: it says how exact the "
        "weight is, not whether the edge would be found in other samples, and edges between "
        "features of noise exceed it many times. Read edges between kept features. Edges of "
        "less than two standard errors are left out here; edges.csv has all.",
    ),
    (
        "Rule network",
        "Two conditions are joined if rules hold both; the weight is the sum of support times "
        "accuracy over these rules, each as often as trees say it.",
    ),
)


def conditions_text(rule: Rule, short: bool = False) -> str:
    """``a > 1.5 AND b = yes``; names of any length cut if `short`.

    Examples
    --------
    >>> conditions_text({"conditions": [{"feature": "a", "op": "<=", "value": -0.25}]})
    'a ≤ −0.25'
    """
    said = [
        f"{shorten_text(c['feature'], 48) if short else c['feature']} {OPERATOR_SIGNS[c['op']]} "
        f"{_value_text(c['value'], short)}"
        for c in rule["conditions"]
    ]
    if short:  # a short condition is not broken over lines
        said = [one.replace(" ", NO_BREAK_SPACE) if len(one) < 30 else one for one in said]
    return " AND ".join(said)


def _value_text(value: float | str, short: bool) -> str:
    if isinstance(value, str):
        return shorten_text(value, 48) if short else value
    return limit_label(value)


def name_in_sentence(name: str) -> str:
    """A feature inside a sentence."""
    return shorten_text(name, 48) or "(no name)"


def headline_sentences(r: InteractionsResult, kept: int, drawn: int) -> list[str]:
    """Plain words for whoever reads nothing else."""
    return [
        *_cutoff_sentences(r, kept),
        *_family_sentences(r),
        _tree_sentence(r),
        *_edge_sentences(r["graph"], kept, drawn),
    ]


def _family_sentences(r: InteractionsResult) -> list[str]:
    """The p-value of the full search, and what it may be at least."""
    test = family_test(r["ranking"])
    if test is None:
        return []
    runs = plural_text(test["n"], "permuted run")
    return [
        "The family-wise p-value compares the importance of the best feature with the largest of "
        f"each of {runs}."
    ]


def _family_text(r: InteractionsResult) -> str:
    """``(family-wise p = 0.05)``, where there is such a p."""
    test = family_test(r["ranking"])
    if test is None:
        return ""
    least = ", the minimum possible" if is_least(test) else ""
    return f" (family-wise p = {p_text(test['p_value'])}{least})"


def _cutoff_sentences(r: InteractionsResult, kept: int) -> list[str]:
    cutoff, p = r["ranking"]["cutoff"], r["data"]["n_features"]
    rule, k = cutoff.get("rule"), len(r["ranking"]["maxima"])
    if not kept:
        said = [f"None of {plural_text(p, 'feature')} is shown to matter{_family_text(r)}."]
        if rule == "permutations":
            said.append(_permutation_rule(cutoff, k))
        if r["graph"]["features"]:
            below = "graph and the rules below are" if r["rules"]["rules"] else "graph below is"
            said.append(
                f"The {below} of features that do not differ from noise. Do not interpret them."
            )
        return said
    some = f"{count_text(kept)} of {plural_text(p, 'feature')}"
    if rule is None:
        are = "is" if kept == 1 else "are"
        return [f"{some} {are} kept, the number requested. Whether they matter was not tested."]
    if rule == "permutations":
        matter = "matters" if kept == 1 else "matter"
        return [f"{some} {matter}{_family_text(r)}.", _permutation_rule(cutoff, k)]
    words = RULE_SENTENCES.get(rule, f"the rule “{rule}” says so")
    return [
        f"{some} {'is' if kept == 1 else 'are'} kept by the cut-off{_family_text(r)}.",
        f"A feature is kept if {words}. This rule does not bound false findings.",
    ]


def _permutation_rule(cutoff: Cutoff, k: int) -> str:
    level = cutoff["level"] or 0.0  # this rule has one
    attained = attained_level(level, k)
    reached = round(attained * (k + 1))
    chance = percent_text(attained, 1).replace(".0", "")
    if reached <= 1:
        runs = f"each of {count_text(k)} runs" if k > 1 else "the one run"
        rule = f"its importance exceeds the largest one in {runs}"
    else:
        rule = f"its importance is reached in fewer than {reached} of {plural_text(k, 'run')}"
    return (
        f"A feature is kept if {rule} with permuted classes (level {level:g}). Without any effect "
        f"{chance} of analyses would keep one or more."
    )


def _tree_sentence(r: InteractionsResult) -> str:
    ranking, classes = r["ranking"], r["data"]["classes"]
    mean, chance = ranking["accuracy"], 1 / max(len(classes), 1)
    if mean is None:
        return "The trees were not tested."
    beside = f"where guessing gives {decimal_text(chance, 2)}"
    if mean <= chance:
        beside = f"no better than guessing ({decimal_text(chance, 2)})"
    each = [
        (v, f"{name_in_sentence(c['name'])} {decimal_text(v, 2)}")
        for c, v in zip(classes, ranking["recalls"], strict=False)
    ]
    if len(each) > MOST_RECALLS:
        each.sort(key=lambda it: it[0])
        recalls = f"from {each[0][1]} to {each[-1][1]}"
    else:
        recalls = ", ".join(words for _, words in each)
    return (
        f"{plural_text(ranking['n_trees'], 'tree')} on a few random features each classify the "
        f"samples they did not see with a mean weighted accuracy (wAcc) of {decimal_text(mean)}, "
        f"{beside}; recall: {recalls}."
    )


def _edge_sentences(graph: Graph, kept: int, drawn: int) -> list[str]:
    """Between kept features alone: edges between features of noise may weigh more.

    Of the kept, those that the graph shows at first.
    """
    if not graph["edges"]:
        return ["No edge of the graph weighs two standard errors."]
    if not kept:
        return []
    names = {f["name"] for f in graph["features"][:drawn] if f["selected"]}
    edges = [e for e in graph["edges"] if {e["source"], e["target"]} <= names][:3]
    if not edges:
        return ["No edge joins two kept features."]
    ends = [(name_in_sentence(e["source"]), name_in_sentence(e["target"])) for e in edges]
    words = [
        f"{a} → {b} ({decimal_text(e['weight'])})" for (a, b), e in zip(ends, edges, strict=True)
    ]
    first, given = ends[0]
    return [
        f"Heaviest {'edge' if len(words) == 1 else 'edges'} between kept features: "
        f"{', '.join(words)}. An arrow a → b says that below a split on a, trees split on b: here "
        f"on {given} once {first} is known. It is no test of interaction."
    ]


def settings_rows(r: InteractionsResult) -> list[tuple[str, str]]:
    """What was set, in words and as a number."""
    s, g, cutoff = r["ranking"]["settings"], r["graph"]["settings"], r["ranking"]["cutoff"]
    given = [
        ("Features a projection, m", s.get("m")),
        ("Projections, s", s.get("s")),
        ("Splits of each, t", s.get("t")),
        ("Exponent of wAcc, u", s.get("u")),
        ("Exponent of a node's share, v", s.get("v")),
        ("Balance: most of a class, times the smallest", s.get("balance")),
        ("Cut-off", cutoff.get("rule")),
        ("Level", cutoff.get("level")),
        ("Runs with permuted classes, k", s.get("n_permutations")),
        ("Features of the second stage", _second_stage_size(r)),
        ("Features of its projections", g.get("second_m")),
        ("Its projections", g.get("projections")),
        ("Most ancestors of a node", s.get("max_ancestors")),
        ("Seed", r["seed"]),
    ]
    return [(words, _setting_text(value)) for words, value in given if value is not None]


def _setting_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _second_stage_size(r: InteractionsResult) -> int | None:
    """How many of the best features the second stage is of; None without one."""
    most, shown = r["graph"]["settings"].get("second_stage"), len(r["graph"]["features"])
    if not most:
        return None
    return min(most, shown if shown < MOST_FEATURES else r["data"]["n_features"])


def _second_stage_words(r: InteractionsResult, best: int) -> str:
    g = r["graph"]["settings"]
    return (
        f", from a second stage of {plural_text(g['projections'], 'projection')} of "
        f"{plural_text(g['second_m'], 'feature')} each, {count_text(g['second_top'])} of them from "
        f"the best {count_text(best)}"
    )


def _count_words(count: int | None, one: str) -> str:
    return count_text(None) + f" {one}s" if count is None else plural_text(count, one)


class Paper(TypedDict):
    """A paragraph with its sources."""

    paragraph: str
    citations: list[str]


def paper_paragraph(r: InteractionsResult, kept: int) -> Paper:
    """A paragraph with its sources."""
    s, rules = r["ranking"]["settings"], r["rules"]
    cutoff, d = r["ranking"]["cutoff"], r["data"]
    version = r["versions"].get("tamis", "")
    train = "66 % of every class"
    if s.get("balance") is not None:
        train = (
            f"66 % of the smallest class and at most {s['balance']:g} times as many of any other"
        )
    text = (
        f"Features of {plural_text(d['n_samples'], 'sample')} in {len(d['classes'])} classes were "
        f"ranked by Monte Carlo feature selection (Dramiński et al. 2008) with Tamis {version}: "
        f"s = {_count_words(s.get('s'), 'projection')} (draws of features), each of "
        f"m = {count_text(s.get('m'))} of {plural_text(d['n_features'], 'feature')}, "
        f"t = {_count_words(s.get('t'), 'split')} each into training ({train}) and test set, C4.5 "
        f"trees, u = {_setting_text(s.get('u', 1))}, v = {_setting_text(s.get('v', 1))}, "
        f"seed {r['seed']}. "
    )
    if cutoff.get("rule") == "permutations":
        text += (
            f"{plural_text(kept, 'feature')} passed the cut-off at level {cutoff['level']:g}, from "
            f"k = {plural_text(len(r['ranking']['maxima']), 'run')} with permuted classes. "
        )
    elif cutoff.get("rule"):
        text += f"{plural_text(kept, 'feature')} passed the cut-off “{cutoff['rule']}”. "
    else:
        text += f"The best {plural_text(kept, 'feature')} {'was' if kept == 1 else 'were'} kept. "
    if r["graph"]["edges"]:
        best = _second_stage_size(r)
        stage = _second_stage_words(r, best) if best else ""
        text += (
            "Interdependencies are the ID weights of pairs of features (Dramiński et al. 2016) per "
            f"tree that was offered both{stage}. "
        )
    if rules["rules"]:
        text += (
            f"{plural_text(rules['n_rules'], 'rule')} {'was' if rules['n_rules'] == 1 else 'were'} "
            f"read from {plural_text(rules['n_trees'], 'tree')} of a further small forest on the "
            "features of the graph; p-values of rules are hypergeometric and do not allow for the "
            "search that found them. "
        )
    listed = any(rule["conditions"] for rule in rules["rule_list"])
    used = {
        "draminski2008": True,
        "draminski2016": bool(r["graph"]["edges"]),
        "quinlan1993": True,
        "cohen1995": listed,
        "bornelov2014": any(n["nodes"] for n in rules["networks"]),
    }
    if listed:
        text += "The ordered rule list was made by RIPPER (Cohen 1995). "
    return {
        "paragraph": text.strip(),
        "citations": [CITATIONS[key] for key, there in used.items() if there],
    }
