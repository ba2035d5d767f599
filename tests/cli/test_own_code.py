"""A user's own code through the command: found, run, contained, kept apart, saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import tamis as tamis_package
from common.studies import make_data
from common.tables import write_table
from tamis._core import own_code, registry

HOME = os.path.dirname(os.path.dirname(tamis_package.__file__))
MODULE = '''
import sys
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.naive_bayes import GaussianNB

class Nearer(ClassifierMixin, BaseEstimator):
    """Works; prints, and writes into what it is given."""
    def __init__(self, power=2):
        self.power = power
    def fit(self, X, y):
        print("fitting")
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        X[:] = 0
        return self
    def gaps(self, X):
        return (np.abs(X[:, None] - self.means_) ** self.power).sum(axis=2)
    def predict(self, X):
        return self.classes_[self.gaps(X).argmin(axis=1)]

class Loud(Nearer):
    def predict_proba(self, X):
        gap = np.exp(-self.gaps(X))
        X[:] = 0
        return gap / gap.sum(axis=1, keepdims=True)

class FitFails(Nearer):
    def fit(self, X, y):
        raise ZeroDivisionError("no\\nway")

class FitExits(Nearer):
    def fit(self, X, y):
        sys.exit(7)

class PredictFails(Nearer):
    def predict(self, X):
        return self.nothing

class Strange(Nearer):
    def predict(self, X):
        return np.full(len(X), 7)

class Texts(Nearer):
    def predict(self, X):
        return np.array(["a"] * len(X))

class Narrow(Nearer):
    def predict_proba(self, X):
        return np.ones(len(X))

class Gaps(Nearer):
    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)

class Sums(Nearer):
    def predict_proba(self, X):
        return np.full((len(X), 2), .9)

class Together(Loud):
    """Standardises by the samples that are predicted together."""
    def predict_proba(self, X):
        return super().predict_proba((X - X.mean(axis=0)) / (X.std(axis=0) + 1e-9))
    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)

class Threshold(Loud):
    """Says yes at a fifth."""
    def predict(self, X):
        return (self.predict_proba(X)[:, 1] > .2).astype(int)

class Unsaved(Loud):
    def fit(self, X, y):
        self.secret_ = (i for i in range(3))
        return super().fit(X, y)

class ShortSupport(SelectKBest):
    def get_support(self, indices=False):
        return np.ones(3, dtype=bool)

class Numbers(SelectKBest):
    def get_support(self, indices=False):
        return np.arange(12)

class Wants(Nearer):
    def __init__(self, power):
        self.power = power

class Nothing:
    pass

def wants(power):
    return Nearer(power)

def nothing():
    return 3

def given_class():
    return Nearer

def regression():
    return LinearRegression()

def columns():
    return make_pipeline(ColumnTransformer([("a", StandardScaler(), [0])]), GaussianNB())

FITTED = make_pipeline(StandardScaler(), GaussianNB())
'''
PLAN = """
permutations = 0
{top}
[outer]
folds = 3
[inner]
folds = 2
repeats = 1
[[method]]
{method}
"""
# in this process: workers that wait would know the code of an earlier test
STUDY = (
    "study",
    "t.csv",
    "--target",
    "diagnosis",
    "--plan",
    "plan.toml",
    "--n-jobs",
    "1",
    "--out",
    "s",
)
CODE = ("--code", "code")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table, and a folder of code that no other test has imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(own_code, "_folders", [])
    monkeypatch.setattr(own_code, "_given", {})
    write_table("t.csv", make_data(seed=6, n=36, p=12, shift=2.0))
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "my.py").write_text(MODULE)
    yield tmp_path
    forget()


def forget():
    """As in another process."""
    sys.modules.pop("my", None)
    own_code._given.clear()
    registry._row_of.cache_clear()


def plan(folder, method, top=""):
    (folder / "plan.toml").write_text(PLAN.format(method=method, top=top))


def by(name):
    return f'select = "pearson"\nsizes = [2]\nclassify = "my:{name}"'


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_class_of_the_plans_own_folder(tamis, folder, n_jobs):
    plan(folder, by("Loud"))
    code, out, err = tamis(*STUDY, *CODE, "--n-jobs", n_jobs, "--json")
    assert code == 0, err
    found = json.loads(out)  # what the class printed is on stderr
    assert found["metrics"]["bcr"]["mean"] > 0.8
    assert found["metrics"]["auc"]["mean"] > 0.8
    assert found["methods"][0]["name"] == "pearson+Loud"
    assert "Loud() (my)" in found["methods_text"]


def test_without_code_its_folder_is_not_importable(tamis, folder):
    plan(folder, by("Loud"))
    code, out, err = tamis(*STUDY)
    assert code == 2
    assert not out
    assert err.count("\n") == 1
    assert "no module 'my' for 'my:Loud'" in err
    assert "--code DIR" in err
    assert not (folder / "s").exists()


@pytest.mark.longer
@pytest.mark.parametrize("way", ["module", "script", "path", "empty path"])
def test_nothing_is_imported_from_the_working_directory(folder, way):
    """However the command was started; a module that lies there leaves a trace."""
    (folder / "my.py").write_text("open('it-ran', 'w').close()\n" + MODULE)
    (folder / "numbers_of_mine.py").write_text("open('it-ran', 'w').close()\n")
    plan(folder, by("Loud"))
    start = ["-m", "tamis"] if way == "module" else ["-c", "from tamis.cli.main import run; run()"]
    path = {"path": f"{HOME}{os.pathsep}{folder}", "empty path": f"{HOME}{os.pathsep}"}
    done = subprocess.run(
        [sys.executable, *start, *STUDY],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path.get(way, HOME)},
    )
    assert done.returncode == 2
    assert "no module 'my' for 'my:Loud'" in done.stderr
    assert not (folder / "it-ran").exists()


@pytest.mark.longer
def test_nor_do_worker_processes(folder):
    """They and joblib's tracker, which Python starts by itself, are asked for modules by name."""
    for name in ("random", "socket", "psutil", "joblib"):
        (folder / f"{name}.py").write_text("open('it-ran', 'w').close()\n")
    plan(folder, by("sklearn.svm:SVC").replace("my:", ""))
    done = subprocess.run(
        [sys.executable, "-m", "tamis", *STUDY, "--n-jobs", "2"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f".{os.pathsep}{HOME}"},
    )
    assert not (folder / "it-ran").exists()
    assert done.returncode == 0, done.stderr


BROKEN_PLANS = [
    (by("Nothing"), "'my:Nothing' has no `fit`"),
    (by("Lound"), "did you mean 'Loud'?"),
    (by("Wants"), "cannot be made without 'power'"),
    (by("wants"), "needs 'power'"),
    (by("nothing"), "gives int and no object with `fit`"),
    (by("regression"), "is a regressor"),
    (by("KMeans"), "is a clusterer"),
    (by("given_class"), "gives the class Nearer"),
    (by("Loud").replace("my:", "pytest:").replace("Loud", "console_main"), "of --code DIR alone"),
    ('select = "sklearn.feature_selection.SelectKBest"', "sklearn.feature_selection:SelectKBest"),
    (by("columns"), "ColumnTransformer, which names columns"),
    (by('Loud"\ndecide = "costs'), "unknown name decide"),
    ('select = "my:Loud"', "has no `get_support`"),
    (by("Loud").replace("my:", "os:"), "of Python itself"),
    ('select = "os:abort"', "of Python itself"),
    ('select = "tamis.__main__:run"', "of Python itself"),
    ('select = "my.py:Loud"', "write the module without .py"),
    ('select = "my:Loud()"', "is no name of own code"),
    (by("Loud") + "\ngrid = {powr = [1]}", "did you mean 'power'?"),
    (by("Nearer") + '\ndecide = "best_f"', "'best_f' needs more than classify = 'my:Nearer' gives"),
    (
        by("Nearer") + '\nrecalibrate = "platt"',
        "'platt' needs more than classify = 'my:Nearer' gives (labels alone): write recalibrate = "
        '"none"',
    ),
    (by("Nearer") + '\ntune = "auc"', "'auc' cannot be had of classify = 'my:Nearer'"),
    ('select = "sklearn.feature_selection:VarianceThreshold"\nsizes = [2]', "no other size"),
]


@pytest.mark.parametrize(("method", "says"), BROKEN_PLANS)
def test_what_cannot_be_is_answered_in_one_line(tamis, folder, method, says):
    plan(folder, method)
    code, out, err = tamis(*STUDY, *CODE, "--quiet")
    assert code == 2
    assert not out
    assert says in err
    assert err.count("\n") == 1, err


@pytest.mark.parametrize("text", ["x = (", "raise SystemExit(3)", "import nowhere_at_all"])
def test_a_module_that_cannot_be_imported(tamis, folder, text):
    (folder / "code" / "my.py").write_text(text)
    plan(folder, by("Loud"))
    code, _, err = tamis(*STUDY, *CODE, "--quiet")
    assert code == 2
    assert "'my:Loud' cannot be imported" in err
    assert err.count("\n") == 1


BROKEN_CODE = [
    ("FitFails", "could not be fitted (ZeroDivisionError: no way)"),
    ("FitExits", "could not be fitted (SystemExit: 7)"),
    ("PredictFails", "could not predict (AttributeError"),
    ("Strange", "predict gives something else than the classes"),
    ("Texts", "predict gives something else than the classes"),
    ("Narrow", "predict_proba gives (24,) and not (samples, classes) = (24, 2)"),
    ("Gaps", "predict_proba gives numbers that are not finite"),
    ("Sums", "predict_proba gives rows that do not add to 1"),
    ("Together", "predicts a sample otherwise alone than among others"),
    ("Threshold", "`predict` gives other classes than those it believes in most"),
]


IN_WORKERS = [one for one in BROKEN_CODE if one[0] in ("FitFails", "Together")]  # one of each kind


@pytest.mark.longer
@pytest.mark.parametrize(
    ("name", "says", "n_jobs"),
    [(*one, 1) for one in BROKEN_CODE] + [(*one, 2) for one in IN_WORKERS],
)
def test_code_that_fails_is_told_with_method_and_fold(tamis, folder, name, says, n_jobs):
    plan(folder, by(name))
    code, out, err = tamis(*STUDY, *CODE, "--quiet", "--n-jobs", n_jobs)
    assert code == 2
    assert not out
    (line,) = [line for line in err.splitlines() if line.startswith("tamis: ")]
    assert f"method 'pearson+{name}', repeat 0, outer fold " in line
    assert says in line
    log = folder / "s" / "own_code_error.txt"
    assert log.exists() == ("s/own_code_error.txt" in line) == ("could not" in says)
    if log.exists():
        assert "Traceback" in log.read_text()


@pytest.mark.parametrize(
    ("name", "says"),
    [("ShortSupport", "one True or False for each of 12"), ("Numbers", "get_support() gives int")],
)
def test_selectors_whose_support_is_none(tamis, folder, name, says):
    plan(folder, f'select = "my:{name}"')
    code, _, err = tamis(*STUDY, *CODE, "--quiet", "--n-jobs", 1)
    assert code == 2
    assert says in err


@pytest.mark.longer
def test_margins_and_labels_alone_are_scored_as_far_as_they_go(tamis, folder):
    plan(folder, by("Nearer"))
    code, out, err = tamis(*STUDY, *CODE, "--json")
    assert code == 0, err
    metrics = json.loads(out)["metrics"]
    assert metrics["bcr"]["mean"] > 0.8
    for name in ("auc", "auprc", "bcm", "ccem"):
        assert metrics[name]["mean"] is None
        assert "labels alone" in metrics[name]["note"]
    page = (folder / "s" / "report.html").read_text(encoding="utf-8")
    assert "labels alone" in page
    header, *lines = (folder / "s" / "tables" / "predictions.tsv").read_text().splitlines()
    assert header.endswith("p(a)\tp(b)")
    assert lines
    assert all(line.endswith("\t\t") for line in lines)  # nothing is believed of them
    plan(folder, 'select = "pearson"\nsizes = [2]\nclassify = "sklearn.svm:LinearSVC"')
    code, out, err = tamis(*STUDY[:-1], "s2", "--json")
    assert code == 0, err
    metrics = json.loads(out)["metrics"]
    assert metrics["auc"]["mean"] > 0.8
    assert metrics["bcm"]["mean"] is None
    curves = json.loads(out)["headline"]["curves"]
    assert curves["roc"]
    assert not curves["pr"]
    plan(
        folder,
        'select = "pearson"\nsizes = [2]\nclassify = "sklearn.svm:LinearSVC"',
        'recalibrate = "platt"',
    )
    code, out, err = tamis(*STUDY[:-1], "s3", "--json")
    assert code == 0, err
    assert json.loads(out)["metrics"]["bcm"]["mean"] > 0.6


def test_a_study_does_not_go_on_with_other_code(tamis, folder):
    plan(folder, by("Loud"))
    assert tamis(*STUDY, *CODE)[0] == 0
    forget()
    assert tamis(*STUDY, *CODE, "--resume")[0] == 0
    (folder / "code" / "my.py").write_text(MODULE + "\n# another\n")
    forget()
    code, _, err = tamis(*STUDY, *CODE, "--resume", "--quiet")
    assert code == 2
    assert "the code of 'my:Loud' changed since 's' was begun ('my')" in err


def test_a_model_with_own_types_names_them_and_loads_only_with_trust(tamis, folder):
    plan(folder, by("Loud"))
    assert tamis(*STUDY, *CODE)[0] == 0
    table = ("t.csv", "--drop", "diagnosis")
    code, out, err = tamis("predict", "s/model.npz", *table, *CODE)
    assert code == 2
    assert not out
    assert "--trust my.Loud" in err
    code, out, err = tamis("predict", "s/model.npz", *table, *CODE, "--trust", "my.Loud")
    assert code == 0, err
    assert len(out.splitlines()) == 37
    code, _, err = tamis(
        "evaluate", "s/model.npz", "t.csv", "--target", "diagnosis", *CODE, "--trust", "my.Loud"
    )
    assert code == 0, err
    assert tamis("report", "s")[0] == 0  # the page needs no code


def test_a_model_that_cannot_be_saved_loses_no_study(tamis, folder):
    plan(folder, by("Unsaved"))
    code, out, err = tamis(*STUDY, *CODE)
    assert code == 0, err
    assert "model-not-saved" in out
    found = json.loads((folder / "s" / "results.json").read_text())
    assert found["final"]["path"] == ""
    assert not (folder / "s" / "model.npz").exists()


def test_a_dry_run_knows_own_code(tamis, folder):
    plan(folder, by("Loud") + "\ngrid = {power = [1, 2]}")
    code, out, err = tamis(*STUDY, *CODE, "--dry-run")
    assert code == 0, err
    assert 'classify = ["my:Loud"]' in out


def test_a_model_file_does_not_say_what_to_import(tamis, folder):
    """Whatever it names: code of the user's own is in the file itself, and asks for trust."""
    from dataclasses import replace

    from tamis.model.file import load_model, save_model
    from tamis.model.named_method import NamedMethod

    plan(folder, 'select = "pearson"\nsizes = [2]')
    assert tamis(*STUDY)[0] == 0
    model = load_model("s/model.npz")
    (folder / "code" / "evil.py").write_text("open('ran', 'w')\ndef go():\n    open('called', 'w')")
    for name in ("evil:go", "bagging(evil:go)", "evil:go-0123456789ab"):
        save_model(replace(model, made_by=NamedMethod("classify", name, {})), "e.npz")
        code, out, err = tamis("predict", "e.npz", "t.csv", *CODE)
        assert code == 2
        assert not out
        assert "names code to import" in err
    assert not (folder / "ran").exists()


def test_what_is_known_of_samples_goes_with_the_model(tamis, folder):
    """Labels alone and margins have no more in `evaluate` and `predict` than in the study."""
    plan(folder, by("Nearer"))
    assert tamis(*STUDY, *CODE)[0] == 0
    given = ("s/model.npz", "t.csv", *CODE, "--trust", "my.Nearer")
    code, out, err = tamis("evaluate", *given, "--target", "diagnosis", "--json")
    assert code == 0, err
    metrics = json.loads(out)["metrics"]
    assert metrics["bcr"]["mean"] > 0.8
    assert [metrics[k]["mean"] for k in ("auc", "auprc", "bcm", "ccem")] == [None] * 4
    code, out, err = tamis("predict", *given)
    assert code == 0, err
    assert "p(a)" not in out
    assert "label(a)" in out
