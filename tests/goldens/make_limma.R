# Goldens of limma's moderated statistics.
#
#   Rscript make_limma.R <folder of .tsv tables> <output folder>
#
# Each table: first line names, first column the class, then the features, numbers in C's
# hexadecimal notation so that they arrive exactly. The bundled golub data of multtest
# (38 x 3051) is always done too, with the statistics of all its features; everything else is
# kept for the first 60 features and a fixed spread of 100 more.
#
# Class codes are the sorted labels; a difference is the second minus the first.

suppressPackageStartupMessages(library(limma))

digits <- function(x) {
  stopifnot(is.finite(x)) # JSON has no infinity
  sprintf("%.17g", x)
}
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
quoted <- function(x) paste0('"', x, '"')

# E: features in rows; labels: one a column of E
statistics <- function(E, labels) {
  classes <- sort(unique(labels), method = "radix")
  f <- factor(labels, levels = classes)
  fit <- lmFit(E, model.matrix(~f))
  moderated <- eBayes(fit[, -1]) # without the intercept: the class effects alone
  if (length(classes) == 2) {
    statistic <- moderated$t[, 1]
    p <- moderated$p.value[, 1]
  } else {
    statistic <- moderated$F
    p <- moderated$F.p.value
  }
  list(classes = classes, statistic = statistic, p = p, post = moderated$s2.post,
       df = moderated$df.prior[1], s2 = moderated$s2.prior[1])
}

write_golden <- function(name, E, labels, folder, all = FALSE) {
  s <- statistics(E, labels)
  p <- nrow(E)
  kept <- unique(c(1:60, round(seq(61, p, length.out = 100))))
  lines <- c(
    paste0('"set":', quoted(name)),
    paste0('"limma":', quoted(as.character(packageVersion("limma")))),
    paste0('"shape":', list_of(c(ncol(E), p))),
    paste0('"classes":', list_of(quoted(s$classes))),
    paste0('"statistic_name":', quoted(if (length(s$classes) == 2) "t" else "F")),
    paste0('"df_prior":', digits(s$df)),
    paste0('"s2_prior":', digits(s$s2)),
    paste0('"columns":', list_of(kept - 1)),
    paste0('"statistic":', list_of(digits(s$statistic[kept]))),
    paste0('"p_value":', list_of(digits(s$p[kept]))),
    paste0('"s2_post":', list_of(digits(s$post[kept]))),
    if (all) paste0('"all_statistics":', list_of(digits(s$statistic)))
  )
  path <- file.path(folder, paste0("limma_", name, if (all) ".json.gz" else ".json"))
  out <- if (all) gzfile(path, "wb", compression = 9) else file(path, "wb")
  writeLines(paste0("{", paste(lines, collapse = ",\n"), "}"), out)
  close(out)
  cat(path, file.size(path), "bytes\n")
}

arguments <- commandArgs(trailingOnly = TRUE)
data(golub, package = "multtest")
write_golden("golub_bundled", golub, c("ALL", "AML")[golub.cl + 1], arguments[2], all = TRUE)
for (path in sort(list.files(arguments[1], pattern = "[.]tsv$", full.names = TRUE))) {
  width <- length(strsplit(readLines(path, n = 1), "\t")[[1]])
  table <- read.delim(path, check.names = FALSE, quote = "", comment.char = "",
                      colClasses = c("character", rep("numeric", width - 1)))
  write_golden(sub("[.]tsv$", "", basename(path)), t(as.matrix(table[, -1])), table[, 1],
               arguments[2])
}
