# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times runs without and with clocks, in alternation, until their medians are stable or the time is over."""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Callable

STABLE, ENOUGH, MAX_RUNS = 0.01, 20, 10_000
TimedRun = Callable[[], float]


def quantile(ordered: Sequence[float], part: float) -> float:
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def spread(seconds: Sequence[float]) -> dict[str, Any]:
    if not seconds:
        return {"median": 0.0, "p5": 0.0, "p95": 0.0, "count": 0}
    ordered = sorted(seconds)
    return {**{name: quantile(ordered, part) for name, part in (("median", 0.5), ("p5", 0.05), ("p95", 0.95))},
            "count": len(ordered)}


class RunTimes:
    """The times of all runs, and which of the runs count."""

    def __init__(self) -> None:
        self.all: list[float] = []
        self.counted: list[int] = []

    def seconds(self) -> list[float]:
        return [self.all[i] for i in self.counted]

    def is_stable(self) -> bool:
        """Whether the medians of the earlier and the later half agree."""
        seconds = self.seconds()
        if len(seconds) < ENOUGH:
            return False
        half = len(seconds) // 2
        before, after = spread(seconds[:half])["median"], spread(seconds[half:])["median"]
        return bool(abs(before - after) <= STABLE * before)


def batch_length(times: RunTimes, limit: float) -> int:
    """Returns how many runs take about a twentieth of a second, estimated from the last one; 1 if more would take too
    long."""
    if not times.all:
        return 2
    last = max(times.all[-1], 1e-9)
    return 1 if 4 * last > limit / 4 else max(4, min(int(0.05 / last), 21))


def alternate(plain: TimedRun, instrumented: TimedRun, limit: float) -> tuple[RunTimes, RunTimes]:
    """Runs both ways in alternating batches. Each way gets about `limit` seconds. The first run of a batch does not
    count."""
    both = RunTimes(), RunTimes()
    started = time.perf_counter()
    while True:
        for run, times in zip((plain, instrumented), both):
            runs = batch_length(times, limit)
            for i in range(runs):
                seconds = run()
                if i > 0 or runs == 1:
                    times.counted.append(len(times.all))
                times.all.append(seconds)
        if (len(both[0].counted) >= MAX_RUNS or time.perf_counter() - started >= 2 * limit
                or all(times.is_stable() for times in both)):
            return both
