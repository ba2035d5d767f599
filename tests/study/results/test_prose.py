"""When methods are compared over outer test sets, and so which test the paragraph names; how labels
are permuted, and settings in words."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.data import Dataset
from tamis.study.plan import Plan
from tamis.study.results.prose import _tests_folds, _value_words, cited_references, methods_text


@pytest.mark.every
@pytest.mark.parametrize(
    ("outer", "groups", "told"),
    [
        ({"kind": "k-fold", "folds": 3}, None, True),
        ({"kind": "holdout"}, None, False),
        ({"kind": "holdout", "repeats": 2}, None, True),
        ({"kind": "leave-one-out"}, None, False),
        ({"kind": "leave-one-out"}, ["a", "b"], True),
    ],
)
def test_methods_are_compared_over_several_test_sets_of_several_samples(outer, groups, told):
    assert _tests_folds(Plan(outer=outer), SimpleNamespace(groups=groups)) == told


@pytest.mark.every
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, 2, 3], "1, 2 and 3"),
        ([1, 2], "1 and 2"),
        ((True,), "True"),
        ([], "[]"),
        (
            [["a", "b"], {"name": "c", "step": 0.2, "of": [1, 2]}],
            "a and b and c with step 0.2 and of 1 and 2",
        ),
        ({"step": 0.2}, "step 0.2"),
        ({"name": "c"}, "c"),
    ],
)
def test_a_setting_in_words_has_all_that_it_holds(value, words):
    assert _value_words(value) == words


@pytest.mark.every
@pytest.mark.parametrize(
    ("batches", "groups", "words"),
    [
        (False, False, "permuted labels"),
        (False, True, "permuted labels"),
        (True, False, "permuted labels, permuted inside batches,"),
        (
            True,
            True,
            "permuted labels, permuted inside batches, those of groups in several batches drawn "
            "given these [{}],",
        ),
    ],
)
def test_the_paragraph_says_how_labels_were_permuted(batches, groups, words):
    codes = np.arange(12)
    data = Dataset(
        np.zeros((12, 3)),
        np.array(["a", "b"])[codes % 2],
        ("x", "y", "z"),
        batches=np.array(["1", "2"])[codes // 6] if batches else None,
        groups=codes // 2 if groups else None,
    )
    plan = Plan(permutations=20)
    references = cited_references(plan, data)
    keys = [one["key"] for one in references]
    assert ("berrett2020" in keys) == (batches and groups)
    of = keys.index("berrett2020") + 1 if batches and groups else 0
    found = methods_text(plan, data, references, (plan.outer, plan.inner))
    assert f"was repeated on 20 data sets with {words.format(of)} (" in found
    assert f"with the same run on the true labels [{keys.index('phipson2010') + 1}]." in found
