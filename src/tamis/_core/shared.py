"""What all tasks of a call have in common."""

from __future__ import annotations


class Shared:
    """An argument that is the same object in many tasks: a cluster gets it once, and each of its
    workers opens it once.

    A base without content. Whoever knows nothing of it sends it along with each task, as anything.
    """
