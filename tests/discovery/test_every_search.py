"""Every search of the registry keeps what `tamis.checks.searches` asks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from discovery import faulty_searches
from discovery.faulty_searches import FAULTS, row_of
from tamis._core.citations import CITATIONS
from tamis._core.errors import DataError, PlanError, StoreError
from tamis._core.registry import find_row, rows_of, with_rows
from tamis._core.rows import SearchRow
from tamis.checks import searches
from tamis.checks.searches import (
    CHECKS,
    SearchOutput,
    Trial,
    check_classes,
    check_level,
    check_names,
    check_p_value,
    check_planted,
    check_same_bytes,
    check_search,
    check_twins,
    fault_of,
    planted_table,
)
from tamis.checks.verdict import Fault
from tamis.cli._interact_options import search_options
from tamis.data.dataset import Dataset
from tamis.discovery import find_interactions, open_interactions
from tamis.discovery.interface import Setting


@pytest.mark.longer
@pytest.mark.parametrize("row", rows_of(SearchRow), ids=lambda row: row.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_every_search_passes(check, row):
    assert fault_of(check, row) == ""


@pytest.mark.quick
def test_the_fastest_search_passes():
    """One search through all checks but that of its level, for those who run the quick tests."""
    row = find_row("pairs", SearchRow)
    assert [fault_of(check, row) for check in CHECKS if check.code != "chance"] == [""] * 12


@pytest.mark.slow
@pytest.mark.parametrize("row", rows_of(SearchRow), ids=lambda row: row.name)
def test_noise_is_found_at_the_level_that_is_named(row):
    check_level(Trial(row), tables=150)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named_by_its_check_alone(fault):
    report = check_search(row_of(fault))
    assert set(report.failed) == FAULTS[fault], report.summary()
    assert len(report.verdicts) == len(CHECKS)


BY_CODE = {check.code: check for check in CHECKS}
WORDS = {  # of the same searches, by their faults
    "ignores the classes": "with the classes shuffled it finds the same: it does not look at the ",
    "draws from the global stream": "it draws from the global random generator, so that a result ",
    "p = 0 for everything": "p = 0 with 3 permuted runs: the least is 1 / (runs + 1), see tamis.",
    "tests the best pair alone": "of 16 tables of noise it finds something in 11 at level 0.25 (at "
    "most 10 are luck): repeat",
    "cannot take gaps": "it stops (ValueError: cannot convert float NaN to integer)",
    "leaves categories out": "two features that separate the classes together as categories are "
    "not the first of those that it finds, which are zero, height",
    "changes the table": "it changes the table that it is given: work on a copy",
    "last of equals first": "'first + answer' stands behind 'first + one', which comes later in ",
    "goes by names": "with other names of the features it finds others: go by columns, not by ",
    "tells its threads": "with two threads 'interactions.json' is another: n_jobs matters",
    "writes another type": "it stops ('interactions.json' is not as this version of Tamis writes ",
    "has no test": "it has no setting 'n_permutations': take LEVEL and PERMUTATIONS",
}


@pytest.mark.every
@pytest.mark.parametrize("fault", WORDS)
def test_a_check_by_itself_names_its_fault(fault):
    (code,) = FAULTS[fault]
    assert fault_of(BY_CODE[code], row_of(fault)).startswith(WORDS[fault])


@dataclass
class Scripted:
    """A search whose outputs are given, one for each time it is run."""

    outputs: list[SearchOutput]
    bytes_of: list[dict[str, bytes]] = field(default_factory=list)
    given: list[tuple[Dataset, dict[str, object]]] = field(default_factory=list)

    def found(self, data, **more):
        self.given.append((data, more))
        return self.outputs.pop(0)

    def files(self, data, **more):
        self.given.append((data, more))
        return self.bytes_of.pop(0)


def found(names, kept=(), p_value=None, n=3, graph=(), sets=(), numbers=None):
    """What a search gives: features in order, their numbers, and the rest of its dictionary."""
    numbers = numbers or range(len(names))
    rows = [
        {"name": name, "kept": "yes" if name in kept else "no", "score": str(number)}
        for name, number in zip(names, numbers, strict=True)
    ]
    content = {
        "permutation": None if p_value is None else {"p_value": p_value, "n": n},
        "graph": {"features": [{"name": name} for name in graph]},
        "sets": {"sets": list(sets)},
    }
    return SearchOutput(content, rows)


@pytest.mark.parametrize(
    ("names", "kept", "words"),
    [
        (["first", "second", "one"], ["first", "second"], ""),
        (["second", "first", "one"], ["first", "second", "one"], ""),
        (["first", "one", "second"], ["first", "second"], "are not the first .* are first, one$"),
        (["first", "second", "one"], ["first", "one"], "classes together here pass no test$"),
    ],
)
def test_planted_features_are_the_first_two_and_kept(names, kept, words):
    if not words:
        check_planted(Scripted([found(names, kept)]))
        return
    with pytest.raises(Fault, match=words):
        check_planted(Scripted([found(names, kept)]), planted_table(40), " here")


@pytest.mark.every
@pytest.mark.parametrize(
    ("p_values", "ns", "words"),
    [
        ((0.25, 0.125), (3, 7), ""),  # 1 / (runs + 1)
        ((1.0, 1.0), (3, 7), ""),
        ((0.24, 0.125), (3, 7), "p = 0.24 with 3 permuted runs"),
        ((0.25, 0.12), (3, 7), "p = 0.12 with 7 permuted runs"),
        ((0.25, 1.1), (3, 7), "p = 1.1 with 7 permuted runs"),
        ((0.25, 0.125), (3, 3), "p = 0.125 with 7 permuted runs"),
        ((0.25, None), (3, 7), "it found something, and does not say how probable that is by cha"),
    ],
)
def test_a_p_value_is_one_of_the_runs(p_values, ns, words):
    outputs = [found([], p_value=p, n=n) for p, n in zip(p_values, ns, strict=True)]
    trial = Scripted(outputs)
    if not words:
        check_p_value(trial)
    else:
        with pytest.raises(Fault, match=words):
            check_p_value(trial)
    assert [more["n_permutations"] for _, more in trial.given] == [3, 7][: len(trial.given)]


@pytest.mark.parametrize(("hits", "passes"), [(10, True), (11, False)])
@pytest.mark.parametrize("how", ["kept", "p"])
def test_hits_on_noise_are_counted_against_the_level(hits, passes, how):
    """Of 16 tables at a level of a quarter more than 10 have a probability below 0.001."""
    hit = found(["a"], ["a"]) if how == "kept" else found(["a"], p_value=0.25)
    outputs = [hit] * hits + [found(["a"], p_value=0.26)] * (16 - hits)
    trial = Scripted(outputs)
    if passes:
        check_level(trial)
    else:
        with pytest.raises(Fault, match=r"something in 11 at level 0\.25 .at most 10 are"):
            check_level(trial)
    assert [more["seed"] for _, more in trial.given] == list(range(16))


ODD = ("=1+1", "a,b;c\t'd'", "<b>&amp;</b>", '"quoted"', "NA", "ü – 水", "{{ 7*7 }}", "../../etc")


@pytest.mark.parametrize(
    ("names", "graph", "words"),
    [
        ([ODD[2], ODD[0]], [ODD[0]], ""),
        ([ODD[0], ODD[2]], [ODD[0]], "it finds others: go by columns"),
        ([ODD[2], ODD[0]], [ODD[1]], "its graph has others"),
    ],
)
def test_features_of_other_names_are_the_same(names, graph, words):
    plain = found(["first", "zero"], graph=["zero"])
    trial = Scripted([plain, found(names, graph=graph)])
    if not words:
        check_names(trial)
    else:
        with pytest.raises(Fault, match=words):
            check_names(trial)
    assert trial.given[1][0].feature_names == ODD


def a_set(*features, score=1.0, label=None):
    parts = [{"feature": name, "value": ""} for name in features]
    return {"parts": parts, "numbers": {"score": score}, "label": label}


@pytest.mark.every
@pytest.mark.parametrize(
    ("names", "numbers", "sets", "words"),
    [
        (["zero", "first", "one"], [1, 1, 1], (), ""),
        (["first", "zero", "one"], [1, 2, 1], (), ""),  # the second is worse
        (["first", "zero", "one"], [1, 1, 2], (), "'zero' stands behind 'first', which comes lat"),
        (["zero"], [1], [a_set("zero", "one"), a_set("first", "one")], ""),
        (["zero"], [1], [a_set("first", "one"), a_set("zero", "one")], "stands behind 'first + "),
        (["zero"], [1], [a_set("first", "one"), a_set("zero", "one", score=0.5)], ""),
        (["zero"], [1], [a_set("first", "one"), a_set("zero", "one", label="case")], ""),
        (["zero"], [1], [a_set("first", "one"), a_set("zero")], ""),  # fewer parts
        (["zero"], [1], [a_set("zero", "one"), a_set("zero", "one")], ""),
    ],
)
def test_equals_keep_the_order_of_the_table(names, numbers, sets, words):
    trial = Scripted([found(names, numbers=numbers, sets=sets)] * 2)
    if words:
        with pytest.raises(Fault, match=re.escape(words)):
            check_twins(trial)
        return
    check_twins(trial)
    long, wide = (data for data, _ in trial.given)
    n, p = planted_table(80).shape
    assert (long.shape, wide.shape) == ((2 * n, p), (n, 2 * p))
    assert wide.levels == {3: ("x", "y", "z"), 5: ("no", "yes")} | {
        3 + p: ("x", "y", "z"),
        5 + p: ("no", "yes"),
    }
    np.testing.assert_array_equal(wide.matrix[:, p:], wide.matrix[:, :p])
    np.testing.assert_array_equal(long.matrix[n:], long.matrix[:n])


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([{"a": b"1"}, {"a": b"1"}], ""),
        ([{"a": b"1", "b": b"1"}, {"a": b"1", "b": b"2"}], "with two threads 'b' is another"),
        ([{"a": b"1", "b": b"1"}, {"a": b"1"}], "with two threads 'b' is another"),
        ([{"b": b"1"}, {"a": b"1", "b": b"1"}], "with two threads 'a' is another"),
    ],
)
def test_files_are_the_same_for_any_number_of_threads(files, words):
    trial = Scripted([], files)
    if not words:
        check_same_bytes(trial)
    else:
        with pytest.raises(Fault, match=words):
            check_same_bytes(trial)
    assert [more for _, more in trial.given] == [{"n_jobs": 1}, {"n_jobs": 2}]


def test_other_classes_give_other_numbers():
    check_classes(Scripted([found(["a"], p_value=0.5), found(["a"], p_value=0.25)]))
    with pytest.raises(Fault, match="with the classes shuffled it finds the same"):
        check_classes(Scripted([found(["a"], p_value=0.5)] * 2))


def test_what_waits_for_a_check_that_failed_is_not_run(monkeypatch):
    monkeypatch.setattr(searches, "fault_of", lambda check, row: "x" * (check.code == "classes"))
    done = []
    report = check_search(row_of(""), done.append)
    assert done == [check.code for check in CHECKS]
    waits = {"planted": "classes", "categories": "planted", "gaps": "planted"}
    waits |= {"twins": "planted", "data": "gaps", "same-bytes": "data"}
    words = {v.code: v.words for v in report.verdicts if v.outcome == "not applicable"}
    assert words == {code: f"it is checked once {first!r} passes" for code, first in waits.items()}
    assert report.failed == ["classes"]


def test_every_row_has_its_words_and_its_page():
    docs = Path(__file__).parents[2] / "docs" / "methods"
    for row in rows_of(SearchRow):
        assert row.title
        assert (docs / row.page).is_file()
        assert set(row.cite) <= CITATIONS.keys()
        assert all(setting.help[-1] != "." for setting in row.load().settings)


@pytest.mark.parametrize("row", rows_of(SearchRow), ids=lambda row: row.name)
def test_a_matrix_without_the_reader_is_looked_at_too(row, tmp_path):
    data = planted_table()
    X = data.X.astype(np.float64)
    X[3, 1] = np.inf
    told = rf"infinite value in column {data.feature_names[1]!r}, sample "
    with pytest.raises(DataError, match=told):
        find_interactions(replace(data, X=X), tmp_path / "s", method=row.name)
    names = (data.feature_names[1], *data.feature_names[1:])
    with pytest.raises(DataError, match=f"several features of .* are named {names[0]!r}$"):
        find_interactions(replace(data, feature_names=names), tmp_path / "s", method=row.name)
    assert not (tmp_path / "s").exists()


def test_names_that_are_taken_are_refused_in_one_line():
    with (
        pytest.raises(PlanError, match="'pairs', which there is already"),
        with_rows([find_row("pairs", SearchRow)]),
    ):
        pass


def test_two_meanings_of_one_option_are_refused(monkeypatch):
    """Whose search it is says so, and what to do."""
    other = replace(
        find_row("pairs", SearchRow).load(), given=(Setting("bins", "Bins", float, default=1.0),)
    )
    monkeypatch.setattr(faulty_searches, "OTHER", other, raising=False)
    row = SearchRow("other", f"{faulty_searches.__name__}:OTHER", "nothing", "another")
    with pytest.raises(PlanError, match="'pairs' and 'other' both have an option --bins"):
        search_options([find_row("pairs", SearchRow), row])


def test_a_result_of_a_search_that_is_gone_says_so(tmp_path):
    with with_rows([row_of("")]):
        Trial(row_of("")).find(planted_table(40), tmp_path / "o")
        open_interactions(tmp_path / "o")
    with pytest.raises(StoreError, match="of the search 'faulty', which is not there: install"):
        open_interactions(tmp_path / "o")
