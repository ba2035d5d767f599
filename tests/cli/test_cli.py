"""The command as people meet it: output, errors in one line, exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data
from common.tables import PLAN, write_table
from tamis.cli.main import _Stop
from tamis.data import load_golub


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "made.csv", make_data())
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


STUDY = ("study", "made.csv", "--target", "diagnosis", "--plan", "plan.toml", "--n-jobs", "1")


@pytest.mark.quick
def test_a_study_prints_its_headline_and_leaves_its_folder(tamis, folder):
    code, out, err = tamis(*STUDY)
    assert code == 0
    for word in ("selected ", "how well ", "balanced accuracy", "chance ", "stability "):
        assert word in out
    assert "! few-permutations: 1 permuted run" in out
    assert "tamis-made/report.html" in out
    assert "positive class: diagnosis = b" in err
    for name in ("report.html", "results.json", "model.npz", "plan.json", "tables/features.tsv"):
        assert (folder / "tamis-made" / name).stat().st_size > 0


def test_raw_intensities_are_said_before_anything_runs(tamis, folder):
    data = make_data(n=30)
    write_table(folder / "raw.csv", replace(data, X=2 ** (8 + 2 * data.X)))
    code, _, err = tamis("study", "raw.csv", "--target", "diagnosis", "--dry-run")
    assert code == 0
    assert "look like raw intensities or counts (median about " in err
    assert "raw intensities" not in tamis(*STUDY, "--dry-run")[2]


def test_json_is_one_object_with_the_short_names(tamis, folder):
    code, out, err = tamis(*STUDY, "--json", "--quiet")
    result = json.loads(out)
    assert code == 0
    assert err == ""
    assert out.count("\n") == 1
    for name in ("bcr", "accuracy", "f", "auc", "auprc", "mcc", "bcm", "ccem", "loss"):
        assert {"mean", "low", "high"} <= set(result["metrics"][name])
    assert result == json.loads((folder / "tamis-made" / "results.json").read_text())


def test_a_dry_run_runs_nothing_and_its_plan_can_be_used(tamis, folder):
    code, out, _ = tamis(*STUDY, "--dry-run")
    assert code == 0
    assert "classifier fits; about" in out
    assert not (folder / "tamis-made").exists()
    (folder / "again.toml").write_text(out, encoding="utf-8")
    code, again, _ = tamis(*STUDY[:4], "--plan", "again.toml", "--dry-run", "--n-jobs", "1")
    assert code == 0
    assert again.split("\n#")[0] == out.split("\n#")[0]


def test_folds_are_said_once(tamis, folder):
    for more in (("--folds", "3"), ("--holdout",)):
        code, _, err = tamis(*STUDY, "--split", "g0", *more)
        assert code == 2
        assert f"--split says what the folds are, and so does {more[0]}: give one" in err
    (folder / "loo.toml").write_text('outer = { kind = "leave-one-out" }\n')
    _, out, _ = tamis(*STUDY[:4], "--plan", "loo.toml", "--folds", "3", "--dry-run", "--json")
    assert json.loads(out)["plan"]["outer"]["kind"] == "k-fold"


def test_the_number_of_fits_is_that_of_the_protocol(tamis, folder):
    _, out, _ = tamis(*STUDY, "--dry-run", "--json")
    training_parts = 4 + 4 + 1  # outer folds, those of one permuted run, the final model
    candidates = 2 + 5  # two sizes, five thresholds
    assert json.loads(out)["n_fits"] == training_parts * (1 + 3) * candidates
    # a reference is fitted in the outer training sets, and inside where its decision learns
    for how, more in (("none", 4), ("platt", 4 * (1 + 3))):
        method = f'[[method]]\nselect = "all"\nreference = true\nrecalibrate = "{how}"\n'
        (folder / "more.toml").write_text((folder / "plan.toml").read_text() + method)
        _, more_out, _ = tamis(*STUDY[:4], "--plan", "more.toml", "--dry-run", "--json")
        assert json.loads(more_out)["n_fits"] == json.loads(out)["n_fits"] + more


def test_a_second_study_does_not_overwrite_the_first(tamis, folder):
    tamis(*STUDY)
    before = (folder / "tamis-made" / "results.json").read_bytes()
    code, out, err = tamis(*STUDY, "--seed", "4")
    assert code == 2
    assert out == ""
    assert "--resume" in err
    assert (folder / "tamis-made" / "results.json").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("stdy",), "did you mean 'study'?"),
        (("study", "made.csv"), "--target"),
        (("study", "mode.csv", "--target", "diagnosis"), "did you mean 'made.csv'?"),
        (("study", "xyzzy", "--target", "diagnosis"), "holds 1 table, none with a similar name"),
        (("study", "made.csv", "--target", "diagnosis", "--metric", "acuracy"), "'accuracy'?"),
        (("study", "made.csv", "--target", "diagnoses"), "did you mean 'diagnosis'?"),
        (("study", "made.csv", "--target", "diagnosis", "--positive", "ill"), "ill"),
        (("study", "made.csv", "--target", "g1"), "regression"),
        (("study", "made.csv", "--target", "diagnosis", "--plan", "no.toml"), "cannot read plan"),
        (("study", "made.csv", "--target", "diagnosis", "--covariate", "age"), "age"),
        (("predict", "made.csv", "made.csv"), "is not a model"),
        (("predict", ".", "made.csv"), "a study keeps its model there in model.npz"),
        (("study", "made.csv", "--target", "diagnosis", "--transpose"), "leave out --transpose"),
        (("report", "nowhere"), "not the folder of a study"),
        (("study", "made.csv", "--target", "diagnosis", "--n-jobs", "x"), "x"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(tamis, folder, arguments, says):
    code, out, err = tamis(*arguments)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1
    assert out == ""


def test_more_folds_than_members_is_one_line(tamis, folder):
    (folder / "plan.toml").write_text("outer = { folds = 30 }", encoding="utf-8")
    code, _, err = tamis(*STUDY)
    assert code == 2
    assert "fewer than the 30 outer folds: use at most" in err


def test_methods_lists_the_registry(tamis):
    code, out, _ = tamis("methods")
    assert code == 0
    assert "moderated_t" in out
    lines = [line for line in out.splitlines() if line.startswith("  ")]
    begin = {len(re.match(r"  \S+ +", line)[0]) for line in lines}
    assert len(begin) == 1  # summaries stand one below the other
    _, as_json, _ = tamis("methods", "--json")
    keys = {"name", "role", "key", "parameters", "own", "title", "summary", "page", "outcomes"}
    methods = json.loads(as_json)["methods"]
    assert all(set(method) == keys for method in methods)
    assert [m["name"] for m in methods if m["role"] == "search"] == ["mcfs", "rit", "irf", "pairs"]


@pytest.fixture
def model(tamis, folder):
    tamis(*STUDY, "--quiet")
    return folder / "tamis-made" / "model.npz"


def predictions(out):
    return list(csv.DictReader(io.StringIO(out), delimiter="\t"))


def test_predict_finds_columns_by_name(tamis, folder, model):
    data = make_data(seed=1, n=10)
    write_table(folder / "new.csv", data, labels=False)
    write_table(folder / "other.csv", data, labels=True, columns=list(range(59, -1, -1)))
    code, out, _ = tamis("predict", model, "new.csv")
    assert code == 0
    rows = predictions(out)
    assert [r["sample"] for r in rows] == [f"s{i}" for i in range(10)]
    assert np.mean([r["predicted"] == y for r, y in zip(rows, data.y, strict=True)]) > 0.8
    for row in rows:
        assert float(row["p(a)"]) + float(row["p(b)"]) == pytest.approx(1)
    assert tamis("predict", model, "other.csv")[1] == out


def test_predict_says_nothing_of_columns_that_the_model_does_not_use(tamis, folder, model):
    rows = [row.partition(",")[2] for row in (folder / "made.csv").read_text().splitlines()]
    assert rows[0].startswith("diagnosis,")  # in the place of sample ids
    (folder / "new.csv").write_text("\n".join(rows))
    code, _, err = tamis("predict", model, "new.csv")
    assert code == 0
    assert "categorical" not in err


def test_predict_one_sample_equals_predicting_all(tamis, folder, model):
    data = make_data(seed=1, n=10)
    write_table(folder / "new.csv", data, labels=False)
    lines = (folder / "new.csv").read_text().splitlines()
    (folder / "single.csv").write_text("\n".join([lines[0], lines[4]]) + "\n")
    whole = tamis("predict", model, "new.csv")[1].splitlines()
    single = tamis("predict", model, "single.csv")[1].splitlines()
    assert single == [whole[0], whole[4]]


def test_predict_refuses_missing_features_by_name(tamis, folder, model):
    needed = json.loads((folder / "tamis-made" / "results.json").read_text())["final"]["features"]
    data = make_data(seed=1, n=10)
    columns = [j for j, name in enumerate(data.feature_names) if name != needed[0]]
    write_table(folder / "new.csv", data, columns=columns)
    code, out, err = tamis("predict", model, "new.csv")
    assert (code, out) == (2, "")
    assert f"lacks 1 of the {len(needed)}" in err
    assert repr(needed[0]) in err


def test_predict_refuses_text_where_the_model_has_numbers(tamis, folder, model):
    needed = json.loads((folder / "tamis-made" / "results.json").read_text())["final"]["features"]
    header = ",".join(["sample", *needed])
    rows = [",".join([f"s{i}", *(["high"] * len(needed))]) for i in range(4)]
    (folder / "new.csv").write_text("\n".join([header, *rows]) + "\n")
    code, _, err = tamis("predict", model, "new.csv")
    assert code == 2
    assert "must be numeric" in err


@pytest.mark.parametrize("cells", [["1.5", "x", "2", "3"], ["1 mg", "2 mg", "3 mg", "4 mg"]])
def test_predict_offers_no_option_that_it_lacks(tamis, folder, model, cells):
    needed = json.loads((folder / "tamis-made" / "results.json").read_text())["final"]["features"]
    rows = ["sample;" + ";".join(needed), *(";".join([f"s{c}", *[c] * len(needed)]) for c in cells)]
    (folder / "new.csv").write_text("\n".join(rows) + "\n")
    code, _, err = tamis("predict", model, "new.csv")
    assert (code, err.count("\n")) == (2, 1)
    assert ("row 2 has text" if "x" in cells else needed[0]) in err
    assert "categorical" not in err


def test_predict_fills_missing_values_and_ignores_odd_columns(tamis, folder, model):
    data = make_data(seed=1, n=6)
    path = write_table(folder / "new.csv", data, labels=False)
    lines = path.read_text().splitlines()
    head = lines[0].split(",") + ["remark", "nothing"]
    rows = [line.split(",") + [f"free text {i}", ""] for i, line in enumerate(lines[1:])]
    rows[0][1:-2] = [""] * (len(rows[0]) - 3)
    path.write_text("\n".join(",".join(r) for r in [head, *rows]) + "\n")
    code, out, _ = tamis("predict", model, path)
    assert code == 0
    assert len(predictions(out)) == 6


def test_evaluate_gives_intervals_and_a_confusion_matrix(tamis, folder, model):
    data = make_data(seed=2, n=30)
    write_table(folder / "cohort.csv", data)
    code, out, _ = tamis("evaluate", model, "cohort.csv", "--target", "diagnosis", "--json")
    found = json.loads(out)
    assert code == 0
    bcr = found["metrics"]["bcr"]
    assert bcr["low"] <= bcr["mean"] <= bcr["high"]
    counts = np.array(found["confusion"])
    assert counts.sum() == 30
    recalls = np.diag(counts) / counts.sum(axis=0)
    assert bcr["mean"] == pytest.approx(recalls.mean())
    code, again, err = tamis(
        "evaluate", model, "cohort.csv", "--target", "diagnosis", "--json", "--out", "e.json"
    )
    assert (code, again) == (0, out)
    assert "written to e.json" in err
    assert json.loads((folder / "e.json").read_text()) == {"kind": "evaluation", **found}
    code, out, _ = tamis("evaluate", model, "cohort.csv", "--target", "diagnosis")
    assert "30 samples (15 diagnosis = a, 15 diagnosis = b)" in out
    assert [line.strip()[:12] for line in out.splitlines()[1:4]] == [
        "balanced acc",
        "AUC         ",
        "sensitivity ",
    ]
    assert "predicted \\ true  diagnosis = a  diagnosis = b" in out


def test_evaluate_takes_a_cohort_of_one_class_and_refuses_unknown_ones(tamis, folder, model):
    data = make_data(seed=2, n=30)
    write_table(folder / "cohort.csv", data)
    lines = (folder / "cohort.csv").read_text().splitlines()
    ill = [line for line in lines if ",b," in line]
    (folder / "ill.csv").write_text("\n".join([lines[0], *ill]) + "\n")
    code, out, _ = tamis("evaluate", model, "ill.csv", "--target", "diagnosis")
    assert code == 0
    assert "  sensitivity for diagnosis = b " in out
    (folder / "odd.csv").write_text("\n".join(lines).replace(",b,", ",c,") + "\n")
    code, _, err = tamis("evaluate", model, "odd.csv", "--target", "diagnosis")
    assert code == 2
    assert "classes the model does not know: 'c'" in err


def test_evaluate_counts_patients_and_warns_before_its_figures(tamis, folder, model):
    data = make_data(seed=2, n=30)
    write_table(folder / "cohort.csv", replace(data, X=1000 * data.X))
    lines = (folder / "cohort.csv").read_text().splitlines()
    rows = [f"patient,{lines[0]}", *(f"p{i // 2},{line}" for i, line in enumerate(lines[1:]))]
    (folder / "cohort.csv").write_text("\n".join(rows) + "\n")
    cohort = ("cohort.csv", "--id", "sample", "--target", "diagnosis", "--group", "patient")
    code, out, err = tamis("evaluate", model, *cohort)
    assert (code, err) == (0, "")
    assert " in 15 groups" in out.splitlines()[0]
    assert out.splitlines()[1].startswith("  ! other-scale: ")
    code, out, err = tamis("predict", model, "cohort.csv", "--id", "sample")
    assert len(predictions(out)) == 30
    assert "  ! outside-range: " in err


def test_help_answers_in_half_a_second():
    """A broad bound on the lazy imports: nothing heavy may be loaded for help."""
    code = (
        "import sys; sys.argv = ['tamis', '--help']\n"
        "from tamis.cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'sklearn', 'numba', 'scipy', 'pyarrow'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr.strip() == "[]"


def test_ctrl_c_stops_where_no_thread_can_be_begun(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    with pytest.raises(KeyboardInterrupt):
        _Stop()(signal.SIGINT, None)


@pytest.mark.parametrize(
    ("stops", "says"),
    [(True, (130, "stopped; what is finished is kept")), (False, (2, "tamis: Broken pipe"))],
)
def test_a_worker_s_pipe_that_breaks_is_no_success(stops, says):
    """Nobody reading stdout is one, and click makes an exit of both."""
    breaks = f"""
import os, signal, time
from tamis.cli import main as command
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs behind
def invoke(ctx):
    try:
        if {stops}:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
    finally:
        raise BrokenPipeError(32, "Broken pipe")
command.main.invoke = invoke
command.run()
"""
    asked = [sys.executable, "-c", breaks, "study"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60)
    assert done.returncode == says[0]
    assert says[1] in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.longer
def test_workers_that_start_while_the_table_is_read_give_the_same(tamis, folder):
    told = {}
    for jobs in ("2", "1"):
        words = ("--permutations", "19", "--n-jobs", jobs, "--out", f"{jobs}/study", "--quiet")
        code, told[jobs], _ = tamis("study", "made.csv", "--target", "diagnosis", *words)
        assert code == 0
    assert told["2"].replace("2/study", "1/study") == told["1"]
    files = [p.relative_to(folder / "1") for p in (folder / "1").rglob("*.*")]
    differ = [
        p for p in files if (folder / "1" / p).read_bytes() != (folder / "2" / p).read_bytes()
    ]
    assert [p.name for p in differ] == ["journal.jsonl"]


@pytest.mark.slow  # CI runs the demo as the README has it
def test_the_demo_is_the_default_study_of_the_bundled_data(tamis, folder):
    start = time.monotonic()
    code, out, err = tamis("demo", "--json", "--n-jobs", "2")
    assert code == 0
    result = json.loads(out)
    assert result["data"]["digest"] == load_golub().digest()
    assert result["metrics"]["bcr"]["mean"] > 0.9
    assert result["permutation"]["n"] == 99
    assert result["warnings"] == []
    assert (folder / "tamis-demo" / "report.html").exists()
    if time.monotonic() - start > 10:
        assert "study:" in err  # progress shows on anything long


def test_another_decision_keeps_its_parameters_and_says_whom_it_does_not_reach(tamis, folder):
    (folder / "p.toml").write_text(
        'decide = "youden"\nrecalibrate = "platt"\n[[method]]\nselect = "pearson"\n[[method]]\n'
        'select = "pam"\ndecide = "best_f"\nrecalibrate = "isotonic"\n',
        encoding="utf-8",
    )
    args = [*STUDY[:4], "--plan", "p.toml", "--dry-run"]
    for key, name, wrong in (
        ("decide", "balanced", "balancd"),
        ("recalibrate", "temperature", "temprature"),
        ("recalibrate", "none", "nne"),
    ):
        code, out, err = tamis(*args, f"--{key}", name)
        assert code == 0
        assert f'name = "{name}"' in out or f'{key} = "{name}"' in out
        assert "not 'pam'" in err
        code, _, err = tamis(*args, f"--{key}", wrong)
        assert code == 2
        assert f"did you mean '{name}'" in err
    assert len(err.strip().splitlines()) == 1


def test_a_metric_over_a_plan_of_another_says_what_the_plan_keeps(tamis, folder):
    _, plan, _ = tamis(*STUDY[:4], "--dry-run", "--quiet")
    (folder / "bcr.toml").write_text(plan, encoding="utf-8")
    args = [*STUDY[:4], "--plan", "bcr.toml", "--dry-run"]
    kept = "the plan's decide = 'balanced' and tune = 'balanced_log_score' are kept"
    for more, says in (
        (("--metric", "accuracy"), f"--metric accuracy: {kept}"),
        (("--metric", "accuracy", "--decide", "arg_max"), "the plan's tune = 'balanced_log_sc"),
        (("--metric", "auc"), ""),
        ((), ""),
    ):
        code, _, err = tamis(*args, *more)
        assert code == 0
        assert (says in err) if says else " kept" not in err


@pytest.mark.parametrize(
    "module", ["tamis.model.file", "tamis.model.cohort", "tamis.report._render"]
)
def test_models_and_reports_open_without_scikit_learn(module):
    code = f"import sys, {module}; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
