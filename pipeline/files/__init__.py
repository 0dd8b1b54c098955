"""Files: written whole or not at all (`atomic`); read without waiting, whoever names them (`handed`)."""
