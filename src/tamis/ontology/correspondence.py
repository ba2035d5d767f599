"""One pair of classes of two ontologies, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from typing import Literal, NamedTuple

Relation = Literal["=", "<", ">"]
Status = Literal["mapped", "accepted", "refused", "uncertain"]


class Correspondence(NamedTuple):
    """One pair of classes, and what is said of it.

    Attributes
    ----------
    source, target : str
        IRIs.
    relation : {"=", "<", ">"}
        The source means the same, less or more.
    confidence : float
        Between 0 and 1: in the pair; of one that was refused, in the refusal.
    status : {"mapped", "accepted", "refused", "uncertain"}
        Found by the model; a person said yes, or no; not known, so that a person should look.
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

    @property
    def means_same(self) -> bool | None:
        """Whether it says that both classes mean the same; None if it says neither.

        Examples
        --------
        >>> narrower = Correspondence("a:1", "b:1", "<")
        >>> narrower.means_same, narrower._replace(status="refused").means_same
        (False, None)
        """
        if self.status == "uncertain" or (self.status == "refused" and self.relation != "="):
            return None
        return self.relation == "=" and self.status != "refused"
