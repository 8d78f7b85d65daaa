# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual as text: each link leads somewhere, each page is in the contents, and what reads pages reads them rightly."""
import pathlib
import re
import sys
import tempfile
import unittest

import commands
import pages

sys.path.insert(0, str(pages.SOURCE / "packaging"))
import manual_check  # noqa: E402

CONTENTS = pages.SOURCE / "packaging" / "mkdocs.yml"


class Manual(unittest.TestCase):
    def test_each_link_leads_somewhere(self):
        self.assertEqual([fault for page in pages.pages() for fault in pages.broken_links(page)], [])

    def test_each_page_is_in_the_contents(self):
        listed = set(re.findall(r"[\w-]+\.md\b", CONTENTS.read_text().split("\nnav:")[1]))
        there = {page.name for page in pages.DOCS.glob("*.md")}
        self.assertEqual(there - listed, set())
        self.assertEqual(listed - there, set())

    def test_each_page_has_a_title(self):
        for page in pages.pages():
            titles = [line for line in pages.prose(page.read_text()).splitlines() if line.startswith("# ")]
            self.assertEqual(len(titles), 1, page)

    def test_each_picture_is_shown(self):
        shown = {target for page in pages.pages() for _, target in pages.links(page.read_text()) if target.endswith(".png")}
        self.assertEqual({path.name for path in pages.DOCS.rglob("*.png")}, {pathlib.PurePath(target).name for target in shown})


class Reading(unittest.TestCase):
    def page(self, text):
        folder = tempfile.TemporaryDirectory(dir=pages.DOCS)
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "page.md"
        path.write_text(text)
        return path

    def test_blocks_have_their_lines(self):
        text = "a\n```console\n$ x\n```\n\n  ````sh\n  ```\n  y\n  ````\n"
        self.assertEqual(pages.blocks(text), [(3, "console", ["$ x"]), (7, "sh", ["```", "y"])])

    def test_links_that_lead_nowhere_are_found(self):
        page = self.page("# A page\n[a](other.md) [b](#a-page) [c](#none) `[d](code.md)` [e](http://it)\n```\n[f](block.md)\n```\n")
        faults = [fault.split(": ", 1)[1] for fault in pages.broken_links(page)]
        self.assertEqual(faults, ["'other.md': there is no such file", "'#none': the page has no such heading",
                                  "'http://it' is no https address"])

    def test_anchors_are_those_of_github(self):
        text = "# `fixed-size`\n## With git\n```\n# no\n```\n### What is it? [x](y.md), *z*\n"
        self.assertEqual(pages.anchors(text), {"fixed-size", "with-git", "what-is-it-x-z"})

    def commands(self, text, plugins=()):
        return commands.commands_of(self.page(text), set(plugins))

    def test_commands_have_what_they_print_and_their_exit_code(self):
        found = self.commands("```console\n$ a  # exit code 3\none\n$ b\n```\n```sh\n$ c\n```\n")
        self.assertEqual([(each.text, each.code, each.quoted) for each in found], [("a  # exit code 3", 3, ["one"]), ("b", 0, [])])

    def test_what_needs_a_plugin_is_left_out_without_it(self):
        text = "<!-- needs: torch -->\n```console\n$ a\n```\n"
        self.assertEqual(len(self.commands(text)), 0)
        self.assertEqual(len(self.commands(text, ["torch"])), 1)

    def test_quoted_output_is_compared(self):
        command = self.commands("```console\n$ a\none\n…\ntwo … four\n```\n")[0]
        self.assertTrue(command.expected().match("one\nx\ny\ntwo and three and four\n"))
        self.assertTrue(command.expected().match("one\ntwo  four\n"))
        for wrong in ("two  four\n", "one\ntwo  four\nfive\n", "one\ntwo\nfour\n", "none\ntwo  four\n"):
            self.assertFalse(command.expected().match(wrong), wrong)


class SiteCheck(unittest.TestCase):
    def faults(self, page, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        site = pathlib.Path(folder.name).resolve()
        for name, text in {"index.html": page, "other.html": "<h1 id=here>", **files}.items():
            (site / name).write_text(text)
        return [fault.replace(f"{site}/", "") for fault in manual_check.faults_of(site)]

    def test_a_site_that_is_whole_has_no_fault(self):
        self.assertEqual(self.faults("<a href='other.html#here'>a</a><a href='https://it/page'>b</a><link rel=canonical href='https://it'>"
                                     "<img src='other.html'>"), [])

    def test_what_is_loaded_from_elsewhere_is_found(self):
        for tag in ("<script src='https://it/a.js'></script>", "<img src='//it/a.png'>", "<link rel=stylesheet href='http://it/a.css'>"):
            self.assertRegex(self.faults(tag)[0], r"^index.html: loads \S*//it/a")
        self.assertEqual(self.faults("", **{"a.css": "@font-face { src: url('https://it/f.woff2') }"}), ["a.css: loads https://it/f.woff2"])

    def test_links_that_lead_nowhere_are_found(self):
        self.assertEqual(self.faults("<a href='none.html'>a</a><a href='other.html#there'>b</a>"),
                         ["index.html: none.html is not there", "index.html: other.html#there is no place of that page"])


if __name__ == "__main__":
    unittest.main()
