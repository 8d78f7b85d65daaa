# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import types

import pytest

import conversation  # noqa: F401, finds the plugin
from cutaway_torch import machine, profiling, timing
from cutaway_torch.random_numbers import twister


def test_numbers_are_those_of_the_standard_twister():
    generator = twister(5489)
    drawn = [generator.getrandbits(32) for _ in range(10000)]
    assert drawn[0] == 3499211612 and drawn[-1] == 4123659995  # as the C++ standard has it


def test_many_numbers_drawn_at_once_are_those_drawn_one_by_one():
    one, many = twister(7), twister(7)
    words = many.getrandbits(32 * 5).to_bytes(20, "little")
    assert [one.getrandbits(32) for _ in range(5)] == [int.from_bytes(words[i:i + 4], "little") for i in range(0, 20, 4)]


@pytest.mark.parametrize("seconds, expected", [
    ([], (0, 0, 0, 0)), ([2.0], (2, 2, 2, 1)), ([3.0, 1.0], (2, 1.1, 2.9, 2)), ([5, 1, 2, 3, 4], (3, 1.2, 4.8, 5))])
def test_spreads_are_interpolated(seconds, expected):
    spread = timing.spread(seconds)
    assert (spread["median"], spread["p5"], spread["p95"], spread["count"]) == pytest.approx(expected)


def test_both_kinds_of_runs_alternate_until_they_are_stable():
    order = []
    plain, clocked = timing.alternate(lambda: order.append("p") or 0.005, lambda: order.append("c") or 0.006, 60)
    assert set(plain.seconds()) == {0.005} and set(clocked.seconds()) == {0.006}
    assert len(plain.counted) >= timing.ENOUGH and "pc" in "".join(order) and "cp" in "".join(order)
    assert 0 not in plain.counted  # the first of a batch does not count


def test_a_long_run_is_made_once_and_counts():
    plain, clocked = timing.alternate(lambda: 5.0, lambda: 5.0, 0)
    assert len(plain.all) >= 1 and plain.counted


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


def test_the_machine_is_read_from_the_system(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast 9\n")
    cpu = "sys/devices/system/cpu/"
    for i in range(4):
        write(f"{cpu}cpu{i}/topology/physical_package_id", "0\n")
        write(f"{cpu}cpu{i}/topology/core_id", f"{i // 2}\n")
    write(f"{cpu}cpu0/cache/index0/level", "1\n")
    write(f"{cpu}cpu0/cache/index0/type", "Data\n")
    write(f"{cpu}cpu0/cache/index0/size", "48K\n")
    write(f"{cpu}cpu0/cpufreq/cpuinfo_max_freq", "3000000\n")
    found = machine.this_machine(tmp_path)
    assert found["processor"] == "Fast 9" and (found["cores"], found["threads"]) == (2, 4)
    assert found["level1_bytes"] == 48 << 10 and found["fastest_clock_hertz"] == 3e9
