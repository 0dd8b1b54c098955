"""The `pagequote` command within the process of the test: a process for each call would take a second."""

import io
import os
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

import pytest

from pagequote.cli import main
from pipeline.ocr import tesseract
from tests.support.builds import InProcess

_FIND_OCR = tesseract.find_ocr


def pagequote(*arguments, cwd=None, given="", **environment):
    """Call the command with these `arguments`, `given` as its standard input. Return what it printed and its
    exit status.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(given.encode() if isinstance(given, str) else given))
    call = list(map(str, ("pagequote", *arguments)))
    with ExitStack() as stack:
        for context in (
            chdir(cwd or Path.cwd()),
            patch.dict(os.environ, environment),
            patch.object(sys, "argv", call),
            patch.object(sys, "stdin", stdin),
            patch("pipeline.builds.add_paper._ENGINE", InProcess()),
            patch("pipeline.engines.local.Local", lambda _: InProcess()),
            patch.object(tesseract, "find_ocr", _without_tesseract),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            stack.enter_context(context)
        ended = stack.enter_context(pytest.raises(SystemExit))
        main()
    return CompletedProcess(call, int(ended.value.code or 0), text(out), text(err))


def _without_tesseract(mode, language):
    """Return what `find_ocr` does where no Tesseract is installed: it would be asked for its version, by a
    process.
    """
    with patch("shutil.which", return_value=None):
        return _FIND_OCR(mode, language)


def text(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()
