"""The calls for agents and programs: their arguments, their replies, and the limits of both."""
