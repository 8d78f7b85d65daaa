#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_core_aten.py > core_aten.txt

Writes the overloads of aten that the installed torch tags as core, sorted, one a line: "add.Tensor" or "addmm". The
first line names the version of torch.
"""
import torch


def main():
    print("torch " + torch.__version__.split("+")[0])
    names = []
    for packet_name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, packet_name)
        for overload in packet.overloads() if hasattr(packet, "overloads") else ():
            if torch.Tag.core in getattr(packet, overload).tags:
                names.append(packet_name + ("" if overload == "default" else "." + overload))
    print("\n".join(sorted(names)))


if __name__ == "__main__":
    main()
