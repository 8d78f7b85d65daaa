# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import conversation  # noqa: F401, finds the plugin
from cutaway_torch.random_numbers import twister


def test_numbers_are_those_of_the_standard_twister():
    generator = twister(5489)
    drawn = [generator.getrandbits(32) for _ in range(10000)]
    assert drawn[0] == 3499211612 and drawn[-1] == 4123659995  # as the C++ standard has it


def test_many_numbers_drawn_at_once_are_those_drawn_one_by_one():
    one, many = twister(7), twister(7)
    words = many.getrandbits(32 * 5).to_bytes(20, "little")
    assert [one.getrandbits(32) for _ in range(5)] == [int.from_bytes(words[i:i + 4], "little") for i in range(0, 20, 4)]
