"""The interdependency graph, and graphs as files."""
