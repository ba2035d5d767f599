"""`tamis ontology`: vocabularies, what they hold, and an index that opens at once."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from .._core.outputs import OutputFile, starts_with
from .._core.terminal import say_to_user
from ._ontology_options import REASONER_OPTION
from ._shared import FORCE_OPTION, OUTPUT_OPTIONS, free_output, path_option, print_result
from .ontology_evaluate import command as evaluate
from .ontology_match import explain, match
from .ontology_review import command as review

INDEX_OUTPUT = OutputFile("ontology index of Tamis", starts_with(b"TAMIS ontology index "))
FILE_ARGUMENT = click.argument("file", type=click.Path(path_type=Path))


@click.group("ontology")
def command() -> None:
    """Ontologies (OWL, RDF, OBO): what they hold, and which of their classes mean the same."""


@command.command("show")
@FILE_ARGUMENT
@click.option("--class", "one", metavar="NAME", help="One class: its IRI, CURIE, label or synonym.")
@REASONER_OPTION
@OUTPUT_OPTIONS
def show(file: Path, one: str | None, reasoner: str | None, as_json: bool, quiet: bool) -> None:
    """Count what is in FILE: classes, names, hierarchy, properties, individuals.

    FILE is RDF/XML, Turtle, N-Triples, JSON-LD or OBO, also packed by gzip, or an index of
    `tamis ontology index`. With --class: the names of a class, and what stands around it.
    """
    from ..ontology import read_ontology
    from ..ontology.describe import (
        class_lines,
        describe_class,
        describe_ontology,
        find_class,
        ontology_lines,
    )

    ontology = read_ontology(file, reasoner=reasoner, quiet=quiet)
    if one is None:
        content = describe_ontology(ontology)
        print_result(content, as_json, *ontology_lines(content))
    else:
        described = describe_class(ontology, find_class(ontology, one))
        print_result(described, as_json, *class_lines(described))


@command.command("index")
@FILE_ARGUMENT
@path_option("--out", "FILE", "Where the index is written (default: NAME.index here).")
@REASONER_OPTION
@FORCE_OPTION
@OUTPUT_OPTIONS
def index(
    file: Path, out: Path | None, reasoner: str | None, force: bool, as_json: bool, quiet: bool
) -> None:
    """Read FILE once, and write an index that every other command opens in its place, faster."""
    from ..ontology import read_ontology
    from ..ontology.describe import describe_ontology

    out = free_output(INDEX_OUTPUT, out or Path(f"{file.name.removesuffix('.gz')}.index"), force)
    ontology = read_ontology(file, reasoner=reasoner, quiet=quiet)
    ontology.write(out)
    for remark in ontology.remarks:
        say_to_user(f"  ! {remark}", quiet)
    head = ontology.summary().partition("\n")[0]
    print_result(
        {**describe_ontology(ontology), "index": str(out)}, as_json, head, f"  index     {out}"
    )


for one in (match, explain, review, evaluate):
    command.add_command(one)
