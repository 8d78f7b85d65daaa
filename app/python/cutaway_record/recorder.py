# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording: the steps that models go through, in the order in which they ended.

Before a pass, its model is recorded if it is not as the last step left it; after it, as the pass left it. Each record can
be read by itself: `unchanged` says that a graph is that of the step before in the file. What fails here is a warning and ends
the recording, never the program that is recorded. Its own time is not counted as that of passes.
"""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Callable, Optional, TypeVar, Union, cast

from cutaway_record import graphs, hooks, models, onnx_files
from cutaway_record.log import Log
from cutaway_record.patches import Patches

VERSION = 1
Function = TypeVar("Function", bound=Callable[..., Any])
Notes = Iterable[str]

_under_way: Optional[Recorder] = None  # classes of torch are the whole process's
_starting = threading.Lock()


@dataclasses.dataclass
class _Running:
    """A pass that runs. The model is held by whoever calls the pass, too."""

    name: str
    model: Any  # None where nothing is recorded
    subject: Any  # what is called: a pass that runs through two of our hooks is one step
    source: str
    notes: list[str]
    start: float = 0.0
    overhead: float = 0.0  # what recording had taken in this thread when it began


class _Thread(threading.local):
    """What one thread is in."""

    def __init__(self) -> None:
        self.running: list[_Running] = []
        self.overhead = 0.0


def _failure(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return type(error).__name__ + (f": {lines[0]}" if lines else "")


class Recorder:
    """Records what happens in its `with` block; see record()."""

    def __init__(self, path: Union[str, os.PathLike[str]]):
        self.path = os.path.abspath(os.fspath(path))
        self._log: Optional[Log] = None
        self._process = 0
        self._lock = threading.RLock()
        self._thread = _Thread()
        self._patches = Patches()
        self._copies = onnx_files.Copies()
        self._count = 0
        self._last: Union[str, bytes, None] = None  # the text of the last step, or the digest of its file
        self._last_file = ""
        self._known = graphs.Known()

    # ---- what a user calls

    def __enter__(self) -> Recorder:
        global _under_way
        with _starting:
            if _under_way is not None and _under_way._process == os.getpid():
                raise RuntimeError(f"a recording into {_under_way.path} is under way; it has to end before another begins")
            if self._process:
                raise RuntimeError(f"the recording into {self.path} has been made; call record() for another")
            self._log = Log(self.path)
            self._process, _under_way = os.getpid(), self
        try:
            self._log.write("cutaway_recording", {"version": VERSION, **_versions()})
            hooks.install(self, self._patches)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        global _under_way
        self._patches.undo()
        with self._lock:
            log, self._log = self._log, None
            self._known, self._last = graphs.Known(), None
        _under_way = None
        if log is not None:
            log.close()

    def add(self, model: Any, name: Optional[str] = None, notes: Notes = ()) -> None:
        """Adds a step: a GraphModule, ExportedProgram, ScriptModule or ONNX ModelProto as it is now, or a copy of a file."""
        self._expect_recording()
        found, notes = models.model_of(model), [notes] if isinstance(notes, str) else list(notes)
        with self._lock:
            if found is not None:
                self._write_model(name or type(found).__name__, found, {"notes": notes})
            elif isinstance(model, (str, os.PathLike)):
                self._write_path(name or os.path.splitext(os.path.basename(model))[0], os.fspath(model), notes)
            elif models.is_script(model):
                self._write_script(name or type(model).__name__, model, notes)
            else:
                raise TypeError(f"a {type(model).__name__} cannot be a step; expected a GraphModule, an ExportedProgram, a "
                                "ScriptModule, an ONNX ModelProto or a path")

    def watch(self, function: Function, name: Optional[str] = None) -> Function:
        """The same function, each call of which is a step: for what no PassManager runs, such as prepare_pt2e.

        A model has to be among its arguments. What it returns, if that is a model, is the one after it.
        """
        return cast(Function, hooks.watched(self, function, "", name))

    def add_runtime_levels(self, model: Any, levels: Iterable[str] = ("disabled", "basic", "extended", "all"),
                           providers: Iterable[str] = ("CPUExecutionProvider",)) -> None:
        """Adds an ONNX model, a path or a ModelProto, and what ONNX Runtime makes of it at each level of optimization."""
        from cutaway_record import onnx_passes
        onnx_passes.add_runtime_levels(self, model, list(levels), list(providers))

    def add_onnxoptimizer_passes(self, model: Any, passes: Optional[Iterable[str]] = None) -> Any:
        """Runs passes of onnxoptimizer one after the other, each a step, and returns the ModelProto that they leave.

        Without names, these are onnxoptimizer.get_fuse_and_elimination_passes().
        """
        from cutaway_record import onnx_passes
        return onnx_passes.add_onnxoptimizer_passes(self, model, passes)

    # ---- what hooks call

    def is_running(self, subject: Any) -> bool:
        """Whether this pass is the one that runs in this thread."""
        running = self._thread.running
        return bool(running) and running[-1].subject is subject

    def begin(self, name: str, value: Any, subject: Any, source: str, notes: Notes = ()) -> None:
        """A pass begins; end() has to follow in any case. Nothing is recorded where the value is no model."""
        outer = [f"inside {running.name}" for running in self._thread.running[-1:] if running.model is not None]
        running = _Running(name, None, subject, source, [*notes, *outer])
        self._thread.running.append(running)
        with self._taking_time(), self._without_failing():
            running.model = models.model_of(value) if self._is_recording() else None
            if running.model is not None:
                with self._lock:
                    self._write_model(f"before {name}", running.model, {"source": source}, only_if_changed=True)
        running.overhead, running.start = self._thread.overhead, time.perf_counter()

    def end(self, result: Any = None, error: Optional[BaseException] = None) -> None:
        """The pass that began last in this thread is over; without a model in its result it has changed its argument."""
        now = time.perf_counter()
        running = self._thread.running.pop()
        if running.model is None or not self._is_recording():
            return
        seconds = now - running.start - (self._thread.overhead - running.overhead)
        with self._taking_time(), self._without_failing():
            fields: dict[str, Any] = {"seconds": round(seconds, 6), "notes": running.notes, "source": running.source}
            if error is not None:
                fields["failed"] = True
                fields["notes"] = [*running.notes, f"failed: {_failure(error)}"]
            after = models.model_of(result)
            with self._lock:
                self._write_model(running.name, running.model if after is None else after, fields)

    def derive(self, old: Any, new: Any) -> None:
        """A node was copied, or its users have got another one."""
        with self._without_failing():
            self._known.derive(old, new)

    # ---- steps

    def _write_model(self, name: str, model: Any, fields: dict[str, Any], only_if_changed: bool = False) -> None:
        if models.is_onnx(model):
            self._write_onnx(name, models.onnx_bytes(model), models.weights_folder(model), fields, only_if_changed)
        else:
            self._write_graph(name, model, fields, only_if_changed)

    def _write_graph(self, name: str, model: Any, fields: dict[str, Any], only_if_changed: bool) -> None:
        text, nodes, notes = None, [], list(fields.get("notes", ()))
        try:
            text, nodes = graphs.text_of(model), list(graphs.nodes_of(model))
        except Exception as fault:  # a pass may leave anything, above all one that has failed
            notes.append(f"the graph cannot be printed: {_failure(fault)}")
        is_unchanged = text is not None and text == self._last
        if only_if_changed and is_unchanged:
            self._known = graphs.Known(nodes)  # it may be another graph of the same text
            return
        fields = {**self._numbered(name), **fields, "notes": notes}
        if is_unchanged:
            fields["unchanged"] = True
        self._opened().write("cutaway_step", fields, None if is_unchanged else text)
        if not is_unchanged:
            self._write_origins(fields, nodes)
        self._last, self._known = text, graphs.Known(nodes)

    def _write_origins(self, step: dict[str, Any], nodes: list[tuple[str, Any]]) -> None:
        before = self._known
        origins = {name: found for name, node in nodes if (found := before.origins(node))}
        numbers = {name: node.meta["seq_nr"] for name, node in nodes if isinstance(node.meta.get("seq_nr"), int)}
        if origins or numbers:
            fields = {"step": step["name"], "number": step["number"], **({"seq_nr": numbers} if numbers else {})}
            self._opened().write("cutaway_origins", fields, json.dumps(origins))

    def _write_path(self, name: str, path: str, notes: list[str]) -> None:
        if not os.path.isfile(path):
            raise FileNotFoundError(f"{path}: there is no such file")
        if path.endswith(".onnx"):
            with open(path, "rb") as file:
                self._write_onnx(name, file.read(), os.path.dirname(os.path.abspath(path)), {"notes": notes})
            return
        destination = self.new_file(name, os.path.splitext(path)[1])
        self._copies.put(path, destination)
        self.write_file(name, destination, {"notes": notes})

    def _write_script(self, name: str, model: Any, notes: list[str]) -> None:
        destination = self.new_file(name, ".pt")
        model.save(destination)
        self.write_file(name, destination, {"notes": notes})

    def _write_onnx(self, name: str, model: bytes, weights: Optional[str], fields: dict[str, Any],
                    only_if_changed: bool = False) -> None:
        """Writes a file if its bytes are not those of the step before; `weights` is the folder of external data."""
        digest = hashlib.sha256(model).digest()
        if digest == self._last:
            if not only_if_changed:
                self._write_file_record(name, self._last_file, {**fields, "unchanged": True})
            return
        destination = self.new_file(name, ".onnx", with_others=bool(onnx_files.external_files(model)))
        notes = self.copy_weights(model, weights, destination)
        with open(destination, "xb") as file:
            file.write(model)
        self.write_file(name, destination, {**fields, "notes": [*fields.get("notes", ()), *notes]}, digest)

    def new_file(self, name: str, suffix: str, with_others: bool = False) -> str:
        """A path for the next step's file, in the folder beside the log; in one of its own if others come with it."""
        word = re.sub(r"[^\w.-]+", "_", name)[:60].strip("._") or "step"
        path = os.path.join(self._opened().folder, f"{self._count:02d}-{word}")
        path = os.path.join(path, f"model{suffix}") if with_others else path + suffix
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def copy_weights(self, model: bytes, source: Optional[str], path: str) -> list[str]:
        """Copies a model's external weights from a folder to the model's place; says which are not there."""
        return self._copies.put_external(model, source, os.path.dirname(path))

    def write_file(self, name: str, path: str, fields: dict[str, Any], digest: Optional[bytes] = None) -> None:
        """A step whose model is a file that has been written."""
        self._last_file = os.path.relpath(path, os.path.dirname(self.path)).replace(os.sep, "/")
        self._write_file_record(name, self._last_file, fields)
        self._last, self._known = digest, graphs.Known()

    def _write_file_record(self, name: str, path: str, fields: dict[str, Any]) -> None:
        self._opened().write("cutaway_file", {**self._numbered(name), "path": path, **fields})

    def _numbered(self, name: str) -> dict[str, Any]:
        number, self._count = self._count, self._count + 1
        return {"name": name, "number": number}

    # ---- its state

    def _is_recording(self) -> bool:
        return self._log is not None and os.getpid() == self._process  # not in a child that was forked

    def _expect_recording(self) -> None:
        if not self._is_recording():
            raise RuntimeError(f"nothing is recorded into {self.path} now: steps are added inside of its with block")

    def _opened(self) -> Log:
        if self._log is None:
            raise RuntimeError(f"the recording into {self.path} has ended")
        return self._log

    @contextlib.contextmanager
    def _taking_time(self) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._thread.overhead += time.perf_counter() - start

    @contextlib.contextmanager
    def _without_failing(self) -> Iterator[None]:
        try:
            yield
        except Exception as fault:
            if not self._is_recording():
                return
            with self._lock:
                log, self._log = self._log, None
            if log is not None:
                with contextlib.suppress(OSError):
                    log.close()
            warnings.warn(f"the recording into {self.path} ends here: {_failure(fault)}", RuntimeWarning, stacklevel=4)


def _versions() -> dict[str, str]:
    """Of Python and of the packages that are loaded."""
    packages = ("torch", "onnx", "onnxruntime", "onnxscript", "onnx_ir")
    found = {name: str(getattr(sys.modules[name], "__version__", "")) for name in packages if name in sys.modules}
    return {"python": ".".join(map(str, sys.version_info[:3])), **found}
