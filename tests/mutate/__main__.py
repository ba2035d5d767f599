"""Mutation testing: `just mutate --seed 3 --changes 25 --of kernels`. See `--help`.

Small changes of the sources, drawn over all rooms, and the tests run on each: a mutant that no test
kills is printed with its diff. Some of them are equivalent: they change no answer.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

from mutate.campaign import SEEN, Campaign
from mutate.draw import Mutant, draw

CHECKOUT = Path(__file__).resolve().parents[2]


def main() -> int:
    """0 if no mutant survived, 1 if some did, 2 for arguments that are not understood."""
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__)
    add = parser.add_argument
    add("--seed", type=int, help="of the draw; needed but with --record")
    add("--changes", type=int, default=25, help="mutants of each draw")
    add("--of", choices=("kernels", "rest"), help="one draw; both without")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="working copies")
    add("--limit-quick", type=float, default=150, help="seconds of quick tests of a mutant")
    add("--limit", type=float, default=600, help="seconds of full tests of a survivor; 0: none")
    add("--out", type=Path, help="results, a line each; a run that was killed goes on from it")
    add("--list", action="store_true", help="print the draw and run nothing")
    add("--record", nargs="*", metavar="PATH", help="first run the quick tests (below these paths) "
        "and keep which lines each runs")  # fmt: skip
    given = parser.parse_args()
    if given.seed is None and given.record is None:
        parser.error("give --seed, or --record")
    if given.changes < 1 or given.jobs < 1:
        parser.error("--changes and --jobs are 1 or more")
    campaign = Campaign(CHECKOUT, given.jobs)
    if given.record is not None:
        campaign.record([path.rstrip("/") for path in given.record] or ["tests/"], 3600.0)
        if given.seed is None:
            return 0
        campaign = Campaign(CHECKOUT, given.jobs)
    groups = [given.of] if given.of else ["kernels", "rest"]
    mutants = [
        mutant
        for group in groups
        for mutant in draw(
            campaign.root,
            group == "kernels",
            given.changes,
            given.seed,
            CHECKOUT / ".mutate/sites.json",
        )
    ]
    if given.list:
        print("\n".join(f"{one.path}:{one.line} {one.kind}\n{one.diff}\n" for one in mutants))
        return 0
    campaign.keep(given.out or CHECKOUT / f".mutate/seed-{given.seed}.jsonl")
    campaign.quick(mutants, given.limit_quick)
    left = [one for one in mutants if campaign.results[one.key, "quick"].what not in SEEN]
    if given.limit > 0:
        campaign.full(left, given.limit)
    campaign.end()
    return summed_up(campaign, mutants)


def summed_up(campaign: Campaign, mutants: list[Mutant]) -> int:
    """The summary on stdout, and whether a mutant survived."""
    results, counts, survived, later = campaign.results, Counter[str](), [], []
    for mutant in mutants:
        quick, full = results[mutant.key, "quick"], results.get((mutant.key, "full"))
        last = full or quick
        counts[last.what if last.what in SEEN else "survived"] += 1
        if last.what not in SEEN:
            survived.append((mutant, last))
        elif full is not None:
            later.append((mutant, last))
    seconds = sum(one.cpu for one in results.values()) / max(len(mutants), 1)
    said = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    print(f"{len(mutants)} mutants: {said}; {seconds:.0f} CPU seconds each")
    for mutant, result in later:
        print(f"\nkilled by full tests only ({result.test}): {mutant.kind}\n{mutant.diff}")
    for mutant, result in survived:
        why = ", out of time" if result.what == "timeout" else ""
        print(f"\nSURVIVED ({result.stage} tests{why}): {mutant.kind}\n{mutant.diff}")
    return int(bool(survived))


if __name__ == "__main__":
    sys.exit(main())
