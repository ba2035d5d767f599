"""The schema of what Tamis wrote: one is read, and no other."""

from __future__ import annotations

from .errors import StoreError, value_text


def require_schema(found: object, read: int, what: str, again: str) -> None:
    """Refuse what has another schema than the one that is read.

    Parameters
    ----------
    found : object
        The schema that it names; None if it names none.
    read : int
        The schema that is read.
    what : str
        What it is, as the message begins: ``"'study/results.json'"``.
    again : str
        How to make it anew: ``"run `tamis study` again"``.

    Raises
    ------
    StoreError
        In one line.

    Examples
    --------
    >>> require_schema(3, 3, "the result", "run `tamis study` again")
    >>> require_schema(2, 3, "the result", "run `tamis study` again")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: the result is of another version of Tamis (schema 2; this one ...
    """
    if type(found) is not int or found != read:
        raise StoreError(
            f"{what} is of another version of Tamis (schema {value_text(found)}; this one reads "
            f"{read}): {again}"
        )
