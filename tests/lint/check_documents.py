#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the documents for developers to the sources: they are short, and what they name is there.

usage: check_documents.py [ROOT]     prints FILE:LINE: what is wrong [rule]; exit code 1 if anything is
"""
import pathlib
import re
import sys

import check_tree

ARCHITECTURE = "docs/architecture.md"
DEVELOPERS = "docs/developers.md"
TABLE = "## Adding something"  # the section of DEVELOPERS whose rows name what to touch
PARENTS = ("core", "app")  # each folder below them has a README.md,
FOLDERS = ("views", "plugins", "tests", "packaging", "resources")  # and each of these
MAX_WORDS = {ARCHITECTURE: 1200}
MAX_README_WORDS = 300

FENCE = re.compile(r"^ *(```|~~~)")
CODE_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]*|\w[\w.-]*\.(?:cpp|def|graph|h|json|md|py|txt)")
SCHEMA = re.compile(r"cutaway\.[\w-]+/\d+")  # "cutaway.report/1" is no path
NAME = re.compile(r"(?:\w+::)*([A-Za-z_]\w*)(?:\(\))?")
EXAMPLE = re.compile(r"(?:^|[/_])(?:NAME\b|my[_-])")  # what a reader is to make: "tests/fuzz/fuzz_NAME.cpp"
WORD = re.compile(r"\w+")
INCLUDES = r"`{}` includes (no other layer|`\w+`(?:(?:,| and) `\w+`)*)"  # "`ops` includes `base` and `ir`"
INCLUDED_LAYER = re.compile(r'#\s*include "core/(\w+)/')
SOURCES = check_tree.SOURCES | check_tree.SCRIPTS | {".def"}


def without_blocks(text):
    """The text with the lines of fenced blocks emptied."""
    lines, inside = [], False
    for line in text.splitlines():
        is_fence = FENCE.match(line) is not None
        lines.append("" if inside or is_fence else line)
        inside ^= is_fence
    return "\n".join(lines)


def section(text, heading):
    """The text with everything outside of this section emptied, so that lines keep their numbers."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith("## "):
            inside = line == heading
        lines.append(line if inside else "")
    return "\n".join(lines)


def word_count(text):
    """Words as a reader counts them: borders of tables and lines of pictures are none."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


class Tree:
    """What documents may name: the files of a tree, their folders, and the words of its sources."""

    def __init__(self, root):
        self.root = root
        self.files = set(check_tree.tracked_files(root))
        self.folders = {folder for path in self.files for folder in path.parents}
        self.base_names = {path.name for path in self.files}
        self.words = {part for path in self.files for name in path.parts for part in WORD.findall(name)}
        self.included = {}  # the other layers that each layer of core includes
        for path in self.files:
            if path.suffix in SOURCES or path.name == "CMakeLists.txt":
                text = (root / path).read_text(encoding="utf-8", errors="replace")
                self.words.update(WORD.findall(text))
                if path.parts[0] == "core":
                    self.included.setdefault(path.parts[1], set()).update(INCLUDED_LAYER.findall(text))

    def text(self, name):
        path = pathlib.PurePosixPath(name)
        return (self.root / path).read_text(encoding="utf-8") if path in self.files else None

    def has(self, name, page):
        """Whether there is such a file or folder, from the root or from the page's own folder."""
        if "/" not in name:
            return name in self.base_names
        return any(place in self.files or place in self.folders
                   for place in (pathlib.PurePosixPath(name), page.parent / name))


def documented_folders(tree):
    """The folders that have to have a README.md."""
    below = {folder for folder in tree.folders if len(folder.parts) == 2 and folder.parts[0] in PARENTS}
    return sorted(below | {folder for folder in tree.folders if str(folder) in FOLDERS})


def check_names(tree, page, text):
    """Code spans that are paths or names of code have to be there."""
    text = without_blocks(text)
    for match in CODE_SPAN.finditer(text):
        line, span = text.count("\n", 0, match.start()) + 1, " ".join(match[1].split())
        if EXAMPLE.search(span):
            continue
        if PATH.fullmatch(span) and not SCHEMA.fullmatch(span):
            if not tree.has(span, page):
                yield line, "path", f"'{span}' is no file or folder"
        elif (name := NAME.fullmatch(span)) and name[1] not in tree.words:
            yield line, "name", f"'{span}' is in no source"


def check_includes(tree, layer, text):
    """The page of a layer says which other layers it includes."""
    match = re.search(INCLUDES.format(layer), " ".join(text.split()))
    said = set(re.findall(r"`(\w+)`", match[1])) if match else set()
    there = tree.included.get(layer, set()) - {layer}
    if not match:
        yield 1, "includes", f"the page does not say which layers '`{layer}` includes'"
    elif said != there:
        wrong = [f"includes {name}" for name in sorted(there - said)]
        wrong += [f"does not include {name}" for name in sorted(said - there)]
        yield 1, "includes", f"the layer {', '.join(wrong)}; the page says otherwise"


def check_size(text, limit):
    if (count := word_count(text)) > limit:
        yield 1, "words", f"{count} words; this page has {limit} at most"


def check_picture(text):
    """The picture in the architecture has the layers of core as check_tree knows them, the lowest at the bottom."""
    first = [line.split()[0] for line in text.split("```")[1].splitlines() if line.split()] if "```" in text else []
    drawn = [word for word in first if word in check_tree.CORE_LAYERS]
    if drawn[::-1] != check_tree.CORE_LAYERS:
        missing = ", ".join(sorted(set(check_tree.CORE_LAYERS) - set(drawn)))
        yield 1, "layers", f"the picture lacks {missing}" if missing else "the picture has the layers in another order"


def check_table(text):
    """Each row says what to touch: a path at least."""
    rows = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.startswith("| ")]
    if len(rows) < 2:
        yield 1, "table", f"there is no table below '{TABLE}'"
    for number, line in rows[1:]:
        if not any(PATH.fullmatch(span) or span in FOLDERS for span in CODE_SPAN.findall(line.split("|")[2])):
            yield number, "table", "the row names no file or folder to touch"


def findings(root):
    """All findings as (file, line, rule, message)."""
    tree, found = Tree(root), []

    def note(page, faults):
        found.extend((str(page), *fault) for fault in faults)

    for folder in documented_folders(tree):
        page = folder / "README.md"
        text = tree.text(page)
        if text is None:
            note(page, [(1, "readme", "the folder has no page that says what it is for")])
            continue
        note(page, check_size(text, MAX_README_WORDS))
        note(page, check_names(tree, page, text))
        if folder.name in check_tree.CORE_LAYERS and folder.parts[0] == "core":
            note(page, check_includes(tree, folder.name, text))
    architecture, developers = tree.text(ARCHITECTURE) or "", tree.text(DEVELOPERS) or ""
    note(ARCHITECTURE, check_size(architecture, MAX_WORDS[ARCHITECTURE]))
    note(ARCHITECTURE, check_picture(architecture))
    note(ARCHITECTURE, check_names(tree, pathlib.PurePosixPath(ARCHITECTURE), architecture))
    note(DEVELOPERS, check_table(section(developers, TABLE)))
    note(DEVELOPERS, check_names(tree, pathlib.PurePosixPath(DEVELOPERS), developers))
    return found


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    found = findings(root)
    for path, number, rule, message in found:
        print(f"{path}:{number}: {message} [{rule}]")
    print(f"check_documents: {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
