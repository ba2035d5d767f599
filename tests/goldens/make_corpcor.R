# Goldens of corpcor's shrinkage estimators inside a linear discriminant.
#
#   Rscript make_corpcor.R <folder of .tsv tables> <output folder>
#
# Each table: no header, the class code, then the columns, numbers in C's hexadecimal notation so
# that they arrive exactly. Columns are centred by their class means; corpcor does the rest. Class
# shares are the priors.

suppressPackageStartupMessages(library(corpcor))

list_of <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
for (path in sort(list.files(arguments[1], pattern = "[.]tsv$", full.names = TRUE))) {
  width <- length(strsplit(readLines(path, n = 1), "\t")[[1]])
  table <- read.delim(path, header = FALSE, colClasses = c("integer", rep("numeric", width - 1)))
  codes <- table[, 1] + 1
  X <- as.matrix(table[, -1])
  n <- nrow(X)
  counts <- tabulate(codes)
  means <- rowsum(X, codes) / counts
  residuals <- X - means[codes, ]
  variances <- var.shrink(residuals, verbose = FALSE)
  sd <- sqrt(as.vector(variances) * (n - 1) / (n - length(counts)))
  differences <- (t(means) - colMeans(X)) / sd
  solved <- crossprod.powcor.shrink(residuals, differences, alpha = -1, verbose = FALSE)
  coefficients <- matrix(solved, ncol = length(counts)) / sd
  name <- sub("[.]tsv$", "", basename(path))
  writeLines(paste0("{", paste(c(
    paste0('"set":"', name, '"'),
    paste0('"corpcor":"', packageVersion("corpcor"), '"'),
    paste0('"shape":[', n, ",", ncol(X), "]"),
    paste0('"intensity":', sprintf("%.17g", attr(solved, "lambda"))),
    paste0('"variance_intensity":', sprintf("%.17g", attr(variances, "lambda.var"))),
    paste0('"coefficients":[', paste(apply(coefficients, 2, list_of), collapse = ",\n"), "]")
  ), collapse = ",\n"), "}"), file.path(arguments[2], paste0("corpcor_", name, ".json")))
}
