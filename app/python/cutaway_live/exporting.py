# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""torch.export of a module: strict, then non-strict. If neither goes, what torch's draft export makes of it, as far as it comes.

An export that fails has traced a part of the model, which torch keeps in the frames of what it raises.
"""
from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, Callable, Optional

from cutaway_live import said
from cutaway_live.failure import Attempt, ExportFailure
from cutaway_live.quiet import quiet
from cutaway_record import graphs
from cutaway_window import error

VERBOSE = ("verbose", "include_stride", "include_device")


def is_module(model: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "nn") and isinstance(model, torch.nn.Module)


def exported(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> Any:
    """An ExportedProgram. Raises Error if the inputs cannot be those of the module, and ExportFailure."""
    torch = sys.modules["torch"]
    name = type(module).__name__
    if not hasattr(torch, "export") or not hasattr(torch.export, "export"):
        raise error("backend", f"torch {torch.__version__} is too old to export a module: it needs 2.1 or newer")
    _expect_fitting(module, name, args, kwargs)
    attempts = []
    for how, options in _ways(torch.export.export):
        try:
            with quiet():
                return torch.export.export(module, args, kwargs, dynamic_shapes=dynamic_shapes, **options)
        except Exception as fault:
            attempts.append(attempt_of(how, name, fault))
    drafted = _drafted(torch, name, module, args, kwargs, dynamic_shapes)
    raise ExportFailure(name, attempts + drafted) from None


def _ways(export: Callable[..., Any]) -> list[tuple[str, dict[str, Any]]]:
    if "strict" not in inspect.signature(export).parameters:  # before torch 2.3
        return [("torch.export", {})]
    return [("torch.export, strict", {"strict": True}), ("torch.export, non-strict", {"strict": False})]


def _expect_fitting(module: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(module.forward)
        signature.bind(*args, **kwargs)
    except TypeError as fault:
        given = "none were given" if not args and not kwargs else f"those that were given do not fit: {fault}"
        raise error("usage", f"{name} is exported with example inputs, and {given}; expected those of "
                    f"forward{signature}, as in cutaway.open(model, x)") from None
    except ValueError:  # forward has no signature
        pass


def _drafted(torch: Any, name: str, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
             dynamic_shapes: Any) -> list[Attempt]:
    """What draft export makes, which goes on where export ends; nothing where this torch has none."""
    draft = getattr(torch.export, "draft_export", None)
    if draft is None:
        try:
            from torch.export._draft_export import draft_export as draft
        except ImportError:
            return []
    how = "draft export"
    try:
        with quiet():
            made = draft(module, args, kwargs, dynamic_shapes=dynamic_shapes)
        program, report = made if isinstance(made, tuple) else (made, getattr(made, "_report", ""))
        text = said.plain(str(report))
        nodes = sum(node.op.startswith("call_") for node in program.graph.nodes)
        return [Attempt(how, reason="", advice=said.advice(text), graph=graphs.text_of(program), nodes=nodes, message=text)]
    except Exception as fault:
        return [attempt_of(how, name, fault)]


# ---- what an export that failed leaves

def attempt_of(how: str, name: str, fault: BaseException) -> Attempt:
    message = said.plain(str(fault))
    graph, nodes = _text_so_far(name, fault)
    return Attempt(how, said.reason(fault), said.place(fault), said.advice(message), graph, nodes, message)


def _text_so_far(name: str, fault: BaseException) -> tuple[str, int]:
    """The longest graph that was traced, as text, and how many nodes it has."""
    found = max(_graphs(fault), key=lambda graph: len(graph.nodes), default=None)
    if found is None or not any(node.op.startswith("call_") for node in found.nodes):
        return "", 0
    try:
        return _printed(name, found), sum(node.op.startswith("call_") for node in found.nodes)
    except Exception:  # it was left in the midst of a change
        return "", 0


def _graphs(fault: Optional[BaseException]) -> Iterator[Any]:
    kind = sys.modules["torch"].fx.Graph
    for frame in said.frames(fault):
        for value in _values(frame):
            yield from (each for each in _candidates(value) if isinstance(each, kind))


def _candidates(value: Any) -> list[Any]:
    try:
        return [value, getattr(value, "graph", None), getattr(getattr(value, "output", None), "graph", None)]
    except Exception:  # torch.classes raises for what it has not
        return [value]


def _values(frame: FrameType) -> list[Any]:
    """The objects of torch among a frame's variables: those of others may do anything when they are asked."""
    return [value for value in frame.f_locals.values() if type(value).__module__.partition(".")[0] == "torch"]


def _printed(name: str, graph: Any) -> str:
    """A graph without its module, as torch prints one with; what nothing uses yet are its results."""
    whole = type(graph)()
    whole.graph_copy(graph, {})
    ends = [node for node in whole.nodes if not node.users and node.op not in ("placeholder", "get_attr")]
    whole.output(tuple(ends))
    known = inspect.signature(whole.python_code).parameters
    source = whole.python_code("self", **{option: True for option in VERBOSE if option in known}).src
    return f"class {name}(torch.nn.Module):\n" + "".join(f"    {line}\n" for line in source.strip().splitlines())
