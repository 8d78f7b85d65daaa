#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""over_client.py FILE...: runs tests of the module with the package that calls it in a process of its own, as the wheel does."""
import os
import pathlib
import subprocess
import sys
import tempfile

import cutaway

CLIENT = pathlib.Path(__file__).parents[2] / "app/python/client"


def make_package(module, folder):
    """The package of the wheel, whose loader is a script that starts this Python."""
    subprocess.run([sys.executable, "-B", CLIENT / "from_stubs.py", module / "cutaway.pyi", cutaway.__version__, folder], check=True)
    loader = folder / "cutaway/bundled/lib/ld-linux-x86-64.so.2"
    loader.parent.mkdir(parents=True)
    loader.write_text(f'#!/bin/sh\nPYTHONPATH="{module}" exec "{sys.executable}" -B "{CLIENT}/serve.py"\n')
    loader.chmod(0o755)


def main():
    module = pathlib.Path(cutaway.__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        make_package(module, pathlib.Path(folder))
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not in_process", *sys.argv[1:]]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": f"{folder}:{module}"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
