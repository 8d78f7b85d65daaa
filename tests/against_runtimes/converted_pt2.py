#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets PyTorch judge the .pt2 programs that Cutaway makes of TorchScript and ONNX files.

usage: converted_pt2.py CUTAWAY_CLI FILE_OR_FOLDER... [--records FOLDER] [--share 0.1 [--seed N]] [--seconds 120]
                        [--floor 0.5] [--keep FOLDER] [--list]

Each file that its own runtime reads and runs is computed there with seeded inputs: PyTorch for TorchScript, ONNX Runtime
for ONNX, of the sizes that the file or its record says. `CUTAWAY_CLI convert` makes a program of it, which
`torch.export.load` has to open and whose `module()` computes the same inputs; the results are compared as
converted.py does it, and the table is the same. ONNX files keep the sizes that they leave open. PyTorch 2.6 opens loops
that it then refuses to run: they are run with its check patched. Exit code 1 if one is wrong or not loaded, or if less than
the share `--floor` agrees.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy

import converted

SUFFIXES = {".pt", ".onnx"}


# ---- in the process of ONNX Runtime


def drawn(item, generator):
    """An array as converted.py makes tensors."""
    if item.get("t") != "tensor":
        raise TypeError(f"an input that is a {item.get('t')}")
    if item["dtype"] == "bfloat16":
        raise TypeError("bfloat16 inputs, which NumPy lacks")
    dtype = numpy.dtype(item["dtype"])
    if "data" in item and dtype.kind in "iub":
        return numpy.array(item["data"], dtype).reshape(item["shape"])
    if dtype == numpy.bool_:
        return generator.random(item["shape"]) < 0.5
    if dtype.kind == "f":
        return (generator.random(item["shape"]) - 0.4).astype(dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"{dtype} inputs")
    return generator.integers(0, 3, item["shape"]).astype(dtype)


def onnx_reference(onnxruntime, job):
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(job["file"], options, providers=["CPUExecutionProvider"])
    if job["record"] is None:
        raise TypeError("no record of its inputs")
    known = {item["name"]: item for item in job["record"]["inputs"]}
    generator = numpy.random.default_rng(7)
    given = {value.name: drawn(known[value.name], generator) for value in session.get_inputs()}
    first, second = (session.run(None, given) for _ in range(2))
    if not all(isinstance(array, numpy.ndarray) and array.dtype.kind in "fiub" for array in first):
        raise TypeError("results that are no tensors of numbers")
    if any(array.dtype.kind == "f" and array.size and numpy.isnan(array).all() for array in first):
        raise TypeError("ONNX Runtime computes nothing but NaN")
    if not all(numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(first, second)):
        raise TypeError("it draws random numbers")
    numpy.savez(job["place"], **{f"i{i}": array for i, array in enumerate(given.values())},
                **{f"o{i}": array for i, array in enumerate(first)})
    return {"inputs": [[name, str(array.dtype), list(array.shape), True] for name, array in given.items()],
            "outputs": [str(array.dtype) for array in first]}


def compute_onnx_references(jobs, seconds):
    import onnxruntime
    for job in jobs:
        answer = converted.in_child(lambda: onnx_reference(onnxruntime, job), seconds)
        pathlib.Path(job["place"] + ".json").write_text(json.dumps(answer), encoding="utf-8")


# ---- in the process of PyTorch


def argument_of(torch, array, dtype, is_tensor):
    if not is_tensor:
        return array.item()
    return torch.from_numpy(array.copy()).to(getattr(torch, dtype))


def let_loops_run(torch):
    """PyTorch 2.6 reads the operands of a while_loop as lists and then wants tuples; later versions take both."""
    loop = type(torch.ops.higher_order.while_loop)
    call = loop.__call__
    loop.__call__ = lambda self, ask, step, carried, more: call(self, ask, step, tuple(carried), tuple(more))


def judged(torch, job):
    try:
        module = torch.export.load(job["onnx"]).module()
    except Exception as error:
        return "not loaded", converted.first_line(error)
    arrays = numpy.load(job["place"] + ".npz")
    given = [argument_of(torch, arrays[f"i{i}"], dtype, is_tensor)
             for i, (_, dtype, _, is_tensor) in enumerate(job["inputs"])]
    try:
        with torch.no_grad():
            found = [converted.array_of(torch, value) for value in converted.leaves_of(torch, module(*given))]
    except Exception as error:
        return "not loaded", "run: " + converted.first_line(error)
    if len(found) != len(job["outputs"]):
        return "wrong", f"{len(found)} results in place of {len(job['outputs'])}"
    for i, ((array, name), dtype) in enumerate(zip(found, job["outputs"])):
        fault = f"{name} in place of {dtype}" if name != dtype else converted.compared(arrays[f"o{i}"], array, dtype)
        if fault:
            return "wrong", f"result {i}: {fault}"
    return "agrees", ""


def judge_all(jobs, seconds):
    import torch
    import torch.ao.quantization.fx._decomposed  # operators of quantized programs
    import torch._export.serde.serialize  # which load() imports: here once, and not in each child
    torch.set_num_threads(1)
    torch.backends.mkldnn.enabled = False  # its LSTM is a few percent off on some processors
    let_loops_run(torch)
    warnings.filterwarnings("ignore")
    for job in jobs:
        answer = converted.in_child(lambda: judged(torch, job), seconds)
        print(json.dumps(answer if isinstance(answer, list) else ["not loaded", answer["failure"]]), flush=True)


# ---- in the process that the user starts


def call_again(mode, jobs, options, folder):
    listing = os.path.join(folder, mode + ".json")
    pathlib.Path(listing).write_text(json.dumps(jobs), encoding="utf-8")
    # Debian's ONNX Runtime writes thousands of lines of operators that are registered twice
    errors = subprocess.DEVNULL if mode == "--onnx-references" else None
    return subprocess.run([sys.executable, "-B", __file__, mode, listing, str(options.seconds)], stdout=subprocess.PIPE,
                          stderr=errors, text=True, check=True,
                          env={**os.environ, "TORCH_CPP_LOG_LEVEL": "ERROR"}).stdout


def verdicts_of(jobs, options, folder):
    """A verdict and its detail for each job."""
    missing = [job for job in jobs if not os.path.exists(job["place"] + ".json")]
    converted.call_again("--references", [job for job in missing if job["file"].endswith(".pt")], options, folder)
    call_again("--onnx-references", [job for job in missing if job["file"].endswith(".onnx")], options, folder)
    ready = []
    for job in jobs:
        answer = json.loads(pathlib.Path(job["place"] + ".json").read_text(encoding="utf-8"))
        job.update(answer)
        if "failure" in answer:
            job["verdict"] = ("passed over", answer["failure"])
            continue
        refused = converted.converted(options.cli, job, options)
        if refused:
            job["verdict"] = ("refused", refused)
        else:
            ready.append(job)
    for job, line in zip(ready, call_again("--judge", ready, options, folder).splitlines()):
        job["verdict"] = tuple(json.loads(line))


def main():
    if sys.argv[1:2] and sys.argv[1] in ("--onnx-references", "--judge"):
        jobs = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
        work = compute_onnx_references if sys.argv[1] == "--onnx-references" else judge_all
        work(jobs, float(sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    converted.add_options(parser)
    options = parser.parse_args()
    options.opset = None
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        jobs = list(converted.jobs_of(options, folder, SUFFIXES, ".pt2"))
        verdicts_of(jobs, options, folder)
        not_loaded = any(job["verdict"][0] == "not loaded" for job in jobs)
        return converted.report(jobs, options) or int(not_loaded)


if __name__ == "__main__":
    sys.exit(main())
