"""`tamis methods`: the registry."""

from __future__ import annotations

from typing import Any

import rich_click as click


@click.command("methods")
@click.option("--json", "as_json", is_flag=True, help="Print as one JSON object.")
def command(as_json: bool) -> None:
    """List every name that a plan or `tamis interact` can use, with its role and its parameters."""
    from .._core.rows import ROLES, all_rows, search_rows
    from .._core.search_row import SearchRow
    from .._core.terminal import print_json, print_text

    known = all_rows()  # before plans are imported, which ask for some of them
    from ..study.plan.parts import RejectPlan, StepPlan

    beside: dict[str, tuple[str, ...]] = {part.role: part.beside for part in (StepPlan, RejectPlan)}
    rows: list[dict[str, Any]] = [
        {
            "name": r.name,
            "role": r.role,
            "parameters": [*(["of"] if r.wraps else []), *r.parameters, *beside.get(r.role, ())],
            "own": r.own,
            "summary": r.summary,
        }
        for r in known
    ]
    rows += [
        {
            "name": r.name,
            "role": r.role,
            "parameters": r.settings,
            "own": False,
            "summary": f"{r.title}: {r.summary}",
        }
        for r in search_rows()
    ]
    if as_json:
        print_json({"methods": rows})
        return
    width = max(len(row["name"]) for row in rows)
    for role, title in {**ROLES, SearchRow.role: SearchRow.heading}.items():
        print_text(title)
        for row in rows:
            if row["role"] == role:
                own = '  (has a size of its own, "own")' if row["own"] else ""
                tail = f"  [{', '.join(row['parameters'])}]" if row["parameters"] else ""
                print_text(f"  {row['name']:<{width}}  {row['summary']}{tail}{own}")
