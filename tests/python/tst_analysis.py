# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes and costs for what is asked, and the forms in which it can be asked."""
import collections

import pytest

import cutaway

Array = collections.namedtuple("Array", "shape dtype")


def test_figures_are_formulas_until_sizes_are_bound(sample):
    m = cutaway.open(sample)
    assert m.analyse().totals["flops"] == "4156032*batch"
    bound = m.analyse(bind={"batch": 8})
    assert bound.totals["flops"] == 4156032 * 8
    assert bound.totals["peak_activation_bytes"] == 147456 * 8
    assert bound.bindings == {"batch": 8}
    assert bound.totals == m.analyse(inputs={"image": (8, 3, 32, 32)}).totals


def test_rows_are_those_of_the_nodes(sample):
    m = cutaway.open(sample)
    rows = m.analyse(bind={"batch": 2}).to_dicts()
    assert len(rows) == 82
    conv = rows[0]
    assert conv["op"] == "onnx::Conv" and conv["name"] == m.graph.nodes[0].name and conv["within"] is None
    assert conv["flops"] == 2 * 2 * 16 * 27 * 256
    assert conv["bytes_written"] == 2 * 16 * 256 * 4
    assert conv["seconds"] is None
    assert sum(row["flops"] for row in rows) == 4156032 * 2


def test_a_device_adds_times(sample):
    analysis = cutaway.open(sample).analyse(bind={"batch": 2}, device="h100-sxm")
    assert analysis.device == "h100-sxm"
    assert all(row["seconds"] >= 0 and row["bound"] in ("compute", "memory", "nothing") for row in analysis.to_dicts())
    assert analysis.totals["seconds"] == pytest.approx(sum(row["seconds"] for row in analysis.to_dicts()))
    assert analysis.totals["fits"] is True
    assert "h100-sxm" in [device["id"] for device in cutaway.devices()]


def test_sums_per_operator_and_module(sample):
    analysis = cutaway.open(sample).analyse(bind={"batch": 2})
    operators = {row["op"]: row for row in analysis.operators()}
    assert operators["onnx::Conv"]["count"] == 5
    assert sum(row["flops"] for row in operators.values()) == analysis.totals["flops"]
    modules = {row["path"]: row for row in analysis.modules()}
    assert modules[""]["flops"] == analysis.totals["flops"]
    assert modules["stem.conv"]["parameters"] == 448


def test_the_graph_of_an_analysis_has_derived_types(sample):
    analysis = cutaway.open(sample).analyse(bind={"batch": 8})
    shapes = [value.shape for node in analysis.graph.nodes for value in node.outputs]
    assert all(isinstance(size, int) for shape in shapes for size in shape)
    assert analysis.graph.nodes[0].outputs[0].shape == (8, 16, 16, 16)


@pytest.mark.parametrize("given", [
    (4, 3, 32, 32), ((4, 3, 32, 32), "float32"), "4x3x32x32:float32", Array((4, 3, 32, 32), "torch.float32"),
    [4, 3, 32, 32]], ids=str)
def test_forms_of_an_input(sample, given):
    m = cutaway.open(sample)
    if isinstance(given, list):  # elements, which are others than the model's
        with pytest.raises(cutaway.Error, match="input 'image' has 4 dimensions, not 1"):
            m.analyse(inputs={"image": given})
    else:
        assert m.analyse(inputs={"image": given}).totals["flops"] == 4156032 * 4


def test_a_size_may_be_a_name(resnet):
    m = cutaway.open(resnet)
    name = next(port.name for port in m.functions[0].inputs if port.kind == "user_input")
    flops = m.analyse(inputs={name: ("N", 3, 224, 224)}).totals["flops"]
    assert flops == f"{m.analyse().totals['flops']}*N"


def test_what_is_not_known_has_a_lower_bound_and_a_reason(make_onnx):
    totals = cutaway.open(make_onnx()).analyse().totals
    assert "at_least" not in totals
    assert totals["flops"] == 0


def test_a_bad_request_is_the_sentence_of_the_command_line(sample, command_line):
    for python, arguments in (({"bind": {"s9": 1}}, ["--bind", "s9=1"]), ({"device": "abacus"}, ["--device", "abacus"]),
                              ({"inputs": {"image": "3:int64"}}, ["--input", "image=3:int64"]),
                              ({"function": "f"}, ["--function", "f"])):
        with pytest.raises(cutaway.Error) as raised:
            cutaway.open(sample).analyse(**python)
        told = command_line("inspect", sample, *arguments)
        assert told.returncode == 2
        assert "cutaway: " + str(raised.value) + "\n" == told.stderr


def test_pandas_takes_the_rows(sample):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(cutaway.open(sample).analyse(bind={"batch": 2}).to_dicts())
    assert table.groupby("op")["flops"].sum()["onnx::Gemm"] > 0
