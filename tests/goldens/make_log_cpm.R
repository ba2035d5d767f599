# Goldens of edgeR's normalisation factors and log counts per million.
#
#   Rscript make_log_cpm.R <folder of .tsv tables> <output folder>
#
# Each table: samples in lines, no header, counts.

suppressPackageStartupMessages(library(edgeR))

digits <- function(x) sprintf("%.17g", x)
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
rows_of <- function(x) list_of(apply(x, 2, function(column) list_of(digits(column))))
methods <- c(tmm = "TMM", upper_quartile = "upperquartile", none = "none")

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  x <- t(as.matrix(read.table(path))) # edgeR has samples in columns
  found <- sapply(names(methods), function(name) {
    y <- calcNormFactors(DGEList(x), method = methods[[name]])
    paste0(
      '"', name, '":{"factors":', list_of(digits(y$samples$norm.factors)),
      ',"prior_2":', rows_of(cpm(y, log = TRUE)),
      ',"prior_half":', rows_of(cpm(y, log = TRUE, prior.count = 0.5)), "}"
    )
  })
  name <- sub("\\.tsv$", "", basename(path))
  writeLines(
    paste0(
      '{"made_with":"edgeR ', packageVersion("edgeR"), '","counts":', rows_of(x), ",",
      paste(found, collapse = ","), "}"
    ),
    file.path(arguments[2], paste0("log_cpm_", name, ".json"))
  )
}
