"""Which classes of two ontologies mean the same: the result of matching, and what files hold."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping as Dict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from .._core.first_screen import FirstScreen
from .mapping_schema import KIND, VERSION, CorrespondenceContent, MappingContent

if TYPE_CHECKING:
    import pandas as pd

    from .ontology import Ontology

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
        Between 0 and 1: in the pair; of one that was refused, in the refusal.
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


@dataclass(frozen=True, repr=False)
class Mapping(FirstScreen):
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

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        source: Ontology | None = None,
        target: Ontology | None = None,
    ) -> Mapping:
        """Read a file: `tamis.ontology.read_mapping`."""
        from .mapping_files import read_mapping

        return read_mapping(path, source, target)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, whole or not at all; its suffix says which format.

        Parameters
        ----------
        path : path
            ``.sssom.tsv`` or ``.tsv``: SSSOM, what stands and what was refused. ``.rdf`` or
            ``.xml``: alignment RDF, what stands. ``.json``: everything.

        Raises
        ------
        PlanError
            Another suffix.
        DataError
            An IRI that the format cannot hold.
        StoreError
            The file cannot be written.
        """
        from .mapping_files import write_mapping

        write_mapping(self, path)

    def inverted(self) -> Mapping:
        """The same mapping from its target to its source."""
        turned: dict[Relation, Relation] = {"=": "=", "<": ">", ">": "<"}
        slots = {"subject_source_version": "object_source_version"}  # what is said of either side
        slots |= {other: one for one, other in slots.items()}
        settings = {slots.get(name, name): value for name, value in self.settings.items()}
        return Mapping(
            tuple(
                c._replace(
                    source=c.target, target=c.source, relation=turned[c.relation],
                    source_label=c.target_label, target_label=c.source_label,
                )
                for c in self.correspondences
            ),
            self.target, self.source, self.target_name, self.source_name,
            self.tool, settings, self.remarks,
        )  # fmt: skip

    def frame(self) -> pd.DataFrame:
        """A row a correspondence, with a column for each kind of evidence; NaN where undefined."""
        import pandas as pd

        kinds = list(dict.fromkeys(name for c in self.correspondences for name in c.evidence))
        fields = [name for name in Correspondence._fields if name != "evidence"]
        found = pd.DataFrame(
            {name: [getattr(c, name) for c in self.correspondences] for name in fields},
            columns=fields,
        )
        for name in kinds:
            values = [c.evidence.get(name) for c in self.correspondences]
            found[name] = pd.Series(values, dtype=float, index=found.index)
        return found

    def to_dict(self) -> MappingContent:
        """Everything, as its JSON file holds it."""
        return {
            "kind": KIND,
            "version": VERSION,
            "source": self.source,
            "target": self.target,
            "source_name": self.source_name,
            "target_name": self.target_name,
            "tool": self.tool,
            "settings": dict(self.settings),
            "remarks": list(self.remarks),
            "correspondences": [_content(c) for c in self.correspondences],
        }

    def summary(self) -> str:
        """One line for people, and the remarks.

        Examples
        --------
        >>> print(Mapping((Correspondence("a:1", "b:1"), Correspondence("a:2", "b:3", "<"),
        ...                Correspondence("a:4", "b:4", status="refused"))).summary())
        2 correspondences: 1 equivalent, 1 narrower; 1 refused
        """
        relations: Counter[str] = Counter(c.relation for c in self.mapped)
        statuses: Counter[str] = Counter(c.status for c in self.correspondences)
        words = {"=": "equivalent", "<": "narrower", ">": "broader"}
        told = [f"{relations[r]:,} {word}" for r, word in words.items() if relations[r]]
        n = len(self.mapped)
        head = f"{n:,} correspondence{'' if n == 1 else 's'}"
        if told:
            head += f": {', '.join(told)}"
        perhaps = sum(c.status == "uncertain" and c.relation != "=" for c in self.correspondences)
        told_apart = {
            "refused": statuses["refused"],
            "uncertain": statuses["uncertain"] - perhaps,
            "perhaps narrower or broader": perhaps,
        }
        others = [f"{n:,} {what}" for what, n in told_apart.items() if n]
        if self.source_name and self.target_name:
            head = f"{self.source_name} and {self.target_name}: {head}"
        return "\n".join(
            ["; ".join([head, ", ".join(others)] if others else [head]), *self.remarks]
        )


def _content(one: Correspondence) -> CorrespondenceContent:
    """Its fields, numbers as JSON has them."""
    evidence = {name: None if x is None or x != x else float(x) for name, x in one.evidence.items()}
    fields = {**one._asdict(), "confidence": float(one.confidence), "evidence": evidence}
    return cast(CorrespondenceContent, fields)
