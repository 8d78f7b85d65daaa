# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""show(): what is handed to the window program, which here is a script that copies what it is shown."""
import fcntl
import json
import os
import shutil
import sys
import threading
import time
import types

import pytest

import cutaway
from cutaway_window import letters


class ModelProto:
    def SerializeToString(self):
        return b"the bytes of a model"


class Program:
    """What torch.export gives, as far as show() looks."""
    graph_module = graph_signature = None


class LetterTaker:
    """A window that is open: it takes letters as app/desktop/watching/letterbox.cpp does, unless it is busy."""

    def __init__(self, runtime, number=os.getpid(), display="offscreen", is_busy=False):
        self.folder, self.letters = runtime / "cutaway" / display / str(number), []
        (runtime / "cutaway").mkdir(mode=0o700, exist_ok=True)
        self.folder.mkdir(parents=True)
        self.lock = open(self.folder / "lock", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self._is_closed, self._is_busy = threading.Event(), is_busy
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self):
        while not self._is_closed.wait(0.01):
            for letter in self.folder.glob("*.json") if not self._is_busy else ():
                self.letters.append(json.loads(letter.read_text()))
                letter.unlink()

    def close(self):
        self._is_closed.set()
        self._thread.join()
        self.lock.close()


@pytest.fixture(autouse=True)
def runtime(tmp_path, monkeypatch):
    """No window of whoever runs the tests is found."""
    folder = tmp_path / "runtime"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return folder


@pytest.fixture
def window(runtime):
    made = LetterTaker(runtime)
    yield made
    made.close()


class Scripted:
    graph = code = None

    def save(self, path):
        with open(path, "w") as file:
            file.write("scripted")


@pytest.fixture
def program(tmp_path):
    """A program that notes what it is given, and stays while the file 'stay' is there."""
    path = tmp_path / "window"
    path.write_text(f'#!/bin/sh\nbasename "$1" > {tmp_path}/name\ncat "$1" > {tmp_path}/shown\n'
                    f'dirname "$1" > {tmp_path}/folder\necho "$@" > {tmp_path}/arguments\n'
                    f'while [ -e {tmp_path}/stay ]; do sleep 0.05; done\n')
    path.chmod(0o755)
    return str(path)


def shown(tmp_path, program, model):
    assert cutaway.show(model, program=program, wait=True).wait() == 0
    return (tmp_path / "name").read_text().strip(), (tmp_path / "shown").read_bytes()


def test_a_path_and_a_model_are_shown_as_they_are(tmp_path, program, sample):
    content = open(sample, "rb").read()
    for model in (sample, cutaway.open(sample)):
        assert shown(tmp_path, program, model) == ("small_vision.onnx", content)


def test_objects_are_saved_and_go_with_the_window(tmp_path, program, monkeypatch):
    assert shown(tmp_path, program, ModelProto()) == ("model.onnx", b"the bytes of a model")
    assert shown(tmp_path, program, types.SimpleNamespace(model_proto=ModelProto()))[0] == "model.onnx"
    assert shown(tmp_path, program, Scripted()) == ("Scripted.pt", b"scripted")
    torch = types.SimpleNamespace(export=types.SimpleNamespace(save=lambda what, path: open(path, "w").write("exported")))
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert shown(tmp_path, program, Program()) == ("model.pt2", b"exported")
    assert not os.path.exists((tmp_path / "folder").read_text().strip())


def test_what_passes_made_is_shown_too(tmp_path, program, sample):
    model = cutaway.open(sample).passes("optimize").model
    assert shown(tmp_path, program, model)[0] == "model.onnx"
    assert len(cutaway.open(tmp_path / "shown").graph) == len(model.graph)


def test_a_window_can_be_closed(tmp_path, program):
    (tmp_path / "stay").touch()
    window = cutaway.show(ModelProto(), program=program)
    assert window.is_open
    window.close()
    assert not window.is_open
    assert not os.path.exists((tmp_path / "folder").read_text().strip())


def test_what_cannot_be_shown(tmp_path, program):
    with pytest.raises(cutaway.Error, match="a dict is no model that can be opened; expected a path"):
        cutaway.show({}, program=program)
    with pytest.raises(cutaway.Error, match="example inputs are for a model of this program; 'a.onnx' is a file"):
        cutaway.show("a.onnx", 1, program=program)
    with pytest.raises(cutaway.Error, match="the program 'no-such-window' is not installed"):
        cutaway.show(ModelProto(), program="no-such-window")


def test_a_window_that_ends_at_once_says_why(tmp_path):
    path = tmp_path / "broken"
    path.write_text("#!/bin/sh\necho 'cutaway: there is no display' >&2\nexit 2\n")
    path.chmod(0o755)
    began = time.monotonic()
    with pytest.raises(cutaway.Error, match="^there is no display$") as raised:
        cutaway.show(ModelProto(), program=str(path))
    assert raised.value.kind == "backend" and time.monotonic() - began < 5


def test_two_models_are_compared(tmp_path, program, sample):
    assert cutaway.compare(sample, ModelProto(), program=program, wait=True).wait() == 0
    first, option, second = (tmp_path / "arguments").read_text().split()
    assert (first, option, os.path.basename(second)) == (sample, "--compare-with", "model.onnx")
    assert not os.path.exists(second)


def test_a_trace_is_opened_with_its_model(tmp_path, program, window, sample, monkeypatch):
    (tmp_path / "run.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    cutaway.show(sample, trace="run.json", program=program)
    assert window.letters[0]["trace"] == str(tmp_path / "run.json")
    window.close()
    cutaway.show(sample, trace=tmp_path / "run.json", program=program, wait=True)
    assert (tmp_path / "arguments").read_text().split() == [sample, "--trace", str(tmp_path / "run.json")]
    with pytest.raises(cutaway.Error, match="gone.json: there is no such file"):
        cutaway.show(sample, trace="gone.json", program=program)


def test_a_window_that_is_open_takes_more(program, window, sample, tmp_path):
    shown = cutaway.show(ModelProto(), program=program)
    letter, = window.letters
    with open(letter["open"], "rb") as file:
        assert file.read() == b"the bytes of a model"
    assert os.path.dirname(letter["open"]) == letter["folder"]  # which the window removes
    shutil.rmtree(letter["folder"])
    assert shown.is_open and not (tmp_path / "shown").exists()

    cutaway.compare(sample, sample, program=program)
    assert window.letters[1] == {"open": sample, "compare": sample, "trace": "", "folder": ""}
    window.close()
    assert not shown.is_open and shown.wait() == 0


@pytest.mark.parametrize("platform, name", [
    (None, "_7"), ("xcb", "_7"), ("offscreen", "offscreen"), ("offscreen:size=4", "offscreen"), ("minimal", "minimal")])
def test_what_is_shown_nowhere_is_no_window_of_the_display(monkeypatch, platform, name):
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    if platform:
        monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert letters.display() == name


@pytest.mark.parametrize("kind", ["busy", "on another display", "of another user", "gone"])
def test_where_no_window_takes_it_one_is_started(tmp_path, runtime, program, kind, monkeypatch):
    from cutaway_window import letters
    monkeypatch.setattr(letters, "SECONDS_TO_TAKE", 0.1)
    other = LetterTaker(runtime, display="_1" if kind == "on another display" else "offscreen", is_busy=kind == "busy")
    if kind == "of another user":
        (runtime / "cutaway").chmod(0o777)
    if kind == "gone":
        other.close()
    assert shown(tmp_path, program, ModelProto()) == ("model.onnx", b"the bytes of a model")
    assert not other.letters and not list(other.folder.glob("*.json"))
    assert other.folder.exists() == (kind != "gone")
    other.close()


def test_a_window_that_closes_with_a_letter_has_not_taken_it(tmp_path, runtime, program, monkeypatch):
    from cutaway_window import letters
    other = LetterTaker(runtime, is_busy=True)
    looks = []

    def close_at_the_second_look(_):
        looks.append(1)
        if len(looks) == 2:
            shutil.rmtree(other.folder)

    monkeypatch.setattr(letters, "time", types.SimpleNamespace(monotonic=time.monotonic, monotonic_ns=time.monotonic_ns,
                                                               sleep=close_at_the_second_look))
    assert shown(tmp_path, program, ModelProto()) == ("model.onnx", b"the bytes of a model")
    other.close()


def test_a_letter_is_taken_back_if_the_wait_is_interrupted(runtime, program, monkeypatch):
    from cutaway_window import letters
    other = LetterTaker(runtime, is_busy=True)

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(letters, "time", types.SimpleNamespace(monotonic=time.monotonic, monotonic_ns=time.monotonic_ns,
                                                               sleep=interrupt))
    with pytest.raises(KeyboardInterrupt):
        cutaway.show(ModelProto(), program=program)
    assert not list(other.folder.glob("*.json"))
    other.close()


def test_folders_of_a_window_that_was_ended_are_removed(program, runtime):
    window = LetterTaker(runtime)
    cutaway.show(ModelProto(), program=program)
    window.close()
    cutaway.show(ModelProto(), program=program, wait=True)
    assert not os.path.exists(window.letters[0]["folder"])
