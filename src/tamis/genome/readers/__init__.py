"""Files of genotypes, samples and phenotypes as geneticists have them."""
