"""What a saved model may bring if a person trusts it, and what nobody can trust."""

from __future__ import annotations

import os
import sys

import pytest

from common.own_estimators import TYPES
from tamis._core.errors import ModelError
from tamis._core.trustable import refuse_dangerous, refuse_dangerous_objects

DANGEROUS = [
    "os.system",
    "posix.system",
    "os.popen",
    "subprocess.Popen",
    "subprocess.check_output",
    "builtins.eval",
    "builtins.exec",
    "builtins.getattr",
    "builtins.__import__",
    "importlib.import_module",
    "pickle.loads",
    "_pickle.loads",
    "shutil.rmtree",
    "ctypes.CDLL",
    "runpy.run_path",
    "code.InteractiveInterpreter",
    "webbrowser.open",
    "operator.methodcaller",
    "sklearn.svm._classes.SVC.__init__",
]


@pytest.mark.parametrize("name", DANGEROUS)
def test_what_runs_anything_is_never_trusted(name):
    with pytest.raises(ModelError, match="is part of no estimator and may run anything") as error:
        refuse_dangerous([*TYPES, name], [])
    assert repr(name) in str(error.value)


@pytest.mark.parametrize("name", ["joblib.load", "pandas.eval", "numpy.load", "numpy.save"])
def test_nor_is_a_function_of_a_library_that_has_no_estimators(name):
    with pytest.raises(ModelError, match=name):
        refuse_dangerous([name], [name])
    with pytest.raises(ModelError, match=name):
        refuse_dangerous_objects([name])


def test_what_estimators_are_made_of_is(tmp_path, monkeypatch):
    (tmp_path / "mine_alone.py").write_text("def log(x):\n    return x\nclass Mine: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = ["mine_alone.log", "mine_alone.Mine"]
    others = ["collections.OrderedDict", "datetime.datetime", "random.Random", "joblib.Parallel"]
    names = [*TYPES, *own, *others, "sklearn.tree._tree.Tree", "not_there.Estimator"]
    functions = ["sklearn.utils.validation.check_array", "mine_alone.log", "numpy.nan_to_num"]
    names += ["numpy.nan_to_num", "scipy.stats._stats_py.zscore"]
    refuse_dangerous(names, functions)
    assert "mine_alone" not in sys.modules  # nothing is imported before it is trusted
    refuse_dangerous_objects(names)


@pytest.mark.parametrize("attribute", ["os", "system", "popen", "run", "evaluate"])
def test_another_name_of_it_is_not_trusted_either(tmp_path, monkeypatch, attribute):
    """Libraries import what is dangerous, and have it by a name of their own."""
    (tmp_path / "other_names.py").write_text(
        "import os\nfrom os import system, popen\nfrom subprocess import run\nevaluate = eval\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    name = f"other_names.{attribute}"
    refuse_dangerous([name], [])
    with pytest.raises(ModelError, match=name):
        refuse_dangerous_objects([name])
    assert os.system  # is what it was
