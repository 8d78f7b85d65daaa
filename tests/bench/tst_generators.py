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
import onnx_writer
import size_variations


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

    def test_a_variation_has_another_batch_and_all_else_as_it_was(self):
        graph = onnx_writer.Graph()
        graph.input("x", [2, 8])
        graph.input("weight", [8, 8])  # of files before IR version 4: an input that has a value
        graph.initializer("weight", [8, 8], bytes(256))
        graph.output(graph.node("MatMul", ["x", "weight"], "/MatMul", shape=[2, 8]), [2, 8])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.onnx")
            graph.write(path)
            before = path.read_bytes()
        after = size_variations.varied(before, 3)

        def sizes(model, field):
            values = [value for number, value in fields(dict(fields(model))[7]) if number == field]
            shapes = [dict(fields(dict(fields(dict(fields(value))[2]))[1]))[2] for value in values]
            return [[dict(fields(dim)).get(1) for _, dim in fields(shape)] for shape in shapes]

        self.assertEqual(sizes(after, 11), [[6, 8], [8, 8]])
        self.assertEqual(sizes(after, 12), [[None, 8]])
        self.assertEqual((len(sizes(before, 13)), len(sizes(after, 13))), (1, 0))
        rest = [[(number, value) for number, value in fields(dict(fields(model))[7]) if number not in (11, 12, 13)]
                for model in (before, after)]
        self.assertEqual(rest[0], rest[1])

    def test_weights_are_holes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.onnx")
            make_onnx.large(path)
            self.assertGreater(path.stat().st_size, 1_900_000_000)
            self.assertLess(path.stat().st_blocks * 512, 1_000_000)


if __name__ == "__main__":
    unittest.main()
