# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""show(): what is handed to the window program, which here is a script that copies what it is shown."""
import os
import sys
import time
import types

import pytest

import cutaway


class ModelProto:
    def SerializeToString(self):
        return b"the bytes of a model"


class Program:
    """What torch.export gives, as far as show() looks."""
    graph_module = graph_signature = None


class Scripted:
    graph = None

    def save(self, path):
        with open(path, "w") as file:
            file.write("scripted")


@pytest.fixture
def program(tmp_path):
    """A program that notes what it is given, and stays while the file 'stay' is there."""
    path = tmp_path / "window"
    path.write_text(f'#!/bin/sh\nbasename "$1" > {tmp_path}/name\ncat "$1" > {tmp_path}/shown\n'
                    f'dirname "$1" > {tmp_path}/folder\nwhile [ -e {tmp_path}/stay ]; do sleep 0.05; done\n')
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
    assert shown(tmp_path, program, Scripted()) == ("model.pt", b"scripted")
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
    with pytest.raises(cutaway.Error, match="a dict cannot be shown; expected a path"):
        cutaway.show({}, program=program)
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
