# Goldens of affyio, affxparser and affy reading CEL and CDF files, and files that affxparser writes.
#
#   Rscript make_arrays.R <folder of array_files.write_golden_files> <output folder>
#
# affyio gives other masked cells and outliers of Command Console than the data sets of these names
# hold, so that they are affxparser's.

suppressPackageStartupMessages({library(affy); library(affyio); library(affxparser)})

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
numbers <- function(x) paste0("[", paste(ifelse(is.na(x), "null", sprintf("%.9g", x)), collapse = ","), "]")
quoted <- function(x) paste0('"', x, '"')
object <- function(x) paste0("{", paste0(quoted(names(x)), ":", unlist(x), collapse = ",\n"), "}")
digest <- function(path) quoted(sub(" .*", "", system2("sha256sum", path, stdout = TRUE)))

by_affyio <- function(path) {
  cel <- read.celfile(path)
  header <- read.celfile.header(path, info = "full")
  object(list(
    means = numbers(cel$INTENSITY$MEAN), chip = quoted(header$cdfName),
    columns_rows = numbers(header[["CEL dimensions"]]), algorithm = quoted(header$Algorithm),
    date = quoted(header$ScanDate)
  ))
}

by_affxparser <- function(path) {
  cel <- readCel(path, readMasked = TRUE, readOutliers = TRUE)
  object(list(
    means = numbers(cel$intensities), rows = cel$header$rows, columns = cel$header$cols,
    masked = numbers(sort(cel$masked)), outliers = numbers(sort(cel$outliers))
  ))
}

# cells by atom, as makecdfenv's make.cdf.env orders them
ordered <- function(cell, atom, is_pm) list(
  pm = numbers(cell[is_pm][order(atom[is_pm])]), mm = numbers(cell[!is_pm][order(atom[!is_pm])])
)

cdf_by_affxparser <- function(path) {
  units <- readCdf(path, readIndices = TRUE, readIsPm = TRUE)
  blocks <- lapply(units, function(unit) {
    block <- unit$groups[[1]]
    object(ordered(block$indices, block$atom, block$ispm))
  })
  names(blocks) <- sapply(units, function(unit) names(unit$groups)[1])
  object(blocks)
}

# affxparser's own files: a CDF converted from text, CEL files of both shapes
for (shape in c("square", "wide")) {
  cdf <- file.path(out, paste0("affxparser_", shape, ".CDF"))
  cel <- file.path(out, paste0("affxparser_", shape, ".CEL"))
  unlink(c(cdf, cel))
  convertCdf(file.path(folder, paste0(shape, "_text.CDF")), cdf, .validate = FALSE)
  header <- readCelHeader(file.path(folder, paste0(shape, "_text.CEL")))
  header$nmasked <- header$noutliers <- 0
  createCel(cel, header)
  set.seed(1)
  updateCel(cel, intensities = round(rgamma(header$total, 2, 1 / 300), 2))
}

# what affy itself takes for perfect matches and mismatches; affy numbers cells from 1
Made_1 <- new.env()
for (unit in read.cdffile.list("square_text.CDF", folder)$Unit) {
  block <- unit$Unit_Block[[1]]
  cells <- block$Unit_Block_Cells
  is_pm <- cells$pbase != cells$tbase
  index <- cells$x + cells$y * 20 + 1
  pm <- index[is_pm][order(cells$Atom[is_pm])]
  mm <- index[!is_pm][order(cells$Atom[!is_pm])]
  assign(block$Name, cbind(pm = pm, mm = mm), envir = Made_1)
}
paths <- file.path(folder, c("square_text.CEL", "square_version_4.CEL", "square_console.CEL"))
batch <- ReadAffy(filenames = paths, cdfname = "Made_1")
values <- exprs(rma(batch, verbose = FALSE))
values <- values[order(rownames(values)), ]
exact <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
columns <- function(x) paste0("[", paste(apply(x, 2, numbers), collapse = ","), "]")

cels <- c(list.files(folder, "\\.CEL$", full.names = TRUE), list.files(out, "\\.CEL$", full.names = TRUE))
cdfs <- c(list.files(folder, "\\.CDF$", full.names = TRUE), list.files(out, "\\.CDF$", full.names = TRUE))
writeLines(object(list(
  made_with = quoted(paste("affyio", packageVersion("affyio"), "affxparser", packageVersion("affxparser"),
                           "affy", packageVersion("affy"))),
  sha256 = object(setNames(lapply(c(cels, cdfs), digest), basename(c(cels, cdfs)))),
  affyio = object(setNames(lapply(cels, by_affyio), basename(cels))),
  affxparser = object(setNames(lapply(cels, by_affxparser), basename(cels))),
  cdfs = object(setNames(lapply(cdfs, cdf_by_affxparser), basename(cdfs))),
  affy = object(list(
    probe_sets = paste0("[", paste(quoted(probeNames(batch)), collapse = ","), "]"),
    pm = columns(pm(batch)), mm = columns(mm(batch)),
    rma = paste0("[", paste(apply(values, 2, exact), collapse = ","), "]")
  ))
)), file.path(out, "arrays.json"))
