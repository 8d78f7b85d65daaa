#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""wheel.py UNPACKED SOURCE FOLDER: writes into FOLDER the wheel of an unpacked archive, cutaway-VERSION-x86_64, and prints
where it is.

The package for Python is that of the archive, app/python/client, which finds all else of the archive in its folder `bundled`.
It is plain Python, and the module itself runs in a process of the archive's own Python. A module that the user's Python loads
would have to be built for each of its versions before 3.12, where the stable ABI begins, against the oldest glibc, with all
that it is made of; Debian does not have all of these versions; and it would share its process with the libraries of torch and
onnx. A call costs some 50 microseconds instead of one.

The times of its files are those in the archive.
"""
import base64
import csv
import hashlib
import io
import pathlib
import re
import sys
import time
import zipfile

# Nothing of it is loaded by the user's Python. Its programs bring along all libraries, with a newer glibc, and start by its
# loader: what looks at the symbols that they need, as auditwheel, cannot know. They are tested on Debian 11, with glibc 2.31.
TAG = "py3-none-manylinux_2_31_x86_64"
PACKAGES = ["cutaway", "cutaway_live", "cutaway_record", "cutaway_remote", "cutaway_window"]
ENTRY_POINTS = """[console_scripts]
cutaway = cutaway._client.programs:window
cutaway-cli = cutaway._client.programs:command_line
"""
WHEEL = f"""Wheel-Version: 1.0
Generator: packaging/wheel
Root-Is-Purelib: false
Tag: {TAG}
"""
METADATA = """Metadata-Version: 2.4
Name: cutaway
Version: {version}
Summary: Viewer of neural networks: PyTorch and ONNX models as graphs, with what they cost
Author: The Cutaway authors
License-Expression: GPL-3.0-or-later
{licences}Keywords: pytorch,torchscript,onnx,neural-network,graph,profiler,viewer
Platform: Linux x86-64
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Environment :: X11 Applications :: Qt
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{description}"""
DESCRIPTION = """# Cutaway

*A cutaway drawing shows how a machine works by removing part of its shell.* Cutaway does that for neural networks: it opens a
TorchScript, torch.export `.pt2`, torch.fx or ONNX model, and shows what is in it as a graph of modules, operators and shapes,
with what each costs in operations, memory and time. It runs passes, compares models, and answers the same questions on the
command line and in Python. It runs nothing that a file contains.

- `cutaway model.onnx` opens the window, `cutaway --install-desktop` puts it into the menu;
- `cutaway-cli inspect model.onnx` answers on the command line, `cutaway-cli --help` says what else;
- `import cutaway` opens models in Python, see `help(cutaway)`.

It needs no other package, neither torch nor onnx. ONNX models are run and profiled by the ONNX Runtime that it brings along.
It runs on Linux on x86-64.
"""
# What only a system that is installed for everybody reads, and what pip has its own place for.
LEFT_OUT = ("README", "licences/", "python/", "share/man/", "share/bash-completion/", "share/zsh/", "share/fish/",
            "share/metainfo/")


class Wheel:
    """A zip archive whose last file lists all of them."""

    def __init__(self, path, name, date):
        self._zip, self._date = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9), date
        self._record, self._information = [], f"{name}.dist-info"

    def add(self, place, content, executable=False):
        entry = zipfile.ZipInfo(place, self._date)
        entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self._zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append((place, f"sha256={digest}", len(content)))

    def add_file(self, path, place):
        self.add(place, path.read_bytes(), bool(path.stat().st_mode & 0o100))

    def add_information(self, name, content):
        self.add(f"{self._information}/{name}", content)

    def close(self):
        record = io.StringIO()
        csv.writer(record, lineterminator="\n").writerows([*self._record, (f"{self._information}/RECORD", "", "")])
        self.add_information("RECORD", record.getvalue().encode())
        self._zip.close()


def files_of(folder):
    """The files of a folder, each with its name within it."""
    return [(path, path.relative_to(folder).as_posix()) for path in sorted(folder.rglob("*")) if path.is_file()]


def add_information(wheel, version, licences):
    """What pip wants to know."""
    for name, content in licences.items():
        wheel.add_information(f"licenses/{name}", content)
    lines = "".join(f"License-File: {name}\n" for name in licences)
    wheel.add_information("METADATA", METADATA.format(version=version, licences=lines, description=DESCRIPTION).encode())
    wheel.add_information("WHEEL", WHEEL.encode())
    wheel.add_information("entry_points.txt", ENTRY_POINTS.encode())
    wheel.add_information("top_level.txt", "".join(f"{package}\n" for package in PACKAGES).encode())


def main():
    unpacked, source, folder = (pathlib.Path(argument) for argument in sys.argv[1:4])
    version = re.fullmatch(r"cutaway-(.+)-x86_64", unpacked.name)[1]
    path = folder / f"cutaway-{version}-{TAG}.whl"
    part = path.with_suffix(".part")
    date = max(time.gmtime((unpacked / "README").stat().st_mtime)[:6], (1980, 1, 1, 0, 0, 0))
    wheel = Wheel(part, f"cutaway-{version}", date)
    for package in PACKAGES:
        for file, name in files_of(unpacked / "python" / package):
            wheel.add_file(file, f"{package}/{name}")
    for file, name in files_of(unpacked):
        if not name.startswith(LEFT_OUT):
            wheel.add_file(file, f"cutaway/bundled/{name}")
    licences = {"LICENSE": (source / "LICENSE").read_bytes()}
    licences |= {f"libraries/{name}": file.read_bytes() for file, name in files_of(unpacked / "licences")}
    add_information(wheel, version, licences)
    wheel.close()
    part.rename(path)
    print(path)


if __name__ == "__main__":
    main()
