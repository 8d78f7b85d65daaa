#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a profile can be believed, on this machine and now:

  tests/bench/profile_honesty.py [--threads N] [--rounds N] [--seconds S] CLI FILE [ARGUMENT...] [-- FILE...]

Each FILE, with its arguments (--input x=1x3x224x224), is profiled by `torch` and, a TorchScript file, by TorchScript's
own interpreter, in turns. Told are the medians, over the rounds, of
  nodes / run   the sum of a run's nodes by the time of a run without clocks; 1: nothing is lost and nothing invented
  run / theirs  the time of a run by that in TorchScript's interpreter in the same round
and the least and the most of them, as machines are noisy.
"""
import argparse
import itertools
import json
import statistics
import subprocess
import sys


def profile(cli, arguments, backend, options):
    command = [cli, "profile", *arguments, "--backend", backend, "--json", "--seconds", str(options.seconds)]
    if options.threads:
        command += ["--threads", str(options.threads)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def spread(ratios):
    return f"{statistics.median(ratios):5.3f} ({min(ratios):.3f} … {max(ratios):.3f})" if ratios else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("cli")
    parser.add_argument("files", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    print(f"{'a run':>10}  {'nodes / run':22}  {'run / theirs':22}  file")
    for is_between, arguments in itertools.groupby(options.files, lambda argument: argument == "--"):
        if is_between:
            continue
        arguments, whole, nodes, theirs = list(arguments), [], [], []
        for _ in range(options.rounds):
            ours = profile(options.cli, arguments, "torch", options)
            whole.append(ours["whole_ms"]["median"])
            nodes.append(ours["sum_ms"] / whole[-1])
            if arguments[0].endswith(".pt"):
                other = profile(options.cli, arguments, "torch/torchscript", options)
                theirs.append(whole[-1] / other["whole_ms"]["median"])
        print(f"{statistics.median(whole):7.1f} ms  {spread(nodes):22}  {spread(theirs):22}  {arguments[0]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
