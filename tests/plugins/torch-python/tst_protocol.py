# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import io
import threading

import pytest

from conversation import frame, hold
from cutaway_torch.models import advice, first_line, reason
from cutaway_torch.wire import Cancelled, Failure, Request, Server, read_message

START = ("initialize", {"protocol": 1, "program": "cutaway", "settings": {}})
LOAD = ("load", {"path": "net.pt2", "form": "pt2"})


def test_the_plugin_says_which_torch_it_has_without_importing_it():
    started, pong, end = hold(START, ("ping", {}), ("shutdown", {}), torch="broken")
    assert started == {"protocol": 1, "name": "torch-python", "version": "of unknown version"}
    assert pong == {} and end == {}


@pytest.mark.parametrize("torch, asked, told", [
    ("none", START, ["has no torch: install it there, or name another Python with --python"]),
    ("broken", ("devices", {}), ["cannot be imported: libfake_cuda.so.12: cannot open shared object file",
                                 "install it there anew, or name another"]),
    ("old", ("devices", {}), ["torch 1.13.1 of ", "is too old: torch-python needs 2.1 or newer; update it"]),
    ("fake", ("load", {**LOAD[1], "device": "tpu:0"}), ["torch has no device 'tpu:0'"]),
    ("fake", ("load", {**LOAD[1], "device": "xpu:0"}), ["this torch sees no device 'xpu:0'"]),
    ("fake", ("load", {"path": "net.onnx", "form": "onnx"}), ["torch-python runs no files of the format 'onnx'"]),
    ("fake", ("load", {"path": "net.pt", "form": "fx"}), ["may run any code", '"run_pickles": true']),
    ("fake", LOAD, ["torch 2.7.1+fake cannot load it"]),
    ("fake", ("run", {"model": 5}), ["there is no model 5"]),
    ("fake", ("dance", {}), ["unknown method 'dance'"]),
])
def test_what_is_wrong_is_told_in_a_sentence(torch, asked, told):
    outcome = hold(START, asked, torch=torch)[0 if asked == START else 1]
    assert isinstance(outcome, tuple), outcome
    for part in told:
        assert part in outcome[1]
    assert "\n" not in outcome[1]


@pytest.mark.parametrize("error, told", [
    ("", "RuntimeError"), ("a\nb", "a"),
    ("Traceback of TorchScript (most recent call last):\n  code\nRuntimeError: sizes differ\nmore", "sizes differ"),
    ("backend='inductor' raised:\nInvalidCxxCompiler: none found\nmore", "InvalidCxxCompiler: none found"),
    ("CppCompileError: C++ compile error\n\nOutput:\na.h:1:10: fatal error: b.h: No such file\n", "a.h:1:10: fatal error: b.h: No such file")])
def test_an_error_of_torch_is_one_line(error, told):
    assert first_line(RuntimeError(error)) == told


def test_a_long_error_is_cut_and_what_it_came_from_is_told():
    error = RuntimeError("bad node " + 500 * "x")
    error.__cause__ = ValueError("too many values\nmore")
    told = reason(error)
    assert told.startswith("bad node xx") and told.endswith("x… (too many values)") and len(told) < 200


@pytest.mark.parametrize("error, helps", [
    ("There is no item named 'version' in the archive", "name that one's Python with --python"),
    ("'_OpNamespace' 'my' object has no attribute 'op'", "name the package that registers this operator"),
    ("Unknown builtin op: my::op", "--library"), ("file not found", "")])
def test_what_helps_is_told_with_the_error(error, helps):
    told = advice(RuntimeError(error))
    assert helps in told and bool(helps) == bool(told)


def test_devices_are_those_that_torch_sees():
    devices = hold(START, ("devices", {}))[1]["devices"]
    assert [device["id"] for device in devices] == ["cpu", "cuda:0", "cuda:1", "mps:0"]
    assert devices[2] == {"id": "cuda:1", "name": "Fake 1", "memory_bytes": 1001}
    assert devices[3]["name"] == "mps" and devices[0]["memory_bytes"] > 0


def test_messages_carry_a_payload_and_end_with_the_input():
    stream = io.BytesIO(frame({"id": 1}, b"\0\n\xff") + frame({"id": 2}))
    assert read_message(stream) == ({"jsonrpc": "2.0", "id": 1}, b"\0\n\xff")
    assert read_message(stream)[1] == b""
    assert read_message(stream) is None


def test_a_request_that_is_cancelled_stops():
    request = Request(1, "run", {}, b"", threading.Event())
    request.check()
    request.stop.set()
    with pytest.raises(Cancelled):
        request.check()


@pytest.mark.parametrize("raised, code, message", [
    (Failure("no", 1), 1, "no"), (Cancelled(), -32800, "cancelled"),
    (RuntimeError("first\nsecond"), -32603, "first"), (KeyError(), -32603, "KeyError")])
def test_what_a_request_raises_is_its_answer(raised, code, message):
    def handler(request):
        raise raised

    server = Server(io.BytesIO(), io.BytesIO(), {"run": handler})
    answer, _ = server._respond(Request(3, "run", {}, b"", threading.Event()))
    assert answer == {"id": 3, "error": {"code": code, "message": message}}
