# Goldens of preprocessCore's quantile normalisation with a target.
#
#   Rscript make_quantile.R <folder of .tsv tables> <output folder>
#
# Each table: samples in lines, no header, numbers in C's hexadecimal notation, NA for missing. The
# first half of the samples (rounded up) gives the target; all samples are brought to it.

suppressPackageStartupMessages(library(preprocessCore))

digits <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  lines <- strsplit(readLines(path), "\t")
  x <- sapply(lines, as.numeric) # preprocessCore has samples in columns
  half <- seq_len(ceiling(ncol(x) / 2))
  target <- normalize.quantiles.determine.target(x[, half, drop = FALSE])
  found <- normalize.quantiles.use.target(x, target)
  rows <- apply(found, 2, function(column) list_of(digits(column)))
  name <- sub("\\.tsv$", "", basename(path))
  writeLines(
    paste0(
      '{"made_with":"preprocessCore ', packageVersion("preprocessCore"), '","x":',
      list_of(sapply(lines, function(l) list_of(ifelse(l == "NA", "null", paste0('"', l, '"'))))),
      ',"target":', list_of(digits(target)), ',"normalized":', list_of(rows), "}"
    ),
    file.path(arguments[2], paste0("quantile_", name, ".json"))
  )
}
