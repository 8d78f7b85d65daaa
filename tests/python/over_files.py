#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens and analyses many files in one process: tells its memory on the way, and holds each file's inspect() to the JSON, and
each error to the sentence, of the command line.

usage: over_files.py CUTAWAY_CLI FOLDER [FILES [SEED]]     FILES (1000) are drawn from FOLDER, each may come again
"""
import gc
import json
import pathlib
import random
import subprocess
import sys
import time

import cutaway


def resident_mib():
    for line in open("/proc/self/status", encoding="ascii"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def asked(path):
    """What the module says of a file: its document or its error."""
    try:
        model = cutaway.open(path)
        model.analyse().to_dicts()
        return model.inspect()
    except cutaway.Error as error:
        return str(error)


def told(program, path):
    """What the command line says of it."""
    answer = subprocess.run([program, "inspect", path, "--json"], capture_output=True, text=True, check=False)
    return json.loads(answer.stdout) if answer.returncode == 0 else answer.stderr.removeprefix("cutaway: ").removesuffix("\n")


def is_same(program, path):
    """Of weights alone the module has a report without nodes, where the command line refers to its command for tensors."""
    answer = told(program, path)
    return "weights without a graph" in answer if isinstance(answer, str) and not isinstance(asked(path), str) else asked(path) == answer


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    program, folder = arguments[:2]
    count, seed = (int(n) for n in [*arguments[2:], *("1000", "1")[len(arguments) - 2:]])
    files = sorted(str(path) for path in pathlib.Path(folder).rglob("*") if path.suffix in (".onnx", ".pt2", ".pt", ".ptl"))
    drawn = random.Random(seed).choices(files, k=count)
    errors, began = 0, time.monotonic()
    for number, path in enumerate(drawn, 1):
        errors += isinstance(asked(path), str)
        if number % 100 == 0:
            gc.collect()
            print(f"{number} files, {errors} of them errors: {resident_mib():.0f} MiB, {time.monotonic() - began:.0f} s", flush=True)
    different = [path for path in sorted(set(drawn)) if not is_same(program, path)]
    for path in different:
        print("differs:", path)
    print(f"{len(set(drawn))} files compared with the command line, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
