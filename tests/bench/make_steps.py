#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes graphs as torch.fx prints them, each with a few nodes changed: make_steps.py GRAPHS NODES FILE"""
import sys


def graph(number, nodes):
    yield 'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[4, 4]"):\n'
    last = "x"
    for node in range(nodes):
        if node == number * 7 + 3:  # it is gone, and that of the step before is there again
            continue
        op = "relu" if node % 2 else "sin"
        yield f'        n{node}: "f32[4, 4]" = torch.ops.aten.{op}.default({last});  {last} = None\n'
        last = f"n{node}"
    yield f"        return ({last},)\n\n"


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        for number in range(int(sys.argv[1])):
            file.writelines(graph(number, int(sys.argv[2])))


if __name__ == "__main__":
    main()
