# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps torch from saying on the terminal, in hundreds of lines, what is then said in a few."""
from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator


def _silent(_: logging.LogRecord) -> bool:
    return False


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Draft export reads the records of torch's loggers, so these go on: what prints them is silent."""
    loggers = [logger for name, logger in logging.root.manager.loggerDict.items()
               if name.partition(".")[0] == "torch" and isinstance(logger, logging.Logger)]
    handlers = {handler for logger in loggers for handler in logger.handlers if type(handler) is logging.StreamHandler}
    for handler in handlers:
        handler.addFilter(_silent)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        for handler in handlers:
            handler.removeFilter(_silent)
