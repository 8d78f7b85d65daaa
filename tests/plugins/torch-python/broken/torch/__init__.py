# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
raise ImportError("a first line\nlibfake_cuda.so.12: cannot open shared object file")
