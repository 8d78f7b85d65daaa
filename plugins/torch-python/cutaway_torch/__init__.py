# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cutaway's plugin torch-python: runs models with the torch of the Python that runs it. It is plain Python for any
version from 3.9 on. Torch is imported when the first request needs it."""
