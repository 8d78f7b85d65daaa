# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where passes are seen: classes of torch and onnx_ir whose methods are ours while a recording lasts.

A pass that runs through two of them, such as one of a PassManager that is a PassBase, is one step.
"""
from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, Callable, Optional

from cutaway_record.models import model_of, qualified_name
from cutaway_record.patches import Hook, Patches

if TYPE_CHECKING:
    from cutaway_record.recorder import Recorder

WATCHED = "_cutaway_watched"  # a function of ours has itself there; one that somebody makes of it has the same, not itself


def install(recorder: Recorder, patches: Patches) -> None:
    """Hooks into what is loaded, and into the rest when it is loaded."""

    def each(class_name: str, hook: Callable[..., None], *arguments: Any) -> Hook:
        def of_module(module: ModuleType) -> None:
            owner = getattr(module, class_name, None)
            if owner is None:
                warnings.warn(f"{module.__name__} has no {class_name}: what this runs is not recorded", RuntimeWarning, 3)
            else:
                hook(recorder, patches, owner, *arguments)
        return of_module

    patches.when_imported({
        "torch.fx.passes.infra.pass_manager": each("PassManager", _hook_manager, "torch.fx PassManager"),
        "torch.fx.passes.pass_manager": each("PassManager", _hook_manager, "torch.fx PassManager"),
        "torch.fx.passes.infra.pass_base": each("PassBase", _hook_pass, "torch.fx PassBase"),
        "torch.fx.passes.graph_transform_observer": each("GraphTransformObserver", _hook_observer),
        "torch.export.exported_program": each("ExportedProgram", _hook_exported_program),
        "torch.fx.node": each("Node", _hook_node),
        "torch.fx.graph": each("Graph", _hook_graph),
        "onnx_ir.passes._pass_infra": each("PassBase", _hook_pass, "onnx_ir"),
        "onnxscript.ir.passes._pass_infra": each("PassBase", _hook_pass, "onnxscript"),
    })


def watched(recorder: Recorder, function: Any, source: str, name: Optional[str] = None) -> Any:
    """A function that calls this one as a step. Where errors are reported, it is called as the other."""
    if getattr(function, "__dict__", {}).get(WATCHED) is function:
        return function

    def call(*arguments: Any, **named: Any) -> Any:
        return _run(recorder, function, function, arguments, named, source, name)

    if inspect.isfunction(function):
        functools.update_wrapper(call, function)
    else:
        call.__name__ = type(function).__name__
    setattr(call, WATCHED, call)
    return call


def _run(recorder: Recorder, subject: Any, function: Callable[..., Any], arguments: tuple[Any, ...],
         named: dict[str, Any], source: str, name: Optional[str] = None) -> Any:
    value = next((value for value in (*arguments, *named.values()) if model_of(value) is not None), None)
    recorder.begin(name or qualified_name(subject), value, subject, source)
    try:
        result = function(*arguments, **named)
    except BaseException as error:
        recorder.end(error=error)
        raise
    recorder.end(result)
    return result


def _with_subclasses(owner: type, method: str) -> set[type]:
    """The class and those below it, as far as they have a method of their own."""
    found: set[type] = {owner} if method in vars(owner) else set()
    subclasses: list[type] = type.__subclasses__(owner)
    return found.union(*(_with_subclasses(kind, method) for kind in subclasses))


def _hook_pass(recorder: Recorder, patches: Patches, owner: type, source: str) -> None:
    def hooked(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(self: Any, *arguments: Any, **named: Any) -> Any:
            if recorder.is_running(self):
                return original(self, *arguments, **named)
            return _run(recorder, self, functools.partial(original, self), arguments, named, source)
        return call

    for kind in _with_subclasses(owner, "__call__"):
        patches.set(kind, "__call__", hooked(vars(kind)["__call__"]))


def _hook_manager(recorder: Recorder, patches: Patches, owner: type, source: str) -> None:
    running: dict[int, _RunningManager] = {}  # by the manager's identity
    lock = threading.Lock()

    @contextlib.contextmanager
    def watching(manager: Any) -> Iterator[None]:
        """The manager has watched passes until the last call of it that is under way has ended, in whatever thread."""
        with lock:
            if id(manager) not in running:
                running[id(manager)] = _RunningManager(manager, recorder, source)
            entry = running[id(manager)]
            entry.calls += 1
        try:
            yield
        finally:
            with lock:
                entry.calls -= 1
                if entry.calls == 0:
                    del running[id(manager)]
                    entry.restore()

    def hooked(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(self: Any, *arguments: Any, **named: Any) -> Any:
            with watching(self):
                return original(self, *arguments, **named)
        return call

    for kind in _with_subclasses(owner, "__call__"):
        patches.set(kind, "__call__", hooked(vars(kind)["__call__"]))


class _RunningManager:
    """A manager whose passes are watched ones until restore()."""

    def __init__(self, manager: Any, recorder: Recorder, source: str) -> None:
        order = getattr(manager, "solve_constraints", None) or getattr(manager, "validate", None)
        if order is not None and not getattr(manager, "_validated", True):
            order()  # constraints compare the passes, so these are still themselves
        self.calls = 0
        self._manager, self._passes = manager, manager.passes
        manager.passes = [watched(recorder, each, source) for each in self._passes]
        self._own = {id(ours): (ours, own) for ours, own in zip(manager.passes, self._passes)}

    def restore(self) -> None:
        """Its own passes again, with those that were added or taken out while they ran."""
        now = [self._own.get(id(each), (each, each))[1] for each in self._manager.passes]
        if isinstance(self._passes, list) and list(map(id, now)) != list(map(id, self._passes)):
            self._passes[:] = now
        self._manager.passes = self._passes


def _hook_observer(recorder: Recorder, patches: Patches, owner: Any) -> None:
    """A GraphTransformObserver is entered around each pass of Inductor, and mostly calls it itself."""
    called: list[tuple[Any, Any]] = []  # (observer, function) of those that have not been entered yet

    def applying(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def apply(self: Any, function: Any) -> Any:
            called.append((self, function))
            return original(self, function)
        return apply

    enter, leave = owner.__enter__, owner.__exit__

    @functools.wraps(enter)
    def entering(self: Any) -> Any:
        result = enter(self)
        function = next((function for observer, function in called if observer is self), None)
        called[:] = [entry for entry in called if entry[0] is not self]
        name, notes = _observed_name(self.passname, function)
        recorder.begin(name, self.gm, self, "GraphTransformObserver", notes)
        return result

    @functools.wraps(leave)
    def leaving(self: Any, kind: Any = None, error: Any = None, trace: Any = None) -> Any:
        if recorder.is_running(self):  # it may have been entered before the recording began
            recorder.end(error=error)
        return leave(self, kind, error, trace)

    for name in ("apply_gm_pass", "apply_graph_pass"):
        if hasattr(owner, name):  # since torch 2.6
            patches.set(owner, name, applying(getattr(owner, name)))
    patches.set(owner, "__enter__", entering)
    patches.set(owner, "__exit__", leaving)


def _observed_name(name: str, function: Any) -> tuple[str, list[str]]:
    """A pass of a user's has its own name; those of torch have the one that torch logs."""
    if function is None and name.endswith("custom_pass") and "torch._inductor.config" in sys.modules:
        function = getattr(sys.modules["torch._inductor.config"], name, None)
    while isinstance(function, functools.partial):
        function = function.func
    module = getattr(function, "__module__", None) or ""
    if not callable(function) or module.split(".")[0] == "torch":
        return name, []
    return qualified_name(function), [f"called as {name}"]


def _hook_exported_program(recorder: Recorder, patches: Patches, owner: Any) -> None:
    original = owner.run_decompositions

    @functools.wraps(original)
    def run_decompositions(self: Any, *arguments: Any, **named: Any) -> Any:
        return _run(recorder, self, original, (self, *arguments), named, "torch.export", "run_decompositions")

    patches.set(owner, "run_decompositions", run_decompositions)


def _hook_node(recorder: Recorder, patches: Patches, owner: Any) -> None:
    original = owner.replace_all_uses_with

    @functools.wraps(original)
    def replace_all_uses_with(self: Any, replace_with: Any, *arguments: Any, **named: Any) -> Any:
        recorder.derive(self, replace_with)
        return original(self, replace_with, *arguments, **named)

    patches.set(owner, "replace_all_uses_with", replace_all_uses_with)


def _hook_graph(recorder: Recorder, patches: Patches, owner: Any) -> None:
    original = owner.node_copy

    @functools.wraps(original)
    def node_copy(self: Any, node: Any, *arguments: Any, **named: Any) -> Any:
        copied = original(self, node, *arguments, **named)
        recorder.derive(node, copied)
        return copied

    patches.set(owner, "node_copy", node_copy)
