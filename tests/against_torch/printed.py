#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets PyTorch judge the Python modules that Cutaway prints of TorchScript, .pt2 and ONNX files.

usage: printed.py CUTAWAY_CLI FILE_OR_FOLDER... [--records FOLDER] [--seconds 120] [--floor 0.5] [--keep FOLDER]
                  [--list]

`CUTAWAY_CLI print FILE --as torch -o model.py` prints each file; model.py is run with the inputs that the file's record
says (`FOLDER/a/b.pt.json` of `a/b.pt`), twice where it draws random numbers. Its results are compared with PyTorch's own
of the file, within rtol 1e-4 and atol 1e-5, of half precision 0.02; where PyTorch 2.6 does not read the file, and of
ONNX, with the evaluator's (`CUTAWAY_CLI run --backend evaluator`), and where that does not compute it with the recorded
dtypes and shapes. Prints a table of how many files of each folder agree, are refused and why, and are wrong. Exit code 1
if one is wrong, or if less than the share `--floor` agrees.
"""
import argparse
import collections
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import warnings

SUFFIXES = {".pt2", ".pt", ".ptl", ".onnx"}
RTOL, ATOL, COARSE = 1e-4, 1e-5, 2e-2


def in_child(work, seconds):
    """What `work` returns, as JSON, from a process of its own, so that nothing it does ends this one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(int(seconds))
        os.close(reading)
        os.dup2(2, 1)  # what a model prints is no answer
        try:
            answer = work()
        except BaseException as error:
            lines = str(error).strip().splitlines() or [""]
            answer = ["failed", f"{type(error).__name__}: {lines[0]}"]
        with os.fdopen(writing, "w") as out:
            out.write(json.dumps(answer))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as text:
        answer = text.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else ["failed", "it crashed or took too long"]


def made_value(torch, item):
    """An input as the record describes it: its elements, a formula of their index, or a value."""
    kind = item["t"]
    if kind == "tensor":
        dtype = getattr(torch, item["dtype"])
        if "data" in item:
            return elements(torch, item["data"], dtype).reshape(item["shape"])
        if "fill" in item:
            return torch.full(item["shape"], item["fill"], dtype=dtype)
        count = int(torch.tensor(item["shape"]).prod()) if item["shape"] else 1
        index = torch.arange(count)
        if "pattern" in item and "101" in item["pattern"]:
            return (((37 * index) % 101) / 101 - 0.5).to(dtype).reshape(item["shape"])
        generator = torch.Generator().manual_seed(7)
        if dtype.is_floating_point:
            return (torch.rand(item["shape"], generator=generator) - 0.4).to(dtype)
        return torch.randint(0, 2, item["shape"], generator=generator).to(dtype)
    if kind in ("tuple", "list"):
        items = [made_value(torch, each) for each in item["items"]]
        return tuple(items) if kind == "tuple" else items
    if kind == "dict":
        return {key: made_value(torch, value) for key, value in item["items"]}
    if kind == "none":
        return None
    if "value" in item:
        return item["value"]
    raise TypeError(f"an input that is a {kind}")


def elements(torch, data, dtype):
    if dtype.is_complex and data and not isinstance(data[0], list):
        data = list(zip(data[::2], data[1::2]))
    if dtype.is_complex:
        return torch.tensor([complex(*pair) for pair in data], dtype=dtype)
    return torch.tensor([float(x) if isinstance(x, str) else x for x in data], dtype=dtype)


def inputs_of(torch, record, path):
    if path.endswith(".pt2"):
        try:
            program = torch.export.load(path)
            if program.example_inputs:
                return program.example_inputs
        except Exception:
            pass
    if record is None:
        raise LookupError("no record of its inputs")
    if "args" in record and not path.endswith(".onnx"):  # which has no tuples
        arguments = made_value(torch, record["args"])
        named = made_value(torch, record["kwargs"]) if record.get("kwargs") else {}
        return tuple(arguments), named
    return tuple(made_value(torch, item) for item in record["inputs"]), {}


def copied(torch, value):
    return torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, value)


def leaves_of(torch, value):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value) if leaf is not None]


def run(torch, call, inputs):
    torch.manual_seed(5)
    with torch.no_grad():
        return leaves_of(torch, call(*copied(torch, inputs[0]), **copied(torch, inputs[1])))


def reference(torch, path):
    """PyTorch's own callable of a file."""
    if path.endswith(".pt2"):
        return torch.export.load(path).module()
    return torch.jit.load(path, map_location="cpu").eval()


def printed_module(code):
    spec = importlib.util.spec_from_file_location("printed_model", code)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load()


def difference(torch, expected, found):
    if not isinstance(expected, torch.Tensor) or not isinstance(found, torch.Tensor):
        same = expected == found or (isinstance(expected, float) and abs(expected - found) < 1e-5)
        return None if same else f"{found!r} in place of {expected!r}"
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return (f"{found.dtype}{list(found.shape)} in place of {expected.dtype}{list(expected.shape)}")
    coarse = expected.dtype in (torch.float16, torch.bfloat16)
    wide = torch.complex128 if expected.is_complex() else torch.float64
    a, b = expected.to_dense().to(wide), found.to_dense().to(wide)
    if torch.allclose(a, b, COARSE if coarse else RTOL, COARSE if coarse else ATOL, equal_nan=True):
        return None
    return f"off by {(a - b).abs().max().item():.3g}"


def compared(torch, expected, found):
    if len(expected) != len(found):
        return f"{len(found)} results in place of {len(expected)}"
    for i, (a, b) in enumerate(zip(expected, found)):
        fault = difference(torch, a, b)
        if fault:
            return f"result {i}: {fault}"
    return None


def evaluated(torch, job, inputs):
    """What Cutaway's own evaluator computes, from .npy files."""
    import numpy
    names = [item["name"] for item in job["record"]["inputs"]]
    with tempfile.TemporaryDirectory() as folder:
        command = [job["cli"], "run", job["file"], "--backend", "evaluator", "--save", f"{folder}/out"]
        for i, (name, value) in enumerate(zip(names, leaves_of(torch, inputs))):
            if isinstance(value, torch.Tensor):
                numpy.save(f"{folder}/{i}.npy", value.numpy())
                command += ["--input", f"{name}={folder}/{i}.npy"]
            else:
                command += ["--input", f"{name}={str(value).lower()}"]
        if subprocess.run(command, capture_output=True, timeout=job["seconds"]).returncode != 0:
            return None
        found = []
        for item in job["record"]["outputs"]:
            file = f"{folder}/out/{item['name']}.npy"
            if not os.path.exists(file):
                return None
            found.append(torch.from_numpy(numpy.load(file)))
        return found


def of_record(torch, record, found):
    outputs = [item for item in record["outputs"] if item.get("t") == "tensor"]
    if len(outputs) < len(record["outputs"]):
        return None  # the record does not say what all results are
    tensors = [value for value in found if isinstance(value, torch.Tensor)]
    if len(outputs) != len(tensors):
        return f"{len(tensors)} tensors in place of {len(outputs)}"
    for item, value in zip(outputs, tensors):
        if "shape" in item and list(value.shape) != item["shape"]:
            return f"{item['name']}: {list(value.shape)} in place of {item['shape']}"
        if "dtype" in item and str(value.dtype) != "torch." + item["dtype"]:
            return f"{item['name']}: {value.dtype} in place of {item['dtype']}"
    return None


def judged(torch, job):
    inputs = inputs_of(torch, job["record"], job["file"])
    module = printed_module(job["code"])
    found = run(torch, module, inputs)
    try:
        known = None if job["file"].endswith(".onnx") else run(torch, reference(torch, job["file"]), inputs)
    except Exception:
        known = None
    if known is not None:
        fault = compared(torch, known, found)
        return ["wrong", fault] if fault else ["agrees", ""]
    record = job["record"]
    if record is None:
        return ["passed over", "PyTorch does not read it, and there is no record"]
    fault = of_record(torch, record, found)
    if fault:
        return ["wrong", fault]
    try:
        expected = evaluated(torch, job, inputs)
    except (TypeError, RuntimeError, subprocess.TimeoutExpired):  # NumPy has no such dtype
        expected = None
    if expected is None or compared(torch, run(torch, module, inputs), found):
        return ["shapes agree", ""]
    fault = compared(torch, expected, found)
    return ["wrong", "evaluator: " + fault] if fault else ["agrees", ""]


# ---- in the process that the user starts


def files_of(paths):
    for path in map(pathlib.Path, paths):
        if path.is_dir():
            yield from ((file, path) for file in sorted(path.rglob("*")) if file.suffix in SUFFIXES)
        else:
            yield path, path.parent


def record_of(file, root, folder):
    if not folder:
        return None
    for base in (root.parent, root, root.parent.parent, root.parent.parent.parent):
        try:
            found = pathlib.Path(folder, str(file.relative_to(base)) + ".json")
        except ValueError:
            continue
        if found.exists():
            return json.loads(found.read_text(encoding="utf-8"))
    return None


def printed(options, file, code):
    command = [options.cli, "print", str(file), "--as", "torch", "-o", code]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return f"not done after {options.seconds} s"
    if answer.returncode == 0:
        return None
    lines = (answer.stderr or answer.stdout).strip().splitlines() or [f"exit code {answer.returncode}"]
    return lines[-1].replace(str(file) + ": ", "")


def verdicts_of(options, folder):
    for file, root in files_of(options.paths):
        code = os.path.join(options.keep or folder, "_".join(file.parts[-3:]).replace(".", "_") + ".py")
        job = {"file": str(file), "folder": str(root), "code": code, "cli": options.cli, "seconds": options.seconds,
               "record": record_of(file.absolute(), root.absolute(), options.records)}
        refused = printed(options, file, code)
        if refused:
            yield job, "refused", refused
            continue
        listing = os.path.join(folder, "job.json")
        pathlib.Path(listing).write_text(json.dumps([job]), encoding="utf-8")
        yield job, None, listing
        if not options.keep:
            for made in (code, code[:-3] + ".safetensors"):
                os.remove(made)


class Judge:
    """One process that has loaded torch and judges job after job."""

    def __init__(self, seconds):
        self.process = subprocess.Popen([sys.executable, "-B", __file__, "--judge", str(seconds)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "TORCH_CPP_LOG_LEVEL": "ERROR"})

    def verdict(self, listing):
        self.process.stdin.write(listing + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def serve(seconds):
    import torch
    import torch._higher_order_ops.wrap  # which torch.export.load needs and does not import
    import torch.ao.quantization.fx._decomposed  # the same, of quantized programs
    torch.set_num_threads(1)
    torch.backends.mkldnn.enabled = False  # its LSTM is a few percent off on some processors
    warnings.filterwarnings("ignore")
    for line in sys.stdin:
        job = json.loads(pathlib.Path(line.strip()).read_text(encoding="utf-8"))[0]
        print(json.dumps(in_child(lambda: judged(torch, job), seconds)), flush=True)


def report(counts, causes, options):
    for cause, files in sorted(causes.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        print(f"{len(files):5} {cause} ({', '.join(files[:4])})")
    good = asked = wrong = 0
    for folder, kinds in counts.items():
        of = sum(kinds.values()) - kinds["passed over"]
        agree = kinds["agrees"] + kinds["shapes agree"]
        good, asked, wrong = good + agree, asked + of, wrong + kinds["wrong"]
        print(f"{folder:30} {agree:4} of {of:4} run and agree, {100 * agree / max(1, of):5.1f} %: {dict(kinds)}")
    print(f"{'all':30} {good:4} of {asked:4} run and agree, {100 * good / max(1, asked):5.1f} %")
    return 1 if wrong or good < options.floor * asked else 0


def main():
    if sys.argv[1:2] == ["--judge"]:
        serve(float(sys.argv[2]))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--records")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--floor", type=float, default=0.0)
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true", help="also say which files only the record judges")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    counts, causes = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    judge = Judge(options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        for job, verdict, detail in verdicts_of(options, folder):
            if verdict is None:
                verdict, detail = judge.verdict(detail)
            counts[job["folder"]][verdict] += 1
            if verdict != "agrees" and (verdict != "shapes agree" or options.list):
                causes[f"{verdict}: {detail}"].append(os.path.basename(job["file"]))
    return report(counts, causes, options)


if __name__ == "__main__":
    sys.exit(main())
