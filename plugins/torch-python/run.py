# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the plugin. Every Python understands this file, so that a Python that is too old can say so."""
import sys

if sys.version_info < (3, 9):
    sys.exit("the Python %s is version %d.%d; torch-python needs 3.9 or newer: name another one with --python or CUTAWAY_PYTHON"
             % ((sys.executable,) + sys.version_info[:2]))

from cutaway_torch.plugin import main

main()
