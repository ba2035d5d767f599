"""The site of docs/: `just site` builds it; options of Sphinx and of its extensions."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "docs" / "site" / "ext"), str(ROOT / "docs" / "site")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of examples: more threads wait for each other
gc.disable()  # trees of pages are garbage in circles, and collecting them takes a sixth of the time

project = "Tamis"
author = "The Tamis developers"
project_copyright = author
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "navigation",
    "outside",
    "reports",
    "commands",
    "reference",
    "links",
]
exclude_patterns = ["site/ext", "site/templates", "**sg_execution_times.rst"]
templates_path = ["site/templates"]
html_theme = "pydata_sphinx_theme"
html_title = "Tamis"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_extra_path = ["../build/reports"] if (ROOT / "build" / "reports").exists() else []
html_show_sourcelink = False
html_copy_source = False

myst_heading_anchors = 4
nitpicky = True  # without exceptions; what stands in single backticks: site/ext/reference.py
smartquotes = False  # two hyphens begin an option
default_role = "py:obj"

autosummary_generate = ["site/reference.rst"]
autosummary_ignore_module_all = False  # public names are imported when they are used
autosummary_imported_members = True
# What two packages have stands under the one that it is of.
autosummary_context = {"elsewhere": {"tamis.classifiers": ["CostMatrix", "Rule"]}}
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"
autodoc_use_type_comments = False
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
html_theme_options = {
    "navigation_depth": 2,
    "show_prev_next": False,
    "header_links_before_dropdown": 9,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
WITHOUT_SIDEBAR = "index site/reports warnings coming_from coming_from_plink faq search"
html_sidebars = {page: [] for page in WITHOUT_SIDEBAR.split()}

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "site/examples",
    "image_scrapers": ("pictures.save_picture",),
    "reset_modules": ("pictures.fresh_folder",),
    "capture_repr": ("_repr_html_", "__repr__"),
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
}
