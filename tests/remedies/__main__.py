"""Every printed remedy of many tables: `python -m remedies --tables 5000`."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from remedies.follow import Found, Table
from remedies.kinds import drawn
from remedies.writers import made
from tamis.data import memory


def main() -> int:
    parser = argparse.ArgumentParser(prog="remedies", description=__doc__)
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    begin = time.perf_counter()
    found = followed(given.seed, range(given.first, given.first + given.tables))
    every = {kind: found.kinds[kind] for kind in [*drawn(), *found.kinds]}
    for (option, text), count in sorted(every.items(), key=lambda item: -item[1]):
        print(f"{count:7,} {option:12} {text[:100]}")
    print("without a remedy that works:")
    for kind, count in found.unread.most_common():
        print(f"{count:7,} {kind}")
    print(
        f"{found.tables:,} tables ({found.at_once:,} read at once, {found.read:,} by remedies, "
        f"{found.unread.total():,} without, {found.told:,} readings ask whether they are right), "
        f"{found.readings:,} readings, {len(found.kinds)} kinds: {len(found.wrong):,} wrong; "
        f"{time.perf_counter() - begin:.0f} s"
    )
    return int(bool(found.wrong))


def followed(seed: int, numbers: range) -> Found:
    """What becomes of some tables of a seed."""
    found = Found()
    memory.available_bytes = lambda: 1 << 32  # which is asked very often
    with tempfile.TemporaryDirectory() as folder:
        for k in numbers:
            before, one = len(found.wrong), made(seed, k)
            for old in Path(folder).iterdir():
                old.unlink()
            for name, content in one.files.items():
                Path(folder, name).write_bytes(content)
            try:
                Table(one, Path(folder, one.table), found, k).follow()
            except Exception as error:
                found.wrong.append(f"{k} ({', '.join(one.done)}): {type(error).__name__}: {error}")
            for wrong in found.wrong[before:]:
                print("WRONG", wrong, flush=True)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
