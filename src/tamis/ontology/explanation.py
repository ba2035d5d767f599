"""Why a pair is, or is not, in the mapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._core.errors import DataError, shorten_text
from .._core.first_screen import FirstScreen
from .evidence import Evidence, Weight
from .examples import Examples
from .pair_decision import PairDecision

if TYPE_CHECKING:
    import pandas as pd

MAX_RIVALS = 5


class Rival(NamedTuple):
    """Another pair of one of the classes."""

    source: str
    target: str
    probability: float


@dataclass(frozen=True, repr=False)
class Explanation(FirstScreen):
    """A pair, and what speaks for and against it.

    Attributes
    ----------
    source, target : str
        Labels.
    probability, threshold : float
    stands : bool
        Whether the mapping has the pair as equivalent.
    said : bool or None
        What a person said of it.
    evidence : tuple of Weight
        The weightiest first.
    rivals : tuple of Rival
        The most probable other pairs of these classes, five at most.
    """

    source: str
    target: str
    probability: float
    threshold: float
    stands: bool
    said: bool | None
    evidence: tuple[Weight, ...]
    rivals: tuple[Rival, ...]

    def frame(self) -> pd.DataFrame:
        """Name, value and weight of each similarity."""
        import pandas as pd

        return pd.DataFrame(self.evidence, columns=list(Weight._fields))

    def to_dict(self) -> dict[str, object]:
        """Everything."""
        return {
            "source": self.source,
            "target": self.target,
            "probability": self.probability,
            "threshold": self.threshold,
            "stands": self.stands,
            "said": self.said,
            "evidence": [one._asdict() for one in self.evidence],
            "rivals": [one._asdict() for one in self.rivals],
        }

    def summary(self) -> str:
        """Lines for people."""
        verdict = "at or above" if self.probability >= self.threshold else "below"
        lines = [
            f"{self.source} = {self.target}: {'' if self.stands else 'not '}in the mapping; "
            f"probability {self.probability:.3f}, {verdict} the threshold {self.threshold:.3g}"
        ]
        if self.said is not None:
            lines.append(f"a person said {'yes' if self.said else 'no'}")
        for name, value, weight in self.evidence:
            shown = "missing" if value is None else f"{value:.2f}"
            lines.append(f"  {name:14} {shown:>8}  {weight:+.1f} bits")
        for one in self.rivals:
            lines.append(f"  rival: {one.source} = {one.target}, {one.probability:.3f}")
        return "\n".join(lines)


def explanation_of(
    one: Examples,
    X: np.ndarray,
    probability: np.ndarray,
    decision: PairDecision,
    evidence: Evidence,
    pair: tuple[int, int],
) -> Explanation:
    """Of a pair of positions."""
    rows, known = one.pairs.rows, one.known
    i, j = pair
    labels = known.source.labels[i], known.target.labels[j]
    for c, side in ((i, known.source), (j, known.target)):
        if side.obsolete[c]:
            raise DataError(
                f"{shorten_text(side.labels[c])!r} is obsolete in {side.name!r}: no obsolete "
                "class is matched"
            )
    (k,) = one.pairs.find(np.array([pair]))
    if k < 0:
        raise DataError(
            f"{labels[0]!r} and {labels[1]!r} have too little in common to be compared: no name, "
            "word or part of one"
        )
    others = np.flatnonzero((rows[:, 0] == i) ^ (rows[:, 1] == j))
    best = others[np.argsort(-probability[others], kind="stable")][:MAX_RIVALS]
    rivals = tuple(
        Rival(known.source.labels[a], known.target.labels[b], round(float(p), 6))
        for (a, b), p in zip(rows[best].tolist(), probability[best], strict=True)
    )
    stands, _ = decision.standing_pairs(rows, probability, one.said)
    said = known.said.get(pair)
    return Explanation(
        *labels,
        round(float(probability[k]), 6),
        decision.threshold,
        bool(stands[k]) or said is True,
        said,
        tuple(evidence.about(X[k])),
        rivals,
    )
