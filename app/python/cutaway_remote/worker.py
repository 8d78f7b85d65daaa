# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that looks at models one after the other: as `cutaway-cli survey --worker`, also at URLs."""
import json
import os
import sys

import cutaway

from cutaway_remote import is_url

START = "import sys; sys.path[0] = sys.argv[1]; from cutaway_remote.worker import main; main()"


def command():
    """Starts it with the module that is loaded here."""
    return [sys.executable, "-B", "-c", START, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]


def record(path, request):
    if not is_url(path):
        return cutaway._record_of_file(path, request)
    from cutaway_remote import files  # most surveys have no URLs
    wanted = json.loads(request)
    return files.record(path, request, "profile" in wanted or bool(wanted.get("look", {}).get("checks")))


def main():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but answers stands between them
    request = sys.stdin.buffer.readline().decode()
    rest = b""
    while part := sys.stdin.buffer.read1():
        *paths, rest = (rest + part).split(b"\0")
        for path in paths:
            answers.write(record(os.fsdecode(path), request).encode() + b"\n")
            answers.flush()
