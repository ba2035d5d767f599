"""`tamis ontology match`, `explain` and `review`."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import get_type_hints

import pytest

from ontology.as_obo import obo_text
from tamis._core.checked_json import checked_value
from tamis.ontology import Mapping, read_mapping
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.mapping_schema import MappingContent
from tamis.ontology.review_sheet import read_sheet

PAIR = ("a.obo", "b.obo")


@pytest.fixture(scope="module")
def made():
    return make_vocabularies(50, 50, 35, noise=0.7, random_state=2)


@pytest.fixture
def truth(made, tmp_path, monkeypatch):
    """The pairs, by the IRIs of the files, which are the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, one in zip(PAIR, (made.source, made.target), strict=True):
        (tmp_path / name).write_text(obo_text(one))
    obo = "http://purl.obolibrary.org/obo/"
    return {
        (obo + made.source.local_names[a], obo + made.target.local_names[b])
        for a, b in made.pairs.tolist()
    }


def write_known(path, pairs, word=""):
    path.write_text("".join(f"{a}\t{b}{word}\n" for a, b in sorted(pairs)))


@pytest.mark.quick
def test_it_matches_without_known_pairs_and_says_so(tamis, truth, tmp_path):
    code, out, err = tamis("ontology", "match", *PAIR, "--page", "page.html")
    assert code == 0, err
    lines = out.splitlines()
    assert lines[0].startswith("a.obo and b.obo: ")
    assert "no match known: pairs of nearly equal names taught the model" in lines[1]
    assert [line.split() for line in lines[-2:]] == [
        ["mapping", "a-b.sssom.tsv"],
        ["page", "page.html"],
    ]
    found = set(read_mapping(tmp_path / "a-b.sssom.tsv").pairs)
    assert len(found & truth) > 0.6 * len(truth)
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    before = (tmp_path / "a-b.sssom.tsv").read_bytes()
    assert tamis("ontology", "match", *PAIR, "--page", "page.html")[0] == 0  # its own files
    assert (tmp_path / "a-b.sssom.tsv").read_bytes() == before


def test_known_pairs_stand_and_other_ontologies_teach(tamis, truth, tmp_path):
    yes, no = sorted(truth)[:20], [(sorted(truth)[21][0], sorted(truth)[22][1])]
    write_known(tmp_path / "yes.tsv", yes)
    write_known(tmp_path / "no.tsv", no, "\tno")
    command = ("ontology", "match", *PAIR, "--train", "yes.tsv", "--train", "no.tsv")
    code, out, err = tamis(
        *command,
        "--json",
        "--out",
        "m.json",
        "--learner",
        "logistic",
        "--similarity",
        "name",
        "--similarity",
        "words",
    )
    assert code == 0, err
    told = json.loads(out)
    assert told.pop("out") == "m.json"
    assert set(checked_value(told, MappingContent, "m.json")) == set(get_type_hints(MappingContent))
    assert told == Mapping.read(tmp_path / "m.json").to_dict()
    assert told["settings"]["similarities"] == "name, words"
    status = {(c["source"], c["target"]): c["status"] for c in told["correspondences"]}
    assert {status[pair] for pair in yes} == {"accepted"}
    assert status[no[0]] == "refused"
    write_known(tmp_path / "all.tsv", truth)
    code, out, err = tamis(
        "ontology", "match", *PAIR, "--also", *PAIR, "all.tsv", "--out", "n.json", "--force"
    )
    assert code == 0, err
    assert "no match known" not in out


@pytest.mark.quick
def test_pairs_of_another_version_are_left_out_and_told(tamis, truth, tmp_path):
    gone = ("HP:0000118", sorted(truth)[20][1])
    write_known(tmp_path / "known.tsv", [*sorted(truth)[:20], gone])
    sheet = "match\tsource\ttarget\n" + "yes\t{}\t{}\n".format(*gone)
    (tmp_path / "a-b.review.tsv").write_text(
        sheet + f"no\t{gone[1]}\t{gone[1]}\n".replace(gone[1], sorted(truth)[21][0], 1)
    )
    code, _, err = tamis("ontology", "review", *PAIR, "--train", "known.tsv", "--most", "3")
    assert code == 0, err
    for file, line in (("known.tsv", 1), ("a-b.review.tsv", 2)):
        assert (
            f"{file}: 1 row left out: no class of 'a.obo', such as 'HP:0000118' (line {line})"
        ) in err
    answered = read_sheet(tmp_path / "a-b.review.tsv").answered
    assert [row.source for row in answered] == [gone[0], sorted(truth)[21][0]]  # both stay


def test_costs_move_the_threshold(tamis, truth, tmp_path):
    write_known(tmp_path / "known.tsv", truth)
    for cost, threshold in (("1", "0.5"), ("9", "0.1")):
        code, out, err = tamis(
            "ontology", "match", *PAIR, "--train", "known.tsv", "--miss-cost", cost, "--json"
        )
        assert code == 0, err
        assert json.loads(out)["settings"]["threshold"] == threshold


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--similarity", "nam"], "did you mean 'name'"),
        (["--out", "m.csv"], "a mapping is written as"),
        (["--out", "a.obo", "--force"], "a mapping is written as"),
        (["--train", "gone.tsv"], "does not exist"),
        (["--complete"], "give --train"),
        (["--threshold", "0.5", "--miss-cost", "3"], "both set the threshold: give one"),
        (["--out", "mine.tsv"], "holds no mapping of Tamis"),
        (["--out", "x.json", "--page", "x.json"], "give --page a name that ends in .html"),
        (["--out", "mine.tsv", "--page", "mine.tsv", "--force"], "written twice"),
        (["--page", "mine.tsv"], "holds no page of Tamis: choose another --page"),
        (["--page", "b.obo", "--force"], "this command reads it"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tamis, truth, tmp_path, more, words):
    (tmp_path / "mine.tsv").write_text("mine\n")
    code, out, err = tamis("ontology", "match", *PAIR, *more)
    assert (code, out) == (2, "")
    assert words in err.splitlines()[-1]
    assert "Traceback" not in err
    assert (tmp_path / "mine.tsv").read_text() == "mine\n"


@pytest.mark.quick
def test_a_pair_is_explained(tamis, truth, tmp_path):
    a, b = sorted(truth)[0]
    code, out, err = tamis("ontology", "explain", *PAIR, a, b)
    assert code == 0, err
    assert "probability" in out.splitlines()[0]
    assert " bits" in out
    told = json.loads(tamis("ontology", "explain", *PAIR, a, b, "--json")[1])
    assert {one["name"] for one in told["evidence"]} >= {"name", "words"}
    code, _, err = tamis("ontology", "explain", *PAIR, "gone", b)
    assert (code, err.count("\n")) == (2, 1)
    assert "class='gone' is no IRI and no name in 'a.obo'" in err


def fill_in(path, truth, most=1000):
    """Answer open questions as somebody would who knows the truth."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in [row for row in rows if not row["match"]][:most]:
        row["match"] = "yes" if (row["source"], row["target"]) in truth else "no"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)


def test_a_review_goes_round_by_round(tamis, truth, tmp_path):
    command = ("ontology", "review", *PAIR, "--most", "8", "--mapping", "m.sssom.tsv")
    sheet, said, scores = tmp_path / "a-b.review.tsv", {}, []
    for _ in range(4):
        code, out, err = tamis(*command)
        assert code == 0, err
        rows = read_sheet(sheet).rows
        assert sum(row.answer is None for row in rows) == 8
        assert {(r.source, r.target): r.answer for r in rows if r.answer} == said
        mapping = read_mapping(tmp_path / "m.sssom.tsv")
        status = {(c.source, c.target): c.status for c in mapping.correspondences}
        assert {pair: status[pair] for pair in said} == said
        found = set(mapping.pairs)
        scores.append(2 * len(found & truth) / (len(found) + len(truth)))
        fill_in(sheet, truth)
        said = {(r.source, r.target): r.answer for r in read_sheet(sheet).rows}
    assert scores[-1] > scores[0]
    code, out, err = tamis(*command, "--json", "--page", "page.html", "--answers", str(sheet))
    told = json.loads(out)
    assert told["answers"]["yes"] + told["answers"]["no"] == 32
    assert 'id="questions"' in (tmp_path / "page.html").read_text()
    text = sheet.read_text().replace("\nyes", "\n?").replace("\nno", "\n?")
    (tmp_path / "theirs.tsv").write_text(text)  # of a colleague, who knew none
    for option in ("--answers", "--train"):
        code, _, err = tamis(*command, option, "theirs.tsv", "--out", "new.tsv", "--force")
        assert code == 0, err
        asked = {(row.source, row.target) for row in read_sheet(tmp_path / "new.tsv").rows}
        assert asked
        assert not asked & set(said)


def test_a_half_filled_or_spoiled_sheet(tamis, truth, tmp_path):
    command = ("ontology", "review", *PAIR, "--most", "6")
    sheet = tmp_path / "a-b.review.tsv"
    assert tamis(*command)[0] == 0
    fill_in(sheet, truth, most=2)
    code, out, _ = tamis(*command)
    assert code == 0
    assert len(read_sheet(sheet).answered) == 2
    text = sheet.read_text().replace("\n\t", "\nperhaps\t", 1)
    sheet.write_text(text)
    code, out, err = tamis(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'a-b.review.tsv', line 2: match is 'perhaps'" in err
    assert sheet.read_text() == text
    (tmp_path / "mine.tsv").write_text("mine\n")
    assert tamis(*command, "--out", "mine.tsv")[0] == 2
    assert (tmp_path / "mine.tsv").read_text() == "mine\n"
    assert tamis(*command, "--out", "mine.tsv", "--force")[0] == 0
    assert len(read_sheet(tmp_path / "mine.tsv").rows) == 6


@pytest.mark.parametrize("name", ["m.rdf", "m.tsv"])
def test_its_own_mapping_is_written_again_and_another_is_not(tamis, truth, tmp_path, name):
    path = tmp_path / name
    for _ in range(2):
        assert tamis("ontology", "match", *PAIR, "--out", name, "--quiet")[0] == 0
    Mapping(read_mapping(path).correspondences, tool="of others 1.0").write(path)
    before = path.read_bytes()
    code, _, err = tamis("ontology", "match", *PAIR, "--out", name, "--quiet")
    assert (code, err.count("\n")) == (2, 1)
    assert path.read_bytes() == before


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_review_that_is_killed_loses_no_answer(truth, tmp_path):
    chance = random.Random(0)
    command = [
        sys.executable,
        "-c",
        "from tamis.cli.main import run; run()",
        "ontology",
        "review",
        *PAIR,
        "--most",
        "5",
        "--mapping",
        "m.sssom.tsv",
        "--quiet",
    ]
    sheet = tmp_path / "a-b.review.tsv"
    subprocess.run(command, check=True, capture_output=True)  # may compile, as the others do not
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    usual = time.monotonic() - start
    said: dict = {}
    killed = 0
    for _ in range(4):
        fill_in(sheet, truth, most=1)
        said |= {(r.source, r.target): r.answer for r in read_sheet(sheet).answered}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(usual * chance.uniform(0.5, 1.0))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert {(r.source, r.target): r.answer for r in read_sheet(sheet).answered} == said
    assert killed
    subprocess.run(command, check=True, capture_output=True)
    mapping = read_mapping(tmp_path / "m.sssom.tsv")
    status = {(c.source, c.target): c.status for c in mapping.correspondences}
    assert {pair: status[pair] for pair in said} == said


ROUNDS = r"""
import os
import sys
from tamis.ontology.review import Question
from tamis.ontology.review_sheet import opened_sheet, write_sheet

path = sys.argv[1]
while True:
    sheet = opened_sheet(path)
    k = len(sheet.answered)
    for row in sheet.rows:
        if row.answer is None:  # somebody answers, and saves
            text = open(path, encoding="utf-8").read().replace("\n\t", "\nyes\t", 1)
            with open(path + ".saved", "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(path + ".saved", path)
            print(k + 1, flush=True)
    one = {"iri": f"http://x.org/{k}", "label": "x" * 3000, "parents": "", "synonyms": "",
           "definition": ""}
    write_sheet(path, [Question(one, one, 0.5, True, 0.5)], opened_sheet(path))
"""


@pytest.mark.longer
@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_sheet_that_is_written_again_and_again_is_whole_at_any_moment(tmp_path):
    chance, path = random.Random(1), tmp_path / "review.tsv"
    told = 0
    for _ in range(15):
        process = subprocess.Popen([sys.executable, "-c", ROUNDS, path], stdout=subprocess.PIPE)
        first = process.stdout.readline()  # it has begun
        time.sleep(chance.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        numbers = [*first.split(), *rest.split()]
        told = max([told, *map(int, numbers)])
        assert len(read_sheet(path).answered) >= told
    assert told > 15
