"""What the JSON of a mapping holds."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

KIND = "ontology mapping"
SCHEMA_VERSION = 1  # of this schema


class CorrespondenceContent(TypedDict):
    """`Correspondence`, its fields by name."""

    source: str
    target: str
    relation: Literal["=", "<", ">"]
    confidence: float
    status: Literal["mapped", "accepted", "refused", "uncertain"]
    source_label: str
    target_label: str
    evidence: dict[str, float | None]
    comment: str


class MappingContent(TypedDict):
    """`Mapping.to_dict`."""

    kind: str
    version: int
    source: str
    target: str
    source_name: str
    target_name: str
    tool: str
    settings: dict[str, str]
    remarks: list[str]
    correspondences: list[CorrespondenceContent]
