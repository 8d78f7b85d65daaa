#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""picture_colours.py PNG RRGGBB...: exit code 1, and the missing ones, unless the picture has points of all these colours.

The picture has eight bits for each of red, green, blue and perhaps opacity, in rows, as Qt writes it.
"""
import pathlib
import struct
import sys
import zlib

CHANNELS = {2: 3, 6: 4}  # by PNG's colour types


def chunks(content):
    at = 8
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        yield kind, content[at + 8:at + 8 + length]
        at += length + 12


def predicted(kind, left, above, corner):
    """What a byte was written as the difference from, by the filter of its row."""
    if kind == 4:
        distances = [(abs(above - corner), 0, left), (abs(left - corner), 1, above), (abs(left + above - 2 * corner), 2, corner)]
        return min(distances)[2]
    return (0, left, above, (left + above) // 2)[kind]


def colours(content):
    """All colours of the points of a PNG file."""
    parts = list(chunks(content))
    width, height, _, kind = struct.unpack_from(">IIBB", parts[0][1])
    step = CHANNELS[kind]
    rows = zlib.decompress(b"".join(data for name, data in parts if name == b"IDAT"))
    size, found, above = width * step, set(), bytes(width * step)
    for number in range(height):
        start = number * (size + 1)
        row = bytearray(rows[start + 1:start + 1 + size])
        if rows[start]:
            for i in range(size):
                left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
                row[i] = (row[i] + predicted(rows[start], left, above[i], corner)) & 255
        found.update(bytes(row[i:i + 3]).hex() for i in range(0, size, step))
        above = row
    return found


def main():
    found = colours(pathlib.Path(sys.argv[1]).read_bytes())
    missing = [colour for colour in sys.argv[2:] if colour not in found]
    if missing:
        sys.exit(f"{sys.argv[1]}: of its {len(found)} colours none is {' or '.join(missing)}")


if __name__ == "__main__":
    main()
