# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""open() of objects: which export is tried, what is said where none goes. torch is a stand-in; tests/against_torch has it."""
import gc
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

import pytest

import cutaway
from stand_ins import records

OF_DYNAMO = """Data-dependent branching
  Explanation: Detected data-dependent branching. Dynamo does not support tracing dynamic control flow.

  Hint: This graph break is fundamental - it is unlikely. Consider finding a workaround.
  Hint: Use `torch.cond` to express dynamic control flow.

from user code:
   File "/usr/lib/torch/_dynamo/export.py", line 243, in forward
    res = self._export_root(*args, **kwargs)
  File "/models/net.py", line 8, in forward
    if y.sum() > 0:
"""
OF_OLD_DYNAMO = ("Dynamic control flow is not supported at the moment. Please use cond to capture it. For more information about "
                 "this error, see: https://pytorch.org")
OF_GUARDS = ("Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: none)\n\n"
             "consider using data-dependent friendly APIs such as guard_or_false.")
OF_SIZES = "Constraints violated (b)! For more information, run with TORCH_LOGS.\n\nSuggested fixes:\n  b = 2\n  c = 3\n\nEnd"
OF_A_CALL = "Failed running call_module a(*(FakeTensor(..., size=(2, 3)),), **{}):\na and b must have same reduction dim"


class Graph:
    """As torch.fx.Graph, as far as an export looks at one that was left."""

    def __init__(self, calls=0):
        self.nodes = [types.SimpleNamespace(op="placeholder", users=())]
        self.nodes += [types.SimpleNamespace(op="call_function", users=()) for _ in range(calls)]

    def graph_copy(self, other, _):
        self.nodes = list(other.nodes)

    def output(self, values):
        self.values = values

    def python_code(self, root, *, verbose=False):
        lines = [f"    relu_{i} = torch.ops.aten.relu.default(x)" for i in range(len(self.values))]
        returned = ", ".join(f"relu_{i}" for i in range(len(self.values)))
        return types.SimpleNamespace(src="\n".join([f'def forward({root}, x: "f32[3]"):', *lines, f"    return ({returned},)"]))


class Tracer:
    def __init__(self, graph):
        self.graph = graph


class Classes:
    """As torch.classes, which raises for what it has not."""

    def __getattr__(self, name):
        raise RuntimeError(f"torch.classes has no {name}")


Graph.__module__ = Tracer.__module__ = Classes.__module__ = "torch.fx"


class Module:
    def forward(self, x, *, mask=None):
        raise AssertionError("the stand-in of torch runs nothing")


class Net(Module):
    pass


class Scripted:
    graph = code = None

    def save(self, path):
        raise RuntimeError("it is too large\nat some place")


class TooLarge:
    """An ONNX model of more bytes than a message may have."""

    def SerializeToString(self):
        raise ValueError("it is too large")


class ExportedProgram:
    graph_signature = graph_module = None

    def __init__(self, how):
        self.how = how


class Torch(types.ModuleType):
    """A torch whose export goes as it is told: ways is {strict: what is raised, or None}."""

    def __init__(self, program, ways, draft=None):
        super().__init__("torch")
        self.__file__, self.__version__ = "/usr/lib/torch/__init__.py", "2.99"
        self.nn, self.fx = types.SimpleNamespace(Module=Module), types.SimpleNamespace(Graph=Graph)
        self.tried, self._ways, self._calls = [], ways, 2
        self.export = types.SimpleNamespace(export=self._export, save=lambda _, path: shutil.copy(program, path))
        if draft:
            self.export.draft_export = draft

    def _export(self, module, args, kwargs=None, *, dynamic_shapes=None, strict=True):
        self.tried.append((strict, args, kwargs, dynamic_shapes))
        if self._ways[strict] is None:
            return ExportedProgram(strict)
        tracer, classes = Tracer(Graph(self._calls + strict)), Classes()
        print(f"torch says a lot of {tracer} and {classes}")
        raise RuntimeError(self._ways[strict])


@pytest.fixture
def torch_that(resnet, monkeypatch):
    def make(ways, **options):
        torch = Torch(resnet, ways, **options)
        monkeypatch.setitem(sys.modules, "torch", torch)
        return torch
    return make


def failure_of(*arguments, **named):
    with pytest.raises(cutaway.Error) as raised:
        cutaway.open(*arguments, **named)
    return raised.value


def test_importing_brings_no_torch_and_opening_a_file_none_of_this(sample):
    program = f"import sys, cutaway; cutaway.open({sample!r}); print('cutaway_live' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    program = "import sys, cutaway_live; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_module_is_exported_strictly_first(torch_that):
    torch = torch_that({True: None, False: None})
    model = cutaway.open(Net(), "x", mask="m", dynamic_shapes={"x": {0: "batch"}})
    assert torch.tried == [(True, ("x",), {"mask": "m"}, {"x": {0: "batch"}})]
    assert model.format == "pt2" and len(model.graph) == 175
    assert len(model.weights[0].tobytes()) > 0  # its file is gone, its bytes are not


def test_what_does_not_go_strictly_is_exported_otherwise(torch_that):
    torch = torch_that({True: OF_DYNAMO, False: None})
    assert len(cutaway.open(Net(), "x").graph) == 175
    assert [strict for strict, *_ in torch.tried] == [True, False]


def test_a_module_of_compile_is_the_one_behind_it(torch_that):
    torch = torch_that({True: None})
    cutaway.open(types.SimpleNamespace(_orig_mod=Net()), "x")
    assert len(torch.tried) == 1


@pytest.mark.parametrize("arguments, named, said", [
    ((), {}, "Net is exported with example inputs, and none were given; expected those of forward(x, *, mask=None)"),
    (("x", "y"), {}, "those that were given do not fit: too many positional arguments"),
    (("x",), {"msk": 1}, "those that were given do not fit: got an unexpected keyword argument 'msk'"),
], ids=["no inputs", "too many", "a wrong name"])
def test_inputs_have_to_fit(torch_that, arguments, named, said):
    torch = torch_that({True: None})
    error = failure_of(Net(), *arguments, **named)
    assert said in str(error) and error.kind == "usage" and not torch.tried


def test_a_torch_without_export_is_too_old(torch_that):
    del torch_that({}).export
    assert str(failure_of(Net(), "x")) == "torch 2.99 is too old to export a module: it needs 2.1 or newer"


@pytest.mark.parametrize("thing, inputs, said", [
    ({}, (), "a dict is no model that can be opened; expected a path"),
    (None, (), "a NoneType is no model"),
    ("net.onnx", (1,), "example inputs are for a model of this program; 'net.onnx' is a file, and has its own"),
], ids=["a dict", "nothing", "inputs for a file"])
def test_what_is_no_model(thing, inputs, said):
    error = failure_of(thing, *inputs)
    assert said in str(error) and error.kind == "usage"


def test_a_url_is_opened_first():
    with pytest.raises(cutaway.Error, match="^https://host/net.onnx is no file of this machine; give what cutaway.open"):
        cutaway.show("https://host/net.onnx", program="sh")


def test_an_input_may_be_called_model(torch_that):
    class Other(Module):
        def forward(self, y, model):
            pass

    torch = torch_that({True: None})
    cutaway.open(Other(), "y", model="x")
    assert torch.tried[0][1:3] == (("y",), {"model": "x"})


@pytest.mark.parametrize("thing", [TooLarge(), Scripted()], ids=["ONNX", "TorchScript"])
def test_what_cannot_be_saved_says_why(thing):
    error = failure_of(thing)
    assert str(error) == f"the {type(thing).__name__} cannot be saved: it is too large" and error.kind == "backend"


def test_a_function_of_onnxscript_is_its_model(sample):
    class ModelProto:
        def SerializeToString(self):
            with open(sample, "rb") as file:
                return file.read()

    class Function:
        def to_model_proto(self):
            return ModelProto()

    assert cutaway.open(Function()).format == "onnx"


def test_a_graph_module_that_cannot_be_pickled_is_printed(torch_that):
    def save(module, path):
        raise AttributeError("a local class cannot be pickled")

    class GraphModule(Module):
        graph = None

        def print_readable(self, print_output=True):
            return ("class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        relu = x.relu();  x = None\n"
                    "        return relu\n")

    torch_that({}).save = save
    model = cutaway.open(GraphModule())
    assert model.format == "fx-text" and [node.op for node in model.graph.nodes] == ["aten::relu.default"]


# ---- export fails

def test_a_failure_says_where_and_why_and_how_far_it_came(torch_that, capfd):
    torch_that({True: OF_DYNAMO, False: OF_GUARDS})
    failure = failure_of(Net(), "x")
    assert isinstance(failure, cutaway.ExportFailure) and failure.kind == "backend"
    assert str(failure).splitlines() == [
        "Net cannot be exported: Data-dependent branching: Detected data-dependent branching. Dynamo does not support tracing "
        "dynamic control flow.",
        "  at /models/net.py:8 in forward",
        "  torch suggests: Use `torch.cond` to express dynamic control flow.",
        "  torch suggests: Consider using data-dependent friendly APIs such as guard_or_false.",
        "  torch.export, strict: after 3 nodes: Data-dependent branching: Detected data-dependent branching. Dynamo does not "
        "support tracing dynamic control flow.",
        "  torch.export, non-strict: after 2 nodes: Could not guard on data-dependent expression Eq(u0, 1)"]
    assert (failure.place.file, failure.place.line, failure.place.function) == ("/models/net.py", 8, "forward")
    assert len(failure.model.graph) == 3
    assert capfd.readouterr() == ("", "")  # torch was quiet


def test_draft_export_goes_on_where_export_ends(torch_that):
    def draft(module, args, kwargs, dynamic_shapes):
        program = ExportedProgram("draft")
        program.graph = Graph(5)
        return program, "\x1b[93m1. Data dependent error.\n    Please add `torch._check(...)` to it.\n"

    torch_that({True: OF_GUARDS, False: OF_GUARDS}, draft=draft)
    failure = failure_of(Net(), "x")
    assert "  draft export: a graph of 5 nodes, which holds for inputs like these alone" in str(failure)
    assert "Please add `torch._check(...)` to it." in failure.advice
    assert [attempt.how for attempt in failure.attempts] == ["torch.export, strict", "torch.export, non-strict", "draft export"]


def test_a_recording_of_a_failure_has_the_line_with_what_is_around(torch_that, tmp_path, monkeypatch):
    program = [f"line {i}" for i in range(1, 21)]
    monkeypatch.setattr("linecache.getlines", lambda *_: [line + "\n" for line in program])
    torch_that({True: OF_DYNAMO, False: OF_GUARDS})
    failure = failure_of(Net(), "x")
    told = next(json.loads(record.payload) for record in records(failure.record(str(tmp_path)))
                if record.kind == "cutaway_export_failure")
    assert (told["model"], told["reason"], told["advice"]) == ("Net", failure.reason, failure.advice)
    place = told["place"]
    assert (place["line"], place["first_around"], place["around"]) == (8, 3, program[2:13])
    assert "<b>   8  line 8</b>" in failure._repr_html_()
    assert [each["has_graph"] for each in told["attempts"]] == [bool(each.graph) for each in failure.attempts]


def test_the_page_of_a_failure(torch_that, tmp_path):
    torch_that({True: OF_DYNAMO + "<script>", False: OF_GUARDS})
    failure = failure_of(Net(), "x")
    page = failure._repr_html_()
    for part in ("Net cannot be exported", "/models/net.py:8 in forward", "What torch suggests", "<svg", "&lt;script&gt;"):
        assert part in page
    assert "<script>" not in page
    failure.save(tmp_path / "net.html")
    assert page in (tmp_path / "net.html").read_text()
    assert failure._render_traceback_() == [f"ExportFailure: {failure}"]


def test_a_window_shows_how_far_it_came(torch_that, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    torch_that({True: OF_DYNAMO, False: OF_GUARDS})
    program = tmp_path / "window"
    program.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}\n')
    program.chmod(0o755)
    with pytest.warns(RuntimeWarning, match="^Net cannot be exported"):
        window = cutaway.show(Net(), "x", program=str(program), wait=True)
    assert isinstance(window.failure, cutaway.ExportFailure)
    shown = (tmp_path / "Net-export.cutaway").read_text()
    for part in ('"name": "torch.export, strict, stopped at net.py:8"', '"name": "torch.export, non-strict, stopped at tst_live.py:',
                 '"failed": true', "at /models/net.py:8"):
        assert part in shown


def test_a_window_shows_why_there_is_no_graph(torch_that, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    torch_that({True: OF_GUARDS, False: OF_GUARDS})._calls = -2
    program = tmp_path / "window"
    program.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}\n')
    program.chmod(0o755)
    with pytest.warns(RuntimeWarning, match="Net cannot be exported"):
        failure = cutaway.show(Net(), "x", program=str(program), wait=True).failure
    assert failure.model is None and "<svg" not in failure._repr_html_()
    shown = (tmp_path / "Net-export.cutaway").read_text()
    assert '"cutaway_export_failure"' in shown and '"cutaway_step"' not in shown


@pytest.mark.parametrize("message, reason, advice", [
    (OF_OLD_DYNAMO, "Dynamic control flow is not supported at the moment.", ["Please use cond to capture it."]),
    (OF_SIZES, "Constraints violated (b)!", ["Suggested fixes:\nb = 2\nc = 3"]),
    (OF_A_CALL, "a and b must have same reduction dim", []),
    ("unsupported operator: a.b.c (see https://docs.google.com/d/1 for how to fix)", "unsupported operator: a.b.c", []),
    ("", "RuntimeError", []),
    ("x" * 400, "x" * 300 + "…", []),
], ids=["torch 2.6", "sizes", "a call", "an operator", "nothing", "a long one"])
def test_what_torch_says_is_taken_apart(message, reason, advice):
    from cutaway_live import said
    assert said.reason(RuntimeError(message)) == reason
    assert said.advice(message) == advice


def test_the_reason_of_a_missing_key_is_more_than_the_key():
    from cutaway_live import said
    assert said.reason(KeyError("stem")) == "KeyError: 'stem'"


def test_the_place_is_that_of_the_users_frame():
    from cutaway_live import said

    def forward():
        raise RuntimeError("shapes do not fit")

    try:
        forward()
    except RuntimeError as fault:
        place = said.place(fault)
    assert (os.path.basename(place.file), place.function) == ("tst_live.py", "forward")
    assert place.code == 'raise RuntimeError("shapes do not fit")'


def test_large_weights_of_an_onnx_model_lie_beside_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    os.mkdir(tmp_path / "temporary")
    onnx, numpy = pytest.importorskip("onnx"), pytest.importorskip("numpy")
    from cutaway_live import onnx_saving
    large, small = numpy.arange(1 << 16, dtype="float32").reshape(256, 256), numpy.ones(256, dtype="float32")
    value = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 256]) for name in "xz"]
    nodes = [onnx.helper.make_node("MatMul", ["x", "w"], ["y"]), onnx.helper.make_node("Add", ["y", "b"], ["z"])]
    weights = [onnx.numpy_helper.from_array(large, "w"), onnx.numpy_helper.from_array(small, "b")]
    model = onnx.helper.make_model(onnx.helper.make_graph(nodes, "net", value[:1], value[1:], weights), producer_name="me")
    model.metadata_props.add(key="k", value="v")
    before = model.SerializeToString()
    (tmp_path / "net.onnx.data").write_bytes(b"weights that the model has outside of it")
    onnx_saving.save(model, str(tmp_path / "net.onnx"))
    assert (tmp_path / "net.onnx.beside").stat().st_size == large.nbytes > (tmp_path / "net.onnx").stat().st_size
    assert (tmp_path / "net.onnx.data").read_bytes() == b"weights that the model has outside of it"
    assert model.SerializeToString() == before
    saved = onnx.load(str(tmp_path / "net.onnx"))
    assert saved.producer_name == "me" and saved.metadata_props == model.metadata_props and saved.graph.node == model.graph.node
    opened = cutaway.open(model)
    assert opened.weight("w").tobytes() == large.tobytes() and opened.weight("b").tobytes() == small.tobytes()
    assert not opened.diagnostics
    folders = set(pathlib.Path(tempfile.gettempdir()).glob("cutaway-*"))
    opened = None
    gc.collect()
    cutaway.devices()  # where the module is in another process, it hears with the next call what is gone
    assert len(folders - set(pathlib.Path(tempfile.gettempdir()).glob("cutaway-*"))) == 1


def test_large_weights_of_branches_and_functions_lie_beside_the_file_too(tmp_path):
    onnx, numpy = pytest.importorskip("onnx"), pytest.importorskip("numpy")
    from cutaway_live import onnx_saving
    helper, FLOAT = onnx.helper, onnx.TensorProto.FLOAT
    large = {name: numpy.full((128, 256), number, dtype="float32") for number, name in enumerate(("top", "branch", "function"))}

    def initializer(name):
        return onnx.numpy_helper.from_array(large[name], name)

    def branch(source, *weights):
        result = helper.make_tensor_value_info("r", FLOAT, None)
        return helper.make_graph([helper.make_node("Identity", [source], ["r"])], "b", [], [result], weights)

    def choice(then, other):
        return helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other)

    small = onnx.numpy_helper.from_array(numpy.ones((1, 1), dtype="float32"), "small")
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("mine", 1)]
    inner = choice(branch("function", initializer("function")), branch("small", small))
    function = helper.make_function("mine", "F", ["c"], ["y"], [inner], opsets)
    condition, result = helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []), helper.make_tensor_value_info("y", FLOAT, None)
    nodes = [choice(branch("branch", initializer("branch")), branch("top")), helper.make_node("F", ["c"], ["z"], domain="mine")]
    results = [result, helper.make_tensor_value_info("z", FLOAT, None)]
    top = initializer("top")
    top.data_location = onnx.TensorProto.DEFAULT  # as onnx.load leaves it where the weights lay outside
    graph = helper.make_graph(nodes, "net", [condition], results, [top])
    model = helper.make_model(graph, opset_imports=opsets, functions=[function])
    before = model.SerializeToString()
    onnx_saving.save(model, str(tmp_path / "net.onnx"))
    assert (tmp_path / "net.onnx.beside").stat().st_size == sum(each.nbytes for each in large.values())
    assert (tmp_path / "net.onnx").stat().st_size < 2000 and model.SerializeToString() == before
    saved = onnx.load(str(tmp_path / "net.onnx")).graph
    then = next(each.g for each in saved.node[0].attribute if each.name == "then_branch")
    assert onnx.numpy_helper.to_array(then.initializer[0]).tobytes() == large["branch"].tobytes()
    opened = cutaway.open(model)
    assert not opened.diagnostics
    for name in ("top", "branch"):
        assert opened.weight(name).tobytes() == large[name].tobytes()


def test_weights_that_lie_outside_already_are_linked(tmp_path):
    from cutaway_record import onnx_files
    source, copy = tmp_path / "w.data", tmp_path / "beside" / "w.data"
    source.write_bytes(b"weights")
    onnx_files.Links().put(str(source), str(copy))
    assert copy.samefile(source)


# ---- profile

@pytest.fixture
def measuring(tmp_path):
    """A program that notes its arguments and answers as cutaway-cli profile does."""
    path = tmp_path / "cli"
    path.write_text(f"""#!/bin/sh
echo "$CUTAWAY_PYTHON $@" > {tmp_path}/arguments
cat <<END
{{"schema": "cutaway.profile/1", "model": {{"format": "onnx"}}, "whole_ms": {{"median": 3.0}},
 "machine": {{"libraries": ["torch 2.99"], "device": "cpu"}},
 "inputs": [{{"name": "image", "dtype": "float32", "shape": [4, 3, 32, 32]}}], "nodes": [
 {{"name": "/stem/conv/Conv", "op": "onnx::Conv", "ms": {{"median": 0.5}}, "flops": 7,
   "parts": [{{"id": 0, "name": "/stem/conv/Conv", "op": "onnx::Conv"}}]}},
 {{"name": "", "op": "", "backend_name": "fused", "backend_op": "Add", "ms": {{"median": 1.5}}, "parts": []}}]}}
END
""")
    path.chmod(0o755)
    return str(path)


def test_a_profile_is_a_table_and_a_picture(sample, measuring, tmp_path):
    profile = cutaway.profile(sample, seconds=0.5, program=measuring)
    assert profile.seconds == 0.003 and profile.backend == "torch 2.99 on cpu"
    assert [(row["name"], row["share"]) for row in profile.to_dicts()] == [("fused", 0.75), ("/stem/conv/Conv", 0.25)]
    assert str(profile).splitlines()[1:] == ["    1.5 ms   75.0%  fused  Add",
                                             "    500 µs   25.0%  /stem/conv/Conv  onnx::Conv",
                                             "a run takes 3 ms; torch 2.99 on cpu"]
    assert "<svg" in profile.draw().svg
    assert (tmp_path / "arguments").read_text().split() == [sys.executable, "profile", sample, "--json", "--seconds", "0.5"]


def test_the_page_of_a_profile_is_coloured_by_its_times_at_its_sizes(sample, measuring):
    profile = cutaway.profile(sample, program=measuring)
    html = profile.page().html
    data = json.loads(html.split('id="data">')[1].split("</script>")[0])
    assert data["figures"][data["colour"]]["name"] == "measured time"
    assert sum(part[4][data["colour"]] or 0 for part in data["parts"]) == 0.0005
    assert "torch 2.99" in html and data["note"] == ""  # no size is open
    shown = profile._repr_html_()
    assert "<table>" in shown and "<iframe" in shown


def test_a_profile_of_another_model_has_no_page(sample, measuring):
    profile = cutaway.profile(sample, program=measuring)
    profile.measured["nodes"][0]["parts"][0]["name"] = "another"
    with pytest.raises(cutaway.Error, match="the profile is of another model"):
        profile.page()
    assert "<table>" in profile._repr_html_()


def test_models_of_torch_are_measured_with_its_python(torch_that, measuring, tmp_path):
    torch = torch_that({True: None})
    torch.utils = types.SimpleNamespace(_pytree=types.SimpleNamespace(tree_leaves=lambda _: [4]))
    torch.Tensor = str
    cutaway.profile(Net(), 4, device="cuda:1", program=measuring)
    words = (tmp_path / "arguments").read_text().split()
    assert words[-6:-1] == ["--backend", "torch-python", "--device", "cuda:1", "--input"] and words[-1].endswith("=4")


def test_arrays_are_what_a_profile_runs_with(sample, measuring, tmp_path, monkeypatch):
    class Array:
        dtype = "float32"

    saved = {}
    monkeypatch.setitem(sys.modules, "numpy", types.SimpleNamespace(ndarray=Array, save=saved.__setitem__))
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    array = Array()
    cutaway.profile(sample, array, program=measuring)
    option, text = (tmp_path / "arguments").read_text().split()[-2:]
    path, = saved
    assert (option, text) == ("--input", f"image=@{path}") and path.endswith(".npy") and saved[path] is array
    with pytest.raises(cutaway.Error, match="^a list is no input that can be measured with"):
        cutaway.profile(sample, [1], program=measuring)
    with pytest.raises(cutaway.Error, match="^the model has 1 inputs, and 2 example inputs were given$"):
        cutaway.profile(sample, array, array, program=measuring)


def test_all_nodes_that_were_fused_are_coloured():
    from cutaway_live import Profile
    drawn = []
    model = types.SimpleNamespace(draw=lambda data, colour_by: drawn.extend(data))
    fused = {"name": "conv + relu", "parts": [{"name": "conv"}, {"name": "relu"}], "ms": {"median": 2.0}}
    Profile(model, {"nodes": [fused, {"name": "pool", "ms": {"median": 1.0}}]}).draw()
    assert [(row["name"], row["milliseconds"]) for row in drawn] == [("conv", 2.0), ("relu", 2.0), ("pool", 1.0)]


def test_a_profile_that_fails_says_why(sample, tmp_path):
    path = tmp_path / "cli"
    path.write_text("#!/bin/sh\necho 'cutaway-cli: the Python of torch has no torch' >&2\nexit 4\n")
    path.chmod(0o755)
    with pytest.raises(cutaway.Error, match="^the Python of torch has no torch$"):
        cutaway.profile(sample, program=str(path))
    with pytest.raises(cutaway.Error, match="the program 'no-such-program' is not installed"):
        cutaway.profile(sample, program="no-such-program")
