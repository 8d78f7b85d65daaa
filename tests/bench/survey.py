#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a survey against what people do instead, on the same models.

usage: survey.py CUTAWAY_CLI FOLDER [--models 10000] [--sample 500]

The models of FOLDER are linked under as many folders as make --models of them. Timed are: a survey of all, the same once
more (nothing is to be done), a shell loop over `inspect` of --sample of them, and, where Python has onnx, onnx.load with
infer_shapes of --sample ONNX files in a pool of processes. Prints models per second of each, the size of the database per
model, and the most memory that a worker had.
"""
import argparse
import multiprocessing
import os
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time

SUFFIXES = {".onnx", ".pt", ".pt2", ".ptl"}


def linked(files, count, folder):
    models = []
    for number in range(count):
        source = files[number % len(files)]
        place = folder / ("%04d" % (number // len(files))) / ("%04d%s" % (number % len(files), source.suffix))
        place.parent.mkdir(exist_ok=True)
        os.link(source, place) if os.stat(source).st_dev == os.stat(folder).st_dev else place.write_bytes(source.read_bytes())
        models.append(place)
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
    options = parser.parse_args()
    files = sorted(path for path in options.folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    with tempfile.TemporaryDirectory(dir=options.folder.parent) as temporary:
        folder = pathlib.Path(temporary) / "zoo"
        folder.mkdir()
        models = linked(files, options.models, folder)
        database = os.path.join(temporary, "zoo.db")
        survey = [options.cli, "survey", str(folder), "-o", database]
        run = lambda command: subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sample = random.Random(1).sample(models, min(options.sample, len(models)))
        timed("survey", len(models), lambda: run(survey))
        timed("survey, nothing to do", len(models), lambda: run(survey))
        timed("a loop over inspect --json", len(sample), lambda: [run([options.cli, "inspect", "--json", path]) for path in sample])
        found = sqlite3.connect(database)
        rows, memory = found.execute("SELECT count(*), max(memory) FROM models").fetchone()
        print("%d rows, %.1f KiB of database per model, a worker had %.0f MiB at most" % (
            rows, os.path.getsize(database) / rows / 1024, memory / 2**20))
        try:
            import onnx
        except ImportError:
            return
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


if __name__ == "__main__":
    main()
