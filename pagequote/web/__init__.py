"""The reading room: a corpus in a browser. Pages are rendered on the server, and work without JavaScript."""
