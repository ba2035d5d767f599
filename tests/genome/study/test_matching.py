"""Variants of a model among the lines of other files: against a plain search, and case by case."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bed_files import ONE, codes_of, write_cohort
from common.examples import settings
from tamis._core.column_ids import ColumnIds
from tamis._core.errors import DataError, ModelError
from tamis.genome import Genotypes, GenotypeTable, open_genotypes
from tamis.genome.readers.variant_lines import Wanted
from tamis.genome.readers.variants import plain_chromosome
from tamis.genome.study.matched import Matched
from tamis.genome.study.matching import match_variants
from tamis.genome.study.strands import MIN_WITNESSES, Frequencies

UNKNOWN = ("0", ".")
ACROSS = str.maketrans("ACGT", "TGCA")


def opened(folder, lines, codes=None):
    """A .bed whose .bim has these lines: name, chromosome, position, alleles."""
    codes = np.full((len(lines), 3), ONE) if codes is None else codes
    path = write_cohort(Path(folder) / "new", codes)
    text = "".join(f"{c}\t{name}\t0\t{at}\t{a}\t{b}\n" for name, c, at, a, b in lines)
    Path(f"{path}.bim").write_text(text)
    return open_genotypes(path)


def wanted(variants, frequency=0.3, calls=1000.0):
    names, chromosomes, positions, ones, others = (
        tuple(column) for column in zip(*variants, strict=True)
    )
    k = len(names)
    f = np.broadcast_to(np.asarray(frequency), k)
    return Wanted.of(
        names,
        ColumnIds(
            "variants",
            {"chromosome": chromosomes, "allele1": ones, "allele2": others},
            {
                "position": np.array(positions, float),
                "calls": np.full(k, calls),
                "copies": 2 * calls * f,
            },
        ),
    )


def found(tmp_path, variants, lines, codes=None, **known):
    return match_variants(wanted(variants, **known), opened(tmp_path, lines, codes))


def plain_order(ours, theirs):
    """1 in the same order, 2 in the other, 0 not the same alleles."""
    if any(a == b and a not in UNKNOWN for a, b in (ours, theirs)):
        return 0
    for order, (c, d) in ((1, theirs), (2, theirs[::-1])):
        pairs = list(zip(ours, (c, d), strict=True))
        may = all(x == y or x in UNKNOWN or y in UNKNOWN for x, y in pairs)
        if may and any(x == y and x not in UNKNOWN for x, y in pairs):
            return order
    return 0


def plain_fit(ours, theirs):
    """How letters fit as written, and those of the other strand."""
    across = [a.translate(ACROSS) for a in theirs if a in (*"ACGT", *UNKNOWN)]
    return plain_order(ours, theirs), plain_order(ours, across) if len(across) == 2 else 0


def plain_pick(name, ours, lines, places):
    """Of the lines at some places the one that fits: (place, fit), None, or several."""
    kinds = {}
    for j in places:
        fit, theirs = plain_fit(ours, lines[j][3:]), lines[j][3:]
        silent = all(a in UNKNOWN for a in theirs)
        kind = 0 if fit[0] else 1 if fit[1] else 2 if silent else 3
        kinds.setdefault((kind, lines[j][0] != name), []).append((j, fit))
    best = min(kinds, default=(3, True))
    if best[0] == 3:
        return None
    return kinds[best][0] if len(kinds[best]) == 1 else "several"


def plain_match(variants, lines):
    """(line, turned, other strand) of each, or None where something is not certain; with three
    samples frequencies tell nothing."""
    places, names = [], []
    for name, chromosome, position, *ours in variants:
        here = [
            j
            for j, (_, c, at, *_) in enumerate(lines)
            if plain_chromosome(c) == plain_chromosome(chromosome)
            and at == position > 0
            and chromosome != "0"
        ]
        named = [j for j, line in enumerate(lines) if line[0] == name]
        places.append(plain_pick(name, ours, lines, here))
        pick = plain_pick(name, ours, lines, named)
        first = pick[0] if isinstance(pick, tuple) else min(named, default=None)
        known = pick is not None and position > 0 and lines[first][2] > 0
        names.append((pick, known and first not in here))
    moved = sum(away for _, away in names)
    stayed = sum(p is not None and not away for p, (_, away) in zip(places, names, strict=True))
    if moved > stayed:
        picks = [pick for pick, _ in names]
    else:
        both = zip(places, names, strict=True)
        picks = ["several" if p and away else p or pick for p, (pick, away) in both]
    if None in picks or "several" in picks:
        return None
    letters = [
        all(a in "ACGT" for a in (*v[3:], *lines[j][3:]))
        for v, (j, _) in zip(variants, picks, strict=True)
    ]
    across = any(whole and not f and g for whole, (_, (f, g)) in zip(letters, picks, strict=True))
    result = []
    for whole, (j, (here, there)) in zip(letters, picks, strict=True):
        if not here and there and not whole and not across:
            return None
        if here and there and across:
            return None
        moved = bool(there and not here)
        result.append((j, (there if moved else here) == 2, moved))
    return result


names = st.sampled_from(["a", "b", "c"])
chromosomes = st.sampled_from(["1", "chr1", "X", "23", "0"])
alleles = st.sampled_from(["A", "C", "G", "T", "A", "C", "G", "T", "AT", "0"])
variant = st.tuples(names, chromosomes, st.integers(0, 2), alleles, alleles)
lines_of = st.tuples(
    st.sampled_from(["a", "b", "."]), chromosomes, st.integers(-1, 2), alleles, alleles
)


def reworded(line, how):
    """A line of a file for a variant: as it is, turned, across, or with an allele unknown."""
    name, chromosome, position, one, other = line
    if how & 1:
        one, other = other, one
    if how & 2 and len(one + other) == 2:
        one, other = one.translate(ACROSS), other.translate(ACROSS)
    return (name if how & 4 else ".", chromosome, position, one, other if how != 7 else "0")


@given(st.lists(variant, min_size=1, max_size=3, unique_by=lambda v: v[0]), st.data())
@settings(max_examples=120, deadline=None)
def test_it_is_a_plain_search(variants, data):
    hows = data.draw(st.lists(st.integers(0, 7), min_size=len(variants), max_size=len(variants)))
    lines = [reworded(v, how) for v, how in zip(variants, hows, strict=True)]
    lines += data.draw(st.lists(lines_of, max_size=2))
    expected = plain_match(variants, lines)
    with TemporaryDirectory() as folder:
        genotypes = opened(folder, lines)
        if expected is None:
            with pytest.raises(DataError, match="of the model: ") as error:
                match_variants(wanted(variants), genotypes)
            assert "\n" not in str(error.value)
            return
        result = match_variants(wanted(variants), genotypes)
    told = zip(
        result.lines.tolist(), result.turned.tolist(), result.other_strand.tolist(), strict=True
    )
    assert list(told) == expected


ONE_VARIANT = [("rs1", "1", 5, "A", "G")]


@pytest.mark.parametrize(
    ("line", "turned", "other", "by_name"),
    [
        (("x", "chr1", 5, "a", "g"), False, False, False),
        (("x", "1", 5, "G", "A"), True, False, False),
        (("x", "1", 5, "T", "C"), False, True, False),
        (("x", "1", 5, "C", "T"), True, True, False),
        (("rs1", "1", 77, "G", "A"), True, False, True),
        (("rs1", "0", 0, "A", "G"), False, False, True),
        (("x", "1", 5, "0", "A"), True, False, False),
        (("x", "1", 5, "0", "G"), False, False, False),
        (("x", "1", 5, ".", "G"), False, False, False),
    ],
)
def test_alleles_and_places(tmp_path, line, turned, other, by_name):
    result = found(tmp_path, ONE_VARIANT, [("y", "1", 6, "A", "G"), line])
    assert result.lines.tolist() == [1]
    assert (result.turned[0], result.other_strand[0]) == (turned, other)
    assert result.by_name[0] == by_name
    assert ("by name" in result.summary()) == by_name


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([("x", "2", 5, "A", "G")], "lacks 1, .*rs1 .A/G."),
        ([("rs1", "1", 5, "A", "C")], "alleles are others: .*the first is A/C"),
        ([("x", "1", 5, "0", "T")], "alleles are others"),
        ([("x", "1", 5, "AT", "A")], "alleles are others"),
        ([("x", "1", 5, "A", "A")], "alleles are others"),
        ([("x", "1", 5, "1", "2")], "alleles are others"),
        ([("x", "1", 5, "A", "G"), ("y", "1", 5, "G", "A")], "several lines fit"),
        ([("rs1", "1", 9, "A", "G"), ("rs1", "2", 5, "G", "A")], "several lines fit"),
    ],
)
def test_what_is_not_certain_is_refused(tmp_path, lines, says):
    with pytest.raises(DataError, match=says):
        found(tmp_path, ONE_VARIANT, lines)


def test_of_several_lines_at_its_place_its_name_or_its_own_letters_win(tmp_path):
    lines = [("x", "1", 5, "A", "G"), ("rs1", "1", 5, "G", "A"), ("y", "1", 5, "T", "C")]
    assert found(tmp_path, ONE_VARIANT, lines).lines.tolist() == [1]
    assert found(tmp_path, ONE_VARIANT, lines[2:] + lines[:1]).lines.tolist() == [1]


def test_where_place_and_name_say_two_things_the_files_as_a_whole_decide(tmp_path):
    """By chance another variant is at the place that one had in another genome build."""
    variants = [(f"rs{j}", "1", 10 * j + 10, "A", "G") for j in range(5)]
    moved = [(name, c, at + 3, a, b) for name, c, at, a, b in variants]
    chance = ("other", "1", 30, "G", "A")
    result = found(tmp_path, variants, [chance, *moved])
    assert result.lines.tolist() == [1, 2, 3, 4, 5]
    assert result.by_name.all()
    with pytest.raises(DataError, match="of 1 several lines fit: 'rs2"):
        found(tmp_path, variants, [chance, *variants[:2], moved[2], *variants[3:]])


def test_longer_alleles_are_of_no_strand(tmp_path):
    deletion = [("d", "1", 5, "A", "AT")]
    assert found(tmp_path, deletion, [("x", "1", 5, "AT", "A")]).turned.tolist() == [True]
    with pytest.raises(DataError, match="alleles are others"):
        found(tmp_path, deletion, [("x", "1", 5, "T", "TA")])


def test_all_that_is_wrong_is_told_at_once_and_not_at_length(tmp_path):
    variants = [(f"rs{j}", "1", j + 1, "A", "G") for j in range(40)]
    lines = [(f"rs{j}", "1", j + 1, "A", "C") for j in range(20)]
    with pytest.raises(DataError, match=r"it lacks 20, .* of 20 its alleles are others") as error:
        found(tmp_path, variants, lines)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


def twins_and(others, k=1):
    """A/T variants, and lines of those and others, some on the other strand."""
    variants = [(f"t{j}", "1", 900 + j, "A", "T") for j in range(k)]
    variants += [(f"o{j}", "2", j + 1, "A", "C") for j in range(len(others))]
    lines = [*variants[:k]]
    lines += [("o", "2", j + 1, "TA"[s], "GC"[s]) for j, s in enumerate(others)]
    return variants, lines


def drawn(lines, frequency, n=400, seed=0):
    rng = np.random.default_rng(seed)
    return codes_of(rng.binomial(2, frequency, (len(lines), n)))


def test_letters_that_are_the_same_on_both_strands_are_as_written_in_a_file_without_others(
    tmp_path,
):
    variants, lines = twins_and([1] * MIN_WITNESSES)
    result = found(tmp_path, variants, lines, drawn(lines, 0.9), frequency=0.1)
    assert not result.other_strand.any()
    assert result.unsure == result.by_frequency == 0


@pytest.mark.parametrize("n_others", [0, 3])
def test_with_few_others_they_are_as_written_and_told_unless_frequencies_speak_against(
    tmp_path, n_others
):
    variants, lines = twins_and([1] * n_others)
    for frequency in (0.1, 0.45):
        result = found(tmp_path, variants, lines, drawn(lines, frequency), frequency=0.1)
        assert not result.other_strand.any()
        assert "taken as written, though few others" in result.summary()
    with pytest.raises(DataError, match="strand is not certain, for allele frequencies"):
        found(tmp_path, variants, lines, drawn(lines, 0.9), frequency=0.1)


def test_beside_others_on_the_other_strand_frequencies_decide_or_they_are_refused(tmp_path):
    variants, lines = twins_and([1] * 30 + [0])

    def match(there, here=0.1, n=400):
        new = drawn(lines, np.array([[there]] + [[0.1]] * 31), n)
        return found(tmp_path, variants, lines, new, frequency=np.array([here] + [0.1] * 31))

    same = match(0.15)
    assert not same.other_strand[0]
    assert same.other_strand.sum() == same.by_frequency == 1
    turned = match(0.85)
    assert turned.other_strand[0]
    assert turned.turned[0]  # A/T across is T/A, of which A is the second
    for here, there in ((0.1, 0.45), (0.45, 0.1), (0.45, 0.45)):
        with pytest.raises(DataError, match="1 of 31 others are on the other one: 't0"):
            match(there, here)
    with pytest.raises(DataError, match="strand is not certain"):  # nobody's frequency
        match(0.1, n=3)


def test_a_lone_known_letter_is_on_the_other_strand_only_if_others_are(tmp_path):
    variants, lines = twins_and([0], k=0)
    variants.append(("m", "3", 3, "A", "G"))
    lone = ("m", "3", 3, "0", "T")
    assert found(tmp_path, variants, [*lines, lone]).other_strand.tolist() == [True, True]
    variants, lines = twins_and([1], k=0)
    variants.append(("m", "3", 3, "A", "G"))
    with pytest.raises(DataError, match="alleles are others: 'm"):
        found(tmp_path, variants, [*lines, lone])


def test_of_few_others_or_of_another_population_frequencies_do_not_tell(tmp_path):
    variants, lines = twins_and([1] * (MIN_WITNESSES - 2) + [0])
    with pytest.raises(DataError, match="1 of 19 others are on the other one: 't0"):
        found(tmp_path, variants, lines, drawn(lines, 0.1), frequency=0.1)
    variants, lines = twins_and([1] * 30 + [0])
    frequencies = np.array([[0.1], *[[0.1], [0.5]] * 15, [0.1]])
    with pytest.raises(DataError, match="1 of 31 others are on the other one: 't0"):
        found(tmp_path, variants, lines, drawn(lines, frequencies), frequency=0.1)


def drifted(rng, k, spread, sizes=(1000, 100)):
    """Two cohorts of populations that drifted apart (Balding and Nichols), on one strand."""
    ancestral, scale = rng.uniform(0.02, 0.98, k), (1 - spread) / spread
    found = []
    for n in sizes:
        own = rng.beta(ancestral * scale, (1 - ancestral) * scale)
        found += [rng.binomial(2 * n, own), np.full(k, n)]
    return Frequencies(*found)


def test_frequencies_rarely_mislead():
    """Within a continent never, between continents seldom, for cohorts then differ in others."""
    rng = np.random.default_rng(0)
    for spread, most in ((0.01, 0), (0.05, 5e-4), (0.12, 5e-4)):
        told = drifted(rng, 300_000, spread).sides()
        assert (told != 0).mean() > 0.3
        trusted = [drifted(rng, MIN_WITNESSES, spread).one_population() for _ in range(2000)]
        misled = (told < 0).sum() / (told != 0).sum()
        assert misled * np.mean(trusted) <= most
        if spread == 0.01:
            assert np.mean(trusted) > 0.9


def test_differentiation_is_that_of_the_populations():
    rng = np.random.default_rng(1)
    for spread in (0.01, 0.1):
        found = drifted(rng, 50_000, spread, (60, 30)).differentiation()
        assert found == pytest.approx(spread, rel=0.05)
    nobody = Frequencies(np.zeros(3), np.zeros(3), np.ones(3), np.ones(3))
    assert nobody.differentiation() == 0
    assert not nobody.sides().any()


def test_calls_are_turned_or_taken_away_bit_by_bit(tmp_path):
    variants = [("a", "1", 1, "A", "G"), ("b", "1", 2, "A", "G"), ("c", "1", 3, "A", "G")]
    lines = [("c", "1", 3, "0", "0"), ("b", "1", 2, "G", "A"), ("a", "1", 1, "A", "G")]
    rng = np.random.default_rng(1)
    codes = codes_of(rng.integers(0, 3, (3, 7)), missing=0.2)
    genotypes, asked = opened(tmp_path, lines, codes), wanted(variants)
    source = Matched(genotypes, asked, match_variants(asked, genotypes))
    own = genotypes.calls()
    calls = Genotypes((source,)).calls()
    np.testing.assert_array_equal(calls[:, 0], own[:, 2])
    np.testing.assert_array_equal(calls[:, 1], np.where(own[:, 1] < 0, -1, 2 - own[:, 1]))
    assert (calls[:, 2] == -1).all()
    assert (source.packed(0, 3)[:, -1] >> 6 == 0).all()  # nothing behind the last sample


@pytest.mark.parametrize(
    "column_ids",
    [
        None,
        ColumnIds("genes", {}, {}),
        ColumnIds("variants", {"chromosome": ("1",), "allele1": ("A",)}, {"position": np.ones(1)}),
    ],
)
def test_a_model_that_knows_no_variants_says_so(column_ids):
    with pytest.raises(ModelError) as error:
        Wanted.of(("rs1",), column_ids)
    assert "\n" not in str(error.value)


def test_real_cohorts_of_two_chips_two_builds_and_two_strands(shared_data):
    """HapMap's Europeans and the Human Liver Cohort: frequencies agree once alleles do."""
    folder = shared_data / "genotypes"
    hapmap, liver = (open_genotypes(folder / name) for name in ("hapmap3_957", "hlc_427"))
    labels = (folder / "hapmap3_957.labels.tsv").read_text().split("\n")[1:-1]
    europe = [line.endswith(("CEU", "TSI")) for line in labels]
    hapmap = hapmap.subset(samples=np.array(europe))
    names, both = hapmap.variants.id.to_pylist(), set(liver.variants.id.to_pylist())
    shared = np.array([j for j, name in enumerate(names) if name in both])
    asked = Wanted.of([names[j] for j in shared], GenotypeTable(hapmap).column_ids(shared))
    with pytest.raises(DataError, match="of 86 the strand is not certain, for 106 of 556 others"):
        match_variants(asked, liver)
    twins = [
        {*pair} in ({*"AT"}, {*"CG"}) for pair in zip(asked.allele1, asked.allele2, strict=True)
    ]
    shared = shared[~np.array(twins)]
    asked = Wanted.of([names[j] for j in shared], GenotypeTable(hapmap).column_ids(shared))
    result = match_variants(asked, liver)
    assert result.by_name.all()
    assert result.other_strand.sum() == 106
    matched = GenotypeTable(Genotypes((Matched(liver, asked, result),)))
    calls, copies = matched.calls_and_copies()
    here, there = asked.copies / (2 * asked.calls), copies / (2 * calls)
    assert np.abs(here - there).max() < 0.15
