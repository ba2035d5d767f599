"""The gallery of docs/gallery.md runs as it stands, and gives the table that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"


def test_the_gallery_shows_what_it_gives(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    scope: dict = {"__name__": "gallery"}
    exec(compile(code, str(PAGE), "exec"), scope)
    rows = re.findall(
        r"^\| (\S+) \| (\S+) \((\S+) to (\S+)\) \| (\S+) \| (\S+) \|", text, flags=re.M
    )
    frame = scope["result"].frame()
    assert [name for name, *_ in rows] == list(frame.index)
    for name, *shown in rows:
        row = frame.loc[name]
        found = [row["bcr"], row["low"], row["high"], row["mean_size"], row["nogueira"]]
        assert [float(value) for value in shown] == pytest.approx(found, abs=6e-3, nan_ok=True), (
            name
        )
