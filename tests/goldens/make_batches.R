# Goldens of limma's removal of batch effects.
#
#   Rscript make_batches.R <folder of .tsv tables> <output folder>
#
# Each table: samples in lines, no header, first the batch, then numbers in C's hexadecimal notation,
# NA for missing.

suppressPackageStartupMessages(library(limma))

digits <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")
quoted <- function(x) paste0('"', x, '"')

arguments <- commandArgs(trailingOnly = TRUE)
for (path in list.files(arguments[1], pattern = "\\.tsv$", full.names = TRUE)) {
  lines <- strsplit(readLines(path), "\t")
  batch <- sapply(lines, function(l) l[1])
  x <- sapply(lines, function(l) as.numeric(l[-1])) # limma has samples in columns
  found <- removeBatchEffect(x, batch = batch)
  rows <- apply(found, 2, function(column) list_of(digits(column)))
  given <- sapply(lines, function(l) list_of(ifelse(l[-1] == "NA", "null", quoted(l[-1]))))
  name <- sub("\\.tsv$", "", basename(path))
  writeLines(
    paste0(
      '{"made_with":"limma ', packageVersion("limma"), '","batch":', list_of(quoted(batch)),
      ',"x":', list_of(given), ',"centered":', list_of(rows), "}"
    ),
    file.path(arguments[2], paste0("batches_", name, ".json"))
  )
}
