#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the shape rules against PyTorch: seeded random calls, the results' dtypes and shapes compared.

usage: compare.py INFER_LINES [--calls N] [--seed N] [--seconds N] [--family NAME] [--unknown]

Every call is inferred twice: with its sizes as numbers, and with each size above 1 as a symbol that gets its number
afterwards. What PyTorch refuses is passed over. Exit code 1 if a result is wrong.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import time
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # calls that PyTorch calls deprecated are calls, too
import torch

from families import FAMILIES
from random_call import Draw, DType, Tensor

BATCH = 500
SHOWN_OF_AN_OPERATOR = 3


def all_tensors(arguments):
    for argument in arguments:
        if isinstance(argument, Tensor):
            yield argument
        elif isinstance(argument, list):
            yield from all_tensors(argument)


class Case:
    """One call, ready for PyTorch and as text."""

    def __init__(self, family, operator, arguments, named):
        self.family, self.arguments, self.named = family, arguments, named
        self.operator = operator if "." in operator else operator + ".default"
        name, _, overload = self.operator.rpartition(".")
        self.function = getattr(getattr(torch.ops.aten, name), overload)
        self.inputs = list(dict.fromkeys(all_tensors([*arguments, *named.values()])))

    def result(self, device):
        made = {tensor: torch.zeros(tensor.shape, dtype=getattr(torch, tensor.dtype), device=device)
                for tensor in self.inputs}

        def value(argument):
            if isinstance(argument, Tensor):
                return made[argument]
            if isinstance(argument, DType):
                return getattr(torch, argument)
            return [value(item) for item in argument] if isinstance(argument, list) else argument

        named = {name: value(argument) for name, argument in self.named.items()}
        if self.family == "creation" and not self.inputs:
            named["device"] = device
        results = self.function(*map(value, self.arguments), **named)
        return described(results if isinstance(results, tuple) else [results])

    def line(self, symbolic):
        """"s3=3<tab>(%a0: float32[s3]) { %r = ... return %r }" """
        names = {tensor: f"%a{i}" for i, tensor in enumerate(self.inputs)}
        symbols = {n for tensor in self.inputs for n in tensor.shape if n > 1} if symbolic else set()

        def shape(tensor):
            return "[" + ", ".join(f"s{n}" if n in symbols else str(n) for n in tensor.shape) + "]"

        def text(argument):
            if isinstance(argument, Tensor):
                return names[argument]
            if isinstance(argument, list):
                return "[" + ", ".join(map(text, argument)) + "]"
            if argument is None or isinstance(argument, bool):
                return str(argument).lower()
            return str(argument) if isinstance(argument, DType) else json.dumps(argument)

        inputs = ", ".join(f"{names[tensor]}: {tensor.dtype}{shape(tensor)}" for tensor in self.inputs)
        given = [*map(text, self.arguments), *(f"{name}={text(a)}" for name, a in self.named.items())]
        results = ", ".join(f"%r{i}" for i in range(len(self.function._schema.returns)))
        bindings = ",".join(f"s{n}={n}" for n in sorted(symbols))
        return f"{bindings}\t({inputs}) {{ {results} = aten::{self.operator}({', '.join(given)}) return {results} }}"


def described(result):
    if isinstance(result, torch.Tensor):
        return {"dtype": str(result.dtype).removeprefix("torch."), "shape": list(result.shape)}
    return [described(item) for item in result] if isinstance(result, (list, tuple)) else None


def verdict(found, expected):
    """"right", "unknown" where something is not known, or "wrong"."""
    if found is None or expected is None:
        return "unknown" if found is None and expected is not None else "right"
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            return "wrong"
        pairs = [(found["dtype"], expected["dtype"])]
        if found["shape"] is not None and len(found["shape"]) != len(expected["shape"]):
            return "wrong"
        pairs += zip(found["shape"], expected["shape"]) if found["shape"] is not None else [(None, 0)]
        verdicts = ["unknown" if a is None else "right" if a == b else "wrong" for a, b in pairs]
    elif not isinstance(found, list) or len(found) != len(expected):
        return "wrong"
    else:
        verdicts = [verdict(a, b) for a, b in zip(found, expected)]
    return "wrong" if "wrong" in verdicts else "unknown" if "unknown" in verdicts else "right"


def drawn(seed, number, families):
    draw = Draw(f"{seed}/{number}")
    family = families[number % len(families)]
    return Case(family.__name__, *family(draw))


def result_or_none(case, device):
    """Nothing where PyTorch refuses the call, which it does with exceptions of every kind."""
    try:
        return case.result(device)
    except Exception:
        return None


def judged(program, cases):
    """(case, symbolic or not, verdict, what was inferred, what PyTorch gives)

    On the device "meta" PyTorch only computes shapes, and sometimes what no real device does: where it says otherwise,
    a run on the CPU decides, and what that refuses is passed over.
    """
    runs = [(case, symbolic, expected) for case in cases if (expected := result_or_none(case, "meta"))
            for symbolic in (False, True)]
    lines = "".join(case.line(symbolic) + "\n" for case, symbolic, _ in runs)
    answers = subprocess.run([program], input=lines, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    for (case, symbolic, expected), answer in zip(runs, map(json.loads, answers), strict=True):
        found = answer["stop"] if answer["contradiction"] else answer["results"]
        result = verdict(found, expected)
        if result == "wrong" and (expected := result_or_none(case, "cpu")):
            result = verdict(found, expected)
        if expected:
            yield case, symbolic, result, found, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=60, help="stops earlier where the calls take longer")
    parser.add_argument("--family", help="only this one")
    parser.add_argument("--unknown", action="store_true", help="lists what is not known, by operator")
    options = parser.parse_args()
    families = [f for f in FAMILIES if options.family in (None, f.__name__)]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)

    started, counts, shown = time.monotonic(), collections.defaultdict(collections.Counter), collections.Counter()
    unknown = collections.Counter()
    for first in range(0, options.calls, BATCH):
        if time.monotonic() - started > options.seconds:
            print(f"the time is over after {first} calls")
            break
        cases = [drawn(options.seed, n, families) for n in range(first, min(first + BATCH, options.calls))]
        for case, symbolic, result, found, expected in judged(options.program, cases):
            counts[case.family][result] += 1
            shown[case.operator] += result == "wrong"
            if result == "wrong" and shown[case.operator] <= SHOWN_OF_AN_OPERATOR:
                print(f"WRONG {case.line(symbolic)}\n  inferred {found}\n  PyTorch  {expected}")
            if result == "unknown":
                unknown[case.operator, "symbolic" if symbolic else "numbers"] += 1
    if options.unknown:
        for (operator, kind), count in unknown.most_common():
            print(f"unknown {count:5} {operator} ({kind})")
    for family, count in counts.items():
        print(f"{family:14} {count['right']:6} right {count['unknown']:6} unknown {count['wrong']:6} wrong")
    wrong = sum(count["wrong"] for count in counts.values())
    print(f"{sum(sum(c.values()) for c in counts.values())} inferences, {wrong} wrong, "
          f"{time.monotonic() - started:.0f} s")
    return 1 if wrong or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
