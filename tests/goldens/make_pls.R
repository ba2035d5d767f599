# Goldens of the coefficients of R's pls, plain and with columns divided by standard deviations.
#
#   Rscript make_pls.R <folder of .tsv tables> <output folder>
#
# The tables of make_limma_slope.R. Coefficients of scaled columns are those of the scaled columns.

suppressPackageStartupMessages(library(pls))

digits <- function(x) {
  stopifnot(is.finite(x)) # JSON has no infinity
  sprintf("%.17g", x)
}
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
for (path in sort(list.files(arguments[1], pattern = "[.]tsv$", full.names = TRUE))) {
  table <- as.matrix(read.delim(path, check.names = FALSE))
  X <- table[, -(1:2)]
  number <- table[, 1]
  lines <- paste0('"pls":"', packageVersion("pls"), '"')
  for (scale in c(FALSE, TRUE)) {
    fit <- plsr(number ~ X, ncomp = 4, scale = scale, method = "kernelpls")
    for (parts in c(1, 2, 4)) {
      coefs <- fit$coefficients[, 1, parts]
      name <- paste0(if (scale) "scaled_" else "plain_", parts)
      lines <- c(lines, paste0('"', name, '":', list_of(digits(coefs))))
    }
  }
  name <- sub("[.]tsv$", "", basename(path))
  out <- file(file.path(arguments[2], paste0("pls_", name, ".json")), "wb")
  writeLines(paste0("{", paste(lines, collapse = ",\n"), "}"), out)
  close(out)
}
