#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a survey against what people do instead, on the same models.

usage: survey.py CUTAWAY_CLI FOLDER [--models 10000] [--sample 500] [--largest 1000000]

The models of FOLDER are made --models of: of ONNX files each is a variation with another batch size, the first size of its
inputs; of others, whose sizes lie in many places, the file itself under another name. Files larger than --largest bytes are
left out. Timed are: a survey of a tenth and of all, the same once more (nothing is to be done), a shell loop over `inspect` of
--sample of them, and, where Python has onnx, onnx.load with infer_shapes of --sample ONNX files in a pool of processes. Prints of
each models per second and the processor's milliseconds for a model, which hardly depend on what else the machine does; the size of
the database per model; the most memory that a worker had, and the survey itself, of a tenth and of all. Exit code 1 if the
database has more than 20 KiB per model, or the survey of all takes more than half as much memory again as that of a tenth.
"""
import argparse
import multiprocessing
import os
import pathlib
import random
import resource
import sqlite3
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


def processor_seconds():
    """Of all processes that this one has waited for, and those that they have."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(name, count, action):
    start, processor = time.perf_counter(), processor_seconds()
    result = action()
    seconds, processor = time.perf_counter() - start, processor_seconds() - processor
    print("%-28s %8.1f models/s  %7.2f ms of the processor for each (%d in %.1f s)"
          % (name, count / seconds, 1000 * processor / count, count, seconds), flush=True)
    return result


def run(command):
    """The most memory that it had itself, in MiB."""
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)])
    return os.wait4(process, 0)[2].ru_maxrss / 1024


def survives(path):
    """Whether onnx does not end with the model, or goes on for ever: a pool would wait for it."""
    process = multiprocessing.Process(target=load, args=(path,))
    process.start()
    process.join(20)
    if process.is_alive():
        process.kill()
    process.join()
    return process.exitcode == 0


def in_pool(graphs):
    with multiprocessing.Pool() as pool:
        pool.map(load, graphs, 8)
        pool.close()
        pool.join()


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
        sample = random.Random(1).sample(models, min(options.sample, len(models)))
        part = sorted({path.parent for path in models})
        part = [str(each) for each in part[:max(1, len(part) // 10)]]
        count = sum(str(path.parent) in part for path in models)
        of_part = timed("survey of a part", count, lambda: run([options.cli, "survey", *part, "-o", database + ".part"]))
        of_all = timed("survey", len(models), lambda: run(survey))
        timed("survey, nothing to do", len(models), lambda: run(survey))
        timed("a loop over inspect --json", len(sample), lambda: [run([options.cli, "inspect", "--json", path]) for path in sample])
        found = sqlite3.connect(database)
        rows, memory = found.execute("SELECT count(*), max(memory) FROM models").fetchone()
        size = os.path.getsize(database) / rows / 1024
        print("%d rows, %.1f KiB of database per model; a worker had %.0f MiB at most, the survey %.0f MiB, of the part %.0f MiB"
              % (rows, size, memory / 2**20, of_all, of_part))
        is_good = size <= MAX_KIB and of_all <= 1.5 * of_part
        try:
            import onnx
        except ImportError:
            return is_good
        query = "SELECT path FROM models WHERE state = 'read' AND format = 'onnx' AND path LIKE '%.onnx'"
        graphs = [pathlib.Path(path) for path, in found.execute(query)]
        graphs = list(filter(survives, random.Random(2).sample(graphs, min(options.sample, len(graphs)))))
        timed("onnx.load + infer_shapes", len(graphs), lambda: in_pool(graphs))
        for path in graphs:
            path.rename(path.with_suffix(".chosen.onnx"))
        only = [options.cli, "survey", str(folder / "*" / "*.chosen.onnx"), "-o", os.path.join(temporary, "onnx.db")]
        timed("survey of the same files", len(graphs), lambda: run(only))
        return is_good


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
