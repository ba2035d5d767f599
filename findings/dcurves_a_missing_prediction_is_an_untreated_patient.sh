#!/usr/bin/env bash
# dcurves 1.1.7 (pandas 2.3.3, NumPy 2.4.6): decision curves where a prediction is missing.
#
# Guess: patients without a prediction are left out and counted, or refused; n says how many were judged.
# Seen: neither. They stay in n, and count as patients whom the model would not treat: with half of the cases' predictions
# missing the net benefit falls by half and no line says why. A model that cannot score a patient whose laboratory value is
# missing is thereby compared, on all, with one that can.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q dcurves==1.1.7 pandas==2.3.3 numpy==2.4.6
v/bin/python - <<'PYTHON' 2>stderr | tee seen
import numpy as np
import pandas as pd
from dcurves import dca

y = np.array([1] * 20 + [0] * 60)
risk = np.array([0.8] * 20 + [0.1] * 60)
gaps = risk.copy()
gaps[:10] = np.nan
table = pd.DataFrame({"y": y, "risk": risk, "gaps": gaps})
found = dca(table, outcome="y", modelnames=["risk", "gaps"], thresholds=np.array([0.25]))
for name in ("risk", "gaps"):
    row = found[found["model"] == name].iloc[0]
    print(name, int(row["n"]), round(float(row["net_benefit"]), 3))
known = table.dropna()
row = dca(known, outcome="y", modelnames=["gaps"], thresholds=np.array([0.25])).iloc[0]
print("known", int(row["n"]), round(float(row["net_benefit"]), 3))
PYTHON
diff seen - <<'EXPECTED'
risk 80 0.25
gaps 80 0.125
known 70 0.143
EXPECTED
test ! -s stderr
echo "as described"
