"""`tamis ontology match` and `explain`: which classes of two ontologies mean the same, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import rich_click as click

from ._ontology_options import (
    LEARNING_OPTIONS,
    MAPPING_OUTPUT,
    SOURCE_ARGUMENT,
    TARGET_ARGUMENT,
    MatchOptions,
    written_mapping,
)
from ._shared import (
    FORCE_OPTION,
    free_output,
    gathered_as,
    path_option,
    print_result,
    require_apart,
)


def default_name(source: Path, target: Path, ending: str) -> Path:
    """A file here that is named after both ontologies."""
    stems = [
        path.name.removesuffix(".gz").removesuffix(".index").rpartition(".")[0] or path.name
        for path in (source, target)
    ]
    return Path(f"{stems[0]}-{stems[1]}{ending}")


@click.command("match")
@SOURCE_ARGUMENT
@TARGET_ARGUMENT
@LEARNING_OPTIONS
@path_option(
    "--out",
    "FILE",
    "The mapping: .sssom.tsv, .rdf (Alignment API) or .json (default: A-B.sssom.tsv here).",
)
@path_option("--page", "FILE", "Write a page, too: the mapping side by side, and what was learned.")
@FORCE_OPTION
@gathered_as(MatchOptions)
def match(options: MatchOptions, out: Path | None, page: Path | None, force: bool) -> None:
    """Map the classes of A to those of B.

    A model learns from known pairs (--train, --also) which similarities show that two classes mean
    the same. Without any, pairs of nearly equal names teach it, and the mapping says so. What
    --train says stands: a pair that it accepts is in the mapping, one that it refuses is not.
    """
    out = out or default_name(options.source, options.target, ".sssom.tsv")
    check_suffix(out)
    free_output(MAPPING_OUTPUT, out, force)
    check_page(page, force)
    require_apart(out, page)
    source, target = options.ontologies()
    matcher = options.learned(source, target, options.known(source, target))
    mapping = options.mapped(matcher, source, target)
    free_output(MAPPING_OUTPUT, out, force)  # something may have come meanwhile
    check_page(page, force)
    lines = [mapping.summary().replace("\n", "\n  ! "), written_mapping(mapping, out)]
    if page is not None:
        from ..ontology.context import contexts_of
        from ..report import write_mapping_page

        write_mapping_page(mapping.to_dict(), page, contexts_of(mapping, source, target))
        lines.append(f"  page      {page}")
    print_result({**mapping.to_dict(), "out": str(out)}, options.as_json, *lines)


def check_page(page: Path | None, force: bool) -> None:
    """That a page may be written there."""
    if page is not None:
        from ..report import PAGE_OUTPUT

        free_output(replace(PAGE_OUTPUT, option="--page"), page, force)


def check_suffix(out: Path) -> None:
    """Before anything is computed: a mapping has a suffix that says its format."""
    from ..ontology.mapping_files import WRITTEN_ENDINGS

    if not out.name.lower().endswith(WRITTEN_ENDINGS):
        from .._core.errors import PlanError, listed_names

        raise PlanError(
            f"{out.name!r}: a mapping is written as {listed_names(WRITTEN_ENDINGS, 9)}; name it so"
        )


@click.command("explain")
@SOURCE_ARGUMENT
@TARGET_ARGUMENT
@click.argument("pair", metavar="CLASS_OF_A CLASS_OF_B", nargs=2)
@LEARNING_OPTIONS
@gathered_as(MatchOptions)
def explain(options: MatchOptions, pair: tuple[str, str]) -> None:
    """Tell why two classes are, or are not, mapped to each other.

    Classes are named by IRI, CURIE, local name, label or synonym. Printed are whether the mapping
    has the pair, the probability, the value of each similarity with its weight of evidence, and the
    best other pairs of both classes.
    """
    from ..ontology.describe import find_class

    both = source, target = options.ontologies()
    iris = [one.iris[find_class(one, name)] for one, name in zip(both, pair, strict=True)]
    matcher = options.learned(source, target, options.known(source, target))
    found = matcher.explain(source, target, (iris[0], iris[1]))
    print_result(found.to_dict(), options.as_json, found.summary())
