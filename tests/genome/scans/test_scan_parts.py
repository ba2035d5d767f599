"""Scans in parts are those of one run, and what is missing or of another scan is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tamis._core.errors import PlanError, StoreError
from tamis._core.parts import Part, shares_of_equal_cost
from tamis.genome import open_genotypes, simulate_cohort
from tamis.genome.scans import prepared
from tamis.genome.scans.mixed import PreparedMixed
from tamis.genome.scans.pairs import PreparedPairs
from tamis.genome.scans.prepared import compute_part, join_parts, scan_record
from tamis.genome.scans.scan import PreparedMTD


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scans")
    simulate_cohort(
        folder / "made", [40, 20], [20, 40], 2000, frequencies=(0.2, 0.5), missing=0.02, seed=3
    )
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """All files but journals, which have times."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "journal.jsonl"
    }


GIVEN = {
    PreparedMTD: {"folds": None, "strata": None, "multiclass": "max", "permutations": 19},
    PreparedPairs: {"by": "interaction", "keep": 20, "permutations": 19, "most": 10**9},
    PreparedMixed: {"covariates": None, "scanned": None, "frequency": 0.01, "draws": 0},
}


def made(kind, folder, genotypes=None, y=None, **given):
    if genotypes is None:
        genotypes = open_genotypes(folder / "made")
        if kind is PreparedPairs:
            genotypes = genotypes.subset(chromosome=2)
        elif kind is PreparedMTD:
            genotypes = genotypes.subset(variants=np.arange(60))
    every = {**GIVEN[kind], "seed": 0, "n_jobs": 1, "quiet": True, "samples": None, **given}
    return kind.of(genotypes, y, **every)


def same(one, two):
    for name, value in vars(one).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(two, name))


KINDS = [PreparedMTD, PreparedPairs, PreparedMixed]


def compute(scan, folder, part, options=None):
    return compute_part(scan, scan_record(scan, options or {}), folder, Part.of(part))


def join(scan, paths, out="out", options=None):
    return join_parts(scan, scan_record(scan, options or {}), paths, out)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupted_part_keeps_what_it_has(around, tmp_path, kind, monkeypatch):
    scan, n = made(kind, around), 0
    place = prepared._content_of

    def stopped(*given):
        nonlocal n
        n += 1
        if n in (2, 5):
            raise KeyboardInterrupt
        return place(*given)

    monkeypatch.setattr(prepared, "_content_of", stopped)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            compute(scan, tmp_path / "1", "1/2")
    with pytest.raises(StoreError, match=r"part 1/2 lacks \d+ of \d+, part 2/2 is not among"):
        join(scan, [tmp_path / "1"])
    found = compute(scan, tmp_path / "1", "1/2")
    assert n == found.units + 2  # nothing twice
    compute(scan, tmp_path / "2", "2/2")
    same(join(scan, [tmp_path]), scan.run())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("threads", [1, 3])
def test_parts_do_not_depend_on_threads_nor_on_one_another(around, tmp_path, kind, threads):
    scan = made(kind, around, n_jobs=threads)
    whole = made(kind, around)
    compute(whole, tmp_path / "all", "1/1")
    compute(scan, tmp_path / "some", "2/5")
    every = content(tmp_path / "all" / "units")
    some = content(tmp_path / "some" / "units")
    assert some
    assert some == {name: every[name] for name in some}
    same(join(scan, [tmp_path / "some", tmp_path / "all"]), whole.run())


@pytest.mark.parametrize("kind", [PreparedMTD, PreparedPairs])
@pytest.mark.parametrize("count", [2, 3, 10])
def test_parts_cost_the_same(around, kind, count):
    costs = made(kind, around).costs()
    shares = shares_of_equal_cost(costs, count)
    assert sorted(k for own in shares for k in own) == list(range(len(costs)))
    load = np.array([sum(costs[k] for k in own) for own in shares])
    assert load.max() <= 1.2 * load.mean()


def test_chromosomes_cost_what_is_tested_on_them(around):
    scan = made(PreparedMixed, around, draws=19, scanned=np.arange(1500))
    costs, units = scan.costs(), scan.units()
    tested = [int((scan.reasons[unit] == 0).sum()) for unit in units]
    assert tested[0] == 0
    assert min(tested[1:]) > 0
    assert costs[0] == 120
    assert costs[1:] == pytest.approx([120 + 2.5 * 19 + 0.5 * 139 / 120 * m for m in tested[1:]])
    shares = shares_of_equal_cost(costs, 4)
    load = np.array([sum(costs[k] for k in own) for own in shares])
    assert load.max() <= 1.2 * load.mean()


def test_gaps_are_named(around, tmp_path):
    scan = made(PreparedMTD, around)
    for k in (1, 4):
        compute(scan, tmp_path / str(k), f"{k}/4")
    with pytest.raises(StoreError, match=r"30 variant blocks of 60 missing \(parts 2/4, 3/4 "):
        join(scan, [tmp_path])
    compute(scan, tmp_path / "other", "1/3")
    with pytest.raises(StoreError, match="the folders hold parts 1/4, 1/3"):
        join(scan, [tmp_path / "1", tmp_path / "other"])
    assert not Path("out").exists()


def test_a_damaged_file_is_named_and_computed_anew(around, tmp_path):
    scan = made(PreparedMTD, around)
    compute(scan, tmp_path / "1", "1/1")
    path = tmp_path / "1" / "units" / "000007.npz"
    before = path.read_bytes()
    for wrong in (before[:-1], before[:90] + b"x" + before[91:], b"", before + b"\n"):
        path.write_bytes(wrong)
        with pytest.raises(StoreError, match=r"1/1 lacks 1 of 60, .*000007.npz' is damaged\)"):
            join(scan, [tmp_path])
        compute(scan, tmp_path / "1", "1/1")
        assert path.read_bytes() == before
    other = tmp_path / "1" / "units" / "000008.npz"
    path.write_bytes(other.read_bytes())  # intact, and of another place
    with pytest.raises(StoreError, match=r"000007\.npz' is damaged"):
        join(scan, [tmp_path])


def test_overlapping_parts_that_differ_are_refused(around, tmp_path):
    scan = made(PreparedMTD, around)
    for name in "ab":
        compute(scan, tmp_path / name, "1/1")
    join(scan, [tmp_path])
    record = scan_record(scan, {})
    _, place = prepared._division(scan, record).units[3].files[0]
    path = tmp_path / "b" / "units" / "000003.npz"
    arrays = dict(prepared._arrays_of(path.read_bytes()))
    arrays["scores"] = arrays["scores"] + 1e-16
    path.write_bytes(prepared._content_of(arrays, place))
    with pytest.raises(StoreError, match="differs from the same variant block of another part"):
        join(scan, [tmp_path])


def test_parts_of_another_scan_are_refused(around, tmp_path):
    scan = made(PreparedMTD, around)
    genotypes = scan.genotypes
    compute(scan, tmp_path / "1", "1/1", {"seed": 1})
    with pytest.raises(StoreError, match=r"the options differ .* \(in: seed\).*parts of one scan"):
        join(scan, [tmp_path], options={"seed": 2})
    others = [genotypes.subset(samples=np.arange(100)), genotypes.subset(variants=np.arange(30))]
    for other in [made(PreparedMTD, around, one) for one in others]:
        with pytest.raises(StoreError, match="the data differ"):
            join(other, [tmp_path], options={"seed": 1})
        with pytest.raises(StoreError, match="the data differ"):
            compute(other, tmp_path / "1", "1/1", {"seed": 1})
    labels = np.array(["a", "b"])[np.arange(120) % 2]
    with pytest.raises(StoreError, match="the data differ"):
        join(made(PreparedMTD, around, genotypes, labels), [tmp_path], options={"seed": 1})
    record = json.loads((tmp_path / "1" / "scan.json").read_text())
    record["versions"]["numpy"] = "0.1"
    (tmp_path / "1" / "scan.json").write_text(json.dumps(record))
    with pytest.raises(StoreError, match="another version of numpy"):
        join(scan, [tmp_path], options={"seed": 1})


def test_folders_keep_to_their_part(around, tmp_path):
    scan = made(PreparedMTD, around)
    compute(scan, tmp_path / "1", "1/3")
    with pytest.raises(StoreError, match="holds part 1/3, not 2/3"):
        compute(scan, tmp_path / "1", "2/3")
    with pytest.raises(StoreError, match="is one of the parts"):
        join(scan, [tmp_path / "1"], tmp_path / "1")
    with pytest.raises(StoreError, match="holds no part of a scan"):
        join(scan, [tmp_path / "1" / "units"])
    (tmp_path / "1" / "scan.json").unlink()
    with pytest.raises(StoreError, match="holds no part of a scan"):
        join(scan, [tmp_path / "1"])


def test_what_cannot_be_parted_so_often_is_refused(around, tmp_path):
    scan = made(PreparedMixed, around, scanned=np.arange(5))
    with pytest.raises(PlanError, match=r"has 2 null models.*K/N with N up to 2$") as raised:
        compute(scan, tmp_path / "1", "1/3")
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "1").exists()


def test_a_forged_part_is_refused_in_one_line(around, tmp_path):
    scan = made(PreparedMTD, around)
    compute(scan, tmp_path / "1", "1/1")
    _, place = prepared._division(scan, scan_record(scan, {})).units[3].files[0]
    path = tmp_path / "1" / "units" / "000003.npz"
    for arrays in ({}, {"counts": np.zeros(3), "scores": np.zeros((1, 9))}):
        path.write_bytes(prepared._content_of(arrays, place))
        with pytest.raises(StoreError, match="do not fit together") as raised:
            join(scan, [tmp_path])
        assert "\n" not in str(raised.value)
