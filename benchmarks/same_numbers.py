"""Whether two versions write the same numbers: every command under both, every file compared.

    python benchmarks/same_numbers.py FIRST SECOND [--only study "genome mtd"] [--keep FOLDER]

FIRST and SECOND are each a folder that holds the package `tamis` (the `src` of a checkout; it is
run by this interpreter), or a Python in whose environment a version is installed. A case is a few
commands in a folder of its own (`_same_cases.py`), each in a process of its own with one thread;
inputs are made up once (`_same_inputs.py`). Then the second version reads what the first wrote: its
models, result folders, tables and mappings, and spoiled ones; the first reads a copy, and both have
to answer, or to refuse, alike.

JSON, delimited tables, Arrow cells, model files and numbers in texts are compared number by number
(`_same_compare.py`). Exit code 1 if a number differs by more than 1e-15 of itself, or a name or a
label differs, or a file or field of the first is gone. What the second has besides, and other
words, are listed. Versions, times and paths are not compared.

    git archive HEAD~20 src | tar -x -C /tmp/before
    python benchmarks/same_numbers.py /tmp/before/src src
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from _harness import markdown
from _same_cases import CASES, Case
from _same_compare import KINDS, Comparison, compare_folders
from _same_inputs import write_inputs

MAX_LISTED = 5  # differences of a kind and case


class Version:
    """A source folder run by this interpreter, or an interpreter with what is installed."""

    def __init__(self, place: str):
        path = Path(place).absolute()
        self.folder = path if path.is_dir() else None
        if self.folder is not None and not (self.folder / "tamis").is_dir():
            raise SystemExit(f"{place} holds no folder tamis")
        if self.folder is None and shutil.which(place) is None:
            raise SystemExit(f"{place} is neither a folder nor a program")
        self.python = sys.executable if self.folder else place
        self.environment = {
            **{name: text for name, text in os.environ.items() if name != "PYTHONPATH"},
            "COLUMNS": "100",
            "PYTHONHASHSEED": "0",
        }
        if self.folder is not None:
            self.environment["PYTHONPATH"] = str(self.folder)
        code = "import tamis; print(tamis.__path__[0])"
        found = subprocess.run(
            [self.python, "-c", code],
            env=self.environment,
            cwd=tempfile.gettempdir(),
            capture_output=True,
            text=True,
            check=False,
        )
        if found.returncode:
            raise SystemExit(f"{place} cannot import tamis: {found.stderr.strip()[-300:]}")
        self.home = found.stdout.strip()
        if self.folder is not None and Path(self.home) != self.folder / "tamis":
            raise SystemExit(f"with {place} in PYTHONPATH, tamis still comes from {self.home}")

    def run(self, command: str, folder: Path, name: str) -> int:
        """Its exit code and what it prints become a file of the folder, too."""
        found = subprocess.run(
            [self.python, "-m", "tamis", *shlex.split(command)],
            env=self.environment,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        # JSON is compared field by field: it has a file of its own.
        ending = "json" if found.stdout.startswith("{") else "out.txt"
        (folder / f"{name}.{ending}").write_text(found.stdout)
        (folder / f"{name}.err.txt").write_text(f"exit code {found.returncode}\n{found.stderr}")
        return found.returncode


def run_commands(
    version: Version, commands: tuple[str, ...], folder: Path, prefix: str
) -> list[str]:
    """The commands that end with another exit code than 0."""
    pair = (folder.parents[1] / "inputs" / "one_pair.txt").read_text()
    refused = []
    for k, command in enumerate(commands):
        line = command.replace("IN/", "../../inputs/").replace("PAIR", pair.strip())
        if version.run(line, folder, f"{prefix}{k + 1}"):
            refused.append(command)
    return refused


def run_case(case: Case, versions: tuple[Version, Version], home: Path) -> tuple[Comparison, str]:
    """What differs, and how many commands were run and refused by the first version."""
    name = case.name.replace(" ", "_").replace(",", "")
    folders = [home / side / name for side in ("first", "second")]
    refused = []
    for version, folder in zip(versions, folders, strict=True):
        folder.mkdir(parents=True)
        if case.plan:
            (folder / "plan.toml").write_text(case.plan)
        refused.append(run_commands(version, case.commands, folder, "command"))
    hidden = [str(home), *(version.home for version in versions), *(v.python for v in versions)]
    found = compare_folders(*folders, hidden)
    for command in refused[0]:
        print(f"  refused by the first version: {command}", file=sys.stderr)
    if case.readers:
        read = [home / f"first_read_by_{side}" / name for side in ("first", "second")]
        for version, folder in zip(versions, read, strict=True):
            shutil.copytree(folders[0], folder)
            for model in list(folder.rglob("model.npz")):
                data = model.read_bytes()
                model.with_name("spoiled.npz").write_bytes(data[: len(data) // 2])
            refused.append(run_commands(version, case.readers, folder, "reader"))
        found.join(compare_folders(*read, hidden), "read again: ")
    n_commands = len(case.commands) + len(case.readers)
    return found, f"{n_commands} ({sum(map(len, refused[::2]))} refused)"


def report(name: str, found: Comparison) -> None:
    """A few differences of each kind."""
    if not found.differences:
        return
    print(f"\n{name}\n")
    for kind in KINDS:
        listed = [one for one in found.differences if one.kind == kind]
        for one in sorted(listed, key=lambda d: -d.size)[:MAX_LISTED]:
            print(f"    {one.line()}")
        if len(listed) > MAX_LISTED:
            print(f"    and {len(listed) - MAX_LISTED} more of kind {kind}")


def chosen_cases(only: list[str]) -> list[Case]:
    """Those whose name begins with one of the texts; all without any."""
    cases = [case for case in CASES if not only or case.name.startswith(tuple(only))]
    if not cases:
        raise SystemExit(f"no case has such a name: {', '.join(case.name for case in CASES)}")
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", help="source folder, or Python of an environment")
    parser.add_argument("second", help="the same")
    parser.add_argument("--only", nargs="+", default=[], help="cases by how their names begin")
    parser.add_argument("--keep", type=Path, help="a new folder for all that is written")
    options = parser.parse_args()
    cases = chosen_cases(options.only)
    versions = (Version(options.first), Version(options.second))
    with tempfile.TemporaryDirectory() as scratch:
        home = (options.keep or Path(scratch) / "same").absolute()
        if home.exists() and any(home.iterdir()):
            raise SystemExit(f"{home} is not empty")
        write_inputs(home / "inputs")
        found: dict[str, Comparison] = {}
        rows = []
        for case in cases:
            start = time.perf_counter()
            found[case.name], commands = run_case(case, versions, home)
            one = found[case.name]
            counts = Counter(difference.kind for difference in one.differences)
            rows.append(
                [
                    case.name,
                    commands,
                    one.files,
                    f"{one.numbers:,}",
                    f"{one.worst:.0e}" if one.worst else "0",
                    *(counts[kind] for kind in KINDS),
                ]
            )
            seconds = time.perf_counter() - start
            print(
                f"{case.name}: {len(one.differences)} differences, {seconds:.0f} s", file=sys.stderr
            )
    print(markdown(["case", "commands", "files", "numbers", "worst", *KINDS], rows))
    for name, one in found.items():
        report(name, one)
    failed = [name for name, one in found.items() if one.failed]
    numbers = sum(one.numbers for one in found.values())
    worst = max(one.worst for one in found.values())
    print(f"\n{numbers:,} numbers, worst relative difference {worst:.1g}")
    print(f"cases with a difference: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
