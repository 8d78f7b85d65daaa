# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for a window that is open already: it takes letters from a folder, which only its user can write into.

A window holds the lock of its folder, FOLDER_OF_ALL/DISPLAY/PROCESS, as long as it runs. A letter is a JSON object: `open`, the
path of a file, `compare`, one to compare it with, `trace`, a recorded run of it, `folder`, which goes with the tab. The window has
taken it when it is gone.
"""
from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from typing import Any, Optional

SECONDS_TO_TAKE = 3.0  # a window that takes none for so long is busy, or waits for an answer of its user


def folder_of_all() -> str:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return os.path.join(runtime, "cutaway") if runtime else os.path.join(tempfile.gettempdir(), f"cutaway-{os.geteuid()}")


def display() -> str:
    """A name for where windows are shown, the same as app/desktop/watching/letterbox.cpp makes. What is shown nowhere has its own."""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform in ("offscreen", "minimal"):
        return platform
    found = [os.environ.get(name) for name in ("WAYLAND_DISPLAY", "DISPLAY", "QT_QPA_PLATFORM")]
    return re.sub(r"[^A-Za-z0-9]", "_", next((each for each in found if each), ""))


def send(letter: dict[str, Any]) -> Optional[int]:
    """Hands a letter to the window that was opened last; its process, or None where no window takes it."""
    for folder in boxes():
        path = os.path.join(folder, f"{os.getpid()}-{time.monotonic_ns()}.json")
        try:
            with open(path + ".part", "w", encoding="utf-8") as file:
                json.dump(letter, file)
            os.rename(path + ".part", path)
        except OSError:
            continue
        if _is_taken(path):
            return int(os.path.basename(folder))
    return None


def boxes() -> Iterator[str]:
    """The folders of windows that run, the youngest first. What others have left is removed."""
    mine = os.path.join(folder_of_all(), display())
    if not _is_safe(folder_of_all()) or not os.path.isdir(mine):
        return
    folders = [os.path.join(mine, name) for name in os.listdir(mine) if name.isdigit()]
    for folder in sorted(folders, key=_made, reverse=True):
        if is_held(folder):
            yield folder
        else:
            shutil.rmtree(folder, ignore_errors=True)


def is_held(folder: str) -> bool:
    try:
        with open(os.path.join(folder, "lock"), encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:  # it is, or no one can tell: then the folder is not to be removed
        return True
    return False


def _made(folder: str) -> float:
    try:
        return os.stat(os.path.join(folder, "lock")).st_mtime
    except OSError:
        return 0.0


def _is_safe(folder: str) -> bool:
    """Whether it is a folder of this user that no one else can write into."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _is_taken(path: str) -> bool:
    """Waits until the window takes the letter. Else it is taken back, also where the wait is interrupted."""
    limit = time.monotonic() + SECONDS_TO_TAKE
    is_gone = False
    try:
        while os.path.exists(path) and time.monotonic() < limit:
            time.sleep(0.02)
    finally:
        try:
            os.unlink(path)
        except FileNotFoundError:
            is_gone = True
    return is_gone and os.path.isdir(os.path.dirname(path))  # a window that is closed takes its folder along
