# Goldens of limma's moderated t of a slope on a number, and with a covariate in the design.
#
#   Rscript make_limma_slope.R <folder of .tsv tables> <output folder>
#
# Each table: first line names, first column the number, second a covariate, then the features,
# numbers in C's hexadecimal notation so that they arrive exactly.

suppressPackageStartupMessages(library(limma))

digits <- function(x) {
  stopifnot(is.finite(x)) # JSON has no infinity
  sprintf("%.17g", x)
}
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
for (path in sort(list.files(arguments[1], pattern = "[.]tsv$", full.names = TRUE))) {
  table <- as.matrix(read.delim(path, check.names = FALSE))
  E <- t(table[, -(1:2)])
  number <- table[, 1]
  covariate <- table[, 2]
  alone <- eBayes(lmFit(E, model.matrix(~number)))
  beside <- eBayes(lmFit(E, model.matrix(~ number + covariate)))
  lines <- c(
    paste0('"limma":"', packageVersion("limma"), '"'),
    paste0('"t":', list_of(digits(alone$t[, 2]))),
    paste0('"p_value":', list_of(digits(alone$p.value[, 2]))),
    paste0('"t_beside":', list_of(digits(beside$t[, 2]))),
    paste0('"p_value_beside":', list_of(digits(beside$p.value[, 2])))
  )
  name <- sub("[.]tsv$", "", basename(path))
  out <- file(file.path(arguments[2], paste0("limma_slope_", name, ".json")), "wb")
  writeLines(paste0("{", paste(lines, collapse = ",\n"), "}"), out)
  close(out)
}
