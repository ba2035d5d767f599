"""Draw the dilution of docs/results/ontology.md from its tables.

python benchmarks/ontology_picture.py docs/results/ontology.md docs/results/ontology_dilution.svg
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

COLOURS = {"aode": "#0072b2", "logistic": "#d55e00", "c45": "#009e73"}
NUMBERS = re.compile(r"(\S+) \((\S+) to (\S+)\)")


def tables(page: str) -> dict[str, list[list[str]]]:
    """Rows of each table of AUPRC, by the title above it."""
    found: dict[str, list[list[str]]] = {}
    title, inside = "", False
    for line in page.splitlines():
        if line.startswith("### "):
            title = line[4:]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and not cells[0].isdigit() and "---" not in line:
            inside = cells[0].startswith("AUPRC")
        elif inside and cells[0].isdigit():
            found.setdefault(title, []).append(cells)
    return found


def main(source: Path, path: Path) -> None:
    """A panel a table; bars are the intervals."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ontology"
    from matplotlib import pyplot as plt

    panels = tables(source.read_text(encoding="utf-8"))
    figure, axes = plt.subplots(
        1, len(panels), figsize=(3.4 * len(panels), 3.4), sharey=True, layout="constrained"
    )
    for axis, (title, rows) in zip(axes, panels.items(), strict=True):
        for k, (learner, colour) in enumerate(COLOURS.items()):
            told = [tuple(map(float, NUMBERS.match(row[k + 1]).groups())) for row in rows]
            mean, low, high = zip(*told, strict=True)
            x = [int(row[0]) + (k - 1) * 0.12 for row in rows]
            below = [m - lo for m, lo in zip(mean, low, strict=True)]
            above = [hi - m for m, hi in zip(mean, high, strict=True)]
            axis.errorbar(
                x,
                mean,
                [below, above],
                color=colour,
                marker="o",
                ms=4,
                lw=1.2,
                elinewidth=0.8,
                label=learner,
            )
        axis.set(title=title, xlabel="useless similarities added", ylim=(0, 0.8))
        axis.title.set_fontsize(9)
    axes[0].set_ylabel("average precision")
    axes[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
