# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small classes that behave as those of torch do for whoever records passes, under the names of torch's modules."""
import collections
import inspect
import json
import re
import sys
import types

from cutaway_record import log

HEADER = re.compile(r"V\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ " + re.escape(log.WRITER) + r":\d+\] (\{.*\})")
MD5 = __import__("hashlib").md5

Record = collections.namedtuple("Record", "kind fields payload")
PassResult = collections.namedtuple("PassResult", "graph_module modified")


def records(path):
    """What a log has, read as its format says; payloads are as their sums say."""
    found = []
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    assert lines.pop() == ""
    for line in lines:
        if line.startswith("\t"):
            found[-1][1].append(line[1:])
        else:
            found.append((json.loads(HEADER.fullmatch(line)[1]), []))
    result = []
    for record, payload in found:
        text = "\n".join(payload) if payload else None
        assert record.pop("has_payload", None) == (text and MD5(text.encode()).hexdigest())
        (kind, fields), = record.items()
        result.append(Record(kind, fields, text))
    return result


def steps(path):
    return [record for record in records(path) if record.kind in ("cutaway_step", "cutaway_file")]


def names(path):
    return [step.fields["name"] for step in steps(path)]


def origins(path, step):
    payload, = [record.payload for record in records(path)
                if record.kind == "cutaway_origins" and record.fields["step"] == step]
    return json.loads(payload)


class Node:
    def __init__(self, graph, name, op="call_function"):
        self.graph, self.name, self.op, self.meta = graph, name, op, {}

    def replace_all_uses_with(self, replace_with):
        return [replace_with]


class Graph:
    def __init__(self, module, *node_names):
        self._module = module
        self.nodes = [Node(self, name, "placeholder" if name == "x" else "call_function") for name in node_names]

    owning_module = property(lambda self: self._module)

    def node_copy(self, node):
        return Node(self, node.name, node.op)


class GraphModule:
    def __init__(self, *node_names):
        self.graph = Graph(self, *node_names)
        self.nested = {}

    def print_readable(self, print_output=True, include_stride=False, include_device=False):
        assert not print_output and include_stride and include_device
        return "\n".join(node.name for node in self.graph.nodes)

    def named_modules(self):
        yield "", self
        yield from self.nested.items()

    def append(self, name):
        self.graph.nodes.append(Node(self.graph, name))
        return self.graph.nodes[-1]

    def remove(self, name):
        self.graph.nodes = [node for node in self.graph.nodes if node.name != name]


class Source:
    """An entry of `from_node`."""

    def __init__(self, name, graph, *from_node):
        self.name, self.graph_id, self.from_node = name, id(graph), list(from_node)


class ExportedProgram:
    def __init__(self, *node_names):
        self._module = GraphModule(*node_names)

    graph_module = property(lambda self: self._module)
    graph_signature = property(lambda self: None)

    def __str__(self):
        return "ExportedProgram:\n" + self._module.print_readable(False, True, True)

    def run_decompositions(self, table=None):
        return ExportedProgram("x", "addmm")


class PassBase:
    def __call__(self, graph_module):
        return self.call(graph_module)


def called(function):
    return function.__name__ if inspect.isfunction(function) else type(function).__name__


class PassManager:
    def __init__(self, passes, constraints=()):
        self.passes, self.constraints, self._validated = passes, constraints, False

    def solve_constraints(self):
        assert all(constraint(self.passes) for constraint in self.constraints)
        self._validated = True

    def __call__(self, module):
        if not self._validated:
            self.solve_constraints()
        for index, each in enumerate(self.passes):
            try:
                module = each(module).graph_module
            except Exception as error:
                before = [called(other) for other in self.passes[:index]]
                raise Exception(f"an error in '{called(each)}' after {before}") from error
        return PassResult(module, True)


class PlainPassManager:
    """Its passes return the module; see torch.fx.passes.pass_manager."""

    def __init__(self, passes):
        self.passes = passes

    def validate(self):
        pass

    def __call__(self, module):
        for each in self.passes:
            module = each(module)
        return module


class GraphTransformObserver:
    def __init__(self, gm, passname):
        self.gm, self.passname = gm, passname

    def apply_graph_pass(self, function):
        with self:
            return function(self.gm.graph)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return None


CLASSES = {
    "torch.fx.passes.infra.pass_manager": {"PassManager": PassManager},
    "torch.fx.passes.pass_manager": {"PassManager": PlainPassManager},
    "torch.fx.passes.infra.pass_base": {"PassBase": PassBase},
    "torch.fx.passes.graph_transform_observer": {"GraphTransformObserver": GraphTransformObserver},
    "torch.export.exported_program": {"ExportedProgram": ExportedProgram},
    "torch.fx.node": {"Node": Node},
    "torch.fx.graph": {"Graph": Graph},
}


def put_modules(monkeypatch, classes):
    """Imports, as far as anybody can see, modules with these contents."""
    for name, contents in classes.items():
        module = types.ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
