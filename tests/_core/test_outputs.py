"""Where a command may write: not over what it reads, nor over what is not its own."""

from __future__ import annotations

import pytest

from tamis._core.errors import StoreError
from tamis._core.journal import Journal
from tamis._core.outputs import OutputFile, OutputFolder, is_page_with, starts_with


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


@pytest.mark.parametrize("force", [False, True])
def test_in_a_folder_that_is_read_only_its_own_is_replaced(tmp_path, force):
    notes = OutputFile("notes", starts_with(b"# notes"))
    read = tmp_path / "read"
    (read / "deep").mkdir(parents=True)
    (read / "deep" / "plan").write_bytes(b"plan")
    (tmp_path / "link").symlink_to(read / "deep" / "plan")
    (tmp_path / "folder").symlink_to("read")
    for path in (read / "deep" / "plan", tmp_path / "link", tmp_path / "folder/deep/plan"):
        for folder in (read, tmp_path / "folder"):
            with pytest.raises(StoreError, match="reads it in"):
                notes.require_free(path, [folder], force)
    (read / "empty").touch()
    (read / "own").write_bytes(b"# notes\n")
    for name in ("new", "empty", "own"):
        assert notes.require_free(read / name, [read], force) == read / name
    if force:
        (tmp_path / "readme").write_bytes(b"beside it")
        assert notes.require_free(tmp_path / "readme", [read], force)


def test_a_mark_counts_at_the_beginning_and_of_a_page_near_it(tmp_path):
    mark, path = b"set\tsamples\t", tmp_path / "x"
    for content, begins, is_page in [
        (mark + b"features\n", True, False),
        (b"data" + mark + b"features\n", False, False),
        (b"\n" + mark, False, False),
        (b"\n<!doctype html>\n<html>" + mark, False, True),
        (b"<!doctype html>" + b" " * 4096 + mark, False, False),
        (b"<p>" + mark, False, False),
    ]:
        path.write_bytes(content)
        assert starts_with(b"other", mark)(path) == begins, content
        assert is_page_with(mark)(path) == is_page, content
    assert not starts_with(mark)(tmp_path / "nothing")


@pytest.mark.parametrize("record", ["data.json", "cake.json", "other.json"])
def test_another_result_gets_nothing_beside_it(tmp_path, record):
    folder = OutputFolder("cake", "cake.json", "cake", ())
    (tmp_path / record).write_text('{"kind": "pie", "versions": {"tamis": "1"}}')
    for force in (None, False, True):
        with pytest.raises(StoreError, match=r"holds another result .*: choose another --out$"):
            folder.require_free(tmp_path, force=force)
    for content in ('{"versions": {"numpy": "1"}}', '{"versions": 1}', "[]", "thesis"):
        (tmp_path / record).write_text(content)
        assert folder.require_free(tmp_path, force=True) == tmp_path
    (tmp_path / record).write_text('{"versions": {"tamis": "1"}}')
    (tmp_path / "cake.json").write_text('{"kind": "cake", "versions": {"tamis": "1"}}')
    assert folder.require_free(tmp_path) == tmp_path


def test_a_link_to_a_folder_that_is_not_there_yet_makes_it(tmp_path):
    (tmp_path / "link").symlink_to("deep/folder")
    with Journal(tmp_path / "link"):
        assert (tmp_path / "deep" / "folder" / "journal.jsonl").is_file()
    assert (tmp_path / "link").is_symlink()
