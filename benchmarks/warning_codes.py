"""How often each warning of a study is wrong, in tables whose truth is known.

    python benchmarks/warning_codes.py --tables 20  # of each of ten designs, null and strong

Ten designs with nothing to find, and with ten columns of two standard deviations. A code is wrong
where what it says is false by construction (`WRONG`); `RIGHT` are those that ought to speak.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

from _harness import markdown, versions
from _whole_studies import PLAIN, studies_of

SHIFTS = {"null": 0.0, "strong": 2.0}
NEVER = {  # said of tables that have none of it
    "possible-leak",
    "repeated-rows",
    "repeated-measures",
    "batch-confounded",
    "below-chance",
    "missing-unlike",
    "time-to-event",
    "zeros",
    "uneven-folds",
    "no-p-value",
}
WRONG = {
    # in noise no order is above chance, no method better, and no interval too wide for a true p
    "null": {*NEVER, "labels-at-chance", "wide-interval", "plain-as-good", "structure-as-good"},
    "strong": {*NEVER, "not-above-chance", "labels-at-chance", "reaches-chance", "unstable",
               "constant-as-good", "no-selection"},
}  # fmt: skip
RIGHT = {"null": ("not-above-chance", "unstable"), "strong": ()}
ALLOWED = {"intensities": "unlogged"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="of each design, null and strong")
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    given = parser.parse_args()
    print(versions())
    seeds = range(given.first, given.first + given.tables)
    jobs = [(one, shift, seed) for one in PLAIN for shift in SHIFTS.values() for seed in seeds]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    of_design: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (design, shift, seed), found in studies_of(jobs):
        kind = "strong" if shift else "null"
        counts[kind].update(found["codes"].keys())
        of_design[design, kind].update(found["codes"].keys())
        for code in WRONG[kind] & found["codes"].keys():
            print(f"{kind}, {design}, seed {seed}: {code}: {found['codes'][code]}", flush=True)
    n = given.tables * len(PLAIN)
    rows = []
    for code in sorted({*counts["null"], *counts["strong"]}):
        cells = []
        for kind in SHIFTS:
            share = counts[kind][code] / n
            word = "false" if code in WRONG[kind] else "should" if code in RIGHT[kind] else "may"
            cells += [f"{share:.3f}", word]
        rows.append([f"`{code}`", *cells])
    print(markdown(["code", f"{n} null", "is", f"{n} strong", "is"], rows))
    for (design, kind), found in of_design.items():
        print(kind, design, dict(found))


if __name__ == "__main__":
    main()
