"""The page of `tamis interact`: what every search has, around the parts of its own, rendered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NotRequired, cast, get_origin, get_type_hints

from .._core.errors import StoreError, listed_names, listed_parts, shorten_text, value_text
from .._core.written_schema import require_schema
from ..data.labels import with_labels
from ..discovery.schema import KIND, SCHEMA, InteractionsResult, SearchResult, SetsResult
from ._assets import SCRIPT_FILES, STYLE_FILES, embedded_json, render_page
from ._found_sets import sets_view
from ._interaction_ranking import ranking_view
from ._numbers import count_text, plain_json, plural_text
from ._table import TableView


def render_interactions(result: Mapping[str, object]) -> str:
    """The page's HTML; only charts and assets pass unescaped."""
    from markupsafe import Markup

    page = page_view(result)
    return render_page(
        "interactions.html.j2",
        page_tables(page),
        (*STYLE_FILES, "interactions.css"),
        (*SCRIPT_FILES, "graph.js"),
        **page,
        drawn=Markup(embedded_json(page["graphs"])),
    )


def page_view(result: Mapping[str, object]) -> dict[str, Any]:
    """The page's content: of a search for sets, or of a ranking with its graph and rules."""
    r = _checked_result(result)
    if "sets" in r:
        own = sets_view(cast(SetsResult, r))
    else:
        own = ranking_view(cast(InteractionsResult, r))
    entries = [
        ("headline", "Answer", True),
        ("remarks", "Remarks", own["remarks"]),
        *own["nav"],
        ("reading", "How to read this", True),
        ("text", "For the paper", True),
    ]
    return {
        **own,
        "title": f"Interactions in {r['name']}" if r["name"] else "Interactions",
        "subtitle": _page_subtitle(r),
        "version": r["versions"].get("tamis", ""),
        "nav": [(name, title) for name, title, there in entries if there],
    }


def page_tables(page: dict[str, Any]) -> Iterator[TableView]:
    """Every table of the page."""
    yield from (page[name] for name in page["tables"])


def _checked_result(result: Mapping[str, object]) -> SearchResult:
    """A full result, made safe to write down."""
    if result.get("kind") != KIND:
        raise StoreError(
            f"result is of kind {value_text(result.get('kind'))}, not {KIND!r}: pass the full "
            "dictionary of interactions.json"
        )
    require_schema(result.get("schema"), SCHEMA, "the result", "run `tamis interact` again")
    kind = SetsResult if "sets" in result else InteractionsResult
    typed = get_type_hints(kind, include_extras=True)
    needed = {key for key, own in typed.items() if get_origin(own) is not NotRequired}
    lacking = sorted(needed - result.keys())
    if lacking:
        raise StoreError(f"result lacks {listed_names(lacking)}; run `tamis interact` again")
    return cast(SearchResult, with_labels(plain_json(result)))


def _page_subtitle(r: SearchResult) -> str:
    d = r["data"]
    sizes = listed_parts(
        (f"{shorten_text(c['name'])} ({count_text(c['size'])})" for c in d["classes"]), 6
    )
    return (
        f"{plural_text(d['n_samples'], 'sample')}, {plural_text(d['n_features'], 'feature')}; "
        f"{r['target'] or 'classes'}: {sizes}"
    )
