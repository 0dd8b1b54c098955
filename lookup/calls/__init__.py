"""What can be asked from outside the process: the calls, their arguments and replies, and how much they may hold."""
