# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording passes: what becomes a step, what is known of its nodes, and that nothing else changes."""
import functools
import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

import cutaway_record
import stand_ins
from stand_ins import (ExportedProgram, GraphModule, GraphTransformObserver, Node, PassBase, PassManager, PassResult,
                       PlainPassManager, Source, names, origins, records, steps)


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    stand_ins.put_modules(monkeypatch, stand_ins.CLASSES)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "steps.cutaway")


def fuse(module):
    module.append(f"fused_{len(module.graph.nodes)}")
    return PassResult(module, True)


def keep(module):
    return PassResult(module, False)


def fail(module):
    module.append("half")
    raise KeyError("no such node")


class Keep(PassBase):
    def call(self, graph_module):
        return keep(graph_module)


# ---- what is a step

def test_each_pass_of_a_manager_is_a_step(path):
    with cutaway_record.record(path):
        PassManager([fuse, keep])(GraphModule("x", "add"))
    first, *rest = records(path)
    assert first.kind == "cutaway_recording" and first.fields["version"] == 1
    assert [(record.kind, record.fields.get("name"), record.payload) for record in rest if record.kind == "cutaway_step"] == [
        ("cutaway_step", "before fuse", "x\nadd"), ("cutaway_step", "fuse", "x\nadd\nfused_2"), ("cutaway_step", "keep", None)]


def test_a_pass_that_changes_nothing_says_so(path):
    with cutaway_record.record(path):
        PassManager([fuse, keep])(GraphModule("x", "add"))
    assert [step.fields.get("unchanged") for step in steps(path)] == [None, None, True]


def test_steps_are_numbered_and_say_where_they_come_from(path):
    with cutaway_record.record(path):
        PassManager([fuse])(GraphModule("x"))
    assert [(step.fields["number"], step.fields["source"]) for step in steps(path)] == [
        (0, "torch.fx PassManager"), (1, "torch.fx PassManager")]
    assert 0 <= steps(path)[1].fields["seconds"] < 1


def test_the_older_manager_is_recorded_too(path):
    with cutaway_record.record(path):
        PlainPassManager([lambda module: fuse(module).graph_module])(GraphModule("x"))
    assert names(path) == ["before <lambda>", "<lambda>"]


def test_what_changes_between_two_passes_is_not_taken_for_the_second_ones_work(path):
    module = GraphModule("x")
    with cutaway_record.record(path):
        PassManager([fuse])(module)
        module.append("by_hand")
        PassManager([keep])(module)
    assert names(path) == ["before fuse", "fuse", "before keep", "keep"]
    assert steps(path)[3].fields["unchanged"]


def test_a_pass_object_is_a_step_wherever_it_is_called(path):
    with cutaway_record.record(path):
        PassManager([Keep()])(GraphModule("x"))
        Keep()(GraphModule("y"))
    assert names(path) == ["before Keep", "Keep", "before Keep", "Keep"]
    assert steps(path)[3].fields["source"] == "torch.fx PassBase"


def test_managers_and_passes_with_a_call_of_their_own_are_recorded_once(path):
    class Manager(PassManager):
        def __call__(self, module):
            return super().__call__(module)

    class Checked(Keep):
        def __call__(self, graph_module):
            return super().__call__(graph_module)

    with cutaway_record.record(path):
        Manager([fuse])(GraphModule("x"))
        Checked()(GraphModule("y"))
    assert names(path) == ["before fuse", "fuse", "before Checked", "Checked"]


def test_passes_of_inductor_have_the_names_that_torch_logs(path):
    module = GraphModule("x")

    def torchs(graph):
        graph.owning_module.append("made")
    torchs.__module__ = "torch._inductor.fx_passes.post_grad"
    with cutaway_record.record(path):
        GraphTransformObserver(module, "remove_noop_ops").apply_graph_pass(torchs)
    assert names(path) == ["before remove_noop_ops", "remove_noop_ops"]
    assert steps(path)[1].payload == "x\nmade"


def test_a_custom_pass_of_inductor_has_its_own_name(path, monkeypatch):
    def my_pass(graph):
        graph.nodes.pop()
    stand_ins.put_modules(monkeypatch, {"torch._inductor.config": {"pre_grad_custom_pass": my_pass}})
    module = GraphModule("x", "y", "z")
    with cutaway_record.record(path):
        GraphTransformObserver(module, "post_grad_custom_pre_pass").apply_graph_pass(my_pass)
        with GraphTransformObserver(module, "pre_grad_custom_pass"):
            my_pass(module.graph)
    assert names(path) == ["before my_pass", "my_pass", "my_pass"]
    assert [step.fields["notes"] for step in steps(path)[1:]] == [["called as post_grad_custom_pre_pass"],
                                                                  ["called as pre_grad_custom_pass"]]


def test_a_pass_inside_of_another_says_so(path):
    module = GraphModule("x")
    with cutaway_record.record(path):
        with GraphTransformObserver(module, "outer"):
            with GraphTransformObserver(module, "inner"):
                module.append("made")
    assert names(path) == ["before outer", "inner", "outer"]
    assert steps(path)[1].fields["notes"] == ["inside outer"] and steps(path)[2].fields["unchanged"]


def test_decompositions_are_a_step_of_exported_programs(path):
    with cutaway_record.record(path):
        ExportedProgram("x", "linear").run_decompositions()
    assert [(step.fields["name"], step.payload) for step in steps(path)] == [
        ("before run_decompositions", "ExportedProgram:\nx\nlinear"), ("run_decompositions", "ExportedProgram:\nx\naddmm")]


def test_watched_functions_are_steps_while_something_is_recorded(path):
    recorder = cutaway_record.record(path)
    prepare = recorder.watch(lambda count, module: GraphModule(*["x"] * count), "prepare")
    prepare(2, GraphModule())
    with recorder:
        prepare(3, GraphModule("y"))
    prepare(4, GraphModule())
    assert [(step.fields["name"], step.payload) for step in steps(path)] == [("before prepare", "y"), ("prepare", "x\nx\nx")]


def test_a_watched_function_is_one_step_in_a_manager_too(path):
    with cutaway_record.record(path) as r:
        watched = r.watch(fuse)
        manager = PassManager([watched, functools.wraps(watched)(lambda module: watched(module))])
        passes = list(manager.passes)
        manager(GraphModule("x"))
    assert names(path) == ["before fuse", "fuse", "fuse", "fuse"] and manager.passes == passes
    assert steps(path)[3].fields["unchanged"] and steps(path)[2].fields["notes"] == ["inside fuse"]


def test_what_is_no_graph_passes_through(path):
    with cutaway_record.record(path):
        assert PlainPassManager([lambda words: [*words, "b"]])(["a"]) == ["a", "b"]
    assert names(path) == []


def test_models_are_added_by_hand(path):
    with cutaway_record.record(path) as r:
        r.add(GraphModule("x"), "mine", notes="as written")
        r.add(GraphModule("x").graph, "its graph")
        r.add(ExportedProgram("x", "mul"))
    assert [(step.fields["name"], step.payload) for step in steps(path)] == [
        ("mine", "x"), ("its graph", None), ("ExportedProgram", "ExportedProgram:\nx\nmul")]
    assert steps(path)[0].fields["notes"] == ["as written"]


class WithoutStrides(GraphModule):
    def print_readable(self, print_output=True):
        assert not print_output
        return "without strides"


class OnlyPrints(GraphModule):
    def print_readable(self):
        raise AssertionError("it would print")


OnlyPrints.graph = property(lambda self: "graph():", lambda self, value: None)


@pytest.mark.parametrize("model, text", [(WithoutStrides(), "without strides"), (OnlyPrints(), "graph():")])
def test_older_versions_of_torch_print_less(path, model, text):
    with cutaway_record.record(path) as r:
        r.add(model)
    assert steps(path)[0].payload == text


# ---- the log

def test_payloads_keep_every_line(path):
    text = "\n\tindented\n\nV1128 10:00:00.123456 1 cutaway/record.py:1] {}\nümlaut\r\n"
    module = GraphModule()
    module.graph.nodes = [Node(module.graph, text)]
    with cutaway_record.record(path) as r:
        r.add(module)
    assert steps(path)[0].payload == text


def test_a_log_can_be_read_while_it_grows(path):
    with cutaway_record.record(path) as r:
        for number in range(3):
            r.add(GraphModule(f"x{number}"))
            assert len(steps(path)) == number + 1


def test_a_recording_is_replaced_with_its_files(path):
    with cutaway_record.record(path) as r:
        r.add(__file__, "old")
    with cutaway_record.record(path) as r:
        r.add(GraphModule("x"), "new")
    assert names(path) == ["new"] and not os.path.exists(path + ".files")


def test_any_other_file_is_left_alone(tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    with pytest.raises(FileExistsError, match="notes.txt is there and is no recording; give another name"):
        cutaway_record.record(other).__enter__()
    assert other.read_text() == "mine"
    with cutaway_record.record(tmp_path / "next"):
        pass


def test_a_folder_of_files_without_its_log_is_left_alone(tmp_path):
    (tmp_path / "steps.cutaway.files").mkdir()
    with pytest.raises(FileExistsError, match="steps.cutaway.files is there without its recording; remove it, or give"):
        cutaway_record.record(tmp_path / "steps.cutaway").__enter__()
    assert os.listdir(tmp_path) == ["steps.cutaway.files"]


def test_a_recorder_records_once(path):
    with cutaway_record.record(path) as r:
        r.add(GraphModule("x"))
    with pytest.raises(RuntimeError, match="has been made; call record"):
        r.__enter__()
    assert names(path) == ["GraphModule"]


# ---- origins

def test_nodes_are_known_by_what_they_are(path):
    module = GraphModule("x", "relu", "mul")

    def swap(graph_module):
        relu, gelu = graph_module.graph.nodes[1], graph_module.append("gelu")
        relu.replace_all_uses_with(gelu)
        graph_module.remove("relu")
        graph_module.append("unknown")
        graph_module.graph.nodes[1].name = "mul_renamed"
        return PassResult(graph_module, True)

    with cutaway_record.record(path):
        PassManager([swap])(module)
    assert origins(path, "swap") == {"x": ["x"], "gelu": ["relu"], "mul_renamed": ["mul"]}


def test_a_node_that_replaces_several_stands_for_all(path):
    module = GraphModule("x", "view", "view_1")

    def merge(graph_module):
        x, view, other = graph_module.graph.nodes
        other.replace_all_uses_with(view)
        view.replace_all_uses_with(x)
        graph_module.remove("view")
        graph_module.remove("view_1")
        return PassResult(graph_module, True)

    with cutaway_record.record(path):
        PassManager([merge])(module)
    assert origins(path, "merge") == {"x": ["x", "view", "view_1"]}


def test_another_graph_of_the_same_text_has_the_same_nodes(path):
    with cutaway_record.record(path) as r:
        r.add(GraphModule("x", "add"))
        PassManager([fuse])(GraphModule("x", "add"))
    assert names(path) == ["GraphModule", "fuse"]
    assert origins(path, "fuse") == {"x": ["x"], "add": ["add"]}


def test_copied_nodes_are_known(path):
    def copy(before):
        after = GraphModule()
        after.graph.nodes = [after.graph.node_copy(node) for node in before.graph.nodes]
        return PassResult(after, True)

    def rename(module):
        module.graph.nodes[0].name = "y"
        return copy(module)

    with cutaway_record.record(path):
        PassManager([rename])(GraphModule("x", "add"))
    assert origins(path, "rename") == {"y": ["x"], "add": ["add"]}


def test_nodes_of_another_graph_are_known_by_from_node(path):
    module, copied = GraphModule("x", "linear"), object()
    module.graph.nodes[1].meta["from_node"] = [Source("l", copied)]

    def decompose(before):
        after = GraphModule("x", "addmm", "permute", "linear", "other")
        x, addmm, permute, linear, other = after.graph.nodes
        addmm.meta["from_node"] = [Source("linear", before.graph)]
        permute.meta["from_node"] = [Source("linear", "a copy", Source("l", copied))]
        linear.meta["from_node"] = [Source("l", copied)]
        other.meta["from_node"] = [Source("linear", "not a copy", Source("another", copied))]
        x.meta["from_node"] = [Source("linear", before.graph)]  # what torch says of inputs at times
        return PassResult(after, True)

    with cutaway_record.record(path):
        PassManager([decompose])(module)
    assert origins(path, "decompose") == {"addmm": ["linear"], "permute": ["linear"], "linear": ["linear"]}


def test_nodes_of_nested_graphs_have_their_path(path):
    module = GraphModule("x")
    module.nested["true_graph_0"] = GraphModule("y")
    with cutaway_record.record(path):
        PassManager([fuse])(module)
    assert origins(path, "fuse") == {"x": ["x"], "true_graph_0.y": ["true_graph_0.y"]}


def test_sequence_numbers_of_autograd_stand_beside_them(path):
    module = GraphModule("x", "mm")
    module.graph.nodes[1].meta["seq_nr"] = 7
    with cutaway_record.record(path) as r:
        r.add(module, "joint")
    record, = [record for record in records(path) if record.kind == "cutaway_origins"]
    assert record.fields == {"step": "joint", "number": 0, "seq_nr": {"mm": 7}} and record.payload == "{}"


# ---- nothing else changes

def contents():
    return {(kind, name): value for classes in stand_ins.CLASSES.values() for kind in classes.values()
            for name, value in vars(kind).items() if not name.startswith("_abc")}


def test_torch_is_as_it_was_afterwards(path):
    before, finders = contents(), list(sys.meta_path)
    with pytest.raises(ZeroDivisionError):
        with cutaway_record.record(path):
            assert contents() != before
            raise ZeroDivisionError
    assert contents() == before and sys.meta_path == finders


def test_torch_is_as_it_was_if_a_recording_cannot_begin(path, monkeypatch):
    before = contents()
    with monkeypatch.context() as broken, pytest.raises(ZeroDivisionError):
        broken.setattr("cutaway_record.hooks._hook_node", lambda *_: 1 / 0)
        cutaway_record.record(path).__enter__()
    assert contents() == before
    with cutaway_record.record(path):
        pass


def test_what_this_version_of_torch_lacks_is_told(path, monkeypatch):
    stand_ins.put_modules(monkeypatch, {"torch.fx.node": {}})
    with pytest.warns(RuntimeWarning, match="torch.fx.node has no Node: what this runs is not recorded"):
        with cutaway_record.record(path):
            PassManager([fuse])(GraphModule("x"))
    assert names(path) == ["before fuse", "fuse"]


def test_a_manager_keeps_its_passes(path):
    passes = [Keep(), fuse]
    manager = PassManager(passes, [lambda given: given == passes])

    def add_one(module):
        manager.passes.append(keep)
        return keep(module)

    passes.append(add_one)
    expected = [*passes, keep]
    with cutaway_record.record(path):
        manager(GraphModule("x"))
    assert manager.passes is passes and passes == expected
    assert names(path) == ["before Keep", "Keep", "fuse", "add_one"]


def test_a_failed_pass_is_recorded_and_its_exception_is_the_same(path):
    with pytest.raises(Exception) as without:
        PassManager([Keep(), fail])(GraphModule("x"))
    with cutaway_record.record(path), pytest.raises(Exception) as recorded:
        PassManager([Keep(), fail])(GraphModule("x"))
    assert str(recorded.value) == str(without.value) == "an error in 'fail' after ['Keep']"
    assert type(recorded.value) is type(without.value) and isinstance(recorded.value.__cause__, KeyError)
    last = steps(path)[-1]
    assert last.fields["failed"] and last.fields["notes"] == ["failed: KeyError: 'no such node'"] and last.payload == "x\nhalf"


def test_a_graph_that_cannot_be_printed_is_no_reason_to_fail(path):
    class Broken(GraphModule):
        def print_readable(self, print_output=True):
            raise IndexError("the node has no argument")

    with cutaway_record.record(path):
        PassManager([fuse])(Broken("x"))
    assert [(step.fields["name"], step.payload) for step in steps(path)] == [("before fuse", None), ("fuse", None)]
    assert steps(path)[1].fields["notes"] == ["the graph cannot be printed: IndexError: the node has no argument"]


def test_a_full_disk_ends_the_recording_and_not_the_program(path, monkeypatch):
    module = GraphModule("x")
    with cutaway_record.record(path) as r:
        def full(*_):
            raise OSError(28, "No space left on device")
        monkeypatch.setattr(r._log, "write", full)
        with pytest.warns(RuntimeWarning, match="ends here: OSError: .* No space left") as warned:
            PassManager([fuse, fuse])(module)
    assert len(warned) == 1 and len(module.graph.nodes) == 3 and names(path) == []


def test_models_are_not_kept_alive(path):
    with cutaway_record.record(path) as r:
        module = GraphModule("x")
        PassManager([fuse])(module)
        r.add(module)
        gone = [weakref.ref(module), weakref.ref(module.graph.nodes[0])]
        del module
        gc.collect()
        assert [reference() for reference in gone] == [None, None]


def test_recording_takes_no_time_of_passes(path):
    class Slow(GraphModule):
        def print_readable(self, print_output=True):
            time.sleep(0.05)
            return str(len(self.graph.nodes))

    module = Slow("x")
    with cutaway_record.record(path):
        with GraphTransformObserver(module, "outer"):
            PassManager([fuse])(module)
    assert all(step.fields.get("seconds", 0) < 0.04 for step in steps(path))


def test_one_recording_at_a_time(path, tmp_path):
    with cutaway_record.record(path):
        with pytest.raises(RuntimeError, match=r"a recording into .*steps.cutaway is under way; it has to end before"):
            cutaway_record.record(tmp_path / "second").__enter__()
        PassManager([fuse])(GraphModule("x"))
    assert names(path) == ["before fuse", "fuse"] and not (tmp_path / "second").exists()


def test_steps_are_added_inside_of_the_block(path):
    recorder = cutaway_record.record(path)
    with pytest.raises(RuntimeError, match="nothing is recorded into .* now: steps are added inside of its with block"):
        recorder.add(GraphModule("x"))


def test_what_cannot_be_a_step_is_refused(path):
    with cutaway_record.record(path) as r:
        with pytest.raises(TypeError, match="an? int cannot be a step; expected a GraphModule, an ExportedProgram, a Scr"):
            r.add(3)
        with pytest.raises(FileNotFoundError, match="missing.onnx: there is no such file"):
            r.add("missing.onnx")


def test_several_threads_are_recorded(path):
    manager = PassManager([fuse] * 20)
    with cutaway_record.record(path):
        threads = [threading.Thread(target=manager, args=[GraphModule(f"t{number}")]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for number in range(4):
        own = [step.payload for step in steps(path) if step.payload and step.payload.startswith(f"t{number}")]
        assert max(own, key=len).count("fused") == 20
    assert manager.passes == [fuse] * 20
    assert [step.fields["number"] for step in steps(path)] == list(range(len(steps(path))))


def test_a_forked_child_writes_nothing(path):
    with cutaway_record.record(path) as r:
        child = os.fork()
        if child == 0:
            try:
                PassManager([fuse])(GraphModule("x"))
                with cutaway_record.record(path + ".child"):
                    PassManager([keep])(GraphModule("x"))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        r.add(GraphModule("y"))
    assert names(path) == ["GraphModule"] and names(path + ".child") == ["before keep", "keep"]


# ---- torch comes later, or never

LATE = """
import sys, cutaway_record
with cutaway_record.record(sys.argv[1]):
    assert not any(name.startswith(("torch", "onnx", "numpy")) for name in sys.modules)
    from torch.fx.passes.pass_manager import PassManager
    loader = sys.modules[PassManager.__module__].__loader__
    class GraphModule:
        graph = None
        def print_readable(self, print_output=True): return "late"
    PassManager([lambda module: module])(GraphModule())
assert PassManager.__call__ is PassManager.own
assert "exec_module" not in vars(loader)
"""


def test_torch_may_be_imported_while_something_is_recorded(path, tmp_path):
    folder = tmp_path / "torch/fx/passes"
    folder.mkdir(parents=True)
    for package in (folder, *list(folder.parents)[:2]):
        (package / "__init__.py").touch()
    (folder / "pass_manager.py").write_text("""
class PassManager:
    def __init__(self, passes): self.passes = passes
    def own(self, module):
        for each in self.passes: module = each(module)
    __call__ = own
""")
    package = os.path.dirname(os.path.dirname(cutaway_record.__file__))
    subprocess.run([sys.executable, "-B", "-c", LATE, path], check=True,
                   env={**os.environ, "PYTHONPATH": f"{tmp_path}:{package}"})
    assert names(path) == ["before <lambda>", "<lambda>"]

