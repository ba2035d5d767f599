"""Estimators of a user's own: made, refused, seeded, contained, described."""

from __future__ import annotations

import os
import pickle
import sys
import types
import warnings
from functools import partial

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.feature_selection import RFECV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from tamis._core import own_code, own_source
from tamis._core.errors import DataError, PlanError
from tamis._core.own_code import Own, OwnCodeError, own_given, own_named, running_own_code


class Plain:
    """It can be fitted, and has no `get_params`."""

    def __init__(self, power=2, n_jobs=1):
        self.power, self.n_jobs = power, n_jobs

    def fit(self, X, y):
        return self


class Counted(BaseEstimator):
    """Of a package that is not scikit-learn."""

    def __init__(self, n_jobs=None, random_state=None):
        self.n_jobs, self.random_state = n_jobs, random_state

    def fit(self, X, y):
        return self


class NeedsPower(Plain):
    def __init__(self, power):
        super().__init__(power)


class Unfit:
    """It has no `fit`."""


def make_plain():
    return Plain(3)


def make_number():
    return 4


def make_unfit():
    return Unfit()


def make_class():
    return Counted


def fails_to_make():
    raise ValueError("no\nway")


@pytest.fixture
def module(monkeypatch, tmp_path):
    """Writes modules into a folder that plans may name, and forgets them again."""
    monkeypatch.setattr(own_code, "_folders", [])
    monkeypatch.setattr(own_code, "_given", {})
    monkeypatch.setattr(own_code, "_seen_code", {})
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    own_code.code_folder(str(tmp_path))

    def write(name, text):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    yield write
    for name in set(sys.modules) - before:
        if name.startswith("mine"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (make_number, "int"),
        (make_unfit, "Unfit"),
        (make_class, "the class Counted"),  # it has `fit`, and is no object
    ],
)
def test_what_a_function_gives_has_to_be_an_object_with_fit(given, words):
    with pytest.raises(PlanError) as error:
        own_given(given).made()
    assert str(error.value) == (
        f"'{__name__}:{given.__name__}' gives {words} and no object with `fit`"
    )


def test_settings_are_of_classes_and_of_what_takes_them():
    assert own_given(Plain).made({"power": 5}).power == 5
    assert own_given(Counted).made({"n_jobs": 1}).n_jobs == 1
    assert own_given(make_plain).made().power == 3
    with pytest.raises(PlanError, match=r":make_plain' takes no parameters: 'power'$"):
        own_given(make_plain).made({"power": 5, "zeal": 1})
    assert own_given(Plain).parameters == ("power", "n_jobs")
    assert own_given(Counted).parameters == ("n_jobs", "random_state")
    assert own_given(make_plain).parameters == ()


def test_a_class_is_made_anew_and_an_object_is_copied():
    own, given = own_given(SVC(C=3)), SVC(C=3)
    assert own.made().C == 3
    assert own.made({"C": 4}).C == 4
    assert own.given is not given
    assert own.made() is not own.made()
    assert own.example is own.example
    assert own.short == "SVC"
    assert own_given(SVC).short == "SVC"


@pytest.mark.every
@pytest.mark.parametrize(
    ("given", "says"),
    [
        (partial, r"^'partial' has no `fit`: give a class or object of an estimator$"),
        (Unfit(), r"^'Unfit' has no `fit`"),
        (NeedsPower, r"^'NeedsPower' cannot be made without 'power': name a function without arg"),
        (Plain(), r"^'Plain' is an object without `get_params`, which may know samples already"),
        (lambda *_, **__: Plain(), r"^'<lambda>' is inside a function or class: move it out"),
        (lambda a=1, *, b: b, r"is a function that needs 'b': only one without arguments"),
        (FrozenEstimator(SVC()), r"^a FrozenEstimator stays fitted to the samples it has seen"),
        (make_pipeline(FrozenEstimator(SVC())), r"^a FrozenEstimator stays fitted"),
    ],
)
def test_what_cannot_be_fitted_anew_is_refused(given, says):
    with pytest.raises(PlanError, match=says):
        own_given(given)


@pytest.mark.every
@pytest.mark.parametrize("given", [None, True, 3, 0.5, [SVC], (SVC,), {"name": "svc"}])
def test_what_is_no_estimator_is_not_named(given):
    with pytest.raises(PlanError, match=r"^select = .*: give a name, or a class or object of an"):
        own_code.given_name(given, "select")
    assert own_code.given_name("knn", "select") == "knn"
    assert own_code.given_name(SVC, "select") == "sklearn.svm:SVC"


def test_names_that_name_nothing_are_refused(module):
    module(
        "mine_a", "class Good:\n    def fit(self, X, y):\n        pass\nclass _Not(Good): pass\n"
    )
    module("mine_b", "raise ValueError('not\\ntoday')")
    module("mine_c", "import mine_absent")
    module("mine_d", "number = 3\n")
    for name, says in {
        "mine_a:Good-": r"^'mine_a:Good-' is no name of own code: write package\.module:Class$",
        "mine_a:Goo": r"mine_a\.py has no 'Goo': did you mean 'Good'\?$",
        "mine_a:Zzz": r"mine_a\.py has no 'Zzz': choose from 'Good'$",
        "mine_d:Good": r"mine_d\.py has no 'Good': nothing there can be fitted$",
        "mine_b:Good": r"^'mine_b:Good' cannot be imported \(ValueError: not today\)$",
        "mine_c:Good": r"cannot be imported \(ModuleNotFoundError: No module named 'mine_absent'",
        "mine_e:Good": r"^no module 'mine_e' for 'mine_e:Good': install it, or name the folder it",
        "mine_e.py:Good": r"^no module 'mine_e' for 'mine_e\.py:Good': write the module without",
        "mine_e.f:Good": r"^no module 'mine_e' for 'mine_e\.f:Good': install it",
        "json:Good": r"^'json:Good' is of Python itself or a program: name a module of a package",
        "mine_a.__main__:Good": r"is of Python itself or a program",
        f"mine_a:Good-{'0' * 12}": r"is an object of another session: give it in Python again$",
        "sklearn.base:clone": r"is a function of an installed package, and a plan may call those",
    }.items():
        with pytest.raises(PlanError, match=says):
            own_named(name)
    with pytest.raises(PlanError, match=r"^'a b' is no name of own code"):
        own_code.object_named("a b")
    own = own_named("mine_a:Good")
    assert own_named("mine_a:Good") is own
    assert own.edited == own_source.edited_sources(own.given)
    module("mine_f", "def make():\n    import mine_a\n    return mine_a.Good()\n")
    assert type(own_named("mine_f:make").made()).__name__ == "Good"  # of a folder that was named


def test_what_was_edited_is_imported_anew(module, tmp_path):
    path = module("mine_g", "class Good:\n    fit, number = print, 1\n")
    first = own_named("mine_g:Good")
    assert first.given.number == 1
    path.write_text("class Good:\n    fit, number = print, 22\n")
    assert own_code._revived_own("mine_g:Good", (), first.edited, b"").given.number == 1
    edited = (("mine_g", str(tmp_path), "another digest"),)
    again = own_code._revived_own("mine_g:Good", (str(tmp_path),), edited, b"")
    assert again.given.number == 22
    assert own_code.code_folders() == [str(tmp_path)]


def test_an_object_is_known_where_it_is_read():
    own = own_given(SVC(C=7))
    given = own_code._given.pop(own.name)
    try:
        with pytest.raises(PlanError, match="is an object of another session"):
            own_named(own.name)
        read = pickle.loads(pickle.dumps(own))
        assert own_named(own.name) is read
        assert (read.name, read.given.C, read.edited) == (own.name, 7, own.edited)
    finally:
        own_code._given[own.name] = given
    assert pickle.loads(pickle.dumps(own_given(SVC))).given is SVC


def test_what_own_code_raises_is_one_line_with_its_trace():
    own = Own("mine:Good", None)
    with (
        pytest.raises(OwnCodeError, match=r"^'mine:Good' could not fit \(ValueError: no way\)$"),
        running_own_code(own, "fit"),
    ):
        fails_to_make()
    with pytest.raises(OwnCodeError) as error:
        own_given(fails_to_make).made()
    assert "in fails_to_make" in error.value.trace
    error.value.check = "leak"
    read = pickle.loads(pickle.dumps(error.value))
    assert (str(read), read.trace, read.check) == (str(error.value), error.value.trace, "leak")
    placed = read.at("fold 2")
    assert str(placed) == f"fold 2: {read}"
    assert (placed.trace, placed.check) == (read.trace, "leak")
    for raised in (DataError("x"), KeyboardInterrupt(), MemoryError()):
        with pytest.raises(type(raised)), running_own_code(own, "fit"):
            raise raised
    with pytest.raises(OwnCodeError, match="SystemExit: 7"), running_own_code(own, "fit"):
        sys.exit(7)


def test_what_own_code_prints_and_warns_of_is_on_stderr(capfd, monkeypatch):
    monkeypatch.setattr(own_code, "_warned", set())
    for _ in range(2):
        with running_own_code(Own("mine:Good", None), "fit"):
            print("by Python")
            os.write(1, b"by a library\n")
            warnings.warn("of\nold", DeprecationWarning, stacklevel=1)
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("by Python") == err.count("by a library") == 2
    assert err.count("mine:Good: DeprecationWarning: of old") == 1  # once
    os.write(1, b"again\n")
    assert capfd.readouterr().out == "again\n"


def test_what_draws_is_seeded_by_its_place_and_has_one_job():
    inner = LogisticRegression(random_state=1, n_jobs=4)
    given = make_pipeline(Counted(), inner)
    made = [own_given(given).made({}, np.random.SeedSequence(k)) for k in (5, 5, 6)]
    seeds = [[step.random_state for _, step in one.steps] for one in made]
    sequence = [np.random.SeedSequence(5, spawn_key=(k,)).generate_state(1)[0] for k in (1, 2)]
    assert seeds[0] == [int(one >> 1) for one in sequence]  # the pipeline itself is the first
    assert seeds[0] == seeds[1]
    assert set(seeds[0]).isdisjoint(seeds[2])
    assert [step.n_jobs for _, step in made[0].steps] == [1, 1]
    assert (inner.random_state, inner.n_jobs) == (1, 4)
    free = own_given(given).made()
    assert [step.random_state for _, step in free.steps] == [None, 1]
    assert own_given(LogisticRegression(n_jobs=None)).made().n_jobs is None  # one, as it is
    assert [type(one).__name__ for one in own_code.inner_parts(given)] == [
        "Pipeline",
        "Counted",
        "LogisticRegression",
    ]


def test_what_draws_is_found_inside_of_lists_and_mappings():
    splits, machine = StratifiedKFold(3, shuffle=True), SVC()
    inside = [{"a": machine, "b": (splits, SVC, "c")}, machine]
    assert list(own_code.inner_parts(inside)) == [machine, splits]
    made = own_given(RFECV(SVC(), cv=splits)).made({}, np.random.SeedSequence(5))
    # the first is RFECV itself; what has no `set_params` is seeded all the same
    drawn = {
        type(one).__name__: int(np.random.SeedSequence(5, spawn_key=(k,)).generate_state(1)[0] >> 1)
        for k, one in enumerate(own_code.inner_parts(made))
    }
    assert list(drawn) == ["RFECV", "StratifiedKFold", "SVC"]
    assert made.cv.random_state == drawn["StratifiedKFold"]
    assert made.estimator.random_state == drawn["SVC"]
    assert splits.random_state is None


def test_a_function_or_class_that_was_typed_in_is_known_by_what_it_does():
    def body(text):
        space = {"__name__": "__main__"}
        exec(compile(text, "<typed>", "exec"), space)
        return own_source.described_object(space["f"])

    one, other, same = (
        body(f"def f(x={d}):\n    return x + {k}") for d, k in ((0, 1), (0, 2), (0, 1))
    )
    assert one == same
    assert one != other
    assert one != body("def f(x=1):\n    return x + 1")
    assert one["code"] == "__main__:f"
    classes = [body(f"class f:\n    def g(self):\n        return {k}") for k in (1, 2, 1)]
    assert classes[0] == classes[2] != classes[1]
    assert list(classes[0]["body"]) == ["g"]


def test_descriptions_of_settings():
    described = own_source.described_object
    assert described([1, None, "a", float("nan"), np.float64(0.5)]) == [1, None, "a", "nan", 0.5]
    assert described({2: (1, {3, 1})}) == {"2": [1, [1, 3]]}
    assert described(partial(np.mean, axis=1)) == {
        "partial": [{"code": "numpy:mean"}, [], {"axis": 1}]
    }
    assert described(np.arange(3.0)) != described(np.arange(3))
    assert described(np.arange(4.0)) != described(np.arange(4.0).reshape(2, 2))
    assert described(Plain(5)) == {
        "code": {"code": f"{__name__}:Plain"},
        "settings": {"power": 5, "n_jobs": 1},
    }
    nested = []
    for _ in range(30):
        nested = [nested]
    assert str(described(nested)).count("[") == 21
    assert described(object())["code"] == "builtins:object"
    assert len(described(object())["bytes"]) == 24
    assert own_source.public_name(LogisticRegression()) == "sklearn.linear_model:LogisticRegression"


def test_versions_are_of_packages_and_digests_of_files(module, monkeypatch, tmp_path):
    path = module("mine_h", "class Good:\n    fit = print\n")
    given = own_named("mine_h:Good").given
    [[top, digest]] = own_source.source_versions(given).items()
    assert top == "mine_h"
    assert own_source.edited_sources(given) == (("mine_h", str(tmp_path), digest),)
    path.write_text("class Good:\n    fit = max\n")
    assert own_source.source_versions(given)["mine_h"] != digest
    path.unlink()
    assert own_source.source_versions(given) == {"mine_h": None}
    module("mine_p/__init__", "")
    module("mine_p/sub", "class Good:\n    fit = print\n")
    inside = own_named("mine_p.sub:Good").given
    [(top, folder, digest)] = own_source.edited_sources(inside)
    assert (top, folder) == ("mine_p", str(tmp_path))
    module("mine_p/other", "number = 1\n")  # which the class may import
    assert own_source.edited_sources(inside)[0][2] != digest
    assert own_source.edited_sources(SVC()) == ()
    names = {"numpy": ["numpy"], "sklearn": ["scikit-learn", "numpy", "scikit-learn"]}
    monkeypatch.setattr(own_source, "_installed_distributions", lambda: names)
    versions = own_source.source_versions([SVC(), {"a": partial(np.mean, 1)}, None, np.ones(2)])
    numpy = f"numpy {np.__version__}"
    assert versions == {"numpy": numpy, "sklearn": f"{numpy} scikit-learn {sklearn.__version__}"}
    typed = types.FunctionType(compile("1", "<typed>", "eval"), {"__name__": "__main__"})
    assert own_source.source_versions(typed) == {"__main__": None}
