# Goldens of sva's ComBat, the design being the batches alone.
#
#   Rscript make_combat.R <folder of .tsv tables> <output folder>
#
# Each table: samples in lines, no header, first the batch, then numbers in C's hexadecimal notation.

suppressPackageStartupMessages(library(sva))

digits <- function(x) sprintf("%.17g", x)
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
quoted <- function(x) paste0('"', x, '"')
rows_of <- function(x) list_of(apply(x, 2, function(column) list_of(digits(column))))

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  lines <- strsplit(readLines(path), "\t")
  batch <- sapply(lines, function(l) l[1])
  x <- sapply(lines, function(l) as.numeric(l[-1])) # sva has samples in columns
  adjusted <- function(mean_only) {
    capture.output(found <- suppressMessages(ComBat(x, batch, mean.only = mean_only)))
    rows_of(found)
  }
  given <- sapply(lines, function(l) list_of(quoted(l[-1])))
  name <- sub("\\.tsv$", "", basename(path))
  writeLines(
    paste0(
      '{"made_with":"sva ', packageVersion("sva"), '","batch":', list_of(quoted(batch)),
      ',"x":', list_of(given), ',"adjusted":', adjusted(FALSE),
      ',"mean_only":', adjusted(TRUE), "}"
    ),
    file.path(arguments[2], paste0("combat_", name, ".json"))
  )
}
