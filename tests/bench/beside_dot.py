#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cutaway's layouts beside those of Graphviz's dot: crossings and lengths of edges.

  packaging/env --with-checks python3 -B tests/bench/beside_dot.py build/release/app/cli/cutaway-cli FOLDER|FILE... [--sample N]

Each model is drawn as it is first shown, and with everything opened. dot gets the same boxes, of the same size and in the
same clusters, and the same edges with their labels, all in one graph. Two edges that share a box do not cross. A stub, which
names its source instead of leading to it, is as long as it is drawn; figures are also given without the pictures that have any.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import numpy

STEPS = 8  # straight pieces of a Bézier segment
MOST_EDGES = 3000
SUFFIXES = (".onnx", ".pt", ".pt2", ".ts")
WEIGHTS = numpy.array([[(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
                       for t in (k / STEPS for k in range(STEPS + 1))])


def polyline(points):
    """A Bézier spline of 3 n + 1 points as points on it."""
    points = numpy.asarray(points, float)
    pieces = [WEIGHTS @ points[i:i + 4] for i in range(0, len(points) - 3, 3)]
    return numpy.vstack([points[:1]] + [piece[1:] for piece in pieces])


def length(line):
    return float(numpy.hypot(*numpy.diff(line, axis=0).T).sum())


def crossings_of(a, b):
    """How often two polylines cross."""
    p, r = a[:-1, None], numpy.diff(a, axis=0)[:, None]
    q, s = b[None, :-1], numpy.diff(b, axis=0)[None]
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    d = q - p
    with numpy.errstate(divide="ignore", invalid="ignore"):
        t = (d[..., 0] * s[..., 1] - d[..., 1] * s[..., 0]) / cross
        u = (d[..., 0] * r[..., 1] - d[..., 1] * r[..., 0]) / cross
    return int(((t > 0) & (t <= 1) & (u > 0) & (u <= 1)).sum())


def crossings(lines, ends):
    low = numpy.array([line.min(axis=0) for line in lines])
    high = numpy.array([line.max(axis=0) for line in lines])
    ends = numpy.array(ends)
    count = 0
    for i in range(len(lines) - 1):
        near = ((low[i + 1:] <= high[i]) & (high[i + 1:] >= low[i])).all(axis=1)
        apart = (ends[i + 1:, :, None] != ends[i][None, None, :]).all(axis=(1, 2))
        count += sum(crossings_of(lines[i], lines[i + 1 + k]) for k in numpy.nonzero(near & apart)[0])
    return count


def numbers(text):
    return numpy.array([float(x) for x in re.findall(r"-?[\d.]+(?:e[-+]?\d+)?", text)]).reshape(-1, 2)


def edges_of_svg(svg):
    """The lines of edges in their order, and how many are stubs."""
    paths = re.findall(r'<g class="edge([^"]*)"><title>[^<]*</title><path d="([^"]*)"', svg)
    return [polyline(numbers(path)) for _, path in paths], sum("stub" in kind for kind, _ in paths)


def edges_of_dot(text, limit):
    """The lines as dot draws them, in the order of the file; none if it takes too long."""
    bare = re.sub(r', pos="[^"]*"', "", text)
    command = ["dot", "-Gnodesep=0.333", "-Granksep=0.5", "-Tjson"]
    try:
        done = subprocess.run(command, input=bare, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    drawn = sorted(json.loads(done.stdout).get("edges", []), key=lambda edge: edge["_gvid"])
    return [with_tip(edge["pos"]) for edge in drawn]


def with_tip(pos):
    """An edge of dot, whose spline ends where its arrow head begins, up to the tip of that: ours have it inside."""
    line = polyline(numbers(re.sub(r"e,\S+ ", "", pos)))
    tip = re.search(r"e,(\S+)", pos)
    return numpy.vstack([line, numbers(tip[1])]) if tip else line


def compared(program, file, arguments, scratch, limit):
    """(crossings, dot's, length, dot's, stubs, edges), or why there is no comparison."""
    svg, dot = scratch / "picture.svg", scratch / "picture.dot"
    for picture in (svg, dot):
        try:
            done = subprocess.run([program, "draw", file, *arguments, "-o", picture], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "not drawn in a minute"
        if done.returncode != 0:
            return "not drawn"
    ours, stubs = edges_of_svg(svg.read_text())
    text = dot.read_text()
    ends = [[box.removesuffix("in").removesuffix("out") for box in pair]
            for pair in re.findall(r"^  (b\w+) -> (b\w+)", text, re.M)]
    if len(ours) < 3 or len(ours) > MOST_EDGES:
        return "too small" if len(ours) < 3 else "too large"
    theirs = edges_of_dot(text, limit)
    if theirs is None:
        return "dot does not finish"
    if not len(ours) == len(theirs) == len(ends):
        return f"{len(ours)} edges beside {len(theirs)} of dot"
    return (crossings(ours, ends), crossings(theirs, ends), sum(map(length, ours)), sum(map(length, theirs)), stubs, len(ours))


def ratio(ours, theirs):
    """Of counts that may be 0: one is added to both."""
    return (ours + 1) / (theirs + 1)


def summary(title, rows):
    if not rows:
        return
    of_crossings, of_lengths = [ratio(a, b) for a, b, *_ in rows], [row[2] / row[3] for row in rows]
    ninth = lambda values: sorted(values)[int(0.9 * (len(values) - 1))]
    print(f"{title:<42} {len(rows):>5} pictures; crossings {sum(r[0] for r in rows)} : {sum(r[1] for r in rows)}, "
          f"ratio median {statistics.median(of_crossings):.2f}, 90 % {ninth(of_crossings):.2f}; "
          f"length ratio median {statistics.median(of_lengths):.2f}, 90 % {ninth(of_lengths):.2f}", flush=True)


def files_of(paths):
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--sample", type=int, help="so many of the files, the same ones each time")
    parser.add_argument("--limit", type=float, default=10, help="seconds that dot has for a picture")
    parser.add_argument("--each", action="store_true", help="a line per picture")
    options = parser.parse_args()
    files = list(files_of(options.paths))
    if options.sample and options.sample < len(files):
        files = sorted(random.Random(0).sample(files, options.sample))
    with tempfile.TemporaryDirectory() as folder:
        for title, arguments in (("as first shown", []), ("everything opened", ["--all"])):
            rows, left = [], {}
            for file in files:
                found = compared(options.program, file, arguments, pathlib.Path(folder), options.limit)
                if isinstance(found, str):
                    left[found] = left.get(found, 0) + 1
                else:
                    rows.append(found)
                if options.each:
                    print(file, found if isinstance(found, str) else " ".join(f"{x:g}" for x in found), flush=True)
            summary(title, rows)
            summary(title + ", without stubs", [row for row in rows if row[4] == 0])
            print("   left out:", "; ".join(f"{count} {why}" for why, count in left.items()) or "none", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
