"""Object storage (s3://): paths, whole objects, and parts of them."""
