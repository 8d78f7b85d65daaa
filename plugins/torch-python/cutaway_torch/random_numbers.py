# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws test data from a seed, the same numbers as Cutaway's own (core/ir/tensors/random_numbers.h)."""
from __future__ import annotations

import math
import random
from typing import Any, Optional

WORDS = 624  # of the state of a Mersenne Twister
DRAWS = 4294967296.0


def twister(seed: int) -> random.Random:
    """Returns a 32-bit Mersenne Twister, seeded as in C++; Python's own seeding differs."""
    state = [seed & 0xFFFFFFFF]
    for i in range(1, WORDS):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
    generator = random.Random()
    generator.setstate((3, (*state, WORDS), None))
    return generator


def draw(torch: Any, seed: int, count: int) -> Any:
    """Returns a tensor of float64 numbers from 0 to less than 1."""
    part = 1 << 20
    generator, pieces = twister(seed), []
    for first in range(0, count, part):
        words = min(part, count - first)
        drawn = bytearray(generator.getrandbits(32 * words).to_bytes(4 * words, "little"))
        pieces.append(torch.frombuffer(drawn, dtype=torch.int32).to(torch.int64).bitwise_and_(0xFFFFFFFF).double() / DRAWS)
    return torch.cat(pieces) if pieces else torch.empty(0, dtype=torch.float64)


def whole_range(torch: Any, dtype: Any, low: float, high: float) -> tuple[float, float]:
    """Returns the least and the largest integer of a dtype within a range, or the nearest one; exact up to 2^53."""
    if dtype == torch.bool:
        return 0.0, 1.0
    info = torch.iinfo(dtype)
    bits = min(info.bits, 53) - (info.min < 0)
    lowest, highest = (-2.0**bits if info.min < 0 else 0.0), 2.0**bits - 1
    low = min(max(math.ceil(low), lowest), highest)
    return low, max(low, min(max(math.floor(high), lowest), highest))


def default_range(torch: Any, dtype: Any) -> tuple[float, float]:
    if dtype.is_floating_point or dtype.is_complex:
        return -1.0, 1.0
    return {torch.uint8: (0.0, 255.0), torch.int8: (-128.0, 127.0)}.get(dtype, (0.0, 1.0))


def random_tensor(torch: Any, dtype: Any, shape: list[int], seed: int, limits: Optional[list[float]]) -> Any:
    count = math.prod(shape) * (2 if dtype.is_complex else 1)
    low, high = limits or default_range(torch, dtype)
    drawn = draw(torch, seed, count)
    if dtype.is_complex:
        part = {torch.complex32: torch.float16, torch.complex64: torch.float32}.get(dtype, torch.float64)
        return torch.view_as_complex((low + (high - low) * drawn).to(part).reshape(-1, 2)).reshape(shape)
    if dtype.is_floating_point:
        return (low + (high - low) * drawn).to(dtype).reshape(shape)
    low, high = whole_range(torch, dtype, low, high)
    return (low + torch.floor((high - low + 1) * drawn)).to(dtype).reshape(shape)
