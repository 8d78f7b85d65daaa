# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What random calls are made of: tensors, sizes, dimensions, drawn from a seeded generator."""
import random

FLOATS = ["float32", "float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int64", "int32", "int16", "int8", "uint8"]
ANY = FLOATS + INTEGERS + ["bool"]
COMPLEX = ["complex64", "complex128"]


class Tensor:
    """An argument: only its dtype and shape."""

    def __init__(self, shape, dtype="float32"):
        self.shape, self.dtype = list(shape), dtype

    @property
    def rank(self):
        return len(self.shape)


class DType(str):
    """An argument that is a dtype, by its name."""


class Draw(random.Random):
    def size(self):
        return self.choice([1, 2, 3, 4, 5, 6, 7, 8, 9])

    def sizes(self, low, high=None):
        return [self.size() for _ in range(self.randint(low, low if high is None else high))]

    def maybe(self, chance=0.5):
        return self.random() < chance

    def floats(self):
        return self.choice(FLOATS)

    def any(self):
        return self.choice(COMPLEX if self.maybe(0.05) else ANY)

    def tensor(self, low=0, high=4, dtype=None):
        shape = self.sizes(low, high)
        if shape and self.maybe(0.03):
            shape[self.randrange(len(shape))] = 0
        return Tensor(shape, dtype or self.any())

    def dim(self, rank, extra=0):
        """A dimension, also counted from the end; sometimes one too far (which PyTorch refuses)."""
        rank += extra
        return self.randint(-rank, rank - 1) if rank else self.choice([0, -1])

    def dims(self, rank):
        """Different dimensions; maybe none."""
        chosen = self.sample(range(rank), self.randint(0, rank))
        return [d - rank if self.maybe(0.3) else d for d in chosen]

    def per_dimension(self, count, low, high):
        """A number per dimension of a window, or one for all."""
        if self.maybe(0.15):
            return [self.randint(low, high)]
        return [self.randint(low, high) for _ in range(count)]

    def broadcastable(self, shape):
        """A shape that broadcasts with this one."""
        shape = [1 if self.maybe(0.25) else n for n in shape]
        return shape[self.randint(0, len(shape)):] if self.maybe(0.3) else shape

    def pair(self, **kinds):
        """Two tensors that broadcast."""
        shape = self.sizes(0, 4)
        return (Tensor(self.broadcastable(shape), kinds.get("first") or self.any()),
                Tensor(self.broadcastable(shape), kinds.get("second") or self.any()))
