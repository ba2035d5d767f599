"""What each number of a study estimates, over what, and how it was made.

One row for each number of `results.json` (docs/json.md), from which screen, page and
comparisons are drawn; docs/numbers.md is made from it. A number about one object, such as a
patient's probability or a gene's effect, is never an out-of-fold figure of the procedure, and says
so where a reader might take it for one.
"""

from __future__ import annotations

from typing import NamedTuple

from ...metrics.calibration import FEWEST, FEWEST_OF_INDEX
from ...metrics.differences import LEAST_RUNS

PROCEDURE = "the procedure, its inner choices included, at this number of training samples"
METHOD = "the same of one method, which was compared with others: the best of several flatters"
TABLE = "nothing: a count of this table, or a setting"
SAMPLE = "nothing: a description of these samples"
MODEL = "the saved model"
NULL = "the procedure where labels tell nothing"

SAMPLES = "samples, or groups where there are any"
FOLDS = "outer training sets, which share samples: no interval"
RUNS = "permuted runs"
NONE = "none"

OUTER = "chosen by inner folds, judged by outer folds"
COMPANION = "five outer folds and at most two drawings of inner ones, as the permuted runs have"
ALL = "all samples, those that were used for the choice too"
SLOPE_FROM = f"{FEWEST} samples of each class"
INDEX_FROM = f"{FEWEST_OF_INDEX} samples of each class"
HINDSIGHT = "the best of several by the outer folds themselves: too good"


class Number(NamedTuple):
    """A number, or several that are alike.

    Attributes
    ----------
    paths : str
        Where it stands in `results.json`: keys with points between, ``[]`` for a place in a list,
        ``*`` for any key; several between bars.
    estimates, unit, made : str
        What it says something about; what would have to be drawn again for it to vary as it does;
        which folds chose, and which judged it.
    least : str
        Below what number it is not there.
    """

    paths: str
    estimates: str
    unit: str
    made: str
    least: str = ""


NUMBERS = (
    Number("schema | versions.* | data.* | plan.* | protocol.*", TABLE, NONE, "read"),
    Number(
        "metrics.* | recalls.*",
        PROCEDURE,
        SAMPLES,
        OUTER,
        "two classes in some test set for an AUC; no interval of single samples",
    ),
    Number("chance.*.theory | methods[].chance.*.theory", NULL, NONE, "by its definition"),
    Number(
        "chance.*.permuted.* | methods[].chance.*.permuted.*",
        NULL,
        RUNS,
        COMPANION,
        "one permuted run",
    ),
    Number("permutation.observed", PROCEDURE, SAMPLES, COMPANION),
    Number("permutation.values[]", NULL, RUNS, COMPANION),
    Number("permutation.p_value", NULL, RUNS, COMPANION, f"{LEAST_RUNS} permuted runs"),
    Number("permutation.n | permutation.moved | permutation.shifted", TABLE, NONE, "counted"),
    Number(
        "permutation.stability.* | methods[].repeatability.*",
        "the choice of features by the procedure, beside labels that tell nothing",
        "outer training sets, and permuted runs",
        COMPANION,
        f"{LEAST_RUNS} permuted runs for a verdict",
    ),
    Number(
        "headline.winners.* | headline.folds[].* | n_selected | methods[].sizes[]",
        "nothing: what was chosen in the training sets",
        FOLDS,
        OUTER,
    ),
    Number("headline.uneven", TABLE, NONE, "counted"),
    Number(
        "headline.confusion[][] | headline.declined[] | headline.coverage.* | "
        "methods[].coverage.* | headline.cost_by_class.* | methods[].cost_by_class.*",
        PROCEDURE,
        SAMPLES,
        OUTER,
    ),
    Number("headline.curves.* | headline.rejection.*", PROCEDURE, SAMPLES, OUTER),
    Number("headline.calibration.slope.*", PROCEDURE, SAMPLES, OUTER, SLOPE_FROM),
    Number("methods[].calibration.slope.*", METHOD, SAMPLES, OUTER, SLOPE_FROM),
    Number("headline.calibration.index.*", PROCEDURE, SAMPLES, OUTER, INDEX_FROM),
    Number("methods[].calibration.index.*", METHOD, SAMPLES, OUTER, INDEX_FROM),
    Number(
        "headline.stability.* | methods[].stability.* | headline.blocks.*",
        "the choice of features by the procedure",
        FOLDS,
        "chosen in the outer training sets",
        "two training sets",
    ),
    Number(
        "methods[].metrics.* | methods[].curves.* | methods[].rejection.* | "
        "methods[].per_fold.* | methods[].size_curve[].outer",
        METHOD,
        SAMPLES,
        OUTER,
    ),
    Number(
        "methods[].size_curve[].size | methods[].size_curve[].inner | methods[].n_possible",
        "nothing: what the inner folds saw",
        FOLDS,
        "inner folds, which choose by it: too good",
    ),
    Number("methods[].optimistic", METHOD, SAMPLES, HINDSIGHT),
    Number(
        "methods[].difference.* | filtered[].differences.*",
        "the difference of two procedures at this number of training samples",
        SAMPLES,
        "paired outer folds, corrected for shared training samples",
        "two outer folds in which they differ",
    ),
    Number(
        "methods[].interactions.* | methods[].evidence.*",
        "nothing: what the models of the training sets hold",
        FOLDS,
        OUTER,
    ),
    Number(
        "features[].frequency | features[].by_method.* | features[].group_frequency",
        "how often the procedure chooses this feature; not the probability that it is true",
        FOLDS,
        "chosen in the outer training sets",
    ),
    Number(
        "features[].class_means.* | features[].class_shares.* | features[].distribution.* | "
        "features[].missing | features[].missing_counts.* | features[].group[].r | "
        "features[].group_size | features[].place.*",
        SAMPLE,
        NONE,
        ALL,
    ),
    Number(
        "features[].scores.* | features[].missing_p | features[].numbers.*",
        "this feature in the population, but for the choice, which saw the same samples",
        "samples",
        ALL,
    ),
    Number("final.coefficients[]", MODEL, SAMPLES, ALL, "a linear model of two classes"),
    Number("final.size | final.params.*", MODEL, NONE, "chosen by inner folds of all samples"),
    Number("places.*", SAMPLE, FOLDS, OUTER),
    Number("missing_by_class.*", "missing values in the population", "samples", ALL),
    Number(
        "filtered[].kept.* | filtered[].n_features | filtered[].n_kept | filtered[].left_out[].n",
        SAMPLE,
        FOLDS,
        "the step, which sees no class",
    ),
    Number(
        "bootstrap.*",
        "the procedure at all samples",
        "samples; no interval",
        "learnt from bootstrap samples, judged on those left out and on all",
        "a sample of each class that some bootstrap sample leaves out",
    ),
    Number("learning_curve.points[].*", "the procedure at fewer training samples", SAMPLES, OUTER),
    Number(
        "learning_curve.last.*",
        "the gain of the last training samples",
        SAMPLES,
        "paired outer folds",
        "two outer folds in which they differ",
    ),
    Number("costs.*", TABLE, NONE, "given, or counted of the samples held out"),
)
