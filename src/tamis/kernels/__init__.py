"""Compiled and array arithmetic: arrays in, arrays out."""
