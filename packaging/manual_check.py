#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""manual_check.py FOLDER: whether a site loads nothing from elsewhere and each of its links leads to a file of it.

What a page loads are scripts, styles, pictures, frames and fonts. Links that a reader clicks may lead anywhere by https.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "link": "href"}
NOT_LOADED = {"canonical", "prev", "next"}  # what <link> only names


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.loaded, self.linked, self.ids = [], [], set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in NOT_LOADED:
            self.loaded.append(given[LOADED[tag]])
        if tag == "a" and given.get("href"):
            self.linked.append(given["href"])


def is_elsewhere(address):
    return bool(re.match(r"(?:[a-z]+:)?//", address))


def faults_of(folder):
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        pages[file] = Page()
        pages[file].feed(file.read_text())
    for file, page in pages.items():
        for address in page.loaded:
            if is_elsewhere(address):
                yield f"{file}: loads {address}"
        for address in page.loaded + page.linked:
            target, _, anchor = urllib.parse.unquote(address).partition("#")
            if is_elsewhere(address) or re.match(r"[a-z]+:", address) or file.name == "404.html":
                continue
            place = (file.parent / target.partition("?")[0]).resolve() if target else file
            if not place.exists():
                yield f"{file}: {address} is not there"
            elif anchor and place in pages and anchor not in pages[place].ids:
                yield f"{file}: {address} is no place of that page"
    for file in folder.rglob("*.css"):
        for address in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", file.read_text()):
            if is_elsewhere("".join(address)):
                yield f"{file}: loads {''.join(address)}"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    faults = list(faults_of(folder))
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults or not (folder / "index.html").exists() else 0


if __name__ == "__main__":
    raise SystemExit(main())
