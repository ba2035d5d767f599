"""`tamis methods`: the registry."""

from __future__ import annotations

import rich_click as click


@click.command("methods")
@click.option("--json", "as_json", is_flag=True, help="Print as one JSON object.")
def command(as_json: bool) -> None:
    """List every name a plan can use for `select` and `classify`, with its parameters."""
    from ..study import registry
    from ._shared import print_json

    rows = [
        {"name": r.name, "role": r.role, "parameters": list(r.parameters), "summary": r.summary}
        for r in registry.ROWS
    ]
    if as_json:
        print_json({"methods": rows})
        return
    width = max(len(r.name) for r in registry.ROWS)
    for role, title in (("select", "select = ..."), ("classify", "classify = ...")):
        print(title)
        for row in rows:
            if row["role"] == role:
                tail = f"  [{', '.join(row['parameters'])}]" if row["parameters"] else ""
                print(f"  {row['name']:<{width}}  {row['summary']}{tail}")
