"""Atomic files: whole or absent, the old one kept, nothing left lying about."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tamis._core import files
from tamis._core.errors import StoreError
from tamis._core.files import PARTIAL_ENDING, atomic_file, write_bytes, write_json, write_text
from tamis._core.inside import Directory


@pytest.fixture
def old(tmp_path):
    """A file that must survive."""
    path = tmp_path / "results.json"
    path.write_bytes(b"old")
    return path


def only(path):
    """Nothing else is in the folder."""
    return [p.name for p in path.parent.iterdir()] == [path.name]


def raiser(error):
    def fail(*args, **kwargs):
        raise error

    return fail


def test_bytes_text_and_json(tmp_path):
    path = tmp_path / "new" / "deep" / "x"
    write_bytes(path, b"\x00\r\n\xff")
    assert path.read_bytes() == b"\x00\r\n\xff"
    write_text(path, "é\nü\n")
    assert path.read_bytes() == "é\nü\n".encode()
    value = {"b": [0.1, 1e-300, None, "µ"], "a": 2**60}
    write_json(path, value)
    assert json.loads(path.read_text("utf-8")) == value
    assert "µ" in path.read_text("utf-8")
    assert path.read_bytes().endswith(b"}\n")
    assert only(path)


def test_an_existing_file_is_replaced_only_at_the_end(old):
    with atomic_file(old) as file:
        file.write(b"new")
        file.flush()
        assert old.read_bytes() == b"old"
        partial = [p for p in old.parent.iterdir() if p != old]
        assert len(partial) == 1
        assert partial[0].name.endswith(PARTIAL_ENDING)
        assert partial[0].name.startswith(".")
    assert old.read_bytes() == b"new"
    assert only(old)


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), SystemExit(1)])
def test_failure_inside_the_block_keeps_the_old_file(old, error):
    def write_half():
        with atomic_file(old) as file:
            file.write(b"half")
            raise error

    with pytest.raises(type(error)):
        write_half()
    assert old.read_bytes() == b"old"
    assert only(old)


def test_failure_inside_the_block_leaves_no_file_where_there_was_none(tmp_path):
    def write_half():
        with atomic_file(tmp_path / "x", "w") as file:
            file.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_is_one_line_and_keeps_the_old_file(old, monkeypatch, call):
    monkeypatch.setattr(files.os, call, raiser(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(StoreError) as caught:
        write_text(old, "new")
    text = str(caught.value)
    assert text == (
        f"cannot write {str(old)!r}: No space left on device; free some space or choose another "
        "place with --out (nothing that was there has been changed)"
    )
    assert isinstance(caught.value.__cause__, OSError)
    assert old.read_bytes() == b"old"
    assert only(old)


def test_an_unwritable_folder_is_one_line(tmp_path, monkeypatch):
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    monkeypatch.setattr(Directory, "open", raiser(denied))
    with pytest.raises(StoreError, match=r"cannot write .*: Permission denied; ") as caught:
        write_bytes(tmp_path / "x", b"")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_folder_without_write_permission(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="Permission denied"):
            write_bytes(tmp_path / "x", b"")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_where_a_folder_should_be(old):
    with pytest.raises(StoreError, match=r"cannot write .*(Not a directory|File exists)"):
        write_bytes(old / "cells" / "x", b"")
    assert old.read_bytes() == b"old"


def test_a_folder_where_the_file_should_be(tmp_path):
    (tmp_path / "x").mkdir()
    with pytest.raises(StoreError, match="it is a folder"):
        write_bytes(tmp_path / "x", b"")
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_long_names(tmp_path):
    path = tmp_path / ("x" * 250)
    write_bytes(path, b"1")
    assert only(path)


def test_nan_is_refused_before_anything_is_touched(old):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(old, {"auc": float("nan")})
    assert old.read_bytes() == b"old"
    assert only(old)


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX's")
def test_permissions_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "x", b"")
        assert os.umask(0o027) == 0o027  # reading it has not changed it
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no names of open files")
@pytest.mark.parametrize("name", ["report.html", "x", "99999999999999999999"])
def test_a_name_among_those_of_open_files_that_is_none(name):
    with pytest.raises(StoreError, match="cannot write '/dev/fd/"):
        write_text(f"/dev/fd/{name}", "new")


@pytest.fixture
def as_person():
    """A folder that all may write to, and how to be somebody else there, in a group."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    groups = os.getgroups()

    def become(user, group):
        os.setgroups([group])
        os.seteuid(user)

    yield folder, become
    os.seteuid(0)
    os.setgroups(groups)
    shutil.rmtree(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs other people")
@pytest.mark.parametrize(("owner", "mode"), [(4320, 0o466), (0, 0o644)])
def test_what_others_may_write_and_this_person_may_not_is_read_only(as_person, owner, mode):
    folder, become = as_person
    path = folder / "x"
    path.write_bytes(b"old")
    path.chmod(mode)
    os.chown(path, owner, 4321)
    become(4320, 4321)
    with pytest.raises(StoreError, match="it is read-only"):
        write_text(path, "new")
    assert path.read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs other people")
def test_a_file_of_others_keeps_its_group(as_person):
    folder, become = as_person
    path = folder / "x"
    path.write_bytes(b"old")
    path.chmod(0o660)
    os.chown(path, 4320, 4321)
    become(4322, 4321)
    write_text(path, "new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (4322, 4321, 0o660)


KILLED = """
import os, signal, sys
from tamis._core import files
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "renaming":
    files.Directory.replace = die
with files.atomic_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    if sys.argv[2] == "writing":
        die()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("when", ["writing", "renaming"])
def test_what_a_killed_process_left_goes_with_the_next_write(old, when):
    ended = subprocess.run([sys.executable, "-c", KILLED, old, when], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert old.read_bytes() == b"old"
    assert len(list(old.parent.iterdir())) == 2
    other = old.parent / f".other.json.12345678{PARTIAL_ENDING}"
    other.write_bytes(b"of another file")
    write_bytes(old, b"new")
    assert sorted(p.name for p in old.parent.iterdir()) == [other.name, old.name]
    assert old.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="locks")
def test_what_a_living_process_writes_stays(old):
    with atomic_file(old) as first:
        first.write(b"first")
        first.flush()
        write_bytes(old, b"second")
        assert old.read_bytes() == b"second"
        assert len(list(old.parent.iterdir())) == 2
    assert old.read_bytes() == b"first"
    assert only(old)


def test_a_name_of_many_bytes_is_written(tmp_path):
    """That of the partial file is no longer than a system takes."""
    path = tmp_path / ("é" * 120 + ".json")
    write_bytes(path, b"1")
    assert only(path)
