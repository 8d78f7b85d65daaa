#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what cutaway_record records of PyTorch's passes against PyTorch itself.

usage: recorded.py [NAME...]      names of tests below; all of them if there are none

Runs passes of every kind twice, without and with a recording: results have to be the same, each step has to be the graph
as PyTorch prints it after that pass, and each origin a node of the step before. Nothing that is recorded may compute with
a tensor, and PyTorch's classes have to be as they were afterwards. Exit code 1 if a test fails.
"""
import contextlib
import io
import json
import logging
import os
import pathlib
import re
import runpy
import sys
import tempfile
import traceback
import warnings

sys.path[:0] = [str(pathlib.Path(__file__).parents[2] / part) for part in ("app/python", "tests/python")]
os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
warnings.filterwarnings("ignore")
import torch
import torch.fx
from torch import fx, nn
from torch.fx.passes import graph_transform_observer, pass_manager
from torch.fx.passes.infra import pass_base
from torch.fx.passes.infra import pass_manager as infra
from torch.utils._python_dispatch import TorchDispatchMode

import cutaway_record
from stand_ins import names, records, steps

PRINTED = {"print_output": False, "include_stride": True, "include_device": True}
FOLDER = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
MANUAL = pathlib.Path(__file__).parents[2] / "docs/recording.md"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.linear = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x)))
        return torch.softmax(self.linear(x.contiguous().view(-1, 8)) + 1, 1)


class Branches(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: (x.sin() + 1,), lambda x: (x.cos(),), (x,))[0]


def example():
    torch.manual_seed(0)
    return torch.rand(2, 3, 8, 8)


def net():
    torch.manual_seed(1)
    return Net().eval()


@contextlib.contextmanager
def recording():
    """A recorder, whose log is checked at the end as far as all logs are checked."""
    with cutaway_record.record(os.path.join(FOLDER.name, "steps.cutaway")) as r:
        yield r
    check_origins(r.path)


def check_origins(path):
    """Origins name nodes of their step and of the one before."""
    texts, last, step = {}, None, None
    for record in records(path):
        if record.kind == "cutaway_step":
            last, step = step, record.fields["number"]
            texts[step] = record.payload or texts.get(last)
        elif record.kind == "cutaway_origins":
            assert record.fields["number"] == step
            for name, origins in json.loads(record.payload).items():
                assert has_name(texts[step], name), f"{name} is not in the step\n{texts[step]}"
                assert all(has_name(texts[last], origin) for origin in origins), f"{origins} are not in\n{texts[last]}"


def has_name(text, name):
    """Whether a graph has a node; inputs of joint graphs and outputs are not printed by their names."""
    name = name.rpartition(".")[2]
    return name.startswith("output") or re.search(rf"\b{re.escape(name)}\b", text) is not None


def printed(module):
    return module.print_readable(**PRINTED)


def found_origins(path, step):
    return next(json.loads(record.payload) for record in records(path)
                if record.kind == "cutaway_origins" and record.fields["step"] == step)


# ---- passes

def use_gelu(module):
    """Replaces each call of relu."""
    changed = False
    for node in module.graph.nodes:
        if node.target is torch.relu:
            with module.graph.inserting_after(node):
                gelu = module.graph.call_function(nn.functional.gelu, node.args)
            node.replace_all_uses_with(gelu)
            module.graph.erase_node(node)
            changed = True
    module.recompile()
    return pass_base.PassResult(module, changed)


def retrace(module):
    """Makes another graph of the same nodes."""
    return pass_base.PassResult(fx.Transformer(module).transform(), True)


class DropContiguous(pass_base.PassBase):
    def call(self, graph_module):
        for node in graph_module.graph.nodes:
            if node.target == "contiguous":
                node.replace_all_uses_with(node.args[0])
                graph_module.graph.erase_node(node)
        return pass_base.PassResult(graph_module, True)


def fail(module):
    next(iter(module.graph.nodes)).name = "half"
    raise ValueError("no such operator")


# ---- tests

def test_pass_manager():
    stages, chain = [], [use_gelu, DropContiguous(), use_gelu, retrace]
    module = fx.symbolic_trace(net())
    stages.append(printed(module))
    for each in chain:
        module = each(module).graph_module
        module.recompile()
        stages.append(printed(module))
    with recording() as r:
        result = infra.PassManager(list(chain))(fx.symbolic_trace(net())).graph_module
    assert names(r.path) == ["before use_gelu", "use_gelu", "DropContiguous", "use_gelu", "retrace"]
    texts = []
    for step in steps(r.path):
        texts.append(texts[-1] if step.fields.get("unchanged") else step.payload)
    assert texts == stages and printed(result) == stages[-1]
    assert found_origins(r.path, "use_gelu")["gelu"] == ["relu"]
    assert found_origins(r.path, "DropContiguous")["gelu"] == ["gelu", "contiguous"]


def test_older_pass_manager():
    with recording() as r:
        pass_manager.PassManager([pass_manager.inplace_wrapper(use_gelu)])(fx.symbolic_trace(net()))
    assert names(r.path) == ["before use_gelu", "use_gelu"]


def test_constraints():
    def run():
        manager = infra.PassManager([use_gelu, retrace], [infra.this_before_that_pass_constraint(retrace, use_gelu)])
        manager(fx.symbolic_trace(net()))
        return manager
    with recording() as r:
        manager = run()
    assert names(r.path) == ["before retrace", "retrace", "use_gelu"]
    assert manager.passes == run().passes == [retrace, use_gelu]


def test_failed_pass():
    def message():
        try:
            infra.PassManager([use_gelu, fail])(fx.symbolic_trace(net()))
        except Exception as error:
            return type(error), str(error), type(error.__cause__)
        return None
    expected = message()
    with recording() as r:
        assert message() == expected and expected is not None
    assert names(r.path)[-1] == "fail" and steps(r.path)[-1].fields["failed"]
    assert steps(r.path)[-1].fields["notes"] == ["failed: ValueError: no such operator"]
    assert "half" in steps(r.path)[-1].payload


def test_common_subexpressions():
    from torch.fx.passes.dialect.common.cse_pass import CSEPass
    from torch.fx.experimental.proxy_tensor import make_fx
    module = make_fx(lambda x: torch.sin(x) + torch.sin(x))(torch.rand(3))
    with recording() as r:
        CSEPass()(module)
    assert names(r.path) == ["before CSEPass", "CSEPass"]
    assert found_origins(r.path, "CSEPass")["sin"] == ["sin"]


def test_observer():
    module = fx.symbolic_trace(net())
    with recording() as r:
        graph_transform_observer.GraphTransformObserver(module, "mine").apply_gm_pass(use_gelu)
        with graph_transform_observer.GraphTransformObserver(module, "outer"):
            use_gelu(module)
    assert names(r.path) == ["before use_gelu", "use_gelu", "outer"]
    assert steps(r.path)[1].fields["notes"] == ["called as mine"] and steps(r.path)[2].fields["unchanged"]


def test_exported_program():
    def run():
        program = torch.export.export(net(), (example(),)).run_decompositions()
        return program._transform_do_not_use(retrace_exported) if hasattr(program, "_transform_do_not_use") else program

    def retrace_exported(module):
        return pass_base.PassResult(module, False)

    expected = str(run())
    with recording() as r:
        result = run()
    assert str(result) == expected
    assert names(r.path)[:2] == ["before run_decompositions", "run_decompositions"]
    assert names(r.path)[2:] in ([], ["before retrace_exported", "retrace_exported"])
    assert steps(r.path)[1].payload == expected
    origins = found_origins(r.path, "run_decompositions")
    calls = [node.name for node in result.graph.nodes if node.op == "call_function" and "from_node" in node.meta]
    assert calls and all(origins.get(name) for name in calls), (calls, origins)
    assert origins["addmm"] == ["linear"] and origins["relu"] == ["relu"]


def test_branches():
    program = torch.export.export(Branches(), (torch.rand(3),))
    with recording() as r:
        program.run_decompositions()
        r.add(program.graph_module, "graph module")
    assert "true_graph_0" in steps(r.path)[1].payload and len(steps(r.path)) == 3
    assert "true_graph_0.output" not in steps(r.path)[1].payload


def test_added():
    with recording() as r:
        r.add(fx.symbolic_trace(net()), "traced")
        r.add(torch.export.export(net(), (example(),)), "exported")
        r.add(torch.jit.script(net()), "scripted")
        r.add(torch.jit.script(lambda_of_tensor), "function")
        files = [os.path.join(os.path.dirname(r.path), step.fields["path"]) for step in steps(r.path)[2:]]
        assert torch.equal(torch.jit.load(files[0])(example()), net()(example()))
        assert torch.equal(torch.jit.load(files[1])(torch.ones(2)), torch.full((2,), 2.0))
    assert [step.kind for step in steps(r.path)] == ["cutaway_step"] * 2 + ["cutaway_file"] * 2


def lambda_of_tensor(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@contextlib.contextmanager
def inductor(**options):
    """Inductor with these options, and without its caches and its code: what cannot be compiled here runs as it is."""
    with torch._inductor.config.patch(force_disable_caches=True, **options), \
            torch._dynamo.config.patch(suppress_errors=True):
        torch._dynamo.reset()
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def test_custom_passes_of_inductor():
    import torch._inductor.config
    called = []

    def no_more_neg(graph):
        """Removes pairs of negations."""
        called.append("neg")
        for node in graph.nodes:
            if node.target is torch.ops.aten.neg.default and node.args[0].target is torch.ops.aten.neg.default:
                node.replace_all_uses_with(node.args[0].args[0])

    def look(graph):
        called.append("look")

    def compiled():
        torch._dynamo.reset()
        return torch.compile(lambda x: -(-(x.sin())) + x.cos())(torch.ones(4))

    options = {"post_grad_custom_pre_pass": no_more_neg, "post_grad_custom_post_pass": look, "pre_grad_custom_pass": look,
               "joint_custom_pre_pass": look, "joint_custom_post_pass": look}
    with inductor(**options):
        expected = compiled()
        count = len(called)
        with recording() as r:
            assert torch.equal(compiled(), expected)
    assert len(called) == 2 * count and count >= 5, called
    notes = {note: step for step in steps(r.path) for note in step.fields["notes"]}
    assert {note.rpartition(" ")[2] for note in notes} >= set(options)
    assert notes["called as post_grad_custom_pre_pass"].fields["name"] == "no_more_neg"
    assert names(r.path).count("no_more_neg") == 1 and names(r.path).count("look") == 4
    step = notes["called as post_grad_custom_pre_pass"]
    assert "add" in found_origins(r.path, step.fields["name"])
    assert {"remove_noop_ops", "stable_sort"} <= set(names(r.path))
    assert all("unchanged" in step.fields or step.payload for step in steps(r.path))


def test_training():
    import torch._inductor.config
    with inductor(), recording() as r:
        torch.compile(net())(example()).sum().backward()
    joint = [record for record in records(r.path) if record.kind == "cutaway_origins" and "seq_nr" in record.fields]
    assert joint and all(isinstance(number, int) for number in joint[0].fields["seq_nr"].values())


def test_quantization():
    try:
        from torch.ao.quantization.quantize_pt2e import convert_pt2e, prepare_pt2e
        from torch.ao.quantization.quantizer import xnnpack_quantizer
    except ImportError:
        return "this PyTorch has no PT2E quantization"
    quantizer = xnnpack_quantizer.XNNPACKQuantizer()
    quantizer.set_global(xnnpack_quantizer.get_symmetric_quantization_config())
    module = torch.export.export_for_training(net(), (example(),)).module()
    with recording() as r:
        prepared = r.watch(prepare_pt2e)(module, quantizer)
        prepared(example())
        result = r.watch(convert_pt2e)(prepared)
    found = names(r.path)
    assert found[:2] == ["before prepare_pt2e", "prepare_pt2e"] and found[-1] == "convert_pt2e"
    assert {"DuplicateDQPass", "PortNodeMetaForQDQ"} <= set(found)
    inside = {note for step in steps(r.path) for note in step.fields["notes"]}
    assert "inside convert_pt2e" in inside
    assert steps(r.path)[-1].payload == printed(result)
    return None


class NothingComputes(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        raise AssertionError(f"recording calls {function}, which may wait for a device")


def test_recording_computes_nothing():
    program, module = torch.export.export(net(), (example(),)), fx.symbolic_trace(net())
    graphs = [torch.export.export(Branches(), (torch.rand(3),)).graph_module, module]
    with recording() as r, NothingComputes():
        r.add(program)
        for graph in graphs:
            r.add(graph)
        infra.PassManager([DropContiguous(), use_gelu])(module)
    assert len(steps(r.path)) == 5


def test_recording_waits_for_no_device():
    if not torch.cuda.is_available():
        return "there is no CUDA device"
    program = torch.export.export(net().cuda(), (example().cuda(),))
    torch.cuda.set_sync_debug_mode("error")
    try:
        with recording() as r:
            r.add(program)
            infra.PassManager([DropContiguous(), use_gelu])(program.graph_module)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert "cuda:0" in steps(r.path)[0].payload
    return None


def test_page_of_the_manual():
    program = "".join(re.findall(r"^```python\n(.*?)^```$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    expected = [line.split("# -> ")[1] for line in program.splitlines() if "# -> " in line]
    script = pathlib.Path(FOLDER.name, "page.py")
    script.write_text(program, encoding="utf-8")
    said = io.StringIO()
    with contextlib.chdir(FOLDER.name), contextlib.redirect_stdout(said):
        runpy.run_path(str(script))
    check_origins(os.path.join(FOLDER.name, "steps.cutaway"))
    assert expected and said.getvalue().splitlines() == expected, said.getvalue()


def classes():
    """Everything that a recording may replace: (class, name) -> what is there."""
    owners = [infra.PassManager, pass_manager.PassManager, pass_base.PassBase, DropContiguous, fx.Node, fx.Graph,
              graph_transform_observer.GraphTransformObserver, torch.export.ExportedProgram]
    return {(owner, name): value for owner in owners for name, value in vars(owner).items() if callable(value)}


def main(chosen):
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    failed = 0
    print(f"PyTorch {torch.__version__}, Python {sys.version.split()[0]}")
    for name in chosen or tests:
        before, said = classes(), None
        try:
            said = tests[name]()
            assert classes() == before, "PyTorch's classes have changed"
        except Exception:
            traceback.print_exc()
            failed += 1
            said = "FAILED"
        print(f"{name}: {said or 'passed'}", flush=True)
    print(f"{failed} tests failed out of {len(chosen or tests)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
