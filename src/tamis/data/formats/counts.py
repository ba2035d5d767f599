"""What programs that count reads write: featureCounts a table of samples, others a file of each,
which are put together where a folder has them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, shorten_text
from .. import limits, memory
from ..checks import TALLY_PATTERN
from ..dataset import check_unique
from ..lines import Lines
from ..names import SYMBOL_HEADER_PATTERN
from ..raw import ROW_NAMES, Raw, Text, Wanted, parse_number
from .around import Around, fields_of

# of featureCounts, behind Geneid
FEATURE_COUNTS_COLUMNS = ("Chr", "Start", "End", "Strand", "Length")
ALIGNMENT_PATTERN = re.compile(
    r"(?:.*[/\\])?(.+?)(?:\.(?:sorted|markdup|dedup))*\.(?:bam|sam|cram)"
)
STAR_MARK = "N_unmapped"
ONE_SAMPLE = {  # first fields of the header, if there is one, and where the count stands
    "salmon": (("Name", "Length", "EffectiveLength", "TPM", "NumReads"), 4),
    "kallisto": (("target_id", "length", "eff_length", "est_counts", "tpm"), 3),
    "RSEM": (("gene_id", "transcript_id(s)", "length", "effective_length", "expected_count"), 4),
    "STAR": ((STAR_MARK,), 1),  # of an unstranded library
    "HTSeq": ((), 1),
}
QUANTIFICATION_NAMES = (
    "quant.sf",
    "quant.genes.sf",
    "abundance.tsv",
    "ReadsPerGene.out.tab",
    "quant.sf.gz",
)
COUNT_ENDING_PATTERN = re.compile(
    r"(?i)[._]?(?:ReadsPerGene\.out\.tab|(?:genes\.)?results|htseq|counts?|quant)?"
    r"(?:\.(?:txt|tsv|tab|counts?|sf|out))*(?:\.gz)?$"
)
COUNT_LINE_PATTERN = re.compile(rb"[^\t]+\t\d+\s*")


def around_feature_counts(lines: Lines) -> Around | None:
    """Of a table by featureCounts; None of others."""
    first = lines.peek(1)
    for k, line in enumerate(lines.peek(2) if first and first[0].startswith(b"#") else first):
        fields = fields_of(line)
        if tuple(fields[1:6]) == FEATURE_COUNTS_COLUMNS and len(fields) > 6:
            for _ in range(k):
                lines.line()
            more = _extra_attributes(fields, lines.peek(2)[1:])
            samples = fields[6 + len(more) :]
            files = {
                name: found[1] for name in samples if (found := ALIGNMENT_PATTERN.fullmatch(name))
            }
            if len({files.get(name, name) for name in samples}) < len(samples):
                files = {name: re.split(r"[/\\]", f"/{name}")[-2] for name in samples}
            if len(set(files.values())) < len(files):
                files = {}  # neither files nor their folders tell them apart
            label = next((name for name in more if SYMBOL_HEADER_PATTERN.fullmatch(name)), None)
            return Around(
                "\t", True, beside=(*FEATURE_COUNTS_COLUMNS, *more), label=label, renamed=files
            )
        if not line.startswith(b"#"):
            break
    return None


def _extra_attributes(header: list[str], rows: list[bytes]) -> tuple[str, ...]:
    """What `--extraAttributes` put between the length and the samples: all before the first name of
    a file, or where there is none what has no numbers in the first row."""
    files = [j for j, name in enumerate(header[6:]) if ALIGNMENT_PATTERN.fullmatch(name)]
    if files:
        return tuple(header[6 : 6 + files[0]])
    cells = [cell for row in rows for cell in fields_of(row)[6:]]
    count = next((j for j, c in enumerate(cells) if parse_number(c) is not None), 0)
    return tuple(header[6 : 6 + count])


def refuse_one_sample(lines: Lines) -> None:
    """Counts of a single sample are no table of samples.

    Raises
    ------
    DataError
        The file is one of salmon, kallisto, RSEM, STAR or HTSeq.
    """
    maker = maker_of(lines)
    if maker is not None:
        raise DataError(
            f"{lines.name!r} holds the counts of one sample, as {maker} writes them: "
            "`tamis read FOLDER --fix counts.parquet` puts those of all samples together, where "
            "FOLDER has their files"
        )


def maker_of(lines: Lines) -> str | None:
    """Which program wrote the counts of a single sample; None of others."""
    head = lines.peek(1)
    if not head:
        return None
    first = tuple(fields_of(head[0]))
    for maker, (start, _) in ONE_SAMPLE.items():
        if start and first[: len(start)] == start:
            return maker
    bare = COUNT_LINE_PATTERN.fullmatch(head[0]) and all(
        map(COUNT_LINE_PATTERN.fullmatch, lines.peek(4))
    )
    return "HTSeq" if bare else None


def read_count_folder(folder: Path, wanted: Wanted) -> Raw | None:
    """The counts of all samples whose files are in a folder, or each in a folder of its own there;
    None if it has no such files.

    Raises
    ------
    DataError
        They are of several programs, or do not count the same features.
    """
    each = [(path, _maker_of(path)) for path in _visible_files(folder)]
    found = [(path, maker) for path, maker in each if maker is not None]
    if not found:
        return None
    endings = {path.name.partition(".")[2] for path, _ in found}
    others = [p.name for p, maker in each if maker is None and p.name.partition(".")[2] in endings]
    makers = sorted({maker for _, maker in found})
    if len(makers) > 1:
        raise DataError(
            f"{folder.name!r} has counts of several programs, {' and '.join(makers)}: give a "
            "folder with those of one"
        )
    names = [_sample_name(path) for path, _ in found]
    check_unique(names, f"samples in {folder.name!r}", "name their files or folders apart")
    features: list[str] = []
    X = np.empty((0, 0))
    for k, (path, maker) in enumerate(found):
        own, values = _counts_of(path, maker)
        if not k:
            features = own
            memory.check_memory(8.0 * len(found) * len(own), folder, "as a table")
            X = np.empty((len(found), len(own)))
        elif own != features:
            place = {name: j for j, name in enumerate(own)}
            lost = next((f for f in features if f not in place), None)
            if lost is not None or len(own) != len(features):
                raise DataError(
                    f"{path.name!r} of the sample {names[k]!r} does not count the same features as "
                    f"{names[0]!r}, such as "
                    f"{shorten_text(lost or set(own).difference(features).pop())}"
                )
            values = values[[place[f] for f in features]]
        X[k] = values
    dropped = wanted.dropped(features, folder.name)
    keep = [j for j, name in enumerate(features) if name not in dropped]
    of = ", those of an unstranded library" if makers == ["STAR"] else ""
    notes = [f"counts of {counted_noun(len(found), 'sample')} as {makers[0]} writes them{of}"]
    if others:
        notes.append(f"no counts are in {listed_names(others, 3)}: left out")
    reserve = [c for c in wanted.reserve if c not in set(features)]
    more = np.full((len(X), len(reserve)), np.nan)
    columns = [*(features[j] for j in keep), *reserve]
    text = {ROW_NAMES: Text.of(names)}
    return Raw(columns, np.hstack([X[:, keep], more]), text, features, ROW_NAMES, notes=notes)


def _visible_files(folder: Path) -> Iterator[Path]:
    """Files in a folder and in those inside it, hidden ones left out, by name."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from sorted(
                p for p in path.iterdir() if p.is_file() and p.name in QUANTIFICATION_NAMES
            )


def _maker_of(path: Path) -> str | None:
    try:
        with Lines(path, _is_packed(path)) as lines:
            return maker_of(lines)
    except (DataError, OSError):  # whatever else lies there
        return None


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _sample_name(path: Path) -> str:
    bare = COUNT_ENDING_PATTERN.sub("", path.name) or path.name.partition(".")[0]
    return path.parent.name if path.name in QUANTIFICATION_NAMES else bare


def _counts_of(path: Path, maker: str) -> tuple[list[str], np.ndarray]:
    """Names of the features, and how often each was counted; what was not counted for one is left
    out."""
    start, column = ONE_SAMPLE[maker]
    names, values = [], []
    with Lines(path, _is_packed(path)) as lines:
        if start and start[0] != STAR_MARK:
            lines.line()
        while (line := lines.line()) is not None:
            fields = line.decode("utf-8", "replace").split("\t")
            value = parse_number(fields[column]) if len(fields) > column else None
            if value is None:
                raise DataError(
                    f"{path.name!r} of {path.parent.name!r}: line {lines.number - 1:,} has no "
                    f"count in field {column + 1}"
                )
            if not TALLY_PATTERN.fullmatch(fields[0]):
                names.append(fields[0])
                values.append(value)
            limits.refuse_many(len(names), limits.COLUMNS_LIMIT, "features or more", path.name)
    check_unique(names, f"features in {path.name!r}")
    return names, np.array(values)
