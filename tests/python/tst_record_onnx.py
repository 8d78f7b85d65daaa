# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording models that are files: ONNX with its weights, TorchScript, what ONNX Runtime and ONNX's optimizers make."""
import os
import pathlib
import types

import pytest

import cutaway_record
import stand_ins
from cutaway_record import onnx_files
from onnx_writer import integer, packed
from stand_ins import names, steps


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "recorded" / "steps.cutaway")


@pytest.fixture(autouse=True)
def folders(tmp_path):
    (tmp_path / "recorded").mkdir()
    (tmp_path / "given").mkdir()


def recorded_file(path, step):
    return pathlib.Path(path).parent / step.fields["path"]


def external(location):
    """A TensorProto whose elements are in another file."""
    entry = packed(13, packed(1, "location"), packed(2, location))
    return b"".join([integer(1, 4), integer(2, 1), packed(8, "w"), entry, integer(14, 1)])


def model_with(graph):
    return integer(1, 8) + packed(7, graph)


IN_INITIALIZER = model_with(packed(5, external("w.bin")))
PLACES = {
    "initializer": IN_INITIALIZER,
    "constant": model_with(packed(1, packed(5, packed(5, external("w.bin"))))),
    "branch": model_with(packed(1, packed(5, packed(6, packed(5, external("w.bin")))))),
    "sparse": model_with(packed(15, packed(1, external("w.bin")))),
    "function": packed(25, packed(7, packed(5, packed(5, external("w.bin"))))),
}


class ModelProto:
    """What a ModelProto does for whoever saves it."""

    graph, opset_import = None, ()

    def __init__(self, data):
        self.data = data

    def SerializeToString(self):
        return self.data


# ---- files

def test_a_model_is_copied(path, sample):
    with cutaway_record.record(path) as r:
        r.add(sample)
        r.add(pathlib.Path(sample), "again")
    first, again = steps(path)
    assert (first.kind, first.fields["name"], first.fields["path"]) == (
        "cutaway_file", "small_vision", "steps.cutaway.files/00-small_vision.onnx")
    assert recorded_file(path, first).read_bytes() == pathlib.Path(sample).read_bytes()
    assert again.fields["unchanged"] and again.fields["path"] == first.fields["path"]
    assert len(os.listdir(path + ".files")) == 1


@pytest.mark.parametrize("place", PLACES)
def test_weights_beside_a_model_are_found_wherever_it_refers_to_them(place):
    assert onnx_files.external_files(PLACES[place]) == ["w.bin"]


def test_weights_beside_a_model_are_copied_once(path, tmp_path):
    (tmp_path / "given/w.bin").write_bytes(bytes(16))
    for name, more in (("a", b""), ("b", integer(5, 2))):
        (tmp_path / f"given/{name}.onnx").write_bytes(IN_INITIALIZER + more)
    with cutaway_record.record(path) as r:
        r.add(tmp_path / "given/a.onnx")
        r.add(tmp_path / "given/b.onnx")
    weights = [recorded_file(path, step).parent / "w.bin" for step in steps(path)]
    assert [step.fields["path"] for step in steps(path)] == [
        "steps.cutaway.files/00-a/model.onnx", "steps.cutaway.files/01-b/model.onnx"]
    assert [weight.read_bytes() for weight in weights] == [bytes(16)] * 2
    assert weights[0].samefile(weights[1]) and not weights[0].samefile(tmp_path / "given/w.bin")


def test_missing_weights_are_told(path, tmp_path):
    (tmp_path / "given/a.onnx").write_bytes(IN_INITIALIZER)
    with cutaway_record.record(path) as r:
        r.add(tmp_path / "given/a.onnx")
        r.add(ModelProto(IN_INITIALIZER + integer(5, 2)))
    assert [step.fields["notes"] for step in steps(path)] == [
        ["the weights in 'w.bin' are missing, there is no such file"],
        ["the weights in 'w.bin' are not here: where that file lies is known of a path only"]]


@pytest.mark.parametrize("location", ["/etc/passwd", "../w.bin", "a/../../w.bin"])
def test_weights_elsewhere_are_refused(path, tmp_path, location):
    (tmp_path / "given/a.onnx").write_bytes(model_with(packed(5, external(location))))
    with cutaway_record.record(path) as r, pytest.raises(ValueError, match="outside of the model's folder"):
        r.add(tmp_path / "given/a.onnx")


@pytest.mark.parametrize("data", [b"\x3a\x7fabc", b"\xff" * 20, b"\x3b", b"\x3a"], ids=["long", "number", "group", "cut"])
def test_what_is_no_onnx_model_is_refused(path, tmp_path, data):
    (tmp_path / "given/a.onnx").write_bytes(data)
    with cutaway_record.record(path) as r, pytest.raises(ValueError, match="this is no ONNX model: "):
        r.add(tmp_path / "given/a.onnx")
    assert names(path) == []


def test_a_model_proto_and_what_has_one_are_saved(path):
    with cutaway_record.record(path) as r:
        r.add(ModelProto(b"\x08\x08"), "first model/of two")
        r.add(types.SimpleNamespace(model_proto=ModelProto(b"\x08\x09")))
    assert [recorded_file(path, step).read_bytes() for step in steps(path)] == [b"\x08\x08", b"\x08\x09"]
    assert steps(path)[0].fields["path"] == "steps.cutaway.files/00-first_model_of_two.onnx"


def test_a_script_module_is_saved(path):
    def save(name):
        pathlib.Path(name).write_text("script")
    with cutaway_record.record(path) as r:
        r.add(types.SimpleNamespace(save=save, graph=None, code=""), "scripted")
    assert recorded_file(path, steps(path)[0]).read_text() == "script"
    assert steps(path)[0].fields["path"].endswith("00-scripted.pt")


def test_other_files_are_copied_as_they_are(path, tmp_path):
    (tmp_path / "given/net.pt2").write_bytes(b"any")
    with cutaway_record.record(path) as r:
        r.add(tmp_path / "given/net.pt2")
    assert recorded_file(path, steps(path)[0]).read_bytes() == b"any"


# ---- what other programs make

class Session:
    """ONNX Runtime's, as far as a file is written."""

    def __init__(self, model, options, providers):
        data = pathlib.Path(model).read_bytes() if isinstance(model, str) else model
        written = data + integer(5, options.graph_optimization_level)
        pathlib.Path(options.optimized_model_filepath).write_bytes(written)


RUNTIME = {"__version__": "1.21.0", "InferenceSession": Session, "SessionOptions": types.SimpleNamespace,
           "GraphOptimizationLevel": types.SimpleNamespace(ORT_DISABLE_ALL=0, ORT_ENABLE_BASIC=1, ORT_ENABLE_EXTENDED=2,
                                                           ORT_ENABLE_ALL=99)}


@pytest.mark.parametrize("as_path", [True, False])
def test_each_level_of_onnx_runtime_is_a_step(path, sample, monkeypatch, as_path):
    stand_ins.put_modules(monkeypatch, {"onnxruntime": RUNTIME})
    given = pathlib.Path(sample).read_bytes()
    with cutaway_record.record(path) as r:
        r.add_runtime_levels(sample if as_path else ModelProto(given))
    assert names(path) == ["as given", "disabled", "basic", "extended", "all"]
    assert [recorded_file(path, step).read_bytes()[len(given):] for step in steps(path)] == [
        b"", *(integer(5, level) for level in (0, 1, 2, 99))]
    assert steps(path)[1].fields["source"] == "ONNX Runtime 1.21.0"
    assert steps(path)[1].fields["notes"] == ["for CPUExecutionProvider"]


def test_a_level_that_there_is_not_is_refused(path, sample, monkeypatch):
    stand_ins.put_modules(monkeypatch, {"onnxruntime": RUNTIME})
    with cutaway_record.record(path) as r, pytest.raises(ValueError, match="no level 'most'; it has disabled, all, basic, ext"):
        r.add_runtime_levels(sample, levels=["basic", "most"])
    assert names(path) == []


def test_passes_of_onnxoptimizer_run_one_by_one(path, monkeypatch):
    def optimize(model, passes):
        return ModelProto(model.data + integer(5, 1)) if passes == ["fuse"] else model
    stand_ins.put_modules(monkeypatch, {"onnxoptimizer": {
        "optimize": optimize, "get_fuse_and_elimination_passes": lambda: ["eliminate", "fuse"]}})
    with cutaway_record.record(path) as r:
        left = r.add_onnxoptimizer_passes(ModelProto(b"\x08\x08"))
    assert left.data == b"\x08\x08" + integer(5, 1)
    assert [(step.fields["name"], step.fields.get("unchanged")) for step in steps(path)] == [
        ("as given", None), ("eliminate", True), ("fuse", None)]


def onnx_ir_classes():
    """Models of onnx_ir and a pass over them."""
    model_class = type("Model", (), {"__module__": "onnx_ir._core"})

    class PassBase:
        def __call__(self, model):
            return self.call(getattr(model, "model", model))

    class Extend(PassBase):
        def call(self, model):
            model.data += integer(5, 1)
            return types.SimpleNamespace(model=model, modified=True)

    def made(data, base_dir=None):
        model = model_class()
        value = types.SimpleNamespace(const_value=types.SimpleNamespace(base_dir=base_dir))
        model.data, model.graph = data, types.SimpleNamespace(initializers={"w": value})
        return model

    serde = types.SimpleNamespace(serialize_model=lambda model: ModelProto(model.data))
    return made, Extend, {"onnx_ir": {"serde": serde}, "onnx_ir.passes._pass_infra": {"PassBase": PassBase}}


def test_passes_of_onnxscript_are_steps(path, monkeypatch):
    made, extend, modules = onnx_ir_classes()
    stand_ins.put_modules(monkeypatch, modules)
    with cutaway_record.record(path):
        extend()(extend()(made(b"\x08\x08")))
    assert names(path) == ["before Extend", "Extend", "Extend"]
    assert [len(recorded_file(path, step).read_bytes()) for step in steps(path)] == [2, 4, 6]
    assert steps(path)[1].fields["source"] == "onnx_ir"


def test_weights_of_onnx_ir_are_copied_from_where_it_has_them(path, tmp_path, monkeypatch):
    made, _, modules = onnx_ir_classes()
    stand_ins.put_modules(monkeypatch, modules)
    (tmp_path / "given/w.bin").write_bytes(bytes(16))
    with cutaway_record.record(path) as r:
        r.add(made(IN_INITIALIZER, tmp_path / "given"))
    assert (recorded_file(path, steps(path)[0]).parent / "w.bin").read_bytes() == bytes(16)
    assert steps(path)[0].fields["notes"] == []


def test_files_and_graphs_may_stand_in_one_recording(path, sample):
    module = stand_ins.GraphModule("x")
    with cutaway_record.record(path) as r:
        r.add(module)
        r.add(sample)
        r.add(module)
    assert [step.kind for step in steps(path)] == ["cutaway_step", "cutaway_file", "cutaway_step"]
    assert [step.fields.get("unchanged") for step in steps(path)] == [None, None, None]
