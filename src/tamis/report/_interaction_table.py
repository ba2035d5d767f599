"""Interactions over the outer training sets, as a table: of models, or of any kind of evidence."""

from __future__ import annotations

from collections.abc import Sequence

from ..discovery.schema import FoundSet, SetGraph
from ..discovery.set_result import graph_of_sets
from ..study.results.evidence_schema import InteractionEntry, Interactions
from ..study.results.schema import InteractionChance, ModelInteractions
from ._numbers import UNDEFINED_MARK, count_text, decimal_text, plural_text
from ._table import Cell, Column, TableView, build_table, computed_column, field_column

SIGN_WORDS = {1: "high", -1: "low"}
TIMES_SIGN = " × "


def named_terms(term: InteractionEntry) -> str:
    """The features of an interaction, with what is said of each.

    Examples
    --------
    >>> term = {"features": ["TP53", "MYC"], "signs": [1, -1], "class": None}
    >>> named_terms({**term, "frequency": 1.0, "about": {}})
    'TP53 high × MYC low'
    """
    signs = [*term["signs"], *[0] * (len(term["features"]) - len(term["signs"]))]
    parts = zip(term["features"], signs, strict=True)
    return TIMES_SIGN.join(
        f"{name} {SIGN_WORDS[sign]}" if sign in SIGN_WORDS else name for name, sign in parts
    )


def parts_with(term: InteractionEntry, n_folds: int) -> str:
    """``8 of 10``: the training sets that had it."""
    share = term["frequency"]
    return (
        UNDEFINED_MARK
        if share is None
        else f"{count_text(round(share * n_folds))} of {count_text(n_folds)}"
    )


def frequency_column(n_folds: int) -> Column:
    """In how many training sets each was."""
    return Column(
        "frequency",
        lambda r: r["frequency"],
        "Training sets",
        lambda r: Cell(parts_with(r, n_folds), bar=r["frequency"]),
        help="outer training sets that had it",
    )


def number_columns(terms: Sequence[InteractionEntry]) -> list[Column]:
    """One for each number that the interactions have, such as a weight."""
    columns = []
    for key in dict.fromkeys(key for term in terms for key in term["about"]):

        def about_number(row: InteractionEntry, key: str = key) -> float | None:
            return row["about"].get(key)

        help = f"mean {key} over the training sets that had it"
        columns.append(
            computed_column(f"mean {key}", about_number, f"Mean {key}", _about_text, help=help)
        )
    return columns


def _about_text(value: float | None) -> str:
    return decimal_text(value) if value is None or abs(value) >= 0.1 else f"{value:.3g}"


def interaction_table(name: str, caption: str, found: Interactions) -> TableView:
    """The most frequent interactions, features in one column."""
    terms = found["terms"]
    columns = [
        field_column("rank", "#"),
        Column("features", named_terms, "Feature", numeric=False),
    ]
    if any(term["class"] is not None for term in terms):
        columns.append(field_column("class", "Speaks for", numeric=False))
    columns += [frequency_column(found["n_folds"]), *number_columns(terms)]
    rows = [{**term, "rank": i} for i, term in enumerate(terms, 1)]
    return build_table(name, caption, columns, rows)


def how_alike(found: Interactions, what: str) -> str:
    """How stable they are, in words; `what` they are called, in the plural."""
    size, value = found["mean_size"], found["nogueira"]
    text = (
        f"{plural_text(found['n_folds'], 'outer training set')} gave "
        f"{count_text(found['n_different'])} different "
        f"{what.removesuffix('s') if found['n_different'] == 1 else what}, {_short_decimal(size)} "
        "each on average."
    )
    if value is None or size is None:
        return f"{text} Their stability is undefined: that takes two training sets that have any."
    shared = max(value, 0.0) * size  # where there are many more that could be, agreement by chance
    return (  # is next to none and the measure is the mean share that two sets have in common
        f"{text} Nogueira's measure over them is {decimal_text(value, 2)}: of the {what} of one "
        f"training set, another had about {_short_decimal(shared)} too."
    )


def _short_decimal(value: float | None) -> str:
    return decimal_text(value, 1).removesuffix(".0")


OVERLAP_NOTE = "Training sets share samples, so that even in noise some come again."


def _chance_words(chance: InteractionChance | None) -> list[str]:
    """What permuted labels give, in runs of their design."""
    if chance is None:
        return []
    again, runs = chance["repeatability"], plural_text(len(chance["sizes"]), "permuted run")
    sizes = f"{_short_decimal(chance['size'])} with true labels in that design, in the {runs} "
    sizes += f"{_short_decimal(min(chance['sizes']))} to {_short_decimal(max(chance['sizes']))}"
    said = f"Compared with chance, interactions per training set: {sizes}."
    if again["observed"] is None:
        return [f"{said} Their stability is undefined in that design."]
    known = [value for value in again["values"] if value is not None]
    said += f" Stability: {decimal_text(again['observed'], 2)} of 1"
    if known:
        said += f"; shuffled labels: median {decimal_text(again['median'], 2)}, "
        said += f"max {decimal_text(again['most'], 2)}"
    verdict = {
        True: " They recur more than chance explains.",
        False: " They are not shown to recur more than chance explains.",
        None: "",
    }[again["above"]]
    return [f"{said}.{verdict}"]


def frequency_graph(found: Interactions) -> SetGraph:
    """Features joined by the interactions listed, by the training sets that had them."""
    sets: list[FoundSet] = [
        {
            "parts": [{"feature": name, "value": ""} for name in term["features"]],
            "label": term["class"],
            "numbers": {"frequency": term["frequency"]},
            "passes": None,
        }
        for term in found["terms"]
    ]
    return graph_of_sets(sets, "frequency")


def model_words(found: ModelInteractions) -> list[str]:
    """What is said of the interactions that the chosen models used."""
    said = [
        "Interactions that the chosen model of each outer training set used.",
        how_alike(found, "interactions"),
        OVERLAP_NOTE,
        *_chance_words(found.get("permuted")),
    ]
    if found["most"] > found["kept"]:
        said.append(
            f"A model had up to {count_text(found['most'])}; the first {count_text(found['kept'])} "
            "of each are counted."
        )
    return said
