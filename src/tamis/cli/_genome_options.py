"""What the commands of `tamis genome` share: which genotypes, which classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from click import get_current_context

from .._core.terminal import say_to_user
from ..genome.readers.endings import GENOTYPE_ENDINGS
from ._interact_options import parameters_as_options
from ._part_options import PART_OPTIONS, part_folder, refuse_part_of_joined
from ._shared import (
    FORCE_OPTION,
    OUTPUT_OPTIONS,
    SEED_OPTION,
    THREADS_OPTION,
    applied_options,
    free_output,
    gathered_as,
    path_option,
    scheduler_option,
)

if TYPE_CHECKING:
    from .._core.outputs import OutputFolder
    from .._core.parts import Part
    from ..genome import Genotypes, QualityControl
    from ..genome.quality.quality_schema import QualityNumbers

FILES_ARGUMENT = click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True)
CLASS_OPTIONS = applied_options(
    path_option(
        "--pheno",
        "FILE",
        "Phenotypes: PLINK's file, or any table with a column IID (default: the phenotype "
        "of the .fam or .psam).",
    ),
    click.option(
        "--pheno-name", metavar="COL", help="Column of the phenotype (default: the only one)."
    ),
)
REGION_OPTIONS = applied_options(
    click.option(
        "--chr", "chromosome", metavar="NAME", help="One chromosome (22 or chr22; 23 is X)."
    ),
    click.option("--region", metavar="CHR:FIRST-LAST", help="One region, both ends included."),
)
COHORT_OPTIONS = applied_options(FILES_ARGUMENT, CLASS_OPTIONS, REGION_OPTIONS)
SCHEDULER_OPTION = scheduler_option("with all their threads", "the files have the same paths there")
QC_OPTION = click.option(
    "--qc", is_flag=True, help="Quality control first, with the limits of `genome qc`."
)
OUT_OPTIONS = applied_options(
    path_option("--out", "DIR", "Result folder (default: tamis-COMMAND-NAME here)."), FORCE_OPTION
)
LIMIT_DEFAULTS = (
    ("missing", 0.1, "Drop variants missing this share of calls or more."),
    ("hardy", 1e-6, "Drop variants with a smaller p of Hardy-Weinberg equilibrium in controls."),
    ("frequency", 0.01, "Drop variants with a lower minor allele frequency."),
    ("sample-missing", 0.1, "Drop samples missing this share of calls or more."),
    (
        "differential",
        None,
        "Drop variants with a smaller p of equally many missing calls in all "
        "classes (default: none, they are reported).",
    ),
)
LIMIT_OPTIONS = applied_options(
    *(
        click.option(
            f"--{name}",
            type=click.FloatRange(0, 1),
            metavar="SHARE",
            default=default,
            show_default=True,
            help=text,
        )
        for name, default, text in LIMIT_DEFAULTS
    ),
    click.option(
        "--controls",
        metavar="CLASS",
        help="Class in which equilibrium is tested (default: the first of two).",
    ),
)


@dataclass(frozen=True)
class GenomeOptions:
    """What the options say that commands share; a command without one of them has its default."""

    files: tuple[Path, ...]
    chromosome: str | None
    region: str | None
    n_jobs: int
    out: Path | None
    as_json: bool
    quiet: bool
    force: bool | None  # None: there is no such option
    pheno: Path | None = None
    pheno_name: str | None = None
    qc: bool = False
    seed: int = 0
    scheduler: str | None = None
    unrelated: int | None = None
    part: Part | None = None
    join: tuple[Path, ...] = ()


RUN_OPTIONS = applied_options(OUTPUT_OPTIONS, gathered_as(GenomeOptions))
UNRELATED_OPTION = click.option(
    "--unrelated",
    type=click.IntRange(0, 3),
    metavar="DEGREE",
    help="Leave out samples, the most related first, until no two are related up to this degree "
    "(0: duplicates and twins; 3: first cousins).",
)
SCAN_OPTIONS = applied_options(
    QC_OPTION,
    UNRELATED_OPTION,
    SEED_OPTION,
    PART_OPTIONS,
    THREADS_OPTION,
    SCHEDULER_OPTION,
    OUT_OPTIONS,
    RUN_OPTIONS,
)


@dataclass(frozen=True)
class Cohort:
    """What was opened: a name, genotypes of those with a class, and classes and strata of them;
    which column of --pheno the classes are in."""

    name: str
    genotypes: Genotypes
    labels: Any
    strata: Any
    column: str | None = None

    def after(self, found: QualityControl) -> Cohort:
        """What quality control keeps of it."""
        kept, parts = found.kept_samples, (self.labels, self.strata)
        labels, strata = (None if part is None else part[kept] for part in parts)
        return Cohort(self.name, found.apply(), labels, strata, self.column)


def open_part(
    files: tuple[Path, ...], chromosome: str | None, region: str | None, quiet: bool
) -> Genotypes:
    """All genotypes of the files, or those of a chromosome or region."""
    from ..genome import open_genotypes

    genotypes = open_genotypes(files, quiet=quiet)
    if chromosome is None and region is None:
        return genotypes
    with in_options(region="region", chromosome="chr"):
        return genotypes.subset(chromosome=chromosome, region=region)


def open_cohort(
    options: GenomeOptions,
    strata: str | None = None,
    classless: bool = False,
    everyone: bool = False,
    number: bool = False,
    log: bool = False,
) -> Cohort:
    """Genotypes of the samples that have a class, and a stratum if one is named.

    `classless` takes all samples if neither a file nor the .fam says a class; `everyone` takes all
    whatever is said, and leaves None where there is no class. With `number` the labels are numbers,
    with `log` their logarithms.
    """
    import numpy as np

    from .._core.errors import DataError, PlanError, counted_noun
    from ..genome.readers.classes import classes_of, own_labels
    from ..genome.readers.numbers import own_numbers, parsed_numbers

    genotypes = open_part(options.files, options.chromosome, options.region, options.quiet)
    name, pheno, quiet = cohort_name(options.files), options.pheno, options.quiet
    columns = {"pheno-name": options.pheno_name, "strata": None if strata == "FID" else strata}
    for option, named in columns.items():
        if pheno is None and named is not None:
            raise PlanError(f"--{option} names a column of --pheno FILE: give that too")
    samples, column = genotypes.samples, None
    if pheno is not None:
        from ..genome.readers.phenotypes import read_phenotypes

        with in_options(target="pheno_name"):
            read = read_phenotypes(pheno, samples, options.pheno_name, coded=not number)
        labels, column = read.labels, read.column
        what = f"{pheno.name}, {column}"
        if options.pheno_name is None:
            which = "the number is" if number else "classes are those of"
            say_to_user(f"{pheno.name}: {which} its column {column!r}", quiet)
        if read.joined:
            say_to_user(read.joined, quiet)
        if read.unknown:
            rows = counted_noun(read.unknown, "row")
            say_to_user(f"{pheno.name}: {rows} of people who have no genotypes", quiet)
        if read.zeros:
            say_to_user(f"{what}: 0 is taken as unknown, of {read.zeros:,} samples", quiet)
    else:
        labels, what = own_numbers(samples) if number else own_labels(samples)
        if classless and all(label is None for label in labels):
            return Cohort(name, genotypes, None, None)
    groups = None
    if strata is not None:
        groups = samples.family
        if pheno is not None and strata != "FID":
            groups = read_phenotypes(pheno, samples, strata, coded=False).labels
    there = np.array([label is not None for label in labels])
    if groups is not None:
        there &= np.array([group is not None for group in groups])
    if not there.any():
        other = "give --pheno FILE" if pheno is None else "name another column, --pheno-name COL"
        needed = "has no value" if number else "says no class"
        raise PlanError(f"{what} {needed} of any sample: {other}")
    if number:
        with in_options("regression", "log_target"):
            labels = labels.copy()
            labels[there] = parsed_numbers(labels[there], what, log)
    try:
        if not number:
            classes_of(labels[there], what)
    except DataError as error:
        if not classless or pheno is not None:
            raise
        say_to_user(f"{error}; there are no classes then", quiet)
        return Cohort(name, genotypes, None, None)
    if everyone:
        return Cohort(name, genotypes, labels, None, column)
    if not there.all():
        say_to_user(f"{what}: {(~there).sum():,} samples have none and are left out", quiet)
        genotypes = genotypes.subset(samples=there)
    strata_of = None if groups is None else groups[there].astype(str)
    kept = labels[there].astype(float if number else str)
    return Cohort(name, genotypes, kept, strata_of, column)


def settings_of(cohort: Cohort, options: GenomeOptions, **others: Any) -> dict[str, object]:
    """The options, as results record them; `class_column` is the one taken, named or not."""
    return {
        "files": [str(file) for file in options.files],
        "pheno": str(options.pheno) if options.pheno else None,
        "pheno_name": options.pheno_name,
        "class_column": cohort.column,
        **others,
    }


def after_quality(
    cohort: Cohort, options: GenomeOptions, by_class: bool = True
) -> tuple[Cohort, QualityNumbers | None]:
    """What quality control keeps with its default limits, and its numbers; all without --qc.

    Without `by_class` no class is looked at, nor is Hardy-Weinberg equilibrium, which is lost where
    samples are of several populations.
    """
    if not options.qc:
        return cohort, None
    from .._core.errors import DataError, counted_noun
    from ..genome import quality_control

    y, limits = (cohort.labels, {}) if by_class else (None, {"hardy": None})
    found = quality_control(
        cohort.genotypes, y, **limits, n_jobs=options.n_jobs, quiet=options.quiet
    )
    say_to_user(found.summary(), options.quiet)
    kept = cohort.after(found)
    if by_class and len(set(kept.labels)) < 2:
        n = counted_noun(len(kept.labels), "sample")
        raise DataError(f"--qc leaves {n} of fewer than two classes: look at `tamis genome qc`")
    return kept, found.to_dict()


def cohort_name(files: tuple[Path, ...]) -> str:
    """Of a cohort, for its folder."""
    first = files[0].name.removesuffix(".gz").removesuffix(".zst")
    name = Path(first).stem if Path(first).suffix in GENOTYPE_ENDINGS else first
    return name + (f"-and-{len(files) - 1}-more" if len(files) > 1 else "")


@contextmanager
def in_options(*names: str, **renamed: str) -> Iterator[None]:
    """Errors that name parameters name the command's options, some of another name, instead."""
    from .._core.errors import TamisError

    try:
        yield
    except TamisError as error:
        message = str(error)
        for parameter, option in renamed.items():
            message = re.sub(rf"(?<!\w){parameter} ?= ?", f"{option}=", message)
        parameters = (*names, *renamed.values())
        options = {name: name.replace("_", "-") for name in parameters}
        raise type(error)(parameters_as_options(message, options)) from error


def free_folder(kind: OutputFolder, options: GenomeOptions) -> Path:
    """The folder that is named, or the usual one, if the running command may fill it; that of a
    part has records of its own, which say so."""
    command = get_current_context().command.name
    usual = Path(f"tamis-{command}-{cohort_name(options.files)}")
    refuse_part_of_joined(options.part, options.join)
    if options.part:
        return options.out or part_folder(usual, options.part)
    return free_output(kind, options.out or usual, options.force)


def keep_others_out(kind: OutputFolder, folder: Path, options: GenomeOptions) -> None:
    """Make the folder, before anything is computed for it, if it may still be filled; until the
    end of the command nobody else can. A part does so itself."""
    if options.part:
        return
    from .._core.journal import Journal

    get_current_context().with_resource(Journal(folder))
    free_output(kind, folder, options.force)


def say_unlisted(n: int, file: str, quiet: bool) -> None:
    """That a list of ids cannot name some of the variants it should."""
    if n:
        say_to_user(
            f"{n:,} variants that are kept share their id with one that is not: they are not in "
            f"{file}, which names ids",
            quiet,
        )
