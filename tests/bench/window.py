#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU seconds and peak memory of a file from its opening to its picture, beside those of 'inspect', as docs/peers.md has them:

  packaging/env --with-tests python3 -B tests/bench/window.py build/release FILE...

The window is drawn into memory, without a display; what it starts counts. Medians of three. The files of
docs/peers.md are made by make_onnx.py and make_pt2.py.
"""
import os
import pathlib
import statistics
import sys
import tempfile


def measured(command):
    """CPU seconds and MiB of a process and all that it waited for."""
    process = os.fork()
    if process == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.execve(command[0], command, {**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)}: it failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def medians(command):
    runs = [measured(command) for _ in range(3)]
    return statistics.median(seconds for seconds, _ in runs), statistics.median(memory for _, memory in runs)


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    programs = pathlib.Path(sys.argv[1]).resolve() / "app"
    print(f"{'file':<24} {'window s':>9} {'MiB':>6} {'inspect s':>10} {'MiB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for file in sys.argv[2:]:
            window = medians([str(programs / "desktop/cutaway"), file, "--screenshot", f"{folder}/window.png"])
            inspect = medians([str(programs / "cli/cutaway-cli"), "inspect", file])
            print(f"{pathlib.Path(file).name:<24} {window[0]:9.2f} {window[1]:6.0f} {inspect[0]:10.3f} {inspect[1]:6.0f}", flush=True)


if __name__ == "__main__":
    main()
