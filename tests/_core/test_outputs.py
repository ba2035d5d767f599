"""Where a command may write: not over what it reads, nor over what is not its own."""

from __future__ import annotations

import pytest

from tamis._core.errors import StoreError
from tamis._core.outputs import OutputFile, OutputFolder, starts_with


def test_a_place_is_free_if_it_holds_what_is_written_there(tmp_path):
    notes = OutputFile("notes", starts_with(b"# notes"))
    path = tmp_path / "x"
    assert notes.require_free(path) == path
    path.write_bytes(b"# notes\n")
    assert notes.require_free(path) == path
    with pytest.raises(StoreError, match="reads it as"):
        notes.require_free(path, [tmp_path / "." / ".." / tmp_path.name / "x"], True)
    path.write_bytes(b"thesis")
    with pytest.raises(StoreError, match=r"holds no notes: choose another --out$"):
        notes.require_free(path)
    folder = OutputFolder("cake", "cake.json", "cake", ())
    with pytest.raises(StoreError, match=r"holds no cake: choose another --out$"):
        folder.require_free(tmp_path)
    (tmp_path / "cake.json").write_text('{"kind": "cake"}')
    assert folder.require_free(tmp_path) == tmp_path
