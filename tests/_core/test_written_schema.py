"""One schema is read, and every other is refused in one line that says what to do."""

from __future__ import annotations

import pytest

from tamis._core.errors import StoreError
from tamis._core.written_schema import require_schema


@pytest.mark.parametrize("found", [None, 0, 2, 4, 3.0, True, "3", [3], {"a\nb": 1}, "x" * 1000])
def test_another_schema_is_refused(found):
    with pytest.raises(
        StoreError, match=r"of another version of Tamis .*reads 3.*: run it"
    ) as error:
        require_schema(found, 3, "the result", "run it again")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_the_schema_that_is_read_passes():
    require_schema(3, 3, "the result", "run it again")
