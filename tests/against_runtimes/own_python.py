#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the plugins `torch` and `torch-python` against each other: the same answers, and times within the noise.

usage: own_python.py CUTAWAY_CLI [FILE...] [--seconds 2] [--rounds 2] [--threads 1] [--apart 0.3] [--lost 0.05] [--python PATH]

Without files, some are made here with random weights, as .pt2 and as TorchScript: a ResNet of 18 layers, an encoder layer of a
transformer, an LSTM.
Each is run by both plugins, and profiled by them in turn, some rounds: of all rounds the smallest figure counts, since a
machine that is busy only ever adds to one. Prints for each the median time of a run, what is in its nodes, and the nodes
that take a twentieth of it or more. Exit code 1 if results differ, if the nodes of one are not those of the other, if the
times of whole runs are further apart than `--apart`, as a share of the longer one, or if what the nodes of a run take is
further from the time of a run without clocks than `--lost`. That is told by the twentieth of the runs that were least
delayed: on a busy machine every run is delayed at some node, and each node in few runs, so that the medians of the nodes
come to much less than the median of the runs. PATH is the Python of torch-python, by default that of the PATH.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

BACKENDS = "torch", "torch-python"


def basic_block(torch, channels, out, stride):
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())
            self.second = nn.Sequential(nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out))
            self.shortcut = nn.Sequential() if stride == 1 and channels == out else nn.Sequential(
                nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))

        def forward(self, x):
            return torch.relu(self.second(self.first(x)) + self.shortcut(x))
    return Block()


def made(folder):
    import torch
    nn = torch.nn
    torch.manual_seed(0)
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    for channels, out, stride in ((64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)):
        layers += [basic_block(torch, channels, out, stride), basic_block(torch, out, out, 1)]
    resnet = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))
    encoder = nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True)
    for name, module, x in (("resnet18", resnet, torch.rand(1, 3, 224, 224)),
                            ("transformer", encoder, torch.rand(4, 128, 256)),
                            ("lstm", nn.LSTM(128, 256, 2), torch.rand(64, 8, 128))):
        path = os.path.join(folder, name + ".pt2")
        torch.export.save(torch.export.export(module.eval(), (x,), strict=name == "lstm"), path)
        yield path, []
        path = os.path.join(folder, name + ".pt")
        traced = torch.jit.trace(module.eval(), x, check_trace=False)
        traced.save(path)
        input_name = traced.forward.schema.arguments[1].name
        yield path, ["--input", f"{input_name}={'x'.join(map(str, x.shape))}:float32"]  # TorchScript has no sizes


def said(arguments, *options):
    command = [arguments.cli, *options] + (["--python", arguments.python] if arguments.python else [])
    return subprocess.run(command, capture_output=True, text=True)


def profiled(arguments, path, backend, inputs):
    answer = said(arguments, "profile", path, *inputs, "--backend", backend, "--seconds", str(arguments.seconds), "--threads",
                  str(arguments.threads), "--json")
    if answer.returncode != 0:
        sys.exit(f"{path}, {backend}: {answer.stderr}")
    return json.loads(answer.stdout)


class Times:
    """The smallest figures of several profiles, in milliseconds."""

    def __init__(self):
        self.whole = self.sum = self.quick_whole = self.quick_sum = float("inf")
        self.nodes, self.libraries = {}, []

    def add(self, profile):
        whole, in_nodes = profile["whole_ms"], profile["in_nodes_ms"]
        self.whole, self.quick_whole = min(self.whole, whole["median"]), min(self.quick_whole, whole["p5"])
        self.sum, self.quick_sum = min(self.sum, in_nodes["median"]), min(self.quick_sum, in_nodes["p5"])
        self.libraries = profile["machine"]["libraries"]
        for node in profile["nodes"]:
            key, median = (*node["ids"], node["name"], node["op"]), node["ms"]["median"]
            self.nodes[key] = min(self.nodes.get(key, median), median)


def held(arguments, path, inputs):
    """What is wrong with this model, in sentences."""
    compared = said(arguments, "compare", path, *inputs, "--backend", BACKENDS[0], "--backend", BACKENDS[1])
    print(f"{os.path.basename(path)}: {(compared.stdout or compared.stderr).strip().splitlines()[-1]}")
    both = [Times() for _ in BACKENDS]
    for _ in range(arguments.rounds):
        for backend, times in zip(BACKENDS, both):
            times.add(profiled(arguments, path, backend, inputs))
    for backend, times in zip(BACKENDS, both):
        print(f"  {backend:12} a run {times.whole:9.3f} ms, its nodes {times.sum:9.3f} ms, whole / sum "
              f"{times.quick_whole / times.quick_sum:.3f}; {', '.join(times.libraries)}")
    first, second = (times.nodes for times in both)
    for key in sorted(first.keys() & second.keys(), key=lambda key: -first[key]):
        if first[key] >= 0.05 * both[0].sum:
            print(f"    {key[-2]:12} {key[-1]:45} {first[key]:9.3f} ms {second[key]:9.3f} ms")
    longest, shortest = (pick(times.whole for times in both) for pick in (max, min))
    if compared.returncode != 0:
        yield f"{path}: the results differ: {compared.stdout}{compared.stderr}"
    # TorchScript's interpreter tells no calls of operators on numbers, which take next to no time.
    least = 0.05 * both[0].sum if path.endswith(".pt") else 0
    if others := [key for key in first.keys() ^ second.keys() if first.get(key, second.get(key)) >= least]:
        yield f"{path}: other nodes are timed: {sorted(others, key=str)}"
    if longest - shortest > arguments.apart * longest:
        yield f"{path}: a run takes {shortest} ms with one and {longest} ms with the other"
    for backend, times in zip(BACKENDS, both):
        if abs(times.quick_whole - times.quick_sum) > arguments.lost * times.quick_whole:
            yield f"{path}, {backend}: a run takes {times.quick_whole} ms and its nodes {times.quick_sum} ms"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--apart", type=float, default=0.3)
    parser.add_argument("--lost", type=float, default=0.05)
    parser.add_argument("--python")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = [fault for path, inputs in [(file, []) for file in arguments.files] or made(folder)
                  for fault in held(arguments, path, inputs)]
    print("\n".join(faults) or "both give the same")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
