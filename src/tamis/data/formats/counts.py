"""What programs that count reads write: featureCounts a table of samples, others a file of each."""

from __future__ import annotations

import re

from ..._core.errors import DataError
from ..lines import Lines
from .around import Around

BESIDE = ("Chr", "Start", "End", "Strand", "Length")  # of featureCounts, behind Geneid
FILE = re.compile(r"(?:.*[/\\])?(.+?)(?:\.(?:sorted|markdup|dedup))*\.(?:bam|sam|cram)")
ONE_SAMPLE = {  # first fields of the header, and what writes it
    ("Name", "Length", "EffectiveLength", "TPM", "NumReads"): "salmon",
    ("target_id", "length", "eff_length", "est_counts", "tpm"): "kallisto",
    ("gene_id", "transcript_id(s)", "length", "effective_length", "expected_count"): "RSEM",
}
FIRST = {"N_unmapped": "STAR"}
COUNT = re.compile(rb"[^\t]+\t\d+\s*")


def around_feature_counts(lines: Lines) -> Around | None:
    """Of a table by featureCounts; None of others."""
    first = lines.peek(1)
    for k, line in enumerate(lines.peek(2) if first and first[0].startswith(b"#") else first):
        fields = line.decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if tuple(fields[1:6]) == BESIDE and len(fields) > 6:
            for _ in range(k):
                lines.line()
            files = {name: found[1] for name in fields[6:] if (found := FILE.fullmatch(name))}
            if len({files.get(name, name) for name in fields[6:]}) < len(fields[6:]):
                files = {}  # the folders tell them apart
            return Around("\t", True, beside=BESIDE, renamed=files)
        if not line.startswith(b"#"):
            break
    return None


def refuse_one_sample(lines: Lines) -> None:
    """Counts of a single sample are no table of samples.

    Raises
    ------
    DataError
        The file is one of salmon, kallisto, RSEM, STAR or HTSeq.
    """
    head = lines.peek(1)
    if not head:
        return
    first = tuple(head[0].decode("utf-8", "replace").rstrip("\r\n").split("\t"))
    maker = FIRST.get(first[0]) or next(
        (name for start, name in ONE_SAMPLE.items() if first[: len(start)] == start), None
    )
    if maker is None and COUNT.fullmatch(head[0]) and all(map(COUNT.fullmatch, lines.peek(4))):
        maker = "HTSeq"
    if maker is not None:
        raise DataError(
            f"{lines.name!r} holds the counts of one sample, as {maker} writes them: "
            "`tamis read FOLDER --fix counts.parquet` puts those of all samples together, where "
            "FOLDER has their files"
        )
