"""`benchmarks/same_numbers.py`: planted differences are found, and every command is run."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pytest

from tamis._core.registry import row_names
from tamis._core.rows import SearchRow
from tamis.cli.main import main

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
RESULTS = {
    "tamis": {"version": "0.1.0"},
    "score": 0.8125,
    "size": 5,
    "features": ["g1", "g2"],
    "remark": "AUC 0.75 of 40 samples",
    "none": None,
    "undefined": float("nan"),
}


def loaded(name):
    """A file of benchmarks/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


compare = loaded("_same_compare")
cases = loaded("_same_cases")


def write_results(folder, **changed):
    """A file of every kind."""
    folder.mkdir()
    results = {**RESULTS, **{k: v for k, v in changed.items() if k in RESULTS}}
    (folder / "results.json").write_text(json.dumps(results))
    number = changed.get("number", 0.1)
    (folder / "folds.tsv").write_text(f"fold\tscore\tlabel\n0\t{number!r}\tsick\n1\tnan\twell\n")
    (folder / "pca.eigenvec").write_text(f"#IID PC1\ni0 {number!r}\n")
    arrays = {"coef": np.array([1.0, number]), "names": np.array(["a", "b"])}
    np.savez(folder / "model.npz", **arrays)
    table = pa.table({"proba": [[number, 0.5]], "settings": [json.dumps({"C": number})]})
    table = table.replace_schema_metadata({"sum": str(number), "rows": "[1, 2]"})
    with pa.ipc.new_file(folder / "cell.arrow", table.schema) as file:
        file.write_table(table)
    (folder / "kin.grm.bin").write_bytes(np.array([1, number], dtype="<f4").tobytes())
    (folder / "report.html").write_text(
        "<!doctype html><style>p{width:1px}</style>"
        f'<script type="application/json">{{"at": {number!r}}}</script>'
        f"<p>AUC {number!r}</p><p>{changed.get('sentence', 'of 40 samples')}</p>"
    )
    (folder / "journal.jsonl").write_text(f'{{"time": {id(changed)}, "event": "begin"}}\n')
    (folder / "command.err.txt").write_text(f"exit code {changed.get('code', 0)}\n{folder}/x\n")


@pytest.fixture
def found(tmp_path):
    """Of two folders, the second with changes."""

    def compared(**changed):
        for name in ("first", "second"):
            shutil.rmtree(tmp_path / name, ignore_errors=True)
        write_results(tmp_path / "first")
        write_results(tmp_path / "second", **changed)
        return compare.compare_folders(
            tmp_path / "first",
            tmp_path / "second",
            [str(tmp_path / k) for k in ("first", "second")],
        )

    return compared


def kinds(one):
    return {
        (difference.kind, re.split(r"[ \[]", difference.place)[0]) for difference in one.differences
    }


def test_the_same_is_the_same_but_for_times_versions_and_paths(found):
    one = found(tamis={"version": "0.2.0"})
    assert one.differences == []
    assert not one.failed
    assert (one.files, one.worst) == (9, 0)
    assert one.numbers > 20


@pytest.mark.parametrize("size", [1e-12, 1e-3])
def test_a_number_that_differs_is_found_in_every_kind_of_file(found, size):
    one = found(number=0.1 * (1 + size))
    files = {"folds.tsv", "pca.eigenvec", "model.npz", "cell.arrow", "report.html"}
    places = files | ({"kin.grm.bin"} if size > 1e-7 else set())  # in single precision
    assert kinds(one) == {("number", place) for place in places}
    assert one.failed
    assert one.worst == pytest.approx(size, rel=1e-2)
    # in cells both the probability and the setting, on the page both its data and its text
    assert one.count("number") == len(places) + 2


def test_a_last_digit_is_no_difference(found):
    one = found(number=np.nextafter(0.1, 1).item())
    assert one.differences == []
    assert 0 < one.worst < 1e-15


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"score": 0.8126}, "number"),
        ({"undefined": 0.5}, "number"),
        ({"undefined": None}, "value"),
        ({"features": ["g1", "g3"]}, "value"),
        ({"features": ["g1"]}, "gone"),
        ({"features": ["g1", "g2", "g3"]}, "new"),
        ({"remark": "AUC 0.76 of 40 samples"}, "number"),
        ({"remark": "the AUC is 0.75"}, "words"),
        ({"sentence": "of forty samples"}, "words"),
        ({"code": 2}, "number"),
    ],
)
def test_what_differs_has_a_kind(found, changed, kind):
    one = found(**changed)
    assert [difference.kind for difference in one.differences] == [kind]
    assert one.failed == (kind in compare.FAILURES)
    assert kind in one.differences[0].line()


def test_files_and_fields_that_go_come_or_have_another_name(tmp_path, found):
    found()
    second = tmp_path / "second"
    (second / "folds.tsv").rename(second / "parts.tsv")
    results = {**RESULTS, "n": 5, "more": 1}
    del results["size"], results["score"]
    (second / "results.json").write_text(json.dumps(results))
    one = compare.compare_folders(
        tmp_path / "first", second, [str(tmp_path / "first"), str(second)]
    )
    assert kinds(one) == {
        ("gone", "folds.tsv"),
        ("new", "parts.tsv"),
        ("gone", "results.json"),  # score
        ("words", "results.json"),  # size, which is n
        ("new", "results.json"),  # more
    }


def commands_below(group, before=""):
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if isinstance(command, click.Group):
            yield from commands_below(command, f"{before}{word} ")
        else:
            yield f"{before}{word} "


def test_every_command_and_search_is_run_by_a_case():
    run = [f"{line} " for case in cases.CASES for line in (*case.commands, *case.readers)]
    assert [one for one in commands_below(main) if not any(r.startswith(one) for r in run)] == []
    assert {f"interact {name}" for name in row_names(SearchRow)} <= {c.name for c in cases.CASES}
    names = [case.name for case in cases.CASES]
    assert len(names) == len(set(names))
    assert sum(name.startswith("study ") for name in names) >= 9
