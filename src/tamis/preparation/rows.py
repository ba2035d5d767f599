"""Steps that a plan's `prepare` can name: one row each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .._core.rows import Row, StepRow

_share = (float, Field(ge=0, le=1))
_limit = (float | None, Field(ge=0, le=1))
_number = (float, Field(allow_inf_nan=False))
_bins: dict[str, Any] = {
    "n_bins": (Literal["cube_root"] | Annotated[int, Field(ge=2, le=1000, strict=True)], ...)
}
_ROOM = "tamis.preparation"

ROWS: tuple[Row, ...] = (
    StepRow("log2", f"{_ROOM}.logarithm:Log2",
        "log2 of the values, small ones raised to a least", "logarithms", logs=True,
        parameters={"least": (float, Field(gt=0, allow_inf_nan=False))}, page="preparation.md"),
    StepRow("impute_median", f"{_ROOM}.imputation:MedianImputer",
        "missing values filled with the column's median", "medians for missing values",
        page="preparation.md"),
    StepRow("impute_mode", f"{_ROOM}.imputation:ModeImputer",
        "missing values filled with the column's most frequent value",
        "modes for missing values", page="preparation.md"),
    StepRow("impute_knn", f"{_ROOM}.imputation:NeighbourImputer",
        "missing values filled with the mean of the nearest training rows",
        "nearest neighbours for missing values",
        parameters={"n_neighbors": (int, Field(ge=1))}, cite=("troyanskaya2001",),
        page="preparation.md"),
    StepRow("presence", f"{_ROOM}.presence:PresenceFilter",
        "columns kept with values above a bound in a share of the samples", "presence filter",
        parameters={"above": _number, "share": _share}, page="preparation.md"),
    StepRow("variance", f"{_ROOM}.variance:VarianceFilter",
        "columns kept of the largest variance", "variance filter",
        parameters={"share": (float, Field(gt=0, le=1)),
                    "above": (float, Field(ge=0, allow_inf_nan=False))}, page="preparation.md"),
    StepRow("quantile", f"{_ROOM}.quantile:QuantileNormalizer",
        "quantile normalisation to the training samples' mean distribution",
        "quantile normalisation", cite=("bolstad2003",), page="preparation.md"),
    StepRow("standardize", f"{_ROOM}.standardization:Standardizer",
        "columns brought to mean 0 and standard deviation 1", "standardisation",
        page="preparation.md"),
    StepRow("center_by_batch", f"{_ROOM}.batches:BatchCenterer",
        "columns centred batch by batch", "centring by batch", batches=True,
        parameters={"unseen": (Literal["refuse", "keep"], ...)},
        cite=("ritchie2015", "soneson2014"), page="preparation.md"),
    StepRow("combat", f"{_ROOM}.combat:ComBat",
        "means and variances of batches adjusted by empirical Bayes", "ComBat", batches=True,
        parameters={"mean_only": (bool, ...), "unseen": (Literal["refuse", "keep"], ...)},
        cite=("johnson2007", "leek2012", "soneson2014"), page="batch_effects.md"),
    StepRow("pca", f"{_ROOM}.components:PrincipalComponents",
        "columns replaced by their scores on principal components", "principal components",
        parameters={"n_components": (int, Field(ge=1, le=1000)), "scale": (bool, ...)},
        cite=("jolliffe2002",), page="preparation.md"),
    StepRow("random_projection", f"{_ROOM}.random_projection:RandomProjection",
        "columns replaced by sums of all with random signs", "random projection",
        parameters={"n_components": (int, Field(ge=1, le=100_000)),
                    "coding": (Literal["copies", "indicators"], ...),
                    "seed": (int, Field(ge=0))}, cite=("achlioptas2003",),
        page="random_projection.md"),
    StepRow("genotype_quality", f"{_ROOM}.genotype_quality:GenotypeQuality",
        "variants kept that pass quality control among the training samples", "quality control",
        parameters=dict.fromkeys(("missing", "hardy", "frequency", "differential"), _limit),
        cite=("wigginton2005",), page="genotype_quality.md"),
    StepRow("linkage_pruning", f"{_ROOM}.linkage_pruning:LinkagePruning",
        "variants kept no near two of which are in linkage disequilibrium", "linkage pruning",
        parameters={"window": (int, Field(ge=2)), "step": (int, Field(ge=1)), "r2": _share},
        cite=("purcell2007",), page="genome_study.md"),
    StepRow("genotype_components", f"{_ROOM}.genotype_components:GenotypeComponents",
        "genotypes replaced by their scores on principal components",
        "principal components of genotypes",
        parameters={"n_components": (int, Field(ge=1, le=1000))}, cite=("patterson2006",),
        page="genotype_components.md"),
    StepRow("level_presence", f"{_ROOM}.presence:LevelPresence",
        "levels of categories kept that a share of the samples has, and a share lacks",
        "presence of levels", enter="categories",
        parameters={"share": (float, Field(ge=0, le=0.5))}, page="preparation.md"),
    StepRow("mdl", "tamis.data.mdl:MDLDiscretizer",
        "numbers cut at intervals by minimum description length", "MDL intervals",
        cite=("fayyad1993",), page="preparation.md"),
    StepRow("ameva", "tamis.data.ameva:AmevaDiscretizer",
        "numbers cut at intervals by the Ameva criterion", "Ameva intervals",
        cite=("gonzalez2009",), page="preparation.md"),
    StepRow("caim", "tamis.data.caim:CAIMDiscretizer",
        "numbers cut at intervals by class-attribute interdependence", "CAIM intervals",
        cite=("kurgan2004",), page="preparation.md"),
    StepRow("chimerge", "tamis.data.chimerge:ChiMergeDiscretizer",
        "numbers cut at intervals merged until chi-square tells them apart", "ChiMerge intervals",
        parameters={"alpha": (float, Field(gt=0, lt=1))}, cite=("kerber1992",),
        page="preparation.md"),
    StepRow("equal_width", "tamis.data.equal_bins:EqualWidthDiscretizer",
        "numbers cut at intervals of one width", "intervals of one width", parameters=_bins,
        page="preparation.md"),
    StepRow("equal_frequency", "tamis.data.equal_bins:EqualFrequencyDiscretizer",
        "numbers cut at intervals of about as many samples", "intervals of one frequency",
        parameters=_bins, page="preparation.md"),
)  # fmt: skip
