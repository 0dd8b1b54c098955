"""What stands before every server of this project: address, token, limits and audit log."""
