# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m cutaway: the window."""
from ._client.programs import window

if __name__ == "__main__":
    window()
