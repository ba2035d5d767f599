"""What is refitted and saved says what was judged."""

from __future__ import annotations

from .procedure import Procedure, first_difference
from .verdict import Check, Fault


def check_refit(method: Procedure) -> None:
    """Refitted on the features that it chose, and read back from its arrays."""
    for kind in method.kinds:
        run = method.kept_run(kind)
        for one in run.fitted:
            said = one.say(one.rows)
            if name := first_difference(one.outputs, said, one.tolerance):
                raise Fault(
                    f"refitted, it says something else of the held-out rows ({one.name}: {name}): "
                    "let the predictor of a fit be the one that was judged"
                )
        for one in run.few:
            said = one.say(one.rows)
            if name := first_difference(one.revived()(one.rows), said):
                raise Fault(
                    f"read back from its arrays, it says something else ({one.name}: {name}): let "
                    "`to_arrays` hold all that it needs, and `from_arrays` take it as it is"
                )


CHECK = Check(
    "refit",
    "Refitted, and read back from a file, it gives the same predictions.",
    check_refit,
    after=("memory", "global-random", "one-at-a-time"),
)
