"""Alignment RDF, written: what stands, the most confident first."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from ..._core.errors import DataError, shorten_text
from ..correspondence import Correspondence
from ..mapping_data import MappingData
from .alignment import RDF_NAMESPACE
from .reading import order_of

ALIGNMENT_NAMESPACE = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
FLOAT_TYPE = "http://www.w3.org/2001/XMLSchema#float"
# XML 1.0
FORBIDDEN_PATTERN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def alignment_text(mapping: MappingData) -> str:
    """The file. Pairs that a person refused, or that are uncertain, are left out.

    Raises
    ------
    DataError
        An IRI holds what XML cannot.
    """
    rows = sorted(mapping.mapped, key=order_of)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<rdf:RDF xmlns="{ALIGNMENT_NAMESPACE}"',
        f'         xmlns:rdf="{RDF_NAMESPACE}"',
        '         xmlns:xsd="http://www.w3.org/2001/XMLSchema#">',
        "<Alignment>",
        "  <xml>yes</xml>",
        "  <level>0</level>",
        f"  <type>{_alignment_cardinality(rows)}</type>",
    ]
    if mapping.tool:
        lines.append(f"  <method>{_escaped_xml(mapping.tool)}</method>")
    for end, iri, name in (
        ("1", mapping.source, mapping.source_name),
        ("2", mapping.target, mapping.target_name),
    ):
        lines.append(f"  <onto{end}>{_escaped_xml(iri)}</onto{end}>")
        lines.append(f"  <uri{end}>{_escaped_xml(name or iri)}</uri{end}>")
    for one in rows:
        lines += [
            "  <map>",
            "    <Cell>",
            f"      <entity1 rdf:resource={_quoted_iri(one.source)}/>",
            f"      <entity2 rdf:resource={_quoted_iri(one.target)}/>",
            f'      <measure rdf:datatype="{FLOAT_TYPE}">{float(one.confidence)!r}</measure>',
            f"      <relation>{escape(one.relation)}</relation>",
            "    </Cell>",
            "  </map>",
        ]
    return "\n".join([*lines, "</Alignment>", "</rdf:RDF>", ""])


def _alignment_cardinality(rows: list[Correspondence]) -> str:
    """The alignment's type: ``?`` for a side whose classes have one partner at most, else ``*``."""
    sides = ([c.source for c in rows], [c.target for c in rows])
    return "".join("?" if len(set(side)) == len(side) else "*" for side in sides)


def _escaped_xml(text: str) -> str:
    return escape(FORBIDDEN_PATTERN.sub("\ufffd", text))


def _quoted_iri(iri: str) -> str:
    if FORBIDDEN_PATTERN.search(iri) or not iri:
        raise DataError(
            f"{shorten_text(iri)!r} holds what XML cannot: write the mapping as .json, or mend "
            "the IRI"
        )
    return quoteattr(iri)
