"""How methods run in a study, around all that checks do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._core.own_code import TRUSTED_TYPES
from .._core.threads import one_job, one_thread


class _Every(tuple[str, ...]):
    """All types: the code under check is the user's."""

    def __contains__(self, name: object) -> bool:
        return True


@contextmanager
def as_in_a_study() -> Iterator[None]:
    """One thread and one job, as in a cell; what was saved may be read back."""
    from sklearn import config_context

    token = TRUSTED_TYPES.set(_Every())
    checked = config_context(assume_finite=True, skip_parameter_validation=True)
    try:
        with one_thread(), one_job(), checked:
            yield
    finally:
        TRUSTED_TYPES.reset(token)
