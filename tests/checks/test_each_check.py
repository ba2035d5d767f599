"""Each check by itself: what it names of methods with a fault, and of runs that are made up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from checks.faulty import FAULTS, SOUND
from tamis._core.registry import find_row
from tamis._core.rows import ClassifierRow, DecisionRow, PathRow, RecalibrationRow, RuleRow, StepRow
from tamis.checks import chance, check_method, every_check, same_bytes
from tamis.checks.gaps import check_gaps, with_a_gap
from tamis.checks.global_random import check_global_random
from tamis.checks.leak import check_leak
from tamis.checks.memory import check_memory
from tamis.checks.missing_made import check_missing_made
from tamis.checks.on_tables import OnTables
from tamis.checks.one_at_a_time import check_one_at_a_time
from tamis.checks.procedure import Fitted, Run, Settings
from tamis.checks.refit import check_refit
from tamis.checks.sizes import check_sizes
from tamis.checks.unseen_levels import check_unseen_levels
from tamis.checks.verdict import Fault, Inapplicable
from tamis.selection._filters import FilterRow

WORDS = {  # by the name of a faulty method
    "fromallrows": "change what is learnt (features of part 0, candidate 0 of 'fromallrows'): ",
    "remembering": "fitted again to the same rows it gives something else (features of part 0, ",
    "rememberinghere": "to others and to the first again does not find the same (scores): keep ",
    "global": "the state of the global random generator (features of part 0, candidate 0 of 'glo",
    "clip": "'clip' makes missing values in 1 of 5 columns, where the training rows have numbers",
    "makesmissing": "the probabilities of 4 of 12 held-out rows are no numbers (candidate 0 of ",
    "batchagainstone": "than among others (candidate 0 of 'batchagainstone': probabilities): use ",
    "severalatonce": "than among others (candidate 0 of 'severalatonce': probabilities): use ",
    "clipslevels": "for a level that no training row has depends on its code ((0, 5, 13))",
    "beginswiththree": "path whose first step has 2 features, so that it has none for sizes = [1]",
    "unchanged": "columns that `changed()` says are as they were are not: let it name every ",
    "bysizes": "which other sizes are requested (features of part 0, logistic []): let each size",
    "forgets": "it stops (the model's part 'priors' does not fit the others: it was not used)",
    "stopsatgaps": "it stops on a table with missing values (ValueError: Input contains NaN)",
    "stopsatcategories": "it stops on a table with categories (ValueError: could not convert str",
}
ALONE = [(code, row) for code, row in FAULTS if code not in ("same-bytes", "chance")]
CODES = [check.code for check in every_check() if check.code not in ("same-bytes", "chance")]


@pytest.mark.every
@pytest.mark.parametrize(("code", "row"), ALONE, ids=[row.name for _, row in ALONE])
def test_a_check_by_itself_names_its_fault(code, row):
    [one] = check_method(row, codes=[code]).verdicts
    assert (one.code, one.outcome) == (code, "failed")
    assert WORDS[row.name] in one.words


SIZES, TABLE = "it takes no number of features", "it sees no table"
NO_STEP = "it is no step before ranking"
DECIDES = {
    "sizes": SIZES,
    "left-alone": NO_STEP,
    "gaps": TABLE,
    "categories": TABLE,
    "unseen-levels": "it sees no categories",
}


@pytest.mark.every
@pytest.mark.parametrize(
    ("row", "idle"),
    [
        (SOUND, {"left-alone": NO_STEP}),
        (find_row("pearson", FilterRow), {"left-alone": NO_STEP}),
        (find_row("pam", PathRow), {"left-alone": NO_STEP}),
        (find_row("lda", ClassifierRow), {"sizes": SIZES, "left-alone": NO_STEP}),
        (find_row("log2", StepRow), {"sizes": SIZES, "unseen-levels": DECIDES["unseen-levels"]}),
        (find_row("isotonic", RecalibrationRow), DECIDES),
        (find_row("arg_max", DecisionRow), DECIDES),
        (find_row("coverage", RuleRow), DECIDES),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_sound_method_of_each_role_passes_what_concerns_it(row, idle):
    done = []
    report = check_method(row, codes=CODES, advance=done.append)
    assert done == CODES
    assert {v.code: v.words for v in report.verdicts if v.outcome != "passed"} == idle
    assert {v.outcome for v in report.verdicts if v.code in idle} == {"not applicable"}


def fitted(values, say=None, rows=None, revived=None, known=None, tolerance=1e-8):
    """Something that says the same every time, or by a function of its rows."""
    values = {k: np.asarray(v, dtype=float) for k, v in values.items()}
    say = say or (lambda rows: {k: v[np.asarray(rows)] for k, v in values.items()})
    rows = np.arange(len(next(iter(values.values())))) if rows is None else rows
    return Fitted("a fit", values, lambda: (rows, say, lambda: revived or say), tolerance, known)


def run_of(learnt=(), inner=(), one=None, moved=False):
    arrays = [{k: np.asarray(v) for k, v in dict(some).items()} for some in (learnt, inner)]
    return Run(*arrays, [one or fitted({"values": [0.0, 1.0]})], moved)


@dataclass
class Scripted:
    """A method whose runs are given."""

    kept: Run = field(default_factory=run_of)
    again: Run = field(default_factory=run_of)
    changed: dict[tuple[int, bool], Run] = field(default_factory=dict)
    for_one: Run | None = None
    fits: list[float] | None = None
    row: object = SOUND
    kinds: list[str] = field(default_factory=lambda: ["plain"])
    seen: list[object] = field(default_factory=list)

    def kept_run(self, kind):
        return self.kept

    def run(self, kind, seed=0):
        self.seen.append((kind, seed))
        return self.again

    def run_changed(self, kind, part, values=True):
        if (part, values) not in self.changed and part:
            raise Inapplicable("it has no inner parts")
        return self.changed.get((part, values), self.kept)

    def run_for_one(self, kind):
        return self.for_one

    def fits_of_one_object(self):
        if self.fits is None:
            raise Inapplicable("it is no object")
        return [{"scores": np.array([one])} for one in self.fits]


def test_a_fit_that_remembers_is_named():
    check_memory(sound := Scripted(fits=[1.0, 2.0, 1.0]))
    assert sound.seen == [("other", 0), ("plain", 0)]
    check_memory(Scripted())  # no object to be fitted twice
    with pytest.raises(Fault, match=r"^fitted again to the same rows .*\(a\): keep nothing"):
        check_memory(Scripted(again=run_of({"a": [1.0]}), kept=run_of({"a": [1.0 + 1e-12]})))
    with pytest.raises(Fault, match=r"^one object fitted .* the same \(scores\): keep nothing"):
        check_memory(Scripted(fits=[1.0, 1.0, 2.0]))
    answers = iter([1.0, 1.0, 2.0])
    drifts = fitted({"values": [0.0]}, lambda rows: {"values": np.array([next(answers)])})
    method = Scripted(again=run_of(one=drifts), kept=run_of(one=drifts))
    check_memory(method)
    answers = iter([1.0, 2.0])
    with pytest.raises(Fault, match=r"^called again, .* same rows \(values\): keep nothing"):
        check_memory(method)


def test_only_the_run_that_imports_nothing_is_watched_for_global_draws():
    check_global_random(method := Scripted(kept=run_of(moved=True)))  # modules that it imported
    assert method.seen == [("plain", 1)]
    with pytest.raises(Fault, match=r"^it draws from, or seeds, the global random generator: "):
        check_global_random(Scripted(again=run_of(moved=True)))
    with pytest.raises(Fault, match=r"^it depends on the state .* \(b\), and so on what ran"):
        check_global_random(Scripted(again=run_of(inner={"b": [1]}), kept=run_of(inner={"b": [0]})))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({(0, True): run_of({"x": [0.0]}, {"y": [0.0]})}, ""),
        ({(0, True): run_of({"x": [1e-15]}, {"y": [0.0]})}, "x"),  # of what is learnt every bit
        ({(0, True): run_of({"x": [0.0]}, {"y": [9e-10]})}, ""),
        ({(0, True): run_of({"x": [0.0]}, {"y": [2e-9]})}, "y"),
        ({(0, True): run_of({"x": [0.0]}, {"y": [0.0]}, fitted({"values": [0.0, 2.0]}))}, "values"),
    ],
)
def test_what_changes_with_held_out_rows_is_named(changed, named):
    method = Scripted(kept=run_of({"x": [0.0]}, {"y": [0.0]}), changed=changed)
    if not named:
        check_leak(method)
        return
    with pytest.raises(Fault, match=rf"change what is learnt \({named}\): look at the rows of"):
        check_leak(method)


@pytest.mark.parametrize(
    ("learnt", "inner", "values", "named"),
    [
        (2e-9, 0.0, True, "k of part 1"),
        (2e-9, 0.0, False, "k of part 1"),
        (0.0, 2e-9, True, ""),  # wild rows are told what they like
        (0.0, 2e-9, False, "m of part 1"),
        (9e-10, 9e-10, False, ""),
    ],
)
def test_what_changes_with_rows_held_out_inside_is_named(learnt, inner, values, named):
    own = run_of({"k of part 1": [0.0], "k of part 2": [0.0]}, {"m of part 1": [0.0]})
    other = run_of({"k of part 1": [learnt], "k of part 2": [9.0]}, {"m of part 1": [inner]})
    inside = {(1, True): own, (1, False): own, (1, values): other}
    method = Scripted(kept=own, changed=inside)
    if not named:
        check_leak(method)
        return
    with pytest.raises(Fault, match=rf"\({named}\)"):
        check_leak(method)


def test_a_row_by_itself_is_predicted_as_among_others():
    one = fitted({"values": [1.0, 2.0, 4.0]})
    first = fitted({"values": [1.0 + 5e-10]})  # several sizes at once
    check_one_at_a_time(Scripted(kept=run_of(one=one), for_one=run_of(one=first)))
    far = fitted({"values": [1.0 + 3e-9]})
    with pytest.raises(Fault, match=r"among others \(a fit: values\): use nothing of the other"):
        check_one_at_a_time(Scripted(kept=run_of(one=one), for_one=run_of(one=far)))

    def by_the_last(rows):
        return {"values": np.asarray(rows) - (0.0 if len(rows) > 1 or rows[0] < 2 else 1e-6)}

    last = fitted({"values": [0.0, 1.0, 2.0]}, by_the_last)
    with pytest.raises(Fault, match=r"\(a fit: values\)"):
        check_one_at_a_time(
            Scripted(kept=run_of(one=last), for_one=run_of(one=fitted({"values": [0.0]})))
        )


def test_what_is_refitted_or_read_back_says_what_was_judged():
    def near(rows):
        return {"values": np.array([1.0 + 4e-9, 2.0])}

    check_refit(Scripted(kept=run_of(one=fitted({"values": [1.0, 2.0]}, near))))
    with pytest.raises(Fault, match=r"^refitted, it says something else .*\(a fit: values\): let"):
        check_refit(Scripted(kept=run_of(one=fitted({"values": [1.0, 2.0]}, near, tolerance=1e-9))))
    with pytest.raises(Fault, match=r"^read back from its arrays, .*\(a fit: values\): let"):
        check_refit(Scripted(kept=run_of(one=fitted({"values": [1.0, 2.0]}, revived=near))))


@pytest.mark.every
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"probabilities": [[0.25, 0.75], [1.0, 0.0]]}, ""),
        ({"probabilities": [[0.25, 0.75 + 5e-7], [1.0, 0.0]]}, ""),
        ({"probabilities": [[0.25, 0.75 + 2e-6], [1.0, 0.0]]}, "do not add to 1 (a fit)"),
        ({"probabilities": [[1.5, -0.5], [1.0, 0.0]]}, "do not add to 1 (a fit)"),
        ({"scores": [[1.5, -0.5], [1.0, 0.0]]}, ""),
        ({"scores": [np.inf, 1.0, np.nan]}, "scores of 2 of 3 held-out rows are no numbers (a fit"),
        ({"probabilities": [[0.5, np.nan]]}, "the probabilities of 1 of 1 held-out rows are no"),
    ],
)
def test_predictions_are_numbers_that_add_to_one(values, words):
    row = find_row("lda", ClassifierRow)
    method = Scripted(kept=run_of(one=fitted(values)), row=row)
    if not words:
        check_missing_made(method)
        return
    with pytest.raises(Fault) as error:
        check_missing_made(method)
    assert words in str(error.value)


def test_a_ranker_scores_some_column_and_a_step_loses_no_number():
    check_missing_made(Scripted(fits=[0.0, 0.0, 0.0]))
    with pytest.raises(Fault, match=r"^it scores no column: give a number for each"):
        check_missing_made(Scripted(fits=[-np.inf, 0.0, 0.0]))
    values = [[np.nan, 1.0, np.nan], [0.0, np.nan, 1.0]]
    row = find_row("log2", StepRow)
    lost = fitted({"values": values}, known=np.array([[False, True, True], [True, True, True]]))
    with pytest.raises(Fault, match="numbers in 2 of 3 columns of held-out rows: give a number"):
        check_missing_made(Scripted(kept=run_of(one=lost), row=row))
    kept = fitted({"values": values}, known=np.array([[False, True, False], [True, False, True]]))
    check_missing_made(Scripted(kept=run_of(one=kept), row=row))


class Tables(OnTables):
    """A method whose fold and runs are given."""

    kept: Run
    again: Run

    def fold(self, kind):
        return super().fold("plain")

    def kept_run(self, kind):
        return self.kept

    def run_on(self, fold, seed=0, plans=None):
        self.given = fold
        return self.again


def tables(kept, again, **stopped):
    method = Tables(find_row("pearson", FilterRow), Settings(), ["plain"], stopped)
    method.kept, method.again = kept, again
    return method


def test_a_gap_leaves_one_value_of_the_first_held_out_row():
    method = tables(run_of(), run_of())
    fold = method.fold("plain")
    X, test = fold.design.matrix, fold.tests[0]
    holed = with_a_gap(fold)
    missing = np.isnan(holed.design.matrix)
    assert missing.sum() == X.shape[1] - 1
    assert missing[test[0]].tolist() == [False, *[True] * (X.shape[1] - 1)]
    assert holed.design.incomplete.tolist() == list(range(1, X.shape[1]))  # any value of them
    assert holed.parts.rows == fold.parts.rows
    assert not np.isnan(X).any()


def test_a_gap_in_one_row_says_nothing_of_others():
    values = np.arange(12.0)
    first = fitted({"values": np.r_[9.0, values[1:]]})
    near = fitted({"values": values + 5e-10 * (values == 3)})
    far = fitted({"values": values + 1e-6 * (values == 11)})
    one = fitted({"values": values})
    for other in (first, near):
        check_gaps(method := tables(run_of({"a": [1]}, one=one), run_of({"a": [1]}, one=other)))
        assert np.isnan(method.given.design.matrix[method.given.tests[0][0], 1:]).all()
    for kept, other, name in [
        (run_of(one=one), run_of(one=far), "values"),
        (run_of({"a": [1]}, one=one), run_of({"a": [2]}, one=one), "a"),
    ]:
        with pytest.raises(Fault, match=rf"held-out row changes .* others \({name}\): fill"):
            check_gaps(tables(kept, other))


@pytest.mark.parametrize(
    ("stopped", "named"),
    [
        ({"holes": "no NaN"}, "no NaN"),
        ({"mixed": "no gap"}, "no gap"),
        ({"mixed": "no text", "levels": "no text"}, ""),  # it stops at categories
    ],
)
def test_a_table_with_gaps_at_which_it_stops_is_named(stopped, named):
    one = run_of(one=fitted({"values": np.arange(12.0)}))  # of twelve held-out rows
    method = tables(one, one, **stopped)
    if not named:
        check_gaps(method)
        return
    with pytest.raises(Fault, match=rf"stops on a table with missing values \({named}\)"):
        check_gaps(method)


def test_what_sees_no_table_is_not_checked_on_tables():
    for check, reason in [
        (check_gaps, "it sees no table"),
        (check_sizes, "it takes no number of features"),
        (check_unseen_levels, "it sees no categories"),
    ]:
        with pytest.raises(Inapplicable, match=rf"^{reason}$"):
            check(Scripted())
    with pytest.raises(
        Inapplicable, match=r"^it takes no table with categories and missing values"
    ):
        check_unseen_levels(tables(run_of(), run_of()))


@pytest.mark.parametrize(("beyond", "within"), [(1e-6, False), (-1e-6, True)])
@pytest.mark.parametrize("sign", [-1, 1])
def test_chance_is_three_standard_errors_wide(beyond, within, sign):
    # of two values d apart the standard error of the mean is d / 2
    mean = 0.5 + sign * (3 * 0.0625 + beyond)
    assert chance.at_chance([mean - 0.0625, mean + 0.0625]) is within
    assert chance.at_chance([mean - 0.3125, mean - 0.1875], 0.25) is within


EVEN, ODD = [0.4, 0.6] * 5, [0.89, 0.91] * 5
FEW = [np.nan] * 6 + [0.4, 0.6, 0.4, 0.6]
HALF = [np.nan] * 5 + [0.4, 0.6, 0.4, 0.6, 0.5]


@pytest.mark.parametrize(
    ("rates", "seeds", "raised"),
    [
        ([EVEN], [range(10)], None),
        ([ODD, EVEN], [range(10), range(10, 20)], None),
        ([ODD, ODD], [range(10), range(10, 20)], Fault),
        ([FEW], [range(10)], Inapplicable),
        ([HALF], [range(10)], None),
    ],
)
def test_noise_is_looked_at_again_where_a_mean_is_not_at_chance(monkeypatch, rates, seeds, raised):
    left, seen = iter(rates), []

    def rates_on_noise(method, range_of_seeds):
        seen.append(range_of_seeds)
        return np.array(next(left))

    monkeypatch.setattr(chance, "_rates_on_noise", rates_on_noise)
    if raised is None:
        chance.check_chance(Scripted())
    else:
        with pytest.raises(raised) as error:
            chance.check_chance(Scripted())
        assert str(error.value).startswith(
            "in 10 studies of noise its mean balanced accuracy is 0.900 and should be 0.500: look"
            if raised is Fault
            else "in noise it declines all samples"
        )
    assert seen == seeds


def test_results_of_another_process_are_compared_table_by_table(monkeypatch):
    """Here the other process is this one, in which a ranker may have kept what it saw."""
    options = []

    def joblib_parallel(**given):
        options.append(given)
        return lambda calls: [f(*args, **more) for f, args, more in calls]

    monkeypatch.setattr("tamis._core.workers.joblib_parallel", joblib_parallel)
    assert check_method(SOUND, codes=["same-bytes"]).failed == []
    assert options == [{"n_jobs": 2, "backend": "loky"}]
    row = next(row for _, row in FAULTS if row.name == "remembering")
    [one] = check_method(row, codes=["same-bytes"]).verdicts
    assert one.words.startswith("in another process it gives other bytes (features of part 0, ")


def test_digests_are_of_values_in_order_whatever_their_layout():
    X = np.arange(6.0).reshape(2, 3)
    first, turned, other = (
        same_bytes.digests_of(run_of({"X": one})) for one in (X, np.asfortranarray(X), X[:, ::-1])
    )
    assert first == turned
    assert first.keys() == {"X", "a fit: values"}
    assert first["X"] != other["X"]
    assert first["a fit: values"] == other["a fit: values"]
    assert len(first["X"]) == 16
