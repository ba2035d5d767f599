# Goldens of DESeq2's size factors, dispersions, their trend, and the transformation.
#
#   Rscript make_vst.R <folder of .tsv tables> <output folder>
#
# Each table: samples in lines, no header, counts.

suppressPackageStartupMessages(library(DESeq2))

digits <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "null")
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
rows_of <- function(x) list_of(apply(x, 2, function(column) list_of(digits(column))))
factors_of <- function(x, type) {
  tryCatch(list_of(digits(sizeFactors(estimateSizeFactors(x, type = type)))), error = function(e) "null")
}

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  x <- unname(t(as.matrix(read.table(path)))) # DESeq2 has samples in columns
  set <- DESeqDataSetFromMatrix(x, DataFrame(row = seq_len(ncol(x))), ~1)
  ratio <- factors_of(set, "ratio")
  set <- estimateSizeFactors(set, type = if (ratio == "null") "poscounts" else "ratio")
  set <- estimateDispersionsGeneEst(set, quiet = TRUE)
  set <- estimateDispersionsFit(set, quiet = TRUE)
  trend <- attr(dispersionFunction(set), "coefficients")
  stopifnot(!is.null(trend))
  few <- floor(sum(rowMeans(counts(set, normalized = TRUE)) > 5) / 2)
  subset <- vst(set, nsub = few)
  name <- sub("\\.tsv$", "", basename(path))
  writeLines(
    paste0(
      '{"made_with":"DESeq2 ', packageVersion("DESeq2"), '","counts":', rows_of(x),
      ',"ratio":', ratio, ',"poscounts":', factors_of(set, "poscounts"),
      ',"dispersions":', list_of(digits(mcols(set)$dispGeneEst)),
      ',"trend":', list_of(digits(trend)),
      ',"transformed":', rows_of(getVarianceStabilizedData(set)),
      ',"few":', few, ',"of_few":', rows_of(assay(subset)), "}"
    ),
    file.path(arguments[2], paste0("vst_", name, ".json"))
  )
}
