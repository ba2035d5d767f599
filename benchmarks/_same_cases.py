"""The commands that two versions run: every one of `tamis --help`, on small inputs.

`IN/` is the folder of inputs and `PAIR` a pair of classes that the mapping should have. The
readers of a case run in a copy of what the first version wrote; `spoiled.npz` there is the first
half of `model.npz`.
"""

from __future__ import annotations

from dataclasses import dataclass

TWO = "IN/two.csv --target class --id id --drop batch --drop patient --drop age"
NEW = "--id id --drop batch --drop patient --drop age"
PLAIN = "--folds 4 --n-jobs 1 --quiet"


@dataclass(frozen=True)
class Case:
    """Commands that run one after the other in a folder of their own, and who reads it later."""

    name: str
    commands: tuple[str, ...]
    readers: tuple[str, ...] = ()
    plan: str = ""


def study(
    name: str, plan: str, data: str = TWO, more: str = "", new: str = NEW, later: str = "later"
) -> Case:
    """A study, its model on other samples, and its folder read again."""
    by_plan = " --plan plan.toml" if plan else ""
    code = " --code IN/code --trust nearer_mean.Nearer" if "nearer_mean" in plan else ""
    run = f"study {data}{by_plan} --out study {PLAIN} {more}".strip()
    labelled = "labelled" if later == "later" else later
    reading = f"{new}{code}"

    def use(mark: str = "") -> tuple[str, str]:
        return (
            f"predict study/model.npz IN/{later}.csv {reading} --out predicted{mark}.tsv",
            f"evaluate study/model.npz IN/{labelled}.csv --target class {reading} "
            f"--out evaluated{mark}.json --report evaluated{mark}.html",
        )

    return Case(
        f"study {name}",
        (run, *use()),
        (
            *use("_again"),
            "report study --out again.html",
            f"{run} --resume",
            f"{run} --resume --seed 7",  # refused
            f"predict study/spoiled.npz IN/{later}.csv {reading}",  # refused
        ),
        plan,
    )


OF_AGE = "--target age --id id --drop batch --drop patient --drop class"
STUDY_OF_AGE = f"study IN/two.csv {OF_AGE} --regression --permutations 5 --out study {PLAIN}"
USE_OF_AGE = f"evaluate study/model.npz IN/labelled.csv {OF_AGE}"
STUDIES = (
    Case(
        "study of a number",
        (STUDY_OF_AGE, f"{USE_OF_AGE} --out evaluated.json"),
        (
            f"{USE_OF_AGE} --out again.json",
            "report study --out again.html",
            f"{STUDY_OF_AGE} --resume",
        ),
    ),
    study("default", "", more="--permutations 19"),
    study(
        "filters",
        """
choose = "best"
permutations = 0
[[method]]
select = "welch_t"
sizes = [2, 5, 10]
classify = ["lda", "svm_linear", "naive_bayes"]
grid.svm_linear.C = [0.1, 1.0]
[[method]]
select = "wilcoxon"
sizes = [20]
parameters = { max_fdr = 0.5 }
classify = "knn"
recalibrate = "isotonic"
[[method]]
select = "mtd"
sizes = [3]
classify = "forest"
grid.n_estimators = [10]
""",
    ),
    study(
        "pam",
        """
permutations = 19
[[method]]
select = "pam"
recalibrate = "platt"
decide = "youden"
""",
    ),
    study(
        "elastic net",
        """
permutations = 0
metric = "auc"
[[method]]
select = "elastic_net"
grid = { alpha = [0.5, 1.0] }
""",
    ),
    study(
        "rejection and costs",
        """
permutations = 0
reject = { name = "coverage", at = 0.8 }
[costs]
sick = 5
well = 1
[[method]]
select = "moderated_t"
sizes = [5]
classify = { name = "cost_weighted", of = "logistic" }
[[method]]
name = "declines by F"
select = "fold_change"
sizes = [5]
classify = { name = "with_novelty", of = "naive_bayes" }
reject = { name = "f_beta", novelty = 0.05 }
""",
    ),
    study(
        "steps and batches",
        """
permutations = 19
prepare = ["log_cpm", "combat", { name = "variance", share = 0.8 }]
[bootstrap]
repeats = 10
[learning_curve]
shares = [0.6, 1.0]
[[method]]
select = "limma_trend"
sizes = [2, 5]
classify = "diagonal_discriminant"
""",
        "IN/counts.csv --target class --id id --batch batch --drop patient --drop age",
        new="--id id --batch batch --drop patient --drop age",
        later="counts",
    ),
    study(
        "groups and repeats",
        """
permutations = 19
[outer]
repeats = 2
[inner]
folds = 3
repeats = 2
[[method]]
select = "moderated_t"
sizes = [5, 10]
classify = "lda"
[[method]]
select = "all"
classify = "logistic"
reference = true
""",
        "IN/two.csv --target class --id id --group patient --covariate age --drop batch",
        new="--id id --group patient --drop batch",
    ),
    study(
        "three classes",
        """
permutations = 0
[[method]]
select = "moderated_t"
sizes = [2, 6]
classify = ["shrinkage_discriminant", "knn"]
[[method]]
select = "pam"
""",
        "IN/three.csv --target class --id id --drop batch --drop patient --drop age",
        later="three",
    ),
    study(
        "own code, bagging, vote",
        """
permutations = 0
[[method]]
name = "own"
select = "moderated_t"
sizes = [5]
classify = "nearer_mean:Nearer"
[[method]]
name = "bagged"
select = "welch_t"
sizes = [5]
classify = { name = "bagging", of = "naive_bayes", grid = { n_estimators = [5] } }
[[method]]
name = "voted"
select = "vote"
sizes = [5]
parameters = { selectors = ["moderated_t", "mtd"] }
classify = "lda"
""",
        more="--code IN/code",
    ),
    study(
        "tables as they are",
        """
permutations = 0
[[method]]
select = "all"
classify = ["c45", "aode"]
[[method]]
name = "boosted"
select = "all"
classify = "logitboost"
[[method]]
select = "mcfs"
sizes = [3]
parameters = { s = 20, interactions = false }
classify = "tree"
""",
        "IN/mixed.csv --target class --id id --drop batch --drop patient --drop age",
        later="mixed",
    ),
    study(
        "rankers and searches",
        """
permutations = 0
[inner]
folds = 3
repeats = 1
[[method]]
select = "svm_rfe"
sizes = [5]
classify = "svm_rbf"
[[method]]
select = "hhsvm"
sizes = [5]
classify = "lda"
[[method]]
select = "forward"
sizes = [3]
classify = "lda"
[[method]]
select = "cluster"
sizes = [5]
classify = "lda"
[[method]]
select = "irf"
parameters = { n_estimators = 20, n_trees = 50, n_bootstraps = 5 }
[[method]]
select = "discrit"
""",
    ),
)


def interact(method: str, data: str, more: str = "") -> Case:
    run = f"interact {data} --method {method} --out found --n-jobs 1 --quiet {more}".strip()
    readers = ("report found --out again.html", f"{run} --resume", f"{run} --resume --seed 7")
    return Case(f"interact {method}", (run,), readers)


SEARCHES = (
    interact("mcfs", "IN/mixed.csv --target class --id id --drop patient", "--s 40 --meetings 20"),
    interact("rit", "IN/bits.csv --target class"),
    interact("irf", TWO, "--forest 20 --trees 50 --bootstraps 10"),
    interact("pairs", TWO),
)

PEOPLE = "IN/people.bed --n-jobs 1 --quiet"
PHENO = "--pheno IN/people.tsv --pheno-name status"
AGES = "--pheno IN/ages.tsv --pheno-name age"
GENOME_STUDY = (
    f"genome study {PEOPLE} {PHENO} --covariate age --plan plan.toml --folds 3 --out study"
)
GENOME_USE = "predict study/model.npz IN/people.bed --samples IN/people.tsv"
GENOME = (
    Case("genome qc", (f"genome qc {PEOPLE} {PHENO} --out qc",)),
    Case(
        "genome mtd, clump",
        (
            f"genome mtd {PEOPLE} {PHENO} --permutations 19 --out plain",
            f"genome mtd {PEOPLE} {PHENO} --strata population --qc --unrelated 2 --out strata",
            "genome clump plain/mtd.tsv IN/people.bed --p1 0.05 --p2 0.1 --genes IN/genes.bed "
            "--n-jobs 1 --quiet --out clumps",
        ),
        ("genome clump plain/mtd.tsv IN/people.bed --p1 0.05 --n-jobs 1 --quiet --out again",),
    ),
    Case(
        "genome pairs",
        (f"genome pairs {PEOPLE} {PHENO} --chr 1 --permutations 19 --keep 20 --out pairs",),
    ),
    Case("genome pca", (f"genome pca {PEOPLE} {PHENO} --n-components 4 --out pca",)),
    Case("genome kin", (f"genome kin {PEOPLE} --grm --out kin",)),
    Case(
        "genome mixed",
        (f"genome mixed {PEOPLE} {PHENO} --covar IN/ages.tsv --draws 19 --out mixed",),
    ),
    Case(
        "genome mixed of a number",
        (f"genome mixed {PEOPLE} {AGES} --regression --draws 19 --out mixed",),
    ),
    Case("genome linear", (f"genome linear {PEOPLE} {AGES} --out linear",)),
    Case("genome project", (f"genome project {PEOPLE} --n-components 30 --out projected.parquet",)),
    Case(
        "genome study",
        (GENOME_STUDY, f"{GENOME_USE} --out predicted.tsv"),
        (
            f"{GENOME_USE} --out predicted_again.tsv",
            "evaluate study/model.npz IN/people.bed --samples IN/people.tsv --target status",
            "report study --out again.html",
            f"{GENOME_STUDY} --resume",
            "predict study/spoiled.npz IN/people.bed --samples IN/people.tsv",
        ),
        """
permutations = 0
prepare = ["genotype_quality"]
[[method]]
select = "mtd"
sizes = [5, 10]
classify = "forest"
grid.n_estimators = [10]
[[method]]
select = "trend"
sizes = [5]
classify = { name = "as_categories", of = "logistic" }
""",
    ),
)

LEARN = "--train IN/known.tsv --quiet"
OTHERS = (
    Case("demo", ("demo --out demo --n-jobs 1 --quiet",)),
    Case("methods", ("methods --json",)),
    Case(
        "read",
        (
            "read IN/mixed.csv --target class --id id",
            "read IN/two.csv --target class --fix fixed.csv",
        ),
    ),
    Case(
        "look",
        (
            "look IN/mixed.csv --target class --id id --batch batch --out table --quiet",
            "look IN/people.bed --samples IN/people.tsv --target status --out genotypes --quiet",
        ),
    ),
    Case(
        "compare",
        (
            f"study {TWO} --permutations 0 --out one {PLAIN}",
            f"study {TWO} --plan plan.toml --out other {PLAIN}",
            "compare one other --metric auc --out compared.html --json",
        ),
        ("compare one other --out again.html",),
        'permutations = 0\n[[method]]\nselect = "wilcoxon"\nsizes = [5]\nclassify = "lda"\n',
    ),
    Case("check", ("check welch_t --json --quiet", "check lda --json --quiet")),
    Case(
        "ontology",
        (
            "ontology show IN/a.obo --json --quiet",
            "ontology index IN/a.obo --out a.index --quiet",
            f"ontology match IN/a.obo IN/b.obo {LEARN} --out found.sssom.tsv --page found.html",
            f"ontology match IN/a.obo IN/b.obo {LEARN} --learner logistic --out found.json",
            f"ontology explain IN/a.obo IN/b.obo PAIR {LEARN} --json",
            "ontology evaluate found.json IN/reference.tsv --train IN/known.tsv --json "
            "--errors errors.tsv",
            f"ontology review IN/a.obo IN/b.obo {LEARN} --most 10 --out sheet.tsv "
            "--mapping reviewed.json --page review.html",
        ),
        (
            "ontology show a.index --json --quiet",
            "ontology match a.index IN/b.obo --train found.sssom.tsv --quiet --out again.rdf",
            "ontology evaluate found.sssom.tsv IN/reference.tsv --json",
            "ontology evaluate reviewed.json IN/reference.tsv --json",
            f"ontology review IN/a.obo IN/b.obo {LEARN} --most 10 --out sheet.tsv",
        ),
    ),
    Case(
        "expression",
        (
            "expression rma IN/cel --cdf IN/Made_1.CDF --save model.npz --n-jobs 1 --quiet "
            "--out rma.parquet",
            "expression rma IN/later_cel --model model.npz --n-jobs 1 --quiet --out later.csv",
            "expression probes IN/cel --cdf IN/Made_1.CDF --quiet --out probes.parquet",
            "expression geo IN/GSE1_family.soft --genes GPL570=IN/GPL570.csv --quiet --out geo.csv",
        ),
        (
            "expression rma IN/later_cel --model model.npz --n-jobs 1 --quiet --out again.csv",
            "expression rma IN/later_cel --model spoiled.npz --quiet --out spoiled.csv",
        ),
    ),
)

CASES = (*STUDIES, *SEARCHES, *GENOME, *OTHERS)
