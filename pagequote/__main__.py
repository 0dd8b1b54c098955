"""`python -m pagequote`: the command, whatever the files of the folder are called."""

import sys
from pathlib import Path

_HOME = Path(__file__).resolve().parents[1]

if not sys.flags.safe_path and Path(sys.path[0]).resolve() != _HOME:
    del sys.path[0]  # the folder it was called in: a lookup.py or pipeline.py there is not ours

from lookup.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
