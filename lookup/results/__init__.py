"""The answers of the public calls: frozen dataclasses, and the forms in which they are shown."""
