"""`tamis ontology evaluate`: a mapping against a reference."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ._shared import print_result

FILE = click.Path(path_type=Path)


@click.command("evaluate")
@click.argument("mapping", type=FILE)
@click.argument("reference", type=FILE)
@click.option(
    "--classes", nargs=2, type=FILE, metavar="A.owl B.owl",
    help="The two ontologies: pairs of their classes count, properties do not. Local names and "
    "labels then do for IRIs.",
)  # fmt: skip
@click.option(
    "--train", multiple=True, type=FILE, metavar="KNOWN",
    help="Known pairs that MAPPING was learned from: scores are told without their classes as "
    "well. An .sssom.tsv or .json of Tamis knows them. Again for each file.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    mapping: Path, reference: Path, classes: tuple[Path, Path] | None, train: tuple[Path, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Precision, recall and F1 of MAPPING against REFERENCE, with 95 % intervals, and the errors
    by kind.

    Both are .sssom.tsv, .tsv, .csv, .rdf (Alignment API) or .json. Equivalent classes count; pairs
    that the reference marks as unknown (?) do not. Pairs that a person accepted are in MAPPING
    whatever the model thinks: scores are told without them, too.
    """
    from ..ontology import Mapping, evaluate_mapping, read_mapping

    ontologies: tuple = ()
    if classes:
        from ..ontology import read_ontology

        ontologies = tuple(map(read_ontology, classes))
    found, true = (read_mapping(path, *ontologies, absent="keep") for path in (mapping, reference))
    rows = [c for path in train for c in read_mapping(path, *ontologies).correspondences]
    told = evaluate_mapping(
        found, true, *ontologies, train=Mapping(tuple(rows)) if train else None,
        name=mapping.name, reference_name=reference.name,
    )  # fmt: skip
    remarks = [f"  ! {path.name}: {remark}" for path, one in ((mapping, found), (reference, true))
               for remark in one.remarks]  # fmt: skip
    print_result(told.to_dict(), as_json, told.summary(), *remarks)
