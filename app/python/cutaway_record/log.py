# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A structured log in the format of TORCH_TRACE: a line with a JSON object, then its payload in lines that begin with a tab.

It only grows, and each record is written at once with its payload, so that it can be read while it grows.
"""
from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
import sys
from typing import Any, Optional, Union

WRITER = "cutaway/record.py"  # stands where torch's logs name the source, so that the file is known for what it is


def is_log(path: str) -> bool:
    """Whether the file is one of ours, or empty."""
    with open(path, "rb") as file:
        first = file.readline(1000)
    return not first or f" {WRITER}:".encode() in first


class Log:
    """The file of a recording, and the folder of files beside it."""

    def __init__(self, path: Union[str, os.PathLike[str]]):
        self.path = os.path.abspath(os.fspath(path))
        self.folder = self.path + ".files"
        if os.path.lexists(self.path):
            if not os.path.isfile(self.path) or not is_log(self.path):
                raise FileExistsError(f"{self.path} is there and is no recording; give another name")
            os.unlink(self.path)  # whoever follows the old one keeps it
            if os.path.isdir(self.folder) and not os.path.islink(self.folder):
                shutil.rmtree(self.folder)
        if os.path.lexists(self.folder):
            raise FileExistsError(f"{self.folder} is there without its recording; remove it, or give another name")
        self._file = open(self.path, "xb")  # pylint: disable=consider-using-with

    def close(self) -> None:
        self._file.close()

    def write(self, kind: str, fields: dict[str, Any], payload: Optional[str] = None) -> None:
        """Appends a record."""
        record: dict[str, Any] = {kind: fields}
        lines = b""
        if payload is not None:
            encoded = payload.encode("utf-8", "backslashreplace")
            record["has_payload"] = hashlib.md5(encoded, usedforsecurity=False).hexdigest()
            lines = b"\t" + encoded.replace(b"\n", b"\n\t") + b"\n"
        time = datetime.datetime.now().strftime("%m%d %H:%M:%S.%f")
        line = sys._getframe(1).f_lineno
        self._file.write(f"V{time} {os.getpid()} {WRITER}:{line}] {json.dumps(record)}\n".encode() + lines)
        self._file.flush()
