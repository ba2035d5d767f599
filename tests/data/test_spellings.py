"""Spellings of one name in every role: refused, unified or allowed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from common.spelled import KINDS, NAMES
from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table
from tamis.data.spellings import alike_names, difference_text, joined_spellings, spelling_keys

ROLES = ("target", "group", "split", "batch")


def table(kind, role, n=24):
    """Samples in turn of two values of each role; of one role every third is spelled otherwise."""
    columns = {one: [NAMES[k // (1 + ROLES.index(one)) % 2] for k in range(n)] for one in ROLES}
    columns[role] = [KINDS[kind](v) if k % 3 == 2 else v for k, v in enumerate(columns[role])]
    rng = np.random.default_rng(0)
    return pd.DataFrame({**columns, "g": rng.normal(size=n), "h": rng.normal(size=n)})


@pytest.mark.every
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", KINDS)
def test_spellings_are_refused_unified_or_allowed(kind, role, tmp_path):
    frame = table(kind, role)
    frame.to_csv(tmp_path / "t.csv", index=False)
    roles = {one: one for one in ROLES}
    ways = [lambda **how: read_table(tmp_path / "t.csv", **roles, **how)]
    ways += [lambda **how: as_dataset(frame, **roles, **how)]
    for read in ways:
        with pytest.raises(DataError, match=rf"column '{role}' has spellings of one") as error:
            read()
        assert "so that 4 are read for 2" in str(error.value)
        assert error.value.remedy == {"unify": (role,)}
        found = read(**error.value.remedy)
        alike = [NAMES[k // (1 + ROLES.index(role)) % 2] for k in range(len(frame))]
        assert values_of(found, role) == alike
        assert any("spellings unified" in note for note in found.notes)
        assert len(set(values_of(read(allow=role), role))) == 4


def values_of(data, role):
    values = {"target": data.y, "group": data.groups, "split": data.split, "batch": data.batches}
    return values[role].tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_ids_of_a_sheet_are_joined_by_spelling_where_that_is_said(kind, tmp_path):
    ids = [f"mü {letter}-7" for letter in "abcdef"]
    pd.DataFrame({"id": ids, "g": range(6)}).to_csv(tmp_path / "t.csv", index=False)
    sheet = pd.DataFrame({"id": [*map(KINDS[kind], ids)], "class": list("xyxyxy")})
    sheet.iloc[::-1].to_csv(tmp_path / "s.csv", index=False)

    def read(**how):
        return read_table(tmp_path / "t.csv", samples=tmp_path / "s.csv", target="class", **how)

    with pytest.raises(DataError, match=r"join them by spelling with unify=\['id'\]") as error:
        read()
    data = read(**error.value.remedy)
    assert data.sample_names == tuple(ids)
    assert data.y.tolist() == list("xyxyxy")
    assert "sample sheet joined by its column 'id', 6 ids by spelling" in data.notes


def test_ids_that_two_rows_of_the_sheet_may_be_are_not_joined(tmp_path):
    (tmp_path / "t.csv").write_text("id,g\na1,1\nb1,2\n")
    (tmp_path / "s.csv").write_text("id,class\nA1,x\nA01,y\nB1,y\n")
    with pytest.raises(DataError, match="have no row in the sample sheet") as error:
        read_table(tmp_path / "t.csv", samples=tmp_path / "s.csv", target="class", unify="id")
    assert "by spelling" not in str(error.value)


def test_features_samples_and_levels_are_reported_in_a_line_and_stay():
    values = np.random.default_rng(0).normal(size=(12, 2))
    names = ["s1", "S1", *(f"s{k}" for k in range(2, 12))]
    frame = pd.DataFrame(values, names, ["miR-1", "mir-1"])
    frame = frame.assign(**{"class": list("xy") * 6, "sex": ["m", "f", "M", "f"] * 3})
    data = as_dataset(frame, "class")
    assert data.feature_names == ("miR-1", "mir-1", "sex")
    notes = "\n".join(data.notes)
    assert "2 features differ from another in spelling alone, such as 'miR-1' and 'mir-1'" in notes
    assert "2 samples differ from another in spelling alone, such as 's1' and 'S1'" in notes
    assert "column 'sex': 'M' and 'm' (capitals) are taken as different" in notes
    assert as_dataset(frame, "class", unify="sex").levels == {2: ("f", "m")}


@pytest.mark.parametrize(
    "names",
    [
        ("m/z 100.1", "m/z 100.10", "m/z 100.01"),
        ("HER2-", "HER2+", "HER2"),
        ("2024-01-12", "2024-11-2", "202411-2"),
        ("p10", "p1", "p100"),
        ("-1", "1", "+1"),
        ("I", "II", "III"),
        ("a", "ä", "à"),
        ("", "0", "00x"),
    ],
)
def test_names_that_mean_something_else_are_different(names):
    assert alike_names(names) == []


ASCII = "aAbB019 -_.,\t\n\x1c\0"
NAME = st.text(st.sampled_from(ASCII + "\u00a0\u2013\u00e4\u0308\u200b\uff11"), max_size=8)
NAMES_OF_ASCII = st.lists(st.text(st.sampled_from(ASCII), max_size=8), max_size=12)


@settings(max_examples=200)
@given(st.lists(NAME, max_size=12) | NAMES_OF_ASCII)
def test_keys_of_names_together_are_those_of_each_and_their_own(names):
    keys = spelling_keys(names)
    assert keys == [spelling_keys([name])[0] for name in names]
    assert spelling_keys(keys) == keys
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(spelling_keys([name])[0], []).append(name)
    assert alike_names(names) == [tuple(own) for own in groups.values() if len(own) > 1]


@given(st.lists(st.integers(1, 99), min_size=1, max_size=20, unique=True), st.randoms())
def test_a_join_by_spelling_is_one_to_one(numbers, random):
    ids = [f"P{k}" for k in numbers]
    names = [f"p-{k:03d}" for k in numbers]
    random.shuffle(names)
    place = joined_spellings(ids, [*names, "other"])
    assert [int(names[k][2:]) for k in place] == numbers
    assert joined_spellings([*ids, "Q1"], names) is None
    assert joined_spellings(ids, [*names, f"P{numbers[0]}"]) is None


def test_shared_sets_have_no_name_that_is_spelled_twice(shared_data):
    paths = sorted((shared_data / "expression").glob("*.parquet"))
    assert len(paths) > 40
    for path in paths:
        data = read_table(path, target="class")
        assert not [note for note in data.notes if "spelling" in note], path.name


@pytest.mark.every
@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("HER2-", "HER2\u2013", "dashes"),
        ("a-", "a\uff0d", "dashes"),
        ("pt07", "PT7", "capitals and zeros in front"),
        ("pt 7", "pt-7", "blanks or dashes"),
        ("p_1", "P-1", "capitals and blanks or dashes"),
        ("a\u00a0b", "a b", "blanks"),
        ("\u00e9", "e\u0301", "accents (one character or two)"),
        ("\ufb01n", "fin", "kinds of one character"),
        ("\u00b51", "\u03bc1", "kinds of one character"),
        ("\u2163", "iv", "kinds of one character and capitals"),
        ("Stra\u00dfe", "STRASSE", "capitals"),
        ("p1", "p\u00ad1", "characters that are not shown"),
    ],
)
def test_the_difference_is_named_by_what_it_takes_to_unite_the_two(one, other, kind):
    assert difference_text(one, other) == difference_text(other, one) == kind
