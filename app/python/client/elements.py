# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The elements of weights, which come as bytes."""
import math
import struct
import sys
import typing

from . import calls

CODES = {"bool": "?", "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i", "uint64": "Q",
         "int64": "q", "float16": "e", "float32": "f", "float64": "d", "complex64": "Zf", "complex128": "Zd"}  # of buffers


class Elements(calls.Remote):
    def numpy(self) -> typing.Any:
        """
        A read-only numpy array of the elements. Raises Error without numpy, and for dtypes that it lacks.
        """
        if self.dtype not in CODES:
            raise self._lacking("numpy has", "tobytes() gives its bytes, and torch.from_dlpack() takes bfloat16")
        try:
            import numpy
        except ImportError:
            raise calls.error("usage", "numpy is not installed; tobytes() needs nothing") from None
        return numpy.frombuffer(self.tobytes(), numpy.dtype(self.dtype)).reshape(self.shape)

    def __array__(self, dtype=None, copy=None):
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"weight '{self.name}' is {array.dtype}: as {dtype} it would be a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __bytes__(self):
        return self.tobytes()

    def __buffer__(self, flags: int, /) -> memoryview:
        """What memoryview(weight) gives, from Python 3.12 on."""
        if flags & 1:
            raise BufferError("weights of a file are read-only")
        if self.dtype not in CODES:
            raise BufferError(str(self._lacking("Python's buffers have", "tobytes() gives its bytes")))
        code = CODES[self.dtype]
        row = math.prod(self.shape[1:])
        if code[0] == "Z" or (0 in self.shape and not 0 < row <= 1 << 20):  # Python cannot, or only with much memory
            return memoryview(self.numpy())
        if 0 in self.shape:  # Python makes such a view only as a part of one with elements
            return memoryview(bytes(struct.calcsize(code) * row)).cast(code, (1, *self.shape[1:]))[:0]
        return memoryview(self.tobytes()).cast(code, self.shape)

    def __dlpack__(self, **kwargs: object) -> object:
        """
        A copy for torch.from_dlpack(), numpy.from_dlpack() and such; also bfloat16.
        """
        copy, torch = bytearray(self.tobytes()), sys.modules.get("torch")
        if torch is not None and copy and isinstance(getattr(torch, self.dtype, None), torch.dtype):
            return torch.frombuffer(copy, dtype=getattr(torch, self.dtype)).reshape(self.shape).__dlpack__(**kwargs)
        if self.dtype not in CODES:
            raise self._lacking("DLPack has", "tobytes() gives its bytes")
        import numpy
        return numpy.frombuffer(copy, numpy.dtype(self.dtype)).reshape(self.shape).__dlpack__(**kwargs)

    def __dlpack_device__(self) -> typing.Tuple[int, int]:
        return 1, 0  # memory of the processor

    def _lacking(self, what, instead):
        return calls.error("usage", f"weight '{self.name}': {what} no {self.dtype}; {instead}")
