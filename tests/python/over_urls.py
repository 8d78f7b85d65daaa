#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surveys the models of a folder twice, as files and over a web server by ranges of bytes, and compares the databases.

usage: over_urls.py FOLDER      PYTHONPATH names the folder of the module; prints what differs; exit code 1 if anything does
"""
import os
import pathlib
import sys
import tempfile
import urllib.parse

import cutaway
import databases
import http_files
from cutaway_remote import files


def main(folder):
    models = sorted(path for path in folder.rglob("*") if path.suffix in files.SUFFIXES and path.is_file())
    with tempfile.TemporaryDirectory() as temporary, http_files.Server(folder) as server:
        here, there = (pathlib.Path(temporary) / name for name in ("here.db", "there.db"))
        print("files:", cutaway.survey(models, here)["states"])
        urls = [server.url(urllib.parse.quote(os.fspath(path.relative_to(folder)))) for path in models]
        found = cutaway.survey(urls, there)
        total = sum(path.stat().st_size for path in models)
        print("URLs: ", found["states"], f"{found['bytes_read']} of {total} bytes, {server.requests} requests")
        without = ("path", "modified", "remote")
        ours, theirs = (databases.content(path, without) for path in (here, there))
    for mark, rows in (("-", set(ours) - set(theirs)), ("+", set(theirs) - set(ours))):
        for row in sorted(rows):
            print(mark, row[:400])
    return 0 if ours == theirs else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
