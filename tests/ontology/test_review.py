"""Which pairs a person is asked about, and the sheet that is filled in."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.small_vocabularies import LABELS
from tamis._core.errors import DataError, StoreError
from tamis.ontology import (
    Correspondence,
    Mapping,
    OntologyMatcher,
    known_pairs,
    questions,
    read_mapping,
    read_ontology,
    read_sheet,
    write_sheet,
)
from tamis.ontology.context import class_context
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.review import Question, probable_errors
from tamis.ontology.review_sheet import (
    ANSWER_STATUSES,
    SHEET_COLUMNS,
    ReviewSheet,
    is_sheet,
    opened_sheet,
)


@pytest.fixture(scope="module")
def made():
    return make_vocabularies(70, 70, 45, noise=0.9, random_state=3)


@pytest.fixture(scope="module")
def matcher(made):
    return OntologyMatcher(seeds="always").fit(made.source, made.target)


def answered(made, asked):
    truth = set(made.reference.pairs)
    pairs = [(one.source["iri"], one.target["iri"]) for one in asked]
    return [(*pair, pair in truth) for pair in pairs]


def test_the_most_probable_errors_are_asked_first(made, matcher):
    one, _, p = matcher._judged(made.source, made.target)
    mapped = set(matcher.match(made.source, made.target).pairs)
    iris = [(made.source.iris[i], made.target.iris[j]) for i, j in one.pairs.rows.tolist()]
    error = [1 - q if pair in mapped else q for pair, q in zip(iris, p.tolist(), strict=True)]
    taken, wanted = set(), []  # plainly: by error, then position; no class twice
    for k in sorted(range(len(error)), key=lambda k: (-error[k], *one.pairs.rows[k].tolist())):
        if len(wanted) < 20 and not taken & set(iris[k]):
            taken |= set(iris[k])
            wanted.append(iris[k])
    asked = questions(matcher, made.source, made.target, 20)
    assert [(q.source["iri"], q.target["iri"]) for q in asked] == wanted
    assert all(q.stands == ((q.source["iri"], q.target["iri"]) in mapped) for q in asked)


def test_what_was_said_is_never_asked_again_and_never_changes(made):
    matcher = OntologyMatcher(seeds="always").fit(made.source, made.target)
    said: dict = {}
    for _ in range(4):
        asked = questions(matcher, made.source, made.target, 10)
        new = answered(made, asked)
        yes = [pair for pair, same in said.items() if same]
        for a, b, _same in new:
            assert (a, b) not in said
            assert not any(a == c or b == d for c, d in yes)  # a match rules others out
        said |= {(a, b): same for a, b, same in new}
        matcher.partial_fit(made.source, made.target, new)
        mapping = matcher.match(made.source, made.target)
        status = {(c.source, c.target): c.status for c in mapping.correspondences}
        for pair, same in said.items():
            assert status[pair] == ("accepted" if same else "refused")
    assert len(said) == 40


def test_a_declined_pair_is_not_in_the_mapping(made):
    matcher = OntologyMatcher(seeds="always", reject=0.1).fit(made.source, made.target)
    mapped = set(matcher.match(made.source, made.target).pairs)
    for one in questions(matcher, made.source, made.target, 30):
        assert one.stands == ((one.source["iri"], one.target["iri"]) in mapped)


def test_pairs_that_nobody_could_answer_are_left_out(made, matcher):
    first = questions(matcher, made.source, made.target, 5)
    skipped = [(one.source["iri"], one.target["iri"]) for one in first]
    second = questions(matcher, made.source, made.target, 5, skipped)
    assert not set(skipped) & {(one.source["iri"], one.target["iri"]) for one in second}
    assert questions(matcher, made.source, made.target, 0) == []


def test_errors_are_probabilities(made, matcher):
    one, _, p = matcher._judged(made.source, made.target)
    said = np.full(len(p), -1)
    stands, error = probable_errors(matcher._pair_decision, one.pairs.rows, p, said)
    assert np.array_equal(error, np.where(stands, 1 - p, p))
    said[0] = 1
    stands, error = probable_errors(matcher._pair_decision, one.pairs.rows, p, said)
    assert not error[one.pairs.rows[:, 0] == one.pairs.rows[0, 0]].any()


def reviewed(source, target, truth, rounds, most, rng=None):
    """F1 before and after some rounds of questions, or of pairs that are drawn."""
    matcher = OntologyMatcher(seeds="always").fit(source, target)
    scores = []
    for step in range(rounds + 1):
        found = set(matcher.match(source, target).pairs)
        scores.append(2 * len(found & truth) / (len(found) + len(truth)))
        if step < rounds:
            if rng is None:
                asked = questions(matcher, source, target, most)
                pairs = [(one.source["iri"], one.target["iri"]) for one in asked]
            else:
                rows = matcher._judged(source, target)[0].pairs.rows
                some = rows[rng.choice(len(rows), most, replace=False)].tolist()
                pairs = [(source.iris[i], target.iris[j]) for i, j in some]
            matcher.partial_fit(source, target, [(*one, one in truth) for one in pairs])
    return scores[0], scores[-1]


@pytest.mark.longer
@pytest.mark.parametrize("seed", [1, 2])
def test_reviewing_beats_answering_at_random(seed):
    made = make_vocabularies(300, 300, 180, noise=0.9, random_state=seed)
    case = made.source, made.target, set(made.reference.pairs), 4, 20
    before, guided = reviewed(*case)
    assert guided > max(before + 0.04, reviewed(*case, np.random.default_rng(seed))[1] + 0.03)


@pytest.mark.longer
@pytest.mark.parametrize("pair", ["cmt-ekaw", "conference-confOf", "confOf-edas"])
def test_reviewing_real_ontologies_beats_answering_at_random(shared_data, pair):
    folder = shared_data / "ontology" / "conference"
    source, target = (
        read_ontology(folder / "ontologies" / f"{name}.owl") for name in pair.split("-")
    )
    known = read_mapping(folder / "alignments" / f"{pair}.rdf", source, target, absent="keep")
    truth = {(a, b) for a, b in known.pairs if a in source and b in target}
    case = source, target, truth, 2, 10
    before, guided = reviewed(*case)
    assert guided > max(before, reviewed(*case, np.random.default_rng(0))[1]) + 0.05


CONTEXTS = st.builds(
    lambda iri, label, names, words: {
        "iri": "http://x.org/" + iri,
        "label": label,
        "parents": names,
        "synonyms": names,
        "definition": words,
    },
    st.text("abc019_-", min_size=1, max_size=6),
    LABELS,
    LABELS,
    LABELS,
)
ASKED = st.lists(
    st.builds(Question, CONTEXTS, CONTEXTS, st.floats(0, 1), st.booleans(), st.floats(0, 1)),
    max_size=5,
    unique_by=lambda one: (one.source["iri"], one.target["iri"]),
)


@settings(max_examples=30)
@given(ASKED, st.data(), st.sampled_from("\t;,"), st.booleans(), st.booleans())
def test_a_sheet_saved_again_by_a_spreadsheet_is_read(
    tmp_path_factory, asked, data, separator, mark, returns
):
    path = tmp_path_factory.mktemp("sheet") / "review.tsv"
    assert write_sheet(path, asked) == len(asked)
    words = [data.draw(st.sampled_from(["", *ANSWER_STATUSES])) for _ in asked]
    rows = list(
        csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""), delimiter="\t")
    )
    for row, word in zip(rows[1:], words, strict=True):
        row[0] = word.upper()
        row[1] = "a; comment, of\ntwo lines" if word else ""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\r\n" if returns else "\n").writerows(rows)
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + out.getvalue().encode())
    assert is_sheet(path)
    sheet = read_sheet(path)
    assert [row.answer for row in sheet.rows] == [ANSWER_STATUSES.get(word) for word in words]
    pairs = [(one.source["iri"], one.target["iri"]) for one in asked]
    assert [(row.source, row.target) for row in sheet.rows] == pairs
    assert write_sheet(path, [], sheet) == 0  # what was not answered goes
    again = read_sheet(path)
    assert [(r.source, r.answer) for r in again.rows] == [
        (r.source, r.answer) for r in sheet.answered
    ]
    assert all(r.cells["comment"] == "a; comment, of two lines" for r in again.rows)


def sheet_of(tmp_path, *rows, header="match\tsource\ttarget"):
    path = tmp_path / "review.tsv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["yes\ta:1\tb:1", "maybe\ta:2\tb:2"], "line 3: match is 'maybe'; write yes, no, ?"),
        (["x\ta:1\tb:1"], "line 2: match is 'x'"),
        (["yes\t\tb:1"], "line 2: the columns source and target hold the IRIs"),
        (["yes\ta:1\tb:1\tmore"], "line 2: 4 fields, and the table has 3 columns"),
        (['yes\t"a:1\tb:1'], "line 2: "),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path, rows, words):
    with pytest.raises(DataError, match=re.escape(words)):
        read_sheet(sheet_of(tmp_path, *rows))


def test_other_files_are_no_sheets(tmp_path):
    path = sheet_of(tmp_path, "a\tb", header="source\ttarget")
    assert not is_sheet(path)
    with pytest.raises(DataError, match="must name the columns"):
        read_sheet(path)
    with pytest.raises(DataError, match="does not exist"):
        read_sheet(tmp_path / "gone.tsv")
    path.write_bytes("match\tsource\ttarget\n".encode("utf-16"))
    with pytest.raises(DataError, match="UTF-16"):
        read_sheet(path)
    with pytest.raises(DataError, match="two columns 'match'"):
        read_sheet(sheet_of(tmp_path, header="match\tMatch\tsource\ttarget"))


def test_columns_of_ones_own_stay(tmp_path):
    path = sheet_of(
        tmp_path, "yes\ta:1\tb:1\tAda\t", "\ta:2\tb:2\tBob\t\t", header="Match\tsource\ttarget\twho"
    )
    sheet = read_sheet(path)
    assert sheet.columns == (*SHEET_COLUMNS, "who")
    assert write_sheet(path, [], sheet) == 1  # a row that somebody wrote into
    assert [(row.answer, row.cells["who"]) for row in read_sheet(path).rows] == [
        (None, "Bob"),
        ("accepted", "Ada"),
    ]


def test_a_remark_on_a_pair_that_is_asked_about_again_stays(tmp_path, made, matcher):
    path = tmp_path / "review.tsv"
    asked = questions(matcher, made.source, made.target, 2)
    write_sheet(path, asked)
    path.write_text(path.read_text().replace("\n\t\t", "\n\task Ada\t", 1))
    write_sheet(path, asked[::-1], read_sheet(path))
    assert [row.cells["comment"] for row in read_sheet(path).rows] == ["", "ask Ada"]


def test_a_sheet_that_changed_meanwhile_is_not_written(tmp_path):
    path = sheet_of(tmp_path, "\ta:1\tb:1")
    sheet = opened_sheet(path)
    path.write_text(path.read_text().replace("\ta:1", "yes\ta:1"))
    with pytest.raises(StoreError, match="was changed while this ran"):
        write_sheet(path, [], sheet)
    assert read_sheet(path).rows[0].answer == "accepted"
    with pytest.raises(StoreError, match="was changed"):
        write_sheet(path, [], ReviewSheet())  # there was none before
    (tmp_path / "mine.txt").write_text("mine")
    assert write_sheet(tmp_path / "mine.txt", [], opened_sheet(tmp_path / "mine.txt")) == 0


def test_answers_of_several_files_are_gathered(tmp_path, made):
    (a, b), (c, d) = list(made.reference.pairs)[:2]
    sheet = sheet_of(tmp_path, f"ja\t{a}\t{b}", f"?\t{c}\t{d}", f"no\t{a}\t{d}")
    other = tmp_path / "known.tsv"
    other.write_text(f"{a}\t{b}\n")
    known = known_pairs([other, sheet], made.source, made.target)
    status = {(one.source, one.target): one.status for one in known.correspondences}
    assert status == {(a, b): "accepted", (a, d): "refused", (c, d): "uncertain"}
    of_broader = tmp_path / "broader.sssom.tsv"
    Mapping((Correspondence(a, b, "<", status="refused"),)).write(of_broader)
    known_pairs([other, of_broader], made.source, made.target)  # no contradiction
    other.write_text(f"{a}\t{b}\t=\n{a}\t{d}\t<\n{c}\t{b}\t>\n")
    known = known_pairs([other, sheet], made.source, made.target)
    relation = {(one.source, one.target): one.relation for one in known.correspondences}
    assert relation == {(a, b): "=", (a, d): "<", (c, b): ">", (c, d): "="}
    sheet = sheet.rename(tmp_path / "x.tsv")
    other.write_text(f"{a}\t{d}\n")
    with pytest.raises(DataError, match=r"mean the same by 'known.tsv' and not by 'x.tsv'"):
        known_pairs([other, sheet], made.source, made.target)
    wrong = sheet_of(tmp_path, "yes\thttp://gone\tb:1")
    with pytest.raises(DataError, match=r"'review.tsv', line 2: 'http://gone' is no class"):
        known_pairs([wrong], made.source, made.target)
    both = sheet_of(tmp_path, f"yes\t{a}\t{b}", f"no\t{a}\t{b}")
    with pytest.raises(DataError, match=r"lines 2 and 3: .* both accepted and refused"):
        known_pairs([both], made.source, made.target)


def test_a_sheet_in_utf16_is_one_and_is_not_read(tmp_path):
    sheet = sheet_of(tmp_path, "yes\ta:1\tb:1")
    sheet.write_text(sheet.read_text(), encoding="utf-16")  # "Unicode text" of spreadsheets
    with pytest.raises(DataError, match="is UTF-16 text; convert it"):
        opened_sheet(sheet)


def test_a_context_is_short(made):
    at = max(range(len(made.source)), key=lambda k: len(made.source.synonyms[k]))
    context = class_context(made.source, at)
    assert context["label"] == made.source.labels[at]
    assert context["synonyms"] == "; ".join(made.source.synonyms[at])
