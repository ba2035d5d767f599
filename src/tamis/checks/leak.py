"""What is learnt of a training part comes from its rows alone."""

from __future__ import annotations

from .procedure import Procedure, difference
from .verdict import Check, Fault, Inapplicable

ROUNDING = 1e-9  # of sums that parts share


def check_leak(method: Procedure) -> None:
    """Wild values and other labels in held-out rows change nothing but what is said of these."""
    for kind in method.kinds:
        run = method.kept_run(kind)
        changed = method.run_changed(kind, 0)
        name = difference(run.learnt, changed.learnt)
        name = name or difference(run.inner, changed.inner, ROUNDING)
        for one, other in zip(run.fitted, changed.fitted, strict=True):
            name = name or difference(one.say(one.rows), other.say(one.rows), ROUNDING)
        if name:
            raise _fault(name)
        try:
            inside = method.run_changed(kind, 1)
        except Inapplicable:
            continue
        first = {k: v for k, v in run.learnt.items() if "of part 1" in k}
        if name := difference(first, {k: inside.learnt[k] for k in first}):
            raise _fault(name)


def _fault(name: str) -> Fault:
    return Fault(
        "other values and labels in the held-out rows change what is learnt "
        f"({name}): look at the rows of the training part alone (not at all rows of `parts.X` and "
        "`parts.y`, at `X.base`, or at a table kept elsewhere)"
    )


CHECK = Check(
    "leak", "What is learnt does not change with the rows that are held out.", check_leak,
    after=("memory", "global-random"),
)  # fmt: skip
