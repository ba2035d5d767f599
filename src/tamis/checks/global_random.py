"""Random numbers come from the stream that a method is given."""

from __future__ import annotations

from .procedure import Procedure, first_difference
from .verdict import Check, Fault

ADVICE = (
    "draw from np.random.default_rng(stream), and give the seed on to what draws itself "
    "(random_state=...)"
)


def check_global_random(method: Procedure) -> None:
    """Two runs from different states of the global generators, which they have to leave alone."""
    first, second = method.kept_run("plain"), method.run("plain", seed=1)
    if name := first_difference(first.everything, second.everything):
        raise Fault(
            f"it depends on the state of the global random generator ({name}), and so on what ran "
            f"before: {ADVICE}"
        )
    if second.moved:  # modules that the first imported may have drawn: rich does
        raise Fault(f"it draws from, or seeds, the global random generator: {ADVICE}")


CHECK = Check(
    "global-random",
    "Nothing depends on the global random generators of NumPy and Python.",
    check_global_random,
    after=("memory",),
)
