# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded inputs for what ONNX Runtime is to run."""

SIZE_OF_A_SYMBOL = 3


def inputs_of(session):
    """An array for each input of a session, the same in every process."""
    import numpy
    types = {"tensor(float)": numpy.float32, "tensor(double)": numpy.float64, "tensor(float16)": numpy.float16,
             "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32, "tensor(int8)": numpy.int8,
             "tensor(uint8)": numpy.uint8, "tensor(bool)": numpy.bool_}
    draw = numpy.random.default_rng(7)
    given = {}
    for value in session.get_inputs():
        shape = [n if isinstance(n, int) else SIZE_OF_A_SYMBOL for n in value.shape]
        dtype = types[value.type]
        whole = numpy.issubdtype(dtype, numpy.integer)  # never 0: dividing by it ends the process
        given[value.name] = (draw.integers(1, 3, shape) if whole else draw.random(shape) * 2).astype(dtype)
    return given
