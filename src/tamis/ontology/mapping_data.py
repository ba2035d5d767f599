"""What a mapping says: what files of mappings hold."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from dataclasses import dataclass, field
from typing import TypeVar, cast

from .correspondence import Correspondence
from .mapping_schema import KIND, SCHEMA_VERSION, CorrespondenceContent, MappingContent


@dataclass(frozen=True, repr=False)
class MappingData:
    """The fields of a `Mapping`, which says what they are."""

    correspondences: tuple[Correspondence, ...]
    source: str = ""
    target: str = ""
    source_name: str = ""
    target_name: str = ""
    tool: str = ""
    settings: Dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def mapped(self) -> tuple[Correspondence, ...]:
        """What stands: found by the model, or accepted by a person."""
        return tuple(c for c in self.correspondences if c.status in ("mapped", "accepted"))

    def to_dict(self) -> MappingContent:
        """Everything, as its JSON file holds it."""
        return {
            "kind": KIND,
            "version": SCHEMA_VERSION,
            "source": self.source,
            "target": self.target,
            "source_name": self.source_name,
            "target_name": self.target_name,
            "tool": self.tool,
            "settings": dict(self.settings),
            "remarks": list(self.remarks),
            "correspondences": [_correspondence_content(c) for c in self.correspondences],
        }


AnyMapping = TypeVar("AnyMapping", bound=MappingData)


def _correspondence_content(one: Correspondence) -> CorrespondenceContent:
    """Its fields, numbers as JSON has them."""
    evidence = {name: None if x is None or x != x else float(x) for name, x in one.evidence.items()}
    fields = {**one._asdict(), "confidence": float(one.confidence), "evidence": evidence}
    return cast(CorrespondenceContent, fields)
