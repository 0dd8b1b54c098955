"""Files that are written whole or not at all (`atomic`), and how much memory a process may take."""
