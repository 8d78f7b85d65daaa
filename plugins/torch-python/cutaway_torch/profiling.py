# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the parts of a run: nodes of a program, or calls of operators of TorchScript."""
from __future__ import annotations

import collections
import contextlib
import json
import time
import weakref
from typing import Any, Callable, Optional, Union

from cutaway_torch.models import Model, Program, operator_name, result_name
from cutaway_torch.timing import RunTimes, alternate, spread
from cutaway_torch.wire import Request

Sample = tuple[float, float]  # start and duration in seconds


def device_module(torch: Any, device: Any) -> Any:
    return getattr(torch, device.type, None)


def synchronize(torch: Any, device: Any) -> None:
    if device.type not in ("cpu", "meta"):
        device_module(torch, device).synchronize()


def timed(torch: Any, device: Any, run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    synchronize(torch, device)
    return time.perf_counter() - start


class HostClock:
    """Reads the clock before and after each node, once the device has finished the node."""

    def __init__(self, torch: Any, device: Any) -> None:
        self._torch, self._device = torch, device
        self._begin = self._start = 0.0
        self.runs: list[dict[Any, Sample]] = []

    def begin(self) -> None:
        self.runs.append({})
        self._begin = time.perf_counter()

    def end(self) -> None:
        pass

    def before(self, node: Any) -> None:
        self._start = time.perf_counter()

    def after(self, node: Any, value: Any) -> None:
        if self._device.type != "cpu":
            synchronize(self._torch, self._device)
        self.runs[-1][node] = self._start - self._begin, time.perf_counter() - self._start


class EventClock:
    """Records an event of the device before and after each node; the events are read at the end of a run."""

    def __init__(self, torch: Any, device: Any) -> None:
        self._torch, self._device = torch, device
        self._make = device_module(torch, device).Event
        self._events: list[tuple[Any, Any, Any]] = []
        self._begin: Any = None
        self.runs: list[dict[Any, Sample]] = []

    def _recorded(self) -> Any:
        event = self._make(enable_timing=True)
        event.record()
        return event

    def begin(self) -> None:
        self.runs.append({})
        self._events.clear()
        self._begin = self._recorded()

    def before(self, node: Any) -> None:
        self._start = self._recorded()

    def after(self, node: Any, value: Any) -> None:
        self._events.append((node, self._start, self._recorded()))

    def end(self) -> None:
        milli = 1e-3
        for node, start, stop in self._events:
            self.runs[-1][node] = milli * self._begin.elapsed_time(start), milli * start.elapsed_time(stop)


Clock = Union[HostClock, EventClock]


def clock_for(torch: Any, device: Any) -> Clock:
    has_events = device.type not in ("cpu", "meta") and hasattr(device_module(torch, device), "Event")
    return EventClock(torch, device) if has_events else HostClock(torch, device)


class LiveValues:
    """Counts the bytes of the storages that results of nodes keep alive, at the end of each node."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._users: dict[int, int] = collections.Counter()
        self._bytes: dict[int, int] = {}
        self.total, self.by_node = 0, dict[Any, int]()

    def before(self, node: Any) -> None:
        pass

    def after(self, node: Any, value: Any) -> None:
        for tensor in self._torch.utils._pytree.tree_leaves(value):
            if isinstance(tensor, self._torch.Tensor) and tensor.layout == self._torch.strided:
                self._add(tensor)
        self.by_node[node] = self.total

    def _add(self, tensor: Any) -> None:
        try:
            storage = tensor.untyped_storage()
            place, size = storage.data_ptr(), storage.nbytes()
        except (AttributeError, RuntimeError):  # a value without memory
            return
        if place == 0:
            return
        if not self._users[place]:
            self._bytes[place] = size
            self.total += size
        self._users[place] += 1
        weakref.finalize(tensor, self._drop, place).atexit = False

    def _drop(self, place: int) -> None:
        self._users[place] -= 1
        if not self._users[place]:
            self.total -= self._bytes.pop(place)


def profile(torch: Any, model: Model, arguments: list[Any], request: Request) -> dict[str, Any]:
    """Returns the result of the method `profile`, without its conditions."""
    limit = request.params.get("seconds", 5)
    runs = request.params.get("warm_up", 2)
    kind = CallTimes if not isinstance(model, Program) else EngineTimes if model.engine else NodeTimes
    measured = kind(torch, model, arguments, request)
    for _ in range(runs):
        measured.plain()
    plain, instrumented = alternate(measured.plain, measured.instrumented, limit)
    return {"whole": spread(plain.seconds()), **measured.result(instrumented)}


class Measured:
    def __init__(self, torch: Any, model: Any, arguments: list[Any], request: Request) -> None:
        self._torch, self._model, self._arguments, self._request = torch, model, arguments, request

    def plain(self) -> float:
        self._request.check()
        return timed(self._torch, self._model.device, lambda: self._model.run_whole(self._arguments))


class EngineTimes(Measured):
    """Times of an engine, whose kernels compute many nodes at once. Runs without the engine stand in for runs with
    timed nodes."""

    def instrumented(self) -> float:
        self._request.check()
        return timed(self._torch, self._model.device, lambda: self._model.run_eager(self._arguments))

    def result(self, times: RunTimes) -> dict[str, Any]:
        eager = spread(times.seconds())["median"]
        return {"nodes": [], "optimization": f"{self._model.engine} (without it a run takes {1e3 * eager:.3g} ms)"}


class NodeTimes(Measured):
    def __init__(self, torch: Any, model: Any, arguments: list[Any], request: Request) -> None:
        super().__init__(torch, model, arguments, request)
        self._live = LiveValues(torch)
        model.run(arguments, request, [self._live])
        self._clock = clock_for(torch, model.device)

    def instrumented(self) -> float:
        self._clock.begin()
        seconds = timed(self._torch, self._model.device,
                        lambda: self._model.run(self._arguments, self._request, [self._clock]))
        self._clock.end()
        return seconds

    def result(self, times: RunTimes) -> dict[str, Any]:
        runs = [self._clock.runs[i] for i in times.counted]
        sums = [sum(run[node][1] for node in self._model.nodes) for run in runs]
        nodes = [self._node(i, node, [run[node] for run in runs]) for i, node in enumerate(self._model.nodes) if runs]
        between = [all_of_it - inside for all_of_it, inside in zip(times.seconds(), sums)]
        return {"instrumented": spread(times.seconds()), "in_nodes": spread(sums), "between": spread(between),
                "peak_activation_bytes": max(self._live.by_node.values(), default=0),
                "nodes": sorted(nodes, key=lambda node: node["start"])}

    def _node(self, index: int, node: Any, samples: list[Sample]) -> dict[str, Any]:
        return {"name": result_name(node), "op": operator_name(node), "index": index, "provider": str(self._model.device),
                "start": spread([start for start, _ in samples])["median"],
                "time": spread([length for _, length in samples]), "memory_bytes": self._live.by_node.get(node, 0)}


Call = tuple[str, str]  # the name of an operator, and the sizes of its inputs


class CallTimes(Measured):
    """Times of calls: TorchScript's interpreter names operators, not nodes. Cutaway finds the nodes by the order of all
    calls, so only runs with the same calls as the last one are counted."""

    def __init__(self, torch: Any, model: Any, arguments: list[Any], request: Request) -> None:
        super().__init__(torch, model, arguments, request)
        self._runs: list[tuple[list[Call], list[Sample]]] = []

    def instrumented(self) -> float:
        self.plain()  # as reading the events of the run before has removed the model from the processor's caches
        activities = [self._torch.profiler.ProfilerActivity.CPU]
        if self._model.device.type == "cuda":
            activities.append(self._torch.profiler.ProfilerActivity.CUDA)
        with self._torch.profiler.profile(activities=activities, record_shapes=True) as profiler:
            seconds = self.plain()
        events = sorted(filter(is_outermost, profiler.events()), key=lambda event: float(event.time_range.start))
        begin = events[0].time_range.start if events else 0
        micro = 1e-6
        self._runs.append((
            [(event.name, json.dumps(event.input_shapes, separators=(",", ":"))) for event in events],
            [(micro * (event.time_range.start - begin),
              micro * (device_time(event) if len(activities) > 1 else event.cpu_time_total)) for event in events]))
        return seconds

    def result(self, times: RunTimes) -> dict[str, Any]:
        calls = self._runs[times.counted[-1]][0] if times.counted else []
        counted = [(times.all[i], self._runs[i][1]) for i in times.counted if self._runs[i][0] == calls]
        sums = [sum(length for _, length in samples) for _, samples in counted]
        between = [max(0.0, seconds - inside) for (seconds, _), inside in zip(counted, sums)]
        nodes = [self._node(i, call, [samples[i] for _, samples in counted]) for i, call in enumerate(calls)]
        return {"instrumented": spread([seconds for seconds, _ in counted]), "in_nodes": spread(sums),
                "between": spread(between), "nodes": nodes}

    def _node(self, index: int, call: Call, samples: list[Sample]) -> dict[str, Any]:
        name, dims = call
        return {"name": f"call {index + 1}, {name}", "op": name.rpartition("::")[2], "dims": dims, "index": index,
                "provider": str(self._model.device), "start": spread([start for start, _ in samples])["median"],
                "time": spread([length for _, length in samples])}


def is_operator(event: Any) -> bool:
    return "::" in event.name and not event.name.startswith("<")


def is_outermost(event: Any) -> bool:
    """Whether no other operator has called this one."""
    parent: Optional[Any] = event.cpu_parent
    while parent is not None:
        if is_operator(parent):
            return False
        parent = parent.cpu_parent
    return is_operator(event)


def device_time(event: Any) -> float:
    """Returns microseconds; older versions of torch have the device in the attribute's name."""
    for name in ("device_time_total", "cuda_time_total"):
        with contextlib.suppress(AttributeError):
            return float(getattr(event, name))
    return 0.0
