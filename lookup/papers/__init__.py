"""Papers as matching sees them: their paragraphs in the orders in which they are read, and their places."""
