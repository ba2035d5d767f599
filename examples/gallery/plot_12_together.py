"""
Which features act together?
============================

The class is whether two of twenty features have the same sign. Neither says anything alone, so no
filter sees them; a search of all pairs does.
"""

from tempfile import mkdtemp

import numpy as np
import pandas as pd

from tamis.discovery import find_interactions
from tamis.selection import moderated_t

rng = np.random.default_rng(0)
table = pd.DataFrame(rng.normal(size=(200, 20))).add_prefix("m")
state = np.where(table["m3"] * table["m8"] > 0, "ill", "well")
scores = np.abs(moderated_t(table.to_numpy(), (state == "well").astype(int))[0])
print("ranks of m3 and m8 by moderated t:", [int((scores >= scores[j]).sum()) for j in (3, 8)])

# %%
# Every search is repeated on permuted labels, which say how large the best score is by chance.
found = find_interactions(table, mkdtemp(), target=state, method="pairs", n_permutations=99)
print(found.summary())

# %%
found.plot("graph")
