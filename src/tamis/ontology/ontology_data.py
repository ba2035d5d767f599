"""What an ontology says, in columns: what its file holds, and a prepared index."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

PropertyKind = Literal["object", "data", "annotation"]
NO_FILLER = -1  # of a restriction: no named class as its filler


class Property(NamedTuple):
    """An object, data or annotation property.

    Attributes
    ----------
    iri, label : str
    kind : {"object", "data", "annotation"}
    domains : tuple of int
        Classes, by position.
    ranges : tuple of int
        Named classes of the ontology, by position (object properties).
    datatypes : tuple of str
        Local names of literal ranges, such as ``string``.
    """

    iri: str
    label: str
    kind: PropertyKind
    domains: tuple[int, ...] = ()
    ranges: tuple[int, ...] = ()
    datatypes: tuple[str, ...] = ()


class Individual(NamedTuple):
    """Something that is of a class.

    Attributes
    ----------
    name : str
        Its IRI, or the identifier of a blank node.
    label : str
    types : tuple of int
        Its classes, by position.
    """

    name: str
    label: str
    types: tuple[int, ...]


class Restriction(NamedTuple):
    """What an axiom says of a class: some, only or n values of a property.

    Attributes
    ----------
    owner, property : int
        Positions of the class and of the property.
    filler : int
        Position of the class of the values; -1 for data and what has no name.
    """

    owner: int
    property: int
    filler: int = NO_FILLER


@dataclass(frozen=True, eq=False, repr=False)
class OntologyData:
    """The columns of an `Ontology`, which says what they are."""

    name: str
    iri: str
    iris: tuple[str, ...]
    labels: tuple[str, ...]
    local_names: tuple[str, ...]
    definitions: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...]
    related: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    labelled: np.ndarray
    obsolete: np.ndarray
    properties: tuple[Property, ...] = ()
    individuals: tuple[Individual, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    reasoner: str = ""
    inferred: tuple[tuple[int, ...], ...] = ()
