"""Which classes of two ontologies mean the same: the result of matching, and what files hold."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.errors import PlanError
from .._core.first_screen import FirstScreen
from .correspondence import Correspondence, Relation
from .mapping_data import MappingData
from .mapping_files import read_lines, write_mapping
from .named_classes import Absent, resolve
from .ontology import Ontology

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Mapping(MappingData, FirstScreen):
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

    def __len__(self) -> int:
        return len(self.pairs)

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
        return read_mapping(path, source, target)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, completely or not at all; its suffix says which format.

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
                    source=c.target,
                    target=c.source,
                    relation=turned[c.relation],
                    source_label=c.target_label,
                    target_label=c.source_label,
                )
                for c in self.correspondences
            ),
            self.target,
            self.source,
            self.target_name,
            self.source_name,
            self.tool,
            settings,
            self.remarks,
        )

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
        counts = [f"{relations[r]:,} {word}" for r, word in words.items() if relations[r]]
        n = len(self.mapped)
        head = f"{n:,} correspondence{'' if n == 1 else 's'}"
        if counts:
            head += f": {', '.join(counts)}"
        perhaps = sum(c.status == "uncertain" and c.relation != "=" for c in self.correspondences)
        by_status = {
            "refused": statuses["refused"],
            "uncertain": statuses["uncertain"] - perhaps,
            "perhaps narrower or broader": perhaps,
        }
        others = [f"{n:,} {what}" for what, n in by_status.items() if n]
        if self.source_name and self.target_name:
            head = f"{self.source_name} and {self.target_name}: {head}"
        return "\n".join(
            ["; ".join([head, ", ".join(others)] if others else [head]), *self.remarks]
        )


def read_mapping(
    path: str | os.PathLike[str],
    source: Ontology | None = None,
    target: Ontology | None = None,
    *,
    absent: Absent = "refuse",
) -> Mapping:
    """Read a mapping from a file.

    Parameters
    ----------
    path : path
        ``.json`` of Tamis; ``.rdf``, ``.xml`` or ``.owl`` in the Alignment format; ``.tsv``,
        ``.txt`` or ``.csv``: SSSOM if it has the columns ``subject_id`` and ``object_id``, else a
        table of sources and targets, with a third column for relations or answers if need be.
    source, target : Ontology, optional
        Both or none. With them each name becomes the IRI of one of their classes: an IRI, a CURIE,
        a local name or a label (`resolve`).
    absent : {"refuse", "leave out", "keep"}, default="refuse"
        With ontologies: what is done with identifiers that are none of their classes (`resolve`).

    Returns
    -------
    Mapping
        The most confident first. What the file says and a mapping of classes cannot is listed in
        its remarks.

    Raises
    ------
    DataError
        It cannot be read: the message names the line.
    PlanError
        Another suffix, or one ontology without the other.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "known.tsv")
    >>> _ = file.write_text("cmt:Author\\tedas:Author\\t=\\ncmt:Person\\tedas:Agent\\t<\\n")
    >>> [(c.source, c.target, c.relation) for c in read_mapping(file).correspondences]
    [('cmt:Author', 'edas:Author', '='), ('cmt:Person', 'edas:Agent', '<')]
    """
    if (source is None) != (target is None):
        raise PlanError("read_mapping has one ontology only: give both source and target, or none")
    path = Path(path)
    data, lines = read_lines(path)
    if source is not None and target is not None:
        data = resolve(data, source, target, absent=absent, lines=lines, name=path.name)
    return Mapping(**vars(data))
