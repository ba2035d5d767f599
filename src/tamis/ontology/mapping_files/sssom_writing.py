"""SSSOM TSV, written in its canonical form: no clock, and the same bytes for the same mapping."""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext

from ..._core.errors import counted_noun
from ..._core.fields import plain_field
from ..correspondence import Correspondence
from ..mapping_data import MappingData
from .curies import contracted_iris, is_iri
from .metadata_block import Value, block_text
from .sssom import FILE_NAME_SLOTS, parts_of
from .vocabulary import (
    BY_A_PERSON,
    BY_MODEL,
    EXTENSION_PREFIX,
    KEPT_SLOTS,
    MULTIPLE_VALUED_SLOTS,
    PREDICATES,
    SET_SLOTS,
    SSSOM_SLOTS,
)

UNKNOWN_LICENSE = "https://w3id.org/sssom/license/unspecified"
SET_IRI_PREFIX = "https://w3id.org/sssom/mappings/"  # of sets without an identifier of their own


def sssom_text(mapping: MappingData) -> str:
    """The file. Uncertain pairs are left out: nothing in SSSOM says that a row is no mapping yet.

    Raises
    ------
    DataError
        An IRI that no CURIE can stand for.
    """
    rows = [c for c in mapping.correspondences if c.status != "uncertain"]
    slots = evidence_slots(name for c in rows for name in c.evidence)
    sources = {"subject_source": mapping.source, "object_source": mapping.target}
    people = parts_of(mapping.settings.get("creator_id", ""))
    iris = [*(iri for c in rows for iri in (c.source, c.target)), *filter(is_iri, people)]
    curies, prefixes = contracted_iris([*iris, *filter(is_iri, sources.values())])
    table = _mapping_table(rows, slots, curies)
    metadata: dict[str, Value] = {
        "curie_map": prefixes,
        "mapping_set_id": SET_IRI_PREFIX + str(uuid.uuid5(uuid.NAMESPACE_URL, table)),
        "license": UNKNOWN_LICENSE,
        **{slot: curies.get(iri, "") for slot, iri in sources.items()},
        **_tool_slots(mapping.tool),
        "other": _other_settings(mapping),
        "comment": "\n".join([*mapping.remarks, *_left_out(mapping)]),
        "extension_definitions": [
            {"slot_name": slot, "type_hint": "xsd:double"} for slot in slots.values()
        ],
        **{slot: mapping.settings[slot] for slot in KEPT_SLOTS if slot in mapping.settings},
        "creator_id": "|".join(curies.get(one, one) for one in people),
    }
    for slot in MULTIPLE_VALUED_SLOTS:
        value = metadata.get(slot)
        if isinstance(value, str) and value:
            metadata[slot] = parts_of(value)
    return block_text({slot: metadata[slot] for slot in SET_SLOTS if slot in metadata}) + table


def evidence_slots(names: Iterable[str]) -> dict[str, str]:
    """A column for each kind of evidence, by its name; sorted by the column.

    Examples
    --------
    >>> evidence_slots(["name", "path from root"])
    {'name': 'ext_name', 'path from root': 'ext_path_from_root'}
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        slot = base = EXTENSION_PREFIX + re.sub(r"[^A-Za-z0-9_.-]", "_", name)
        number = 1
        while slot in found.values():
            number += 1
            slot = f"{base}_{number}"
        found[name] = slot
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def _mapping_table(
    rows: Sequence[Correspondence], slots: dict[str, str], curies: dict[str, str]
) -> str:
    """Header and rows in order, without columns in which nothing stands."""
    cells = sorted(
        [
            curies[c.source],
            plain_field(c.source_label),
            PREDICATES[c.relation],
            "Not" if c.status == "refused" else "",
            curies[c.target],
            plain_field(c.target_label),
            BY_MODEL if c.status == "mapped" else BY_A_PERSON,
            rounded_text(c.confidence),
            plain_field(c.comment),
            *(rounded_text(c.evidence.get(name)) for name in slots),
        ]
        for c in rows
    )
    header = [*SSSOM_SLOTS, *slots.values()]
    needed = ("subject_id", "predicate_id", "object_id", "mapping_justification")
    kept = [j for j, name in enumerate(header) if name in needed or any(r[j] for r in cells)]
    lines = [[header[j] for j in kept], *([row[j] for j in kept] for row in cells)]
    return "".join("\t".join(map(_quoted_field, line)) + "\n" for line in lines)


def rounded_text(value: float | None) -> str:
    """At most three decimals, halves upwards, as canonical files have them; empty for None.

    Examples
    --------
    >>> (rounded_text(1.0),
    ...  rounded_text(0.98765),
    ...  rounded_text(0.0005),
    ...  rounded_text(1e30)[:3],
    ...  rounded_text(None))
    ('1', '0.988', '0.001', '100', '')
    """
    if value is None or not math.isfinite(value):
        return ""
    with localcontext(prec=400):  # for whatever a similarity gives
        near = Decimal(repr(float(value))).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return format(near, "f").rstrip("0").rstrip(".")


def _quoted_field(text: str) -> str:
    """A field, in quotes if it needs them."""
    text = text.encode("utf-8", "replace").decode()
    if not re.search(r'["\t\n\r]', text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _tool_slots(tool: str) -> dict[str, str]:
    """Name and version: what comes last, if it begins with a digit."""
    name, _, version = tool.rpartition(" ")
    if not name or not re.match(r"v?\d", version):
        return {"mapping_tool": tool}
    return {"mapping_tool": name, "mapping_tool_version": version}


def _other_settings(mapping: MappingData) -> str:
    """Settings without a slot of their own, and the names of the files."""
    own = {*KEPT_SLOTS, "creator_id"}
    pairs = {name: value for name, value in mapping.settings.items() if name not in own}
    pairs |= {name: getattr(mapping, name) for name in FILE_NAME_SLOTS}
    if set(mapping.settings) == {"other"} and not any(getattr(mapping, n) for n in FILE_NAME_SLOTS):
        return mapping.settings["other"]
    return "|".join(
        f"{name}={value}".replace("\\", "\\\\").replace("|", "\\|")
        for name, value in pairs.items()
        if value
    )


def _left_out(mapping: MappingData) -> list[str]:
    n = sum(c.status == "uncertain" for c in mapping.correspondences)
    return [f"{counted_noun(n, 'uncertain pair')} left out, which the JSON file has"] if n else []
