#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_core_aten.py > core_aten.txt

Takes from the PyTorch that is installed which overloads it tags as core ATen: its version in the first line, then an
overload per line, sorted bytewise: "aten::add.Tensor".
"""
import torch


def core_overloads():
    for name in torch._C._dispatch_get_all_op_names():
        dialect, rest = name.split("::")
        operator, _, overload = rest.partition(".")
        packet = getattr(getattr(torch.ops, dialect), operator, None)
        if packet is not None and torch.Tag.core in getattr(packet, overload or "default").tags:
            yield name


def main():
    print("torch", torch.__version__.partition("+")[0])
    for name in sorted(core_overloads()):
        print(name)


if __name__ == "__main__":
    main()
