"""The command, whatever the files of the user are called: their lookup.py or pipeline.py is not ours."""

import sys
from pathlib import Path

_HOME = Path(__file__).resolve().parents[1]

if not sys.flags.safe_path and Path(sys.path[0]).resolve() != _HOME:
    del sys.path[0]  # the folder it was called in

sys.path.insert(0, str(_HOME))  # before the folders of PYTHONPATH, here and in the processes that it starts

from pagequote.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
