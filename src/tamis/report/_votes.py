"""A vote of several selectors: what each member has to do with the features chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ..study.results.evidence_schema import Votes
from ..study.results.schema import MethodEntry, StudyContent
from ._blocks import Block, chartless_block, table_name
from ._numbers import UNDEFINED_MARK, count_text, decimal_text, percent_text, plural_text
from ._table import build_table, field_column

KIND = "votes"
RULE_SENTENCES = {
    "mean_rank": "Features are ordered by the mean of their ranks.",
    "borda": "The first of these has {top} points, each next one less, all others none; features "
    "are ordered by the sum of their points.",
    "kemeny": "They are ordered by points for their places, and then neighbours are swapped for as "
    "long as more of the votes prefer the lower one.",
    "majority": "Features that more than half of the votes have there are chosen.",
    "union": "Features that any selector has there are chosen.",
    "intersection": "Features that every selector has there are chosen.",
}


def votes_block(
    method: MethodEntry, content: Mapping[str, object], number: int, result: StudyContent
) -> Block:
    """A method whose ranking of all samples is a vote."""
    given = cast(Votes, content)
    weighted = given["n_subsamples"] is not None
    n = count_text(given["n_chosen"])
    columns = [
        field_column("name", "Selector", numeric=False),
        field_column("weight", "Votes", percent_text, help="its share of all votes"),
        *(
            [
                field_column(
                    "stability",
                    "Stability",
                    _decimal_or_none,
                    help="Nogueira's measure of its best features on subsamples of the samples",
                )
            ]
            if weighted
            else [field_column("stability")]
        ),
        field_column(
            "shared",
            "Shared",
            count_text,
            help=f"of the {n} features of the vote, so many are among its best",
        ),
        field_column(
            "alone", "Alone", count_text, help="of these, so many that no other selector has"
        ),
        field_column(
            "agreement",
            "Agreement",
            _percent_or_none,
            help="mean overlap of its best features with those of another selector",
        ),
    ]
    table = build_table(
        table_name(KIND, number), f"Selectors: {method['label']}", columns, given["members"]
    )
    return chartless_block(
        method, [_voting_rule_words(given), _agreement_words(given)], [table], ""
    )


def _voting_rule_words(given: Votes) -> str:
    """The rule, and what each vote counts."""
    m, top = len(given["members"]), given["top"]
    rule = RULE_SENTENCES.get(given["rule"], "").format(top=count_text(top))
    counts = "All count alike."
    if given["n_subsamples"] is not None:
        counts = (
            "Each counts by how stable its best features are on "
            f"{count_text(given['n_subsamples'])} halves of the samples."
        )
    return (
        f"{count_text(m)} selectors ranked all samples, and the best {count_text(top)} features of "
        f"each are looked at. {rule} {counts}"
    )


def _agreement_words(given: Votes) -> str:
    """How far the members agree, on average."""
    chosen = plural_text(given["n_chosen"], "feature")
    share = given["agreement"]
    if share is None:
        return "No selector ranks any feature."
    return (
        f"Two selectors share {percent_text(share)} of their best features on average. The "
        f"counts are of the first {chosen} of the vote; the final model may use fewer or more."
    )


def _decimal_or_none(value: float | None) -> str:
    return UNDEFINED_MARK if value is None else decimal_text(value, 2)


def _percent_or_none(value: float | None) -> str:
    return UNDEFINED_MARK if value is None else percent_text(value)


def votes_words(value: float, method: MethodEntry) -> str:
    """A feature's share of the votes under a method."""
    return (
        f"Among the best features of selectors with {percent_text(value)} of the votes "
        f"({method['name']})."
    )
