"""`read_ontology`: a file, whatever its format, as an `Ontology`."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..._core.errors import DataError
from ..index import is_index, read_index
from ..ontology import Ontology
from .build import build_ontology
from .content import read_content
from .formats import format_of
from .obo import obo_facts
from .rdf import rdf_facts
from .reasoner import check_reasoner, reasoned_ontology, require_reasoned


def read_ontology(
    path: str | os.PathLike[str], *, reasoner: str | None = None, quiet: bool = True
) -> Ontology:
    """Read the classes of an ontology with their names, hierarchy, properties and individuals.

    Formats are recognised by what the file holds: RDF/XML, Turtle, N-Triples, JSON-LD and OBO,
    plain or packed by gzip, in any encoding that they declare, and what
    `Ontology.write` prepared. Classes are in the order of their IRIs, so
    that the same content gives the same ontology in every format. Imports are not
    fetched. The hierarchy is the asserted one, unless a reasoner is to infer another.

    Parameters
    ----------
    path : path of a file
    reasoner : {"hermit"}, optional
        What infers superclasses and equivalent classes from the axioms, beside those stated
        (``pip install '.[reasoner]'``, and Java). An index holds what was inferred when it was
        prepared.
    quiet : bool
        No progress on stderr.

    Returns
    -------
    Ontology

    Raises
    ------
    DataError
        The file is not there, is none of these, is damaged, or holds no class; or it is
        inconsistent, or the reasoner has no answer in time.
    MissingExtraError
        pyoxigraph, or what the reasoner needs, is not installed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "animals.ttl"
    >>> _ = path.write_text('''
    ... @prefix : <http://example.org/animals#> .
    ... @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    ... @prefix owl: <http://www.w3.org/2002/07/owl#> .
    ... :Mammal a owl:Class .
    ... :Dog a owl:Class ; rdfs:subClassOf :Mammal ; rdfs:label "dog"@en, "Hund"@de .
    ... ''')
    >>> animals = read_ontology(path)
    >>> [(one.label, one.synonyms) for one in animals.classes]
    [('dog', ('Hund',)), ('Mammal', ())]
    """
    path = Path(path)
    if not path.is_file():
        if re.match(r"(?:https?|ftp):/", str(path)):  # a Path keeps one of two slashes
            address = str(path).replace(":/", "://", 1)
            raise DataError(f"{address!r} is an address, and nothing is fetched: download it first")
        kind = "is a folder" if path.is_dir() else "is no file that can be read twice"
        if not path.exists():
            kind = "does not exist"
        raise DataError(f"{str(path)!r} {kind}: give the file of an ontology")
    if is_index(path):
        ontology = Ontology(**vars(read_index(path)))
        return require_reasoned(ontology, reasoner, path.name)
    check_reasoner(reasoner)
    content = read_content(path)
    kind_of_file = format_of(content, path.name)
    if kind_of_file == "OBO":
        facts = obo_facts(content, path.name, quiet)
    else:
        facts = rdf_facts(content, kind_of_file, path.name, quiet, axioms=reasoner is not None)
    ontology = build_ontology(facts, path.name)
    return ontology if reasoner is None else reasoned_ontology(ontology, facts, reasoner, quiet)
