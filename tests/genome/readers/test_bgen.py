"""BGEN against the `bgen` package, plink2 and rules written out slowly; damaged files."""

from __future__ import annotations

import os
import pickle
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError
from tamis.genome import open_genotypes
from tamis.genome.readers.bgen import Bgen
from tamis.kernels.genotypes.bgen_calls import limits_of
from tamis.kernels.genotypes.words import unpack_calls

bgen = pytest.importorskip("bgen", reason="the package bgen writes what is read here")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAN = float("nan")


def write(path, made, samples=None, compression="zlib", chromosomes=("chrX", "22")):
    """A BGEN of variants given as (alleles, probabilities, ploidy, phased, bits)."""
    n = len(made[0][1])
    names = {} if samples is None else {"samples": samples}
    with bgen.BgenWriter(str(path), n, compression=compression, layout=2, **names) as out:
        for k, (alleles, genotypes, ploidy, phased, bits) in enumerate(made):
            out.add_variant(
                f"v{k}",
                f"rs{k}",
                chromosomes[k % 2],
                10 * k + 1,
                alleles,
                np.array(genotypes, dtype=np.float64),
                ploidy=ploidy,
                phased=phased,
                bit_depth=bits,
            )
    return Path(path)


def simple(n=5, p=4, bits=8, seed=0):
    made = np.random.default_rng(seed).dirichlet([0.3] * 3, size=(p, n))
    return [(["A", "C"], each, 2, False, bits) for each in made]


def slow_weights(variant, i, bits):
    """Whole-number weights of two copies of the second allele, one, none, and their sum."""
    given = variant.probabilities[i]
    ploidy, most = int(variant.ploidy[i]), 2**bits - 1
    if ploidy not in (1, 2) or np.isnan(given[0]):
        return None
    whole = [round(float(v) * most) for v in given if not np.isnan(v)]
    if ploidy == 1:
        return whole[1], 0, whole[0], most
    if variant.is_phased:
        a, b = whole[0], whole[2]
        return (most - a) * (most - b), a * (most - b) + b * (most - a), a * b, most**2
    return most - whole[0] - whole[1], whole[1], whole[0], most


def slow_code(weights, call):
    if weights is None:
        return 1
    *three, whole = weights
    best = max(three)
    if three.count(best) > 1 or (call is not None and best / whole < call):
        return 1
    return (0, 2, 3)[three.index(best)]


@st.composite
def tables(draw):
    n = draw(st.integers(1, 9))
    made = []
    for _ in range(draw(st.integers(1, 4))):
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        bits, phased = draw(st.sampled_from([1, 2, 3, 7, 8, 8, 9, 13, 16])), draw(st.booleans())
        ploidy = rng.choice(draw(st.sampled_from([[2], [1], [1, 2], [1, 2, 3]])), size=n)
        width = ploidy.max() * 2 if phased else ploidy.max() + 1
        each = np.full((n, width), NAN)
        for i, copies in enumerate(ploidy):
            if rng.random() < 0.2:
                continue
            if phased:
                each[i, : 2 * copies] = rng.dirichlet([0.4, 0.4], size=copies).ravel()
            else:
                each[i, : copies + 1] = rng.dirichlet([0.4] * (copies + 1))
        constant = len(set(ploidy.tolist())) == 1
        made.append(
            (
                ["A", "C"],
                each,
                int(ploidy[0]) if constant else ploidy.astype(np.uint8),
                phased,
                bits,
            )
        )
    return made, draw(st.sampled_from([None, "zlib", "zstd"]))


@pytest.mark.every
@pytest.mark.parametrize("bits", [1, 2, 7, 8, 9, 10, 16, 24])
@pytest.mark.parametrize("phased", [False, True])
def test_probabilities_of_so_many_bits(tmp_path, bits, phased):
    made = simple(7, 3, bits)
    if phased:
        rng = np.random.default_rng(1)
        made = [(["A", "C"], rng.dirichlet([0.4] * 2, (7, 2)).reshape(7, 4), 2, True, bits)] * 3
    path = write(tmp_path / "made.bgen", made)
    source = Bgen(path, 0.5)
    codes, shares = unpack_calls(source.packed(0, 3), 7), source.probabilities(0, 3)
    with bgen.BgenReader(str(path), delay_parsing=True) as reader:
        for j, variant in enumerate(reader):
            weights = [slow_weights(variant, i, bits) for i in range(7)]
            assert codes[j].tolist() == [slow_code(own, 0.5) for own in weights]
            expected = np.array([[v / own[3] for v in own[:3]] for own in weights])
            # the package's own are float32, which 24 bits do not come back from exactly
            assert shares[j] == pytest.approx(expected, rel=1e-6, abs=2.0**-22)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(), st.sampled_from([None, 0.0, 0.34, 0.5, 0.8, 0.9, 1.0]))
def test_calls_and_probabilities_are_those_of_the_package_and_the_rule(tmp_path, table, call):
    made, compression = table
    path = write(tmp_path / "made.bgen", made, compression=compression)
    source = Bgen(path, call)
    n = len(source.samples)
    codes = unpack_calls(source.packed(0, len(made)), n)
    found = source.probabilities(0, len(made))
    with bgen.BgenReader(str(path), delay_parsing=True) as reader:
        for j, variant in enumerate(reader):
            weights = [slow_weights(variant, i, made[j][4]) for i in range(n)]
            assert codes[j].tolist() == [slow_code(w, call) for w in weights]
            wanted = [[NAN] * 3 if w is None else [v / w[3] for v in w[:3]] for w in weights]
            np.testing.assert_allclose(found[j], wanted, rtol=1e-6)
    heads = source.variants()
    assert heads.id.to_pylist() == [f"rs{k}" for k in range(len(made))]
    assert heads.allele1.to_pylist() == ["C"] * len(made)
    assert heads.position.tolist() == [10 * k + 1 for k in range(len(made))]
    assert heads.on("X").tolist() == [k % 2 == 0 for k in range(len(made))]


@given(st.floats(0, 1), st.integers(1, 10))
def test_limits_are_the_least_that_reach_a_call(call, bits):
    for phased in (0, 1):
        whole = (2**bits - 1) ** (1 + phased)
        limit = int(limits_of(call)[phased, bits])
        assert limit / whole >= call
        assert limit == 0 or (limit - 1) / whole < call


def test_a_tie_is_no_call():
    assert limits_of(None).max() == 0
    assert slow_code((5, 5, 0, 10), None) == 1


@pytest.mark.parametrize("bits", [8, 16])
def test_ties_and_limits(tmp_path, bits):
    most = 2**bits - 1
    each = [[1 / 3] * 3, [127 / most, 127 / most, 1 - 254 / most], [0.4, 0.35, 0.25], [0, 0, 1]]
    source = Bgen(write(tmp_path / "t.bgen", [(["A", "C"], each, 2, False, bits)]), None)
    assert unpack_calls(source.packed(0, 1), 4)[0].tolist() == [1, 1 if bits == 8 else 0, 3, 0]
    strict = Bgen(source.path)
    assert unpack_calls(strict.packed(0, 1), 4)[0].tolist() == [1, 1 if bits == 8 else 0, 1, 0]


def test_more_alleles_have_no_calls_and_are_marked(tmp_path):
    six = np.random.default_rng(1).dirichlet([1] * 6, size=5)
    made = [*simple(), (["A", "C", "GT"], six, 2, False, 8), *simple(seed=2)]
    source = Bgen(write(tmp_path / "m.bgen", made))
    assert np.flatnonzero(source.variants().broken).tolist() == [4]
    assert (unpack_calls(source.packed(0, 9), 5)[4] == 1).all()
    assert np.isnan(source.probabilities(4, 5)).all()
    assert source.packed(4, 5).shape == (1, 2)
    assert np.array_equal(source.packed(3, 6), source.packed(0, 9)[3:6])


def test_calls_are_those_plink2_converts_to(tmp_path):
    plink = shutil.which("plink2")
    if plink is None:
        pytest.skip("needs plink2")
    rng = np.random.default_rng(3)
    made = []
    for k in range(40):
        ploidy = rng.integers(1, 3, size=11).astype(np.uint8) if k % 4 == 0 else 2
        phased = k % 3 == 0
        each = np.full((11, 4 if phased else 3), NAN)
        for i in range(11):
            copies = int(ploidy if k % 4 else ploidy[i])
            if rng.random() < 0.1:
                continue
            if phased:
                each[i, : 2 * copies] = np.eye(2)[rng.integers(0, 2, size=copies)].ravel()
            else:
                each[i, : copies + 1] = np.eye(copies + 1)[rng.integers(0, copies + 1)]
        made.append((["A", "C"], each, ploidy, phased, 8))
    path = write(tmp_path / "p.bgen", made, [f"s{k}" for k in range(11)], chromosomes=("22", "22"))
    subprocess.run(
        [plink, "--bgen", path, "ref-first", "--make-bed", "--out", tmp_path / "p"],
        check=True,
        capture_output=True,
    )
    ours, theirs = open_genotypes(path), open_genotypes(tmp_path / "p.bed")
    order = [theirs.variants.id.to_pylist().index(name) for name in ours.variants.id.to_pylist()]
    assert np.array_equal(ours.calls(), theirs.calls()[:, order])
    assert ours.variants.allele1.to_pylist() == theirs.variants.allele1.to_pylist()
    assert ours.samples.id.tolist() == theirs.samples.id.tolist()


def test_the_shared_cohort(shared_data):
    path = shared_data / "genotypes" / "geuvadis_chr22_373.bgen"
    genotypes = open_genotypes(path)
    assert genotypes.shape == (373, 30000)
    missing = unpack_calls(genotypes.sources[0].packed(0, 30000), 373) == 1
    assert missing.sum() == 602976  # 5.39 %
    assert (missing.mean(axis=1) >= 0.1).sum() == 4014
    assert open_genotypes(path, call=None).digest() != genotypes.digest()
    found = genotypes.sources[0].probabilities(29990, 30000)
    with bgen.BgenReader(str(path), delay_parsing=True) as reader:
        wanted = [reader[j].probabilities[:, ::-1] for j in range(29990, 30000)]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_names_of_samples(tmp_path):
    path = write(tmp_path / "n.bgen", simple())
    assert open_genotypes(path).samples.id.tolist() == ["1", "2", "3", "4", "5"]
    sheet = tmp_path / "n.sample"
    people = "".join(f"f{k} i{k} 0 {k % 3} {k % 2} 1.5\n" for k in range(5))
    sheet.write_text("ID_1 ID_2 missing sex case bmi\n0 0 0 D B C\n" + people)
    samples = open_genotypes(path).samples
    assert samples.family.tolist() == [f"f{k}" for k in range(5)]
    assert samples.sex.tolist() == [0, 1, 2, 0, 1]
    assert samples.phenotype.tolist() == ["1", "2", "1", "2", "1"]
    write(path, simple(), samples=list("abcde"))
    with pytest.raises(DataError, match="names other samples"):
        open_genotypes(path)
    sheet.unlink()
    assert open_genotypes(path).samples.id.tolist() == list("abcde")
    write(path, simple(), samples=list("abcda"))
    with pytest.raises(DataError, match="twice"):
        open_genotypes(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ID_1 ID_2 missing\n0 0 0\na a 0\n", "1 sample"),
        ("ID_1 ID_2 missing\n0 0 0\na a\n", "line 3: 2 fields"),
        ("a a 0\nb b 0\nc c 0\n", "types"),
        ("", "is no .sample"),
    ],
)
def test_a_sheet_that_does_not_fit(tmp_path, text, says):
    path = write(tmp_path / "n.bgen", simple())
    (tmp_path / "n.sample").write_text(text)
    with pytest.raises(DataError, match=says):
        Bgen(path)


@pytest.mark.parametrize("call", [1.1, -0.1, "0.9", True, float("nan")])
def test_a_call_is_a_probability(tmp_path, call):
    with pytest.raises(DataError, match="call = "):
        Bgen(write(tmp_path / "n.bgen", simple()), call)


def damaged(good, place, layout, value):
    return good[:place] + struct.pack(layout, value) + good[place + struct.calcsize(layout) :]


def test_wrong_lengths_say_so(tmp_path):
    path = write(tmp_path / "w.bgen", simple())
    good = path.read_bytes()
    source = Bgen(path)
    _, at, _, raw, _ = source._places[-1].tolist()
    cases = [
        (good[:-1], "cut short"),
        (good[:100], "cut short"),
        (good[:20], "is no BGEN"),
        (good + b"x", "1 byte follow"),
        (damaged(good, 8, "<I", 3), "follow the last"),
        (damaged(good, 8, "<I", 5), "cut short"),
        (damaged(good, 8, "<I", 2**32 - 1), "do not fit"),
        (damaged(good, 12, "<I", 2**32 - 1), "no cohort has over"),
        (damaged(good, 12, "<I", 1 << 24), "length"),
        (damaged(good, 12, "<I", 6), "not those of 6 samples"),
        (damaged(good, 12, "<I", 0), "0 samples"),
        (damaged(good, at - 8, "<I", 2**32 - 1), "beyond"),
        (damaged(good, at - 8, "<I", 3), "length"),
        (damaged(good, at - 4, "<I", 2**32 - 1), "length"),
        (damaged(good, at - 4, "<I", raw + 1), "genotypes of variant 4"),
        (damaged(good, at - 4, "<I", raw - 1), "genotypes of variant 4"),
        (damaged(good, at + 2, "<H", 0xFFFF), "genotypes of variant 4"),
        (damaged(good, 20, "<I", 1 << 2 | 1), "BGEN 1.1"),
        (damaged(good, 20, "<I", 2 << 2 | 3), "compression"),
        (damaged(good, 20, "<I", 2 << 2 | 1 | 1 << 31), "list of samples"),
        (damaged(good, 16, "<I", 7), "is no BGEN"),
        (damaged(good, 0, "<I", 2**32 - 1), "cut short"),
    ]
    for text, says in cases:
        path.write_bytes(text)
        with pytest.raises(DataError, match=says) as raised:
            Bgen(path).packed(0, 4)
        assert "\n" not in str(raised.value)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage_is_one_line_or_opens(tmp_path, data):
    compression = data.draw(st.sampled_from([None, "zlib", "zstd"]))
    kept = tmp_path / f"good_{compression}.bgen"
    if not kept.is_file():
        write(kept, simple(n=6, p=3), samples=list("abcdef"), compression=compression)
    text = bytearray(kept.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(-20, len(text)))
    text = text + bytes(-cut) if cut < 0 else text[: len(text) - cut * (cut % 3 == 0)]
    path = tmp_path / "fuzzed.bgen"
    path.write_bytes(bytes(text))
    said = ""
    try:
        genotypes = open_genotypes(path)
        genotypes.variants.frame()
        n, p = genotypes.shape
        assert genotypes.calls().shape == (n, p)
        assert genotypes.sources[0].probabilities(0, p).shape == (p, n, 3)
    except DataError as error:
        said = str(error)
    assert "\n" not in said


def test_pickled_and_read_again(tmp_path):
    source = Bgen(write(tmp_path / "k.bgen", simple()), 0.5)
    again = pickle.loads(pickle.dumps(source))
    assert np.array_equal(again.packed(0, 4), source.packed(0, 4))
    assert again.digest() == source.digest()


def test_shortened_while_it_is_read(tmp_path):
    genotypes = open_genotypes(write(tmp_path / "k.bgen", simple()))
    genotypes.calls()
    os.truncate(tmp_path / "k.bgen", 60)
    with pytest.raises(DataError, match="shortened while it was read"):
        genotypes.calls()
