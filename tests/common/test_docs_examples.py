"""Programs in docs/ run as they stand; those with prompts are doctests (`pytest docs`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
NEED_FILES = {  # of the reader's, or that a page has made by commands
    "tables.md": "a user's own table",
    "report.md": "a finished study",
    "genome_study.md": "real genotypes",
    "comparison.md": "finished studies",
}
MINUTES = {"gallery.md", "own_code.md"}
PROGRAM = re.compile(r"```python\n((?:(?!>>>)[^`])*?)```")


def programs(page):
    return PROGRAM.findall(page.read_text("utf-8"))


PAGES = [page for page in sorted(DOCS.rglob("*.md")) if programs(page)]


def test_every_page_with_programs_is_looked_at():
    assert len(PAGES) > 10
    assert MINUTES | set(NEED_FILES) <= {page.name for page in PAGES}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            p, id=p.stem, marks=pytest.mark.slow if p.name in MINUTES else pytest.mark.longer
        )
        for p in PAGES
        if p.name not in NEED_FILES
    ],
)
def test_programs_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "example"}
    for text in programs(page):
        exec(compile(text, str(page), "exec"), names)
    assert len(names) > 2
