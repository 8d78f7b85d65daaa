# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plugin with the real torch; `python3 -m pytest with_torch.py` where that is installed. The processor and torch's
meta device stand for all others."""
import re
import threading

import conversation  # noqa: F401, finds the plugin
import pytest
import torch
from cutaway_torch.plugin import Plugin
from cutaway_torch.random_numbers import random_tensor, twister
from cutaway_torch.wire import Failure, Request

nn = torch.nn


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.last = nn.Conv2d(3, 4, 3), nn.Linear(4, 2)

    def forward(self, x, n):
        largest, _ = torch.relu(self.conv(x)).max(2)
        return {"y": self.last(largest.mean(-1)) * n, "none": None}


class Written(nn.Module):
    def forward(self, x):
        y = x + 1
        return y.mul_(2)


class Client:
    """A plugin, and what it answers."""

    def __init__(self, **settings):
        self._plugin, self.payload = Plugin(), b""
        self.ask("initialize", protocol=1, settings=settings)

    def ask(self, method, *, stopped=False, **params):
        stop = threading.Event()
        if stopped:
            stop.set()
        result, self.payload = self._plugin.handlers[method](Request(1, method, params, b"", stop))
        return result

    def tensors(self, result):
        return {each["name"]: torch.frombuffer(bytearray(self.payload[each["offset"]:each["offset"] + each["length"]]),
                                               dtype=getattr(torch, each["dtype"])).reshape(each["shape"])
                for each in result["outputs"] if "dtype" in each}


def drawn(name, *shape, seed=3):
    return {"name": name, "dtype": "float32", "shape": list(shape), "seed": seed}


@pytest.fixture
def layers(tmp_path):
    torch.manual_seed(0)
    path = tmp_path / "layers.pt2"
    torch.export.save(torch.export.export(Layers().eval(), (torch.rand(1, 3, 8, 8), 3)), path)
    return str(path)


def test_results_are_those_of_the_program_by_their_names(layers):
    client = Client()
    model = client.ask("load", path=layers, form="pt2")
    assert model["inputs"] == ["x", "n"] and torch.__version__ in model["backend"]
    inputs = [drawn("x", 1, 3, 8, 8), {"name": "n", "value": 3}]
    result = client.ask("run", model=model["model"], inputs=inputs)
    x = random_tensor(torch, torch.float32, [1, 3, 8, 8], 3, None)
    expected = torch.export.load(layers).module()(x, 3)["y"]
    torch.testing.assert_close(client.tensors(result)[model["outputs"][0]], expected)
    assert result["outputs"][1]["type"] == "None"


def test_an_input_that_the_program_has_fixed_may_be_left_out(layers):
    client = Client()
    client.ask("load", path=layers, form="pt2")
    assert len(client.ask("run", model=1, inputs=[drawn("x", 1, 3, 8, 8)])["outputs"]) == 2
    with pytest.raises(Failure, match="the model has 2 inputs, and 0 were given"):
        client.ask("run", model=1, inputs=[])


def test_values_of_nodes_are_those_of_the_moment_they_were_made(tmp_path):
    path = tmp_path / "written.pt"
    torch.save(torch.fx.symbolic_trace(Written()), path)
    client = Client(run_pickles=True)
    client.ask("load", path=str(path), form="fx")
    values = client.tensors(client.ask("run", model=1, inputs=[drawn("x", 2)], values=["add"]))
    x = random_tensor(torch, torch.float32, [2], 3, None)
    torch.testing.assert_close(values["add"], x + 1)
    torch.testing.assert_close(values["mul_"], 2 * (x + 1))
    twice = client.ask("run", model=1, inputs=[drawn("x", 2)], values=["add", "add"])
    assert [each["name"] for each in twice["outputs"]] == ["mul_", "add", "add"]
    with pytest.raises(Failure, match="no node of the program makes 'nothing'"):
        client.ask("run", model=1, inputs=[drawn("x", 2)], values=["nothing"])


def test_an_error_names_the_node_and_a_cancelled_run_ends(layers):
    client = Client()
    client.ask("load", path=layers, form="pt2")
    with pytest.raises(Failure, match=r"\(conv2d 'conv2d'\)"):
        client.ask("run", model=1, inputs=[drawn("x", 1, 5, 8, 8)])
    for method in ("run", "profile"):
        with pytest.raises(Failure, match="cancelled"):
            client.ask(method, stopped=True, model=1, inputs=[drawn("x", 1, 3, 8, 8)])


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_nodes_have_times_and_memory_and_several_results_are_of_one_node(layers, device):
    client = Client()
    client.ask("load", path=layers, form="pt2", device=device)
    profile = client.ask("profile", model=1, inputs=[drawn("x", 1, 3, 8, 8)], seconds=0.2, warm_up=1)
    assert [node["op"] for node in profile["nodes"]] == ["conv2d", "relu", "max", "mean", "linear", "mul"]
    assert profile["nodes"][2]["name"] == "getitem"
    assert all(node["time"]["median"] > 0 and node["provider"] == device for node in profile["nodes"])
    assert profile["in_nodes"]["median"] <= profile["instrumented"]["median"]
    assert profile["conditions"]["device"] == device
    if device == "cpu":
        assert profile["nodes"][0]["memory_bytes"] == 4 * 4 * 6 * 6
        assert profile["nodes"][1]["memory_bytes"] == 2 * 4 * 4 * 6 * 6


def test_what_is_on_the_meta_device_has_no_elements(layers):
    client = Client()
    client.ask("load", path=layers, form="pt2", device="meta")
    result = client.ask("run", model=1, inputs=[drawn("x", 1, 3, 8, 8)])
    assert result["outputs"][0]["type"] == "no elements, float32 of sizes [1, 2]"


def test_torchscript_has_times_of_calls_in_order(tmp_path):
    path = str(tmp_path / "net.pt")
    torch.jit.script(nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3), nn.ReLU())).save(path)
    client = Client()
    model = client.ask("load", path=path, form="torchscript")
    assert model["inputs"] == ["input"] and model["backend"].startswith("TorchScript, PyTorch")
    profile = client.ask("profile", model=1, inputs=[drawn("input", 2, 3)], seconds=0.1)
    assert [(node["op"], node["dims"][:14]) for node in profile["nodes"]] == [
        ("linear", "[[2,3],[3,3],["), ("relu", "[[2,3]]"), ("linear", "[[2,3],[3,3],["), ("relu", "[[2,3]]")]
    assert profile["nodes"][2]["name"] == "call 3, aten::linear"
    starts = [node["start"] for node in profile["nodes"]]
    assert starts == sorted(starts) and profile["in_nodes"]["count"] == profile["nodes"][0]["time"]["count"] > 0
    with pytest.raises(Failure, match="does not show values of nodes"):
        client.ask("run", model=1, inputs=[drawn("input", 2, 3)], values=["x"])
    with pytest.raises(Failure, match="not TorchScript"):
        client.ask("load", path=path, form="torchscript", engine="compile")


@pytest.mark.parametrize("content", [b"", b"PK\5\6" + bytes(18)])
def test_a_file_that_is_none_is_told_in_a_sentence(tmp_path, content):
    path = tmp_path / "net.pt2"
    path.write_bytes(content)
    with pytest.raises(Failure, match=f"torch {re.escape(torch.__version__)} cannot load it: .") as raised:
        Client().ask("load", path=str(path), form="pt2")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("dtype, limits, low, high", [
    ("float32", None, -1, 1), ("float16", [2.0, 3.0], 2, 3), ("int64", None, 0, 1), ("int64", [0, 49], 0, 49),
    ("int8", None, -128, 127), ("uint8", [-5.0, 400.0], 0, 255), ("bool", None, 0, 1)])
def test_drawn_numbers_follow_the_formula(dtype, limits, low, high):
    tensor = random_tensor(torch, getattr(torch, dtype), [4, 5], 11, limits)
    generator, width = twister(11), high - low if dtype.startswith("float") else high - low + 1
    expected = [low + width * (generator.getrandbits(32) / 2**32) for _ in range(20)]
    if not dtype.startswith("float"):
        expected = [number // 1 for number in expected]
    torch.testing.assert_close(tensor, torch.tensor(expected, dtype=torch.float64).to(tensor.dtype).reshape(4, 5))
