# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what passes of other programs do to a model, for Cutaway to step through.

    with cutaway_record.record("steps.cutaway") as r:
        ...                            # each pass that torch runs here becomes a step
        r.add(model, "by hand")        # and so does what is added

It is plain Python for any version from 3.9 on, and needs neither the module `cutaway` nor torch nor onnx.
"""
from __future__ import annotations

import os
from typing import Union

from cutaway_record.recorder import Recorder

__all__ = ["Recorder", "record"]


def record(path: Union[str, os.PathLike[str]]) -> Recorder:
    """What records into this file while a `with` is in it. A recording that is there is replaced, any other file is not."""
    return Recorder(path)
