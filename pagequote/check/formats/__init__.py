"""How findings are shown: for people, for programs, and for what shows them beside a line."""
