#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the evaluator against PyTorch: seeded random calls with random elements, the results' numbers compared.

usage: computed.py EVALUATE_LINES [--calls N] [--seed N] [--seconds N] [--family NAME] [--refused] [--tame]

Elements are small numbers, and in a part of the tensors also 0, -0, infinities, NaN and very large and small ones.
What PyTorch refuses is passed over, what draws random numbers too. Exit code 1 if a result is wrong.
"""
import argparse
import collections
import subprocess
import sys
import time
import warnings

import compare  # first: it sets up PyTorch
import torch

from families import FAMILIES
from random_call import DType, Draw, Tensor

BATCH = 200
SHOWN_OF_AN_OPERATOR = 3
# of a result: relative to its largest element, and absolute; PyTorch computes in the dtype, the evaluator in double
TOLERANCES = {torch.float64: (1e-6, 1e-12), torch.complex128: (1e-6, 1e-12), torch.float16: (2e-2, 1e-4),
              torch.bfloat16: (8e-2, 1e-3)}
TOLERANCE = (2e-3, 1e-6)
SPECIAL = [0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan"), 1e30, -1e30, 1e-30]
CHANCE = "rand dropout bernoulli empty multinomial normal poisson rrelu exponential geometric".split()


def elements(draw, tensor, isTame):
    dtype = getattr(torch, tensor.dtype)
    generator = torch.Generator().manual_seed(draw.randrange(2**31))
    if dtype == torch.bool:
        return torch.rand(tensor.shape, generator=generator) < 0.5
    if not dtype.is_floating_point and not dtype.is_complex:
        low = -4 if dtype != torch.uint8 and draw.maybe(0.5) else 0
        made = torch.randint(low, 5, tensor.shape, generator=generator, dtype=dtype)
        if not isTame and made.numel() and draw.maybe(0.1):
            info = torch.iinfo(dtype)
            made.view(-1)[draw.randrange(made.numel())] = draw.choice([info.min, info.max, info.max - 1])
        return made
    kind = draw.randrange(4)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    made = torch.randn(tensor.shape, generator=generator, dtype=wide) * (2 if kind else 1)
    if kind == 3:
        made = torch.rand(tensor.shape, generator=generator, dtype=torch.float64).to(wide)
    if not isTame and made.numel() and not dtype.is_complex and draw.maybe(0.25):
        for _ in range(draw.randint(1, 3)):
            made.view(-1)[draw.randrange(made.numel())] = draw.choice(SPECIAL)
    return made.to(dtype)


def form(tensor):
    """As evaluate_lines has it."""
    raw = bytes(tensor.detach().resolve_conj().resolve_neg().contiguous().flatten().view(torch.uint8).tolist()) \
        if tensor.numel() else b""
    return f"{str(tensor.dtype).removeprefix('torch.')} {','.join(map(str, tensor.shape))} {raw.hex()}"


def parsed(text):
    if text.startswith("text ") or text == "list":
        return None
    dtype, sizes, digits = text.split(" ")
    dtype, shape = getattr(torch, dtype), [int(n) for n in sizes.split(",") if n]
    if not digits:
        return torch.zeros(shape, dtype=dtype)
    return torch.frombuffer(bytearray.fromhex(digits), dtype=dtype).reshape(shape)


def tensors(results):
    for result in results if isinstance(results, (tuple, list)) else [results]:
        if isinstance(result, (tuple, list)):
            yield from tensors(result)
        elif isinstance(result, torch.Tensor):
            yield result


class Numbers(compare.Case):
    """A call with elements."""

    def __init__(self, draw, family, call, isTame):
        super().__init__(family.__name__, *call)
        self.made = {tensor: elements(draw, tensor, isTame) for tensor in self.inputs}
        self.text = "\t".join([self.line(False).partition("\t")[2], *(form(self.made[t]) for t in self.inputs)])

    def expected(self):
        made = {tensor: value.clone() for tensor, value in self.made.items()} # it may be written to

        def value(argument):
            if isinstance(argument, Tensor):
                return made[argument]
            if isinstance(argument, DType):
                return getattr(torch, argument)
            return [value(item) for item in argument] if isinstance(argument, list) else argument

        return list(tensors(self.function(*map(value, self.arguments),
                                          **{name: value(argument) for name, argument in self.named.items()})))


def fault(found, expected, inputs):
    """What is wrong with a result; nothing if it is right. `inputs`: their dtypes."""
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"{found.dtype} {list(found.shape)} instead of {expected.dtype} {list(expected.shape)}"
    tolerance, least = max(TOLERANCES.get(dtype, TOLERANCE) for dtype in [found.dtype, *inputs])
    if not found.dtype.is_floating_point and not found.dtype.is_complex:
        return None if torch.equal(found, expected) else f"{found.tolist()} instead of {expected.tolist()}"
    parts = [(found, expected)]
    if found.dtype.is_complex:
        parts = list(zip((found.real, found.imag), (expected.resolve_conj().real, expected.resolve_conj().imag)))
    for a, b in parts:
        a, b = a.double(), b.double()
        finite = b.isfinite()
        largest = b[finite].abs().max().item() if finite.any() else 0
        same = torch.isclose(a, b, rtol=tolerance, atol=tolerance * min(largest, 1e300) + least, equal_nan=True)
        if not same.all():
            return f"{found.tolist()} instead of {expected.tolist()}"
    return None


def judged(program, cases):
    """(case, "right", "refused", "wrong" or "crashed", why)"""
    known = []
    for case in cases:
        try:
            known.append((case, case.expected()))
        except Exception:
            continue
    lines = "".join(case.text + "\n" for case, _ in known)
    run = subprocess.run([program], input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answers = run.stdout.splitlines()
    for (case, expected), answer in zip(known, answers):
        kind, *results = answer.split("\t")
        if kind.startswith("refused"):
            yield case, "refused", kind
            continue
        found = [tensor for tensor in map(parsed, results) if tensor is not None]
        if len(found) != len(expected):
            yield case, "wrong", f"{len(found)} tensors instead of {len(expected)}"
            continue
        inputs = [value.dtype for value in case.made.values() if value.is_floating_point()]
        why = next(filter(None, (fault(*pair, inputs) for pair in zip(found, expected))), None)
        yield case, "wrong" if why else "right", why
    if len(answers) < len(known):
        yield known[len(answers)][0], "crashed", run.stderr[-600:]


def drawn(seed, number, families, isTame):
    draw = Draw(f"{seed}/{number}")
    family = families[number % len(families)]
    return Numbers(draw, family, family(draw), isTame)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=60, help="stops earlier where the calls take longer")
    parser.add_argument("--family", help="only this one")
    parser.add_argument("--refused", action="store_true", help="lists what is refused, by operator")
    parser.add_argument("--tame", action="store_true", help="no infinities, NaN or extreme numbers")
    options = parser.parse_args()
    families = [f for f in FAMILIES if options.family in (None, f.__name__) and f.__name__ != "chance"]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)

    started, counts, shown = time.monotonic(), collections.Counter(), collections.Counter()
    refused, wrong = collections.Counter(), collections.Counter()
    for first in range(0, options.calls, BATCH):
        if time.monotonic() - started > options.seconds:
            print(f"the time is over after {first} calls")
            break
        cases = [drawn(options.seed, n, families, options.tame)
                 for n in range(first, min(first + BATCH, options.calls))]
        cases = [case for case in cases if not any(word in case.operator for word in CHANCE)]
        for case, result, why in judged(options.program, cases):
            counts[result] += 1
            refused[case.operator] += result == "refused"
            wrong[case.operator] += result in ("wrong", "crashed")
            if result in ("wrong", "crashed") and wrong[case.operator] <= SHOWN_OF_AN_OPERATOR:
                inputs = "; ".join(str(case.made[tensor].tolist())[:300] for tensor in case.inputs)
                print(f"{result.upper()} {case.line(False).strip()}\n  of {inputs}\n  {why[:700]}", flush=True)
    if options.refused:
        for operator, count in refused.most_common():
            if count:
                print(f"refused {count:5} {operator}")
    for operator, count in wrong.most_common():
        if count:
            print(f"wrong {count:5} {operator}")
    print(f"{sum(counts.values())} calls, {dict(counts)}, {time.monotonic() - started:.0f} s")
    return 1 if counts["wrong"] or counts["crashed"] or not counts["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
