"""Which classes of two ontologies mean the same: the result of matching, and what files hold."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Relation = Literal["=", "<", ">"]
Status = Literal["mapped", "accepted", "refused", "uncertain"]
STATUSES: dict[Status, str] = {
    "mapped": "found by the model",
    "accepted": "a person said yes",
    "refused": "a person said no",
    "uncertain": "the model does not know: a person should look",
}


class Correspondence(NamedTuple):
    """One pair of classes, and what is said of it.

    Attributes
    ----------
    source, target : str
        IRIs.
    relation : {"=", "<", ">"}
        The source means the same, less or more.
    confidence : float
        Between 0 and 1.
    status : {"mapped", "accepted", "refused", "uncertain"}
    source_label, target_label : str
    evidence : mapping of str to float or None
        Each similarity by its name; None where it is undefined.
    comment : str
    """

    source: str
    target: str
    relation: Relation = "="
    confidence: float = 1.0
    status: Status = "mapped"
    source_label: str = ""
    target_label: str = ""
    evidence: Dict[str, float | None] = {}
    comment: str = ""


@dataclass(frozen=True)
class Mapping:
    """Correspondences between two ontologies, the most confident first.

    Attributes
    ----------
    correspondences : tuple of Correspondence
        All that is said: also what a person refused and what the model does not know.
    source, target : str
        IRIs of the ontologies.
    source_name, target_name : str
        Their files.
    tool : str
        What made it, with its version; empty where a file does not say.
    settings : mapping of str to str
        How it was made.
    remarks : tuple of str
        What the reader should know.
    """

    correspondences: tuple[Correspondence, ...]
    source: str = ""
    target: str = ""
    source_name: str = ""
    target_name: str = ""
    tool: str = ""
    settings: Dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def mapped(self) -> tuple[Correspondence, ...]:
        """What stands: found by the model, or accepted by a person."""
        return tuple(c for c in self.correspondences if c.status in ("mapped", "accepted"))

    @property
    def pairs(self) -> dict[tuple[str, str], Correspondence]:
        """Equivalent classes that stand, by their IRIs."""
        return {(c.source, c.target): c for c in self.mapped if c.relation == "="}
