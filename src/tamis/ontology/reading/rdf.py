"""RDF/XML, Turtle, N-Triples and JSON-LD, by pyoxigraph."""

from __future__ import annotations

import io
import re
from collections import Counter
from urllib.parse import quote

from ..._core.errors import DataError, counted_noun, listed_names, require_library
from ..._core.progress import Progress
from ...data.limits import FIELD_LIMIT
from .axioms import AXIOM_PREDICATES
from .doctype import plain_doctype
from .facts import BLANK_NODE_PREFIX, Facts, Text
from .formats import Format
from .limits import longest_text, too_long
from .nesting import check_nesting
from .vocabulary import KEPT_PREDICATES

BUFFER_BYTES = 16 << 20  # bytes that pyoxigraph holds of a statement
RDF_ID = re.compile(rb"""<[^<>]*?\s[\w.-]*:ID\s*=\s*["']([^"'<>&]{1,500})["']""")


def rdf_facts(
    content: bytes, format: Format, name: str, quiet: bool = True, axioms: bool = False
) -> Facts:
    """What a text in one of the formats of RDF states; with `axioms` all that a reasoner asks for.

    IRIs that are no IRIs, tags of languages that are none and names that are given twice
    (``rdf:ID``) are taken as they are. Relative IRIs in a file without a base are of the file.

    Raises
    ------
    DataError
        The text is not in that format; the message has the line.
    """
    oxigraph = require_library("pyoxigraph", "ontology", f"reading {name!r}")
    kinds = oxigraph.RdfFormat
    kind = {
        "RDF/XML": kinds.RDF_XML,
        "Turtle": kinds.TURTLE,
        "N-Triples": kinds.N_TRIPLES,
        "JSON-LD": kinds.JSON_LD,
    }[format]
    facts = Facts()
    if format == "RDF/XML":
        content = plain_doctype(content, name)
        facts.remarks += _repeated_ids(content)
    check_nesting(content, format, name)
    longest = longest_text()
    blank, literal, node = oxigraph.BlankNode, oxigraph.Literal, oxigraph.NamedNode
    add, base = facts.add, base_of(name)
    size = max(len(content) >> 10, 1)
    with Progress(size, f"reading {name} (kB)", quiet) as progress:
        try:
            for quad in oxigraph.parse(
                _Followed(content, progress), format=kind, base_iri=base, lenient=True
            ):
                predicate = quad.predicate.value
                if predicate not in KEPT_PREDICATES and not (
                    axioms and (predicate in AXIOM_PREDICATES or type(quad.object) is not literal)
                ):
                    continue
                subject, value = quad.subject, quad.object
                about = (
                    BLANK_NODE_PREFIX + subject.value if type(subject) is blank else subject.value
                )
                if type(value) is node:
                    add(about, predicate, value.value)
                elif type(value) is literal:
                    if len(text := value.value) > longest:
                        raise too_long(text, about, name)
                    datatype = value.datatype.value if axioms else ""
                    add(about, predicate, Text(text, value.language or "", datatype))
                elif type(value) is blank:
                    add(about, predicate, BLANK_NODE_PREFIX + value.value)
        except MemoryError as error:  # as it calls what its buffer does not hold
            if "buffer" not in str(error):
                raise
            raise DataError(
                f"{name!r} has a text of more than {BUFFER_BYTES >> 20} MB, and at most "
                f"{longest:,} "
                f"letters are read; {FIELD_LIMIT.more}"
            ) from error
        except (SyntaxError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(_not_valid(error, format, name)) from error
    return facts


def base_of(name: str) -> str:
    """The IRI that relative ones are resolved against if a file gives none."""
    return f"file:///{quote(name)}"


class _Followed(io.RawIOBase):
    """Bytes for a parser, and a bar for who waits for it."""

    def __init__(self, content: bytes, progress: Progress) -> None:
        self._view, self._at, self._progress = memoryview(content), 0, progress

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        end = len(self._view) if size < 0 else self._at + size
        found = bytes(self._view[self._at : end])
        before, self._at = self._at >> 10, self._at + len(found)
        if steps := (self._at >> 10) - before:
            self._progress.advance(steps)
        return found


def _repeated_ids(content: bytes) -> list[str]:
    """A remark on names that `rdf:ID` gives twice, which RDF/XML forbids and many files do."""
    if b":ID" not in content:
        return []
    counts = Counter(RDF_ID.findall(content))
    twice = sorted(key.decode("utf-8", "replace") for key, count in counts.items() if count > 1)
    if not twice:
        return []
    return [
        f"{counted_noun(len(twice), 'rdf:ID')} used more than once ({listed_names(twice, 3)}): "
        "what the places state is joined"
    ]


def _not_valid(error: Exception, format: Format, name: str) -> str:
    """What the parser said, and where."""
    line = getattr(error, "lineno", None)
    where = f", line {line:,}" if line else ""
    said = str(getattr(error, "msg", None) or error).rstrip(".")
    return f"{name!r} is not valid {format}{where}: {said}; is it complete?"
