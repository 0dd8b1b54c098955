"""Printed lines to clean text: hyphens at line ends, ligatures, letter-spaced words."""
