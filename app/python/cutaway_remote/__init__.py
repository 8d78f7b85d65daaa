# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models and machines that are elsewhere: fsspec reads the one, Dask runs on the other.

Cutaway's module calls it; neither fsspec nor Dask is imported before it is asked for.
"""
import cutaway


def error(kind, sentence):
    """A cutaway.Error to raise."""
    made = cutaway.Error(sentence)
    made.kind = kind
    return made


def lacking(what, package, debian):
    """The error that a package is missing."""
    return error("backend", f"{what} needs the Python package '{package}' (in Debian: {debian})")


def one_line(exception):
    """What an exception says, and its type where it says nothing."""
    lines = str(exception).strip().splitlines()
    return lines[0] if lines else type(exception).__name__


def is_url(path):
    """As survey::isUrl()."""
    start, mark, _ = path.partition("://")
    return bool(start and mark) and "/" not in start
