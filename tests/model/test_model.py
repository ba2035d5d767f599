"""The final model: the procedure on all rows, kept without pickle, applied by name."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from common.null_methods import PRICED, every_method
from common.own_estimators import TYPES
from common.studies import make_data
from genome.plink import run_plink
from tamis._core import bounded_zip
from tamis._core.array_file import array_file
from tamis._core.arrays import fitting_arrays
from tamis._core.bounded_zip import Members, packed_members
from tamis._core.errors import ModelError
from tamis._core.interfaces import Beliefs
from tamis.data import read_table
from tamis.data.dataset import Dataset
from tamis.model import file as modelfile
from tamis.model.cohort import value_misfits
from tamis.model.evaluate import evaluate
from tamis.study import run_study


def model_of(data, method, folder):
    plan = {
        **PRICED,
        "outer": {"folds": 2},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "method": [method],
    }
    result = run_study(data, plan, folder).to_dict()
    return modelfile.load_model(folder / "model.npz", TYPES), result


@pytest.mark.parametrize("method", every_method(thresholds=True), ids=lambda m: m["name"])
@pytest.mark.full
def test_every_method_is_saved_and_predicts_the_same_after_loading(method, tmp_path):
    """The saved model against one fitted anew on the features it names."""
    from tamis._core.interfaces import Part
    from tamis._core.registry import selecting_row
    from tamis._core.rows import PathRow
    from tamis._core.streams import random_state, stream
    from tamis.classifiers.base.natural_scale import fit_natural
    from tamis.classifiers.classifier_labels import build_classifier
    from tamis.study.plan import MethodPlan
    from tamis.study.protocol.candidates import ranker_key
    from tamis.study.protocol.nested_cv import FINAL_FOLD

    data = make_data(seed=21, n=32, p=30)
    model, result = model_of(data, method, tmp_path / "s")
    new = make_data(seed=22, n=12, p=30)
    assert list(model.features) == result["final"]["features"]
    proba = model.predict_proba(new)
    if method["select"] == "elastic_net":
        from tamis.classifiers import elastic_net_path

        penalty = result["final"]["params"]["lambda"]
        path = elastic_net_path(data.X, data.y, lambdas=[penalty])
        odds = new.X @ np.asarray(path.coef_at(0)).ravel() + path.intercept[0]
        positive = 1 / (1 + np.exp(-odds.ravel()))
        expected = Beliefs(np.column_stack([1 - positive, positive]))
    elif method["select"] == "pam":
        from tamis.classifiers import ShrunkenCentroidClassifier

        whole = ShrunkenCentroidClassifier(threshold=result["final"]["params"]["threshold"])
        expected = Beliefs(whole.fit(data.X, data.codes).predict_proba(new.X))
    elif isinstance(selecting_row(method["select"]), PathRow):
        plan = MethodPlan.model_validate(method)
        columns = np.array([data.feature_names.index(name) for name in model.features], dtype=int)
        path = (
            selecting_row(plan.select)
            .build(plan.parameters)
            .follow(
                Part.of(data.X, data.codes),
                [result["final"]["params"]],
                stream(0, "path", ranker_key(plan), "[]", 0, 0, FINAL_FOLD, 0),
            )
        )
        assert sorted(path.columns[0]) == sorted(columns)
        expected = path.predictor(0, columns).beliefs(new.X[:, columns])
    else:
        plan = MethodPlan.model_validate(method)
        columns = [data.feature_names.index(name) for name in model.features]
        settings = json.dumps(result["final"]["params"], sort_keys=True)
        key = (
            "classify",
            ranker_key(plan),
            result["final"]["classify"],
            settings,
            0,
            0,
            FINAL_FOLD,
            0,
        )
        classifier = build_classifier(result["final"]["classify"], result["final"]["params"])
        seed = random_state(0, *key)
        fitted = fit_natural(classifier, data.X[:, columns], data.codes, 2, seed)
        expected = fitted.beliefs(new.X[:, columns])
    np.testing.assert_allclose(proba, model.decision.decide(expected).beliefs.proba, atol=1e-12)
    if 0 < len(model.features) < 10:  # more, of thirty-two samples, leave LDA no room
        assert np.mean(model.predict(new) == new.y) > 0.6


def mixed(seed, n=40):
    data = make_data(seed=seed, n=n, p=6, informative=2)
    X = data.X.copy()
    X[:, 3] = data.codes * 2 * (np.random.default_rng(seed).random(n) < 0.9)
    return replace(data, X=X, levels={3: ("low", "middle", "high")})


@pytest.fixture
def mixed_model(tmp_path):
    method = {"select": "pearson", "sizes": [6], "classify": "naive_bayes"}
    return model_of(mixed(1), method, tmp_path / "s")[0]


def test_categories_are_recoded_to_the_models_levels(mixed_model):
    data = mixed(2)
    order = ("high", "low", "middle")
    codes = np.array([order.index(("low", "middle", "high")[int(v)]) for v in data.X[:, 3]])
    X = data.X.copy()
    X[:, 3] = codes
    other = replace(data, X=X, levels={3: order})
    np.testing.assert_array_equal(mixed_model.predict_proba(data), mixed_model.predict_proba(other))


def test_column_order_does_not_matter(mixed_model):
    data = mixed(2)
    names, levels = data.feature_names[::-1], {2: data.levels[3]}
    turned = replace(data, X=data.X[:, ::-1].copy(), feature_names=names, levels=levels)
    np.testing.assert_array_equal(
        mixed_model.predict_proba(data), mixed_model.predict_proba(turned)
    )


def test_a_raw_table_that_counts_the_other_alleles_has_a_remedy_that_works(tmp_path):
    """PLINK 1.9 counts the first allele of the .bim, PLINK 2 by default the other."""
    rng = np.random.default_rng(0)
    calls = [" ".join(["A A", "A G", "G G"][c] for c in rng.integers(0, 3, 4)) for _ in range(40)]
    people = [f"f{k} i{k} 0 0 1 {1 + k % 2} {row}" for k, row in enumerate(calls)]
    (tmp_path / "t.ped").write_text("\n".join(people) + "\n")
    (tmp_path / "t.map").write_text("".join(f"1 rs_{k} 0 {100 * k + 100}\n" for k in range(4)))
    run_plink("plink1.9", tmp_path, "--file", "t", "--make-bed")
    run_plink("plink1.9", tmp_path, "--bfile", "out", "--recode", "A")
    old = read_table(tmp_path / "out.raw", target="PHENOTYPE")
    model = model_of(old, {"select": "pearson", "sizes": [4], "classify": "lda"}, tmp_path / "s")[0]
    run_plink("plink2", tmp_path, "--bfile", "out", "--export", "A")
    with pytest.raises(ModelError, match=r"counts the other allele of 'rs_\d_[AG]'") as error:
        model.predict_proba(read_table(tmp_path / "out.raw", target="PHENOTYPE"))
    line = re.search("lines as '(.*?)'", str(error.value))[1]
    wanted = [" ".join(name.rsplit("_", 1)) for name in old.feature_names]
    assert line in wanted
    (tmp_path / "alleles").write_text("\n".join(wanted) + "\n")
    for program, *how in (
        ("plink2", "--export", "A", "--export-allele", "alleles"),
        ("plink1.9", "--recode", "A", "--recode-allele", "alleles"),
    ):
        run_plink(program, tmp_path, "--bfile", "out", *how)
        again = read_table(tmp_path / "out.raw", target="PHENOTYPE")
        np.testing.assert_array_equal(model.predict_proba(again), model.predict_proba(old))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: replace(d, feature_names=("h0", *d.feature_names[1:])), "lacks 1 of the 6"),
        (
            lambda d: replace(d, feature_names=("G0", *d.feature_names[1:])),
            r"needs: 'g0' \(did you mean its 'G0'\?\)$",
        ),
        (lambda d: replace(d, levels={3: ("low", "middle", "huge")}), "'huge'"),
        (lambda d: replace(d, levels={**d.levels, 0: ("x", "y")}), "must be numeric"),
    ],
)
def test_tables_that_do_not_fit_are_refused_by_name(mixed_model, change, says):
    data = mixed(2)
    data = replace(data, X=np.abs(np.round(data.X)) % 3)
    with pytest.raises(ModelError, match=says):
        mixed_model.predict_proba(change(data))


def test_missing_values_are_filled_with_the_training_medians(mixed_model):
    data = mixed(2)
    X = data.X.copy()
    X[:, 0] = np.nan
    filled = data.X.copy()
    filled[:, 0] = np.median(mixed(1).X[:, 0])
    np.testing.assert_allclose(
        mixed_model.predict_proba(replace(data, X=X)),
        mixed_model.predict_proba(replace(data, X=filled)),
    )


def test_evaluation_equals_plain_metrics(mixed_model):
    from sklearn.metrics import accuracy_score, roc_auc_score

    data = mixed(3, n=50)
    found = evaluate(mixed_model, data)
    proba = mixed_model.predict_proba(data)[:, 1]
    assert found["metrics"]["auc"]["mean"] == pytest.approx(roc_auc_score(data.codes, proba))
    expected = accuracy_score(data.y, mixed_model.predict(data))
    assert found["metrics"]["accuracy"]["mean"] == pytest.approx(expected)


def test_a_file_of_an_earlier_version_is_refused_unread(tmp_path):
    """Whatever classes it names."""
    import skops.io
    from sklearn.linear_model import LogisticRegression

    class Custom(LogisticRegression):
        pass

    Custom.__module__ = "somewhere"
    Custom.__qualname__ = "Custom"
    path = tmp_path / "model.npz"
    path.write_bytes(skops.io.dumps({"format": 8, "estimator": Custom()}))
    with pytest.raises(ModelError, match="earlier version of Tamis: run its `tamis study`"):
        modelfile.load_model(path)


@pytest.fixture(scope="module")
def tree_file(tmp_path_factory):
    """The file of a decision tree."""
    folder = tmp_path_factory.mktemp("tree")
    method = {"select": "pearson", "sizes": [3], "classify": "tree"}
    model_of(make_data(seed=2, n=32, p=8), method, folder / "s")
    return folder / "s" / "model.npz"


def test_numpy_opens_it_without_pickle(tree_file):
    model = modelfile.load_model(tree_file)
    with np.load(tree_file, allow_pickle=False) as file:
        np.testing.assert_array_equal(file["predictor/children"], model.predictor.children)
        assert json.loads(file["model.json"])["features"] == list(model.features)


def test_an_array_of_objects_is_refused_unpickled(tree_file, tmp_path):
    class Loud:
        def __reduce__(self):
            return (pytest.fail, ("it was unpickled",))

    sink = io.BytesIO()
    np.lib.format.write_array(sink, np.array([Loud()], dtype=object), allow_pickle=True)
    members = Members(tree_file.read_bytes(), "it")
    own = {name: members.read(name) for name in members.names}
    path = tmp_path / "model.npz"
    path.write_bytes(packed_members({**own, "predictor/children.npy": sink.getvalue()}))
    with pytest.raises(ModelError, match="not a model"):
        modelfile.load_model(path)


def test_masked_arrays_which_hide_values_from_checks_are_refused(tree_file):
    children = modelfile.load_model(tree_file).predictor.children.copy()
    children[0] = 0  # the root leads to itself
    hidden = np.ma.MaskedArray(children, mask=np.ones(children.shape, dtype=bool))
    with pytest.raises(ModelError, match="does not fit"):
        fitting_arrays({"children": hidden}, children=(None, 2))


def test_a_format_to_come_is_refused_with_what_to_do(tree_file, tmp_path):
    text, arrays = modelfile.content_of(modelfile.load_model(tree_file))
    path = tmp_path / "m"
    for change, says in (
        ({"format": 3}, "format 3; this version reads 2: run its study again"),
        ({"kind": "other"}, "holds no model of a study, but 'other'"),
        ({"kind": "rma"}, "'m' is of `tamis expression rma --save`"),
    ):
        path.write_bytes(array_file({**text, **change}, arrays))
        with pytest.raises(ModelError, match=says.replace("'m'", "m'")):
            modelfile.load_model(path)


@pytest.mark.parametrize("content", [b"", b"no zip", None])
def test_files_that_are_no_models_are_refused_in_one_line(tmp_path, content):
    path = tmp_path / "model.npz"
    if content is None:
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("model.json", "{}")
    else:
        path.write_bytes(content)
    with pytest.raises(ModelError, match="not a model") as error:
        modelfile.load_model(path)
    assert "\n" not in str(error.value)


def test_a_model_that_unpacks_to_gigabytes_is_refused(tmp_path, monkeypatch):
    data = make_data(seed=21, n=32, p=30)
    model_of(data, {"select": "pearson", "sizes": [2]}, tmp_path / "s")
    monkeypatch.setattr(bounded_zip, "FREE_BYTES", 100)
    monkeypatch.setattr(bounded_zip, "MAX_UNPACK_RATIO", 0)
    with pytest.raises(ModelError, match="unpacks to"):
        modelfile.load_model(tmp_path / "s" / "model.npz")


def test_a_procedure_that_chose_nothing_predicts_class_shares(tmp_path):
    """Shrunken centroids of pure noise may keep no feature: the majority, and no crash."""
    rng = np.random.default_rng(0)
    y = np.array(["a"] * 20 + ["b"] * 10)
    data = Dataset(rng.normal(size=(30, 8)), y, tuple(f"g{j}" for j in range(8)))
    model, _ = model_of(data, {"select": "pam"}, tmp_path / "s")
    proba = model.predict_proba(data)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_a_tree_with_wild_links_is_refused(tmp_path):
    data = make_data(seed=21, n=32, p=30)
    method = {"select": "pearson", "sizes": [3], "classify": "tree"}
    model, _ = model_of(data, method, tmp_path / "s")
    children = model.predictor.children.copy()
    children[0, 0] = 10**6
    wild = replace(model, predictor=replace(model.predictor, children=children))
    modelfile.save_model(wild, tmp_path / "wild.npz")
    with pytest.raises(ModelError, match="'children' does not fit the others"):
        modelfile.load_model(tmp_path / "wild.npz")


@pytest.mark.filterwarnings("error")
def test_a_training_range_as_wide_as_numbers_go_bounds_nothing(mixed_model):
    known = mixed_model.training
    wide = replace(
        known, low=np.full_like(known.low, -1.7e308), high=np.full_like(known.high, 1.7e308)
    )
    told = [code for code, _ in value_misfits(replace(mixed_model, training=wide), mixed(3, n=50))]
    assert not {"outside-range", "other-scale"} & set(told)
