# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes torch.export archives (.pt2, the layout of torch 2.8 and later, schema 8.20) without torch.
Weights are zeros, as holes of a sparse file, unless `values` has their bytes."""
import json
import struct
import zlib

from onnx_writer import Zeros

FLOAT32, INT64, BOOL = 7, 5, 12
_ITEM_SIZE = {FLOAT32: 4, INT64: 8, BOOL: 1}
_FLAGS = 0x0808  # sizes in a descriptor after the data; UTF-8 names


def _crc(data):
    if not isinstance(data, Zeros):
        return zlib.crc32(data)
    block, crc = bytes(1 << 20), 0
    for start in range(0, data, len(block)):
        crc = zlib.crc32(block[:min(len(block), data - start)], crc)
    return crc


class Archive:
    """A zip file as torch's writer makes it: stored members, data at multiples of 64, zip64 end records always."""

    def __init__(self, path, root):
        self.file, self.root, self.directory = open(path, "wb"), root, []

    def add(self, name, data):
        name = f"{self.root}/{name}".encode()
        start = self.file.tell()
        padding = -(start + 30 + len(name) + 4) % 64
        self.file.write(struct.pack("<IHHHHHIIIHH", 0x04034B50, 0, _FLAGS, 0, 0, 0, 0, 0, 0, len(name), padding + 4))
        self.file.write(name + struct.pack("<HH", 0x4246, padding) + b"Z" * padding)
        size, crc = data if isinstance(data, Zeros) else len(data), _crc(data)
        if isinstance(data, Zeros):
            self.file.seek(data, 1)
        else:
            self.file.write(data)
        self.file.write(struct.pack("<IIII", 0x08074B50, crc, size, size))
        self.directory.append(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0, 0, _FLAGS, 0, 0, 0, crc, size, size,
                                          len(name), 0, 0, 0, 0, 0, start) + name)

    def close(self):
        start, count = self.file.tell(), len(self.directory)
        size = self.file.write(b"".join(self.directory))
        end = self.file.tell()
        self.file.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, start))
        self.file.write(struct.pack("<IIQI", 0x07064B50, 0, end, 1))
        self.file.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, 0))
        self.file.close()


class Ref(str):
    """The name of a tensor of the graph."""


def _argument(value):
    match value:
        case None:
            return {"as_none": True}
        case Ref():
            return {"as_tensor": {"name": value}}
        case bool():
            return {"as_bool": value}
        case int():
            return {"as_int": value}
        case float():
            return {"as_float": value}
        case [Ref(), *_]:
            return {"as_tensors": [{"name": name} for name in value]}
        case list():
            return {"as_ints": value}
    raise TypeError(f"no argument form for {value!r}")


def _meta(dtype, shape, grad):
    strides, step = [], 1
    for dim in reversed(shape):
        strides.insert(0, {"as_int": step})
        step *= dim
    return {"dtype": dtype, "sizes": [{"as_int": dim} for dim in shape], "requires_grad": grad,
            "device": {"type": "cpu", "index": None}, "strides": strides, "storage_offset": {"as_int": 0}, "layout": 7}


class Program:
    """An exported program under construction; node() names results as torch.fx does."""

    def __init__(self):
        self.parameters, self.buffers, self.user_inputs, self.nodes = [], [], [], []
        self.tensors, self.weights, self.counts, self.modules = {}, {}, {}, {"": None}
        self.values = {}  # bytes, by the name of a parameter or buffer

    def parameter(self, fqn, shape):
        return self._weight(fqn, shape, FLOAT32, "p", {"parameter_name": fqn}, self.parameters, "parameter")

    def buffer(self, fqn, shape, dtype=FLOAT32):
        extra = {"buffer_name": fqn, "persistent": True}
        return self._weight(fqn, shape, dtype, "b", extra, self.buffers, "buffer")

    def _weight(self, fqn, shape, dtype, prefix, extra, specs, kind):
        name = Ref(f"{prefix}_{fqn.replace('.', '_')}")
        specs.append((name, {kind: {"arg": {"name": name}, **extra}}))
        self.tensors[name] = _meta(dtype, shape, kind == "parameter")
        self.weights[fqn] = (self.tensors[name], kind == "parameter")
        self.modules.setdefault(fqn.rpartition(".")[0])
        return name

    def user_input(self, name, shape, dtype=FLOAT32):
        self.tensors[name] = _meta(dtype, shape, False)
        self.user_inputs.append((Ref(name), {"user_input": {"arg": {"as_tensor": {"name": name}}}}))
        return Ref(name)

    def node(self, op, arguments, shape, stack, frames, dtype=FLOAT32, function=""):
        """op: 'conv2d.default'; arguments: name → value; stack: [(path, class)]; frames: [(file, line, fn, text)]."""
        base = op.partition(".")[0]
        count = self.counts[base] = self.counts.get(base, -1) + 1
        name = Ref(f"{base}_{count}" if count else base)
        self.tensors[name] = _meta(dtype, shape, True)
        trace = "".join(f'  File "{f}", line {line}, in {fn}\n    {text}\n' for f, line, fn, text in frames)
        self.nodes.append({
            "target": f"torch.ops.aten.{op}",
            "inputs": [{"name": key, "arg": _argument(value), "kind": 1} for key, value in arguments.items()],
            "outputs": [{"as_tensor": {"name": name}}],
            "metadata": {
                "stack_trace": trace.strip(),
                "nn_module_stack": ";".join(f"L__self__{path.replace('.', '_')},{path},{cls}" for path, cls in stack),
                "torch_fn": f"{base}_{count + 1};{function or 'builtin_function_or_method'}.{base}"},
            "is_hop_single_tensor_return": None, "name": name})
        for path, _ in stack:
            self.modules.setdefault(path)
        return name

    def _document(self, output):
        inputs = [*self.parameters, *self.buffers, *self.user_inputs]
        leaf = {"type": None, "context": None, "children_spec": []}
        def tuple_of(*items):
            return {"type": "builtins.tuple", "context": "null", "children_spec": list(items)}
        in_spec = tuple_of(tuple_of(*[leaf for _ in self.user_inputs]),
                           {"type": "builtins.dict", "context": "[]", "children_spec": []})
        call = {"inputs": [], "outputs": [], "in_spec": json.dumps([1, in_spec]), "out_spec": json.dumps([1, leaf]),
                "forward_arg_names": [name for name, _ in self.user_inputs]}
        graph = {"inputs": [{"as_tensor": {"name": name}} for name, _ in inputs],
                 "outputs": [{"as_tensor": {"name": output}}], "nodes": self.nodes, "tensor_values": self.tensors,
                 "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False,
                 "custom_obj_values": {}, "sym_float_values": {}}
        signature = {"input_specs": [spec for _, spec in inputs],
                     "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": output}}}}]}
        calls = [{"fqn": fqn, "signature": None if fqn else call} for fqn in self.modules]
        return {"graph_module": {"graph": graph, "signature": signature, "module_call_graph": calls, "metadata": {},
                                 "treespec_namedtuple_fields": {}},
                "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20},
                "verifiers": ["TRAINING"], "torch_version": "2.14.1", "guards_code": []}

    def write(self, path, root, output):
        archive, config = Archive(path, root), {}
        for number, (fqn, (meta, is_parameter)) in enumerate(self.weights.items()):
            size = _ITEM_SIZE[meta["dtype"]]
            for dim in meta["sizes"]:
                size *= dim["as_int"]
            archive.add(f"data/weights/weight_{number}", self.values.get(fqn, Zeros(size)))
            config[fqn] = {"path_name": f"weight_{number}", "is_param": is_parameter, "use_pickle": False,
                           "tensor_meta": meta}
        for name, data in (("data/weights/model_weights_config.json", json.dumps({"config": config})),
                           ("data/constants/model_constants_config.json", '{"config": {}}'),
                           ("models/model.json", json.dumps(self._document(output))),
                           ("archive_format", "pt2"), ("archive_version", "0"), (".data/version", "6\n"),
                           ("byteorder", "little"), (".data/serialization_id", "0" * 40)):
            archive.add(name, data.encode())
        archive.close()
