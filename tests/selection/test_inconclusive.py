"""When stable features decide nothing: at a bound of .05 one is a test, above it more are needed
than the bound allows to be false (Markov's inequality; docs/methods/stability_selection.md)."""

from __future__ import annotations

import pytest

from tamis.selection._error_bounds import is_inconclusive, verdict_words


@pytest.mark.every
@pytest.mark.parametrize(
    ("stable", "pfer", "inconclusive"),
    [
        (1, 0.05, False),
        (1, 0.0501, True),
        (0, 0.001, True),
        (1, 1.0, True),
        (2, 1.0, False),
        (2, 1.001, True),
        (3, 2.0, False),
        (2, 2.0, True),
        (3, 2.001, True),
    ],
)
def test_stable_features_are_inconclusive_up_to_the_number_that_may_be_false(
    stable, pfer, inconclusive
):
    assert is_inconclusive(stable, pfer) == inconclusive
    assert verdict_words(stable, pfer).startswith("inconclusive") == inconclusive
