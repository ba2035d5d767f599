"""What a notebook and a prompt show of a result: its summary."""

from __future__ import annotations

import html
import re

from .errors import printable_text, shorten_text, unbroken_text

MAX_LINE_LENGTH = 110  # letters of the first line at a prompt
# what a line is about, and what it says of it
PAIR_PATTERN = re.compile(r"  (\S.{0,8}?(?=  )|[a-z]{9}(?= )) +(\S.*)")
GRID_STYLE = (
    "display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1em 1em;max-width:60em"
)


class FirstScreen:
    """A result with a `summary`, which notebooks show in their own colours.

    A dataclass of this kind leaves its ``__repr__`` to this one with ``repr=False``.
    """

    def summary(self) -> str:
        """What is said first: a line, and others below it that begin with two blanks."""
        raise NotImplementedError

    def __repr__(self) -> str:
        first = self.summary().partition("\n")[0]
        line = shorten_text(printable_text(unbroken_text(first)), MAX_LINE_LENGTH)
        return f"{type(self).__name__}({line})"

    def _repr_html_(self) -> str:
        return summary_html(self.summary())


def summary_html(text: str) -> str:
    """A summary as a piece of a page: no colour of its own, every name escaped.

    Examples
    --------
    >>> summary_html("<golub>: 38 samples")
    '<div><div><b>&lt;golub&gt;: 38 samples</b></div></div>'
    >>> "<b>!</b>" in summary_html("golub\\n  ! few: too few samples\\n  chosen    2 features")
    True
    """
    first, *others = text.splitlines() or [""]
    rows = "".join(map(_html_row, filter(str.strip, others)))
    below = f'<div style="{GRID_STYLE}">{rows}</div>' if rows else ""
    return f"<div><div><b>{_escaped_text(first)}</b></div>{below}</div>"


def _html_row(line: str) -> str:
    """A line of two cells, or across both."""
    if line.startswith("  ! "):
        return f"<div><b>!</b></div><div>{_escaped_text(line[4:])}</div>"
    if pair := PAIR_PATTERN.fullmatch(line):
        return (
            "<div "
            f'style="opacity:.7">{_escaped_text(pair[1])}</div><div>{_escaped_text(pair[2])}</div>'
        )
    style = "grid-column:1/-1;white-space:pre-wrap;font-family:monospace"
    return f'<div style="{style}">{_escaped_text(line)}</div>'


def _escaped_text(text: str) -> str:
    return html.escape(printable_text(text))
