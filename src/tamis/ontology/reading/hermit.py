"""HermiT, a reasoner for OWL 2: which classes are below, or the same as, which others.

Glimm, Horrocks, Motik, Stoilos and Wang (2014), HermiT: An OWL 2 Reasoner. Journal of Automated
Reasoning 53, 245-269. It is the program that the library owlready2 brings, run by Java. The library
itself is not imported: it has no limit of time, and loads what a file imports from the network.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..._core.errors import DataError, MissingExtraError, shorten_text
from ...data.limits import Limit
from ...data.memory import available_bytes

SECONDS_LIMIT = Limit("TAMIS_REASONER_SECONDS", 300)
MAIN_CLASS = "org.semanticweb.HermiT.cli.CommandLine"
NOTHING_IRI = "http://www.w3.org/2002/07/owl#Nothing"
AXIOM_LINE_PATTERN = re.compile(r"^(SubClassOf|EquivalentClasses)\( ((?:<[^<>]*> )+)\)$", re.M)
NO_REASONER_ADVICE = "or read the hierarchy as it is stated, without a reasoner"


def hermit_command() -> list[str]:
    """How HermiT is started.

    Raises
    ------
    MissingExtraError
        owlready2 or Java is not there.
    """
    library = importlib.util.find_spec("owlready2")
    folder = Path(library.origin or "").parent / "hermit" if library else Path()
    if not (folder / "HermiT.jar").is_file():
        raise MissingExtraError(
            "reasoner='hermit' needs the library 'owlready2', which brings HermiT: install it with "
            "`pip install '.[reasoner]'`"
        )
    home = os.environ.get("JAVA_HOME", "")
    java = (home and shutil.which("java", path=str(Path(home, "bin")))) or shutil.which("java")
    if not java:
        raise MissingExtraError(
            "reasoner='hermit' needs Java, and there is no program 'java': install it, for "
            "instance with `apt install default-jre-headless`"
        )
    megabytes = max(available_bytes() // 2 >> 20, 128)
    classes = os.pathsep.join(map(str, (folder, folder / "HermiT.jar")))
    return [
        java,
        f"-Xmx{megabytes}m",
        "-XX:+UseSerialGC",
        "-Djava.awt.headless=true",
        "-Dhttp.proxyHost=127.0.0.1",
        "-Dhttp.proxyPort=9",  # where nobody answers
        "-cp",
        classes,
        MAIN_CLASS,
        "--classify",
        "--no-prefixes",
        "--ignoreUnsupportedDatatypes",
    ]


def inferred_hierarchy(
    lines: Iterable[str], name: str
) -> tuple[list[tuple[str, str]], list[list[str]]]:
    """What follows from axioms.

    Parameters
    ----------
    lines : iterable of str
        N-Triples without an import.
    name : str
        Of the ontology, for messages.

    Returns
    -------
    below : list of (str, str)
        IRIs of each class and of its direct superclasses.
    same : list of list of str
        IRIs of equivalent classes; with that of owl:Nothing those that nothing can be of.

    Raises
    ------
    DataError
        The ontology is inconsistent, HermiT refuses it, or it takes too long or too much memory.
    MissingExtraError
        HermiT or Java is not there.
    """
    command = hermit_command()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "axioms.nt")
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.writelines(lines)
        code, out, err = _run_reasoner([*command, path.as_uri()], name)
    if code or "pear-shaped" in err:  # as HermiT has it of what it cannot read
        raise DataError(_refusal_reason(err, code, name))
    below, same = [], []
    for kind, found in AXIOM_LINE_PATTERN.findall(out):
        iris = [one[1:-1] for one in found.split()]
        if kind == "SubClassOf":
            below.append((iris[0], iris[1]))
        else:
            same.append(iris)
    return below, same


def _run_reasoner(command: list[str], name: str) -> tuple[int, str, str]:
    """Exit code and what was printed, within the time that there is."""
    seconds = SECONDS_LIMIT.value
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as one:
        try:
            _end_with_time(one.pid, 2 * seconds)
            out, err = one.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise DataError(
                f"{name!r}: HermiT has not ended after {seconds:,} s; set {SECONDS_LIMIT.variable} "
                f"higher, {NO_REASONER_ADVICE}"
            ) from None
        finally:
            one.kill()
    return one.returncode, out, err


def _end_with_time(process: int, seconds: int) -> None:
    """Let the system end it, should this process be killed meanwhile."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):  # not Linux
        import resource

        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds))


def _refusal_reason(err: str, code: int, name: str) -> str:
    """Why there is no answer, in one line."""
    if "Inconsistent ontology" in err or "InconsistentOntologyException" in err:
        return (
            f"{name!r} is inconsistent: its axioms contradict each other, so that everything "
            f"follows; mend it, {NO_REASONER_ADVICE}"
        )
    if "StackOverflowError" in err:
        return (
            f"{name!r}: its axioms are nested too deeply for HermiT; mend it, {NO_REASONER_ADVICE}"
        )
    if "OutOfMemoryError" in err:
        return (
            f"{name!r}: HermiT needs more memory than there is; use a machine with more, "
            f"{NO_REASONER_ADVICE}"
        )
    text = err.partition("\n\tat ")[0].partition("Exception: ")
    said = shorten_text(" ".join((text[2] or text[0]).split()) or f"exit code {code}", 200)
    return f"HermiT cannot reason about {name!r} ({said}); mend it, {NO_REASONER_ADVICE}"
