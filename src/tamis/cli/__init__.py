"""The command `tamis`: parse, call, print."""
