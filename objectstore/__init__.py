"""Object storage: its objects as files, and releases that lie there. `s3://` alone loads it."""
