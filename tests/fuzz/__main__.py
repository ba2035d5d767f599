"""Everything that is read from outside, spoiled, at any size: `just fuzz --inputs 50000`."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from fuzz.families import FAMILIES, Family
from fuzz.watched import Watched


def main() -> int:
    """1 if there was a fault."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=50_000, help="how many, of all families")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first input of each")
    parser.add_argument("--bounds", action="store_true", help="kernels check their indices")
    parser.add_argument("--keep", type=Path, help="folder for the inputs with a fault")
    given = parser.parse_args()
    each = -(-given.inputs // len(given.families))
    faults = sum(fuzzed(name, FAMILIES[name], each, given) for name in given.families)
    print(f"{each * len(given.families):,} inputs of seed {given.seed}: {faults:,} faults")
    return int(faults > 0)


def fuzzed(family: str, how: Family, inputs: int, given: argparse.Namespace) -> int:
    """Faults of one family, each printed, and a line for each valid input that was spoiled."""
    read, faults, told = Counter[str](), Counter[str](), Counter[str]()
    with (
        tempfile.TemporaryDirectory() as work,
        Watched(how.questions, how.seconds, bounds=given.bounds) as child,
    ):
        for k in range(given.first, given.first + inputs):
            folder = Path(work, "input")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            name, path = how.spoiled(given.seed, k, folder)
            said, fault = child.ask(path)
            (told if said else read)[name] += 1
            if fault:
                faults[name] += 1
                print(f"{family} {k} of seed {given.seed} ({name}): {fault.strip()}\n", flush=True)
                if given.keep is not None:
                    shutil.copytree(folder, given.keep / f"{family}_{k}", dirs_exist_ok=True)
        for name in sorted(read | told):
            print(
                f"{family:10} {name:22} {read[name]:7,} read {told[name]:7,} refused "
                f"{faults[name]:5,} faults",
                flush=True,
            )
        print(f"{family}: the slowest took {child.slowest:.1f} s", flush=True)
    return faults.total()


if __name__ == "__main__":
    raise SystemExit(main())
