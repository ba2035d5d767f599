"""From beliefs to labels: one decision a file (`_core.interfaces.Decision`)."""
