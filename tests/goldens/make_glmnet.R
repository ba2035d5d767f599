# Goldens of glmnet's logistic path: lambdas, objectives, deviance, the last coefficients.
#
#   Rscript make_glmnet.R <folder of .tsv tables> <output folder>
#
# Each table: first line names, first column the class, then the features, numbers in C's
# hexadecimal notation so that they arrive exactly; a name that ends in "@0" is a column without a
# penalty, "@2" one with twice the penalty. Every table is solved for each alpha at glmnet's own
# lambdas with its default threshold, and again at the same lambdas with 1e-14.
#
# The objective is computed here, by its formula, from glmnet's coefficients:
# (1/n) sum_i -log p(y_i) + lambda sum_jk pf_j (alpha |s_j b_jk| + (1 - alpha)/2 (s_j b_jk)^2),
# s the population standard deviations. glmnet divides penalty factors by their mean; so do these.

suppressPackageStartupMessages(library(glmnet))

ALPHAS <- c(1, 0.5, 0.1)
LAMBDAS <- 25

digits <- function(x) {
  stopifnot(is.finite(x)) # JSON has no infinity
  sprintf("%.17g", x)
}
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
quoted <- function(x) paste0('"', x, '"')

# coefficients of one lambda as a matrix (1 + p) x K, without glmnet's names
coefficients_at <- function(fit, l) {
  if (is.list(fit$beta)) {
    sapply(seq_along(fit$beta), function(k) c(fit$a0[k, l], as.matrix(fit$beta[[k]])[, l]))
  } else {
    matrix(c(fit$a0[l], as.matrix(fit$beta)[, l]), ncol = 1)
  }
}

objective <- function(x, y, b, lambda, alpha, factors) {
  eta <- sweep(x %*% b[-1, , drop = FALSE], 2, b[1, ], "+")
  if (ncol(eta) == 1) eta <- cbind(0, eta)
  top <- apply(eta, 1, max)
  loss <- top + log(rowSums(exp(eta - top))) - eta[cbind(seq_along(y), as.integer(y))]
  s <- apply(x, 2, function(column) sqrt(mean((column - mean(column))^2)))
  scaled <- b[-1, , drop = FALSE] * s
  mean(loss) + lambda * sum(factors * (alpha * abs(scaled) + (1 - alpha) / 2 * scaled^2))
}

one_fit <- function(x, y, alpha, factors, ...) {
  family <- if (nlevels(y) == 2) "binomial" else "multinomial"
  fit <- glmnet(x, y, family, alpha = alpha, penalty.factor = factors, maxit = 1e7, ...)
  list(fit = fit, objective = sapply(seq_along(fit$lambda), function(l) {
    objective(x, y, coefficients_at(fit, l), fit$lambda[l], alpha, factors)
  }))
}

write_golden <- function(name, x, labels, factors, folder) {
  classes <- sort(unique(labels), method = "radix")
  y <- factor(labels, levels = classes)
  factors <- factors / mean(factors)
  blocks <- sapply(ALPHAS, function(alpha) {
    plain <- one_fit(x, y, alpha, factors, nlambda = LAMBDAS)
    tight <- one_fit(x, y, alpha, factors, lambda = plain$fit$lambda, thresh = 1e-14)
    b <- coefficients_at(tight$fit, length(tight$fit$lambda))
    rows <- which(rowSums(b[-1, , drop = FALSE] != 0) > 0)
    paste0("{", paste(c(
      paste0('"alpha":', digits(alpha)),
      paste0('"lambdas":', list_of(digits(plain$fit$lambda))),
      paste0('"objective":', list_of(digits(plain$objective))),
      paste0('"tight_objective":', list_of(digits(tight$objective))),
      paste0('"deviance_ratio":', list_of(digits(tight$fit$dev.ratio))),
      paste0('"columns":', list_of(rows - 1)),
      paste0('"intercept":', list_of(digits(b[1, ]))),
      paste0('"coef":', list_of(apply(b[-1, , drop = FALSE][rows, , drop = FALSE], 2,
                                      function(v) list_of(digits(v)))))
    ), collapse = ",\n"), "}")
  })
  lines <- c(
    paste0('"set":', quoted(name)),
    paste0('"glmnet":', quoted(as.character(packageVersion("glmnet")))),
    paste0('"shape":', list_of(dim(x))),
    paste0('"classes":', list_of(quoted(classes))),
    paste0('"paths":', list_of(blocks))
  )
  path <- file.path(folder, paste0("glmnet_", name, ".json"))
  writeLines(paste0("{", paste(lines, collapse = ",\n"), "}"), path)
  cat(path, file.size(path), "bytes\n")
}

arguments <- commandArgs(trailingOnly = TRUE)
for (path in sort(list.files(arguments[1], pattern = "[.]tsv$", full.names = TRUE))) {
  width <- length(strsplit(readLines(path, n = 1), "\t")[[1]])
  table <- read.delim(path, check.names = FALSE, quote = "", comment.char = "",
                      colClasses = c("character", rep("numeric", width - 1)))
  x <- as.matrix(table[, -1])
  tails <- sub("^.*@", "", colnames(x))
  factors <- ifelse(grepl("@", colnames(x)), suppressWarnings(as.numeric(tails)), 1)
  write_golden(sub("[.]tsv$", "", basename(path)), unname(x), table[, 1], factors, arguments[2])
}
