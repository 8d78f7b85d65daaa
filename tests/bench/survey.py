#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a survey against what people do instead, on the same models.

usage: survey.py CUTAWAY_CLI FOLDER [--models 10000] [--sample 500] [--largest 1000000]

The models of FOLDER are made --models of: of ONNX files each is a variation with another batch size, the first size of its
inputs; of others, whose sizes lie in many places, the file itself under another name. Files larger than --largest bytes are
left out. Timed are: a survey of all, the same once more (nothing is to be done), a shell loop over `inspect` of --sample of
them, and, where Python has onnx, onnx.load with infer_shapes of --sample ONNX files in a pool of processes. Prints models per
second of each, the size of the database per model, and the most memory that a worker had. Exit code 1 if the database has
more than 20 KiB per model.
"""
import argparse
import multiprocessing
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

import size_variations

SUFFIXES = {".onnx", ".pt", ".pt2", ".ptl"}
MAX_KIB = 20  # of database per model


def variation(source, place, factor):
    """Whether the sizes are others; a damaged file stays as it is."""
    content = source.read_bytes()
    if source.suffix == ".onnx" and factor > 1:
        try:
            content = size_variations.varied(content, factor)
        except (ValueError, KeyError, IndexError):
            pass
    place.write_bytes(content)
    return source.suffix == ".onnx" and factor > 1


def variations(files, count, folder):
    models, changed = [], 0
    for number in range(count):
        source, factor = files[number % len(files)], number // len(files) + 1
        place = folder / ("%04d" % factor) / ("%04d%s" % (number % len(files), source.suffix))
        place.parent.mkdir(exist_ok=True)
        changed += variation(source, place, factor)
        models.append(place)
    print("%d models of %d files; of %d the sizes are changed" % (count, len(files), changed), flush=True)
    return models


def load(path):
    import onnx
    try:
        onnx.shape_inference.infer_shapes(onnx.load(path))
    except Exception:
        pass  # a broken one


def timed(name, count, action):
    start = time.perf_counter()
    action()
    seconds = time.perf_counter() - start
    print("%-28s %8.1f models/s (%d in %.1f s)" % (name, count / seconds, count, seconds), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", type=int, default=10000)
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--largest", type=int, default=1000000)
    options = parser.parse_args()
    files = sorted(path for path in options.folder.rglob("*")
                   if path.suffix in SUFFIXES and path.is_file() and path.stat().st_size <= options.largest)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "zoo"
        folder.mkdir()
        models = variations(files, options.models, folder)
        database = os.path.join(temporary, "zoo.db")
        survey = [options.cli, "survey", str(folder), "-o", database]
        run = lambda command: subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sample = random.Random(1).sample(models, min(options.sample, len(models)))
        timed("survey", len(models), lambda: run(survey))
        timed("survey, nothing to do", len(models), lambda: run(survey))
        timed("a loop over inspect --json", len(sample), lambda: [run([options.cli, "inspect", "--json", path]) for path in sample])
        found = sqlite3.connect(database)
        rows, memory = found.execute("SELECT count(*), max(memory) FROM models").fetchone()
        size = os.path.getsize(database) / rows / 1024
        print("%d rows, %.1f KiB of database per model, a worker had %.0f MiB at most" % (rows, size, memory / 2**20))
        try:
            import onnx
        except ImportError:
            return size <= MAX_KIB
        # A broken one can end a process of the pool, which then waits for it for ever.
        query = "SELECT path FROM models WHERE state = 'read' AND format = 'onnx' AND path LIKE '%.onnx'"
        graphs = [pathlib.Path(path) for path, in found.execute(query)]
        graphs = random.Random(2).sample(graphs, min(options.sample, len(graphs)))
        with multiprocessing.Pool() as pool:
            timed("onnx.load + infer_shapes", len(graphs), lambda: pool.map(load, graphs, 8))
        for path in graphs:
            path.rename(path.with_suffix(".chosen.onnx"))
        only = [options.cli, "survey", str(folder / "*" / "*.chosen.onnx"), "-o", os.path.join(temporary, "onnx.db")]
        timed("survey of the same files", len(graphs), lambda: run(only))
        return size <= MAX_KIB


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
