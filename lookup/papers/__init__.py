"""Papers as matching sees them: paragraphs, the orders in which they are read, printed boxes and pages."""
