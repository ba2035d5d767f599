# Goldens of the R package discretization: the cuts of CAIM and Ameva, and its criterion of Ameva.
#
#   Rscript make_discretization.R <folder of .tsv tables, the class first> <output folder>
#
# Needs discretization (CRAN). Numbers are written with 17 significant digits, which is exact.
library(discretization)

exact <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")

# disc.Topdown keeps both ends of the range beside the cuts; what is between them are the cuts.
inner_cuts <- function(table, method) {
  found <- disc.Topdown(table, method = method)$cutp
  lines <- character(0)
  for (j in seq_along(found)) {
    ends <- found[[j]]
    cuts <- if (length(ends) > 2) ends[2:(length(ends) - 1)] else numeric(0)
    lines <- c(lines, sprintf("\"%s\": %s", names(table)[j], exact(cuts)))
  }
  paste0("{\n", paste(lines, collapse = ",\n"), "\n}")
}

arguments <- commandArgs(trailingOnly = TRUE)
version <- as.character(packageVersion("discretization"))
for (path in Sys.glob(file.path(arguments[1], "*.tsv"))) {
  name <- sub("\\.tsv$", "", basename(path))
  raw <- read.delim(path, check.names = FALSE, colClasses = "character")
  table <- as.data.frame(lapply(raw[-1], as.numeric), optional = TRUE)
  table$class <- as.integer(factor(raw[[1]]))
  out <- file.path(arguments[2], paste0("discretization_", name, ".json"))
  writeLines(sprintf("{\"set\": \"%s\",\n\"discretization\": \"%s\",\n\"rows\": %d,\n\"caim\": %s,\n\"ameva\": %s}",
                     name, version, nrow(table), inner_cuts(table, 1), inner_cuts(table, 3)), out)
  cat(out, "\n")
}
# The criterion itself, on the table of the package's own manual page (2 intervals, 3 classes).
manual <- matrix(c(2, 5, 1, 1, 3, 3), ncol = 3, byrow = TRUE)
cat("ameva of the manual's table:", sprintf("%.17g", ameva(manual)), "\n")
