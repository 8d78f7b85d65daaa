# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the manual as text: their blocks of commands, their headings and their links."""
import pathlib
import re
import unicodedata

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCS = SOURCE / "docs"
FOLDERS = ("app", "core", "packaging", "plugins", "resources", "tests", "views")  # whose pages are read in the sources
FENCE = re.compile(r"^( *)(`{3,}|~{3,})\s*(\w*)")


def pages():
    """What the manual consists of, the pages of the repository that lead to it, and those of its folders."""
    folders = [page for folder in FOLDERS for page in sorted((SOURCE / folder).rglob("README.md"))]
    return sorted(DOCS.glob("*.md")) + [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md"] + folders


def blocks(text):
    """Line number, language and lines of each fenced block, without what they are indented by."""
    found, fence = [], None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence = (match[1], match[2])
            found.append((number + 1, match[3], []))
        elif fence and line.strip() == fence[1]:
            fence = None
        elif fence:
            found[-1][2].append(line.removeprefix(fence[0]))
    return found


def prose(text):
    """The text without its blocks, comments and code spans, in as many lines."""
    lines, fence = [], None
    for line in text.splitlines():
        match = FENCE.match(line)
        if fence is None and match:
            fence, line = match[2], ""
        elif fence:
            fence, line = (None if line.strip() == fence else fence), ""
        lines.append(line)
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"), "\n".join(lines), flags=re.S)
    return re.sub(r"(`+)(?:(?!\1).)+?\1", lambda match: "`" * len(match[0]), text)


def anchors(text):
    """What links to headings of the page end with, as GitHub and MkDocs make it."""
    found, fence = set(), None
    for line in text.splitlines():
        match = FENCE.match(line)
        if match:
            fence = None if fence and line.strip() == fence else fence or match[2]
        elif not fence and (heading := re.match(r"#{1,6} (.*)", line)):
            name = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", lambda m: m[1] or "", heading[1])
            name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
            found.add(re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", name).strip().lower()))
    return found


def links(text):
    """Line number and target of each link and picture."""
    for number, line in enumerate(prose(text).splitlines(), 1):
        for match in re.finditer(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)", line):
            yield number, match[1]
        for match in re.finditer(r"(?:src|href)=\"([^\"]+)\"", line):
            yield number, match[1]


def broken_links(page):
    """What is wrong with each link of a page that leads nowhere in this repository."""
    text = page.read_text()
    for number, target in links(text):
        place = f"{page.relative_to(SOURCE)}:{number}: '{target}'"
        if re.match(r"[a-z]+:", target):
            if not target.startswith(("https://", "mailto:")):
                yield f"{place} is no https address"
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists():
            yield f"{place}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{place}: the page has no such heading"
        elif DOCS in page.parents and DOCS.resolve() not in file.resolve().parents:
            yield f"{place} leads out of the manual"
