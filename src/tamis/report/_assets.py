"""What every page is made of: templates, styles and scripts, data and the policy they run under."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from ._table import TableView

STYLE_FILES, SCRIPT_FILES = ("report.css",), ("report.js",)


def render_page(
    name: str,
    tables: Iterable[TableView],
    styles: Iterable[str] = STYLE_FILES,
    scripts: Iterable[str] = SCRIPT_FILES,
    /,
    **content: Any,
) -> str:
    """The HTML of a page: a template with its content, tables, style sheets and scripts.

    Every string of the content is escaped; only charts and assets pass as they are.
    """
    from markupsafe import Markup

    script = "".join(map(asset_text, scripts))
    page = page_templates().get_template(name)
    return page.render(
        **content,
        css=Markup("".join(map(asset_text, styles))),
        script=Markup(script),
        embedded=Markup(embedded_json({t["name"]: t["data"] for t in tables})),
        policy=content_policy(script),
    )


def embedded_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in.

    Examples
    --------
    >>> print(embedded_json("</script>"))
    "\\u003c/script\\u003e"
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def content_policy(script: str) -> str:
    """A Content-Security-Policy under which only our own script runs and nothing is fetched."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def asset_text(name: str) -> str:
    """A style sheet or script of the package."""
    return files("tamis.report").joinpath("assets", name).read_text(encoding="utf-8")


@functools.cache
def page_templates() -> Any:
    """The environment of the page templates; what is undefined in them is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("tamis.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
