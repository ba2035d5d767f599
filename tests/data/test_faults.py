"""Faults of a table, collected; cells that are no numbers; names that stand twice."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.cells import CellRules
from tamis.data.faults import Fault, FaultList, Faults
from tamis.data.lines import is_western, text_encoding
from tamis.data.repeated_names import distinct_names


def test_faults_of_a_kind_are_one_and_the_commonest_comes_first():
    faults = FaultList()
    for name, count in (("a", 2), ("b", 3), ("c", 1)):
        with faults.collecting():
            raise Fault(f"column {name!r} is odd", count, {"drop": (name,)}, ("odd", name))
    with faults.collecting():
        raise Fault("no label", 4, {"drop_unlabelled": True})
    with pytest.raises(Faults) as error:
        faults.raise_any("t.csv")
    first, second = error.value.faults
    assert str(first) == "column 'a' is odd; so with 2 more columns: 'b', 'c'"
    assert (first.count, first.remedy) == (6, {"drop": ("a", "b", "c")})
    assert str(second) == "no label"
    assert error.value.lines[0] == "'t.csv' cannot be read yet, for 2 reasons:"


def test_one_fault_is_itself_and_none_is_nothing():
    FaultList().raise_any("t.csv")
    with pytest.raises(Fault, match=r"^no label$"):
        FaultList([Fault("no label")]).raise_any("t.csv")


def test_faults_go_through_other_processes():
    both = Faults("t.csv", [Fault("x", 3, {"drop": ("a",)}, ("k", "a")), Fault("y")])
    again = pickle.loads(pickle.dumps(both))
    assert str(again) == str(both)
    assert [f.remedy for f in again.faults] == [{"drop": ("a",)}, {}]
    assert again.faults[0].alike == ("k", "a")


def test_an_error_that_is_no_fault_ends_the_collection():
    with pytest.raises(DataError, match="at once"), FaultList().collecting():
        raise DataError("at once")


NUMBERS = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


@settings(max_examples=150, deadline=None)
@given(NUMBERS)
def test_numbers_are_read_as_they_were_written(x):
    german = f"{x:,.3f}".translate(str.maketrans(",.", ".,"))
    assert CellRules(decimal=",", thousands=".").read(german, "g") == x
    assert CellRules(thousands=",").read(f"{x:,.3f}", "g") == x
    assert CellRules(units="remove").read(f"{x} mg/l", "g") == x
    assert CellRules(limits="value").read(f"< {x}", "g") == x
    half = x / 2 if x > 0 else x  # of a limit below 0 half would be above it
    assert CellRules(limits="half").read(f"<={x}", "g") == half
    assert CellRules(limits="half").read(f">{x}", "g") == x
    assert np.isnan(CellRules(limits="missing").read(f"<{x}", "g"))


@pytest.mark.parametrize("text", ["1.234", "1.5", "1,2,3", "one", "1 2", ""])
def test_what_a_comma_cannot_be_is_no_number(text):
    assert CellRules(decimal=",").read(text, "g") is None


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"decimal": ";"}, "decimal=';'"),
        ({"limits": "twice"}, "limits='twice'"),
        ({"units": "keep"}, "units='keep'"),
        ({"thousands": "."}, "thousands='.'"),
        ({"thousands": ",,"}, "thousands=',,'"),
        ({"duplicates": "last"}, "duplicates='last'"),
        ({"encoding": "zlib"}, "encoding='zlib'"),
        ({"sheet": "1"}, ""),
    ],
)
def test_what_is_said_of_cells_is_checked(tmp_path, rules, says):
    (tmp_path / "t.csv").write_text("id,class,g\na,x,1\nb,y,2\n")
    if not says:  # no matter to a text
        assert read_table(tmp_path / "t.csv", target="class", **rules).shape == (2, 1)
        return
    with pytest.raises(DataError) as error:
        read_table(tmp_path / "t.csv", target="class", **rules)
    assert says in str(error.value)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "a.2", "b.2", "a.3"]), max_size=12))
def test_names_are_told_apart(names):
    found, changed = distinct_names(names)
    assert len(set(found)) == len(found) == len(names)
    seen = set()
    for old, new in zip(names, found, strict=True):
        assert (new == old) == (old not in seen)  # the first keeps its name
        assert changed.get(new, new) == old
        seen.add(old)


WESTERN = "äöüßéèçñøåÄÖÜ°µ²±€–’"


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WESTERN), min_size=1), st.text("abcXYZ ;,0123\n", min_size=1))
def test_western_letters_among_others_are_told(letters, between):
    assert is_western(between.join(["", *letters, ""]).encode("windows-1252"))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("пол;возраст", "windows-1251"),
        ("пол", "koi8-r"),
        ("性別", "shift_jis"),
        ("年龄", "gbk"),
        ("φύλο", "iso8859_7"),
        ("gêné œ", "mac_roman"),
        ("łódź żółw", "iso8859_2"),
    ],
)
def test_other_alphabets_are_not_taken_for_it(text, encoding):
    assert not is_western(text.encode(encoding))


@pytest.mark.parametrize("name", ["utf8", "CP1252", "latin-1", "utf-16"])
def test_encodings_by_any_of_their_names(name):
    assert "x".encode(text_encoding(name))


@pytest.mark.parametrize("name", ["zlib", "rot13", "base64", "utf-99", "", "\0"])
def test_what_is_no_encoding_of_text_is_refused(name):
    with pytest.raises(DataError, match="is not known"):
        text_encoding(name)
