#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what Cutaway derives against PyTorch's own operator samples (OpInfo): types, FLOPs and peak memory.

usage: op_samples.py INSPECT_LINES [--cache FOLDER] [--tenth SEED] [--samples N] [--jobs N] [--seconds N] [--only TEXT]

Every sample becomes four programs: exported with fixed sizes, exported with every size dynamic, that one decomposed, and
traced. They are made once, in FOLDER (by default a temporary one), run by PyTorch node by node, and inspected. A tenth
takes as many operators, drawn by the seed. What is not right and not in known_misses.txt fails, and so does what stands
there and is right by now, where all operators were looked at.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import programs
import verdicts

SAMPLES = 5  # of an operator, where all operators are looked at
SECONDS_OF_A_SAMPLE = 60
SHOWN = 3
KNOWN_MISSES = pathlib.Path(__file__).with_name("known_misses.txt")


def make_in_child(folder, info, name, number):
    """A process of its own: samples crash, hang and change PyTorch's state."""
    child = os.fork()
    if child:
        return child
    signal.alarm(SECONDS_OF_A_SAMPLE)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        programs.make(folder, info, name, number)
    finally:
        os._exit(0)


def make_all(folder, infos, options, deadline):
    """Makes the programs that are not there yet; the number of samples that no time was left for."""
    missing = [(name, number) for number in range(options.samples) for name in infos
               if not programs.is_made(folder, name, number)]
    if missing and time.monotonic() < deadline:
        programs.warm_up()
    running = {}
    while missing and time.monotonic() < deadline:
        name, number = missing.pop(0)
        running[make_in_child(folder, infos[name], name, number)] = name, number
        if len(running) >= options.jobs:
            wait_for_one(folder, running)
    while running:
        wait_for_one(folder, running)
    return len(missing)


def wait_for_one(folder, running):
    child, _ = os.wait()
    name, number = running.pop(child)
    if not programs.is_made(folder, name, number):  # PyTorch crashed or hung, and would again
        programs.give_up(folder, name, number)


def made_programs(folder, infos, samples):
    """(operator, form, path, record) of each program that PyTorch made."""
    for name in infos:
        for number in range(samples):
            for form in programs.FORMS:
                stem = programs.stem_of(folder, name, number, form)
                if os.path.exists(stem + ".json"):
                    record = json.loads(pathlib.Path(stem + ".json").read_text())
                    yield name, form, programs.path_of(stem), record


def reports_of(program, found):
    def line(path, record):
        types = ["x".join(map(str, each["shape"])) + ":" + each["dtype"] for each in record.get("inputs", [])]
        return "\t".join([path, *types]) + "\n"

    lines = "".join(line(path, record) for _, _, path, record in found)
    answers = subprocess.run([program], input=lines, stdout=subprocess.PIPE, text=True, check=True).stdout
    return map(json.loads, answers.splitlines())


def judged(program, found):
    """How many comparisons were right by form, and the misses: texts by "VERDICT WHAT OPERATOR"."""
    counts, misses = collections.Counter(), collections.defaultdict(list)
    for (name, form, path, record), report in zip(found, reports_of(program, found), strict=True):
        for what, verdict, operator, text in verdicts.judge(report, record):
            counts[form, what, verdict] += 1
            if verdict != "right":
                misses[f"{verdict} {what} {operator or name + ' ' + form}"].append(f"{os.path.basename(path)}: {text}")
    return counts, misses


def print_table(counts, refused):
    print(f"{'form':8} {'':6} {'right':>8} {'unknown':>8} {'wrong':>8}")
    for form, what in sorted({(form, what) for form, what, _ in counts}):
        numbers = [counts[form, what, verdict] for verdict in ("right", "unknown", "wrong")]
        print(f"{form:8} {what:6} {numbers[0]:8} {numbers[1]:8} {numbers[2]:8} {100 * numbers[0] / sum(numbers):8.2f} %")
    print("not made by PyTorch: " + ", ".join(f"{refused[form]} {form}" for form in programs.FORMS))


def parsed(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--cache")
    parser.add_argument("--tenth")
    parser.add_argument("--samples", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", default="")
    options = parser.parse_args(arguments)
    options.samples = options.samples or (SAMPLES if options.tenth is None else 1)
    return options


def judge_all(options, folder):
    started = time.monotonic()
    infos = {name: info for name, info in programs.operators().items() if options.only in name}
    if options.tenth is not None:
        infos = {name: infos[name] for name in random.Random(options.tenth).sample(sorted(infos), len(infos) // 10)}
    left = make_all(folder, infos, options, started + options.seconds)
    all_programs = list(made_programs(folder, infos, options.samples))
    refused = collections.Counter(form for _, form, _, record in all_programs if "refused" in record)
    found = [made for made in all_programs if "refused" not in made[-1]]
    counts, misses = judged(options.program, found)
    known = set(KNOWN_MISSES.read_text().splitlines())
    for miss, texts in sorted(misses.items(), key=lambda item: (item[0] in known, item[0].startswith("unknown"))):
        print(f"{'known ' if miss in known else ''}{miss}: {len(texts)}")
        for text in [] if miss in known else texts[:SHOWN]:
            print("    " + text)
    is_whole = options.tenth is None and not options.only and not left and options.samples >= SAMPLES
    gone = sorted(line for line in known - set(misses) if is_whole and not line.startswith("#"))
    for line in gone:
        print(f"no longer missed, to be taken out of {KNOWN_MISSES.name}: {line}")
    print_table(counts, refused)
    print(f"{len(infos)} operators, {len(found)} programs, {left} samples left out, {time.monotonic() - started:.0f} s")
    return 1 if set(misses) - known or gone or not counts else 0


def main():
    options = parsed(sys.argv[1:])
    if options.cache:
        os.makedirs(options.cache, exist_ok=True)
        return judge_all(options, options.cache)
    with tempfile.TemporaryDirectory() as folder:
        return judge_all(options, folder)


if __name__ == "__main__":
    sys.exit(main())
