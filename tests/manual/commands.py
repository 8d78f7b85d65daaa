#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes the commands of the manual's console blocks with the built cutaway-cli, each page in a folder of its own.

usage: commands.py CLI [--rewrite] [PAGE...]     of all pages, or those named; exit code 1 if a command does something else

A block is commands, each with what it prints, standard error included:

    ```console
    $ cutaway-cli lint small_vision.onnx      # exit code 0 is expected; else it is said so: exit code 1
    small_vision.onnx: no findings
    ```

Where output is quoted it is compared: a line "…" stands for any number of lines, "…" in a line for the rest of it, or for
what lies between its two parts. The comment <!-- needs: onnxruntime --> before a block asks for a plugin; without it the
block is left out. What stands below <!-- file: NAME --> is a file of that name; those of docs/logs that a page names are there.
--rewrite puts what commands print in place of the line OUTPUT.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pages

PATIENCE = 240
LOGS = pages.DOCS / "logs"
BENCH = pages.SOURCE / "tests" / "bench"
MADE = {"resnet50.onnx": ("make_onnx.py", "resnet50"), "resnet50.pt2": ("make_pt2.py", "resnet50"),
        "llama.pt2": ("make_pt2.py", "llama"), "small_resnet.pt2": ("make_pt2.py", "small_resnet")}


class Command:
    """A command of a block, and what the page says that it prints."""

    def __init__(self, page, number, text):
        self.page, self.number, self.text, self.quoted = page, number, text, []
        code = re.search(r"#.*exit code (\d+)\s*$", text)
        self.code = int(code[1]) if code else 0

    def place(self):
        return f"{self.page.relative_to(pages.SOURCE)}:{self.number}"

    def expected(self):
        """What the quoted output matches."""
        pattern = ""
        for line in self.quoted:
            if line.strip() == "…":
                pattern += r"(?:.*\n)*?"
            else:
                pattern += "[^\n]*".join(re.escape(part) for part in line.rstrip().split("…")) + r" *\n"
        return re.compile(pattern + r"\Z")


def commands_of(page, plugins):
    """The commands of a page, in its order; those that need a plugin only where that is there."""
    text = page.read_text()
    lines = text.splitlines()
    found = []
    for number, language, block in pages.blocks(text):
        needs = re.match(r"\s*<!-- needs: (\w+) -->", lines[number - 3]) if number >= 3 else None
        if language != "console" or (needs and needs[1] not in plugins):
            continue
        for offset, line in enumerate(block):
            if line.startswith("$ "):
                found.append(Command(page, number + offset, line[2:]))
            elif found and offset:
                found[-1].quoted.append(line)
    return found


def files_of(text):
    """Names and contents of the files that a page shows."""
    lines = text.splitlines()
    for number, _, block in pages.blocks(text):
        name = re.match(r"\s*<!-- file: ([\w.-]+) -->", lines[number - 3]) if number >= 3 else None
        if name:
            yield name[1], "\n".join(block) + "\n"


def without_trailing_blanks(text):
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


class Room:
    """A folder with the models that a page speaks of, a home, and cutaway-cli on the path."""

    def __init__(self, folder, cli, text):
        self.folder, home, programs = pathlib.Path(folder) / "models", pathlib.Path(folder) / "home", pathlib.Path(folder) / "bin"
        for each in (self.folder, home, programs):
            each.mkdir()
        (programs / "cutaway-cli").symlink_to(cli)
        shutil.copy(pages.SOURCE / "resources/samples/small_vision.onnx", self.folder)
        for name, (script, what) in MADE.items():
            if name in text:
                subprocess.run([sys.executable, "-B", BENCH / script, what, self.folder / name], check=True, stdout=subprocess.DEVNULL)
        for log in LOGS.iterdir():
            if log.is_file() and log.name in text:
                shutil.copy(log, self.folder)
                if (files := LOGS / f"{log.name}.files").is_dir():
                    shutil.copytree(files, self.folder / files.name)
        for name, content in files_of(text):
            (self.folder / name).write_text(content)
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "dumb",
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c",
                            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c"}
        for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def run(self, command):
        """Exit code and output."""
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.folder, env=self.environment, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, without_trailing_blanks(done.stdout.decode().replace(str(self.folder) + "/", ""))


def plugins_of(cli):
    listing = subprocess.run([cli, "plugins", "--json"], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r'"name":\s*"(\w+)"', listing))


def faults_of(page, cli, plugins, rewrites):
    """What is not as the page says."""
    commands = commands_of(page, plugins)
    if not commands:
        return
    replaced = {}
    with tempfile.TemporaryDirectory(prefix="manual") as folder:
        room = Room(folder, cli, page.read_text())
        for command in commands:
            code, output = room.run(command.text)
            if rewrites and command.quoted == ["OUTPUT"]:
                replaced[command.number] = output.rstrip("\n").split("\n")
            elif command.quoted and not command.expected().match(output):
                yield f"{command.place()}: '{command.text}' prints something else:\n{output}"
            if code != command.code:
                yield f"{command.place()}: '{command.text}' has exit code {code}, not {command.code}:\n{output}"
    if replaced:
        lines = []
        for number, line in enumerate(page.read_text().split("\n"), 1):
            lines += replaced[number - 1] if number - 1 in replaced else [line]
        page.write_text("\n".join(lines))


def main(arguments):
    rewrites = "--rewrite" in arguments
    names = [argument for argument in arguments if not argument.startswith("--")]
    if not names:
        raise SystemExit(__doc__)
    cli = pathlib.Path(names[0]).resolve()
    chosen = [pathlib.Path(name).resolve() for name in names[1:]] or pages.pages()
    plugins = plugins_of(cli)
    count, faults = 0, []
    for page in chosen:
        count += len(commands_of(page, plugins))
        faults += faults_of(page, cli, plugins, rewrites)
    print("\n".join(faults + [f"{count} commands of {len(chosen)} pages, {len(faults)} faults"]))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
