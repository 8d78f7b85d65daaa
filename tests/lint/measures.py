#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""measures.py [--comments N [--seed N]]: measures of the sources that a reviewer would ask for, before and after a change.

Each is printed with its goal. Nothing here fails: limits are held by check_tree.py and check_documents.py. With
--comments it prints so many random comments instead, to be judged by somebody who did not write them. Three further
goals cannot be read from the sources: of 100 such comments 90 are clear and none needs the code; a complete operator
takes three files and three of tests; and benchmarks and build times get no worse.
"""
import argparse
import pathlib
import random
import re

import check_documents
import check_tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIPPED = ("core", "views", "app", "plugins")
FRAGMENT = re.compile(r"^(?:Of|What|Both|Such|Those|The same)\b")
NO_SENTENCE = re.compile(r"-{4}|(?:end of )?namespace\b")  # headings of sections, and what closes a namespace
DECLARATION = re.compile(r"(?!namespace|using|template|public:|protected:|private:|signals:|extern|static_assert)[A-Za-z_\[]")
FORWARD = re.compile(r"(?:class|struct|enum class) [\w:]+;$")
HANDED_ON = re.compile(r"!\*?(\w+)\)\s*return std::unexpected\((?:std::move\()?\*?\1(?:\.|->)error\(\)\)*(?:;|\.in\(|\.noting\()"
                       r"|return (\w+) \?[^;]*: std::unexpected\((?:std::move\()?\2\.error\(\)")
BRANCH = re.compile(r"\b(?:if|for|while|case|catch)\b|&&|\|\||\?")
CLASS = re.compile(r"^(?:class|struct) (?:\w+_EXPORT )?(\w+)(?: final)?(?: :[^;{]*)?(?: {|$)", re.MULTILINE)


def percentile(numbers, share=0.95):
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def functions(code):
    """The lines of each function body: clang-format puts its brace on a line of its own."""
    for start, line in enumerate(code):
        if line.strip() == "{":
            end = start + 1
            while end < len(code) and not code[end].startswith(line.replace("{", "}")):
                end += 1
            yield code[start + 1:end]


def comments(lines):
    """Comments as texts, those of neighbouring lines joined."""
    text = []
    for line in lines + [""]:
        found = re.match(r"\s*///?<? ?(.*)", line)
        trailing = None if found else re.search(r"\S.*?//(?:/<)? (.*)$", line)
        if found and "SPDX" not in line:
            text.append(found[1])
            continue
        if text and not NO_SENTENCE.match(text[0]):
            yield " ".join(text)
        text = []
        if trailing and '"' not in line and not NO_SENTENCE.match(trailing[1]):
            yield trailing[1]


def methods_of_classes(text):
    """(name, declared functions) of each class of a header."""
    for match in CLASS.finditer(text):
        end = re.compile(r"^};", re.MULTILINE).search(text, match.end())
        body = text[match.end():end.start()] if end else ""
        declared = re.findall(r"^    (?!using|friend|///|//|return|struct|class|enum)[\w:<>,&*\[\]~ ]*?\b(?!if\b|for\b|while\b|switch\b)"
                              r"(~?\w+|operator\S+)\(", body, re.MULTILINE)
        yield match[1], len(declared)


def contracts(lines):
    """Tells of each type and function that a header declares outside of classes whether a comment states its contract.

    A comment covers all declarations below it up to the next empty line.
    """
    covered, previous = False, ""
    for line in lines:
        stripped = line.strip()
        begins = not previous or previous.endswith((";", "{", "}")) or previous.startswith(("///", "#", "template"))
        covered = bool(stripped) and (covered or stripped.startswith("///"))
        if begins and DECLARATION.match(line) and not FORWARD.match(line):
            yield covered or "///<" in line
        previous = stripped


def names_compared(path, code):
    """Counts comparisons of an operator's or a format's name with a literal in a layer that is to ask the row instead."""
    if path.parts[0] not in ("core", "views", "app"):
        return 0
    rooms = {check_tree.NAMED_OPERATOR: check_tree.OPERATOR_ROOMS, check_tree.NAMED_FORMAT: check_tree.FORMAT_ROOMS}
    directly = sum(bool(name.search(line)) for name, own in rooms.items() if path.parts[:2] not in own for line in code)
    return directly + sum(1 for _ in check_tree.named_by_variables(path, code))


def words_of_pages(tree):
    """(words of the architecture, words of the longest page of a folder, folders without one)."""
    pages = [tree.text(folder / "README.md") for folder in check_documents.documented_folders(tree)]
    architecture = check_documents.word_count(tree.text(check_documents.ARCHITECTURE) or "")
    return architecture, max(check_documents.word_count(page or "") for page in pages), pages.count(None)


def is_tested(path, tests):
    stem = path.stem
    return any(f"tst_{stem}" in test or test.rsplit("/", 1)[-1].split(".")[0].replace("-", "_") == stem for test in tests)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comments", type=int, metavar="N", help="print so many random comments of headers and sources")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = [path for path in check_tree.tracked_files(ROOT) if path.suffix in check_tree.SOURCES]
    lines = {path: (ROOT / path).read_text().splitlines() for path in files}
    shipped = [path for path in files if path.parts[0] in SHIPPED]
    every_comment = [(path, text) for path in shipped for text in comments(lines[path])]
    if options.comments:
        for path, text in random.Random(options.seed).sample(every_comment, options.comments):
            print(f"{path}: {text}")
        return
    code = {path: check_tree.without_comments(lines[path]) for path in shipped}
    bodies = [body for path in shipped for body in functions(code[path])]
    complexities = [1 + sum(len(BRANCH.findall(line)) for line in body) for body in bodies]
    headers = [path for path in shipped if path.suffix == ".h"]
    sources = [path for path in shipped if path.suffix == ".cpp"]
    tests = [str(path) for path in check_tree.tracked_files(ROOT) if path.parts[0] == "tests"]
    classes = [(count, name, path) for path in headers for name, count in methods_of_classes("\n".join(code[path]))]
    results = [(path, number) for path in headers for number, line in enumerate(lines[path])
               if re.match(r"\s*(?:static |virtual )*Result<", line)]

    stated = [is_stated for path in headers for is_stated in contracts(lines[path])]
    words, longest_page, missing_pages = words_of_pages(check_documents.Tree(ROOT))

    def names_errors(path, number):
        above = []
        while number > 0 and lines[path][number - 1].strip().startswith("///"):
            number -= 1
            above.append(lines[path][number])
        return "Error" in " ".join(above)

    rooms = {}
    for path in files:
        room = "/".join(path.parts[:2]) if path.parts[0] in ("core", "app") else path.parts[0]
        rooms[room] = rooms.get(room, 0) + len(lines[path])
    rows = [
        ("functions, lines, p95", "≤ 22", percentile([len(body) for body in bodies])),
        ("functions with a complexity over 15, %", "≤ 0.5",
         f"{100 * sum(c > 15 for c in complexities) / max(1, len(complexities)):.2f}"),
        ("sources, lines, p95", "≤ 430", percentile([len(lines[path]) for path in sources])),
        ("headers, lines, p95", "≤ 98", percentile([len(lines[path]) for path in headers])),
        ("includes of a header, p95", "≤ 6",
         percentile([sum(bool(check_tree.INCLUDE.match(line)) for line in code[path]) for path in headers])),
        ("sources with a test or a case file of their stem, %", "≥ 60",
         f"{100 * sum(is_tested(path, tests) for path in sources) / len(sources):.0f}"),
        ("functions of headers that return a Result and name its errors, %", "≥ 90",
         f"{100 * sum(names_errors(*result) for result in results) / max(1, len(results)):.0f}"),
        ("types and functions of headers with a contract, %", "≥ 85", f"{100 * sum(stated) / max(1, len(stated)):.0f}"),
        ("comparisons of an operator's or a format's name with a literal", "0",
         sum(names_compared(path, code[path]) for path in shipped)),
        ("classes with more than 40 functions", "0", sum(count > 40 for count, _, _ in classes)),
        ("words of docs/architecture.md", "≤ 1200", words),
        ("words of the longest README.md of a folder", "≤ 300", longest_page),
        ("folders without a README.md", "0", missing_pages),
        ("errors handed on as they are or with their place, not by CUTAWAY_TRY", "0",
         sum(len(HANDED_ON.findall("\n".join(code[path]))) for path in shipped)),
        ("comments", "", len(every_comment)),
        ("comments that begin with Of, What, Both, Such, Those, The same", "0",
         sum(bool(FRAGMENT.match(text)) for _, text in every_comment)),
        ("lines of C++", "", sum(rooms.values())),
    ]
    for name, goal, figure in rows:
        print(f"{name:70} {figure:>8}  {goal}")
    print("\nclasses of headers with more than 40 functions")
    for count, name, path in sorted(classes, reverse=True):
        if count > 40:
            print(f"  {name:30} {count:4}  {path}")
    print("\nlines of C++ by room")
    for room, count in sorted(rooms.items(), key=lambda item: -item[1]):
        print(f"  {room:30} {count:7}")


if __name__ == "__main__":
    main()
