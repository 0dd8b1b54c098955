"""The version of the extraction, apart from what it is made with: a kept PDF is found without Arrow."""

from lookup.release.current import LAYOUT
from lookup.text.folding import FOLDING

EXTRACTOR = f"58.{LAYOUT}.{FOLDING}"
"""Version of the extraction. The first number is raised whenever any PDF gives other rows; the other numbers
are the versions of the contract and of the folding."""
