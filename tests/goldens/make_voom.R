# Goldens of limma's voom with moderated statistics, of limma-trend, and of R's lowess.
#
#   Rscript make_voom.R <folder of .tsv tables> <output folder>
#
# Each table: samples in lines, no header, first the class (0, 1, ...), then counts.

suppressPackageStartupMessages({ library(edgeR); library(limma) })

digits <- function(x) { stopifnot(all(is.finite(x))); sprintf("%.17g", x) }
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
rows_of <- function(x) list_of(apply(x, 2, function(column) list_of(digits(column))))
told <- function(fit) {
  fit <- eBayes(fit[, -1], trend = fit$trended)
  paste0('"post":', list_of(digits(fit$s2.post)), ',"coefficients":', rows_of(t(fit$coefficients)),
         ',"t":', rows_of(t(fit$t)), ',"p":', rows_of(t(fit$p.value)), ',"F":', list_of(digits(fit$F)))
}
trended <- function(fit, trend) { fit$trended <- trend; fit }

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  x <- as.matrix(read.table(path))
  design <- model.matrix(~factor(x[, 1]))
  set <- calcNormFactors(DGEList(unname(t(x[, -1]))))
  v <- voom(set, design, save.plot = TRUE)
  logs <- cpm(set, log = TRUE)
  name <- sub("\\.tsv$", "", basename(path))
  points <- v$voom.xy
  writeLines(
    paste0(
      '{"made_with":"limma ', packageVersion("limma"), '","classes":', list_of(x[, 1]),
      ',"counts":', rows_of(t(x[, -1])), ',"values":', rows_of(v$E), ',"weights":', rows_of(v$weights),
      ',"lowess":{"x":', list_of(digits(sort(points$x))), ',"y":', list_of(digits(points$y[order(points$x)])),
      ',"smooth":', list_of(digits(v$voom.line$y)), "}",
      ',"voom":{', told(trended(lmFit(v, design), FALSE)), "}",
      ',"both":{', told(trended(lmFit(v, design), TRUE)), "}",
      ',"trend":{', told(trended(lmFit(logs, design), TRUE)), "}}"
    ),
    file.path(arguments[2], paste0("voom_", name, ".json"))
  )
}
