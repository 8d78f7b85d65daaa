# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model has: functions, graphs, nodes, values."""
import gc

import pytest

import cutaway


def test_what_the_file_says_of_itself(sample):
    m = cutaway.open(path=sample)  # as it was named when models were files alone
    assert m.format == "onnx"
    with pytest.raises(cutaway.Error, match="^a NoneType is no model"):
        cutaway.open()
    m = cutaway.open(sample)
    assert (m.path, m.format, m.producer, m.opsets) == (sample, "onnx", "cutaway", {"ai.onnx": 17})
    assert [(s.name, s.min, s.max, s.hint) for s in m.symbols] == [("batch", None, None, None)]
    assert m.diagnostics == []
    assert repr(m) == f"<Model {sample}: onnx>"


def test_the_main_function_comes_first(resnet):
    m = cutaway.open(resnet)
    function = m.functions[0]
    assert function.kind == "main"
    assert m.function(function.name).graph == m.graph == function.graph
    kinds = {port.kind for port in function.inputs}
    assert kinds == {"user_input", "parameter", "buffer"}
    parameter = next(port for port in function.inputs if port.kind == "parameter")
    assert parameter.target == "conv1.weight"
    assert parameter.value.shape == (64, 3, 7, 7)
    assert [port.kind for port in function.outputs] == ["user_output"]


def test_nodes_have_operators_scopes_and_sources(resnet):
    m = cutaway.open(resnet)
    nodes = m.graph.nodes
    assert len(nodes) == len(m.graph) == 175
    first = nodes[0]
    assert first.op == "aten::conv2d.default"
    assert first.scope == "conv1"
    assert first.scope_class == "torch.nn.modules.conv.Conv2d"
    assert first.source.endswith("conv.py:565")
    arguments = dict(first.arguments)
    assert arguments["stride"] == [2, 2]
    assert arguments["weight"].weight.name == "conv1.weight"
    assert first.outputs[0].producer == first
    assert nodes[1] in first.outputs[0].users


def test_nodes_are_equal_however_they_were_reached(sample):
    m = cutaway.open(sample)
    nodes = m.graph.nodes
    assert nodes == m.graph.nodes
    assert len({*nodes, *m.graph.nodes}) == len(nodes)
    assert nodes[0] != nodes[1]
    assert nodes[0] != cutaway.open(sample).graph.nodes[0]
    assert nodes[0] != "something else"


def test_values_have_the_types_that_the_file_records(sample):
    m = cutaway.open(sample)
    image = m.graph.inputs[0]
    assert (image.name, image.type, image.dtype, image.shape) == ("image", "tensor", "float32", ("batch", 3, 32, 32))
    assert image.producer is None and image.weight is None
    assert m.graph.outputs[0].shape == ("batch", 10)


def test_a_node_keeps_its_model(sample):
    node = cutaway.open(sample).graph.nodes[0]
    gc.collect()
    assert node.op == "onnx::Conv"
    assert node.inputs[1].weight.shape


def test_an_unknown_function_is_told_with_those_that_there_are(sample):
    with pytest.raises(cutaway.Error, match="unknown function 'backward'; the file has main_graph") as raised:
        cutaway.open(sample).function("backward")
    assert raised.value.kind == "usage"


def test_a_model_is_written_as_it_was_read(sample, tmp_path):
    copy = tmp_path / "copy.onnx"
    cutaway.open(sample).save(copy)
    assert cutaway.diff(sample, copy).is_equal
    whole = tmp_path / "copy.json"
    cutaway.open(sample).save(str(whole))
    assert len(cutaway.open(whole).graph) == 82
    with pytest.raises(cutaway.Error, match="copy.pt2"):
        cutaway.open(sample).save(tmp_path / "copy.pt2")
