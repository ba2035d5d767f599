"""Files inside a folder: through no link, regular, and of bounded size."""

from __future__ import annotations

import os
import sys

import pytest

from tamis._core import inside
from tamis._core.errors import StoreError
from tamis._core.files import atomic_file, write_bytes
from tamis._core.inside import Inside, named_file, read_named
from tamis.study.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes")


@pytest.fixture(params=[True, False], ids=["by handle", "by path"])
def folder(tmp_path, request, monkeypatch):
    """A folder with a file in each of two, also where a system holds no folders open."""
    monkeypatch.setattr(inside, "BY_HANDLE", request.param and inside.BY_HANDLE)
    made = tmp_path / "folder"
    write_bytes(Inside(made, "a/b/c.txt"), b"42")
    return made


def test_what_is_written_is_read(folder):
    place = Inside(folder, "a/b/c.txt")
    assert place.read_bytes() == b"42"
    assert os.fspath(place) == str(folder / "a" / "b" / "c.txt") == str(place)
    assert place.exists()
    assert not Inside(folder, "a/b/d.txt").exists()
    assert not Inside(folder, "d/b/c.txt").exists()
    write_bytes(place, b"43")
    assert place.read_bytes() == b"43"
    place.unlink()
    assert list((folder / "a" / "b").iterdir()) == []
    with pytest.raises(FileNotFoundError):
        place.read_bytes()


def refused(place: Inside, says: str) -> None:
    """Whatever is done with it."""

    def write():
        with atomic_file(place) as file:
            file.write(b"!")

    for doing in (place.read_bytes, place.exists, write):
        with pytest.raises(StoreError, match=says) as error:
            doing()
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("at", ["a", "a/b", "a/b/c.txt"])
def test_no_component_is_a_link(folder, at):
    outside = folder.parent / "outside"
    (folder / at).rename(outside)
    (folder / at).symlink_to(outside)
    refused(Inside(folder, "a/b/c.txt"), f"{at}' is a link, and no file of a result folder")
    name = {"a": "b/c.txt", "a/b": "c.txt"}.get(at)
    assert (outside / name if name else outside).read_bytes() == b"42"


@pytest.mark.parametrize("at", ["a", "a/b", "a/b/c.txt"])
def test_nor_a_link_to_itself(folder, at):
    place = folder / at
    place.rename(folder.parent / "outside")
    place.symlink_to(place.name)
    refused(Inside(folder, "a/b/c.txt"), "is a link")


def test_the_folder_itself_may_be_one(folder):
    (folder.parent / "link").symlink_to(folder)
    place = Inside(folder.parent / "link", "a/b/c.txt")
    write_bytes(place, b"43")
    assert place.read_bytes() == b"43"
    assert (folder.parent / "link").is_symlink()


def test_what_is_no_file_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe")
    refused(Inside(folder, "pipe"), "pipe' is a pipe, and a regular file is needed there")
    refused(Inside(folder, "a"), "a' is a folder, and a regular file is needed there")
    for path, says in ((folder / "pipe", "is a pipe"), ("/dev/zero", "is a device")):
        with pytest.raises(StoreError, match=says):
            read_named(path)


def test_a_file_has_no_more_bytes_than_are_read(folder):
    place = Inside(folder, "a/b/c.txt")
    assert place.read_bytes(2) == read_named(place.path, 2) == b"42"
    for read in (place.read_bytes, lambda most: read_named(place.path, most)):
        with pytest.raises(StoreError, match=r"c\.txt' has 2 bytes, more than the 1 that are read"):
            read(1)


def test_a_pipe_that_is_open_already_is_read(folder):
    reading, writing = os.pipe()
    os.write(writing, b"42")
    os.close(writing)
    assert read_named(f"/dev/fd/{reading}") == b"42"
    os.close(reading)


def test_a_file_that_is_named_is_of_a_study_by_its_records(folder):
    assert set(inside.OF_STUDY) == set(Store.record_files)
    model = folder / "model.npz"
    model.symlink_to("a/b/c.txt")
    assert named_file(model) == model
    assert read_named(model) == b"42"
    for name in inside.OF_STUDY:
        (folder / name).write_text("{}")
    assert named_file(model) == Inside(folder, "model.npz")
    with pytest.raises(StoreError, match="is a link"):
        read_named(model)
