"""Alignment RDF, as the Ontology Alignment Evaluation Initiative (OAEI) and its tools have it.

David, Euzenat, Scharffe and Trojahn dos Santos (2011), The Alignment API 4.0. Semantic Web 2, 3-10.
Files are often no strict RDF/XML, so they are read as XML, one cell at a time.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from xml.parsers import expat

from ..._core.errors import DataError, counted_noun, shorten_text
from ..correspondence import Correspondence, Relation, Status
from ..mapping_data import MappingData
from .reading import Reading, gathered_correspondences
from .text import confidence_of, refuse_large

RDF_NAMESPACE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
BASE_ATTRIBUTE = "http://www.w3.org/XML/1998/namespace base"
BLOCK_BYTES = 1 << 20
MAX_TAG_BYTES = 4 << 20  # bytes that a tag may take
MAX_TEXT_LENGTH = 1 << 16  # letters of a text
MAX_DEPTH = 64  # elements inside each other
RELATIONS: dict[str, Relation] = {
    "=": "=",
    "\u2261": "=",
    "equivalence": "=",
    "EquivRelation": "=",
    "<": "<",
    "&lt;": "<",
    "\u2291": "<",
    "<=": "<",
    "SubsumedRelation": "<",
    ">": ">",
    "&gt;": ">",
    "\u2292": ">",
    ">=": ">",
    "SubsumeRelation": ">",
}
UNKNOWN_RELATION = "?"  # a pair that evaluation ignores
OTHER_RELATION = (
    "{{n}} cell{{s}} left out: the relation {!r} says neither equivalent, broader nor narrower"
)
ABOVE_ONE_MESSAGE = "{} above 1 taken for 1"
NO_NAME = "{n} cell{s} left out: an expression, not a class with a name"


def read_alignment(path: Path) -> Reading[MappingData]:
    """An alignment. Pairs whose relation is ``?`` are uncertain; other relations are left out.

    Raises
    ------
    DataError
        It is no XML or no alignment, declares entities, or has a measure that is no number
        between 0 and 1.
    """
    refuse_large(path)
    reader = _Reader(path.name)
    try:
        with open(path, "rb") as file:
            while block := file.read(BLOCK_BYTES):
                reader.parser.Parse(block, False)
                # what does not end is read again from its beginning with each block
                if file.tell() - reader.parser.CurrentByteIndex > MAX_TAG_BYTES:
                    raise DataError(
                        f"{path.name!r}, line {reader.line:,}: a tag of more than "
                        f"{MAX_TAG_BYTES >> 20} MB; is it damaged?"
                    )
        reader.parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path.name!r} is no XML (line {reader.line:,}: {_expat_reason(error)}): is it "
            "damaged?"
        ) from None
    if not reader.is_alignment:
        raise DataError(
            f"{path.name!r} holds no Alignment: a mapping in RDF is in the format of the Alignment "
            "API (OAEI); is it an ontology?"
        )
    metadata = reader.metadata
    about = MappingData(
        (),
        metadata.get("onto1", ""),
        metadata.get("onto2", ""),
        source_name=_location_file(metadata.get("location1", "")),
        target_name=_location_file(metadata.get("location2", "")),
        tool=metadata.get("method", ""),
        remarks=(ABOVE_ONE_MESSAGE.format(counted_noun(reader.above, "measure")),)
        if reader.above
        else (),
    )
    return gathered_correspondences(reader.found, about, reader.left_out, name=path.name)


def _location_file(location: str) -> str:
    """The last part of where an ontology lay."""
    return location.rstrip("/#").rpartition("/")[2]


def _expat_reason(error: Exception) -> str:
    code = getattr(error, "code", None)
    return expat.errors.messages[code] if code in expat.errors.messages else shorten_text(error)


class _Reader:
    """Takes what the parser meets: names of elements without their namespaces."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity
        self.open: list[str] = []
        self.text: list[str] = []
        self.letters = 0
        self.base = ""
        self.is_alignment = False
        self.metadata: dict[str, str] = {}
        self.cell: dict[str, str] | None = None
        self.cell_line = 0
        self.found: list[tuple[int, Correspondence]] = []
        self.left_out: list[str] = []
        self.above = 0

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def _entity(self, entity: str, *_: Any) -> None:
        raise DataError(
            f"{self.name!r}, line {self.line:,}: declares the entity {shorten_text(entity)!r}; "
            "mappings with entities are not read: write out what it stands for"
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        self.base = attributes.get(BASE_ATTRIBUTE, self.base) if len(self.open) < 2 else self.base
        self.open.append(name)
        if len(self.open) > MAX_DEPTH:
            raise DataError(f"{self.name!r}, line {self.line:,}: elements nested too deeply")
        self.text, self.letters = [], 0
        self.is_alignment |= name == "Alignment"
        about = next(
            (
                attributes[k]
                for k in (
                    f"{RDF_NAMESPACE} resource",
                    f"{RDF_NAMESPACE} about",
                    "resource",
                    "about",
                )
                if k in attributes
            ),
            "",
        )
        if name == "Cell":
            self.cell, self.cell_line = {}, self.line
        elif self.cell is not None:
            if about and (side := next((p for p in self.open if p in ("entity1", "entity2")), "")):
                self.cell.setdefault(side, urljoin(self.base, about) if self.base else about)
        elif about and len(self.open) > 1 and self.open[-2] in ("onto1", "onto2"):
            self.metadata.setdefault(self.open[-2], about)

    def _text(self, text: str) -> None:
        self.letters += len(text)
        if self.letters > MAX_TEXT_LENGTH:
            raise DataError(
                f"{self.name!r}, line {self.line:,}: a text of more than {MAX_TEXT_LENGTH:,} "
                "letters; is "
                "it damaged?"
            )
        self.text.append(text)

    def _end(self, tag: str) -> None:
        name = self.open.pop()
        text = "".join(self.text).strip()
        self.text, self.letters = [], 0
        if name == "Cell" and self.cell is not None:
            self._take(self.cell)
            self.cell = None
        elif self.cell is not None:
            if name in ("measure", "relation", "entity1", "entity2") and text:
                self.cell.setdefault(name, text)
        elif text:
            key = name
            if name == "location" and self.open:
                key = f"location{self.open[-2][-1:]}" if len(self.open) > 1 else name
            elif name in ("uri1", "uri2"):
                key = f"location{name[-1]}"
            self.metadata.setdefault(key, text)

    def _take(self, cell: dict[str, str]) -> None:
        sides = cell.get("entity1"), cell.get("entity2")
        if not all(sides):
            self.left_out.append(NO_NAME)
            return
        said = cell.get("relation", "=")
        word = said.rpartition(".")[2]  # relations may be named by a class of the API
        relation = RELATIONS.get(said) or RELATIONS.get(word)
        status: Status = "mapped"
        if said == UNKNOWN_RELATION:
            relation, status = "=", "uncertain"
        if relation is None:
            shown = shorten_text(said).replace("{", "(").replace("}", ")")
            self.left_out.append(OTHER_RELATION.format(shown))
            return
        text = cell.get("measure", "")
        if re.fullmatch(r"[1-9]\d{0,5}(\.\d*)?", text) and float(text) > 1:  # SANOM adds bonuses
            self.above += 1
            text = ""
        measure = confidence_of(text, self.name, self.cell_line)
        one = Correspondence(str(sides[0]), str(sides[1]), relation, measure, status)
        self.found.append((self.cell_line, one))
