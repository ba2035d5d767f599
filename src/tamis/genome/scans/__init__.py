"""Every variant or pair of variants against the classes, and the index variants of a scan."""
