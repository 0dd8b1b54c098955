"""The limit of the memory in which what others wrote is read or drawn."""

import resource
import sys
from pathlib import Path


def limit_memory(more: int) -> None:
    """Let this process map `more` bytes beyond those that it has mapped, and never more than it may now."""
    mapped = 0
    if sys.platform == "linux":
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    set_already = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([mapped + more, *set_already]), hard))
