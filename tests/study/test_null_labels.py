"""Where labels have nothing to do with the data, nothing may be found (see `test_null`)."""

from __future__ import annotations

import pytest

from common.null_studies import lighter_methods, methods_off_chance, permuted_labels

pytestmark = pytest.mark.slow


def test_every_method_is_at_chance_with_permuted_labels():
    assert not methods_off_chance(permuted_labels, lighter_methods(own=False))
