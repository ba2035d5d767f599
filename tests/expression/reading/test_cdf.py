"""Reading CDF files: order of probes, pairs, kinds of unit, and what is refused."""

from __future__ import annotations

import gzip
import struct
import tracemalloc

import numpy as np
import pytest

from expression.reading.array_files import (
    CDF_WRITERS,
    cdf_binary,
    cdf_text,
    cel_version_4,
    made_intensities,
    made_probe_sets,
)
from tamis._core.errors import DataError
from tamis.expression.reading import read_cdf, read_cel
from tamis.expression.reading.cdf_file import are_perfect_matches

SHAPE = (12, 18)


@pytest.fixture(params=CDF_WRITERS)
def write(request):
    return CDF_WRITERS[request.param]


@pytest.fixture
def reads(tmp_path):
    """A function that writes bytes and reads them."""

    def of(data):
        if isinstance(data, dict):
            data = b"".join(data.values())
        path = tmp_path / "some.CDF"
        path.write_bytes(data)
        return read_cdf(path)

    return of


def pairs(probe, target):
    """The rule of makecdfenv and affxparser, letter by letter."""
    p, t = probe.upper(), target.upper()
    if p == t:
        return False
    return not any(p == a and t != b for a, b in ("AT", "TA", "CG", "GC"))


def by_hand(probe_sets, n_columns):
    """Perfect matches and mismatches by atom, set by set, as make.cdf.env has them."""
    found = {}
    for name, cells in probe_sets.items():
        pm, mm = {}, {}
        for x, y, probe, target, atom in cells:
            (pm if pairs(probe, target) else mm)[atom] = x + y * n_columns
        if pm:
            found[name] = [(pm[atom], mm.get(atom, -1)) for atom in sorted(pm)]
    return found


def test_letters_pair_as_in_affxparser():
    letters = [chr(k) for k in range(33, 127)]
    probe = np.repeat([ord(a) for a in letters], len(letters)).astype(np.uint8)
    target = np.tile([ord(a) for a in letters], len(letters)).astype(np.uint8)
    expected = [pairs(a, b) for a in letters for b in letters]
    assert are_perfect_matches(probe, target).tolist() == expected


@pytest.mark.parametrize("seed", range(6))
def test_probes_are_those_found_by_hand(write, reads, seed):
    rng = np.random.default_rng(seed)
    probe_sets = made_probe_sets(SHAPE, 9, rng, mismatches=seed % 3 > 0)
    for name, cells in probe_sets.items():  # in any order, some without a mismatch or a match
        kept = [cells[j] for j in rng.permutation(len(cells))]
        probe_sets[name] = kept[: len(kept) - seed]
    last = list(probe_sets)[-1]
    probe_sets[last] = [(x, y, "A", "A", atom) for x, y, _, _, atom in probe_sets[last][:1]]
    others = {"SNP_1": [(0, 0, "A", "T", 0), (1, 0, "A", "A", 0)]}
    cdf = reads(write(SHAPE, probe_sets, others))
    expected = by_hand(probe_sets, SHAPE[1])
    assert cdf.names == list(expected)
    assert cdf.n_other_units == 1
    assert (cdf.n_rows, cdf.n_columns) == SHAPE
    assert list(zip(cdf.pm.tolist(), cdf.mm.tolist(), strict=True)) == [
        pair for own in expected.values() for pair in own
    ]
    assert np.diff(cdf.offsets).tolist() == list(map(len, expected.values()))
    assert cdf.probe_sets.tolist() == [name for name, own in expected.items() for _ in own]


def test_a_file_packed_by_gzip_is_read_as_it_is_unpacked(write, tmp_path):
    data = b"".join(write(SHAPE, made_probe_sets(SHAPE, 4, np.random.default_rng(0))).values())
    (tmp_path / "a.CDF").write_bytes(data)
    (tmp_path / "a.CDF.gz").write_bytes(gzip.compress(data))
    plain, packed = read_cdf(tmp_path / "a.CDF"), read_cdf(tmp_path / "a.CDF.gz")
    assert plain.chip_type == packed.chip_type == ("Made_1" if write is cdf_text else "a")
    np.testing.assert_array_equal(plain.pm, packed.pm)


def test_intensities_of_an_array(write, reads, tmp_path):
    probe_sets = {"a_at": [(1, 2, "A", "T", 0), (1, 3, "T", "T", 0), (4, 5, "C", "G", 1)]}
    values = made_intensities(SHAPE, 1)
    path = tmp_path / "a.CEL"
    path.write_bytes(b"".join(cel_version_4(values).values()))
    pm, mm = reads(write(SHAPE, probe_sets)).intensities(read_cel(path))
    assert pm.tolist() == [values[2, 1], values[5, 4]]
    np.testing.assert_array_equal(mm, [values[3, 1], np.nan])
    assert pm.dtype == mm.dtype == np.float32


def test_an_array_of_another_shape_is_refused(reads, tmp_path):
    path = tmp_path / "a.CEL"
    path.write_bytes(b"".join(cel_version_4(made_intensities((5, 5), 1)).values()))
    cdf = reads(cdf_binary(SHAPE, {"a_at": [(1, 2, "A", "T", 0)]}))
    with pytest.raises(DataError, match=r"the array \(Made_1\) has 5 x 5: give the CDF"):
        cdf.intensities(read_cel(path))


def test_no_beginning_of_a_file_is_read_as_the_whole(write, reads):
    probe_sets = made_probe_sets(SHAPE, 3, np.random.default_rng(1))
    parts = write(SHAPE, probe_sets)
    data = b"".join(parts.values())
    needed = len(data)
    if write is cdf_text:  # what stands behind the atom of the last cell is not read
        last = data[data.rindex(b"Cell") :].split(b"\t")
        needed += len(b"\t".join(last[:11])) + 1 - len(b"\t".join(last))
    for length in [*range(0, needed - 40, 23), *range(needed - 40, needed)]:
        with pytest.raises(DataError, match=r"'some\.CDF'") as error:
            reads(data[:length])
        assert "\n" not in str(error.value)


def test_a_cell_that_ends_within_a_number_is_damaged(reads):
    """One field more than is wanted tells that the last one wanted is whole, where lines have it;
    where the atom is the last of a line there is none to wait for."""
    head, cell, rest = b"".join(cdf_text(SHAPE, {"a_at": SET[:1]}).values()).rpartition(b"Cell1=")
    fields = rest.split(b"\t")
    whole = head + cell + b"\t".join(fields[:11])
    assert reads(whole + b"\t").names == ["a_at"]
    for short in (whole, head + cell + b"\t".join(fields[:10]) + b"\t"):
        with pytest.raises(DataError, match=r"a cell of \[Unit1_Block1\] is 'Cell1=1"):
            reads(short)
    last = head[: head.rindex(b"\tINDEX")] + b"\r\n" + cell + b"\t".join(fields[:11])
    assert reads(last).names == ["a_at"]


SET = [(1, 2, "A", "T", 0), (1, 3, "T", "T", 0)]


@pytest.mark.parametrize(
    ("probe_sets", "says"),
    [
        ({"a_at": [(18, 0, "A", "T", 0)]}, "has a cell at x = 18, y = 0, outside 12 x 18 cells"),
        ({"a_at": [*SET, (2, 2, "A", "T", 0)]}, "atom 0 of probe set 'a_at' has two perfect"),
        ({"a_at": [*SET, (2, 2, "A", "A", 0)]}, "atom 0 of probe set 'a_at' has two mismatches"),
        ({"a_at": SET[1:]}, "has no expression probe sets with perfect matches"),
        ({}, "has no expression probe sets with perfect matches; 1 unit of other kinds"),
    ],
)
def test_what_contradicts_itself_is_refused(write, reads, probe_sets, says):
    with pytest.raises(DataError, match=says):
        reads(write(SHAPE, probe_sets, {} if probe_sets else {"SNP_1": SET}))


def test_two_probe_sets_of_one_name_are_refused(write, reads):
    parts = write(SHAPE, {"a_at": SET, "b_at": [(5, 5, "A", "T", 0)]})
    data = b"".join(parts.values()).replace(b"b_at", b"a_at")
    with pytest.raises(DataError, match="has two probe sets of the name 'a_at'"):
        reads(data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\x3b\x01" + bytes(40), r"is no CDF in text or binary"),
        (b"[CDF]\nVersion=XY\n[Chip]\n", "text of version 'XY'"),
        (b"[CDF]\nVersion=GC3.0\n[Chip]\nRows=2\n", "Cols of the end is missing"),
        (struct.pack("<2i", 67, 2) + bytes(40), "binary CDF of version 2"),
    ],
)
def test_what_is_no_cdf_is_refused(reads, data, says):
    with pytest.raises(DataError, match=says):
        reads(data)


def test_a_text_with_fewer_or_more_cells_than_it_says_is_refused(reads):
    data = b"".join(cdf_text(SHAPE, {"a_at": SET}).values())
    for number, says in ((b"3", "1 cell of .* missing"), (b"1", "more cells than it says")):
        with pytest.raises(DataError, match=says):
            reads(data.replace(b"NumCells=2\r\nStart", b"NumCells=" + number + b"\r\nStart"))


@pytest.mark.parametrize("said", [-1, 1 << 20, (1 << 31) - 1])
@pytest.mark.parametrize("at", [12, 16, 20])
def test_wrong_counts_take_no_memory(reads, said, at):
    parts = cdf_binary(SHAPE, {"a_at": SET})
    parts["start"] = parts["start"][:at] + struct.pack("<i", said) + parts["start"][at + 4 :]
    tracemalloc.start()
    with pytest.raises(DataError, match="damaged"):
        reads(parts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 21


def test_units_that_claim_the_same_bytes_take_no_memory(reads):
    many = {f"{k}_at": [(k % 18, k // 18, "A", "T", 0)] for k in range(200)}
    big = [(k % 18, k // 18, "A", "T", k) for k in range(200)]
    parts = cdf_binary(SHAPE, {**many, "big_at": big})
    starts = np.frombuffer(parts["starts"], "<i4").copy()
    starts[1:] = starts[-1]
    parts["starts"] = starts.tobytes()
    with pytest.raises(DataError, match="more cells than it can hold"):
        reads(parts)
