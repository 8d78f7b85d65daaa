#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets PyTorch and ONNX Runtime judge what Cutaway's evaluator computes of model files.

usage: evaluated.py CUTAWAY_CLI FILE_OR_FOLDER... [--records FOLDER] [--share 0.1 [--seed N]] [--seconds 120]
                    [--floor 0.5]

Each file is computed by the evaluator and by its own runtime with the same seeded inputs, and the results are compared
by `CUTAWAY_CLI compare`: rtol 1e-3 and atol 1e-4, for half precision 0.02. Where FOLDER has a record of the file
(`FOLDER/a/b.onnx.json` of `a/b.onnx`), the sizes of inputs that the file leaves open come from there. Prints how many
files are computed and right, which operators the others are refused for, the largest difference, and each file that is
wrong. Exit code 1 if one is wrong, or if less than the share `--floor` is computed.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import subprocess
import sys

RUNTIMES = {".onnx": "onnxruntime", ".pt2": "torch", ".pt": "torch", ".ptl": "torch"}
RTOL, ATOL, COARSE = 1e-3, 1e-4, 2e-2

# Whether PyTorch's LSTM is the same with oneDNN, which it only takes without gradients, and without: it is a few percent
# off on some processors.
LSTM_AGREES = """
import torch

lstm, x = torch.nn.LSTM(6, 5), torch.randn(7, 2, 6)
with torch.no_grad():
    torch.backends.mkldnn.enabled = True
    one_dnn = lstm(x)[0]
    torch.backends.mkldnn.enabled = False
    torch.testing.assert_close(one_dnn, lstm(x)[0], rtol=1e-3, atol=1e-4)
"""


@functools.cache
def is_lstm_off():
    return "not close" in called([sys.executable, "-c", LSTM_AGREES], 120)[2]


def files_of(paths, suffixes=RUNTIMES):
    """(file, folder that was asked for) of each file."""
    for path in map(pathlib.Path, paths):
        if path.is_dir():
            yield from ((file, path) for file in sorted(path.rglob("*")) if file.suffix in suffixes)
        else:
            yield path, path.parent


def record_of(file, root, records):
    """What is recorded of a file, by its path below any of the folders above it."""
    for folder in (root, *root.parents) if records else ():
        place = pathlib.Path(records) / (str(file.relative_to(folder)) + ".json")
        if place.exists():
            return json.loads(place.read_text(encoding="utf-8"))
    return None


def given(name, value):
    """What `--input` is told of a recorded value: of a tensor its type, of anything else what it is."""
    kind = value.get("t")
    if kind == "tensor":
        known = all(isinstance(size, int) for size in value["shape"])
        dtype = {"object": "string"}.get(value["dtype"], value["dtype"])
        return [f"{name}={'x'.join(map(str, value['shape']))}:{dtype}"] if known else []
    if kind == "dict":
        return [option for key, item in value["items"] for option in given(f"{name}.{key}", item)]
    if kind in ("list", "tuple"):
        return [option for i, item in enumerate(value["items"]) for option in given(f"{name}.{i}", item)]
    if kind == "none":
        return [f"{name}=null"]
    return [f"{name}={json.dumps(value['value'])}"] if "value" in value else []


def options_of(file, record):
    options = []
    for value in (record or {}).get("inputs", []):
        is_counted = file.suffix in (".pt", ".ptl")  # TorchScript counts names
        name = re.sub(r"\.\d+$", "", value["name"]) if is_counted else value["name"]
        options += [part for option in given(name, value) for part in ("--input", option)]
    return options


def reason_of(text):
    """The operator that a refusal names, or else all that it says."""
    found = re.search(r"no value for (\S+): (.*)", text)
    return f"{found[1]}: {found[2]}" if found else text.strip().splitlines()[-1][:150] if text.strip() else "no message"


def called(command, seconds):
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "", f"not done after {seconds} s"
    return answer.returncode, answer.stdout, answer.stderr


def worst(rows):
    return max((float(row["max_abs"]) for row in rows if row["max_abs"] is not None), default=0.0)


def evaluated(cli, file, options, seconds):
    """Why the evaluator refuses the file, or None, and the options that the file knows."""
    code, _, error = called([cli, "run", str(file), "--backend", "evaluator", *options], seconds)
    if code and options and "unknown input" in error:  # the record is of inputs by other names
        return evaluated(cli, file, [], seconds)
    return reason_of(error) if code != 0 else None, options


def judge(cli, file, options, seconds):
    """A verdict, and what there is to say of it: refused and why, wrong and what, right and how far."""
    refusal, options = evaluated(cli, file, options, seconds)
    if refusal:
        return "refused", refusal
    both = [cli, "compare", str(file), "--backend", "evaluator", "--backend", RUNTIMES[file.suffix], *options, "--json"]
    for rtol, atol in ((RTOL, ATOL), (COARSE, COARSE)):
        code, out, error = called([*both, "--rtol", str(rtol), "--atol", str(atol)], seconds)
        if code not in (0, 1) or not out:
            return "unjudged", reason_of(error)
        rows = json.loads(out)["outputs"]
        if code == 0:
            return "right", worst(rows)
        if not re.search("half|bf16|float16|fp8|int8|quant", file.name):
            break
    is_by_torch = RUNTIMES[file.suffix] == "torch"
    if is_by_torch and is_lstm_off() and called([cli, "query", str(file), "op:*lstm*"], seconds)[0] == 0:
        return "unjudged", "PyTorch's LSTM with oneDNN is off on this processor"
    bad = next(row for row in rows if not row["within"])
    return "wrong", f"{bad['a'] or bad['b']}: " + (bad.get("reason") or f"{bad['outside']} of {bad['elements']} "
                                                   f"elements, the largest difference {bad['max_abs']}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--records")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--floor", type=float, default=0.0)
    parser.add_argument("--only-evaluator", action="store_true", help="compare nothing: counts of refusals, quickly")
    arguments = parser.parse_args()
    files = list(files_of(arguments.paths))
    if arguments.share < 1:
        files = random.Random(arguments.seed).sample(files, max(1, round(len(files) * arguments.share)))

    def one(entry):
        file, root = entry
        options = options_of(file, record_of(file, root, arguments.records))
        if arguments.only_evaluator:
            refusal, _ = evaluated(arguments.cli, file, options, arguments.seconds)
            return file, ("refused", refusal) if refusal else ("computed", 0.0)
        return file, judge(arguments.cli, file, options, arguments.seconds)

    counts, reasons, largest, wrong = collections.Counter(), collections.defaultdict(list), 0.0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, (verdict, detail) in pool.map(one, files):
            counts[verdict] += 1
            if verdict in ("refused", "unjudged"):
                reasons[verdict, detail].append(file)
            elif verdict == "wrong":
                wrong.append(f"{file}: {detail}")
            else:
                largest = max(largest, detail)
    for (verdict, reason), those in sorted(reasons.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(those):5} {verdict}: {reason} ({', '.join(file.name for file in those[:4])})")
    print("\n".join(wrong))
    share = (counts["right"] + counts["computed"]) / max(1, len(files))
    print(f"{len(files)} files: {dict(counts)}, {100 * share:.1f} % computed and right; largest difference {largest:.3g}")
    return 1 if wrong or share < arguments.floor else 0


if __name__ == "__main__":
    sys.exit(main())
