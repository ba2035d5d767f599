"""The fuzzer of genotype readers at any size: `just fuzz --inputs 20000`."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from fuzz.spoiled_genotypes import QUESTIONS, spoiled
from fuzz.watched import Watched


def main() -> int:
    """1 if there was a fault."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=20_000, help="how many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--bounds", action="store_true", help="kernels check their indices")
    parser.add_argument("--keep", type=Path, help="folder for the inputs with a fault")
    given = parser.parse_args()
    read, faults, told = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as work, Watched(QUESTIONS, bounds=given.bounds) as child:
        folder = Path(work)
        for k in range(given.first, given.first + given.inputs):
            name, path = spoiled(given.seed, k, folder)
            said, fault = child.ask(path)
            (told if said else read)[name] += 1
            if fault:
                faults[name] += 1
                print(f"input {k} of seed {given.seed} ({name}): {fault.strip()}\n", flush=True)
                if given.keep is not None:
                    shutil.copytree(folder, given.keep / f"{name}_{k}", dirs_exist_ok=True)
    for name in sorted(read | told):
        print(f"{name:22} {read[name]:7,} read {told[name]:7,} refused {faults[name]:5,} faults")
    print(f"{given.inputs:,} inputs of seed {given.seed}: {faults.total():,} faults")
    return int(faults.total() > 0)


if __name__ == "__main__":
    raise SystemExit(main())
