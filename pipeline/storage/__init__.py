"""Sources in object storage (`object_sources`), and corpora that are published there (`object_corpus`)."""
