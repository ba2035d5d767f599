"""What is learnt of a training set comes from its rows alone."""

from __future__ import annotations

from contextlib import suppress

from .procedure import Procedure, first_difference
from .verdict import Check, Fault, Inapplicable

ROUNDING_TOLERANCE = 1e-9  # of sums that parts share


def check_leak(method: Procedure) -> None:
    """Wild values and other labels in held-out rows change nothing but what is said of these."""
    for kind in method.kinds:
        run, changed = method.kept_run(kind), method.run_changed(kind, 0)
        names = [
            first_difference(run.learnt, changed.learnt),
            first_difference(run.inner, changed.inner, ROUNDING_TOLERANCE),
        ]
        for one, other in zip(run.few, changed.few, strict=True):
            names.append(
                first_difference(one.say(one.rows), other.say(one.rows), ROUNDING_TOLERANCE)
            )
        with suppress(Inapplicable):
            names += _leaks_inside(method, kind)
        if name := next(filter(None, names), ""):
            raise Fault(
                f"other values and labels in the held-out rows change what is learnt ({name}): "
                "look at the rows of the training set alone (not at all rows of `parts.X` and "
                "`parts.y`, at `X.base`, or at a table kept elsewhere)"
            )


def _leaks_inside(method: Procedure, kind: str) -> list[str]:
    """The same of an inner part, whose held-out rows are training rows of the outer one; under
    their own values they have the same."""
    run = method.kept_run(kind)
    wild, flipped = (method.run_changed(kind, 1, values) for values in (True, False))
    names = []
    for a, b in (
        (run.learnt, wild.learnt),
        (run.learnt, flipped.learnt),
        (run.inner, flipped.inner),
    ):
        both = [k for k in a if k in b and "of part 1" in k]  # a size of its own may be of none
        names.append(
            first_difference({k: a[k] for k in both}, {k: b[k] for k in both}, ROUNDING_TOLERANCE)
        )
    return names


CHECK = Check(
    "leak",
    "What is learnt does not change with the rows that are held out.",
    check_leak,
    after=("memory", "global-random"),
)
