"""Machine code on disk: never older than the sources, kept for the next process, not for ever."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis.kernels import _cache

CALLER = """
from ._jit import jit
from .inner.callee import factor

@jit
def product(x):
    return factor() * x
"""
CALLEE = """
from .._jit import jit

@jit
def factor():
    return {}.0
"""
ASK = """
import numba
before = numba.config.CACHE_DIR
from tamis.kernels.caller import product
assert numba.config.CACHE_DIR == before
answer, stats = product(10.0), product.stats
print(answer, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), stats.cache_path)
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package with a kernel that calls one in another folder."""
    source, copy = Path(tamis.__file__).parent, tmp_path / "site" / "tamis"
    inner = copy / "kernels" / "inner"
    inner.mkdir(parents=True)
    for name in (
        "__init__.py",
        "kernels/__init__.py",
        "kernels/_jit.py",
        "kernels/_cache.py",
        "kernels/_parts.py",
    ):
        shutil.copy(source / name, copy / name)
    (inner / "__init__.py").touch()
    (copy / "kernels" / "caller.py").write_text(CALLER)
    (inner / "callee.py").write_text(CALLEE.format(2))
    return copy


def ask(package: Path, **variables: str) -> tuple[float, int, int, str]:
    """Answer, cache hits and misses of the caller, and its folder, in a new process."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    kept["PYTHONDONTWRITEBYTECODE"] = "1"  # Python's own cache goes by the date
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=kept | {"PYTHONPATH": str(package.parent)} | variables,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not done.returncode, done.stderr
    answer, hits, misses, folder = done.stdout.split(maxsplit=3)
    return float(answer), int(hits), int(misses), folder.strip()


@pytest.mark.longer
def test_an_edited_callee_is_compiled_anew_and_nothing_else_is(package):
    answer, hits, misses, first = ask(package)
    assert (answer, hits, misses) == (20.0, 0, 1)
    assert Path(first).is_relative_to(package / "kernels" / "__pycache__")
    assert ask(package) == (20.0, 1, 0, first)
    callee = package / "kernels" / "inner" / "callee.py"
    when = callee.stat()
    callee.write_text(CALLEE.format(3))
    os.utime(callee, ns=(when.st_atime_ns, when.st_mtime_ns))  # same size, same date
    answer, hits, misses, second = ask(package)
    assert (answer, hits, misses) == (30.0, 0, 1)
    assert second != first


ROOM = """
from ._jit import jit
import numpy as np

@jit
def doubled(x):
    room = np.empty(len(x))
    for i in range(len(x)):
        room[i] = 2 * x[i]
    return room
"""
USE = """
import sys
import numpy as np
from tamis.kernels.caller import doubled
print(doubled(np.arange(3.0)), "numba.np.linalg" in sys.modules)
print(doubled(np.arange(3)), "numba.np.linalg" in sys.modules)
"""


@pytest.mark.longer
def test_what_is_kept_is_loaded_without_what_compiling_needs(package):
    """And makes its arrays; another type is compiled as ever."""
    (package / "kernels" / "caller.py").write_text(ROOM)
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
            env=os.environ | {"PYTHONPATH": str(package.parent)},
        ).stdout
        for code in (USE.rsplit("print", 1)[0], USE)
    ]
    assert found[0] == "[0. 2. 4.] True\n"
    assert found[1] == "[0. 2. 4.] False\n[0. 2. 4.] True\n"


def test_kernels_are_plain_python_where_numba_is_told_to_compile_nothing(package):
    ask = "from tamis.kernels.caller import product; print(product(10.0), type(product).__name__)"
    done = subprocess.run(
        [sys.executable, "-c", ask],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"},
    )
    assert (done.stdout, done.stderr) == ("20.0 function\n", "")


@pytest.mark.longer
def test_a_given_folder_or_the_users_or_none(package, tmp_path):
    given = tmp_path / "given"
    assert Path(ask(package, NUMBA_CACHE_DIR=str(given))[3]).is_relative_to(given)
    # permissions mean nothing to root, but no folder can be where a file is
    (package / "kernels" / "__pycache__").write_text("in the way")
    users = tmp_path / "users"
    variables = {k: str(users) for k in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME")}
    folder = Path(ask(package, **variables)[3])
    assert folder.is_relative_to(users)
    assert ask(package, **variables)[1:3] == (1, 0)
    shutil.rmtree(users)
    users.write_text("in the way too")
    answer, hits, misses, folder = ask(package, **variables)
    assert (answer, hits, misses, folder) == (20.0, 0, 1, "None")


def test_the_hash_is_of_names_and_contents(tmp_path):
    assert _cache.hash_sources(tmp_path / "missing") is None
    assert _cache.hash_sources(tmp_path) is None
    (tmp_path / "a").mkdir()
    one, two = tmp_path / "a" / "one.py", tmp_path / "two.py"
    one.write_text("x = 1")
    two.write_text("y = 2")
    before = _cache.hash_sources(tmp_path)
    assert len(before) == _cache.HASH_DIGITS
    (tmp_path / "a" / "notes.txt").write_text("no source")
    os.utime(one, (0, 0))
    assert _cache.hash_sources(tmp_path) == before
    one.write_text("x = 2")
    edited = _cache.hash_sources(tmp_path)
    one.rename(tmp_path / "one.py")
    assert len({before, edited, _cache.hash_sources(tmp_path)}) == 3


def test_folders_of_other_sources_do_not_pile_up(tmp_path, monkeypatch):
    monkeypatch.setattr(_cache, "SOURCE_FOLDER", tmp_path)
    root = tmp_path / "__pycache__" / "numba"
    names = [f"{k:012x}" for k in range(8)]
    for k, name in enumerate(names[:6]):
        assert _cache.choose_folder(name) == root / name
        (root / name / "kernel.nbc").touch()
        os.utime(root / name, (k, k))
    (root / "another").mkdir()
    _cache.choose_folder(names[0])  # back on an older branch
    _cache.choose_folder(names[6])
    assert sorted(p.name for p in root.iterdir()) == [names[0], names[5], names[6], "another"]
    assert (root / names[5] / "kernel.nbc").exists()


def test_what_cannot_be_deleted_stays(tmp_path):
    """A file of such a name is no folder; the folders beside it go, the four last used excepted."""
    for k in range(9):
        path = tmp_path / f"{k:012x}"
        path.touch() if k == 0 else path.mkdir()
        os.utime(path, (k, k))
    _cache.clear_others(tmp_path / f"{8:012x}")
    left = sorted(int(path.name, 16) for path in tmp_path.iterdir())
    assert left == [0, *range(8 - _cache.KEPT_FOLDERS, 9)]


def test_installations_share_a_folder_in_parts(tmp_path, monkeypatch):
    folders = set()
    for name in ("one", "two"):
        monkeypatch.setattr(_cache, "SOURCE_FOLDER", tmp_path / name)
        folders.add(_cache.choose_folder("0" * 12, str(tmp_path / "given")).parent)
    assert len(folders) == 2


RACE = """
import numpy as np
from tamis.kernels import caller

def fresh():
    return caller.jit(caller.total)

first, second = fresh(), fresh()
floats, bytes_ = np.arange(4.0), np.arange(4, dtype=np.int8)
kept, others = first._cache._cache_file, second._cache._cache_file
save_index = kept._save_index

def save_and_wait(overloads):
    before = kept._load_index()
    save_index(overloads)
    others._load_index = lambda: before  # the other process has just read it,
    second(bytes_)  # and saves all of its own before our machine code is written

kept._save_index = save_and_wait
first(floats)
third = fresh()
print(first(floats), second(bytes_), third(floats), third(bytes_))
"""
SUMMED = """
from ._jit import jit

def total(x):
    s = 0
    for v in x:
        s += v
    return s
"""


def test_two_processes_may_compile_one_kernel_for_two_types_at_once(package):
    (package / "kernels" / "caller.py").write_text(SUMMED)
    done = subprocess.run(
        [sys.executable, "-c", RACE],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["6.0", "6", "6.0", "6"], done.stderr


def test_an_empty_folder_or_none_has_nothing_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not _cache.is_compiled()
    folder = _cache.choose_folder(_cache.hash_sources(), str(tmp_path))
    assert folder.is_relative_to(tmp_path)
    (folder / "inner").mkdir()
    (folder / "inner" / "kernel.nbi").touch()
    assert _cache.is_compiled()
    monkeypatch.setattr(_cache, "choose_folder", lambda *given: None)
    assert not _cache.is_compiled()


def test_whether_anything_is_compiled_is_known_without_numba(package, tmp_path):
    ask_it = (
        "import sys; from tamis.kernels._cache import is_compiled; "
        "print(is_compiled(), 'numba' in sys.modules)"
    )
    given = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(tmp_path)}

    def told() -> str:
        run = [sys.executable, "-c", ask_it]
        return subprocess.run(run, env=given, capture_output=True, text=True, check=True).stdout

    assert told().split() == ["False", "False"]
    ask(package, NUMBA_CACHE_DIR=str(tmp_path))
    assert told().split() == ["True", "False"]
