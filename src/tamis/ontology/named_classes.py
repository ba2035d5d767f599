"""Names in a mapping become IRIs of two ontologies' classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Literal

from .._core.errors import DataError, nearest_name, shorten_text
from .mapping_data import AnyMapping
from .mapping_files.curies import NUMBERED_IRI_PATTERN, encoded_iri, is_iri
from .mapping_files.reading import gathered_correspondences
from .ontology import Ontology

IDENTIFIER_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9.-]*[:_][0-9]+")
MAX_COMPARED_NAMES = 20_000  # names that a mistyped one is compared with
ABSENT_MESSAGE = "{n} row{s} left out: no class of "
BRACE_ESCAPES = str.maketrans({"{": "{{", "}": "}}"})
PROPERTIES_MESSAGE = "{n} row{s} left out: a property, not a class"
Absent = Literal["refuse", "leave out", "keep"]


class _AbsentClass(Exception):
    """An identifier of no class of an ontology."""

    def __init__(self, given: str, where: str, ontology: Ontology):
        super().__init__(given)
        self.given, self.where, self.ontology = given, where, ontology

    def remark(self) -> str:
        """Why such rows are left out, with this one for an example."""
        example = f"{shorten_text(self.given)!r} ({self.where.rpartition(', ')[2]})"
        return ABSENT_MESSAGE + f"{self.ontology.name!r}, such as {example}".translate(
            BRACE_ESCAPES
        )

    def refusal(self) -> DataError:
        """The error; the search for the nearest IRI takes a while."""
        scheme, _, rest = self.given.partition("://")
        turned = {"http": "https", "https": "http"}.get(scheme, "") + "://" + rest
        close = nearest_name(self.given, islice(self.ontology.iris, MAX_COMPARED_NAMES))
        if turned in self.ontology:
            hint = f"it is there as {shorten_text(turned)!r}"
        elif close is None or NUMBERED_IRI_PATTERN.fullmatch(
            close
        ):  # numbers that are near mean nothing
            hint = "is it of another version?"
        else:
            hint = f"did you mean {shorten_text(close)!r}?"
        name = f"{shorten_text(self.given)!r} is no class of {self.ontology.name!r}"
        return DataError(f"{self.where}: {name}; {hint}")


def resolve(
    mapping: AnyMapping,
    source: Ontology,
    target: Ontology,
    *,
    absent: Absent = "refuse",
    lines: Sequence[int] = (),
    name: str = "mapping",
) -> AnyMapping:
    """The mapping with an IRI of a class on both sides of each correspondence.

    A name is looked for as an IRI, a CURIE such as ``HP:0000118`` or ``cmt:Author``, a local name,
    then a label, where small and capital letters are the same.

    Parameters
    ----------
    mapping : Mapping
    source, target : Ontology
    absent : {"refuse", "leave out", "keep"}, default="refuse"
        What is done with identifiers (IRIs, ``HP:0000118``) that are no class of the ontology, as
        of another version of it. Left out, a remark says how many; if all are, they are refused.
        IRIs can be kept as they are. Names are refused in any case. Pairs of properties are left
        out, and a remark says so, unless they are kept.
    lines : sequence of int, optional
        Where each correspondence stands in its file.
    name : str
        The file's, for messages.

    Returns
    -------
    Mapping
        With the labels of the classes, and IRIs and names of the ontologies.

    Raises
    ------
    DataError
        A name is of no class (the nearest one is named), or of several.
    """
    one_side, other_side = ClassNames(source), ClassNames(target)
    found, left_out = [], []
    first: dict[str, _AbsentClass] = {}
    rows = zip(
        lines or range(1, len(mapping.correspondences) + 1), mapping.correspondences, strict=True
    )
    # the first fault of the file is reported
    for line, one in sorted(rows, key=lambda row: row[0]):
        where = f"{name!r}, {'line' if lines else 'correspondence'} {line:,}"
        both = one.source in one_side.properties and one.target in other_side.properties
        if absent != "keep" and both:
            left_out.append(PROPERTIES_MESSAGE)
            continue
        try:
            a = one_side.iri(one.source, where, absent == "keep", other_side)
            b = other_side.iri(one.target, where, absent == "keep", one_side)
        except _AbsentClass as error:
            if absent != "leave out":
                raise error.refusal() from None
            left_out.append(first.setdefault(error.ontology.name, error).remark())
            continue
        labels = one_side.label(a) or one.source_label, other_side.label(b) or one.target_label
        found.append(
            (line, one._replace(source=a, target=b, source_label=labels[0], target_label=labels[1]))
        )
    if first and not found:
        raise next(iter(first.values())).refusal()
    about = replace(
        mapping,
        correspondences=(),
        source=source.iri,
        target=target.iri,
        source_name=source.name,
        target_name=target.name,
    )
    return gathered_correspondences(found, about, left_out, name=name).mapping


class ClassNames:
    """Under which names the classes of an ontology are known."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.properties = {one.iri for one in ontology.properties}
        self.local = _name_positions(ontology.local_names)
        self.labels = _name_positions(map(_folded_text, ontology.labels))

    def label(self, iri: str) -> str:
        """The label of a class; empty if it is none."""
        at = self.ontology.position.get(iri)
        return "" if at is None else self.ontology.labels[at]

    def iri(self, given: str, where: str, keep: bool, other: ClassNames) -> str:
        """The IRI of a class that goes by a name; any IRI with `keep`."""
        if given in self.ontology:
            return given
        if given in self.encoded:
            return self.encoded[given]
        if is_iri(given) and keep:
            return given
        of = f"class of {self.ontology.name!r}"
        at = [] if is_iri(given) else self.at(given)
        if len(at) > 1:
            iris = " and ".join(repr(shorten_text(self.ontology.iris[k])) for k in at[:2])
            raise DataError(
                f"{where}: {shorten_text(given)!r} names {len(at):,} classes of "
                f"{self.ontology.name!r}, {iris} among them; give the IRI"
            )
        if at:
            return self.ontology.iris[at[0]]
        if given in self.properties:
            raise DataError(
                f"{where}: {shorten_text(given)!r} is a property of {self.ontology.name!r}; a "
                "mapping is of classes: leave the line out"
            )
        if given in other.ontology or other.at(given):
            raise DataError(
                f"{where}: {shorten_text(given)!r} is no {of} but one of {other.ontology.name!r}; "
                "are the two columns, or the two ontologies, the wrong way round?"
            )
        if is_iri(given) or IDENTIFIER_PATTERN.fullmatch(given):
            raise _AbsentClass(given, where, self.ontology)
        close = nearest_name(
            given, islice((*self.ontology.labels, *self.local), MAX_COMPARED_NAMES)
        )
        hint = (
            f"; did you mean {shorten_text(close)!r}?" if close else ", and none has a name like it"
        )
        if not close and where.endswith("line 1"):
            hint += "; if this is a header, name the two columns source and target"
        raise DataError(f"{where}: {shorten_text(given)!r} is no {of}{hint}")

    @cached_property
    def encoded(self) -> dict[str, str]:
        """IRIs as SSSOM has them, where these are others."""
        return {name: iri for iri in self.ontology.iris if (name := encoded_iri(iri)) != iri}

    def at(self, given: str) -> list[int]:
        """Positions of the classes with a CURIE, local name or label: the first that is one's."""
        prefix, colon, local = given.partition(":")
        for found in (
            self.local.get(given),
            self._of_curie(prefix, local) if colon and local else None,
            self.labels.get(_folded_text(given)),
        ):
            if found:
                return found
        return []

    def _of_curie(self, prefix: str, local: str) -> list[int]:
        """Classes with the local name ``PREFIX_LOCAL``, or LOCAL in a namespace that ends so."""
        if found := self.local.get(f"{prefix}_{local}"):
            return found
        ends = tuple(f"{prefix}{end}{local}".lower() for end in ("#", "/", ".owl#", ".rdf#", "_"))
        iris = self.ontology.iris
        candidates = self.local.get(local, [])
        if found := [k for k in candidates if iris[k].lower().endswith(ends)]:
            return found
        numbered = {k: NUMBERED_IRI_PATTERN.fullmatch(iris[k]) for k in candidates}
        return [k for k, parts in numbered.items() if parts and parts[2] == prefix]


def _name_positions(names) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        found.setdefault(name, []).append(at)
    return found


def _folded_text(text: str) -> str:
    return " ".join(text.split()).casefold()
