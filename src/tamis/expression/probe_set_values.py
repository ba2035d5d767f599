"""What probe sets are worth in each sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ProbeSetValues:
    """Values of probe sets, and the effects of their probes.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_probe_sets)
        log2 of expression.
    probe_sets : ndarray of shape (n_probe_sets,)
        Their names, sorted.
    probe_effects : ndarray of shape (n_probes,)
        By how much each probe is above its probe set, log2; in the order of the columns given.

    Examples
    --------
    >>> ProbeSetValues(np.array([[7.5]]), np.array(["1007_s_at"]), np.zeros(1)).frame(["patient"])
             1007_s_at
    patient        7.5
    """

    values: np.ndarray
    probe_sets: np.ndarray
    probe_effects: np.ndarray

    def frame(self, samples: Any = None):
        """The values as a pandas DataFrame, samples in rows."""
        import pandas as pd

        return pd.DataFrame(self.values, index=samples, columns=self.probe_sets)
