# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents are those of the command line; passes, pictures and conversions."""
import json
import xml.etree.ElementTree

import pytest

import cutaway


def said(command_line, *arguments):
    answer = command_line(*arguments)
    assert answer.returncode in (0, 1), answer.stderr
    return json.loads(answer.stdout)


def test_inspect_is_the_json_of_the_command_line(sample, resnet, command_line):
    for path in (sample, resnet):
        assert cutaway.open(path).inspect() == said(command_line, "inspect", path, "--json")
    assert cutaway.open(sample).inspect(bind={"batch": 4}, device="h100-sxm") == said(
        command_line, "inspect", sample, "--json", "--bind", "batch=4", "--device", "h100-sxm")
    assert cutaway.open(sample).inspect(inputs={"image": (2, 3, 64, 64)}) == said(
        command_line, "inspect", sample, "--json", "--input", "image=2x3x64x64:float32")
    assert cutaway.open(sample).inspect(sweep="batch=1:8:*2") == said(
        command_line, "inspect", sample, "--json", "--sweep", "batch=1:8:*2")


def test_lint_is_the_json_of_the_command_line(resnet, command_line):
    m = cutaway.open(resnet)
    assert m.lint() == said(command_line, "lint", resnet, "--json")
    asked = m.lint(core_aten=True, without=["random"])
    assert asked == said(command_line, "lint", resnet, "--json", "--core-aten", "--no-rule", "random")
    assert [rule["id"] for rule in m.lint(["dead-node"])["rules"]] == ["dead-node"]
    with pytest.raises(cutaway.Error, match="dead-nod"):
        m.lint(["dead-nod"])


def test_passes_make_steps_and_a_model(resnet, command_line, tmp_path):
    steps = cutaway.open(resnet).passes("fold-batch-norm")
    assert [step["pass"] for step in steps.steps if step["changed"]] != []
    assert not any("batch_norm" in node.op for node in steps.model.graph.nodes)
    assert steps.is_verified
    did = next(step for step in steps.steps if step["changed"])
    assert did["patterns"][0]["text"]
    story = steps.history_of(steps.model.graph.nodes[-1].name)
    assert len(story) == len(steps.steps) + 1
    assert story[-1]["event"] in ("kept", "made", "changed", "fused")
    with pytest.raises(cutaway.Error, match="no state has a node, value or module 'nowhere'"):
        steps.history_of("nowhere")
    steps.save(tmp_path / "folded.pt2")
    command_line("passes", "run", resnet, "--pipeline", "fold-batch-norm", "-o", str(tmp_path / "other.pt2"))
    assert cutaway.diff(tmp_path / "folded.pt2", tmp_path / "other.pt2").is_equal
    assert "fold-batch-norm" in str(steps)


def test_passes_without_a_pipeline_are_the_default_ones(sample, command_line):
    steps = cutaway.open(sample).passes(check_numbers=True, bind={"batch": 1}).to_dict()
    told = said(command_line, "passes", "run", sample, "--json", "--check-numbers", "--bind", "batch=1")
    for document in (steps, told):
        for step in document["steps"]:
            del step["seconds"]
    assert steps == told
    assert all(step["max_abs_error"] == 0 for step in steps["steps"])


def test_an_unknown_pass_is_an_error(sample):
    with pytest.raises(cutaway.Error, match="fold-batch-nor") as raised:
        cutaway.open(sample).passes("fold-batch-nor")
    assert raised.value.kind == "usage" and raised.value.reproducer is None
    assert "fold-batch-norm" in [each["name"] for each in cutaway.pass_list()["passes"]]


def test_a_difference_is_text_and_a_dict(resnet, tmp_path, command_line):
    changed = tmp_path / "changed.pt2"
    cutaway.open(resnet).passes("fold-batch-norm").save(changed)
    difference = cutaway.diff(resnet, str(changed))
    assert not difference.is_equal and difference.is_complete
    assert difference.to_dict() == said(command_line, "diff", resnet, str(changed), "--json")
    assert str(difference) == difference.text == command_line("diff", resnet, str(changed)).stdout
    model = cutaway.open(resnet)
    same = cutaway.diff(model, model)
    assert same.is_equal and same.text == ""


def test_a_drawing_is_svg(sample, tmp_path, command_line):
    drawing = cutaway.open(sample).draw(depth=1)
    assert xml.etree.ElementTree.fromstring(drawing.svg).tag.endswith("svg")
    assert drawing._repr_svg_() == str(drawing) == drawing.svg
    assert drawing.notes == []
    drawing.save(tmp_path / "a.svg")
    command_line("draw", sample, "--depth", "1", "-o", str(tmp_path / "b.svg"))
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text() == drawing.svg
    with pytest.raises(cutaway.Error, match="depth, flat and all exclude each other"):
        cutaway.open(sample).draw(depth=1, flat=True)
    with pytest.raises(cutaway.Error):
        drawing.save(tmp_path / "a.gif")


def test_a_drawing_is_coloured_by_data(sample, tmp_path, command_line):
    model = cutaway.open(sample)
    table = tmp_path / "times.csv"
    table.write_text("node,ms\n#0,2\n")
    drawing = model.draw(flat=True, data=table, colour_by="data.ms")
    assert drawing.svg != model.draw(flat=True).svg
    assert model.draw(flat=True, data={"#0": {"ms": 2}}, colour_by="data.ms").svg == drawing.svg
    with pytest.raises(cutaway.Error, match="the node data has no column 'm'; there is ms"):
        model.draw(data=table, colour_by="data.m")
    with pytest.raises(cutaway.Error, match="needs data"):
        model.draw(colour_by="data.ms")


def test_a_conversion_is_that_of_the_command_line(resnet, tmp_path, command_line):
    conversion = cutaway.convert(resnet, tmp_path / "a.onnx", opset=18)
    assert conversion.is_complete and conversion.missing == []
    assert conversion.model.format == "onnx" and conversion.model.opsets["ai.onnx"] == 18
    command_line("convert", resnet, "-o", str(tmp_path / "b.onnx"), "--opset", "18")
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()


def test_a_program_is_that_of_the_command_line(sample, tmp_path, command_line):
    conversion = cutaway.convert(sample, tmp_path / "a.pt2")
    assert conversion.is_complete and conversion.model.format == "pt2"
    command_line("convert", sample, "-o", str(tmp_path / "b.pt2"))
    assert (tmp_path / "a.pt2").read_bytes() == (tmp_path / "b.pt2").read_bytes()
    with pytest.raises(cutaway.Error, match="not 'tflite'"):
        cutaway.open(sample).convert(to="tflite")


def test_what_cannot_be_converted_says_why(sample, tmp_path):
    with pytest.raises(cutaway.Error, match="the model is an ONNX model already"):
        cutaway.convert(sample, tmp_path / "a.onnx")
    with pytest.raises(cutaway.Error, match="opset 3 is not one from 17 to 22"):
        cutaway.convert(sample, opset=3)


GRAPH = """class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 8]", w: "f32[8, 8]"):
        mm = torch.ops.aten.mm.default(x, w)
        relu = torch.ops.aten.relu.default(mm)
        return (relu,)
"""


def run_of(path, *durations):
    """A trace of runs of GRAPH, whose mm takes so long."""
    events = []
    for i, duration in enumerate(durations):
        at = 100 * i
        events += [{"cat": "user_annotation", "name": f"ProfilerStep#{i}", "ts": at, "dur": 90},
                   {"cat": "cpu_op", "name": "aten::mm", "ts": at + 5, "dur": duration},
                   {"cat": "cpu_op", "name": "aten::relu", "ts": at + 70, "dur": 10}]
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": [{"ph": "X", "pid": 2, "tid": 2} | e for e in events]}))
    return path


def test_trace_is_the_json_of_the_command_line(command_line, tmp_path):
    model, run = tmp_path / "model.txt", run_of(tmp_path / "run.json", 20, 21)
    model.write_text(GRAPH)
    answer = cutaway.trace(model, run)
    assert answer == said(command_line, "trace", str(model), str(run), "--json")
    assert cutaway.trace(cutaway.open(model), run) == answer
    assert {node["node"]: node["time"] for node in answer["nodes"]} == {"mm": 41, "relu": 20}


def test_traces_are_compared(command_line, tmp_path):
    model, run, slow = tmp_path / "model.txt", run_of(tmp_path / "a.json", *range(20, 25)), run_of(tmp_path / "b.json", *range(40, 45))
    model.write_text(GRAPH)
    answer = cutaway.trace(model, run, against=slow)
    assert answer == said(command_line, "trace", str(model), str(run), "--against", str(slow), "--json")
    assert {node["node"]: node["verdict"] for node in answer["nodes"]} == {"mm": "slower", "relu": "within the noise"}


def test_a_trace_alone_tells_its_operators(command_line, tmp_path):
    run = run_of(tmp_path / "run.json", 20)
    assert cutaway.trace(None, run) == said(command_line, "trace", str(run), "--json")
    with pytest.raises(cutaway.Error, match="holds no events"):
        (tmp_path / "prose.json").write_text("no trace")
        cutaway.trace(None, tmp_path / "prose.json")
