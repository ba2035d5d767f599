"""The gallery of reports: those that `docs/site/make_reports.py` has written, as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
MADE = ROOT / "build" / "reports"  # its contents go to the root of the site


def list_reports(app: Any, docname: str, source: list[str]) -> None:
    """A link to each, with the page in a frame."""
    if docname != "site/reports":
        return
    from make_reports import REPORTS

    app.env.note_reread()  # they may have been written since

    for name, report in REPORTS.items():
        source[0] += f"\n\n## {report.title}\n\n{report.text}\n"
        if (MADE / "reports" / f"{name}.html").exists():
            source[0] += (
                f'\n<p><a href="../reports/{name}.html">The page by itself</a></p>\n'
                f'<iframe class="report" loading="lazy" title="{report.title}" '
                f'src="../reports/{name}.html"></iframe>\n'
            )


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", list_reports)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
