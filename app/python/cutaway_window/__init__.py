# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows of the program `cutaway`: one that is open takes more files, each in a tab; else the program is started."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import BinaryIO, Optional

import cutaway
from cutaway_window import letters

# The folder goes with the window, also when Python has ended before it.
SCRIPT = 'folder=$1; shift; "$@"; code=$?; [ -z "$folder" ] || rm -rf -- "$folder"; exit $code'
SECONDS_TO_FAIL = 2.0  # it does so at once, if there is no display or Qt is broken
SECONDS_BETWEEN_LOOKS = 0.1
PREFIX = "cutaway: "

_handed: dict[int, list[str]] = {}  # the folders that windows have got from here


def error(kind: str, sentence: str) -> cutaway.Error:
    made = cutaway.Error(sentence)
    made.kind, made.reproducer = kind, None
    return made


class Window:
    """A window; it stays open when Python ends. `failure` says why it shows a part of a model or none, else it is None."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: str) -> None:
        self._process, self._folder = process, folder
        self.failure: Optional[Exception] = None

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> int:
        """Waits until the user closes it; the program's exit code."""
        return self._process.wait()

    def close(self) -> None:
        """Closes it, with all its tabs."""
        if self.is_open:
            os.killpg(self._process.pid, signal.SIGTERM)
        self.wait()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        clear()


class OpenWindow(Window):
    """A window that was open already."""

    def __init__(self, process: int) -> None:  # pylint: disable=super-init-not-called
        self._number, self.failure = process, None

    @property
    def is_open(self) -> bool:
        return any(os.path.basename(folder) == str(self._number) for folder in letters.boxes())

    def wait(self) -> int:
        while self.is_open:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        return 0

    def close(self) -> None:
        if self.is_open:
            os.kill(self._number, signal.SIGTERM)
        self.wait()
        clear()


def found(program: str) -> str:
    """Where a program is. Raises Error: it is not installed."""
    path = shutil.which(program)
    if path is None:
        raise error("backend", f"the program '{program}' is not installed; program= says where it is")
    return path


def show(files: list[str], trace: str, folder: str, program: str) -> Window:
    """Shows a file, or two beside each other, with a trace or "". The folder is a temporary one, and goes with what shows them."""
    clear()
    if not os.listdir(folder):  # all files are somewhere else
        os.rmdir(folder)
        folder = ""
    letter = {"open": files[0], "compare": "".join(files[1:]), "trace": trace, "folder": folder}
    process = letters.send(letter)
    if process is None:
        return start(files, trace, folder, program)
    _handed.setdefault(process, []).append(folder)
    return OpenWindow(process)


def clear() -> None:
    """Removes the folders of windows that were ended before they could."""
    running = {int(os.path.basename(folder)) for folder in letters.boxes()}
    for process in _handed.keys() - running:
        for folder in _handed.pop(process):
            shutil.rmtree(folder, ignore_errors=True)


def start(files: list[str], trace: str, folder: str, program: str) -> Window:
    """Starts the program. Raises Error: what it says if it ends at once."""
    # Where a plugin needs a Python, it is this one.
    environment = {"CUTAWAY_PYTHON": sys.executable, **os.environ}
    options = [option for file in files[1:] for option in ("--compare-with", file)] + (["--trace", trace] if trace else [])
    known = set(letters.boxes())
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(["/bin/sh", "-c", SCRIPT, "sh", folder, program, files[0], *options],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages, env=environment,
                                   start_new_session=True)
        window = Window(process, folder)
        expect_start(window, messages, known)
    return window


def expect_start(window: Window, messages: BinaryIO, known: set[str]) -> None:
    """Waits until another window than those that are known takes letters. Raises what the program says if it ends at once."""
    limit = time.monotonic() + SECONDS_TO_FAIL
    while window.is_open and time.monotonic() < limit and known.issuperset(letters.boxes()):
        time.sleep(0.05)
    if window.is_open or window.wait() == 0:
        return
    messages.seek(0)
    said = messages.read().decode("utf-8", "replace").strip()
    raise error("backend", said[len(PREFIX):] if said.startswith(PREFIX) else "the window has failed: " + said)
