# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is recorded of torch's models: their graph as text, and which nodes they had before.

Models are known by what they can do, so nothing is imported. Of a tensor, its type, shape, strides and device are read at
most, never an element: nothing waits for a device.
"""
from __future__ import annotations

import inspect
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, Optional

PRINTED = {"print_output": False, "include_stride": True, "include_device": True}


def is_exported_program(value: Any) -> bool:
    return hasattr(type(value), "graph_signature") and hasattr(type(value), "graph_module")


def is_graph_module(value: Any) -> bool:
    kind = type(value)
    return (hasattr(kind, "print_readable") or hasattr(kind, "recompile")) and hasattr(value, "graph")


def model_of(value: Any) -> Optional[Any]:
    """The GraphModule or ExportedProgram that this is, that a Graph belongs to, or that a PassResult has; else None."""
    if is_exported_program(value) or is_graph_module(value):
        return value
    if hasattr(type(value), "owning_module"):
        value = value.owning_module
    elif hasattr(value, "modified") and hasattr(value, "graph_module"):
        value = value.graph_module
    else:
        return None
    return value if is_graph_module(value) else None


def text_of(model: Any) -> str:
    """The graph as text, with strides and devices where this version of torch prints them."""
    if is_exported_program(model):
        return str(model)
    known = inspect.signature(model.print_readable).parameters if hasattr(model, "print_readable") else ()
    if "print_output" not in known:  # before torch 2.1 it only prints
        return str(model.graph)
    return str(model.print_readable(**{name: value for name, value in PRINTED.items() if name in known}))


def nodes_of(model: Any) -> Iterator[tuple[str, Any]]:
    """All nodes with their names; those of nested graph modules are called 'true_graph_0.add'."""
    module = model.graph_module if is_exported_program(model) else model
    for node in getattr(module.graph, "nodes", ()):
        yield node.name, node
    for path, nested in module.named_modules() if hasattr(module, "named_modules") else ():
        if nested is not module and is_graph_module(nested):
            for node in nested.graph.nodes:
                yield f"{path}.{node.name}", node


class ByIdentity:
    """Values of objects that are not kept alive for it."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[Any, Any]] = {}

    def __setitem__(self, key: Any, value: Any) -> None:
        self._values[id(key)] = (weakref.ref(key), value)

    def get(self, key: Any, default: Any = None) -> Any:
        reference, value = self._values.get(id(key), (None, None))
        return value if reference is not None and reference() is key else default


class Known:
    """The nodes of a step, by which those of the next one are recognized: by identity, else by torch's `from_node`.

    Its entries name a node of another graph, perhaps of a copy of ours, whose nodes have the same names and `from_node`.
    """

    def __init__(self, nodes: Iterable[tuple[str, Any]] = ()) -> None:
        self._names = ByIdentity()
        self._by_source: dict[tuple[Any, ...], tuple[str, bool]] = {}
        self._graphs: dict[int, weakref.ref[Any]] = {}
        self._derived = ByIdentity()
        for name, node in nodes:
            self._names[node] = name
            self._graphs[id(node.graph)] = weakref.ref(node.graph)
            self._by_source[node.name, id(node.graph)] = named = name, _computes(node)
            if lineage := _lineage(node.meta.get("from_node", ())):
                self._by_source[node.name, lineage] = named

    def derive(self, old: Any, new: Any) -> None:
        """A node is a copy of another, or takes its place for all users and then stands for both."""
        names = self._own(old) + self._derived.get(old, [])
        if names:
            self._derived[new] = self._derived.get(new, []) + names

    def origins(self, node: Any) -> list[str]:
        """The names of the nodes of this step that a node of the next one is, stands for, or was made from."""
        names = self._own(node) + self._derived.get(node, [])
        if not names:
            sources = node.meta.get("from_node", ())
            copied = self._by_source.get((node.name, _lineage(sources)))
            found = [copied] if copied else self._sources(sources)
            names = [name for name, computes in found if computes == _computes(node)]  # no input is made from a call
        return list(dict.fromkeys(names))

    def _own(self, node: Any) -> list[str]:
        name = self._names.get(node)
        return [] if name is None else [name]

    def _sources(self, sources: Any) -> list[tuple[str, bool]]:
        found = []
        for source in sources:
            name, inner = getattr(source, "name", None), getattr(source, "from_node", ())
            known = self._by_source.get((name, _lineage(inner)))
            graph = getattr(source, "graph_id", None)
            if graph in self._graphs and self._graphs[graph]() is not None:  # else another one may have its address
                known = self._by_source.get((name, graph), known)
            found += [known] if known else self._sources(inner)
        return found


def _computes(node: Any) -> bool:
    return node.op not in ("placeholder", "output")


def _lineage(sources: Any) -> tuple[Any, ...]:
    return tuple((getattr(source, "name", None), getattr(source, "graph_id", None)) for source in sources)
