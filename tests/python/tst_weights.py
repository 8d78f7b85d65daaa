# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights: what the file says of them, and their elements."""
import os
import struct
import sys

import pytest

import cutaway

FLOAT, UINT8, INT64, BOOL, FLOAT16, BFLOAT16 = 1, 2, 7, 9, 10, 16
NUMBERS = struct.pack("<6f", *range(6))


def test_names_shapes_and_bytes(resnet):
    m = cutaway.open(resnet)
    assert len(m.weights) == 320
    weight = m.weight("conv1.weight")
    assert (weight.kind, weight.dtype, weight.shape, weight.nbytes) == ("parameter", "float32", (64, 3, 7, 7), 37632)
    assert m.weight("bn1.num_batches_tracked").shape == ()
    assert repr(weight) == "<Weight conv1.weight: float32[64, 3, 7, 7]>"
    with pytest.raises(KeyError, match="no weight is called 'conv2'"):
        m.weight("conv2")


def test_a_memoryview_looks_at_the_file(make_onnx):
    m = cutaway.open(make_onnx(("w", [2, 3], NUMBERS)))
    view = memoryview(m.weight("w"))
    assert (view.readonly, view.format, view.shape, view.strides) == (True, "f", (2, 3), (12, 4))
    assert view.tolist() == [[0, 1, 2], [3, 4, 5]]
    del m
    assert view[1, 2] == 5
    assert bytes(view) == NUMBERS


@pytest.mark.parametrize("code, dtype, data, values", [
    (UINT8, "uint8", bytes([1, 255]), [1, 255]), (INT64, "int64", struct.pack("<2q", -1, 2), [-1, 2]),
    (BOOL, "bool", b"\1\0", [True, False]), (FLOAT16, "float16", struct.pack("<2e", 0.5, -2), [0.5, -2])])
def test_each_dtype_has_its_elements(make_onnx, code, dtype, data, values):
    weight = cutaway.open(make_onnx(("w", [2], data, code))).weight("w")
    assert weight.dtype == dtype
    assert memoryview(weight).tolist() == values
    assert weight.tobytes() == data


def test_an_empty_weight_and_a_scalar(make_onnx):
    m = cutaway.open(make_onnx(("none", [0, 4], b""), ("one", [], struct.pack("<f", 7))))
    assert memoryview(m.weight("none")).tolist() == []
    assert m.weight("none").nbytes == 0
    assert memoryview(m.weight("one")).tolist() == 7


def test_bfloat16_has_bytes_and_no_buffer(make_onnx):
    weight = cutaway.open(make_onnx(("w", [2], b"\x80\x3f\x00\x40", BFLOAT16))).weight("w")
    assert weight.tobytes() == b"\x80\x3f\x00\x40"
    with pytest.raises(BufferError, match="Python's buffers have no bfloat16"):
        memoryview(weight)
    with pytest.raises(cutaway.Error, match="numpy has no bfloat16"):
        weight.numpy()


def test_a_weight_that_is_too_short_is_an_error(make_onnx):
    weight = cutaway.open(make_onnx(("w", [2, 3], NUMBERS[:8]))).weight("w")
    with pytest.raises(cutaway.Error, match="weight 'w': its shape asks for 24 bytes, the file has 8"):
        weight.tobytes()
    with pytest.raises(cutaway.Error):
        memoryview(weight)


@pytest.mark.in_process
def test_a_file_that_is_cut_off_meanwhile_does_not_end_python(make_onnx):
    path = make_onnx(("w", [1 << 20], b"\1" * (4 << 20)))
    view = memoryview(cutaway.open(path).weight("w")).cast("B")
    os.truncate(path, 4096)
    assert view[-1] == 0


def test_writing_to_a_weight_is_refused(make_onnx):
    weight = cutaway.open(make_onnx(("w", [2, 3], NUMBERS))).weight("w")
    with pytest.raises(TypeError):
        memoryview(weight)[0, 0] = 1


@pytest.mark.in_process
def test_numpy_takes_it_where_it_lies(make_onnx):
    numpy = pytest.importorskip("numpy")
    weight = cutaway.open(make_onnx(("w", [2, 3], NUMBERS))).weight("w")
    array = weight.numpy()
    assert array.dtype == numpy.float32 and array.shape == (2, 3) and not array.flags.writeable
    assert array.sum() == 15
    assert numpy.shares_memory(array, numpy.asarray(weight))
    copy = numpy.from_dlpack(weight)
    assert not numpy.shares_memory(array, copy)
    assert copy.tolist() == array.tolist()


def test_without_numpy_it_says_so(make_onnx, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    weight = cutaway.open(make_onnx(("w", [2, 3], NUMBERS))).weight("w")
    with pytest.raises(cutaway.Error, match="numpy is not installed"):
        weight.numpy()


def test_torch_takes_a_copy(make_onnx):
    torch = pytest.importorskip("torch")
    m = cutaway.open(make_onnx(("w", [2, 3], NUMBERS), ("b", [2], b"\x80\x3f\x00\x40", BFLOAT16)))
    tensor = torch.from_dlpack(m.weight("w"))
    tensor[0, 0] = 100
    assert memoryview(m.weight("w"))[0, 0] == 0
    assert torch.from_dlpack(m.weight("b")).tolist() == [1, 2]
