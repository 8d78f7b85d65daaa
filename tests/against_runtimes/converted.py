#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets PyTorch and ONNX Runtime judge the ONNX models that Cutaway makes of TorchScript and .pt2 files.

usage: converted.py CUTAWAY_CLI FILE_OR_FOLDER... [--records FOLDER] [--share 0.1 [--seed N]] [--seconds 120]
                    [--opset N] [--floor 0.5] [--keep FOLDER] [--list]

Each file that PyTorch reads and runs is computed there with seeded inputs: like the example's of a .pt2 file; of
TorchScript as the record of the file says (`FOLDER/a/b.pt.json` of `a/b.pt`). `CUTAWAY_CLI convert` makes an ONNX model
of it, which ONNX Runtime computes with the same inputs; the results must have the same dtypes and shapes and agree
within rtol 1e-3 and atol 1e-4, of half precision 0.02. Each runtime has a process of its own, since neither bears the
other. Prints a table of how many files of each folder are converted and agree, refused and why, and wrong. With
`--keep`, what PyTorch computed is kept there and not computed again. Exit code 1 if one is wrong, or if less than the
share `--floor` agrees.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import warnings

import numpy

import evaluated

SUFFIXES = {".pt2", ".pt"}
RTOL, ATOL, COARSE = 1e-3, 1e-4, 2e-2


# ---- in the process of PyTorch


def in_child(work, seconds):
    """What `work` returns, as JSON, from a process of its own, so that nothing it does ends this one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(int(seconds))
        os.close(reading)
        try:
            answer = work()
        except BaseException as error:
            answer = {"failure": f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"}
        with os.fdopen(writing, "w") as out:
            out.write(json.dumps(answer))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as text:
        answer = text.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else {"failure": "it crashed or took too long"}


def made_tensor(torch, item, generator):
    dtype = getattr(torch, item["dtype"])
    if "data" in item and not dtype.is_floating_point and not dtype.is_complex:  # indices and masks mean something
        return torch.tensor(item["data"]).to(dtype).reshape(item["shape"])
    if dtype == torch.bool:
        return torch.rand(item["shape"], generator=generator) < 0.5
    if dtype.is_floating_point:
        return (torch.rand(item["shape"], generator=generator) - 0.4).to(dtype)
    if dtype.is_complex:
        raise TypeError("complex inputs")
    return torch.randint(0, 3, item["shape"], generator=generator).to(dtype)


def made_value(torch, item, generator):
    if item["t"] == "tensor":
        return made_tensor(torch, item, generator)
    if item["t"] in ("tuple", "list"):
        items = [made_value(torch, each, generator) for each in item["items"]]
        return tuple(items) if item["t"] == "tuple" else items
    if item["t"] in ("int", "float", "bool") and "value" in item:
        return item["value"]
    raise TypeError(f"an input that is a {item['t']}")


def named_leaves(name, value):
    """The parts of a tuple by their place: "state.0"."""
    if isinstance(value, (list, tuple)):
        return [leaf for i, item in enumerate(value) for leaf in named_leaves(f"{name}.{i}", item)]
    return [(name, value)]


def like(torch, value, generator):
    if not isinstance(value, torch.Tensor) or not (value.dtype.is_floating_point or value.dtype.is_complex):
        return value
    return made_tensor(torch, {"dtype": str(value.dtype).split(".")[1], "shape": value.shape}, generator)


def leaves_of(torch, value):
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves_of(torch, item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves_of(torch, item)]
    return [] if value is None else [value]


def array_of(torch, value):
    """An array, and its dtype in torch: NumPy has no bfloat16."""
    if not isinstance(value, torch.Tensor):
        value = torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)
    value = value.detach()
    if value.layout != torch.strided or value.is_quantized or value.is_complex():
        raise TypeError(f"a {value.dtype} {value.layout} tensor")
    name = str(value.dtype).split(".")[1]
    # a copy: a result may be a buffer that the next run changes
    return (value.float() if value.dtype == torch.bfloat16 else value).contiguous().numpy().copy(), name


def program_of(torch, path, record, generator):
    """What is run, with its inputs and their names."""
    if path.endswith(".pt2"):
        program = torch.export.load(path)
        arguments, named = program.example_inputs
        flat = torch.utils._pytree.tree_leaves((arguments, named))
        values = [like(torch, value, generator) for value in flat]
        arguments, named = torch.utils._pytree.tree_unflatten(
            values, torch.utils._pytree.tree_flatten((arguments, named))[1])
        names = [spec.arg.name for spec in program.graph_signature.input_specs
                 if spec.kind == torch.export.graph_signature.InputKind.USER_INPUT]
        return program.module(), arguments, named, list(zip(names, values))
    module = torch.jit.load(path, map_location="cpu").eval()
    if record is None:
        raise TypeError("no record of its inputs")
    values = [made_value(torch, item, generator) for item in record["args"]["items"]]
    names = [re.sub(r"\.\d+$", "", value.debugName()) for value in list(module.graph.inputs())[1:]]
    return module, values, {}, [leaf for name, value in zip(names, values) for leaf in named_leaves(name, value)]


def reference(torch, path, record, place):
    generator = torch.Generator().manual_seed(7)
    module, arguments, named, inputs = program_of(torch, path, record, generator)
    inputs = [(name, value) for name, value in inputs if value is not None]
    arrays = [array_of(torch, value) for _, value in inputs]
    given = {f"i{i}": array for i, (array, _) in enumerate(arrays)}
    results = []
    for _ in range(2):
        with torch.no_grad():
            copies = torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, (arguments, named))
            found = leaves_of(torch, module(*copies[0], **copies[1]))
            results.append([array_of(torch, value) for value in found])
    for (first, _), (second, _) in zip(*results):
        if not numpy.array_equal(first, second, equal_nan=first.dtype.kind == "f"):
            raise TypeError("it draws random numbers")
    numpy.savez(place, **given, **{f"o{i}": array for i, (array, _) in enumerate(results[0])})
    return {"inputs": [[name, dtype, list(array.shape), isinstance(value, torch.Tensor)]
                       for (name, value), (array, dtype) in zip(inputs, arrays)],
            "outputs": [dtype for _, dtype in results[0]]}


def compute_references(jobs, seconds):
    import torch
    import torch._higher_order_ops.wrap  # which torch.export.load needs and does not import
    import torch.ao.quantization.fx._decomposed  # the same, of quantized programs
    torch.set_num_threads(1)
    torch.backends.mkldnn.enabled = False  # its LSTM is a few percent off on some processors
    torch._C._jit_set_texpr_fuser_enabled(False)  # which compiles for minutes where a graph is long
    warnings.filterwarnings("ignore")
    for job in jobs:
        answer = in_child(lambda: reference(torch, job["file"], job["record"], job["place"]), seconds)
        pathlib.Path(job["place"] + ".json").write_text(json.dumps(answer), encoding="utf-8")


# ---- in the process of ONNX Runtime


def compared(expected, found, dtype):
    if list(expected.shape) != list(found.shape):
        return f"shape {list(found.shape)} in place of {list(expected.shape)}"
    if expected.dtype != found.dtype:
        return f"{found.dtype} in place of {expected.dtype}"
    if expected.dtype.kind != "f":
        return None if numpy.array_equal(expected, found) else "other elements"
    rtol, atol = (COARSE, COARSE) if dtype in ("float16", "bfloat16") else (RTOL, ATOL)
    if numpy.allclose(found.astype("float64"), expected.astype("float64"), rtol, atol, equal_nan=True):
        return None
    with numpy.errstate(all="ignore"):
        return f"off by {numpy.nanmax(numpy.abs(found.astype('float64') - expected.astype('float64'))):.3g}"


def first_line(error):
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:250]}"


def judged(onnxruntime, job):
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    try:
        session = onnxruntime.InferenceSession(job["onnx"], options, providers=["CPUExecutionProvider"])
    except Exception as error:
        return "not loaded", str(error).strip().splitlines()[0][:300]
    arrays = numpy.load(job["place"] + ".npz")
    known = {name: f"i{i}" for i, (name, *_) in enumerate(job["inputs"])}
    given = {}
    for position, value in enumerate(session.get_inputs()):
        plain = re.sub(r"\.\d+$", "", value.name)
        array = arrays[known.get(value.name) or known.get(plain) or f"i{position}"]
        if value.type == "tensor(bfloat16)":
            return "not run", "bfloat16 inputs, which NumPy lacks"
        given[value.name] = array
    names = [value.name for value in session.get_outputs()]
    if any(value.type == "tensor(bfloat16)" for value in session.get_outputs()):
        return "not run", "bfloat16 results, which NumPy lacks"
    try:
        found = session.run(names, given)
    except Exception as error:
        return "not loaded", str(error).strip().splitlines()[0][:300]
    if len(found) != len(job["outputs"]):
        return "wrong", f"{len(found)} results in place of {len(job['outputs'])}"
    for i, (value, dtype) in enumerate(zip(found, job["outputs"])):
        fault = compared(arrays[f"o{i}"], value, dtype)
        if fault:
            return "wrong", f"{names[i]}: {fault}"
    return "agrees", ""


def judge_all(jobs, seconds):
    import onnxruntime
    for job in jobs:
        answer = in_child(lambda: judged(onnxruntime, job), seconds)
        print(json.dumps(answer if isinstance(answer, list) else ["not loaded", answer["failure"]]), flush=True)


# ---- in the process that the user starts


def reason_of(text):
    """The operators that are missing, without places."""
    rows = re.findall(r"^(\S+::\S+) \(\d+ ×\): (.*)$", text, re.M)
    return rows or [("", text.strip().splitlines()[-1][:200] if text.strip() else "no message")]


def converted(cli, job, options):
    command = [cli, "convert", job["file"], "-o", job["onnx"]]
    if options.opset:
        command += ["--opset", str(options.opset)]
    for i, (name, dtype, shape, is_tensor) in enumerate(job["inputs"] if job["file"].endswith(".pt") else ()):
        number = None if is_tensor else numpy.load(job["place"] + ".npz")[f"i{i}"].item()
        value = f"{'x'.join(map(str, shape))}:{dtype}" if is_tensor else str(number).lower()
        command += ["--input", f"{name}={value}"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return [("", f"not done after {options.seconds} s")]
    if answer.returncode == 0:
        return None
    text = re.sub(re.escape(job["file"]) + ": ", "", answer.stdout + answer.stderr)
    return reason_of(text.replace(f"{job['onnx']} is not written.\n", ""))


def jobs_of(options, folder, suffixes, made):
    files = list(evaluated.files_of(options.paths, suffixes))
    if options.share < 1:
        files = random.Random(options.seed).sample(files, max(1, round(len(files) * options.share)))
    for file, root in files:
        key = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]
        yield {"file": str(file), "folder": root.name, "record": evaluated.record_of(file, root, options.records),
               "place": os.path.join(options.keep or folder, key), "onnx": os.path.join(folder, key + made)}


def call_again(mode, jobs, options, folder):
    listing = os.path.join(folder, mode + ".json")
    pathlib.Path(listing).write_text(json.dumps(jobs), encoding="utf-8")
    return subprocess.run([sys.executable, "-B", __file__, mode, listing, str(options.seconds)], stdout=subprocess.PIPE,
                          text=True, check=True, env={**os.environ, "TORCH_CPP_LOG_LEVEL": "ERROR"}).stdout


def verdicts_of(jobs, options, folder):
    """A verdict and its detail for each job."""
    missing = [job for job in jobs if not os.path.exists(job["place"] + ".json")]
    if missing:
        call_again("--references", missing, options, folder)
    ready = []
    for job in jobs:
        answer = json.loads(pathlib.Path(job["place"] + ".json").read_text(encoding="utf-8"))
        job.update(answer)
        if "failure" in answer:
            job["verdict"] = ("passed over", answer["failure"])
            continue
        refused = converted(options.cli, job, options)
        if refused:
            job["verdict"] = ("refused", refused)
        else:
            ready.append(job)
    for job, line in zip(ready, call_again("--judge", ready, options, folder).splitlines()):
        job["verdict"] = tuple(json.loads(line))


def report(jobs, options):
    folders, causes, wrong = collections.defaultdict(collections.Counter), collections.defaultdict(set), []
    for job in jobs:
        verdict, detail = job["verdict"]
        folders[job["folder"]][verdict] += 1
        if verdict == "refused":
            for op, reason in detail:
                causes[f"refused: {op} {reason}"].add(job["file"])
        elif verdict in ("not loaded", "not run") or (options.list and verdict == "passed over"):
            causes[f"{verdict}: {detail}"].add(job["file"])
        elif verdict == "wrong":
            wrong.append(f"{job['file']}: {detail}")
    for cause, files in sorted(causes.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(files):5} {cause} ({', '.join(sorted(map(os.path.basename, files))[:4])})")
    print("\n".join(f"wrong: {each}" for each in wrong))
    good = asked = 0
    for name, counts in folders.items():
        of = sum(counts.values()) - counts["passed over"]
        good, asked = good + counts["agrees"], asked + of
        print(f"{name:12} {counts['agrees']:4} of {of:4} converted and agree, {100 * counts['agrees'] / max(1, of):5.1f} %: "
              f"{dict(counts)}")
    print(f"{'all':12} {good:4} of {asked:4} converted and agree, {100 * good / max(1, asked):5.1f} %")
    return 1 if wrong or good < options.floor * asked else 0


def add_options(parser):
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--records")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--floor", type=float, default=0.0)
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true", help="also say which files PyTorch does not run, and why")


def main():
    if sys.argv[1:2] and sys.argv[1] in ("--references", "--judge"):
        jobs = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
        (compute_references if sys.argv[1] == "--references" else judge_all)(jobs, float(sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    add_options(parser)
    parser.add_argument("--opset", type=int)
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        jobs = list(jobs_of(options, folder, SUFFIXES, ".onnx"))
        verdicts_of(jobs, options, folder)
        return report(jobs, options)


if __name__ == "__main__":
    sys.exit(main())
