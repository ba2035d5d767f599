"""SSSOM TSV, read: metadata in YAML and a table of mappings with CURIEs.

Matentzoglu et al. (2022), A Simple Standard for Sharing Ontological Mappings (SSSOM). Database
2022, baac035; the specification at https://mapping-commons.github.io/sssom/.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from pathlib import Path

from ..._core.errors import DataError, nearest_hint, nearest_name, shorten_text
from ..._core.fields import text_of_field
from ..correspondence import Correspondence, Status
from ..mapping_data import MappingData
from .curies import BUILT_IN, expanded_curie
from .metadata_block import block_beside, parsed_block, split_block
from .reading import Reading, gathered_correspondences
from .text import confidence_of, records_with_lines, wide_record
from .vocabulary import (
    EXTENSION_PREFIX,
    KEPT_SLOTS,
    NO_TERM,
    NUMBER_TYPE,
    OF_PROPERTIES,
    OTHER_TYPES,
    PERSON_JUSTIFICATIONS,
    PREDICATES,
    RELATIONS,
)

ID_COLUMNS = ("subject_id", "object_id")
REQUIRED_COLUMNS = (*ID_COLUMNS, "predicate_id")
# hold one value, which has no vertical bar
SINGLE_VALUED_COLUMNS = (*REQUIRED_COLUMNS, "mapping_justification")
SSSOM_COLUMNS = {"predicate_id", "mapping_justification"}  # columns of no other table
OTHER_SLOTS = re.compile(r"subject_|object_|predicate_(?:label|modifier|type)$")
SET_METADATA_PATTERN = re.compile(
    r"^\s?(?:curie_map|mapping_set_id|predicate_id|sssom_version)\s*:", re.MULTILINE
)
FILE_NAME_SLOTS = ("source_name", "target_name")  # of files, kept in the slot `other`
NO_CURIE_MAP_MESSAGE = "no curie_map: identifiers are kept as they are"
NO_PREDICATE_MESSAGE = "no predicate_id: each pair is taken as equivalent"
OTHER_PREDICATE = "{{n}} row{{s}} left out: {} says neither equivalent, broader nor narrower"
NO_CLASS = "{n} row{s} left out: a property, an individual or a literal, not a class"
NO_TERM_MESSAGE = "{n} row{s} left out: no term was found (sssom:NoTermFound)"


def is_sssom(text: str, separator: str = "\t", path: Path | None = None) -> bool:
    """Whether the table has the columns of SSSOM, or ids and what SSSOM says of prefixes, in the
    text or beside the file at `path`."""
    block, table, _ = split_block(text)
    head = {*re.split(f'["{separator}\r]', table.partition("\n")[0])}
    if not head & {*ID_COLUMNS}:
        return False
    if SSSOM_COLUMNS & head or SET_METADATA_PATTERN.search(block):
        return True
    return (
        head >= {*ID_COLUMNS} and path is not None and not block and block_beside(path) is not None
    )


def read_sssom(path: Path, text: str, separator: str = "\t") -> Reading[MappingData]:
    """A mapping set.

    Rows about anything but classes, with a predicate that is no `RELATIONS`, or without a term,
    are left out, which a remark says.

    Raises
    ------
    DataError
        A column is missing, a prefix undeclared, or a value of a wrong kind: with its line.
    """
    block, table, first = split_block(text)
    named = (path.name, block) if block.strip() else block_beside(path)
    metadata = parsed_block(named[1], named[0]) if named else {}
    rows = records_with_lines(table, separator, path.name, first)
    _, header = next(rows)
    header = [name.strip() for name in header]
    for needed in REQUIRED_COLUMNS:
        others = [one for one in header if not OTHER_SLOTS.match(one)]
        misspelled = nearest_name(needed, others) is not None
        if needed not in header and needed not in ID_COLUMNS and not misspelled:
            continue  # said of the set, or of nothing
        if header.count(needed) != 1 and f"{needed[:-3]}_type" not in header:  # of a literal
            raise DataError(
                f"{path.name!r}: an SSSOM table needs one column {needed!r}; "
                f"{nearest_hint(needed, header)}"
            )
    reader = _Rows(path.name, header, metadata)
    found, left_out = [], []
    for line, fields in rows:
        if len(fields) > len(header):
            raise wide_record(path.name, line, fields, len(header))
        one = reader.correspondence(line, dict(zip(header, fields, strict=False)))
        if isinstance(one, str):
            left_out.append(one)
        else:
            found.append((line, one))
    return gathered_correspondences(found, reader.about(), left_out, name=path.name)


@dataclass
class _Rows:
    """What rows have in common: columns, and metadata of the set."""

    name: str
    header: list[str]
    metadata: dict[str, object]

    def __post_init__(self) -> None:
        given = self.metadata.get("curie_map") or {}
        if not (isinstance(given, dict) and all(isinstance(v, str) for v in given.values())):
            raise DataError(
                f"{self.name!r}: curie_map does not give each prefix an IRI: write "
                "`#  HP: http://...`"
            )
        self.prefixes: dict[str, str] | None = given or None
        extensions = self.metadata.get("extension_definitions")
        defined = (
            [one for one in extensions if isinstance(one, dict)]
            if isinstance(extensions, list)
            else []
        )
        self.evidence = {
            one["slot_name"]: str(one["slot_name"]).removeprefix(EXTENSION_PREFIX)
            for one in defined
            if one.get("slot_name") in self.header and self._is_number(one.get("type_hint"))
        }
        self.shared = {  # of all mappings, if it is said of the set
            slot: str(self.metadata.get(slot) or "") for slot in ("subject_type", "object_type")
        }
        self.predicate = str(self.metadata.get("predicate_id") or "")
        self.assumed = not self.predicate and "predicate_id" not in self.header
        if self.assumed:
            self.predicate = PREDICATES["="]
        self.justified = str(self.metadata.get("mapping_justification") or "")
        self.sources: dict[str, set[str]] = {"subject_source": set(), "object_source": set()}

    def _is_number(self, hint: object) -> bool:
        prefixes = BUILT_IN | (self.prefixes or {})
        prefix, _, local = str(hint).partition(":")
        return prefixes.get(prefix, prefix + ":") + local == NUMBER_TYPE

    def iri(self, text: str, where: str) -> str:
        """The IRI of an identifier; as it is where the file declares no prefix at all."""
        text = text.strip()
        if self.prefixes is None and text.partition(":")[0] not in BUILT_IN:
            return text
        return expanded_curie(text, self.prefixes or {}, where)

    def correspondence(self, line: int, row: Dict[str, str]) -> Correspondence | str:
        """What a row says, or why it is left out."""
        where = f"{self.name!r}, line {line:,}"
        types = {(row.get(slot) or self.shared[slot]).strip() for slot in self.shared}
        if types & OTHER_TYPES:  # a literal may lack its id
            return NO_CLASS
        said = row.get("predicate_id", "").strip() or self.predicate
        row = {**row, "predicate_id": said}
        for slot in REQUIRED_COLUMNS:
            if not row.get(slot, "").strip():
                raise DataError(f"{where}: no {slot}; give one, or leave the row out")
        for slot in SINGLE_VALUED_COLUMNS:
            if "|" in row.get(slot, ""):
                raise DataError(
                    f"{where}: {slot} is {shorten_text(row[slot].strip())!r}, and holds one value: "
                    "write a row for each, or %7C for a bar in an IRI"
                )
        predicate = self.iri(said, where)
        if predicate in OF_PROPERTIES:
            return NO_CLASS
        subject, other = (row[slot].strip() for slot in ("subject_id", "object_id"))
        subject, other = self.iri(subject, where), self.iri(other, where)
        if NO_TERM in (subject, other):
            return NO_TERM_MESSAGE
        if (relation := RELATIONS.get(predicate)) is None:
            shown = shorten_text(said)
            return OTHER_PREDICATE.format(shown.replace("{", "(").replace("}", ")"))
        for slot, seen in self.sources.items():
            seen.add(row.get(slot, "").strip())
        labels = [text_of_field(row.get(slot, "")) for slot in ("subject_label", "object_label")]
        return Correspondence(
            subject,
            other,
            relation,
            confidence_of(row.get("confidence", ""), self.name, line),
            self._status(row, where),
            source_label=labels[0],
            target_label=labels[1],
            evidence=self._evidence(row, where),
            comment=text_of_field(row.get("comment", "")),
        )

    def _status(self, row: Dict[str, str], where: str) -> Status:
        modifier = row.get("predicate_modifier", "").strip()
        if modifier.lower() == "not":
            return "refused"
        if modifier:
            raise DataError(
                f"{where}: the predicate_modifier is {shorten_text(modifier)!r}; leave it empty or "
                "write Not"
            )
        why = row.get("mapping_justification") or row.get("match_type") or self.justified
        return "accepted" if why.strip() in PERSON_JUSTIFICATIONS else "mapped"

    def _evidence(self, row: Dict[str, str], where: str) -> dict[str, float | None]:
        found: dict[str, float | None] = {}
        for slot, name in self.evidence.items():
            text = row.get(slot, "").strip()
            try:
                value = float(text or "nan")
                if math.isinf(value):
                    raise ValueError
            except ValueError:
                raise DataError(
                    f"{where}: {slot} is {shorten_text(text)!r}; its definition says a number"
                ) from None
            found[name] = None if math.isnan(value) else value
        return found if any(value is not None for value in found.values()) else {}

    def about(self) -> MappingData:
        """All that is said of the set, once the rows have been read."""
        kept = {slot: self.metadata[slot] for slot in KEPT_SLOTS if self.metadata.get(slot)}
        settings = {slot: _joined_slot(value) for slot, value in kept.items()}
        if self.metadata.get("creator_id"):
            people = self.metadata["creator_id"]
            people = people if isinstance(people, list) else [people]
            settings["creator_id"] = _joined_slot([self._if_declared(str(one)) for one in people])
        for name, value in _pairs_of(str(self.metadata.get("other") or "")).items():
            settings.setdefault(name, value)
        slots = ("mapping_tool", "mapping_tool_version")
        tool = [str(self.metadata.get(slot) or "") for slot in slots]
        comment = str(self.metadata.get("comment") or "")
        remarks = [*comment.splitlines(), *([] if self.prefixes else [NO_CURIE_MAP_MESSAGE])]
        remarks += [NO_PREDICATE_MESSAGE] * self.assumed
        return MappingData(
            (),
            self._source("subject_source"),
            self._source("object_source"),
            source_name=settings.pop("source_name", ""),
            target_name=settings.pop("target_name", ""),
            tool=" ".join(filter(None, tool)),
            settings=settings,
            remarks=tuple(remarks),
        )

    def _source(self, slot: str) -> str:
        """IRI of an ontology: of the set, or of all its rows alike."""
        said = str(self.metadata.get(slot) or "")
        if not said and len(self.sources[slot]) == 1:
            (said,) = self.sources[slot]
        return self._if_declared(said)

    def _if_declared(self, text: str) -> str:
        """The IRI of a CURIE; as it is if its prefix is unknown, for no pair hangs on it."""
        if text.partition(":")[0] not in BUILT_IN | (self.prefixes or {}):
            return text  # an IRI, or not as SSSOM has it
        return self.iri(text, repr(self.name))


def _joined_slot(value: object) -> str:
    """One text of a slot with several values: ``|`` between them."""
    if not isinstance(value, list):
        return str(value)
    return "|".join(str(one).replace("\\", "\\\\").replace("|", "\\|") for one in value)


def parts_of(text: str) -> list[str]:
    """Values between ``|``, of which ``\\|`` is none.

    Examples
    --------
    >>> parts_of("a|b\\\\|c")
    ['a', 'b|c']
    """
    found = re.findall(r"(?:\\[|\\]|[^|])*", text)
    values = [re.sub(r"\\([|\\])", r"\1", one) for one in found]
    return [one for one in values if one]


def _pairs_of(text: str) -> dict[str, str]:
    """``name=value`` between ``|``, as the slot `other` has them; else all of it as one."""
    parts = parts_of(text)
    pairs = [part.partition("=") for part in parts]
    if all(sign for _, sign, _ in pairs):
        return {name.strip(): value for name, _, value in pairs}
    return {"other": text}
