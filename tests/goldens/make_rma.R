# Goldens of RMA and of MAS 5.0 detection p-values.
#
#   Rscript make_rma.R <folder of .tsv tables> <output folder>
#
# Each table: the names of probe sets in one line, then of each array a line of perfect matches and
# one of mismatches, in C's hexadecimal notation. Written with 17 significant digits:
#   background   preprocessCore's rma.background.correct, each array
#   values       affy's rma, on the perfect matches, arrays in rows
#   effects      preprocessCore's rcModelMedianPolish of the normalised logarithms, in probe order
#   half, twice  normalize.quantiles.use.target of the first array, with half of its background-
#                corrected intensities as the target, and with those of all other arrays
#   detection    p-values of the routine behind affy's mas5calls, arrays in rows

suppressPackageStartupMessages({
  library(preprocessCore)
  library(affy)
})

digits <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
rows_of <- function(m) list_of(apply(m, 1, function(row) list_of(digits(row))))

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  name <- sub("\\.tsv$", "", basename(path))
  lines <- strsplit(readLines(path), "\t")
  names <- lines[[1]]
  x <- sapply(lines[-1], as.numeric) # probes in rows, as both packages have them
  pm <- x[, seq(1, ncol(x), 2), drop = FALSE]
  mm <- x[, seq(2, ncol(x), 2), drop = FALSE]
  places <- split(seq_along(names) - 1L, names)
  places <- places[sort(names(places), method = "radix")]

  background <- rma.background.correct(pm)
  values <- .Call(
    "rma_c_complete_copy", pm, places, length(places), TRUE, TRUE, 2, FALSE,
    PACKAGE = "affy"
  )
  logs <- log2(normalize.quantiles(background))
  effects <- numeric(length(names))
  for (set in places) {
    found <- rcModelMedianPolish(logs[set + 1, , drop = FALSE])$Estimates
    effects[set + 1] <- found[-seq_len(ncol(pm))]
  }
  half <- background[seq_len(nrow(pm) %/% 2), 1]
  to <- function(target) list_of(digits(normalize.quantiles.use.target(pm[, 1, drop = FALSE], target)))
  order <- unlist(places) + 1 # the routine wants the pairs of a set side by side
  detection <- sapply(seq_len(ncol(pm)), function(j) {
    .C(
      "DetectionPValue", pm[order, j], mm[order, j], rep(names(places), lengths(places)),
      length(order), 0.015, 46000, p = double(length(places)), length(places),
      PACKAGE = "affy"
    )$p
  })
  writeLines(
    paste0(
      '{"made_with":"affy ', packageVersion("affy"), ", preprocessCore ",
      packageVersion("preprocessCore"), '","background":', rows_of(t(background)),
      ',"values":', rows_of(t(values)), ',"effects":', list_of(digits(effects)),
      if (name == "few") paste0(',"half":', to(half), ',"twice":', to(c(background[, -1]))),
      ',"detection":', rows_of(t(detection)), "}"
    ),
    file.path(arguments[2], paste0("rma_", name, ".json"))
  )
}
