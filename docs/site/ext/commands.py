"""Pages of the commands, made of what `tamis COMMAND --help` says.

sphinx-click sees neither the headings of options nor those that `tamis interact` takes from its
searches, which are imported when it is called.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

INTRO = "Every command has ``--help``, which says what these pages say."


def escaped(text: str) -> str:
    """A text of the help as reStructuredText: code stays code, a page of docs/ is a link."""
    parts = re.split(r"(`[^`]+`)", text)
    parts[::2] = [re.sub(r"([*|\\]|_\b)", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [f"`{part}`" for part in parts[1::2]]
    return re.sub(r"\bdocs/([\w/]+)\.md", r":doc:`docs/\1.md </\1>`", "".join(parts))


def paragraphs(text: str) -> Iterator[str]:
    r"""Of a help; lines after \b stay lines."""
    for part in inspect.cleandoc(text).split("\n\n"):
        if part.startswith("\b"):
            yield "\n".join(f"| {escaped(line)}" for line in part.splitlines()[1:])
        else:
            yield escaped(" ".join(part.split()))


def titled(title: str, line: str = "=") -> str:
    return f"{title}\n{line * len(title)}"


def options_of(context: click.Context) -> Iterator[str]:
    """Options under the headings that they have in the help."""
    panels: dict[str, list[str]] = {}
    for option in context.command.get_params(context):
        record = option.get_help_record(context)
        if record and isinstance(option, click.Option):
            names, text = record
            names = names.replace(" / ", ", ")
            entry = f".. option:: {names}\n\n   {escaped(' '.join(text.split()))}"
            panels.setdefault(getattr(option, "panel", None) or "Options", []).append(entry)
    for panel, entries in panels.items():
        yield titled(panel, "-")
        yield from entries


def pages_of(command: click.Command, name: str, parent: click.Context | None) -> dict[str, str]:
    """The page of a command, and those of the commands below it, by name."""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    command, path = context.command, context.command_path
    usage = command.get_usage(context).removeprefix("Usage: ")
    page = [titled(path), *paragraphs(command.help or ""), f"::\n\n   {' '.join(usage.split())}"]
    found: dict[str, str] = {}
    if isinstance(command, click.Group):
        rows = []
        for below in command.list_commands(context):
            one = command.get_command(context, below)
            assert one is not None
            pages = pages_of(one, below, context)
            file = next(iter(pages))
            first = next(paragraphs(one.help or ""))
            rows.append(f":doc:`{path} {below} <{file}>`\n   {first}")
            found |= pages
        files = "\n".join(f"   {file}" for file in found if is_below(file, path))
        page += [*([INTRO] if parent is None else []), *rows]
        page.append(f".. toctree::\n   :hidden:\n\n{files}")
    page += [f".. program:: {path}", *options_of(context)]
    return {path.replace(" ", "_"): "\n\n".join(page) + "\n"} | found


def is_below(file: str, path: str) -> bool:
    """Whether it is the page of a command of this group, and not of a group in it."""
    return file.rpartition("_")[0] == path.replace(" ", "_")


def write_pages(app: Any) -> None:
    """Those that are not there as they are to be: what is written is read anew."""
    from tamis.cli.main import main

    folder = Path(app.srcdir, "site", "cli")
    folder.mkdir(exist_ok=True)
    pages = pages_of(main, "tamis", None)
    for old in set(folder.glob("*.rst")) - {folder / f"{name}.rst" for name in pages}:
        old.unlink()
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
