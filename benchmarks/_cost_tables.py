"""The comparison under costs as tables and diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from _cost_tasks import Task
from _cost_units import read_units
from _harness import markdown

Scores = dict[str, dict[str, list[float]]]  # task -> combination -> folds


def scores_of(units: Sequence[dict[str, Any]], measure: str) -> Scores:
    """Fold scores, by task and combination."""
    found: Scores = {}
    for unit in units:
        found.setdefault(unit["task"], {})[unit["combination"]] = unit[measure]
    return found


def constant_costs(tasks: Sequence[Task]) -> dict[str, float]:
    """What calling every row the same class costs: with costs by class size n0 n1 / n."""
    sizes = {task.name: np.bincount(task.y) for task in tasks}
    return {name: float(n.prod() / n.sum()) for name, n in sizes.items()}


def ranking(
    scores: Scores, higher: bool, source: Sequence[str], title: str, constant: dict[str, float]
) -> str:
    """Win/loss counts, mean ranks and the source's place, best first."""
    from tamis.metrics import compare_methods, win_loss_table

    counted = win_loss_table(scores, higher_is_better=higher)
    won = dict(zip(counted.names, counted.wins.sum(axis=1).tolist(), strict=True))
    lost = dict(zip(counted.names, counted.wins.sum(axis=0).tolist(), strict=True))
    means = {task: {k: float(np.mean(v)) for k, v in row.items()} for task, row in scores.items()}
    families = {task: "abalone" if task.startswith("abalone") else task for task in means}
    every = compare_methods(means, sources=families, higher_is_better=higher)
    alone = compare_methods(
        {k: v for k, v in means.items() if families[k] == k}, higher_is_better=higher
    )
    rows = []
    ranks = {name: every.average_ranks[j] for j, name in enumerate(every.names)}
    others = {name: alone.average_ranks[j] for j, name in enumerate(alone.names)}
    for name in sorted(ranks, key=lambda k: ranks[k]):
        own = np.mean([row[name] / (1 if higher else constant[k]) for k, row in means.items()])
        rows.append(
            [
                name,
                f"{own:.3f}",
                f"{ranks[name]:.2f}",
                f"{others[name]:.2f}",
                won[name],
                lost[name],
                won[name] - lost[name],
                source.index(name) + 1,
            ]
        )
    mean = "mean AUC" if higher else "mean cost, of one class for all"
    text = markdown(
        [
            "combination",
            mean,
            "mean rank",
            "without abalone",
            "wins",
            "losses",
            "wins - losses",
            "source's place",
        ],
        rows,
    )
    lines = [f"## {title}", "", text, ""]
    for what, found in (
        (f"{len(every.datasets)} tasks", every),
        (f"{len(alone.datasets)} without abalone", alone),
        ("each source once", every.by_source),
    ):
        if found is None:
            continue
        test = found.friedman_corrected
        cd = found.critical_differences[0.05]
        lines.append(
            f"- {what}: Friedman chi2 {test.chi2:.1f} (p = {test.p_value:.2g}), F {test.F:.2f} "
            f"(p = {test.F_p_value:.2g}), Nemenyi's critical difference {cd:.2f}; not told apart "
            f"from the best: {', '.join(found.groups[0]) if found.groups else 'none'}."
        )
    return "\n".join(lines)


def diagrams(folder: Path, scores: Scores, higher: bool, stem: str) -> None:
    """Critical-difference diagrams with and without the abalone family, as SVG."""
    from tamis.metrics import compare_methods
    from tamis.plotting import critical_difference

    means = {task: {k: float(np.mean(v)) for k, v in row.items()} for task, row in scores.items()}
    for end, chosen in (
        ("", means),
        ("_without_abalone", {k: v for k, v in means.items() if not k.startswith("abalone")}),
    ):
        found = compare_methods(chosen, higher_is_better=higher)
        path = folder / f"{stem}{end}.svg"
        path.write_text(critical_difference(found.diagram()), encoding="utf-8")


def page(
    folder: Path,
    tasks: Sequence[Task],
    auc: Sequence[str],
    loss: Sequence[str],
    figures: Path | None = None,
) -> str:
    """All tables of what is there."""
    units = read_units(folder, tasks, auc)
    missing = len(tasks) * len(auc) - len(units)
    cpu: dict[str, float] = {}
    for unit in units:
        cpu[unit["combination"]] = cpu.get(unit["combination"], 0.0) + sum(unit["cpu"])
    lines = [f"{missing} units are missing.\n"] if missing else []
    areas, losses = scores_of(units, "auc"), scores_of(units, "loss")
    whole = [t for t, row in areas.items() if len(row) == len(auc)]
    areas, losses = ({t: s[t] for t in whole} for s in (areas, losses))
    if figures is not None:
        diagrams(figures, areas, True, "costs_auc")
        diagrams(figures, losses, False, "costs_loss")
    constant = constant_costs(tasks)
    lines.append(ranking(areas, True, auc, "AUC", constant))
    lines.append("")
    lines.append(ranking(losses, False, loss, "Mean cost", constant))
    lines += ["", "## Tasks and CPU seconds", ""]
    lines.append(
        markdown(
            ["task", "rows", "share of the rarer class", "columns"],
            [
                [
                    t.name,
                    f"{len(t.y):,}" + (f" of {t.drawn:,}" if t.drawn else ""),
                    f"{t.y.mean():.3f}",
                    t.X.shape[1],
                ]
                for t in tasks
            ],
        )
    )
    lines.append("")
    spent = [[k, f"{v:,.0f}"] for k, v in sorted(cpu.items(), key=lambda one: one[1])]
    lines.append(markdown(["combination", "CPU s, all tasks"], spent))
    lines.append(f"\nTogether {sum(cpu.values()) / 3600:.2f} CPU hours.")
    return "\n".join(lines)
