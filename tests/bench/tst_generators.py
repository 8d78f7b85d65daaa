# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark's models are what they claim to be: sizes as the real ones have, archives that hold together."""
import json
import math
import pathlib
import tempfile
import unittest
import zipfile

import make_onnx
import make_pt2


def fields(data):
    """(field number, bytes or integer) of a protobuf message."""
    position = 0

    def varint():
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while position < len(data):
        field, wire = divmod(varint(), 8)
        size = {0: 0, 5: 4}[wire] if wire != 2 else varint()
        yield field, varint() if wire == 0 else data[position:position + size]
        position += size


def exported(make):
    """Nodes and parameter elements of a program that `make` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.pt2")
        make(path)
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            root = archive.namelist()[0].partition("/")[0]
            program = json.loads(archive.read(f"{root}/models/model.json"))
            config = json.loads(archive.read(f"{root}/data/weights/model_weights_config.json"))["config"]
    weights = [entry["tensor_meta"]["sizes"] for entry in config.values() if entry["is_param"]]
    elements = sum(math.prod(size["as_int"] for size in sizes) for sizes in weights)
    return len(program["graph_module"]["graph"]["nodes"]), elements


class Generators(unittest.TestCase):
    def test_resnet50_has_the_sizes_of_the_real_one(self):
        self.assertEqual(exported(make_pt2.ResNet50().write), (175, 25_557_032))

    def test_llama_has_32_layers_of_64_nodes(self):
        self.assertEqual(exported(make_pt2.Llama().write), (32 * 64 + 19, 27_410_688))

    def test_the_synthetic_model_has_as_many_nodes_as_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.onnx")
            make_onnx.synthetic(60, path)
            graph = dict(fields(path.read_bytes()))[7]
        self.assertEqual(sum(field == 1 for field, _ in fields(graph)), 60)

    def test_weights_are_holes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.onnx")
            make_onnx.large(path)
            self.assertGreater(path.stat().st_size, 1_900_000_000)
            self.assertLess(path.stat().st_blocks * 512, 1_000_000)


if __name__ == "__main__":
    unittest.main()
