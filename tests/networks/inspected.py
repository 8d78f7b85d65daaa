#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what Cutaway says of networks' files against what PyTorch says of them: shapes of results and nodes, FLOPs.

usage: inspected.py CUTAWAY_CLI FOLDER/*-* --records FOLDER/records [--seconds 120]

The files and records are those that published.py writes. Each file is inspected with the sizes of its record's inputs. A
shape that differs is wrong; one that is not known is missing; a symbol, of what only data decides, agrees with any
number, as do FLOPs. FLOPs that are known have to be equal. Prints a table of how many files of each folder are right, and for each other file why.
Exit code 1 if a shape or a number is wrong.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "against_runtimes"))
import evaluated


def report_of(cli, file, record, seconds):
    command = [cli, "inspect", "--json", str(file), *evaluated.options_of(file, record)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    if answer.returncode != 0:
        raise RuntimeError((answer.stderr.strip().splitlines() or ["no message"])[-1][:200])
    return json.loads(answer.stdout)


def fault_of(said, real):
    if said is None or None in said:
        return "missing"
    if len(said) != len(real) or any(not isinstance(a, str) and a != b for a, b in zip(said, real)):
        return "wrong"
    return None


def leaves(value):
    """The tensors that a result is made of."""
    if value.get("type") in ("tuple", "list") and value.get("items") is not None:
        return [leaf for item in value["items"] for leaf in leaves(item)]
    return [value]


def faults_of(report, record):
    function = next((f for f in report["functions"] if f["name"] == "forward"), report["functions"][0])
    values = {value["name"]: value for value in function["values"]}
    for name, real in record.get("values", {}).items():
        if name in values and values[name]["type"] == "tensor":
            fault = fault_of(values[name].get("shape"), real)
            if fault:
                yield fault, f"{name} is {values[name].get('shape')}, really {real}"
    results = [item for item in function["outputs"] if item.get("kind", "user_output") == "user_output"]
    tensors = [values.get(item["name"], item) for item in results]
    if len(tensors) == len(record["outputs"]):
        for value, real in zip(tensors, record["outputs"]):
            fault = fault_of(value.get("shape"), real["shape"]) if real["t"] == "tensor" else None
            if fault:
                yield fault, f"result {value['name']} is {value.get('shape')}, really {real['shape']}"
    flops = report["totals"]["flops"]
    if record["flops"] is not None and not isinstance(flops, str) and flops != record["flops"]:
        yield "missing" if flops is None else "wrong", f"FLOPs {flops}, really {record['flops']}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--records", required=True)
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    for file, root in evaluated.files_of(options.paths):
        record = evaluated.record_of(file, root, options.records)
        if record is None:
            continue
        try:
            faults = list(faults_of(report_of(options.cli, file, record, options.seconds), record))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            faults = [("failed", str(error))]
        kinds = [kind for kind, _ in faults]
        verdict = next((kind for kind in ("failed", "wrong", "missing") if kind in kinds), "right")
        counts[root.name][verdict] += 1
        for kind, why in faults[:6]:
            print(f"{kind}: {root.name}/{file.name}: {why}" + (f" and {len(faults) - 6} more" if len(faults) > 6 else ""))
    for name, kinds in counts.items():
        total = sum(kinds.values())
        print(f"{name:24} {kinds['right']:4} of {total:4} right, {100 * kinds['right'] / total:5.1f} %: {dict(kinds)}")
    return any(kinds["wrong"] + kinds["failed"] for kinds in counts.values())


if __name__ == "__main__":
    sys.exit(main())
