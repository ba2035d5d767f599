"""Tables as people have them: a source and a target a line, and perhaps a word on the pair."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..._core.errors import DataError, listed_names, shorten_text
from ..._core.fields import text_of_field
from ..correspondence import Correspondence, Relation, Status
from ..mapping_data import MappingData
from .curies import is_iri
from .metadata_block import parsed_block, split_block
from .reading import Reading, gathered_correspondences
from .text import confidence_of, records_with_lines, wide_record

# names of columns, in small letters and without what follows an underscore in `source_303`
COLUMN_HEADERS: dict[str, tuple[str, ...]] = {
    "source": ("source", "subject", "entity1", "iri1", "class1", "from", "left",
               "subject_id", "source_id", "source_iri", "source_uri", "srcentity"),
    "target": ("target", "object", "entity2", "iri2", "class2", "to", "right",
               "object_id", "target_id", "target_iri", "target_uri", "tgtentity"),
    "relation": ("relation", "rel", "predicate", "relationship"),
    "answer": ("answer", "match", "label", "same", "correct", "is_match"),
    "confidence": ("confidence", "score", "measure", "probability", "similarity"),
    "source_label": ("source_label", "subject_label", "label1"),
    "target_label": ("target_label", "object_label", "label2"),
    "comment": ("comment", "note", "remark"),
}  # fmt: skip
RELATIONS: dict[str, Relation] = {
    "=": "=",
    "==": "=",
    "\u2261": "=",
    "equivalent": "=",
    "exact": "=",
    "exactmatch": "=",
    "skos:exactmatch": "=",
    "owl:equivalentclass": "=",
    "<": "<",
    "\u2291": "<",
    "broad": "<",
    "broadmatch": "<",
    "skos:broadmatch": "<",
    "subclassof": "<",
    "rdfs:subclassof": "<",
    ">": ">",
    "\u2292": ">",
    "narrow": ">",
    "narrowmatch": ">",
    "skos:narrowmatch": ">",
}
YES_WORDS = (
    "yes",
    "y",
    "true",
    "1",
    "1.0",
    "1,0",
    "ja",
    "j",
    "wahr",
    "oui",
    "o",
    "vrai",
    "s\u00ed",
    "si",
    "verdadero",
)
NO_WORDS = ("no", "n", "false", "0", "0.0", "0,0", "nein", "falsch", "non", "faux", "falso")
UNKNOWN_WORDS = ("?", "unknown")
ANSWER_STATUSES: dict[str, Status] = {
    **dict.fromkeys(YES_WORDS, "accepted"),
    **dict.fromkeys(NO_WORDS, "refused"),
    **dict.fromkeys(UNKNOWN_WORDS, "uncertain"),
}
USUAL_VALUES = {"relation": "=, < or >", "answer": "yes, no or ?"}
UNREAD_MESSAGE = "columns not read: {}"


def read_simple_table(path: Path, text: str, separator: str = "\t") -> Reading[MappingData]:
    """Pairs of names, which `resolve` makes IRIs of.

    The first two columns, or those that a header names. A third one holds relations (``=``, ``<``,
    ``>``), answers (yes, no, ``?``; 1, 0) or confidences. A pair without an answer column stands:
    somebody put it there.

    Raises
    ------
    DataError
        A line has one column only, or a value that says nothing.
    """
    block, table, first = split_block(text)
    prefixes = _prefixes_of(block, path.name)
    rows = list(records_with_lines(table, separator, path.name, first))
    if not rows:
        raise DataError(f"{path.name!r} has no pairs: write a source and a target a line")
    columns, unread = _header_columns(rows[0][1])
    if columns:
        width = len(rows.pop(0)[1])
    else:
        width = len(rows[0][1])
        columns = {"source": 0, "target": 1}
        third = [fields[2].strip() for _, fields in rows if len(fields) > 2]
        if any(third):  # else delimiters at the ends of lines
            columns[_third_column_kind(third)] = 2
        unread = [f"column {k + 1}" for k in range(3, width)]
    found = []
    for line, fields in rows:
        if len(fields) > width:
            raise wide_record(path.name, line, fields, width)
        cells = {name: fields[k].strip() for name, k in columns.items() if k < len(fields)}
        for side in ("source", "target"):
            prefix, colon, local = cells.get(side, "").partition(":")
            if colon and prefix in prefixes:
                cells[side] = prefixes[prefix] + local
        found.append((line, _correspondence_of_line(cells, columns, path.name, line)))
    remarks = (UNREAD_MESSAGE.format(listed_names(unread)),) if unread else ()
    return gathered_correspondences(found, MappingData((), remarks=remarks), name=path.name)


def _prefixes_of(block: str, name: str) -> dict[str, str]:
    """What a curie_map above the table says, as SSSOM has it."""
    if not re.search(r"^\s?curie_map\s*:", block, re.MULTILINE):
        return {}
    given = parsed_block(block, name).get("curie_map")
    return {k: str(v) for k, v in given.items()} if isinstance(given, dict) else {}


def _header_columns(fields: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """Positions of the columns that a header names, and those not read; nothing if it is none."""
    names = ["_".join(name.lower().split()) for name in fields]
    found: dict[str, int] = {}
    for kind, words in COLUMN_HEADERS.items():
        exact = [k for k, name in enumerate(names) if name in words]
        near = [k for k, name in enumerate(names) if re.sub(r"_[^_]*$", "", name) == words[0]]
        for k in [*exact, *(near if kind in ("source", "target") else [])][:1]:
            found.setdefault(kind, k)
    if "source" not in found or "target" not in found:
        return {}, []
    return found, [fields[k] for k in range(len(names)) if k not in found.values()]


def _third_column_kind(values: Sequence[str]) -> str:
    """What a third column without a name holds, by all its values."""
    small = {value.lower() for value in values}
    if small <= set(RELATIONS):
        return "relation"
    if small <= {*ANSWER_STATUSES, ""}:
        return "answer"
    if all(re.fullmatch(r"[01]?\.?\d*([eE]-?\d+)?", value) for value in values):
        return "confidence"
    return "relation"  # whose reader says which line is wrong


def _correspondence_of_line(
    cells: dict[str, str], columns: dict[str, int], name: str, line: int
) -> Correspondence:
    source, target = cells.get("source", ""), cells.get("target", "")
    if not target and source.count("|") > 1:
        raise DataError(
            f"{name!r}, line {line:,}: the columns stand between bars, as LogMap writes them: put "
            "tabs there, and leave out the lines of properties"
        )
    if not source or not target:
        raise DataError(
            f"{name!r}, line {line:,}: a source and a target are needed, and there is "
            f"{shorten_text(source or target)!r} alone; separate them with a tab, a semicolon or "
            "a comma"
        )
    for cell in (source, target):
        if "|" in cell and is_iri(cell):
            raise DataError(
                f"{name!r}, line {line:,}: {shorten_text(cell)!r} is no IRI, for it has a bar: "
                "write a line for each, and tabs between the columns"
            )
    relation: Relation = "="
    if "relation" in columns:
        relation = _word_meaning(cells.get("relation", ""), RELATIONS, "relation", name, line)
    status: Status = "accepted"
    if "answer" in columns:
        status = _word_meaning(
            cells.get("answer", "") or "?", ANSWER_STATUSES, "answer", name, line
        )
    elif "confidence" in columns:
        status = "mapped"
    labels = [text_of_field(cells.get(slot, "")) for slot in ("source_label", "target_label")]
    return Correspondence(
        text_of_field(source),
        text_of_field(target),
        relation,
        confidence_of(cells.get("confidence", ""), name, line),
        status,
        source_label=labels[0],
        target_label=labels[1],
        comment=text_of_field(cells.get("comment", "")),
    )


def _word_meaning(text: str, words: dict, what: str, name: str, line: int):
    """What a word of a column stands for."""
    word = text.lower().removeprefix("http://www.w3.org/2004/02/skos/core#")
    if word in words:
        return words[word]
    raise DataError(
        f"{name!r}, line {line:,}: the {what} is {shorten_text(text)!r}; write {USUAL_VALUES[what]}"
    )
