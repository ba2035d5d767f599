"""Names that have changed work on, and say what they are now."""

from __future__ import annotations

import dataclasses

import pytest

import tamis.metrics
from tamis._core.lazy_names import PUBLIC_NAMES, ROW_FIELDS, UNREAD_FIELDS
from tamis._core.row_groups import ClassifierTakes
from tamis._core.rows import (
    ClassifierRow,
    DecisionRow,
    PathRow,
    PlanRow,
    RankerRow,
    RuleRow,
    SelectingRow,
    SimilarityRow,
    StepRow,
)
from tamis.selection._filters import FilterRow

KINDS = (
    ClassifierRow,
    DecisionRow,
    FilterRow,
    PathRow,
    PlanRow,
    RuleRow,
    SelectingRow,
    SimilarityRow,
    StepRow,
)
FLAT = [  # fields that had no group
    (RankerRow, "plan_defaults", {"sizes": (1, 2), "tune": "auc", "classify": ("lda",)}),
    (RankerRow, "takes", {"raw": True, "codes": True, "members": 2, "prepared": False}),
    (RankerRow, "display", {"fits": "many"}),
    (PathRow, "takes", {"covariates": False}),
    (PathRow, "promises", {"poorly_calibrated": True}),
    (ClassifierRow, "takes", {"raw": True, "needs": "proba", "costs": True}),
    (ClassifierRow, "promises", {"natural": False, "beliefs": "order"}),
    (FilterRow, "takes", {"discrete": "chi2", "needs_all_columns": True}),
    (FilterRow, "promises", {"tests": True, "signed": True, "unit": True}),
    (FilterRow, "shortcuts", {"moments": sum, "p_values": sum, "parts": sum, "counts": sum}),
    (FilterRow, "display", {"title_of_many": "F", "measure": "nats"}),
]


def value_of(row, field):
    """Of a field, in whichever group it is."""
    groups = (getattr(row, name, None) for name in ("takes", "promises", "display"))
    (found,) = [getattr(group, field) for group in groups if hasattr(group, field)]
    return found


@pytest.mark.every
@pytest.mark.parametrize("old", ROW_FIELDS)
def test_a_row_takes_the_old_name_of_a_field(old):
    new = ROW_FIELDS[old]
    kind = ClassifierRow if hasattr(ClassifierRow("made").promises, new) else FilterRow
    kind = ClassifierRow if hasattr(ClassifierTakes(), new) else kind
    with pytest.warns(DeprecationWarning, match=f"'{old}' of {kind.__name__} is now ") as warned:
        row = kind("made", **{old: 0.5})
    assert {one.filename for one in warned} == {__file__}  # where a user reads the line to change
    assert value_of(row, new) == 0.5


@pytest.mark.every
@pytest.mark.parametrize(("kind", "group", "given"), FLAT)
def test_a_row_takes_fields_of_a_group_flat(kind, group, given):
    with pytest.warns(DeprecationWarning, match="is now") as warned:
        row = kind("made", **given)
    assert [str(one.message) for one in warned] == [
        f"{field!r} of {kind.__name__} is now '{group}.{field}'" for field in given
    ]
    assert getattr(row, group) == type(getattr(row, group))(**given)


def test_a_flat_field_joins_a_group_that_is_given():
    with pytest.warns(DeprecationWarning, match="is now 'takes.accepts_sample_weight'"):
        row = ClassifierRow("made", takes=ClassifierTakes(raw=True), weights=True)
    assert row.takes == ClassifierTakes(raw=True, accepts_sample_weight=True)


@pytest.mark.parametrize("old", ["counts", "intensities"])
def test_what_enters_a_step_was_a_flag(old):
    with pytest.warns(DeprecationWarning, match=f"'{old}' of StepRow is now enter = '{old}'"):
        assert StepRow("made", **{old: True}).enter == old
    with pytest.warns(DeprecationWarning, match="is now enter"):
        assert StepRow("made", **{old: False}).enter == "numbers"


@pytest.mark.every
@pytest.mark.parametrize("old", UNREAD_FIELDS)
def test_a_field_that_nothing_reads_is_left_out(old):
    owner, field = old.split(".")
    kinds = {kind.__name__: kind for kind in KINDS}
    with pytest.warns(DeprecationWarning, match=f"'{field}' of {owner} is not read any more: "):
        row = kinds[owner]("made", **{field: True})
    assert row == kinds[owner]("made")


@pytest.mark.parametrize("kind", [FilterRow, RankerRow, PathRow, ClassifierRow, StepRow])
def test_rows_are_small(kind):
    assert len(dataclasses.fields(kind)) <= 15


@pytest.mark.parametrize("package", PUBLIC_NAMES)
def test_a_package_has_the_old_names(package):
    module = __import__(package, fromlist=["_"])
    for old, new in PUBLIC_NAMES[package].items():
        with pytest.warns(DeprecationWarning, match=f"'{old}' of {package} is now '{new}'"):
            assert getattr(module, old) is getattr(module, new)
        assert old not in module.__all__


def test_other_names_are_refused_as_ever():
    with pytest.raises(AttributeError, match="no attribute 'Samplings'"):
        _ = tamis.metrics.Samplings
    with pytest.raises(TypeError, match="unexpected keyword argument 'roughly'"):
        ClassifierRow("made", roughly=True)
