"""`tamis expression`: files of expression arrays to a table that a study can read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import rich_click as click

from .._core.errors import StoreError, counted_noun, listed_names
from .._core.outputs import OutputFile
from .._core.terminal import say_to_user
from ._expression_geo import annotations_by, geo_table
from ._shared import (
    FORCE_OPTION,
    OUTPUT_OPTIONS,
    THREADS_OPTION,
    free_output,
    path_option,
    print_result,
    require_apart,
)

FILES_ARGUMENT = click.argument(
    "files", metavar="CEL...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
CDF_OPTION = path_option(
    "--cdf", "FILE", "Probe sets of this type of array (.CDF, text or binary)."
)
OUT_OPTION = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="TABLE",
    required=True,
    help="The table, one row a sample: .parquet, .csv, .tsv (also .gz) or .h5ad.",
)
GENES_HELP = (
    "Table of the platform (GPL..., .annot, .csv): average the probe sets of each gene, leave out "
    "those without one."
)


@click.group("expression")
def command() -> None:
    """Expression arrays (CEL files, GEO) to a table, one row a sample, that a study can read."""


@command.command("rma")
@FILES_ARGUMENT
@CDF_OPTION
@OUT_OPTION
@path_option("--save", "FILE", "Keep what was learned, for arrays that come later.")
@path_option("--model", "FILE", "Process as those arrays were of which --save kept this file.")
@click.option(
    "--detected",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="SHARE",
    show_default=True,
    help="Leave out probe sets that MAS 5.0 calls present in less than this share of the arrays; "
    "usual is 0.25.",
)
@path_option("--genes", "FILE", GENES_HELP)
@click.option("--no-background", is_flag=True, help="Do not correct the background.")
@THREADS_OPTION
@FORCE_OPTION
@OUTPUT_OPTIONS
def rma(
    files: tuple[Path, ...],
    cdf: Path | None,
    out: Path,
    save: Path | None,
    model: Path | None,
    detected: float,
    genes: Path | None,
    no_background: bool,
    n_jobs: int,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """RMA of CEL files: background, quantile normalisation, log2, median polish.

    CEL... are files (.CEL, .CEL.gz) of one type of array, or folders of them. Values are those of
    Bioconductor's affy. They depend on all arrays together: to process a patient who comes later as
    these were, keep --save FILE, and give it as --model (no CDF is needed then).
    """
    from ..data.written import write_values
    from ..expression.array_model import ArrayModel, is_array_model
    from ..expression.cel_arrays import CelArrays, other_type
    from ..expression.probe_collapsing import collapse_probes
    from ..expression.reading.annotation import read_annotation

    if (cdf is None) == (model is None):
        raise click.UsageError("give --cdf FILE, or --model FILE of an earlier --save; not both")
    if model is not None and (save or detected or no_background):
        raise click.UsageError("--model says all: leave out --save, --detected and --no-background")
    _free_table(out, "expression rma", force)
    annotation = None if genes is None else read_annotation(genes)
    if save is not None:
        require_apart(out, save)
        free_output(OutputFile("RMA model of Tamis", is_array_model, "--save"), save, force)
    if model is not None:
        known = ArrayModel.load(model)
        names, found = known.transform(files, quiet)
        remarks = []
    else:
        assert cdf is not None
        arrays = CelArrays.of(files, cdf, quiet)
        known, found = ArrayModel.learn(arrays, not no_background, detected, n_jobs)
        names = arrays.names
        remarks = other_type(arrays.cdf, known.chip_type)
        if len(names) == 1:
            remarks.append(
                "RMA of one array alone: values are not comparable with those of another run. "
                "Give all arrays together, or --model FILE of an earlier --save."
            )
    frame = found.frame(names)
    more: Mapping[str, object] = {}
    lines = []
    if annotation is not None:
        collapsed = collapse_probes(frame, annotation)
        frame, more = collapsed.frame(), collapsed.to_dict()
        lines = collapsed.summary().splitlines()[1:]
        remarks += collapsed.probe_genes.warnings()
    write_values(frame, out, "expression rma")
    if save is not None:
        known.save(save)
    content = {
        "n_arrays": len(names),
        "samples": list(names),
        "chip_type": known.chip_type,
        "n_probe_sets": len(found.probe_sets),
        "n_probes": len(known.cells),
        "n_learned_from": known.n_arrays,
        "detected": detected,
        "out": str(out),
        "model": str(model or save or ""),
        "genes": more,
        "remarks": remarks,
    }
    _say_remarks(remarks, quiet)
    how = f"as {counted_noun(known.n_arrays, 'array')} before" if model else "together"
    lines = [
        f"{counted_noun(len(names), 'array')} of type {known.chip_type or 'unknown'}, {how}: "
        f"{counted_noun(len(found.probe_sets), 'probe set')}, log2",
        *(f"  {line}" for line in lines),
        f"  table     {out}",
    ]
    lines += [f"  model     {save}"] if save else []
    print_result(content, as_json, *lines)


@command.command("probes")
@FILES_ARGUMENT
@CDF_OPTION
@OUT_OPTION
@FORCE_OPTION
@OUTPUT_OPTIONS
def probes(
    files: tuple[Path, ...], cdf: Path | None, out: Path, force: bool, as_json: bool, quiet: bool
) -> None:
    """Intensities of all probes of CEL files as a table, for RMA inside the folds of a study.

    Perfect matches of a probe set are the columns 1007_s_at, 1007_s_at#2 and so on, mismatches
    1007_s_at#mm, 1007_s_at#mm2. A plan then begins with prepare = ["rma"], and its model predicts
    one patient from such a table. As there are many columns, .h5ad is read fastest.
    """
    import numpy as np
    import pandas as pd

    from ..data.written import write_values
    from ..expression.cel_arrays import CelArrays, other_type, read_arrays
    from ..expression.probe_columns import probe_names

    if cdf is None:
        raise click.UsageError("give --cdf FILE, which says what the probes of a set are")
    what = "expression probes"
    _free_table(out, what, force)
    arrays = CelArrays.of(files, cdf, quiet)
    columns = list(probe_names(arrays.cdf))
    values = np.empty((len(arrays), len(columns)), dtype=np.float32)
    chips = set()
    for row, cel in zip(values, read_arrays(arrays.files, quiet), strict=True):
        pm, mm = arrays.cdf.intensities(cel)
        row[:] = np.concatenate([pm, mm[~np.isnan(mm)]])
        chips.add(cel.chip_type)
    write_values(pd.DataFrame(values, index=arrays.names, columns=columns), out, what)
    q, n = len(arrays.cdf.pm), len(columns)
    remarks = other_type(arrays.cdf, max(chips))
    _say_remarks(remarks, quiet)
    content = {
        "n_arrays": len(arrays),
        "samples": list(arrays.names),
        "n_probes": q,
        "n_mismatches": n - q,
        "n_probe_sets": len(arrays.cdf.names),
        "remarks": remarks,
        "out": str(out),
    }
    line = (
        f"{counted_noun(len(arrays), 'array')}: "
        f"{counted_noun(q, 'perfect match', 'perfect matches')} and "
        f"{counted_noun(n - q, 'mismatch', 'mismatches')} of "
        f"{counted_noun(len(arrays.cdf.names), 'probe set')}"
    )
    print_result(content, as_json, line, f"  table     {out}")


@command.command("geo")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@OUT_OPTION
@path_option("--sheet", "FILE", "Where the sample sheet goes (default: TABLE.samples.tsv).")
@click.option("--platform", metavar="GPL", help="Samples of this platform alone.")
@click.option(
    "--genes",
    "annotations",
    multiple=True,
    metavar="[GPL=]FILE",
    help="Table of a platform (GPL..., .annot, .csv), if the file has none; again for each.",
)
@click.option("--probes", is_flag=True, help="Keep probe sets; do not average those of a gene.")
@click.option("--log2", is_flag=True, help="Take log2 of max(x, 1) where values look raw.")
@click.option(
    "--infinite",
    type=click.Choice(("refuse", "missing")),
    default="refuse",
    help="What infinite values are, as logarithms of 0 (default: refuse them).",
)
@FORCE_OPTION
@OUTPUT_OPTIONS
def geo(
    files: tuple[Path, ...],
    out: Path,
    sheet: Path | None,
    platform: str | None,
    annotations: tuple[str, ...],
    probes: bool,
    log2: bool,
    infinite: str,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """A series of GEO to a table of genes and a sample sheet.

    FILE... is a family file (GSE1_family.soft.gz) at hand, or series matrix files, one for each
    platform. Of several platforms the table has the genes that all have, and a column `platform`
    for --batch. The sheet has what GEO says of the samples, for --samples.
    """
    from ..data.written import check_written, write_values
    from ..expression.reading.geo import read_geo

    what = "expression geo"
    sheet = sheet or out.with_name(f"{out.name.partition('.')[0]}.samples.tsv")
    require_apart(out, sheet)
    check_written(sheet)
    _free_table(out, what, force)
    free_output(
        OutputFile("sample sheet of `tamis expression geo`", _is_sheet, "--sheet"), sheet, force
    )
    series = read_geo(files, infinite)
    chosen = [platform] if platform else series.measured()
    made = geo_table(series, chosen, annotations_by(annotations, chosen), probes, log2)
    frame = made.frame
    write_values(frame, out, what)
    write_values(series.sample_sheet(), sheet, what)
    remarks = [
        f"{name!r} of the samples is {listed_names(own)} in the sheet"
        for name, own in series.repeated_characteristics().items()
    ] + made.remarks
    _say_remarks(remarks, quiet)
    content = {
        "series": series.series,
        "n_samples": len(frame),
        "platforms": chosen,
        **made.content,
        "remarks": remarks,
        "out": str(out),
        "sheet": str(sheet),
    }
    lines = [
        f"{series.series}: {counted_noun(len(frame), 'sample')} of {listed_names(chosen)}, "
        f"{made.said[0]}",
        *made.said[1:],
        f"table     {out}",
        f"sheet     {sheet}",
    ]
    print_result(content, as_json, "\n  ".join(lines))


def _free_table(out: Path, what: str, force: bool) -> None:
    """Refuse a name or a place that the table cannot be written to."""
    from ..data.written import check_written, is_written_for, table_ending

    check_written(out)
    ending = table_ending(out)
    marked = ending == ".parquet"  # no other format has a place for what wrote it
    kind = OutputFile(f"Parquet table of `tamis {what}`", is_written_for(what))
    free_output(kind, out, force or not marked)
    if not (marked or force) and out.is_file() and out.stat().st_size:
        raise StoreError(
            f"{str(out)!r} exists, and a {ending} file does not say what wrote it: choose another "
            f"--out, replace it with --force, or write .parquet, which `tamis {what}` knows again"
        )


def _say_remarks(remarks: list[str], quiet: bool) -> None:
    for remark in remarks:
        say_to_user(f"  ! {remark}", quiet)


def _is_sheet(path: Path) -> bool:
    """Whether a file begins as the sample sheets do that are written here."""
    with open(path, "rb") as file:
        return file.readline(200).startswith(b"sample\tplatform\ttitle")
