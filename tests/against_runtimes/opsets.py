#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets ONNX Runtime judge the ONNX models that Cutaway changes to other opsets, or to float16.

usage: opsets.py CUTAWAY_CLI [FILE_OR_FOLDER...] [--node-tests] [--opsets 7,11,13,17,21] [--float16] [--share 0.1]
                 [--seed N] [--list]

Each file, and with `--node-tests` each of onnx's own node tests, whose inputs it brings along, becomes a model of each of
these opsets by `CUTAWAY_CLI convert`. Both are computed by ONNX Runtime, without optimizations and with the same inputs;
the results must have the same dtypes and shapes and agree within rtol 1e-4 and atol 1e-5; of `--float16` within 0.02 of
the largest number. A model that ONNX Runtime does not compute as it is counts as passed over, one that it computed
before and does not load afterwards as not loaded. onnx.checker has to take every model that is written. Prints how many
are equal, refused and why, not loaded and wrong. Exit code 1 if one is wrong.
"""
import argparse
import collections
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile

RTOL, ATOL, COARSE = 1e-4, 1e-5, 2e-2
NO_KERNEL = ("NOT_IMPLEMENTED", "Could not find an implementation", "is under development", "No Op registered")


# ---- in processes of their own: onnx and ONNX Runtime are not loaded into one


def node_tests(folder):
    """Writes a model and its inputs for each of onnx's node tests of the default domain."""
    import onnx
    from onnx import numpy_helper
    from onnx.backend.test.loader import load_model_tests
    for test in load_model_tests(kind="node"):
        path = pathlib.Path(test.model_dir)
        model = onnx.load(str(path / "model.onnx"))
        version = {each.domain: each.version for each in model.opset_import}.get("", 0)
        data = sorted((path / "test_data_set_0").glob("input_*.pb"), key=lambda p: int(p.stem.split("_")[1]))
        if not 7 <= version <= 22 or any(value.type.WhichOneof("value") != "tensor_type" for value in model.graph.input):
            continue
        arrays = {}
        for value, file in zip(model.graph.input, data):
            tensor = onnx.TensorProto()
            tensor.ParseFromString(file.read_bytes())
            arrays[value.name] = numpy_helper.to_array(tensor)
        place = os.path.join(folder, test.name)
        onnx.save(model, place + ".onnx")
        pathlib.Path(place + ".inputs").write_bytes(pickle.dumps(arrays))


def check_models(paths):
    import onnx
    faults = {}
    for path in paths:
        try:
            onnx.checker.check_model(path)
            faults[path] = ""
        except Exception as error:
            faults[path] = str(error).strip().splitlines()[0][:200]
    print(json.dumps(faults))


def run_one(path, inputs, result):
    import onnxruntime
    import drawn_inputs
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    given = pickle.loads(pathlib.Path(inputs).read_bytes()) if os.path.exists(inputs) else drawn_inputs.inputs_of(session)
    given = {value.name: given[value.name] for value in session.get_inputs() if value.name in given}
    pathlib.Path(result).write_bytes(pickle.dumps(session.run(None, given)))


def run_all(jobs):
    for job in jobs:
        child = os.fork()
        if child == 0:
            import signal
            signal.alarm(60)
            try:
                run_one(*job)
            except BaseException as error:
                pathlib.Path(job[2] + ".error").write_text(str(error), encoding="utf-8")
            os._exit(0)
        os.waitpid(child, 0)


# ---- in the process that the user starts


def call_again(mode, what):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as listing:
        json.dump(what, listing)
        listing.flush()
        command = [sys.executable, "-B", __file__, mode, listing.name]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def results_of(place):
    """What was computed, or why nothing was."""
    if os.path.exists(place):
        return pickle.loads(pathlib.Path(place).read_bytes()), ""
    error = pathlib.Path(place + ".error")
    return None, error.read_text(encoding="utf-8").strip()[:300] if error.exists() else "it crashed or took too long"


def differs(before, after, coarse):
    import numpy
    for i, (a, b) in enumerate(zip(before, after)):
        if isinstance(a, list) or a is None:
            fault = differs(a, b, coarse) if isinstance(b, list) and len(a) == len(b) else None if a is b else "a list"
            if fault:
                return fault
            continue
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"result {i} is {b.dtype}{list(b.shape)} in place of {a.dtype}{list(a.shape)}"
        if a.dtype.kind != "f":
            if not (a == b).all() and not coarse:
                return f"result {i} has other elements"
            continue
        x, y = a.astype("float64"), b.astype("float64")
        finite = numpy.abs(x[numpy.isfinite(x)])
        atol = COARSE * max(1.0, finite.max() if finite.size else 1.0) if coarse else ATOL
        if not numpy.allclose(y, x, 0 if coarse else RTOL, atol, equal_nan=True):
            with numpy.errstate(all="ignore"):
                return f"result {i} is off by {numpy.nanmax(numpy.abs(x - y)):.3g}"
    return "other number of results" if len(before) != len(after) else None


def converted(cli, source, target, arguments):
    answer = subprocess.run([cli, "convert", source, "-o", target, *arguments], capture_output=True, text=True)
    if answer.returncode == 0:
        return None
    lines = [line for line in answer.stdout.splitlines() if line[:1] not in ("", " ") and " ×): " in line]
    return lines or [(answer.stderr.strip() or answer.stdout.strip() or f"exit code {answer.returncode}")[:200]]


def models_of(options, folder):
    models = []
    for path in map(pathlib.Path, options.paths):
        models += sorted(path.rglob("*.onnx")) if path.is_dir() else [path]
    if options.node_tests:
        call_again("--write-node-tests", folder)
        models += sorted(pathlib.Path(folder).glob("*.onnx"))
    if options.share < 1:
        models = random.Random(options.seed).sample(models, max(1, round(len(models) * options.share)))
    return models


def variants_of(options):
    if options.float16:
        return {"float16": ["--float16"]}
    return {f"opset {n}": ["--opset", n] for n in options.opsets.split(",")}


def main():
    modes = {"--write-node-tests": node_tests, "--check": check_models, "--run": run_all}
    if sys.argv[1:2] and sys.argv[1] in modes:
        modes[sys.argv[1]](json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--node-tests", action="store_true")
    parser.add_argument("--opsets", default="7,9,11,13,17,19,22")
    parser.add_argument("--float16", action="store_true")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="also name the files that are refused or not loaded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as made:
        return judge(options, models_of(options, folder), made)


def judge(options, models, made):
    counts, causes, wrong, pairs = collections.Counter(), collections.defaultdict(list), [], []
    jobs = []
    for i, model in enumerate(models):
        inputs = str(model.with_suffix(".inputs"))
        jobs.append([str(model), inputs, os.path.join(made, f"{i}.before")])
        for name, arguments in variants_of(options).items():
            target = os.path.join(made, f"{i}.{name.replace(' ', '')}.onnx")
            refused = converted(options.cli, str(model), target, arguments)
            if refused:
                counts["refused"] += 1
                for line in refused:
                    causes[f"refused: {name}: {line}"].append(model.name)
                continue
            jobs.append([target, inputs, target + ".after"])
            pairs.append((model, name, target, jobs[-1][2], os.path.join(made, f"{i}.before")))
    call_again("--run", jobs)
    faults = json.loads(call_again("--check", [target for _, _, target, _, _ in pairs]))
    for model, name, target, after_place, before_place in pairs:
        before, _ = results_of(before_place)
        after, why = results_of(after_place)
        if faults[target]:
            counts["wrong"] += 1
            wrong.append(f"{model} to {name}: onnx.checker: {faults[target]}")
        elif before is None:
            counts["passed over"] += 1
        elif after is None and any(text in why for text in NO_KERNEL):
            counts["without a kernel"] += 1
        elif after is None:
            counts["not loaded"] += 1
            causes[f"not loaded: {name}: {why}"].append(model.name)
        elif fault := differs(before, after, options.float16):
            counts["wrong"] += 1
            wrong.append(f"{model} to {name}: {fault}")
        else:
            counts["equal"] += 1
    for cause, files in sorted(causes.items(), key=lambda entry: -len(entry[1])):
        if options.list or cause.startswith("not loaded"):
            print(f"{len(files):5} {cause} ({', '.join(files[:4])})")
    print("\n".join(f"wrong: {each}" for each in wrong))
    print(f"{len(models)} files: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
