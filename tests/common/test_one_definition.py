"""A method has one definition: plans and its public estimator have the same names and defaults."""

import inspect

import pytest
from sklearn.base import ClassifierMixin

import tamis.classifiers
from tamis._core.registry import ANY_OUTCOME, rows_of
from tamis._core.response import NUMBERS
from tamis._core.rows import PlanRow, load_attribute

# What a plan says otherwise than the estimator, row by row, and why.
APART = {
    # a path has candidates, of which inner folds choose; the estimator has the one that is used
    "discrit": {"discretizers", "screened"},
    "covrit": {"epsilons", "screened"},
    "relrit": {"epsilons", "screened"},
    # a study permutes the labels in every training set
    "mtd": {"n_permutations"},
    "mutual_information": {"n_permutations"},
}
# Parameters of classifiers around others that both classes write; their defaults are constants.
WITH_CONSTANTS = {
    "cost_resampled": {"method"},
    "cost_smote": {"k_neighbors"},
    "costing": {"n_estimators"},
    "metacost": {"n_estimators"},
}
# Public classifiers that no row stands for, and why.
WITHOUT_ROW = {
    "HuberizedSVMClassifier",  # the row `hhsvm` is the selector, a ranker by the same path
    "RejectingClassifier",  # plans have its rules, one row each
}
# The public estimator of a class that plans run, where it is another class.
ESTIMATORS = {
    "FilterRanker": "tamis.selection:FilterSelector",
    "MonteCarloRanker": "tamis.selection:MonteCarloSelector",
    "ShrunkenCentroids": "tamis.classifiers:ShrunkenCentroidClassifier",
    "ElasticNet": "tamis.classifiers:ElasticNetClassifier",
    "DiscRIT": "tamis.classifiers:DiscRITClassifier",
    "CovRIT": "tamis.classifiers:CovRITClassifier",
    "RelRIT": "tamis.classifiers:RelRITClassifier",
    "IterativeForestMethod": "tamis.interactions:IterativeForest",
    "ShrinkageDiscriminant": "tamis.classifiers:ShrinkageDiscriminantClassifier",
    "DiagonalDiscriminant": "tamis.classifiers:DiagonalDiscriminantClassifier",
    "SVMGrid": "tamis.classifiers:SVMGridClassifier",
    "C45": "tamis.classifiers:C45Classifier",
    "AODE": "tamis.classifiers:AODEClassifier",
    "AdaBoost": "tamis.classifiers:AdaBoostC44Classifier",
    "LogitBoost": "tamis.classifiers:LogitBoostClassifier",
    "CostWeighted": "tamis.classifiers:CostWeightedClassifier",
    "CostResampled": "tamis.classifiers:CostResampledClassifier",
    "CostSmote": "tamis.classifiers:CostResampledClassifier",
    "Costing": "tamis.classifiers:CostingClassifier",
    "MetaCost": "tamis.classifiers:MetaCostClassifier",
    "DataSpaceExpansion": "tamis.classifiers:DataSpaceExpansionClassifier",
    "MinimumRisk": "tamis.classifiers:MinimumRiskClassifier",
}
ROWS = [row for row in rows_of(PlanRow, ANY_OUTCOME) if row.target]


def class_name(row):
    """Of what plans run."""
    return row.target.partition(":")[2]


def estimator_of(row):
    """The public estimator."""
    return load_attribute(ESTIMATORS[class_name(row)])


PAIRS = [row for row in ROWS if class_name(row) in ESTIMATORS]


def defaults(made):
    """Default by parameter."""
    return {name: one.default for name, one in inspect.signature(made).parameters.items()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.role} {row.name}")
def test_what_a_plan_may_set_is_a_parameter_with_a_default(row):
    known = {**defaults(row.load()), **row.fixed}
    for name in row.parameters:
        assert name in known
        assert known[name] is not inspect.Parameter.empty


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: row.name)
def test_plan_and_estimator_have_the_same_names_and_defaults(row):
    """What a plan may set, and what else the plan's class shares with the estimator."""
    public = defaults(estimator_of(row))
    plan = {k: v for k, v in defaults(row.load()).items() if k not in row.fixed}
    plan |= {k: v for k, v in row.fixed.items() if k in row.parameters}
    shared = {*row.parameters, *(plan.keys() & public.keys())}
    apart = {k for k in shared if k not in public or public[k] != plan[k]}
    assert apart == (APART.get(row.name, set()) if row.serves != NUMBERS else set())


def writer(made, name):
    """The class that writes a parameter down."""
    fields = (one for one in made.__mro__ if "__dataclass_fields__" in vars(one))
    return next((one for one in fields if name in one.__annotations__), made)


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: row.name)
def test_a_parameter_is_written_once(row):
    """But `costs`: plans give them as numbers by class, users in many ways."""
    plan, public = row.load(), estimator_of(row)
    shared = (defaults(plan).keys() & defaults(public).keys()) - {"costs"}
    twice = {name for name in shared if writer(plan, name) is not writer(public, name)}
    assert twice == WITH_CONSTANTS.get(row.name, set())


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: row.name)
def test_what_a_row_fixes_is_a_parameter_of_the_estimator(row):
    assert set(row.fixed) <= set(defaults(estimator_of(row)))


def test_every_public_classifier_is_named_by_its_row():
    named = {estimator_of(row) for row in PAIRS}
    public = [getattr(tamis.classifiers, name) for name in tamis.classifiers.__all__]
    classifiers = {c for c in public if isinstance(c, type) and issubclass(c, ClassifierMixin)}
    assert {c.__name__ for c in classifiers - named} == WITHOUT_ROW
