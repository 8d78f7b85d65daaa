# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that came with this package, which run by their own loader and libraries."""
import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bundled")
MEND = "install the wheel again (pip install --force-reinstall), on a disk that runs programs"


def path(name):
    return os.path.join(FOLDER, name)


LIBRARIES, PYTHON = path("lib"), path("lib/cutaway/python/bin/python3")
# Starts the process that has the module itself, in a Python of its own.
MODULE = [path("lib/ld-linux-x86-64.so.2"), "--library-path", LIBRARIES, "--argv0", PYTHON, PYTHON, "-I", "-S",
          path("lib/cutaway/python/serve.pyc")]


def of_user():
    """The variables of a program: where plugins need a Python, it is the one that runs here, unless another one is named."""
    return {"CUTAWAY_PYTHON": sys.executable, **os.environ}


def environment():
    """Those of the process of the module: it finds rsvg-convert here, bwrap in the system if that has one."""
    own = path("lib/cutaway")
    folders = f"{own}/first:{os.environ.get('PATH', os.defpath)}:{own}/last"
    return {"FONTCONFIG_FILE": f"{own}/fonts.conf", **of_user(), "PATH": folders}


def run(name):
    """Becomes the program."""
    try:
        os.execve(path(name), [path(name), *sys.argv[1:]], of_user())
    except OSError as fault:
        sys.exit(f"cutaway: {path(name)}: {fault.strerror}; {MEND}")


def window():
    run("cutaway")


def command_line():
    run("cutaway-cli")
