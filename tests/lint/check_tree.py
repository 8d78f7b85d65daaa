#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what a compiler does not: layers, sizes, names and file headers. Plain text rules, nothing is parsed.

usage: check_tree.py [ROOT]     prints FILE:LINE: what is wrong [rule]; exit code 1 if anything is
"""
import collections
import pathlib
import re
import subprocess
import sys

CORE_LAYERS = ["base", "symbolic", "ir", "ops", "protocol", "tensor", "formats", "analysis", "structure", "evaluate", "diff", "rewrite", "rules", "passes", "convert", "lint", "node_data", "query", "plugin", "sequence", "run", "trace", "print", "request", "layout", "drawing", "report", "survey"]  # each includes only those before it
PLUGIN_LAYERS = {"base", "symbolic", "ir", "ops", "protocol"}  # what plugins are built of
SHARED_VIEW_FOLDERS = {"appearance", "parts", "session"}  # what all views share; no view
SHARED_FORMAT_FOLDERS = {"archive", "notes", "python", "source_lines", "tensor_list"}  # what several formats read; it is no format
COLOURLESS_LAYERS = {("core", "analysis"), ("core", "rewrite"), ("core", "rules"), ("core", "passes"), ("core", "evaluate")}
PLAIN_PROGRAMS = {("app", "cli"), ("app", "python")}
OPERATOR_ROOMS = {("core", "ops"), ("core", "formats")}  # what dialects call operators is known there alone
NAMED_OPERATOR = re.compile(r'opName\(\)\s*(?:[!=]= ""|\.(?:starts_with|contains)\()')
# An operator's name in a table of the others is one that the compiler checks: a member of ops::RowNames.
TABLE_ROOMS = OPERATOR_ROOMS | {("core", "rules")}
CHECKED_ROW = re.compile(r"^( *)struct (\w+)[^{};]*\{(?:(?!^\1\};)[\s\S])*?\bRowNames\b", re.M)
TOKEN = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)\'|//[^\n]*|/\*.*?\*/|^[ ]*#[^\n]*|[{};]', re.S | re.M)
BLOCK = re.compile(r"^\s*(?:inline )?(?:namespace|struct|class|enum|union|extern|template)\b|^\s*$"
                   r"|[)\]]\s*(?:const|noexcept|override|final|mutable|->[^{]*)*\s*$|\b(?:else|do|try|const|override|noexcept)\s*$")
FEWEST_NAMES = 6  # that make a table of plain names: fewer, such as min, max and mean, may be something else
FORMAT_ROOMS = {("core", "formats"), ("core", "ir")}  # what formats are called is known there alone
NAMED_FORMAT = re.compile(r'(?:\.|->)format\s*[!=]= "')
# Local variables that hold such a name, and what their comparison with a literal looks like.
NAME_OF_OPERATOR = re.compile(r"\b(\w+)\s*=\s*[^;=]*\bopName\(\)\s*;")
NAME_OF_FORMAT = re.compile(r"\b(\w+)\s*=\s*[^;=]*(?:\.|->)format\s*;")
COMPARED = r'(?<![\w.>]){}\s*(?:[!=]= ""|\.(?:starts_with|ends_with|contains)\(")'
MAX_LINES = {".h": 250, ".cpp": 800}
MAX_FUNCTION_LINES = 80
MAX_FILES = 40  # in a folder of sources
MAX_INCLUDES = 8  # in a header
VAGUE_WORDS = {"manager", "helper", "helpers", "util", "utils", "misc", "common"}
# What this project once called things, and the field's word for each; docs/glossary.md explains them.
GLOSSARY = {"effort": "cost, or options", "farewell": "shutdown grace", "heard": "log, or notes", "nobody": "unknown, unused",
            "otherwise": "default, or else", "said": "log, or message", "told": "message", "truth": "Boolean",
            "turn": "iteration", "turns": "iterations", "usual": "default", "wish": "request", "wishes": "request, or options"}
PRIVATE_WORDS = re.compile(
    r"\b(?:effort|farewell|nobody|anybody|wishes|run with clocks|of it between nodes|besides its nodes|measured by predicted"
    r"|one node has what the other|bound by computing|moves and computes nothing"
    r"|in the model beside it|roofline's page chooses)\b|of \? ×", re.IGNORECASE)
# A comment that begins so leaves its noun to the line above, or to the name before it.
FRAGMENT = re.compile(r"(?:.*\S\s+)?\s*//[/<]* (?:Of|What|Both|Such|Those|The same)\b|.*\S\s+//[/<]* (?:of|that of|those of)\b")
MACHINE_PATH = re.compile(r"""(?<![\w.$}*/])/(?:home|root|Users|work|farm|tmp)/[\w.]+""")

# (rule, file) -> why the rule does not hold there. An entry that is no longer needed is a finding too.
ALLOWED = {}

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
QT_HEADER = re.compile(r"(?:Qt\w+/)?Q[A-Z]\w*$|q[a-z]+\.h$|Qt\w+/")
QT_NAME = re.compile(r"\bQ(?!Int)(?:[A-Z][a-z]\w+|[A-Z]\b)|\bQ_[A-Z]+\b|\bqt?[A-Z][a-z]\w*\(|\bqDebug\b")
TYPE_NAME = re.compile(r"^\s*(?:class|struct|enum(?:\s+class)?|union|namespace|using)\s+(?:\[\[\w+\]\]\s*)?([\w:]+)")
WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SOURCES = {".h", ".cpp"}
SCRIPTS = {".py", ".cmake", ".sh"}


def tracked_files(root):
    """Relative paths of what git has or would have; of everything but build folders where there is no git."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z", "--cached", "--others",
                              "--exclude-standard"], capture_output=True, check=False)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    return sorted(pathlib.PurePosixPath(name) for name in set(names)
                  if not name.startswith(("build/", ".git/")) and (root / name).is_file())


def without_comments(lines):
    """The lines with comments and string contents blanked, so that rules on code see code only."""
    result, inside = [], False
    for line in lines:
        if inside:
            end = line.find("*/")
            if end < 0:
                result.append("")
                continue
            line, inside = " " * (end + 2) + line[end + 2:], False
        if not INCLUDE.match(line):
            line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
        line = re.sub(r"/\*.*?\*/", "", line)
        line = re.sub(r"//.*", "", line)
        if "/*" in line:
            line, inside = line[:line.index("/*")], True
        result.append(line)
    return result


def words(name):
    return {word.lower() for word in WORDS.findall(name)}


def check_names(path, code):
    for part in path.parts:
        for word in sorted(words(part) & VAGUE_WORDS):
            yield 1, "name", f"'{part}' has the word '{word}', which says nothing; name the concept"
    for number, line in enumerate(code, 1):
        match = TYPE_NAME.match(line)
        for word in sorted(words(match[1]) & VAGUE_WORDS if match else ()):
            yield number, "name", f"the type '{match[1]}' has the word '{word}', which says nothing; name the concept"


def check_glossary(path, lines, code):
    """Names are made of the field's words; comments and texts go without the words that only this project used."""
    for number, line in enumerate(code, 1):
        for name in re.findall(r"\b[A-Za-z_]\w*", "" if INCLUDE.match(line) else line):
            for word in sorted({part.lower() for part in WORDS.findall(name)} & GLOSSARY.keys()):
                yield number, "glossary", f"'{name}' has the word '{word}'; the field's word is: {GLOSSARY[word]}"
    for number, line in enumerate(lines, 1):
        if match := PRIVATE_WORDS.search(line):
            yield number, "glossary", f"'{match[0]}' is not how one would say it to a colleague"


def check_comments(lines):
    """Comments are sentences, or name their thing."""
    above = ""
    for number, line in enumerate(lines, 1):
        continues = line.lstrip().startswith("//") and above.lstrip().startswith("//")
        if FRAGMENT.match(line) and not continues:
            yield number, "comment", "a comment that begins so needs the code to be understood; write a sentence with its subject"
        above = line


def check_header_block(path, lines):
    start = 1 if lines and lines[0].startswith("#!") else 0
    block = lines[start:start + 3]
    if not any("SPDX-FileCopyrightText:" in line for line in block) or \
            not any("SPDX-License-Identifier: GPL-3.0-or-later" in line for line in block):
        yield start + 1, "spdx", "the SPDX copyright and licence lines are missing or not at the top"
    if path.suffix == ".h" and "#pragma once" not in lines[:10]:
        yield 1, "pragma", "'#pragma once' is missing from the first ten lines"


def check_sizes(path, lines):
    limit = MAX_LINES.get(path.suffix)
    if limit and len(lines) > limit:
        yield len(lines), "size", f"{len(lines)} lines; a {path.suffix} file has {limit} at most: it should be two"
    # clang-format puts a function's brace on a line of its own, and its end at the same indentation
    for start, line in enumerate(lines):
        if line.strip() != "{":
            continue
        end = start + 1
        while end < len(lines) and not lines[end].startswith(line.replace("{", "}")):
            end += 1
        if end - start - 1 > MAX_FUNCTION_LINES:
            yield start + 1, "function", f"a function of {end - start - 1} lines; {MAX_FUNCTION_LINES} at most"


def layer_fault(path, target):
    """Why the file may not include the target (a path from the root), or None."""
    here, there = path.parts, pathlib.PurePosixPath(target).parts
    if here[0] == "core":
        if there[0] != "core":
            return "core includes only core"
        if there[1] not in CORE_LAYERS:
            return f"'core/{there[1]}' is not a layer that this check knows; add it in its order"
        if CORE_LAYERS.index(there[1]) > CORE_LAYERS.index(here[1]):
            return f"core/{here[1]} stands below core/{there[1]}"
        if here[1] == there[1] == "formats" and len(there) > 3 and len(here) > 3 and here[2] != there[2] \
                and there[2] not in SHARED_FORMAT_FOLDERS:
            return "a format includes no other format"
    if here[0] == "views":
        if there[0] == "app" or there[:2] == ("core", "formats"):
            return f"a view includes nothing of {'/'.join(there[:2])}"
        if there[0] == "views" and there[1] != here[1] and there[1] not in SHARED_VIEW_FOLDERS:
            return "a view includes no other view"
    if here[0] == "plugins" and (there[0] not in ("core", "plugins") or (there[0] == "core" and there[1] not in PLUGIN_LAYERS)):
        return f"a plugin includes nothing of {'/'.join(there[:2])}"
    if here[:2] == ("app", "cli") and there[0] == "views":
        return "the command line program includes no view"
    if here[:2] == ("app", "python") and there[0] != "core" and there[:2] != here[:2]:
        return f"the Python module includes nothing of {'/'.join(there[:2])}"
    return None


def check_includes(path, code, files):
    first = None
    included = [number for number, line in enumerate(code, 1) if INCLUDE.match(line)]
    if path.suffix == ".h" and path.parts[0] != "tests" and len(included) > MAX_INCLUDES:
        yield included[MAX_INCLUDES], "includes", f"{len(included)} includes; a header has {MAX_INCLUDES} at most"
    for number, line in enumerate(code, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, target = match.groups()
        first = first or target
        if bracket == "<":
            if (path.parts[0] == "core" or path.parts[:2] in PLAIN_PROGRAMS) and QT_HEADER.match(target):
                yield number, "qt", f"includes Qt's <{target}>; core, app/cli and app/python are plain C++"
            continue
        if "/" not in target and path.parts[0] in ("core", "views", "app"):
            if not target.endswith((".moc", ".pb.h")) and not target.startswith("ui_"):
                yield number, "include", f"'{target}': includes are written from the root of the repository"
            continue
        if path.parts[0] in ("core", "plugins", "views", "app") and (fault := layer_fault(path, target)):
            yield number, "layer", f"includes '{target}': {fault}"
    own = path.with_suffix(".h")
    if path.suffix == ".cpp" and own in files and first not in (str(own), own.name):
        yield 1, "include", f"the first include is not its own header '{own}'"


def named_by_variables(path, code):
    """The lines that compare a local variable which holds an operator's or a format's name with a literal."""
    if path.parts[0] not in ("core", "views", "app"):
        return
    for rooms, holds in ((OPERATOR_ROOMS, NAME_OF_OPERATOR), (FORMAT_ROOMS, NAME_OF_FORMAT)):
        if path.parts[:2] in rooms:
            continue
        held = {match[1] for line in code for match in holds.finditer(line)}
        compared = [re.compile(COMPARED.format(name)) for name in sorted(held)]
        yield from (number for number, line in enumerate(code, 1) if any(pattern.search(line) for pattern in compared))


def check_lines(path, lines, code):
    for number, line in enumerate(lines, 1):
        if match := MACHINE_PATH.search(line):
            yield number, "path", f"'{match[0]}' is a place on somebody's machine"
        if path.suffix in SOURCES and (match := re.search(r"NOLINT\w*(\([\w.,*-]+\))?(.*)", line)):
            if "NOLINTEND" not in line and (not match[1] or len(match[2].strip(" :-")) < 8):
                yield number, "nolint", "NOLINT names the check and the reason: // NOLINT(check): why"
    for number, line in enumerate(code, 1):
        if path.parts[0] in ("core", "views", "app") and path.parts[:2] not in OPERATOR_ROOMS and NAMED_OPERATOR.search(line):
            yield number, "operator", "an operator is compared by its name; ask its row, or compare with a constant of ops::kind"
        if path.parts[0] in ("core", "views", "app") and path.parts[:2] not in FORMAT_ROOMS and NAMED_FORMAT.search(line):
            yield number, "model-format", "a model's format is compared by its name; ask ir::formatOf(), or add a column there"
        if path.parts[:2] in COLOURLESS_LAYERS and re.search(r"\bCategory\b|\bcategoryOf\b", line):
            yield number, "category", "an operator's category is its colour; what passes and rules ask is in its row's other columns"
        if "std::format(" in line:
            yield number, "format", "std::format is compiled anew in each source; formatted() of core/base/formatted.h once"
    for number in named_by_variables(path, code):
        yield number, "name-variable", "a variable with the name of an operator or a format is compared with a literal; ask the row"
    if path.parts[0] == "core" and path.suffix in SOURCES:
        for number, line in enumerate(code, 1):
            if not INCLUDE.match(line) and (match := QT_NAME.search(line)):
                yield number, "qt", f"uses '{match[0]}'; core is plain C++"


def initializers(text):
    """The line of each braced initializer of a source, the code before its braces, and its texts."""
    stack, start, found = [], 0, []  # of open braces: the initializer that each belongs to, or None
    for token in TOKEN.finditer(text):
        kind = token[0][0]
        if kind == "{":
            head = TOKEN.sub("", text[start:token.start()])
            if stack and stack[-1]:
                stack[-1][1].append(head)
                stack.append(stack[-1])
            elif BLOCK.search(head):
                stack.append(None)
            else:
                found.append((text.count("\n", 0, token.start()) + 1, [head], []))
                stack.append(found[-1])
        elif kind == "}" and stack:
            stack.pop()
        elif kind == '"' and stack and stack[-1]:
            stack[-1][2].append(token[1])
        if kind in "{};":
            start = token.end()
    return found


def operator_tables(text, names, checked):
    """The lines of initializers that name operators by texts that nothing checks. `names`: of rows, with dialects; `checked`:
    types that have RowNames."""
    plain = {name.split("::")[1] for name in names if not name.startswith("builtins::")}

    def is_of(name, known):
        return name in known or name.endswith("_") and name[:-1] in known
    for line, heads, texts in initializers(text):
        if set(re.findall(r"\w+", " ".join(heads))) & (checked | {"RowNames"}):
            continue
        texts = set(texts)
        whole = [each for each in texts if "::" in each and all(is_of(name, names) for name in each.split())]
        short = [each for each in texts if is_of(each, plain)]
        is_declared = heads[0].count("(") <= heads[0].count(")")
        if len(whole) > 1 or is_declared and len(short) >= max(FEWEST_NAMES, 0.8 * len(texts)):
            yield line


def check_operator_tables(root, files):
    listed = root / "core/ops/row_names.def"
    names = set(re.findall(r'"([^"]+)"', listed.read_text())) if listed.exists() else set()
    texts = {path: (root / path).read_text(encoding="utf-8") for path in sorted(files)
             if path.suffix in SOURCES and path.parts[0] in ("core", "views", "app")}
    checked = {name for text in texts.values() for _, name in CHECKED_ROW.findall(text)}
    for path, text in texts.items():
        for line in operator_tables(text, names, checked) if path.parts[:2] not in TABLE_ROOMS else ():
            yield (str(path), line, "operator-table", "a table names operators by texts; make them a trait of their rows, or "
                                                      "ops::RowNames, which the compiler checks")


def check_file(root, path, files):
    kind = path.suffix if path.name != "CMakeLists.txt" else ".cmake"
    try:
        text = (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    lines = text.splitlines()
    script = kind in SCRIPTS or text.startswith("#!")
    if kind not in SOURCES and not script:
        return
    code = without_comments(lines) if kind in SOURCES else []
    yield from check_names(path, code)
    yield from check_header_block(path, lines)
    yield from check_lines(path, lines, code)
    if kind in SOURCES and path.parts[0] != "tests":
        yield from check_glossary(path, lines, code)
        yield from check_comments(lines)
    if kind in SOURCES:
        yield from check_sizes(path, lines)
        yield from check_includes(path, code, files)


def check_folders(files):
    """How many sources and headers lie in a folder, those below it not counted."""
    counts = collections.Counter(path.parent for path in files if path.suffix in SOURCES)
    for folder, count in sorted(counts.items()):
        if count > MAX_FILES and folder.parts[0] != "tests":
            yield str(folder), 1, "folder", f"{count} files; a folder has {MAX_FILES} at most: it should be two rooms"


def findings(root, allowed=None):
    """All findings as (file, line, rule, message)."""
    allowed = ALLOWED if allowed is None else allowed
    files, used, result = set(tracked_files(root)), set(), []
    for path in sorted(files):
        for number, rule, message in check_file(root, path, files):
            if (rule, str(path)) in allowed:
                used.add((rule, str(path)))
            else:
                result.append((str(path), number, rule, message))
    result += check_folders(files)
    result += check_operator_tables(root, files)
    for rule, path in sorted(set(allowed) - used):
        result.append((path, 1, rule, "is allowed here but no longer needs to be; drop the entry"))
    return result


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    found = findings(root)
    for path, number, rule, message in found:
        print(f"{path}:{number}: {message} [{rule}]")
    print(f"check_tree: {len(found)} findings in {len(tracked_files(root))} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
