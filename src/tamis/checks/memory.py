"""A fit does not remember an earlier one."""

from __future__ import annotations

from .procedure import Procedure, first_difference, global_state
from .verdict import Check, Fault, Inapplicable

ADVICE = (
    "keep nothing outside what is fitted (in the class, the module or the object that fits), and "
    "draw from the random stream or seed that is given alone"
)


def check_memory(method: Procedure) -> None:
    """Two fits with another between them, and predictions made twice."""
    first = method.kept_run("plain")
    method.run("other")
    second = method.run("plain")
    if name := first_difference(first.everything, second.everything):
        raise Fault(f"fitted again to the same rows it gives something else ({name}): {ADVICE}")
    for one in second.few:
        with global_state(0):
            before = one.say(one.rows)
        with global_state(0):
            after = one.say(one.rows)
        if name := first_difference(before, after):
            raise Fault(
                f"called again, it gives something else for the same rows ({name}): {ADVICE}"
            )
    try:
        fits = method.fits_of_one_object()
    except Inapplicable:
        return
    if name := first_difference(fits[0], fits[2]):
        raise Fault(
            f"one object fitted to some rows, to others and to the first again does not find the "
            f"same ({name}): {ADVICE}"
        )


CHECK = Check("memory", "A second fit to the same rows gives what the first gave.", check_memory)
