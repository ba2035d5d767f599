"""Tamis: a few trustworthy features from very wide biomedical data.

The rooms are imported by name (``from tamis.selection import moderated_t``); importing
``tamis`` itself loads nothing else.
"""

__version__ = "0.1.0"
