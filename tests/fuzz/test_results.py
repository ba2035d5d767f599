"""Result folders that are spoiled are told in one line, or read: `just fuzz` asks many more."""

from __future__ import annotations

import json

import pytest

from fuzz.result_files import finished
from fuzz.structure import DEEP, HUGE, json_text
from tamis.study import Plan

pytestmark = pytest.mark.longer

FAMILY = "results"

# values of a file that once ended in a traceback, and what is said of them
ONCE = {
    "lists in each other": ("study/results.json", {"warnings": DEEP}, "not readable JSON"),
    "a number of 5,000 digits": ("study/results.json", {"n_selected": HUGE}, "not readable JSON"),
    "a number that is none": (
        "study/results.json",
        {"n_selected": float("nan")},
        "not readable JSON",
    ),
    "metrics that are gone": ("study/results.json", {"metrics": None}, "'metrics'"),
    "a metric that is none": ("study/results.json", {"metrics": {}}, "do not fit together"),
    "a rule that is a list": (
        "study/results.json",
        {"plan": {**Plan().model_dump(mode="json"), "reject": [5]}},
        "'plan.reject' should be a valid dictionary",
    ),
    "methods of a plan that say nothing": ("study/plan.json", {"method": [{}]}, "method.0.select"),
    "code that is a list": ("study/data.json", {"code": []}, "'code'"),
    "a method that is a table": (
        "pairs/interactions.json",
        {"method": {"a": 1}},
        "names no search",
    ),
    "sets that are a number": ("pairs/interactions.json", {"sets": 5}, "'sets'"),
    "settings that are text": ("mcfs/settings.json", {"settings": "x"}, "'settings'"),
}


@pytest.mark.parametrize("what", ONCE)
def test_faults_that_were(watched, tmp_path, what):
    name, changed, says = ONCE[what]
    for other, content in finished().items():
        (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / other).write_bytes(content)
    (tmp_path / name).write_text(json_text({**json.loads(finished()[name]), **changed}))
    said, fault = watched.ask(tmp_path / name)
    assert fault == ""
    assert says in said
