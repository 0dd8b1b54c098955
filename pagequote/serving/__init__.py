"""What stands before every server of this project: address, token, TLS, limits and audit log."""
