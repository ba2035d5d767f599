# Goldens of glmnet's Gaussian path: lambdas and coefficients.
#
#   Rscript make_glmnet_number.R <folder of .tsv tables> <output folder>
#
# The tables of make_limma_slope.R, the number divided by its population standard deviation: then
# glmnet's own "gaussian" has the objective of family = gaussian().

suppressPackageStartupMessages(library(glmnet))

digits <- function(x) {
  stopifnot(is.finite(x)) # JSON has no infinity
  sprintf("%.17g", x)
}
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
for (path in sort(list.files(arguments[1], pattern = "[.]tsv$", full.names = TRUE))) {
  table <- as.matrix(read.delim(path, check.names = FALSE))
  X <- table[, -(1:2)]
  y <- table[, 1]
  y <- (y - mean(y)) / sqrt(mean((y - mean(y))^2))
  paths <- c()
  for (alpha in c(1, 0.5, 0.1)) {
    start <- glmnet(X, y, alpha = alpha, nlambda = 12)
    lambdas <- start$lambda
    fit <- glmnet(X, y, alpha = alpha, lambda = lambdas, thresh = 1e-26, maxit = 1e7)
    coefs <- sapply(seq_along(lambdas), function(l) {
      b <- fit$beta[, l]
      used <- which(b != 0)
      paste0('{"columns":', list_of(used - 1), ',"values":', list_of(digits(b[used])), "}")
    })
    paths <- c(paths, paste0(
      '{"alpha":', alpha, ',"lambdas":', list_of(digits(lambdas)), ',"coefs":', list_of(coefs), "}"
    ))
  }
  name <- sub("[.]tsv$", "", basename(path))
  out <- file(file.path(arguments[2], paste0("glmnet_number_", name, ".json")), "wb")
  writeLines(paste0('{"glmnet":"', packageVersion("glmnet"), '",\n"paths":',
                    list_of(paths), "}"), out)
  close(out)
}
