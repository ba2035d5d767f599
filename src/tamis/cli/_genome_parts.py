"""A scan of `tamis genome`: in one run, or computed in parts and joined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from click import get_current_context

from ._shared import print_result

if TYPE_CHECKING:
    from ..genome.scans.prepared import PreparedScan
    from ._genome_options import GenomeOptions

U = TypeVar("U")
R = TypeVar("R")


def scan_or_part(
    scan: PreparedScan[U, R], folder: Path, options: GenomeOptions, settings: dict[str, Any]
) -> R | None:
    """The scan of one run or of joined parts; None where a part is requested, which is then in the
    folder, and printed.

    `settings` are options that results depend on, beside what is scanned.
    """
    if options.part is None and not options.join:
        return scan.run()
    from ..genome.scans.prepared import compute_part, join_parts, scan_record

    record = scan_record(scan, {"scan": get_current_context().command.name, **settings})
    if options.part is None:
        return join_parts(scan, record, options.join, folder)
    found = compute_part(
        scan, record, folder, options.part, "overwrite" if options.force else "resume"
    )
    print_result(found.to_dict(), options.as_json, found.summary())
    return None
