# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package `cutaway` consists of where the module itself runs in a process of its own."""
