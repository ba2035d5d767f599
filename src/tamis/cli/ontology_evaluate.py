"""`tamis ontology evaluate`: a mapping against a reference."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from .._core.outputs import OutputFile, starts_with
from ._shared import FORCE_OPTION, free_output, path_option, print_result

FILE_TYPE = click.Path(path_type=Path)
ERRORS_OUTPUT = OutputFile("errors of a mapping", starts_with(b"error\tkind\tsource\t"))


@click.command("evaluate")
@click.argument("mapping", type=FILE_TYPE)
@click.argument("reference", type=FILE_TYPE)
@click.option(
    "--classes",
    nargs=2,
    type=FILE_TYPE,
    metavar="A.owl B.owl",
    help="The two ontologies: pairs of their classes count, properties do not. Local names and "
    "labels then do for IRIs.",
)
@click.option(
    "--train",
    multiple=True,
    type=FILE_TYPE,
    metavar="KNOWN",
    help="Known pairs that MAPPING was learned from, or a sheet of a review: scores are given "
    "without their classes as well. An .sssom.tsv or .json of Tamis knows them. Again for each "
    "file.",
)
@click.option(
    "--partial",
    is_flag=True,
    help="The reference has a part of the classes only: pairs of two classes that it does not name "
    "are left aside.",
)
@path_option("--errors", "FILE", "Write the missed and the wrong pairs, a TSV with a row for each.")
@FORCE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    mapping: Path,
    reference: Path,
    classes: tuple[Path, Path] | None,
    train: tuple[Path, ...],
    partial: bool,
    errors: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Precision, recall and F1 of MAPPING against REFERENCE, with 95 % intervals, and the errors
    by kind.

    Both are .sssom.tsv, .tsv, .csv, .rdf (Alignment API) or .json. Equivalent classes count; pairs
    that the reference marks as unknown (?) do not. Pairs that a person accepted are in MAPPING
    whatever the model thinks: scores are given without them, too.
    """
    from .._core.files import write_text
    from .._core.tsv import tsv_text
    from ..ontology import Mapping, evaluate_mapping, read_mapping
    from ..ontology.evaluation_errors import MappingError
    from ..ontology.review_sheet import is_sheet, read_sheet

    if errors is not None:
        free_output(ERRORS_OUTPUT, errors, force)
    ontologies: tuple = ()
    if classes:
        from ..ontology import read_ontology

        ontologies = tuple(map(read_ontology, classes))

    def read_pairs(path: Path) -> Mapping:
        if is_sheet(path):
            return read_sheet(path).reading.mapping
        return read_mapping(path, *ontologies, absent="keep")

    found, true, *train_mappings = map(read_pairs, (mapping, reference, *train))
    known = (
        Mapping(tuple(c for one in train_mappings for c in one.correspondences)) if train else None
    )
    result = evaluate_mapping(
        found,
        true,
        *ontologies,
        known=known,
        partial=partial,
        name=mapping.name,
        reference_name=reference.name,
    )
    remarks = [
        f"  ! {path.name}: {remark}"
        for path, one in {mapping: found, reference: true}.items()
        for remark in one.remarks
    ]
    if errors is not None:
        write_text(errors, tsv_text(MappingError._fields, result.errors))
        remarks.append(f"  errors    {errors}")
    print_result(result.to_dict(), as_json, result.summary(), *remarks)
