"""Every picture that these tests draw is the one that was looked at.

`pictures.tsv` has a digest of the pictures of each test. After a change that is meant, draw them
anew with `just pictures FOLDER`, look at those that differ, and commit the table.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path

import pytest

from tamis.plotting import _svg

TABLE = Path(__file__).with_name("pictures.tsv")
DRAWN = os.environ.get("TAMIS_PICTURES")  # a folder for them; the table is then written anew


@cache
def known_pictures() -> dict[str, str]:
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    return dict(line.split("\t") for line in lines)


@pytest.fixture(autouse=True)
def pictures(request, monkeypatch, tmp_path):
    """The pictures of a test, but of a property, whose examples change."""
    drawn: list[str] = []
    draw = _svg.chart_root

    def keep_picture(*given, **more):
        drawn.append(draw(*given, **more))
        return drawn[-1]

    monkeypatch.setattr(_svg, "chart_root", keep_picture)
    yield drawn
    if not drawn or hasattr(request.function, "hypothesis"):
        return
    name = request.node.nodeid.removeprefix("tests/plotting/").encode("ascii", "replace").decode()
    digest = hashlib.sha256("\n".join(drawn).encode()).hexdigest()[:16]
    folder = Path(DRAWN) if DRAWN else tmp_path
    if DRAWN or known_pictures().get(name) != digest:
        for k, picture in enumerate(drawn):
            stem = re.sub(r"\W+", "-", name)[:80]
            (folder / f"{stem}-{k}.svg").write_text(picture, encoding="utf-8")
    if DRAWN:
        known_pictures()[name] = digest
        lines = sorted(f"{test}\t{one}\n" for test, one in known_pictures().items())
        TABLE.write_text("".join(lines), encoding="utf-8")
    else:
        assert known_pictures().get(name) == digest, f"other pictures than before: see {folder}"
