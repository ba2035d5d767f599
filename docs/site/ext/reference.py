"""The reference: docstrings as reStructuredText, and names in code as links to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpydoc
from docutils import nodes
from jinja2 import FileSystemLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx import addnodes
from sphinx.util.nodes import make_refnode

PUBLIC = re.compile(r"(tamis(?:\.\w+)+)(?:\(.*\))?")
CODE = re.compile(r"(`+[^`]+`+)")
MARK = re.compile(r"\||(?<=\w)_(?!\w)")  # a substitution; a link by name

# numpydoc compiles its template anew for each docstring, which takes longer than all the rest of it
numpydocs_own = SandboxedEnvironment(
    loader=FileSystemLoader(Path(numpydoc.__file__).parent / "templates")
)
docscrape_sphinx.SandboxedEnvironment = lambda loader: numpydocs_own


def escape_marks(
    app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """What docstrings mean as it stands: |a| is a number of members, `ranking_` an attribute."""
    for k, line in enumerate(lines):
        if line.startswith(".. rubric:: Examples"):
            break
        if not line.lstrip().startswith(".. "):
            parts = CODE.split(line)
            parts[::2] = [MARK.sub(lambda found: f"\\{found[0]}", part) for part in parts[::2]]
            lines[k] = "".join(parts).replace("\\\\", "\\")


def is_others(
    app: Any, what: str, name: str, member: object, skip: bool, options: object
) -> bool | None:
    """Leave out members that a class has of another package, such as scikit-learn's: what their
    texts refer to is not here. Classes in a class are settings of it."""
    if isinstance(options, dict):  # of a package, whose names are all its own
        return None
    home = getattr(getattr(member, "fget", member), "__module__", None) or ""
    return None if home.startswith("tamis") and not isinstance(member, type) else True


def link_names(app: Any, tree: nodes.document) -> None:
    """`tamis.data.read_table` in the text of a page is a link to it."""
    for code in list(tree.findall(nodes.literal)):
        name = PUBLIC.fullmatch(code.astext())
        if name and not isinstance(code.parent, (addnodes.pending_xref, nodes.reference)):
            link = addnodes.pending_xref(
                refdomain="py", reftype="obj", reftarget=name[1], refdoc=app.env.docname
            )
            code.replace_self(link)
            link += code


def named_elsewhere(app: Any, env: Any, node: Any, code: nodes.Element) -> nodes.Element | None:
    """What stands between single backticks of a docstring is code: a name of the reference, of
    whatever package, or a parameter, a file, a word of a plan."""
    if node.get("refdomain") != "py" or node.get("reftype") != "obj":
        return None
    public = re.compile(rf"tamis\.\w+\.{re.escape(node['reftarget'].removesuffix('()'))}")
    objects = env.get_domain("py").objects
    name = min(filter(public.fullmatch, objects), default=None)
    if name is None:
        return code
    entry = objects[name]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, code, name)


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", escape_marks, priority=600)  # after numpydoc
    app.connect("autodoc-skip-member", is_others)
    app.connect("doctree-read", link_names)
    app.connect("missing-reference", named_elsewhere)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
