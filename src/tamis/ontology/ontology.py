"""A vocabulary: its classes with their names, hierarchy, properties and individuals."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .._core.first_screen import FirstScreen
from .index import write_index
from .ontology_data import OntologyData

# A local name that is no name: MA_0000001, C12345, 1.2.840
CODE_PATTERN = re.compile(r"(?=.*\d{3}|[\d_.:-]+$)[A-Za-z]*[_.:#-]?[A-Za-z]{0,3}[\d_.:-]+")


class OntologyClass(NamedTuple):
    """One class, as a reader of the ontology sees it.

    Attributes
    ----------
    iri : str
    label : str
        The preferred label; the local name, in words, where the file has none.
    local_name : str
        What follows the last ``#`` or ``/`` of the IRI.
    synonyms : tuple of str
        Names that mean the same: alternative labels, exact synonyms.
    related : tuple of str
        Broad, narrow and related synonyms.
    definition : str
    parents : tuple of str
        IRIs of the named superclasses.
    obsolete : bool
    """

    iri: str
    label: str
    local_name: str
    synonyms: tuple[str, ...]
    related: tuple[str, ...]
    definition: str
    parents: tuple[str, ...]
    obsolete: bool


@dataclass(frozen=True, eq=False, repr=False)
class Ontology(OntologyData, FirstScreen):
    """The classes of an ontology, in columns: position i of each is the same class.

    Attributes
    ----------
    name : str
        Of the file.
    iri : str
        Of the ontology; the name if it says none.
    iris, labels, local_names, definitions : tuple of str, one for each class
    synonyms, related : tuple of tuples of str
    parents : tuple of tuples of int
        Positions of the named superclasses, without circles: asserted, or inferred as well.
    labelled : ndarray of bool
        Whether the file gives a label.
    obsolete : ndarray of bool
    properties : tuple of Property
    individuals : tuple of Individual
    restrictions : tuple of Restriction
    remarks : tuple of str
        What the reader should know: labels taken from local names, circles, imports not read.
    reasoner : str
        What inferred superclasses; empty for the asserted hierarchy.
    inferred : tuple of tuples of int
        Those of `parents` that the file does not state; without a reasoner there is none.
    """

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a prepared index, which `read_ontology` opens much faster than the file.

        Raises
        ------
        StoreError
            It cannot be written there.
        """
        write_index(self, path)

    def __len__(self) -> int:
        return len(self.iris)

    def __getitem__(self, iri: str) -> OntologyClass:
        return self.class_at(self.position[iri])

    def __contains__(self, iri: object) -> bool:
        return iri in self.position

    @property
    def classes(self) -> Sequence[OntologyClass]:
        """All classes, in the order of `iris`; a reader sorts these."""
        return _Classes(self)

    @cached_property
    def position(self) -> dict[str, int]:
        """Where the class of an IRI stands."""
        return {iri: at for at, iri in enumerate(self.iris)}

    @cached_property
    def digest(self) -> str:
        """Of all that it says, but for the file's name: two without an IRI can be distinguished."""
        said = hashlib.sha256()
        for one in fields(self):
            if one.name not in ("name", "remarks"):
                value = getattr(self, one.name)
                plain = value.tolist() if isinstance(value, np.ndarray) else value
                said.update(repr(plain).encode())
        return said.hexdigest()

    def class_at(self, at: int) -> OntologyClass:
        """The class at a position."""
        return OntologyClass(
            self.iris[at],
            self.labels[at],
            self.local_names[at],
            self.synonyms[at],
            self.related[at],
            self.definitions[at],
            tuple(self.iris[k] for k in self.parents[at]),
            bool(self.obsolete[at]),
        )

    def names_of(self, at: int) -> tuple[str, ...]:
        """Names of a class, each once: label, local name if it is a name, synonyms of all kinds."""
        local = self.local_names[at]
        own = () if self.labelled[at] and CODE_PATTERN.fullmatch(local) else (local,)
        names = (self.labels[at], *own, *self.synonyms[at], *self.related[at])
        return tuple(dict.fromkeys(names))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the direct subclasses of each class."""
        found: list[list[int]] = [[] for _ in self.iris]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                found[parent].append(child)
        return tuple(map(tuple, found))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Classes without a superclass."""
        return tuple(k for k, parents in enumerate(self.parents) if not parents)

    @cached_property
    def downwards(self) -> tuple[int, ...]:
        """Every position once, parents before their children."""
        waiting = [len(parents) for parents in self.parents]
        order = list(self.roots)
        for at in order:
            for child in self.children[at]:
                waiting[child] -= 1
                if not waiting[child]:
                    order.append(child)
        return tuple(order)

    @cached_property
    def depths(self) -> np.ndarray:
        """Shortest way from a root to each class; 0 for a root."""
        found = np.zeros(len(self), dtype=np.int32)
        for at in self.downwards:
            if self.parents[at]:
                found[at] = 1 + min(found[k] for k in self.parents[at])
        return found

    def ancestors(self, at: int) -> frozenset[int]:
        """All superclasses of a class, without itself: the hierarchy, closed."""
        found: set[int] = set()
        waiting = list(self.parents[at])
        while waiting:
            if (one := waiting.pop()) not in found:
                found.add(one)
                waiting += self.parents[one]
        return frozenset(found)

    def siblings(self, at: int) -> tuple[int, ...]:
        """Other children of its parents; of a root, the other roots."""
        among = [k for p in self.parents[at] for k in self.children[p]]
        return tuple(k for k in dict.fromkeys(among or self.roots) if k != at)

    def summary(self) -> str:
        """One line for people, and the remarks."""
        n = [len(self), len(self.properties), len(self.individuals)]
        head = f"{self.name}: {n[0]:,} classes, {n[1]:,} properties, {n[2]:,} individuals"
        return "\n".join([head, *self.remarks])


class _Classes(Sequence):
    """`Ontology.classes`: made as they are requested."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def __len__(self) -> int:
        return len(self._ontology)

    def __iter__(self) -> Iterator[OntologyClass]:
        return map(self._ontology.class_at, range(len(self)))

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self._ontology.class_at(k) for k in range(*at.indices(len(self)))]
        return self._ontology.class_at(range(len(self))[at])
