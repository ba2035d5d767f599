"""Stability selection: how often random halves of the samples select each feature."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

from ..selection._error_bounds import is_inconclusive, verdict_words
from ..study.results.evidence_schema import SelectionPath, StabilitySelection
from ..study.results.schema import MethodEntry, StudyContent
from ._blocks import Block, table_name
from ._numbers import NO_BREAK_SPACE, count_text, decimal_text, percent_text, plural_text
from ._table import Cell, build_table, computed_column, field_column

KIND = "stability_selection"
BOUND_ASSUMPTIONS = {
    "meinshausen_buhlmann": "whatever the data (the bound of Meinshausen and Bühlmann)",
    "unimodal": "if the share of the pairs in which both halves select such a feature has a "
    "distribution with one peak (the unimodal bound of Shah and Samworth)",
    "r_concave": "if the shares of the halves, and of the pairs of halves, that select such a "
    "feature have r-concave distributions, which asks for more than one peak (the r-concave bound "
    "of Shah and Samworth)",
}


def selection_block(
    method: MethodEntry, content: Mapping[str, object], number: int, result: StudyContent
) -> Block:
    """A method whose ranking of all samples is by selection probability."""
    given = cast(StabilitySelection, content)
    details = {
        f["name"]: f"#feature-{i}"
        for i, f in enumerate(result["features"], 1)
        if f.get("distribution") or f.get("scores")
    }
    threshold = given["threshold"]

    def is_stable(feature: SelectionPath) -> bool:
        return feature["probability"] >= threshold

    columns = [
        field_column("rank", "#"),
        computed_column(
            "feature",
            lambda f: f["name"],
            "Feature",
            lambda v: Cell(v, href=details.get(v, "")),
            numeric=False,
        ),
        field_column(
            "probability",
            "Selected",
            lambda v: Cell(percent_text(v), bar=v, mark=threshold),
            help="share of the halves that selected the feature",
        ),
        computed_column(
            "at_threshold",
            is_stable,
            f"≥{NO_BREAK_SPACE}{percent_text(threshold)}",
            lambda v: "✓" if v else "",
            help="at or above the threshold",
        ),
    ]
    rows = [{**f, "rank": i} for i, f in enumerate(given["features"], 1)]
    return {
        "name": method["name"],
        "label": method["label"],
        "chart": content,
        "said": [_subsampling_words(given), _error_bound_words(given)],
        "verdict": _capitalised_sentence(verdict_words(given["n_stable"], given["pfer"])),
        "caption": _selection_path_caption(given),
        "rest": f"{plural_text(given['n_selected'], 'feature')} "
        f"{'was' if given['n_selected'] == 1 else 'were'} selected by at least one half; the "
        f"first {count_text(len(rows))} are shown, and all are in tables/features.tsv."
        if given["n_selected"] > len(rows)
        else "",
        "tables": [
            build_table(
                table_name(KIND, number),
                f"Selection probabilities: {method['label']}",
                columns,
                rows,
                is_stable,
            )
        ],
    }


def _subsampling_words(given: StabilitySelection) -> str:
    """What was done, in plain words."""
    pairs, q = given["n_pairs"], plural_text(given["q"], "feature")
    each, when = f"the best {q} were selected", "selected it"
    if given["lambdas"]:
        each = f"the penalty was relaxed step by step, for as long as at most {q} had entered the "
        each, when = each + "model", "have it in the model, at the step where that is most"
    return (
        f"All samples were split {count_text(pairs)} times into two random halves. On each half "
        f"{each}. The selection probability of a feature is the share of the "
        f"{count_text(2 * pairs)} halves that {when}."
    )


def _error_bound_words(given: StabilitySelection) -> str:
    """What the threshold promises, and under which assumption."""
    n, threshold = given["n_stable"], percent_text(given["threshold"])
    found = f"{plural_text(n, 'feature')} reached" if n else "No feature reached"
    chance = percent_text(given["q"] / given["n_columns"], 1)
    return (
        f"{found} the threshold of {threshold}. The number of false selections among those that "
        f"reach it is expected to be at most {_rounded_up_text(given['pfer'])} on average, "
        f"{BOUND_ASSUMPTIONS.get(given['bound'], given['bound'])}. A false selection is a feature "
        "that a "
        "random half selects no more often than by drawing lots "
        f"({given['q']} of {count_text(given['n_columns'])}, {chance})."
    )


def _capitalised_sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _rounded_up_text(value: float) -> str:
    """A bound with two decimals, rounded up.

    Examples
    --------
    >>> _rounded_up_text(0.9811), _rounded_up_text(1.0), _rounded_up_text(0.0004)
    ('0.99', '1', '0.01')
    """
    up = math.ceil(value * 100 - 1e-9) / 100
    return decimal_text(up, 2).rstrip("0").rstrip(".")


def _selection_path_caption(given: StabilitySelection) -> str:
    along = "as the penalty falls" if given["lambdas"] else "had fewer been selected on each half"
    return f"Selection probabilities {along}, all samples. Dashed: the threshold."


def probability_words(value: float, method: MethodEntry) -> str:
    """A feature's selection probability under a method, against its threshold."""
    content = method.get("evidence", {}).get(KIND)
    if content is None:
        return f"Selection probability {percent_text(value)} ({method['name']})."
    given = cast(StabilitySelection, content)
    side = "at or above" if value >= given["threshold"] else "below"
    few = value >= given["threshold"] and is_inconclusive(given["n_stable"], given["pfer"])
    return (
        f"Selection probability {percent_text(value)} ({method['name']}): {side} the threshold of "
        f"{percent_text(given['threshold'])}"
        + (", which is inconclusive: see Stability selection." if few else ".")
    )
