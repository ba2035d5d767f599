"""`tamis methods`: the registry."""

from __future__ import annotations

import rich_click as click


@click.command("methods")
@click.option("--json", "as_json", is_flag=True, help="Print as one JSON object.")
def command(as_json: bool) -> None:
    """List every name that a plan or `tamis interact` can use, with its role and its parameters."""
    from .._core.registry import ANY_OUTCOME, rows_of
    from .._core.rows import PlanRow, Row, SelectingRow
    from .._core.terminal import print_json, print_text

    known = rows_of(Row, ANY_OUTCOME)
    rows: list[dict[str, object]] = [
        {
            "name": row.name,
            "role": row.role,
            "key": row.key,
            "parameters": row.settings,
            "outcomes": list(row.serves) if isinstance(row, PlanRow) else [],
            "own": isinstance(row, SelectingRow) and row.promises.own_size,
            "title": row.title,
            "summary": row.summary,
            "page": row.page,
        }
        for row in known
    ]
    if as_json:
        print_json({"methods": rows})
        return
    width = max(len(row.name) for row in known)
    for heading in dict.fromkeys(row.heading for row in known):
        print_text(heading)
        for row, entry in zip(known, rows, strict=True):
            if row.heading == heading:
                own = '  (has a size of its own, "own")' if entry["own"] else ""
                tail = "  (for a number)" if entry["outcomes"] == ["number"] else ""
                tail += f"  [{', '.join(row.settings)}]" if row.settings else ""
                print_text(f"  {row.name:<{width}}  {row.sentence}{tail}{own}")
