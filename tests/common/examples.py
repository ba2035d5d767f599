"""`settings` of Hypothesis whose number of examples follows the tier of the run."""

from __future__ import annotations

from typing import Any

import hypothesis

USUAL = 100  # Hypothesis' own number: what a test asks for is meant beside this
LEAST = 5


def settings(*, max_examples: int = USUAL, **others: Any) -> hypothesis.settings:
    """`hypothesis.settings` with the share of `max_examples` that the profile has of `USUAL`.

    An explicit `max_examples` overrides every profile, so it is scaled here. conftest.py
    registers the profiles.
    """
    share = hypothesis.settings.default.max_examples / USUAL
    scaled = max(min(LEAST, max_examples), round(share * max_examples))
    return hypothesis.settings(max_examples=scaled, **others)
