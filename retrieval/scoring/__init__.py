"""What words of a query weigh in a passage: stems, BM25, and how kinds of evidence are put together."""
