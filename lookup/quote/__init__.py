"""From a query and a key to an answer: cascade.py is the way; verify and grep are calls of their own."""
