"""`tamis genome`: quality control, scans and projections of genotypes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import rich_click as click

from .._core.inside import Inside
from .._core.outputs import OutputFile
from .._core.terminal import say_to_user
from ._genome_options import (
    CLASS_OPTIONS,
    COHORT_OPTIONS,
    FILES_ARGUMENT,
    LIMIT_OPTIONS,
    OUT_OPTIONS,
    REGION_OPTIONS,
    RUN_OPTIONS,
    SCAN_OPTIONS,
    SCHEDULER_OPTION,
    UNRELATED_OPTION,
    GenomeOptions,
    after_quality,
    cohort_name,
    free_folder,
    in_options,
    keep_others_out,
    open_cohort,
    open_part,
    say_unlisted,
    settings_of,
)
from ._genome_parts import scan_or_part
from ._genome_relatives import look_at_relatives
from ._shared import (
    FORCE_OPTION,
    SEED_OPTION,
    THREADS_OPTION,
    by_workers,
    choice_option,
    free_output,
    number_option,
    path_option,
    print_result,
)

# commands with a file of their own, which is imported when they run
LATE_COMMANDS = ("clump", "kin", "linear", "mixed", "study")


class GenomeGroup(click.RichGroup):
    """Imports the file of a command only when that command runs or is described."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *LATE_COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in LATE_COMMANDS:
            return getattr(import_module(f".genome_{cmd_name}", __package__), cmd_name)
        return super().get_command(ctx, cmd_name)


def _is_projection(path: Path) -> bool:
    """Whether a Parquet table has the columns that `genome project` writes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_schema(path).names[:3] == ["family", "id", "P1"]
    except (OSError, pa.ArrowException):
        return False


# what commands make of relatives, of several populations and of one person twice
OF_SCAN = (
    "permutations treat them as independent, so too much is found; `tamis genome mixed` takes "
    "them into account, --unrelated 3 leaves them out",
    "what differs between them is found too; give --strata, or use `tamis genome mixed`",
    "leave one out (--unrelated 0)",
)
OF_PAIRS = (
    "permutations treat them as independent, so too much is found; leave them out (--unrelated 3)",
    "what differs between them is found too; look at one population",
    "leave one out (--unrelated 0)",
)
OF_COMPONENTS = (
    "families may be the first components; leave them out (--unrelated 3)",
    None,
    "leave one out (--unrelated 0)",
)
OF_QUALITY = (
    "`tamis genome kin` lists them",
    "Hardy-Weinberg equilibrium is lost in a mixture",
    "look for samples entered twice (`tamis genome kin`)",
)
PROJECTION_OUTPUT = OutputFile("projection of Tamis", _is_projection)


@click.group("genome", cls=GenomeGroup)
def command() -> None:
    """Genotypes (.bed, .pgen, .bgen, .vcf) of thousands of people: quality, scans, projections."""


@command.command("mtd")
@FILES_ARGUMENT
@CLASS_OPTIONS
@click.option(
    "--strata",
    metavar="COL",
    help='Column of --pheno with populations or centres, or "FID" for families: '
    "differences are taken inside each.",
)
@REGION_OPTIONS
@number_option(
    "--permutations",
    "Permutations of the labels, for p-values; at least 19 are needed, 1,000 are usual.",
)
@choice_option("--multiclass", ("max", "mean"), "Over pairs of more than two classes.")
@SCAN_OPTIONS
def mtd(options: GenomeOptions, strata: str | None, permutations: int, multiclass: str) -> None:
    """Score every variant of FILES by how differently its genotypes are distributed in the classes.

    Several files, such as one a chromosome, are one cohort if they have the same samples. The
    folder gets mtd.tsv (CHR SNP BP A1 A2 and scores), left_out.tsv, results.json and a page.
    """
    from ..genome.scans.scan import PreparedMTD
    from ..genome.scans.scan_files import FOLDER, write_scan
    from ..report import write_scan_page

    folder = free_folder(FOLDER, options)
    cohort = open_cohort(options, strata)
    keep_others_out(FOLDER, folder, options)
    with by_workers(options.scheduler, options.quiet), in_options("permutations"):
        cohort, quality = after_quality(cohort, options)
        cohort, remarks = look_at_relatives(cohort, options, *OF_SCAN)
        prepared = PreparedMTD.of(
            cohort.genotypes,
            cohort.labels,
            None,
            folds=None,
            strata=cohort.strata,
            multiclass=multiclass,
            permutations=permutations,
            seed=options.seed,
            n_jobs=options.n_jobs,
            quiet=options.quiet,
        )
        chosen = {
            "strata": strata,
            "chromosome": options.chromosome,
            "region": options.region,
            "multiclass": multiclass,
            "permutations": permutations,
            "seed": options.seed,
        }
        scan = scan_or_part(prepared, folder, options, chosen)
    if scan is None:
        return
    settings = settings_of(cohort, options, **chosen, quality=quality)
    content = write_scan(scan, folder, settings, remarks)
    page = write_scan_page(content, cohort.name, Inside(folder, "report.html"))
    summary = f"{cohort.name}: {scan.summary()}"
    print_result(content, options.as_json, summary, f"  report    {page}")


@command.command("qc")
@COHORT_OPTIONS
@LIMIT_OPTIONS
@THREADS_OPTION
@SCHEDULER_OPTION
@OUT_OPTIONS
@RUN_OPTIONS
def qc(options: GenomeOptions, **limits: Any) -> None:
    """Look at the quality of every sample and variant of FILES, and say which to keep.

    The folder gets variants.tsv and samples.tsv (with the reason, if one is dropped),
    variants.keep and samples.keep for PLINK's --extract and --keep, quality.json and a page.
    Classes, if there are any, are for the controls and for the test of equally many missing calls.
    """
    from ..genome import quality_control
    from ..genome.quality.quality_files import FOLDER, write_quality
    from ..report import write_quality_page

    folder = free_folder(FOLDER, options)
    cohort = open_cohort(options, classless=True)
    keep_others_out(FOLDER, folder, options)
    with by_workers(options.scheduler, options.quiet), in_options("controls"):
        found = quality_control(
            cohort.genotypes, cohort.labels, **limits, n_jobs=options.n_jobs, quiet=options.quiet
        )
        remarks: list[str] = []
        if found.kept_samples.any() and found.kept.any():
            _, remarks = look_at_relatives(cohort.after(found), options, *OF_QUALITY)
    settings = settings_of(
        cohort, options, chromosome=options.chromosome, region=options.region, **limits
    )
    content, unlisted = write_quality(found, folder, settings, remarks)
    say_unlisted(unlisted, "variants.keep", options.quiet)
    page = write_quality_page(content, cohort.name, Inside(folder, "report.html"))
    lines = [f"{cohort.name}: {found.summary()}"]
    if left := cohort.genotypes.n_file - cohort.genotypes.shape[0]:
        lines.append(f"Not looked at, and in no list: {left:,} samples without a class.")
    lines += [f"  tables    {folder}", f"  report    {page}"]
    print_result(content, options.as_json, *lines)


@command.command("pairs")
@COHORT_OPTIONS
@choice_option("--by", ("interaction", "score"), "Score used to rank pairs.")
@number_option("--keep", "Best pairs.", 1, 100)
@number_option("--permutations", "Of the labels, for p-values among all pairs; 19 are the least.")
@number_option("--most", "Pairs to look at, permuted scans counted too.", 1, 10_000_000_000)
@SCAN_OPTIONS
def pairs(options: GenomeOptions, by: str, keep: int, permutations: int, most: int) -> None:
    """Score all pairs of variants of FILES exactly, and keep the best.

    Time grows with the square of the variants: name a --chr or --region, or thin them. The folder
    gets pairs.tsv (both variants, their score and interaction), pairs.json and a page.
    """
    from ..genome.scans.pairs import PreparedPairs
    from ..genome.scans.pairs_files import FOLDER, write_pairs
    from ..report import write_pairs_page

    folder = free_folder(FOLDER, options)
    cohort = open_cohort(options)
    keep_others_out(FOLDER, folder, options)
    with by_workers(options.scheduler, options.quiet), in_options("permutations", "most"):
        cohort, quality = after_quality(cohort, options)
        cohort, remarks = look_at_relatives(cohort, options, *OF_PAIRS)
        prepared = PreparedPairs.of(
            cohort.genotypes,
            cohort.labels,
            None,
            by=by,
            keep=keep,
            permutations=permutations,
            seed=options.seed,
            n_jobs=options.n_jobs,
            most=most,
            quiet=options.quiet,
        )
        chosen = {
            "chromosome": options.chromosome,
            "region": options.region,
            "by": by,
            "keep": keep,
            "permutations": permutations,
            "most": most,
            "seed": options.seed,
        }
        scan = scan_or_part(prepared, folder, options, chosen)
    if scan is None:
        return
    settings = settings_of(cohort, options, **chosen, quality=quality)
    content = write_pairs(scan, cohort.labels, folder, settings, remarks)
    page = write_pairs_page(content, cohort.name, Inside(folder, "report.html"))
    lines = [f"{cohort.name}: {scan.summary()}"]
    for line in scan.frame().head(5).itertuples():
        chance = f", p = {line.P_MAXT:.2g} among all" if permutations else ""
        lines.append(
            f"  {line.SNP_1} ({line.CHR_1}:{line.BP_1:,}) x {line.SNP_2} ({line.CHR_2}:"
            f"{line.BP_2:,}): interaction {line.INTERACTION:.3f}, score {line.MTD:.3f}{chance}"
        )
    lines += [f"  table     {folder / 'pairs.tsv'}", f"  report    {page}"]
    print_result(content, options.as_json, *lines)


@command.command("pca")
@COHORT_OPTIONS
@number_option("--n-components", "The leading ones.", 1, 10)
@click.option(
    "--qc",
    is_flag=True,
    help="Quality control first, with the limits of `genome qc` but for equilibrium and classes.",
)
@UNRELATED_OPTION
@SEED_OPTION
@THREADS_OPTION
@OUT_OPTIONS
@RUN_OPTIONS
def pca(options: GenomeOptions, n_components: int) -> None:
    """Find the principal components of all samples of FILES: who is of like descent.

    Of autosomal variants that are not rare and not near copies of each other. The folder gets
    pca.eigenvec (FID IID PC1 ..., for PLINK's --covar), pca.eigenval, pca.prune.in (the variants),
    results.json and a page. Classes, if there are any, colour the page alone.
    """
    from ..genome import principal_components
    from ..genome.structure.components_files import FOLDER, write_components
    from ..report import write_components_page

    folder = free_folder(FOLDER, options)
    cohort = open_cohort(options, classless=True, everyone=True)
    keep_others_out(FOLDER, folder, options)
    cohort, quality = after_quality(cohort, options, by_class=False)
    cohort, remarks = look_at_relatives(cohort, options, *OF_COMPONENTS, classless=True)
    with in_options(k="n_components"):
        found = principal_components(
            cohort.genotypes,
            n_components,
            seed=options.seed,
            n_jobs=options.n_jobs,
            quiet=options.quiet,
        )
    settings = settings_of(
        cohort,
        options,
        chromosome=options.chromosome,
        region=options.region,
        n_components=n_components,
        seed=options.seed,
        quality=quality,
    )
    content, unlisted = write_components(
        found, cohort.genotypes, folder, settings, cohort.labels, remarks
    )
    say_unlisted(unlisted, "pca.prune.in", options.quiet)
    page = write_components_page(content, cohort.name, Inside(folder, "report.html"))
    summary = f"{cohort.name}: {found.summary()}"
    table = f"  table     {folder / 'pca.eigenvec'}"
    print_result(content, options.as_json, summary, table, f"  report    {page}")


@command.command("project")
@FILES_ARGUMENT
@REGION_OPTIONS
@number_option(
    "--n-components",
    "Columns of the result (default: as many as keep squared distances within --eps, "
    "Johnson and Lindenstrauss).",
    least=1,
    default=None,
)
@click.option(
    "--eps",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.1,
    show_default=True,
    help="By which squared distances may change, where no number of columns is given.",
)
@choice_option(
    "--coding", ("copies", "indicators"), "A column a variant, or one for each of its genotypes."
)
@SEED_OPTION
@THREADS_OPTION
@path_option("--out", "FILE", "A Parquet table (default: tamis-project-NAME.parquet here).")
@FORCE_OPTION
@RUN_OPTIONS
def project(options: GenomeOptions, n_components: int | None, eps: float, coding: str) -> None:
    """Project the variants of FILES on random signs: distances between people stay, columns shrink.

    The table has a row a sample (family, id, P1, P2, ...) and can be given to `tamis study`. No
    class is looked at; missing calls take the most frequent genotype among all samples.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from .._core.errors import counted_noun
    from .._core.files import atomic_file
    from ..genome import RandomSignProjection

    path = options.out or Path(f"tamis-project-{cohort_name(options.files)}.parquet")
    free_output(PROJECTION_OUTPUT, path, options.force)
    genotypes = open_part(options.files, options.chromosome, options.region, options.quiet)
    projection = RandomSignProjection(
        n_components=n_components or "auto",
        eps=eps,
        coding=coding,
        random_state=options.seed,
        n_jobs=options.n_jobs,
        quiet=options.quiet,
    )
    left_out = genotypes.variants.left_out
    if left_out.any():  # those that no command looks at
        genotypes = genotypes.subset(variants=left_out == 0)
    n, p = genotypes.shape
    gone = f" ({int((left_out > 0).sum()):,} are left out)" if left_out.any() else ""
    say_to_user(f"{counted_noun(n, 'sample')}, {counted_noun(p, 'variant')}{gone}", options.quiet)
    with in_options("eps", "n_components"):
        values = projection.fit_transform(genotypes)
    samples, k = genotypes.samples, values.shape[1]
    table = pa.table(
        {
            "family": list(samples.family),
            "id": list(samples.id),
            **{f"P{j + 1}": values[:, j] for j in range(k)},
        }
    )
    free_output(PROJECTION_OUTPUT, path, options.force)  # something may have come meanwhile
    with atomic_file(path) as file:
        pq.write_table(table, file)
    content = {
        "samples": n,
        "variants": p,
        "components": k,
        "coding": coding,
        "seed": options.seed,
        "table": str(path),
    }
    size = f"{n:,} samples x {p:,} variants -> {k:,} columns"
    print_result(content, options.as_json, size, f"  table     {path}")
