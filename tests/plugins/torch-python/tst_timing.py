# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

import conversation  # noqa: F401, finds the plugin
from cutaway_torch import timing


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
