"""The reading room: a corpus in a browser. Pages are made on the server, and work without JavaScript."""
