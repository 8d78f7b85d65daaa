# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""cutaway.show(): the window program on a file, or on what an object of torch or ONNX saves of itself; neither is imported."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing

import cutaway

# The folder goes with the window, also when Python has ended before it.
SCRIPT = '"$1" "$2"; code=$?; [ -z "$3" ] || rm -rf -- "$3"; exit $code'
SECONDS_TO_FAIL = 0.5  # it does so at once, if there is no display or Qt is broken
PREFIX = "cutaway: "


def error(kind: str, sentence: str) -> cutaway.Error:
    made = cutaway.Error(sentence)
    made.kind = kind
    return made


class Window:
    """The window program; it stays open when Python ends."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: str) -> None:
        self._process, self._folder = process, folder

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> int:
        """Waits until the user closes it; the program's exit code."""
        return self._process.wait()

    def close(self) -> None:
        """Closes it."""
        if self.is_open:
            os.killpg(self._process.pid, signal.SIGTERM)
        self.wait()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def saved(model: typing.Any, folder: str) -> str:
    """The file of an object, which is known by what it can do."""
    model = getattr(model, "model_proto", model)
    torch = sys.modules.get("torch")
    file = os.path.join(folder, "model.")
    if isinstance(model, cutaway.Model):
        file += model.format if model.format in ("onnx", "pt2") else "json"
        model.save(file)
    elif hasattr(model, "SerializeToString"):
        file += "onnx"
        with open(file, "wb") as written:
            written.write(model.SerializeToString())
    elif hasattr(model, "graph_signature") and hasattr(model, "graph_module") and torch is not None:
        file += "pt2"
        torch.export.save(model, file)
    elif hasattr(model, "save") and hasattr(model, "graph"):
        file += "pt"
        model.save(file)
    else:
        raise error("usage", f"a {type(model).__name__} cannot be shown; expected a path, a Model, or a model of torch.export, "
                    "TorchScript or ONNX")
    return file


def file_of(model: typing.Any) -> typing.Tuple[str, str]:
    """A file to show, and the temporary folder that it lies in, or ''."""
    if isinstance(model, str) or hasattr(model, "__fspath__"):
        return os.path.abspath(os.fspath(model)), ""
    if isinstance(model, cutaway.Model) and model._file is not None:
        return os.path.abspath(model._file), ""
    folder = tempfile.mkdtemp(prefix="cutaway-")
    try:
        return saved(model, folder), folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def expect_start(window: Window, messages: typing.BinaryIO) -> None:
    """Raises what the program says if it ends at once."""
    limit = time.monotonic() + SECONDS_TO_FAIL
    while window.is_open and time.monotonic() < limit:
        time.sleep(0.05)
    if window.is_open or window.wait() == 0:
        return
    messages.seek(0)
    said = messages.read().decode("utf-8", "replace").strip()
    raise error("backend", said[len(PREFIX):] if said.startswith(PREFIX) else "the window has failed: " + said)


def show(model: typing.Any, program: str, wait: bool) -> Window:
    found = shutil.which(program)
    if found is None:
        raise error("backend", f"the program '{program}' is not installed; program= says where it is")
    file, folder = file_of(model)
    # where a plugin needs a Python, it is this one
    environment = {"CUTAWAY_PYTHON": sys.executable, **os.environ}
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(["/bin/sh", "-c", SCRIPT, "sh", found, file, folder], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=messages, env=environment, start_new_session=True)
        window = Window(process, folder)
        expect_start(window, messages)
    if wait:
        window.wait()
    return window
