"""Names that have changed work on, and say what they are now."""

from __future__ import annotations

import pytest

import tamis.metrics
from tamis._core.lazy_names import PUBLIC_NAMES, ROW_FIELDS
from tamis._core.rows import ClassifierRow
from tamis.selection._filters import FilterRow


@pytest.mark.every
@pytest.mark.parametrize("old", ROW_FIELDS)
def test_a_row_takes_the_old_name_of_a_field(old):
    kind = FilterRow if hasattr(FilterRow, ROW_FIELDS[old]) else ClassifierRow
    with pytest.warns(DeprecationWarning, match=f"'{old}' of {kind.__name__} is now") as warned:
        row = kind("made", **{old: 0.5})
    assert {one.filename for one in warned} == {__file__}  # where a user reads the line to change
    assert getattr(row, ROW_FIELDS[old]) == 0.5


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
