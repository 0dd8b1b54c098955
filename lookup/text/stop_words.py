"""Words that are too frequent to search for."""

STOP_WORDS = frozenset(
    """
    a about above after again against all also although am an and any are as at be because been before being
    below between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how however i if in into is it its itself just may me might more most much
    must my no nor not of off on once only or other our out over own same shall she should so some such than
    that the their them then there these they this those through thus to too under until up upon us very was
    we were what when where which while who whom whose why will with within without would you your
    """.split()  # noqa: SIM905  # a list of words is read as words
)
"""English words that say nothing of what a query is about."""
