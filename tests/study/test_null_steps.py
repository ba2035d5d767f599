"""Where there is nothing to find, no step finds it: each before a ranking, and several."""

from __future__ import annotations

from common.null_studies import methods_off_chance, noise
from tamis._core.rows import row_names

CHAIN = [{"name": "variance", "share": 0.5}, "quantile", "mdl"]
METHODS = [
    {"name": "+".join(map(str, prepare)), "select": "moderated_t", "sizes": [2, 5],
     "prepare": prepare}
    for prepare in [*([name] for name in row_names("prepare")), CHAIN]
]  # fmt: skip


def test_every_step_is_at_chance_in_noise():
    assert not methods_off_chance(noise, METHODS)
