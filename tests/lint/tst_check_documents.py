# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of check_documents.py: small trees with one fault each."""
import pathlib
import tempfile
import unittest

import check_documents
import check_tree

PICTURE = "```\n" + "".join(f" {layer}  text\n" for layer in reversed(check_tree.CORE_LAYERS)) + "```\n"
TABLE = "# Developers\n\n## Adding something\n\n| to add | touch |\n|---|---|\n"
PAGE = "core/ir/README.md"
README = "# ir\n`ir` includes no other layer.\n"
TREE = {"docs/architecture.md": "# Architecture\n" + PICTURE,
        "docs/developers.md": TABLE + "| a graph | `core/ir/graph.h` |\n\n## Step by step\n`core/ir/my_graph.h`, `core/ir/NAME.h`\n",
        PAGE: README,
        "core/ir/graph.h": "struct Graph {};\n"}


def found(files):
    """Rules that TREE with these files breaks, as 'file:line rule'; None takes a file away."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**TREE, **files}.items():
            if text is not None:
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        return [f"{path}:{line} {rule}" for path, line, rule, _ in check_documents.findings(pathlib.Path(folder))]


class CheckDocuments(unittest.TestCase):
    def check(self, files, *expected):
        self.assertEqual(found(files), list(expected))

    def test_documents_that_are_true_have_no_findings(self):
        self.check({})

    def test_each_layer_has_a_readme(self):
        self.check({PAGE: None}, f"{PAGE}:1 readme")
        self.check({"app/cli/main.cpp": "", "views/find/find.h": ""},
                   "app/cli/README.md:1 readme", "views/README.md:1 readme")
        self.check({"core/ir/text/text.h": "", "cmake/layer.cmake": ""})

    def test_a_readme_is_short(self):
        self.check({PAGE: README + "word " * 294})
        self.check({PAGE: README + "word " * 295}, f"{PAGE}:1 words")

    def test_the_architecture_is_short(self):
        words = len(check_tree.CORE_LAYERS) * 2
        self.check({"docs/architecture.md": PICTURE + "word " * (1200 - words)})
        self.check({"docs/architecture.md": PICTURE + "word " * (1201 - words)}, "docs/architecture.md:1 words")

    def test_borders_of_tables_are_no_words(self):
        self.check({PAGE: README + "| word |\n|---|\n" * 200 + "── │ " * 400})

    def test_paths_are_there(self):
        self.check({PAGE: README + "`core/ir/graph.h`, `core/ir`, `graph.h`\n"})
        self.check({PAGE: README + "a\n`core/ir/gone.h` and `gone.h`\n"},
                   f"{PAGE}:4 path", f"{PAGE}:4 path")
        self.check({"docs/architecture.md": PICTURE + "`core/gone`\n"},
                   f"docs/architecture.md:{PICTURE.count(chr(10)) + 1} path")

    def test_paths_may_begin_at_the_page(self):
        self.check({"core/ir/text/text.h": "", PAGE: README + "`text/text.h` `text/none.h`\n"}, f"{PAGE}:3 path")

    def test_names_are_in_a_source(self):
        self.check({PAGE: README + "`Graph`, `ir::Graph`, `Graph()`, `--option`, `a + b`\n"})
        self.check({PAGE: README + "`Gone`\n\n`ir::Gone`\n"},
                   f"{PAGE}:3 name", f"{PAGE}:5 name")

    def test_blocks_and_schemas_name_nothing(self):
        self.check({PAGE: README + "```\n`Gone`\n```\n`cutaway.report/1`\n"})

    def test_a_layer_says_what_it_includes(self):
        source = {"core/ir/a.cpp": '#include "core/ir/graph.h"\n#include "core/base/text.h"\n'}
        self.check({**source, PAGE: "# ir\n`ir` includes\n`base`.\n"})
        self.check({**source, PAGE: README}, f"{PAGE}:1 includes")
        self.check({**source, PAGE: "`ir` includes `base` and `core`.\n"}, f"{PAGE}:1 includes")
        self.check({PAGE: "# ir\n"}, f"{PAGE}:1 includes")

    def test_the_picture_has_the_layers_in_their_order(self):
        self.check({"docs/architecture.md": PICTURE.replace(" ir ", " it ")}, "docs/architecture.md:1 layers")
        exchanged = PICTURE.replace(" ir ", " X ").replace(" ops ", " ir ").replace(" X ", " ops ")
        self.check({"docs/architecture.md": exchanged}, "docs/architecture.md:1 layers")
        self.check({"docs/architecture.md": None}, "docs/architecture.md:1 layers")

    def test_the_table_names_what_is_there(self):
        self.check({"docs/developers.md": TABLE + "| a graph | `core/ir/gone.h` |\n"}, "docs/developers.md:7 path")
        self.check({"docs/developers.md": TABLE + "| a graph | a row |\n"}, "docs/developers.md:7 table")
        self.check({"docs/developers.md": TABLE + "| a graph | `core/ir` |\n\n## Other\n`core/ir/gone.h`\n"},
                   "docs/developers.md:10 path")
        self.check({"docs/developers.md": "# Developers\n"}, "docs/developers.md:1 table")


if __name__ == "__main__":
    unittest.main()
