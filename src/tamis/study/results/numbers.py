"""What each number of a study estimates, over what, and how it was made.

One row for each number of `results.json` (docs/json.md), from which screen, page and
comparisons are drawn; docs/numbers.md is made from it. A number about one object, such as a
patient's probability or a gene's effect, is never an out-of-fold figure of the procedure, and says
so where a reader might take it for one.
"""

from __future__ import annotations

from typing import NamedTuple

from ...metrics.calibration import FEWEST_OF_INDEX, MIN_CLASS_SIZE
from ...metrics.differences import LEAST_RUNS

OF_PROCEDURE = "the procedure, its inner choices included, at this number of training samples"
OF_METHOD = "the same of one method, which was compared with others: the best of several flatters"
OF_TABLE = "nothing: a count of this table, or a setting"
OF_SAMPLES = "nothing: a description of these samples"
OF_MODEL = "the saved model"
OF_NULL = "the procedure where labels tell nothing"

SAMPLE_UNITS = "samples, or groups where there are any"
FOLD_UNITS = "outer training sets, which share samples: no interval"
RUN_UNITS = "permuted runs"
NO_UNIT = "none"

BY_OUTER_FOLDS = "chosen by inner folds, judged by outer folds"
BY_COMPANION = "five outer folds and at most two drawings of inner ones, as the permuted runs have"
BY_ALL_SAMPLES = "all samples, those that were used for the choice too"
SLOPE_FROM = f"{MIN_CLASS_SIZE} samples of each class"
INDEX_FROM = f"{FEWEST_OF_INDEX} samples of each class"
BY_HINDSIGHT = "the best of several by the outer folds themselves: too good"


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


NUMBER_ROWS = (
    Number("schema | versions.* | data.* | plan.* | protocol.*", OF_TABLE, NO_UNIT, "read"),
    Number(
        "metrics.* | recalls.*",
        OF_PROCEDURE,
        SAMPLE_UNITS,
        BY_OUTER_FOLDS,
        "two classes in some test set for an AUC; no interval of single samples",
    ),
    Number("chance.*.theory | methods[].chance.*.theory", OF_NULL, NO_UNIT, "by its definition"),
    Number(
        "chance.*.permuted.* | methods[].chance.*.permuted.*",
        OF_NULL,
        RUN_UNITS,
        BY_COMPANION,
        "one permuted run",
    ),
    Number("permutation.observed", OF_PROCEDURE, SAMPLE_UNITS, BY_COMPANION),
    Number("permutation.values[]", OF_NULL, RUN_UNITS, BY_COMPANION),
    Number("permutation.p_value", OF_NULL, RUN_UNITS, BY_COMPANION, f"{LEAST_RUNS} permuted runs"),
    Number("permutation.n | permutation.moved | permutation.shifted", OF_TABLE, NO_UNIT, "counted"),
    Number("headline.fit.slope", OF_PROCEDURE, FOLD_UNITS, BY_OUTER_FOLDS),
    Number("methods[].fit.slope", OF_METHOD, FOLD_UNITS, BY_OUTER_FOLDS),
    Number(
        "headline.fit.points[].* | headline.fit.n | methods[].fit.points[].* | methods[].fit.n",
        "the number of one held-out sample, by models that did not learn from it",
        NO_UNIT,
        BY_OUTER_FOLDS,
    ),
    Number(
        "features[].relation.pearson | features[].relation.spearman "
        "| features[].relation.points[][] | features[].relation.levels.*",
        OF_SAMPLES,
        NO_UNIT,
        BY_ALL_SAMPLES,
    ),
    Number(
        "permutation.stability.* | methods[].repeatability.*",
        "the choice of features by the procedure, beside labels that tell nothing",
        "outer training sets, and permuted runs",
        BY_COMPANION,
        f"{LEAST_RUNS} permuted runs for a verdict",
    ),
    Number(
        "headline.winners.* | headline.folds[].* | n_selected | methods[].sizes[]",
        "nothing: what was chosen in the training sets",
        FOLD_UNITS,
        BY_OUTER_FOLDS,
    ),
    Number("headline.uneven", OF_TABLE, NO_UNIT, "counted"),
    Number(
        "headline.confusion[][] | headline.declined[] | headline.coverage.* | "
        "methods[].coverage.* | headline.cost_by_class.* | methods[].cost_by_class.*",
        OF_PROCEDURE,
        SAMPLE_UNITS,
        BY_OUTER_FOLDS,
    ),
    Number("headline.curves.* | headline.rejection.*", OF_PROCEDURE, SAMPLE_UNITS, BY_OUTER_FOLDS),
    Number("headline.calibration.slope.*", OF_PROCEDURE, SAMPLE_UNITS, BY_OUTER_FOLDS, SLOPE_FROM),
    Number("methods[].calibration.slope.*", OF_METHOD, SAMPLE_UNITS, BY_OUTER_FOLDS, SLOPE_FROM),
    Number("headline.calibration.index.*", OF_PROCEDURE, SAMPLE_UNITS, BY_OUTER_FOLDS, INDEX_FROM),
    Number("methods[].calibration.index.*", OF_METHOD, SAMPLE_UNITS, BY_OUTER_FOLDS, INDEX_FROM),
    Number(
        "headline.stability.* | methods[].stability.* | headline.blocks.*",
        "the choice of features by the procedure",
        FOLD_UNITS,
        "chosen in the outer training sets",
        "two training sets",
    ),
    Number(
        "methods[].metrics.* | methods[].curves.* | methods[].rejection.* | "
        "methods[].per_fold.* | methods[].size_curve[].outer",
        OF_METHOD,
        SAMPLE_UNITS,
        BY_OUTER_FOLDS,
    ),
    Number(
        "methods[].size_curve[].size | methods[].size_curve[].inner | methods[].n_possible",
        "nothing: what the inner folds saw",
        FOLD_UNITS,
        "inner folds, which choose by it: too good",
    ),
    Number("methods[].optimistic", OF_METHOD, SAMPLE_UNITS, BY_HINDSIGHT),
    Number(
        "methods[].difference.* | filtered[].differences.*",
        "the difference of two procedures at this number of training samples",
        SAMPLE_UNITS,
        "paired outer folds, corrected for shared training samples",
        "two outer folds in which they differ",
    ),
    Number(
        "methods[].interactions.* | methods[].evidence.*",
        "nothing: what the models of the training sets hold",
        FOLD_UNITS,
        BY_OUTER_FOLDS,
    ),
    Number(
        "features[].frequency | features[].by_method.* | features[].group_frequency",
        "how often the procedure chooses this feature; not the probability that it is true",
        FOLD_UNITS,
        "chosen in the outer training sets",
    ),
    Number(
        "features[].class_means.* | features[].class_shares.* | features[].distribution.* | "
        "features[].missing | features[].missing_counts.* | features[].group[].r | "
        "features[].group_size | features[].place.*",
        OF_SAMPLES,
        NO_UNIT,
        BY_ALL_SAMPLES,
    ),
    Number(
        "features[].scores.* | features[].missing_p | features[].numbers.*",
        "this feature in the population, but for the choice, which saw the same samples",
        "samples",
        BY_ALL_SAMPLES,
    ),
    Number(
        "final.coefficients[]",
        OF_MODEL,
        SAMPLE_UNITS,
        BY_ALL_SAMPLES,
        "a linear model of two classes",
    ),
    Number(
        "final.size | final.params.*", OF_MODEL, NO_UNIT, "chosen by inner folds of all samples"
    ),
    Number("final.intervals.*", OF_MODEL, NO_UNIT, "counted"),
    Number("places.*", OF_SAMPLES, FOLD_UNITS, BY_OUTER_FOLDS),
    Number("missing_by_class.*", "missing values in the population", "samples", BY_ALL_SAMPLES),
    Number(
        "filtered[].kept.* | filtered[].n_features | filtered[].n_kept | filtered[].left_out[].n",
        OF_SAMPLES,
        FOLD_UNITS,
        "the step, which sees no class",
    ),
    Number(
        "bootstrap.*",
        "the procedure at all samples",
        "samples; no interval",
        "learnt from bootstrap samples, judged on those left out and on all",
        "a sample of each class that some bootstrap sample leaves out",
    ),
    Number(
        "learning_curve.points[].*",
        "the procedure at fewer training samples",
        SAMPLE_UNITS,
        BY_OUTER_FOLDS,
    ),
    Number(
        "learning_curve.last.*",
        "the gain of the last training samples",
        SAMPLE_UNITS,
        "paired outer folds",
        "two outer folds in which they differ",
    ),
    Number("costs.*", OF_TABLE, NO_UNIT, "given, or counted of the samples held out"),
)
