"""The page of a mapping of two ontologies, and of its review."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as Dict
from functools import partial
from typing import Any, NamedTuple, cast

from .._core.registry import rows_of
from .._core.rows import SimilarityRow
from ..ontology.context import ClassContext, Contexts
from ..ontology.mapping_schema import CorrespondenceContent, MappingContent
from ..ontology.review import Question
from ._assets import STYLE_FILES, render_page
from ._numbers import count_text, decimal_text, plain_json, plural_text
from ._table import Cell, Column, TableView, build_table, field_column

MAX_TABLE_ROWS = 1000  # rows of a table
MIN_SEARCHED_ROWS = 10  # rows from which a table can be searched
DECISION_WORDS = {"mapped": "model", "accepted": "person"}
RELATION_WORDS = {"=": "same", "<": "narrower", ">": "broader"}
READING_NOTES = (
    "The confidence is the model's probability that both classes mean the same; of a pair that a "
    "person decided it is 1. It ranks the pairs and is not calibrated: of pairs above .9 fewer "
    "than nine in ten may be right, above all where nearly equal names taught the model.",
    "Each bar of the evidence is a similarity of the two classes, from 0 to 1, in the order that "
    "stands above the table; grey where it is undefined. Point at a bar for its name and value, "
    "or download the table. `tamis ontology explain` shows how much each weighs.",
    "Uncertain pairs are in no mapping yet. A class that may be a kind of the other is a guess by "
    "their names alone.",
)


class Part(NamedTuple):
    """A table of the page: its anchor, its heading, how many rows there are, and a note."""

    id: str
    title: str
    table: TableView
    n: int
    note: str


def render_mapping(
    result: MappingContent, contexts: Contexts | None = None, questions: Sequence[Question] = ()
) -> str:
    """The page's HTML; only assets pass unescaped.

    Parameters
    ----------
    result : dict
        `Mapping.to_dict`.
    contexts : dict, optional
        Parents, synonyms and definitions of the classes.
    questions : sequence of Question, optional
        Of a review.
    """
    r = cast(MappingContent, plain_json(result))
    around = cast(Contexts, plain_json(contexts or {"source": {}, "target": {}}))
    rows = r["correspondences"]
    stands = [c for c in rows if c["status"] in DECISION_WORDS]
    unsure = [c for c in rows if c["status"] == "uncertain" and c["relation"] == "="]
    kinds = [c for c in rows if c["status"] == "uncertain" and c["relation"] != "="]
    refused = [c for c in rows if c["status"] == "refused"]
    parts = [
        Part("questions", "Questions", _question_table(questions), len(questions), ""),
        _correspondence_table("mapping", "Mapping", stands, around, last=True),
        _correspondence_table("uncertain", "Uncertain pairs", unsure, around),
        _correspondence_table("kinds", "Perhaps narrower or broader", kinds, around),
        _correspondence_table("refused", "Refused pairs", refused, around),
    ]
    shown = [part for part in parts if part.n or part.id == "mapping"]
    learned = {**r["settings"]}
    if "similarities" in learned:
        learned["similarities"] = ", ".join(
            _similarity_titles(learned["similarities"].split(", ")).values()
        )
    nav = [
        ("headline", "Answer"),
        *((part.id, part.title) for part in shown),
        *([("learned", "What was learned")] if learned else []),
        ("reading", "How to read this"),
    ]
    return render_page(
        "mapping.html.j2",
        [part.table for part in shown],
        (*STYLE_FILES, "mapping.css"),
        title=_mapping_title(r),
        subtitle=_mapping_subtitle(stands),
        version=r["tool"].removeprefix("tamis "),
        nav=nav,
        sentences=_mapping_sentences(stands, questions),
        remarks=r["remarks"],
        parts=shown,
        learned=list(learned.items()),
        reading=READING_NOTES,
    )


def _mapping_title(r: MappingContent) -> str:
    return f"{r['source_name'] or r['source']} and {r['target_name'] or r['target']}"


def _mapping_subtitle(stands: Sequence[CorrespondenceContent]) -> str:
    people = sum(c["status"] == "accepted" for c in stands)
    return f"{plural_text(len(stands), 'pair')} of classes, {count_text(people)} of them accepted"


def _mapping_sentences(
    stands: Sequence[CorrespondenceContent], questions: Sequence[Question]
) -> Iterable[str]:
    people = sum(c["status"] == "accepted" for c in stands)
    yield (
        f"The mapping has {plural_text(len(stands), 'pair')} of classes: "
        f"{count_text(len(stands) - people)} found by the model, {count_text(people)} accepted by "
        "a person."
    )
    if questions:
        yield (
            f"{plural_text(len(questions), 'question')} for a person: these pairs are the most "
            "probably wrong. Write the answers into the sheet."
        )


def _similarity_titles(similarities: Iterable[str]) -> dict[str, str]:
    """Similarities and what their rows call them; a user's own by its name."""
    known = {row.name: row.title for row in rows_of(SimilarityRow)}
    return {name: known.get(name, name) for name in similarities}


def _correspondence_table(
    name: str,
    title: str,
    rows: Sequence[CorrespondenceContent],
    around: Contexts,
    last: bool = False,
) -> Part:
    """A table of correspondences; of very many the first, or the last: the least certain."""
    cut = list(rows[-MAX_TABLE_ROWS:] if last else rows[:MAX_TABLE_ROWS])
    note = ""
    if len(cut) < len(rows):
        which = "least" if last else "most"
        note = (
            f"The {count_text(MAX_TABLE_ROWS)} {which} certain of {count_text(len(rows))}; all "
            "are in the "
            "file of the mapping."
        )
    evidence = _similarity_titles(kind for c in cut for kind in c["evidence"])
    if evidence:
        note = f"{note} Evidence, from left: {', '.join(evidence.values())}.".strip()
    return Part(name, title, _pair_table(name, title, cut, around, evidence), len(rows), note)


def _pair_table(
    name: str,
    title: str,
    rows: Sequence[CorrespondenceContent],
    around: Contexts,
    evidence: Dict[str, str],
) -> TableView:
    commented = name in ("mapping", "refused") and any(c["comment"] for c in rows)
    related = any(c["relation"] != "=" for c in rows)
    columns = [
        *_side_columns(around),
        field_column(
            "relation",
            "Source means" if related else "",
            lambda value: RELATION_WORDS.get(value, value),
            numeric=False,
        ),
        field_column("confidence", "Confidence", _probability_cell),
        field_column(
            "status",
            "By" if name == "mapping" else "",
            lambda word: DECISION_WORDS.get(word, word),
            numeric=False,
        ),
        Column(
            "evidence",
            lambda row: "",
            "Evidence" if evidence else "",
            lambda row: Cell(
                "", strip=[(title, row["evidence"].get(k)) for k, title in evidence.items()]
            ),
            numeric=False,
        ),
        *(Column(kind, partial(_similarity_value, kind)) for kind in evidence),
        field_column("comment", "Comment" if commented else "", numeric=False),
    ]
    return build_table(
        name,
        title,
        columns,
        rows,
        lambda row: row["status"] == "accepted",
        search=len(rows) > MIN_SEARCHED_ROWS,
    )


def _probability_cell(p: float) -> Cell:
    return Cell(decimal_text(p), bar=p)


def _similarity_value(kind: str, row: CorrespondenceContent) -> float | None:
    return row["evidence"].get(kind)


def _question_table(questions: Sequence[Question]) -> TableView:
    rows = [
        {
            "source": one.source["iri"],
            "target": one.target["iri"],
            "source_label": one.source["label"],
            "target_label": one.target["label"],
            "probability": one.probability,
            "stands": one.stands,
        }
        for one in questions
    ]
    around: Contexts = {
        "source": {one.source["iri"]: one.source for one in questions},
        "target": {one.target["iri"]: one.target for one in questions},
    }
    columns = [
        *_side_columns(cast(Contexts, plain_json(around))),
        field_column("probability", "Probability", _probability_cell),
        field_column("stands", "In the mapping", lambda yes: "yes" if yes else "no", numeric=False),
    ]
    return build_table(
        "questions",
        "Questions",
        columns,
        cast(list[dict[str, Any]], plain_json(rows)),
        search=len(rows) > MIN_SEARCHED_ROWS,
    )


def _side_columns(around: Contexts) -> Iterator[Column]:
    """Both classes with what stands around them; IRIs and the rest in the download."""
    for side, of in (("source", around["source"]), ("target", around["target"])):
        name, context = partial(_class_name_of, side), partial(_class_context, side, of)
        yield Column(
            f"{side}_label",
            name,
            side.capitalize(),
            partial(_class_cell, name, context),
            numeric=False,
        )
        yield field_column(side, numeric=False)
        yield Column(f"{side}_context", context, numeric=False)


def _class_name_of(side: str, row: Dict[str, Any]) -> str:
    return row[f"{side}_label"] or row[side]


def _class_context(side: str, of: Dict[str, ClassContext], row: Dict[str, Any]) -> str:
    return _around_text(of.get(row[side]))


def _class_cell(name: Callable[[Any], str], context: Callable[[Any], str], row: Any) -> Cell:
    return Cell(name(row), sub=context(row))


def _around_text(context: ClassContext | None) -> str:
    """Parents, synonyms and definition in one text."""
    if context is None:
        return ""
    parts = [
        f"in {context['parents']}" if context["parents"] else "",
        f"also {context['synonyms']}" if context["synonyms"] else "",
        context["definition"],
    ]
    return ". ".join(part.rstrip(".") for part in parts if part)
