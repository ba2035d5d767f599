"""Which data sets derive from one source, as the command's options say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..._core.errors import PlanError, listed_names, shorten_text


def read_sources(values: Sequence[str]) -> dict[str, str]:
    """Sources as the command has them: ``NAME=SET,SET``, or a table with two columns.

    A table is a TSV file of data set (or its folder) and source, with or without the heading
    ``dataset  source``.

    Raises
    ------
    PlanError
        Neither, or a data set with two sources.

    Examples
    --------
    >>> read_sources(["west=west_er,west_node"])
    {'west_er': 'west', 'west_node': 'west'}
    """
    found: dict[str, str] = {}
    for value in values:
        if "=" in value and not Path(value).is_file():
            source, _, members = value.partition("=")
            entries = [(member.strip(), source.strip()) for member in members.split(",")]
        else:
            entries = _source_file(Path(value))
        for member, source in entries:
            if not member or not source:
                raise PlanError(
                    f"the source {shorten_text(value)!r} is not understood: write NAME=DIR,DIR, "
                    "or name a TSV file of data set and source"
                )
            if found.setdefault(member, source) != source:
                raise PlanError(
                    f"{shorten_text(member)!r} has two sources, {found[member]!r} and {source!r}: "
                    "give it one"
                )
    return found


def _source_file(path: Path) -> list[tuple[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise PlanError(
            f"cannot read the sources {str(path)!r}: write NAME=DIR,DIR, or name a TSV file of "
            "data set and source"
        ) from error
    rows = [[part.strip() for part in line.split("\t")] for line in lines if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise PlanError(
                f"{str(path)!r} has {len(row)} columns in row {number}: give two, data set and "
                "source, with a tab between"
            )
    if rows and [part.lower() for part in rows[0]] == ["dataset", "source"]:
        rows = rows[1:]
    return [(member, source) for member, source in rows]


def sources_of(
    given: Mapping[str, str], names: Sequence[str], paths: Sequence[Path]
) -> dict[str, str | None] | None:
    """Data set -> source; keys of `given` are data sets, or folders by path or name.

    Raises
    ------
    PlanError
        A key is none of the studies, or a data set has two sources.
    """
    if not given:
        return None
    by_key: dict[str, str] = {}
    for name, path in zip(names, paths, strict=True):
        by_key.setdefault(path.name, name)
    by_key |= {name: name for name in names}
    found: dict[str, str | None] = {}
    for key, source in given.items():
        path = Path(key).resolve()
        named = names[paths.index(path)] if path in paths else by_key.get(key)
        if named is None:
            raise PlanError(
                f"the source {source!r} names {shorten_text(key)!r}, which is none of the studies: "
                f"choose from {listed_names(names, most=12)}"
            )
        if found.setdefault(named, source) != source:
            raise PlanError(
                f"{named!r} has two sources, {found[named]!r} and {source!r}: give it one"
            )
    return found
