#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the regions that Cutaway finds in models without modules with the modules that they were written in.

usage: structure.py CUTAWAY_CLI FOLDER [--models NAME...] [--misses]

FOLDER keeps the models of structure_models.py, which is run for those that are missing. Of each a copy is made whose
nodes and values are named n0, t0, … only; `CUTAWAY_CLI print COPY --as structure` finds its regions. A border is a place
between two nodes that compute, in the order that Cutaway gives. Printed for each model:

precision  share of the borders of regions that are borders of a module of at least two nodes
recall     share of the borders of modules of at least four nodes that are borders of a region; but not of modules that
           are all but one or two nodes of what holds them, as what a residual block adds
runs       of sequences of modules of one class, at least four nodes each, that are no containers of such: those whose
           count is that of the blocks found in their place
stable     share of regions that are found again when a node is inserted somewhere, the mean of three places

and the medians of all; exit code 1 if one of these is below its target: 0.8, 0.8, 0.9, 0.9.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys

import onnx

HERE = pathlib.Path(__file__).parent
TARGETS = {"precision": 0.8, "recall": 0.8, "runs": 0.9, "stable": 0.9}
CONTAINERS = {"Sequential", "ModuleList"}
REPETITION = re.compile(r"(?:stage \d+: )?(\d+) × ")
SMALL = 4096  # bytes: of larger weights the elements do not matter


def stripped(path):
    """The model without names, and the module path of each node by its new name."""
    model = onnx.load(path)
    names, homes = {}, {}

    def renamed(name):
        return names.setdefault(name, f"t{len(names)}") if name else ""

    graph = model.graph
    for i, node in enumerate(graph.node):
        homes[f"n{i}"] = [part for part in node.name.split("/")[1:-1]]
        node.name = f"n{i}"
        node.input[:] = [renamed(name) for name in node.input]
        node.output[:] = [renamed(name) for name in node.output]
    for value in [*graph.input, *graph.output, *graph.value_info]:
        value.name = renamed(value.name)
    for weight in graph.initializer:
        weight.name = renamed(weight.name)
        if len(weight.raw_data) > SMALL:
            size = len(weight.raw_data)
            weight.ClearField("raw_data")
            weight.data_location = onnx.TensorProto.EXTERNAL
            for key, value in (("location", "missing"), ("offset", "0"), ("length", str(size))):
                weight.external_data.add(key=key, value=value)
    return model, homes


class Found:
    """The regions of a file: `nodes` that compute, in order; `regions` of title, depth, begin and end in them."""

    def __init__(self, cli, path):
        text = subprocess.run([*cli, "print", str(path), "--as", "structure"], capture_output=True, text=True,
                              check=True).stdout
        self.nodes, self.regions = [], []
        open_regions = []
        for line in text.splitlines():
            depth = (len(line) - len(line.lstrip())) // 2
            while open_regions and open_regions[-1]["depth"] >= depth:
                open_regions.pop()["end"] = len(self.nodes)
            what = line.strip()
            if what.startswith("["):
                region = {"title": what[1:-1], "depth": depth, "begin": len(self.nodes), "end": None}
                self.regions.append(region)
                open_regions.append(region)
            elif not what.startswith("("):
                self.nodes.append(what.split()[-1])
        for region in open_regions:
            region["end"] = len(self.nodes)

    def borders(self):
        found = {border for region in self.regions for border in (region["begin"], region["end"])}
        return found - {0, len(self.nodes)}

    def sets(self):
        return [frozenset(self.nodes[region["begin"]:region["end"]]) for region in self.regions]


def modules_of(found, homes):
    """By module path: the places of its nodes, as a tuple of first and end."""
    places = collections.defaultdict(list)
    for place, node in enumerate(found.nodes):
        path = homes.get(node, [])
        for depth in range(1, len(path) + 1):
            places[tuple(path[:depth])].append(place)
    return {path: (min(all_), max(all_) + 1, len(all_)) for path, all_ in places.items()}


def class_of(path, classes):
    """Scopes are written /layer1/layer1.0/conv1: the last component says the path from a container on."""
    best = ""
    for dotted, name in classes.items():
        parts = []
        for component in path:
            parts = [component] if component.startswith(".".join(parts) + ".") else [*parts, component]
        if dotted.endswith(path[-1]) and len(dotted) >= len(best):
            best = dotted
    return classes.get(best, "")


def runs_of(modules, classes):
    """Sequences of numbered sisters of one class, of four nodes and more: their spans."""
    sisters = collections.defaultdict(list)
    for path, (begin, end, count) in modules.items():
        number = re.search(r"(\d+)$", path[-1])
        if number and count >= 4:
            sisters[path[:-1]].append((int(number.group(1)), class_of(path, classes), begin, end))
    runs = []
    for entries in sisters.values():
        run = []
        for entry in sorted(entries, key=lambda e: e[2]):
            if run and (run[-1][1] != entry[1] or run[-1][0] + 1 != entry[0] or run[-1][3] != entry[2]):
                runs.append(run)
                run = []
            run.append(entry)
        runs.append(run)
    runs = [run for run in runs if len(run) > 1]

    def holds_run(entry):
        return any(run[0][2] >= entry[2] and run[-1][3] <= entry[3] for run in runs if entry not in run)

    return [run for run in runs if run[0][1] not in CONTAINERS and not any(holds_run(entry) for entry in run)]


def is_all_of_parent(path, modules):
    parent = modules.get(path[:-1])
    return parent is not None and parent[2] - modules[path][2] in (1, 2)


def count_in(found, begin, end):
    """Blocks of the outermost repetitions and stages within a span, with a region that stands beside as one."""
    times = 0
    last = begin
    for i, region in enumerate(found.regions):
        if region["begin"] < last or region["begin"] < begin or region["end"] > end:
            continue
        repeated = REPETITION.match(region["title"])
        if repeated:
            times += int(repeated.group(1))
        elif not any(inner["begin"] >= region["begin"] and inner["end"] <= region["end"]
                     and REPETITION.match(inner["title"]) for inner in found.regions[i + 1:]):
            times += 1
        else:
            continue
        last = region["end"]
    return times


def insert(model, place):
    """A copy with a Relu behind a node."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    node = changed.graph.node[place]
    old = node.output[0]
    node.output[0] = "inserted"
    changed.graph.node.insert(place + 1, onnx.helper.make_node("Relu", ["inserted"], [old], name="inserted"))
    return changed


def stability(cli, model, found, folder, seed):
    dice = random.Random(seed)
    main = set(found.nodes)
    places = [i for i, node in enumerate(model.graph.node) if node.name in main and len(node.output) == 1]
    before = set(found.sets())
    shares = []
    for _ in range(3):
        path = folder / "changed.onnx"
        onnx.save(insert(model, dice.choice(places)), path)
        after = {frozenset(nodes - {"inserted"}) for nodes in Found(cli, path).sets()}
        shares.append(len(before & after) / max(len(before), 1))
    return statistics.mean(shares)


def judge(cli, name, folder, show):
    model, homes = stripped(folder / f"{name}.onnx")
    classes = json.loads((folder / f"{name}.json").read_text())
    path = folder / "stripped" / f"{name}.onnx"
    path.parent.mkdir(exist_ok=True)
    onnx.save(model, path)
    found = Found(cli, path)
    modules = modules_of(found, homes)
    count = len(found.nodes)
    edges = {border for begin, end, size in modules.values() if size >= 2 for border in (begin, end)} - {0, count}
    judged = {path: module for path, module in modules.items() if module[2] >= 4 and not is_all_of_parent(path, modules)}
    blocks = {border for begin, end, _ in judged.values() for border in (begin, end)} - {0, count}
    borders = found.borders()
    runs = runs_of(modules, classes)
    good = [run for run in runs if count_in(found, run[0][2], run[-1][3]) == len(run)]
    if show:
        for region in found.regions:
            wrong = [b for b in (region["begin"], region["end"]) if b not in edges and b not in (0, count)]
            if wrong:
                print(f"  no module: [{region['title']}] {found.nodes[region['begin']]} … "
                      f"{found.nodes[region['end'] - 1]}: {'begin ' if region['begin'] in wrong else ''}"
                      f"{'end' if region['end'] in wrong else ''}, beside {'/'.join(homes[found.nodes[wrong[0] - 1]])}")
        for module, (begin, end, size) in judged.items():
            missed = [b for b in (begin, end) if b not in borders and b not in (0, count)]
            if missed:
                print(f"  not found: {'/'.join(module)} of {size} nodes: {len(missed)} of 2")
        for run in runs:
            if run not in good:
                print(f"  run of {len(run)} {run[0][1]} has {count_in(found, run[0][2], run[-1][3])} blocks")
    return {"precision": len(borders & edges) / len(borders) if borders else 0.0,
            "recall": len(borders & blocks) / len(blocks) if blocks else 1.0,
            "runs": len(good) / len(runs) if runs else None,
            "stable": stability(cli, model, found, folder, name), "regions": len(found.regions)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", nargs="*")
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    if not list(arguments.folder.glob("*.json")):
        subprocess.run([sys.executable, "-B", str(HERE / "structure_models.py"), str(arguments.folder)], check=True)
    names = arguments.models or sorted(path.stem for path in arguments.folder.glob("*.json"))
    results = {}
    print(f"{'model':22}{'precision':>10}{'recall':>10}{'runs':>10}{'stable':>10}{'regions':>10}")
    for name in names:
        if not (arguments.folder / f"{name}.onnx").exists():
            continue
        result = results[name] = judge([arguments.cli], name, arguments.folder, arguments.misses)
        print(f"{name:22}" + "".join(f"{'-' if result[k] is None else format(result[k], '.2f'):>10}" for k in TARGETS)
              + f"{result['regions']:>10}", flush=True)
    medians = {}
    for key in TARGETS:
        values = [result[key] for result in results.values() if result[key] is not None]
        medians[key] = statistics.mean(values) if key == "runs" else statistics.median(values)
    print(f"{'median (runs: mean)':22}" + "".join(f"{medians[key]:>10.2f}" for key in TARGETS))
    return 0 if all(medians[key] >= target for key, target in TARGETS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
