"""The releases of a corpus: listing, going back, differences, removing old ones."""
