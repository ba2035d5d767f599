"""A result folder: claimed once, nobody else's, gone on with only as what it was begun."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from tamis._core import result_folder
from tamis._core.errors import PlanError, StoreError
from tamis._core.files import PARTIAL_ENDING
from tamis._core.inside import Directory
from tamis._core.result_folder import ResultFolder, names_in, read_object

RECORDS = {"of.json": {"digest": "d", "name": "n"}, "how.json": {"seed": 1}}


class Cake(ResultFolder):
    """A kind of result with two records."""

    noun = "cake"
    origin = "a cake"
    record_files = ("of.json", "how.json")
    own_files = ("icing.txt", "layers/*/*.txt")


@pytest.fixture
def cake(tmp_path):
    return Cake(tmp_path / "deep" / "cake")


def content(folder):
    """Every file but the journal, of which tests/_core/test_journal.py tells."""
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and p.name != "journal.jsonl"
    }


def refused(folder, if_exists="resume"):
    """What `claim` says; nothing may have changed."""
    before = content(folder.folder)
    with pytest.raises(StoreError) as error:
        folder.claim(RECORDS, if_exists)
    assert "\n" not in str(error.value)
    assert content(folder.folder) == before
    return str(error.value)


@pytest.mark.parametrize("way", ["refuse", "resume", "overwrite"])
@pytest.mark.parametrize("there", [False, True])
def test_a_free_folder_is_claimed_by_its_records(cake, way, there):
    if there:
        cake.folder.mkdir(parents=True)
    assert cake.claim(RECORDS, way) is None
    assert {k: json.loads(v) for k, v in content(cake.folder).items()} == RECORDS


def test_a_claimed_folder_is_only_gone_on_with(cake):
    cake.claim(RECORDS, "refuse")
    assert refused(cake, if_exists="refuse") == (
        f"{str(cake.folder)!r} already holds a cake: continue it with --resume (in Python "
        "if_exists='resume', or 'overwrite'), or choose another folder with --out"
    )
    changed = {**RECORDS, "how.json": {"seed": 2}}
    assert cake.claim(changed, "resume") == RECORDS  # to be compared by who asked
    assert cake.claim(RECORDS, "resume") == RECORDS  # and nothing has been written


MADE = {**RECORDS, "of.json": {"versions": {"tamis": "1"}}}


def written(cake, records=MADE):
    """A cake with all that is its own, and what somebody else has put there."""
    cake.claim(records, "refuse")
    for name in (
        "icing.txt",
        "layers/0/a.txt",
        "layers/1/b.txt",
        "layers/1/note.md",
        "mine.txt",
        "layers/mine.txt",
        "layers/1/mine/a.txt",
    ):
        cake.put(name, b"1")
    (cake.folder / "empty").mkdir()
    (cake.folder / "elsewhere").symlink_to(cake.folder.parent)
    (cake.folder.parent / "layers").mkdir()
    (cake.folder.parent / "layers" / "c.txt").write_text("kept")
    (cake.folder / "layers" / "link").symlink_to(cake.folder.parent / "layers")


def test_overwriting_deletes_its_own_files_and_no_others(cake):
    written(cake)
    changed = {**MADE, "how.json": {"seed": 2}}
    assert cake.claim(changed, "overwrite") is None
    left = {path for path in content(cake.folder) if "elsewhere" not in path}
    others = {"layers/1/note.md", "mine.txt", "layers/mine.txt", "layers/1/mine/a.txt"}
    assert left == {"of.json", "how.json", *others, *linked(cake)}
    assert (cake.folder / "empty").is_dir()
    assert not (cake.folder / "layers" / "0").exists()
    assert cake.get_object("how.json") == {"seed": 2}
    assert (cake.folder.parent / "layers" / "c.txt").read_text() == "kept"


def linked(cake):
    return {path for path in content(cake.folder) if path.startswith("layers/link/")}


def test_what_no_record_says_is_of_tamis_is_not_overwritten(cake):
    written(cake, RECORDS)
    assert "is not of a cake, by its 'of.json', 'how.json'" in refused(cake, "overwrite")


def test_overwriting_that_is_interrupted_leaves_an_unfinished_result(tmp_path, monkeypatch):
    changed = {**MADE, "how.json": {"seed": 2}}
    stopped = 0
    for k in range(6):  # files and records that are deleted and written
        cake = Cake(tmp_path / str(k) / "cake")
        written(cake)
        done = []

        def interrupted(real, k=k, done=done):
            def call(*arguments):
                if len(done) == k:
                    raise KeyboardInterrupt
                done.append(arguments)
                return real(*arguments)

            return call

        with monkeypatch.context() as patch:
            patch.setattr(result_folder, "write_json", interrupted(result_folder.write_json))
            patch.setattr(Cake, "remove", interrupted(Cake.remove))
            try:
                cake.claim(changed, "overwrite")
            except KeyboardInterrupt:
                stopped += 1
        cake.release()
        assert cake.claim(MADE, "resume") is not None  # it is still one that was begun
        assert (cake.folder / "mine.txt").exists()
        assert cake.claim(changed, "overwrite") is None
        cake.release()
    assert stopped == 5  # three files and two records


def test_what_to_do_with_one_that_is_there_is_one_of_three(cake):
    with pytest.raises(PlanError, match="if_exists='replace': give one of 'refuse', 'resume'"):
        cake.claim(RECORDS, "replace")


def test_killed_between_two_records_it_is_claimed_again(cake, monkeypatch):
    real = result_folder.write_json

    def killed(path, value):
        if path.name == "how.json":
            raise KeyboardInterrupt
        real(path, value)

    monkeypatch.setattr(result_folder, "write_json", killed)
    with pytest.raises(KeyboardInterrupt):
        cake.claim(RECORDS, "refuse")
    monkeypatch.undo()
    assert list(content(cake.folder)) == ["of.json"]
    (cake.folder / f".how.json.x{PARTIAL_ENDING}").write_text("{")
    other = {**RECORDS, "of.json": {"digest": "e", "name": "m"}}
    assert cake.claim(other, "refuse") is None
    assert json.loads((cake.folder / "of.json").read_text()) == other["of.json"]


def test_a_record_that_is_lost_is_an_empty_one(cake):
    cake.claim(RECORDS, "refuse")
    (cake.folder / "of.json").unlink()
    assert cake.claim(RECORDS, "resume") == {"of.json": {}, "how.json": {"seed": 1}}


@pytest.mark.parametrize("way", ["refuse", "resume", "overwrite"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("thesis.txt", "kept"),
        ("cells/0.arrow", ""),
        ("of.json", '{"digest": "of another kind of record"}'),
        ("of.json", "{}"),
    ],
)
def test_somebody_elses_folder_is_left_alone(cake, name, text, way):
    path = cake.folder / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert refused(cake, way) == (
        f"{str(cake.folder)!r} is not empty ({name.split('/')[0]!r}) and holds no cake: choose "
        "another --out"
    )


def test_a_long_list_of_strangers_is_cut(cake):
    cake.folder.mkdir(parents=True)
    for j in range(12):
        (cake.folder / f"{j:02d}").touch()
    assert "('00', '01', '02' and 9 more)" in refused(cake)


def test_files_that_were_never_finished_are_nobodys(cake):
    cake.folder.mkdir(parents=True)
    (cake.folder / f".of.json.a1{PARTIAL_ENDING}").write_text("{")
    assert names_in(cake.folder) == []
    assert cake.claim(RECORDS, "refuse") is None
    cake.put("cells/1/2.bin", b"whole")
    (cake.folder / "cells" / "1" / f".3.bin.b2{PARTIAL_ENDING}").write_text("half")
    (cake.folder / f"mine{PARTIAL_ENDING}").write_text("not ours: it has no dot")
    cake.remove_partial_files()
    assert set(content(cake.folder)) == {
        "of.json",
        "how.json",
        "cells/1/2.bin",
        f"mine{PARTIAL_ENDING}",
    }


@pytest.mark.parametrize("below", ["", "below"])
def test_a_file_in_place_of_the_folder(tmp_path, below):
    (tmp_path / "file").write_text("kept")
    folder = Cake(tmp_path / "file" / below)
    with pytest.raises(StoreError, match="is not a folder: choose another --out"):
        folder.claim(RECORDS, "refuse")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"seed": ', "is not readable JSON: delete it or choose another folder"),
        (b"", "is not readable JSON"),
        (b"\xff\xfe{}", "is not readable JSON"),
        (b"[" * 100_000, "is not readable JSON"),
        (b"[1]", "is not of a cake: choose another folder"),
        (b"null", "is not of a cake: choose another folder"),
    ],
)
def test_a_record_that_cannot_be_read_is_named(cake, name, text, says):
    cake.claim(RECORDS, "refuse")
    (cake.folder / name).write_bytes(text)
    said = refused(cake)
    assert said.startswith(repr(str(cake.folder / name)))
    assert says in said


def test_a_folder_in_place_of_a_record_is_one_line(cake):
    (cake.folder / "how.json").mkdir(parents=True)
    assert "how.json' is a folder, and a regular file is needed there" in refused(cake)


@pytest.mark.parametrize("call", ["open", "iterdir"])
def test_a_folder_that_may_not_be_read_is_one_line(cake, monkeypatch, call):
    def denied(*args, **kwargs):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Directory if call == "open" else result_folder.Path, call, denied)
    cake.folder.mkdir(parents=True)
    (cake.folder / "of.json").write_text("{}")
    with pytest.raises(StoreError, match=r"^cannot read '.*': Permission denied$"):
        cake.claim(RECORDS, "refuse")


def test_a_full_disk_claims_nothing(cake, monkeypatch):
    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        cake.claim(RECORDS, "refuse")
    monkeypatch.undo()
    assert content(cake.folder) == {}
    assert cake.claim(RECORDS, "refuse") is None


def test_only_the_same_data_go_on(cake):
    data = RECORDS["of.json"]
    cake.require_same_data({**data, "n": 3}, {**data, "n": 4})
    for old in ({**data, "digest": "e"}, {}):
        with pytest.raises(StoreError, match=r"^the data differ from those of '.*cake': resume"):
            cake.require_same_data(old, data)
    with pytest.raises(StoreError, match=r"named 'old' and here '.*', which is in the results: g"):
        cake.require_same_data({**data, "name": "old"}, data)


def test_only_the_same_settings_go_on(cake):
    cake.require_same_settings({"a": 1, "b": None}, {"a": 1}, "the oven differs")
    for old in ({"b": 2, "a": [1], "gone": 0}, [], None):
        with pytest.raises(StoreError, match=r"^the oven differs from .* \(in: .*a, b.*\): resume"):
            cake.require_same_settings(old, {"a": [2], "b": 3}, "the oven differs")


def test_only_the_same_versions_go_on(cake):
    now = {"numpy": "2.0", "scipy": "1.0"}
    cake.require_same_versions(dict(now), now)
    for old, names in (
        ({**now, "numpy": "1.0"}, "numpy"),
        ({}, "numpy, scipy"),
        ("2.0", "numpy, scipy"),
        ({**now, "old": "1"}, "old"),
    ):
        with pytest.raises(StoreError, match=f"was begun with another version of {names}: results"):
            cake.require_same_versions(old, now)


def test_files_are_put_and_got_whole(cake):
    cake.claim(RECORDS, "refuse")
    assert not cake.has("cells/a.bin")
    cake.put("cells/a.bin", b"\x00\xff")
    assert cake.has("cells/a.bin")
    assert cake.get("cells/a.bin") == b"\x00\xff"
    with pytest.raises(StoreError, match=r"cannot read '.*b\.bin': No such file"):
        cake.get("cells/b.bin")
    assert cake.get_object("of.json") == RECORDS["of.json"]
    assert cake.get_object("none.json") is None
    assert read_object(cake.inside("how.json"), "a cake") == {"seed": 1}


def test_the_journal_takes_a_line_an_event(cake):
    cake.claim(RECORDS, "refuse")
    cake.log(event="begin", tasks=3)
    cake.log(event="end")
    lines = [json.loads(s) for s in (cake.folder / "journal.jsonl").read_text().splitlines()]
    assert [line.pop("time") > 0 for line in lines] == [True] * 3
    assert lines[0].pop("event") == "owner"
    assert lines[1:] == [{"event": "begin", "tasks": 3}, {"event": "end"}]


@pytest.mark.parametrize("way", ["refuse", "resume", "overwrite"])
def test_a_folder_in_use_is_left_alone(cake, way):
    cake.claim(RECORDS, "refuse")
    (cake.folder / f".how.json.x{PARTIAL_ENDING}").write_text("in flight")
    before, other = content(cake.folder), Cake(cake.folder)
    with pytest.raises(StoreError, match=f"is in use by process {os.getpid()} on .* since"):
        other.claim(RECORDS, way)
    assert content(cake.folder) == before
    cake.release()
    with other:
        assert other.claim(RECORDS, "resume") == RECORDS
    with cake:
        assert cake.claim(RECORDS, "resume") == RECORDS


def test_refused_folders_get_no_journal_and_are_let_go(cake):
    with Cake(cake.folder) as first:
        first.claim(RECORDS, "refuse")
    assert set(os.listdir(cake.folder)) == set(RECORDS)
    refused(cake, if_exists="refuse")
    assert set(os.listdir(cake.folder)) == set(RECORDS)
    (cake.folder / "how.json").unlink()
    (cake.folder / "thesis.txt").write_text("kept")
    refused(cake)
    assert set(os.listdir(cake.folder)) == {"of.json", "thesis.txt"}


def test_who_looks_while_another_claims_is_told_of_it(cake, monkeypatch):
    """Its records come one after the other: the first look may find half of them."""
    other, real = Cake(cake.folder), result_folder.names_in
    looks = []

    def claimed_meanwhile(folder):
        looks.append(folder)
        if len(looks) == 1:
            other.claim(RECORDS, "refuse")
        return real(folder)

    monkeypatch.setattr(result_folder, "names_in", claimed_meanwhile)
    with pytest.raises(StoreError, match="is in use by process"):
        cake.claim({**RECORDS, "of.json": {"other": 1}}, "refuse")
    other.release()


@pytest.mark.skipif(os.name == "nt", reason="moves no folder with an open file")
@pytest.mark.parametrize("instead", [Path.mkdir, Path.touch])
def test_what_stands_where_a_folder_was_gets_nothing(cake, tmp_path, instead):
    cake.claim(RECORDS, if_exists="refuse")
    cake.folder.rename(tmp_path / "moved")
    instead(cake.folder)
    with pytest.raises(StoreError, match="was moved or deleted while"):
        cake.put("slice", b"1")
    cake.release()


@pytest.mark.skipif(os.name == "nt", reason="moves no folder with an open file")
def test_a_folder_that_is_moved_gets_nothing_at_its_old_place(cake, tmp_path):
    cake.claim(RECORDS, if_exists="refuse")
    cake.put("slice", b"1")
    cake.folder.rename(tmp_path / "moved")
    with pytest.raises(StoreError, match="was moved or deleted while"):
        cake.put("slice 2", b"2")
    assert not cake.folder.exists()
    cake.release()
    moved = Cake(tmp_path / "moved")
    assert moved.claim(RECORDS, if_exists="resume") == RECORDS
    moved.release()
