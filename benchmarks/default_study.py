"""The default study beside plain rivals: shared expression sets, and truths that are known.

    python benchmarks/default_study.py --parts sets [--sets alon golub] [--procedures new old lasso]
        [--folder KEPT] [--permutations 19] [--old-permutations 0] [--n-jobs 2]
    python benchmarks/default_study.py --parts plans choice [--folder KEPT]
    python benchmarks/default_study.py --parts longer [--sets arcene tissues] [--first-draw 100]
    python benchmarks/default_study.py --parts truths [--draws 100] [--truths sparse dense]
        [--sizes 60 120] [--procedures new lasso elastic_net centroids] [--folder KEPT]
    python benchmarks/default_study.py --parts null [--draws 100]

`new` is whatever a plan that names no method comes to, `old` is old_default.toml, the rivals are
those of _default_rivals.py. On a set all have the same five outer folds, drawn twice, those of a
Tamis study with seed 0. Every procedure's answers on a set are kept in the folder and not made
again; those of a study go by its plan, so give a new folder when the same plan comes to something
else. The old default has no permuted runs here unless they are asked for: they take ten times as
long, and what they say is known (docs/results/few_and_stable.md).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

from _harness import markdown, shared_set, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

from _default_answers import Answer, judged, kept
from _default_choice import report_choice
from _default_longer import report_longer
from _default_null import report_null
from _default_plans import report_plans
from _default_rivals import RIVALS, Part, answer_of
from _default_studies import STUDIES, mark_of, plan_of, studied
from _default_truths import SIZES, TRUTHS, report_truths
from few_and_stable import SETS as FEW_AND_STABLE

SETS = (*FEW_AND_STABLE, "borovecki", "chowdary", "gordon", "vantveer")
OUTER = {"folds": 5, "repeats": 2}
PROCEDURES = (*STUDIES, *RIVALS)
SIGNAL = 0.7  # of the AUC, above which a stable choice is to be expected
GOAL = 0.838


def table_of(name: str):
    """A shared set, or the bundled demo."""
    from tamis.data import load_golub

    return load_golub() if name == "demo" else shared_set(name)


def designed(name: str):
    """(repeat, test rows) of every outer fold, and the design they are rows of."""
    from tamis.study.prepare import prepare_study
    from tamis.study.protocol.nested_cv import outer_tests

    plan, design, _ = prepare_study(table_of(name), plan_of("old", outer=OUTER, permutations=0))
    tests = [(r, t) for r in range(OUTER["repeats"]) for t in outer_tests(design, plan, 0, r)]
    return tests, design


@cache
def facts_of(name: str):
    """The same test rows, the class codes, and the number of features."""
    tests, design = designed(name)
    return tests, design.labels.y, len(design.names)


def rival_answers(rival: str, name: str) -> dict:
    """What a rival says of every outer fold."""
    tests, design = designed(name)
    y, found = design.labels.y, []
    for repeat, test in tests:
        answer = answer_of(rival, Part.of(design.X, y, design.owner, test))
        found.append(replace(answer, repeat=repeat, test=test).to_dict())
    return {"answers": found}


def on_set(procedure: str, name: str, folder: Path, options) -> dict:
    """A procedure's figures on a set: scores, and the stability of permuted runs."""
    if procedure in STUDIES:
        many = options.permutations if procedure == "new" else options.old_permutations
        plan = plan_of(procedure, outer=OUTER, permutations=many)
        place = folder / "sets" / name / f"{procedure}-{mark_of(plan)}.json"
        found = kept(place, lambda: studied(table_of(name), plan, options.n_jobs))
    else:
        place = folder / "sets" / name / f"{procedure}.json"
        found = kept(place, lambda: rival_answers(procedure, name))
    answers = [Answer.of(one) for one in found["answers"]]
    tests, y, p = facts_of(name)
    for (repeat, test), answer in zip(tests, answers, strict=True):
        assert repeat == answer.repeat, (procedure, name)
        assert np.array_equal(test, answer.test), (procedure, name)
    figures = judged(answers, y, p)
    permuted = [s for s in found.get("permuted", []) if s is not None]
    if permuted:
        figures["cpu_permuted"] = found["cpu_permuted"]
        figures["most"] = max(permuted)
        figures["above"] = float((found["observed"] or 0) > max(permuted))
        figures["above_mean"] = float(figures["S"] > max(permuted))
    return figures


def geometric(sizes) -> float:
    """Geometric mean, nothing counting as one."""
    return float(np.exp(np.mean(np.log(np.maximum(sizes, 1)))))


def mean_of(figures: dict[str, dict], key: str) -> float:
    """Over the sets where it is defined."""
    values = np.array([one.get(key, np.nan) for one in figures.values()])
    values = values[~np.isnan(values)]
    return float(values.mean()) if len(values) else float("nan")


def difference(a: dict[str, dict], b: dict[str, dict], key: str) -> tuple[float, float]:
    """Mean over the sets of a less b, and its standard error."""
    gaps = np.array([a[name][key] - b[name][key] for name in a])
    error = gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else np.nan
    return float(gaps.mean()), float(error)


def told(value: float, digits: int = 3) -> str:
    """A number; nothing where there is none."""
    return "-" if np.isnan(value) else f"{value:,.{digits}f}"


def above_permuted(figures: dict[str, dict], key: str = "above") -> tuple[int, int]:
    """Sets whose stability exceeds all permuted runs, of those with signal."""
    own = [one[key] for one in figures.values() if one["auc"] > SIGNAL and key in one]
    return int(sum(own)), len(own)


def summary(found: dict[str, dict[str, dict]]) -> str:
    """One line a procedure."""
    rows = []
    for name, figures in found.items():
        against = ""
        if name != "new" and "new" in found:
            gap, error = difference(figures, found["new"], "bcr")
            against = f"{gap:+.3f} ± {error:.3f}"
        above, of = above_permuted(figures)
        size = geometric([one["size"] for one in figures.values()])
        everything = name in RIVALS and np.isnan(mean_of(figures, "S"))
        rows.append(
            [
                name,
                told(mean_of(figures, "bcr")),
                against,
                told(mean_of(figures, "auc")),
                told(mean_of(figures, "brier")),
                "all" if everything else told(size, 1),
                told(mean_of(figures, "S"), 2),
                f"{above} of {of}" if of else "",
                told(mean_of(figures, "cpu"), 2),
                told(mean_of(figures, "cpu_permuted"), 1),
            ]
        )
    head = [
        "procedure",
        "balanced accuracy",
        "less the new default",
        "AUC",
        "Brier",
        "features",
        "S",
        f"above permuted, AUC > {SIGNAL:g}",
        "CPU s",
        "of permuted runs",
    ]
    return markdown(head, rows)


def conditions(found: dict[str, dict[str, dict]]) -> str:
    """What the new default must reach, and whether it does."""
    new, old = found["new"], found.get("old")
    above, of = above_permuted(new)
    size = geometric([one["size"] for one in new.values()])
    rate, auc, S = (mean_of(new, key) for key in ("bcr", "auc", "S"))
    share = above / of if of else np.nan
    rows = [
        ["balanced accuracy", "at least .825", told(rate), rate >= 0.825],
        ["AUC", "at least .90", told(auc), auc >= 0.90],
        ["features, geometric mean", "at most 35", told(size, 1), size <= 35],
        ["Nogueira's S", "at least .55", told(S, 2), S >= 0.55],
        [
            f"S above all permuted runs, sets of AUC > {SIGNAL:g}",
            "at least 85 %",
            f"{above} of {of}" if of else "-",
            share >= 0.85 if of else None,
        ],
    ]
    if old is not None:
        ratio = mean_of(new, "brier") / mean_of(old, "brier")
        lower = sum(new[name]["brier"] < old[name]["brier"] for name in new)
        rows += [
            ["Brier, over the old default's", "at most .9", told(ratio), ratio <= 0.9],
            [
                "sets of a lower Brier",
                "two thirds",
                f"{lower} of {len(new)}",
                lower >= 2 / 3 * len(new),
            ],
        ]
    rows.append(["goal: balanced accuracy", f"{GOAL:g}", told(rate), rate >= GOAL])
    words = {True: "met", False: "**not met**", None: "not known"}
    rows = [[*row, words[None if met is None else bool(met)]] for *row, met in rows]
    return markdown(["condition", "wanted", "found", ""], rows)


def by_set(found: dict[str, dict[str, dict]], names) -> str:
    """Rates of all procedures, and the rest of the studies'."""
    studies = [name for name in STUDIES if name in found]
    rest = [("auc", 3), ("brier", 3), ("size", 0), ("S", 2), ("most", 2)]
    rows = [
        [name, *(told(found[who][name]["bcr"]) for who in found)]
        + [told(found[who][name].get(key, np.nan), d) for key, d in rest for who in studies]
        for name in names
    ]
    titles = {"auc": "AUC", "brier": "Brier", "size": "features", "most": "S, most permuted"}
    head = ["set", *(f"rate {who}" for who in found)]
    head += [f"{titles.get(key, key)} {who}" for key, _ in rest for who in studies]
    return markdown(head, rows)


def report_sets(folder: Path, options) -> None:
    """Make what is missing, and print the tables."""
    found: dict[str, dict[str, dict]] = {}
    for procedure in options.procedures or PROCEDURES:  # quick ones need not wait for slow ones
        figures = found.setdefault(procedure, {})
        for name in options.sets:
            figures[name] = on_set(procedure, name, folder, options)
            one = figures[name]
            print(
                f"{procedure}, {name}: rate {one['bcr']:.3f}, {one['cpu']:.1f} CPU s",
                file=sys.stderr,
                flush=True,
            )
    print(
        f"Means over {len(options.sets)} sets, five outer folds drawn twice; of features the "
        "geometric mean of the median; CPU seconds for the ten training sets.\n"
    )
    print(summary(found), end="\n\n")
    if "new" in found:
        print(conditions(found), end="\n\n")
        above, of = above_permuted(found["new"], "above_mean")
        if of:
            print(
                "S above is that of the run that has the permuted runs' design; by the mean over "
                f"both draws {above} of {of} are above.\n"
            )
    print(by_set(found, options.sets))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=("plans", "longer", "choice", "sets", "truths", "null"),
        default=["sets"],
    )
    parser.add_argument("--sets", nargs="+", default=list(SETS), help="or demo, the bundled data")
    parser.add_argument("--procedures", nargs="+", choices=PROCEDURES)
    parser.add_argument("--folder", type=Path, help="keep what is found there, and go on from it")
    parser.add_argument("--permutations", type=int, default=19, help="of the new default")
    parser.add_argument("--old-permutations", type=int, default=0)
    parser.add_argument("--truths", nargs="+", choices=TRUTHS, default=list(TRUTHS))
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--first-draw", type=int, default=0, help="of longer lists")
    parser.add_argument("--n-jobs", type=int, default=1)
    options = parser.parse_args()
    warnings.filterwarnings("ignore", category=FutureWarning)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        if "plans" in options.parts:
            report_plans(folder, options, table_of, facts_of, OUTER)
        if "longer" in options.parts:
            report_longer(options, table_of, OUTER)
        if "choice" in options.parts:
            report_choice(folder, options, table_of, OUTER)
        if "sets" in options.parts:
            report_sets(folder, options)
        if "truths" in options.parts:
            report_truths(folder, options)
        if "null" in options.parts:
            report_null(options.draws)
    print("\n" + versions("scikit-learn", "numba"))


if __name__ == "__main__":
    main()
