#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets ONNX Runtime judge whether `lint` finds the nodes that break a rule of ONNX.

usage: refused_nodes.py CUTAWAY_CLI [--share 0.1] [--seed N] [--keep FOLDER] [--list]

Each of onnx's own node tests that is one node is changed in one thing: the size of a dimension of an input, its rank, its
element type, an attribute, a number of a constant input, how many inputs there are. ONNX Runtime loads and runs each
variant, without optimizations. Up to 200 of an opset become the nodes of one model, which CUTAWAY_CLI lints. Prints how
many variants ONNX Runtime refuses, how many of these lint finds an error in, and the others by operator and change; likewise
what lint finds an error in and ONNX Runtime runs, of which the standard has to say why. Variants without a kernel in
ONNX Runtime are passed over. --list prints all of them, not the first of each operator; --keep leaves the variants and
what ONNX Runtime says in FOLDER, and takes those that are there already, whatever --share and --seed say. Exit code 1 if
lint finds an error in one of the unchanged nodes that ONNX Runtime runs.
"""
import argparse
import collections
import copy
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile

NO_KERNEL = ("NOT_IMPLEMENTED", "Could not find an implementation", "is under development", "No Op registered",
             "is not a registered", "No corresponding Numpy type",
             # what the standard has and ONNX Runtime has not, or not on this machine
             "Batchwise recurrent operations", "string_normalizer::Locale", "mode only supports",
             "saturate is only used for", "size_ % 2 == 1")
MOST_OF_CONSTANT = 16


# ---- in a process of its own: onnx and ONNX Runtime are not loaded into one


class Case:
    """A node, its opset, and its inputs by name."""

    def __init__(self, node, opsets, arrays, outputs, label):
        self.node, self.opsets, self.arrays, self.outputs, self.label = node, opsets, arrays, outputs, label

    def model(self, prefix=""):
        """The node as a model. Floats of one dimension and whole numbers are constants where they are few."""
        from onnx import helper, numpy_helper
        node = copy.deepcopy(self.node)
        node.name = prefix or "node"
        inputs, initializers = [], []
        for i, name in enumerate(node.input):
            if not name:
                continue
            node.input[i] = prefix + name
            array = self.arrays[name]
            if any(each.name == prefix + name for each in [*inputs, *initializers]):
                continue
            if array.size <= MOST_OF_CONSTANT and (array.dtype.kind in "iub" or array.ndim == 1):
                initializers.append(numpy_helper.from_array(array, prefix + name))
            else:
                kind = helper.np_dtype_to_tensor_dtype(array.dtype)
                inputs.append(helper.make_tensor_value_info(prefix + name, kind, array.shape))
        outputs = []
        for i, name in enumerate(node.output):
            node.output[i] = prefix + name if name else ""
            if name and name in self.outputs:
                value = copy.deepcopy(self.outputs[name])
                value.name = prefix + name
                if value.type.WhichOneof("value") == "tensor_type":
                    value.type.tensor_type.ClearField("shape")
                outputs.append(value)
        return node, inputs, initializers, outputs


def one_node_cases():
    import onnx
    from onnx import numpy_helper
    from onnx.backend.test.loader import load_model_tests
    for test in load_model_tests(kind="node"):
        path = pathlib.Path(test.model_dir)
        model = onnx.load(str(path / "model.onnx"))
        graph = model.graph
        opsets = {each.domain: each.version for each in model.opset_import}
        tensors = all(value.type.WhichOneof("value") == "tensor_type" for value in [*graph.input, *graph.output])
        regions = any(each.type == onnx.AttributeProto.GRAPH for node in graph.node for each in node.attribute)
        data = sorted((path / "test_data_set_0").glob("input_*.pb"), key=lambda p: int(p.stem.split("_")[1]))
        if len(graph.node) != 1 or graph.node[0].domain or set(opsets) != {""} or not tensors or regions:
            continue
        arrays = {}
        for value, file in zip(graph.input, data):
            tensor = onnx.TensorProto()
            tensor.ParseFromString(file.read_bytes())
            arrays[value.name] = numpy_helper.to_array(tensor)
        if set(name for name in graph.node[0].input if name) - set(arrays):
            continue
        outputs = {value.name: value for value in graph.output}
        yield Case(graph.node[0], opsets, arrays, outputs, test.name)


def variant(case, change, node=None, arrays=None):
    return Case(node or case.node, case.opsets, arrays or case.arrays, case.outputs, f"{case.label}: {change}")


def of_inputs(case):
    import numpy
    numpy.seterr(all="ignore")
    for name, array in case.arrays.items():
        def given(changed, change):
            return variant(case, f"{name} {change}", arrays={**case.arrays, name: changed})
        if array.dtype.kind not in "fiub" or array.size == 0:
            continue
        for axis in range(array.ndim):
            longer = numpy.concatenate([array, array.take([0], axis)], axis)
            yield given(longer, f"one longer in dimension {axis}")
            yield given(array.take(range(array.shape[axis] - 1), axis), f"one shorter in dimension {axis}")
        if array.ndim:
            yield given(numpy.asarray(array.take(0, 0)), "of one rank less")
        yield given(numpy.stack([array, array]), "of one rank more")
        for dtype in ("float32", "float64", "int64", "int32", "bool", "uint8"):
            if array.dtype != dtype:
                yield given(array.astype(dtype), f"as {dtype}")
        if array.dtype.kind in "iu" and 0 < array.size <= MOST_OF_CONSTANT:
            for number in (99, -99, 0, int(array.flat[0])):
                changed = array.copy()
                changed.flat[array.size - 1] = number if array.dtype.kind == "i" or number >= 0 else 77
                yield given(changed, f"with {number} at its end")


def of_attributes(case):
    from onnx import helper
    for i, attribute in enumerate(case.node.attribute):
        value = helper.get_attribute_value(attribute)
        def given(changed, change):
            node = copy.deepcopy(case.node)
            del node.attribute[i]
            if changed is not None:
                node.attribute.insert(i, helper.make_attribute(attribute.name, changed))
            return variant(case, f"{attribute.name} {change}", node)
        yield given(None, "left out")
        if isinstance(value, int):
            for number in (value + 1, value - 1, 7, -7, 0):
                if number != value:
                    yield given(number, f"is {number}")
            yield given(0.5, "is a float")
        elif isinstance(value, bytes):
            yield given("nonsense", "is nonsense")
            yield given(3, "is an integer")
        elif isinstance(value, list) and value and isinstance(value[0], int):
            yield given([*value, value[-1]], "one longer")
            yield given([*value[:-1], 9], "ends with 9")
            yield given([*value[:-1], -3], "ends with -3")
            yield given([*value[:-1], 0], "ends with 0")
            yield given([*value[:-1], value[0]], "ends as it begins")
            if len(value) > 1:
                yield given(value[:-1], "one shorter")


def of_form(case):
    node = copy.deepcopy(case.node)
    if len(node.input) > 1:
        del node.input[-1]
        yield variant(case, "the last input left out", node)
    node = copy.deepcopy(case.node)
    node.input.append(next(name for name in node.input if name) if any(node.input) else "")
    yield variant(case, "an input more", node)
    from onnx import helper
    node = copy.deepcopy(case.node)
    node.attribute.append(helper.make_attribute("nonsense", 1))
    yield variant(case, "an attribute more", node)


def write_variants(folder, share, seed):
    """Writes a model for each variant, and models of up to 200 variants of one opset."""
    import onnx
    from onnx import helper
    chosen = random.Random(seed)
    groups = collections.defaultdict(list)
    for case in one_node_cases():
        everything = [variant(case, "unchanged"), *of_inputs(case), *of_attributes(case), *of_form(case)]
        groups[case.opsets[""]] += [each for i, each in enumerate(everything) if i == 0 or chosen.random() < share]
    labels, batches = {}, []
    for opset, cases in sorted(groups.items()):
        for start in range(0, len(cases), 200):
            merged = []
            for case in cases[start:start + 200]:
                name = f"v{len(labels)}_"
                try:
                    parts = case.model(name)
                    alone = case.model()
                    graph = helper.make_graph([alone[0]], "g", alone[1], alone[3], alone[2])
                    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
                    onnx.save(model, os.path.join(folder, name + ".onnx"))
                except (KeyError, TypeError, ValueError):
                    continue
                feeds = {value.name: case.arrays[value.name] for value in alone[1]}
                pathlib.Path(folder, name + ".inputs").write_bytes(pickle.dumps(feeds))
                labels[name] = (case.node.op_type, case.label)
                merged.append(parts)
            graph = helper.make_graph([part[0] for part in merged], "g", [value for part in merged for value in part[1]],
                                      [value for part in merged for value in part[3]],
                                      [value for part in merged for value in part[2]])
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
            batches.append(os.path.join(folder, f"batch{len(batches)}.onnx"))
            onnx.save(model, batches[-1])
    pathlib.Path(folder, "index.json").write_text(json.dumps({"labels": labels, "batches": batches}))


def run_variants(folder):
    """A line per variant that standard input names: its name and what ONNX Runtime says, "" if it runs."""
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    for name in sys.stdin.read().split():
        print("start", name, flush=True)
        said = ""
        try:
            feeds = pickle.loads(pathlib.Path(folder, name + ".inputs").read_bytes())
            session = onnxruntime.InferenceSession(os.path.join(folder, name + ".onnx"), options)
            session.run(None, feeds)
        except Exception as fault:
            said = " ".join(str(fault).split())[:300]
        print("end", name, said, flush=True)


# ---- the comparison


def child(*arguments, text=None):
    return subprocess.run([sys.executable, "-B", __file__, *arguments], input=text, text=True, capture_output=True)


def runtime_verdicts(folder, names):
    """By variant what ONNX Runtime says; a variant that ends the process is refused, too."""
    verdicts, left = {}, list(names)
    while left:
        process = child("--run", folder, text="\n".join(left))
        started = None
        for line in process.stdout.splitlines():
            word, name, *said = line.split(" ", 2)
            if word == "end":
                verdicts[name] = said[0] if said else ""
            else:
                started = name
        if process.returncode != 0 and started:
            verdicts.setdefault(started, "the process ended")
        remaining = [name for name in left if name not in verdicts]
        if len(remaining) == len(left):
            sys.exit(process.stderr)
        left = remaining
    return verdicts


def lint_errors(cli, batches):
    """By variant the errors that lint finds in it."""
    errors = collections.defaultdict(list)
    for batch in batches:
        answer = subprocess.run([cli, "lint", batch, "--json"], capture_output=True, text=True)
        if answer.returncode not in (0, 1):
            sys.exit(f"{batch}: {answer.stderr}")
        for finding in json.loads(answer.stdout)["findings"]:
            if finding["severity"] == "error":
                errors[(finding["name"] or "").split("_")[0] + "_"].append(f"{finding['message']} [{finding['rule']}]")
    return errors


def tell(title, names, labels, what, listed):
    print(f"{title}: {len(names)}")
    groups = collections.defaultdict(list)
    for name in names:
        op, label = labels[name]
        groups[op].append(f"    {label.split(': ', 1)[1]}: {what(name)}" + (f"  ({name}, {label})" if listed else ""))
    for op, lines in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"  {op} {len(lines)}")
        for line in lines if listed else lines[:3]:
            print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or temporary
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "index.json")):
            made = child("--write", folder, str(given.share), str(given.seed))
            if made.returncode != 0:
                sys.exit(made.stderr)
        index = json.loads(pathlib.Path(folder, "index.json").read_text())
        labels = index["labels"]
        said = pathlib.Path(folder, "verdicts.json")
        verdicts = json.loads(said.read_text()) if said.exists() else runtime_verdicts(folder, labels)
        said.write_text(json.dumps(verdicts))
        errors = lint_errors(given.cli, index["batches"])
    judged = [name for name in labels if not any(text in verdicts[name] for text in NO_KERNEL)]
    refused = [name for name in judged if verdicts[name]]
    missed = [name for name in refused if name not in errors]
    extra = [name for name in judged if not verdicts[name] and name in errors]
    false = [name for name in extra if labels[name][1].endswith(": unchanged")]
    print(f"{len(judged)} variants; ONNX Runtime refuses {len(refused)}, lint finds an error in "
          f"{len(refused) - len(missed)} of these")
    tell("missed", missed, labels, lambda name: verdicts[name], given.list)
    tell("errors in what runs", extra, labels, lambda name: errors[name][0], given.list)
    print(f"errors in unchanged nodes: {len(false)}")
    sys.exit(1 if false else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_variants(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["--run"]:
        run_variants(sys.argv[2])
    else:
        main()
