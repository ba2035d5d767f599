"""Zip files that unpack to no more than they may, and what is written so that it may."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

from tamis._core import bounded_zip
from tamis._core.bounded_zip import Members, packed_members, unpacked_allowance, zipped_members
from tamis._core.errors import ModelError


def test_what_compresses_too_well_is_stored_so_that_it_can_be_read():
    """A file of little that unpacks to much is refused; the same values saved are not."""
    rng = np.random.default_rng(0)
    rows = (rng.random((40_000, 60)) < 0.002).astype(float)  # rare variants: 19 MB, some 100 to 1
    members = {"1.npy": rows.tobytes(), "model.json": b"{}"}
    packed = packed_members(members)
    assert len(members["1.npy"]) > unpacked_allowance(len(packed))
    with pytest.raises(ModelError, match="unpacks to"):
        Members(packed, "x")
    assert Members(zipped_members(members), "x").read("1.npy") == members["1.npy"]


def test_a_text_that_says_one_thing_often_is_stored_too():
    """Reference alleles are of four letters: 8 MB of JSON, a hundred to one and more."""
    text = json.dumps(["A"] * (1 << 21)).encode()
    with pytest.raises(ModelError, match="has a text of"):
        Members(packed_members({"model.json": text}), "x")
    assert Members(zipped_members({"model.json": text}), "x").read("model.json") == text
    assert len(zipped_members({"model.npy": text})) < 1 << 16


def test_a_member_is_read_no_further_than_it_says():
    """Sizes in a zip file can lie: what is beyond them is not unpacked."""
    packed = packed_members({"1.npy": bytes(1 << 20), "model.json": b"{}"})
    lying = packed.replace((1 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != packed
    with pytest.raises(zipfile.BadZipFile):  # the sum of what was read is another
        Members(lying, "x").read("1.npy")


def test_a_folder_zipped_again_has_the_same_members():
    """`zip -r` writes entries of folders, too."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a/", b"")
        file.writestr("a/1.npy", b"1")
    members = Members(sink.getvalue(), "x")
    assert members.names == ("a/1.npy",)
    assert members.read("a/1.npy") == b"1"


def test_a_file_cut_short_is_told_from_one_that_is_no_zip_file():
    packed = packed_members({"a.npy": bytes(100)})
    for size in (10, len(packed) // 2, len(packed) - 1):
        with pytest.raises(ModelError, match="'x' is damaged or cut short: copy or make it again"):
            Members(packed[:size], "'x'")
    for content in (b"", b"sample,class"):
        with pytest.raises(zipfile.BadZipFile):
            Members(content, "x")


def test_two_members_of_one_name_and_other_ways_of_packing_are_refused():
    sink = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(sink, "w") as file:
        warnings.simplefilter("ignore")
        file.writestr("a.npy", b"1")
        file.writestr("a.npy", b"2")
    with pytest.raises(ModelError, match="packed as no model is"):
        Members(sink.getvalue(), "x")
    for way in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w", way) as file:
            file.writestr("a.npy", b"1")
        with pytest.raises(ModelError, match="packed as no model is"):
            Members(sink.getvalue(), "x")


def test_what_is_packed_anew_is_what_was_read():
    members = Members(packed_members({"a.npy": b"1", "b.json": b"2"}), "x")
    again = Members(members.anew(), "x")
    assert {name: again.read(name) for name in again.names} == {"a.npy": b"1", "b.json": b"2"}
    assert packed_members({"a.npy": b"1"}) == packed_members({"a.npy": b"1"})


@pytest.mark.parametrize(
    ("name", "size", "packed", "said"),
    [
        ("a.json", (1 << 22) + 64 * 1000, 1000, ""),
        ("a.json", (1 << 22) + 64 * 1000 + 1, 1000, "has a text of 4,258,305 bytes in 1,000"),
        ("a.npy", (1 << 22) + 64 * 1000 + 1, 1000, ""),
    ],
)
def test_a_text_unpacks_to_64_times_its_size_and_four_megabytes(name, size, packed, said):
    entry = SimpleNamespace(filename=name, file_size=size, compress_size=packed)
    assert bounded_zip._too_much([entry], 1 << 20) == said


def test_a_file_unpacks_to_what_its_size_allows():
    most = bounded_zip.unpacked_allowance(1000)
    entry = SimpleNamespace(filename="a.npy", file_size=most, compress_size=1000)
    assert bounded_zip._too_much([entry], 1000) == ""
    more = SimpleNamespace(filename="b.npy", file_size=1, compress_size=1)
    assert "unpacks to" in bounded_zip._too_much([entry, more], 1000)
