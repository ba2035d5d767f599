"""All names of two vocabularies, each once, and the classes that bear them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .names import name_stems, normalise_all
from .ontology import Ontology


@dataclass(frozen=True)
class Bearers:
    """Which classes of an ontology bear which names; no pair twice.

    Attributes
    ----------
    names, classes : (n,) int32
        In order of names, then of classes.
    """

    names: np.ndarray
    classes: np.ndarray

    @classmethod
    def of(cls, names: np.ndarray, classes: np.ndarray) -> Bearers:
        """Pairs in order, each once."""
        n = int(classes.max(initial=0)) + 1
        pairs = np.divmod(np.unique(names.astype(np.int64) * n + classes), n)
        return cls(*(part.astype(np.int32) for part in pairs))


@dataclass(frozen=True)
class NameTable:
    """Normalised names of two ontologies.

    Attributes
    ----------
    names : list of str
        Each once, in order of the alphabet.
    source, target : Bearers
    source_places, target_places : ndarray of int64
        Place of each class when all are in order of their IRIs: ties go by it, so that the order
        in the file does not matter.
    """

    names: list[str]
    source: Bearers
    target: Bearers
    source_places: np.ndarray
    target_places: np.ndarray

    def bags(self) -> NameTable:
        """The same with the words of each name in order of the alphabet: there are fewer names.

        Synonyms are often a label turned round; what knows no order sees one name in them.
        """
        turned = [" ".join(sorted(name.split())) for name in self.names]
        names = sorted(set(turned))
        number = {name: k for k, name in enumerate(names)}
        bag = np.array([number[name] for name in turned], dtype=np.int64)
        sides = [Bearers.of(bag[one.names], one.classes) for one in (self.source, self.target)]
        return NameTable(names, sides[0], sides[1], self.source_places, self.target_places)

    @cached_property
    def stems(self) -> list[tuple[str, ...]]:
        """Stems of each name (`names.name_stems`)."""
        return [name_stems(name) for name in self.names]

    @property
    def word_keys(self) -> np.ndarray:
        """A number for each name, equal where the stems are."""
        return _numbered_keys(self.stems)

    @property
    def joined_keys(self) -> np.ndarray:
        """A number for each name, equal where the letters are: without blanks."""
        return _numbered_keys(name.replace(" ", "") for name in self.names)


def _numbered_keys(keys: Iterable[Hashable]) -> np.ndarray:
    """A number for each key, equal ones for equal keys."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int64)


def name_table(source: Ontology, target: Ontology) -> NameTable:
    """Labels, local names that are names, and synonyms of all kinds; none of an obsolete class."""
    written = [_written_names(ontology) for ontology in (source, target)]
    said = [normalise_all(texts) for texts, _ in written]
    names = sorted({*said[0], *said[1]} - {""})
    number = {name: k for k, name in enumerate(names)} | {"": -1}
    found = []
    for one, (_, classes) in zip(said, written, strict=True):
        at = np.array([number[name] for name in one], dtype=np.int64)
        found.append(Bearers.of(at[at >= 0], np.array(classes, dtype=np.int64)[at >= 0]))
    return NameTable(
        names, found[0], found[1], _sorted_places(source.iris), _sorted_places(target.iris)
    )


def _sorted_places(iris: tuple[str, ...]) -> np.ndarray:
    places = np.empty(len(iris), dtype=np.int64)
    places[sorted(range(len(iris)), key=iris.__getitem__)] = np.arange(len(iris))
    return places


def _written_names(ontology: Ontology) -> tuple[list[str], list[int]]:
    """Every name as the file has it, and its class."""
    texts: list[str] = []
    classes: list[int] = []
    for at, obsolete in enumerate(ontology.obsolete.tolist()):
        if not obsolete:
            one = ontology.names_of(at)
            texts += one
            classes += [at] * len(one)
    return texts, classes
