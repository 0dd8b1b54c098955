"""What the public calls return: frozen dataclasses, and how a notebook shows them."""
