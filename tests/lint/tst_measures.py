# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of measures.py: a few lines each, with what is counted in them."""
import unittest

import measures


class Contracts(unittest.TestCase):
    def check(self, text, expected):
        self.assertEqual(list(measures.contracts(text.splitlines())), expected)

    def test_a_comment_above_is_a_contract(self):
        self.check("/// Adds.\nint add(int a, int b);\n", [True])

    def test_a_comment_at_the_end_is_a_contract(self):
        self.check("int most(); ///< the largest\n", [True])

    def test_a_comment_covers_the_declarations_below_it(self):
        self.check("/// The kinds.\nint add();\nint take();\n\nint other();\n", [True, True, False])

    def test_a_declaration_of_two_lines_is_one(self):
        self.check("int add(int a,\n        int b);\n", [False])

    def test_a_template_is_one_declaration(self):
        self.check("/// Adds.\ntemplate<typename T>\nT add(T a);\n", [True])

    def test_forward_declarations_and_access_labels_are_none(self):
        self.check("namespace a {\n\nclass Graph;\n\n/// A list.\nclass List {\npublic:\n    int size();\n\n"
                   "private:\n    int m_size;\n};\n\n} // namespace a\n", [True])


class Comments(unittest.TestCase):
    def test_the_end_of_a_namespace_and_a_heading_are_no_comments(self):
        lines = ["} // namespace cutaway::ir", "", "// ---- windows", "", "/// Adds", "/// two numbers.", "int add();"]
        self.assertEqual(list(measures.comments(lines)), ["Adds two numbers."])


if __name__ == "__main__":
    unittest.main()
