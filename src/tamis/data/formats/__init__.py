"""Files that programs of the field write: what they have around their table, or instead of one."""
