"""Commands that a page shows, run one after the other, and the lines that each is to print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

Tamis = Callable[..., tuple[int, str, str]]
CUT = re.compile(r" \| cut -f1-(\d+)$")  # of a table that is shown in part


def shown(page: Path) -> list[tuple[str, list[str]]]:
    """Commands, and the lines that each prints there."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"(?s)```text\n(.*?)```", page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ tamis "):
                found.append((line.removeprefix("$ tamis "), []))
            elif line.strip() != "...":
                found[-1][1].append(line)
    return found


def walk_through(tamis: Tamis, page: Path) -> str:
    """Run what a page shows, and look for its lines in what is printed, which is returned."""
    everything = []
    for command, lines in shown(page):
        cut = CUT.search(command)
        code, out, err = tamis(*shlex.split(CUT.sub("", command)))
        assert code == (2 if lines[0].startswith("tamis: ") else 0), (command, err)
        rows = out.splitlines()
        if cut:
            rows = ["\t".join(row.split("\t")[: int(cut[1])]) for row in rows]
        printed = [line.rstrip() for line in [*err.splitlines(), *rows]]
        for line in lines:
            assert line.rstrip() in printed, (command, line, printed)
        everything += printed
    return "\n".join(everything)
