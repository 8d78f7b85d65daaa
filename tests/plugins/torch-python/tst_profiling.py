# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import types

import pytest

import conversation  # noqa: F401, finds the plugin
from cutaway_torch import profiling


class Device:
    """A device whose clock only moves when something is computed; its events are those of torch.cuda."""

    def __init__(self):
        self.now, self.waits = 0.0, 0

    def compute(self, milliseconds):
        self.now += milliseconds

    def synchronize(self):
        self.waits += 1

    def event(self, enable_timing):
        assert enable_timing
        device = self

        class Event:
            def record(self):
                self.at = device.now

            def elapsed_time(self, other):
                return other.at - self.at

        return Event()


def run_on(device, clock):
    clock.begin()
    device.compute(1)  # an input is copied
    for node, milliseconds in (("conv", 4), ("relu", 2)):
        clock.before(node)
        device.compute(milliseconds)
        clock.after(node, None)
    clock.end()
    return clock.runs[-1]


def test_a_device_with_events_is_timed_by_them():
    device = Device()
    torch = types.SimpleNamespace(cuda=types.SimpleNamespace(Event=device.event, synchronize=device.synchronize))
    clock = profiling.clock_for(torch, types.SimpleNamespace(type="cuda"))
    run = run_on(device, clock)
    assert run == {"conv": pytest.approx((0.001, 0.004)), "relu": pytest.approx((0.005, 0.002))}
    assert device.waits == 0


def test_a_device_without_events_is_waited_for_after_each_node():
    device = Device()
    torch = types.SimpleNamespace(mps=types.SimpleNamespace(synchronize=device.synchronize))
    clock = profiling.clock_for(torch, types.SimpleNamespace(type="mps"))
    assert set(run_on(device, clock)) == {"conv", "relu"}
    assert device.waits == 2


@pytest.mark.parametrize("name, parents, outermost", [
    ("aten::conv2d", [], True), ("aten::conv2d", ["forward"], True), ("aten::convolution", ["aten::conv2d"], False),
    ("aten::mul", ["<forward op>", "aten::lstm", "forward"], False), ("forward", [], False)])
def test_an_operator_that_another_calls_is_within_its_time(name, parents, outermost):
    parent = None
    for each in reversed(parents):
        parent = types.SimpleNamespace(name=each, cpu_parent=parent)
    assert profiling.is_outermost(types.SimpleNamespace(name=name, cpu_parent=parent)) == outermost


def test_each_run_that_is_profiled_follows_one_that_is_not():
    ran, profiling_now = [], []

    @contextlib.contextmanager
    def profile(**_):
        profiling_now.append(True)
        yield types.SimpleNamespace(events=list)
        profiling_now.clear()

    torch = types.SimpleNamespace(profiler=types.SimpleNamespace(
        ProfilerActivity=types.SimpleNamespace(CPU="cpu"), profile=profile))
    model = types.SimpleNamespace(device=types.SimpleNamespace(type="cpu"),
                                  run_whole=lambda _: ran.append("profiled" if profiling_now else "plain"))
    measured = profiling.CallTimes(torch, model, [], types.SimpleNamespace(check=lambda: None))
    measured.instrumented()
    measured.instrumented()
    assert ran == ["plain", "profiled"] * 2
