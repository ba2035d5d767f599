"""What rules and recalibrations come to on the parts that `calibration.py` kept."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from _calibration_designs import BLOCK, DESIGNS
from _calibration_parts import kept_parts
from _calibration_rules import (
    PENALTIES,
    RULES,
    SPREADS,
    Scored,
    fit_part,
    penalties,
    recalibrated,
    recalibration,
    scored,
)
from _default_answers import Answer, judged
from _harness import markdown
from tamis.metrics.beliefs import brier_of

TAKEN = ".1", "1 and 2 if by 2 s.e.", "pulled"
WEAK = 0.8  # of the rivals' mean AUC
MANY = 60_000  # columns, of which chance agreement in a stability is next to nothing


def brier(y: np.ndarray, proba: np.ndarray) -> float:
    """Summed over the classes."""
    return 2 * brier_of(y.astype(int), proba)


def scored_again(part: dict, penalty: str, recalibrate: bool) -> tuple[Scored, np.ndarray]:
    """Inner scores of the sizes, of probabilities as they are or recalibrated, and penalties."""
    chosen = penalties(part, penalty)
    if not recalibrate:
        return scored(part, chosen), chosen
    proba = [
        recalibrated(part["inner"][k, at].astype(float), fit_part(part, k, at, 1.0))
        for k, at in enumerate(chosen)
    ]
    return scored(part, chosen, np.array(proba)), chosen


def design_rows(name: str, folder: Path, studies: int) -> list[list]:
    """A row for each penalty, with the sizes that are taken."""
    from tamis.metrics.ranks import auc_of

    design, rows = DESIGNS[name], []
    parts = [kept_parts(folder / "designs" / f"{name}-{k}.npz", list)[0] for k in range(studies)]
    true = np.arange(design.true) * BLOCK
    shares = [brier(p["y_test"], np.tile(p["shares"], (len(p["y_test"]), 1))) for p in parts]
    y = np.concatenate([p["y_test"] for p in parts]).astype(int)
    for penalty in PENALTIES:
        areas, sizes, false = [], [], []
        found: dict[str, list] = {spread: [] for spread in SPREADS}
        for part in parts:
            one, chosen = scored_again(part, penalty, False)
            at = RULES[TAKEN[1]](one)
            own = part["lists"][at]
            sizes.append(one.sizes[at])
            false.append((~np.isin(own[own >= 0], true)).sum())
            log_p = part["outer"][at, chosen[at]].astype(float)
            for spread, value in SPREADS.items():
                fitted = fit_part(part, at, chosen[at], value)
                found[spread].append(recalibrated(log_p, fitted))
            areas.append(auc_of(part["y_test"].astype(int), found["none"][-1]))
        row = [name, penalty, f"{np.mean(areas):.3f}", int(np.median(sizes))]
        row += [f"{np.mean(false):.1f}", f"{np.mean(shares):.3f}"]
        for proba in map(np.concatenate, found.values()):
            logs = np.log(np.maximum(proba, 1e-12))
            slope, _ = recalibration(logs, y, np.ones(len(y)), np.inf)
            row.append(f"{slope:.2f}, {brier(y, proba):.4f}")
        rows.append(row)
    return rows


def report_designs(folder: Path, names: list[str], studies: int) -> None:
    """Slopes and Brier scores of the recalibrations."""
    with ProcessPoolExecutor() as pool:
        rows = pool.map(partial(design_rows, folder=folder, studies=studies), names)
        head = ["design", "C", "AUC", "size", "false", "Brier of the shares"]
        head += [f"{spread}: slope, Brier" for spread in SPREADS]
        print(markdown(head, [row for own in rows for row in own]), end="\n\n")


def set_figures(name: str, folder: Path) -> dict[tuple[str, str, str, str], dict[str, float]]:
    """Of each penalty, inner score, rule and recalibration."""
    parts = kept_parts(folder / "sets" / f"{name}.npz", list)
    y = np.zeros(1 + max(int(p["test"].max()) for p in parts), dtype=int)
    for part in parts:
        y[part["test"]] = part["y_test"]
    found = {}
    for penalty, again in product(PENALTIES, (False, True)):
        each = [scored_again(part, penalty, again) for part in parts]
        for rule, take in RULES.items():
            at = [take(one) for one, _ in each]
            for spread in SPREADS:
                if spread != "none" and (again or rule not in (TAKEN[1], "until now", "fixed 50")):
                    continue
                answers = []
                for part, k, (_, chosen) in zip(parts, at, each, strict=True):
                    log_p = part["outer"][k, chosen[k]].astype(float)
                    raw = recalibrated(log_p, None)
                    proba = recalibrated(log_p, fit_part(part, k, chosen[k], SPREADS[spread]))
                    codes = (raw / part["shares"]).argmax(axis=1)
                    own = part["lists"][k]
                    answers.append(
                        Answer(
                            codes, raw, proba, own[own >= 0], 0.0, int(part["repeat"]), part["test"]
                        )
                    )
                key = penalty, "recalibrated" if again else "as it is", rule, spread
                found[key] = judged(answers, y, MANY)
    return found


def report_sets(folder: Path, names: list[str]) -> None:
    """Means over all sets, and over weak and strong ones apart."""
    import json

    area = {n: json.loads((folder / "rivals" / f"{n}.json").read_text()) for n in names}
    weak = [n for n in names if area[n] < WEAK]
    strong = [n for n in names if n not in weak]
    print(f"Weak: {', '.join(f'{n} ({area[n]:.2f})' for n in weak)}.\n")
    with ProcessPoolExecutor() as pool:
        found = dict(zip(names, pool.map(partial(set_figures, folder=folder), names), strict=True))

    def mean(key, metric: str, some: list[str]) -> str:
        return f"{np.mean([found[n][key][metric] for n in some]):.4f}" if some else "-"

    rows = []
    for key in found[names[0]]:
        size = np.exp(np.mean([np.log(max(found[n][key]["size"], 1)) for n in names]))
        rows.append(
            [*key, mean(key, "bcr", names), mean(key, "auc", names), mean(key, "brier", names)]
            + [f"{size:.1f}", mean(key, "S", names)]
            + [mean(key, metric, weak) for metric in ("auc", "S")]
            + [mean(key, metric, strong) for metric in ("auc", "bcr")]
        )
    head = ["C", "inner score", "sizes", "recalibration", "balanced accuracy", "AUC", "Brier"]
    head += ["features", "S", "weak: AUC", "S", "strong: AUC", "balanced accuracy"]
    print(markdown(head, rows))
