# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of check_tree.py: small trees with one fault each."""
import pathlib
import tempfile
import unittest

import check_tree

HEAD = "// SPDX-FileCopyrightText: The Cutaway authors\n// SPDX-License-Identifier: GPL-3.0-or-later\n"
HEADER = HEAD + "#pragma once\n"


def found(files, allowed=None):
    """Rules that a tree of {path: text} breaks, as 'file:line rule'."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return [f"{path}:{line} {rule}" for path, line, rule, _ in
                check_tree.findings(pathlib.Path(folder), allowed or {})]


class CheckTree(unittest.TestCase):
    def check(self, files, *expected, allowed=None):
        self.assertEqual(found(files, allowed), list(expected))

    def test_a_clean_tree_has_no_findings(self):
        self.check({"core/ir/graph.h": HEADER + "struct Graph {};\n",
                    "core/ir/graph.cpp": HEAD + '#include "core/ir/graph.h"\n\n#include "core/base/text.h"\n'})

    def test_a_header_has_licence_and_pragma(self):
        self.check({"core/ir/a.h": "struct A {};\n"}, "core/ir/a.h:1 spdx", "core/ir/a.h:1 pragma")

    def test_a_script_has_its_licence_below_the_first_line(self):
        self.check({"run": "#!/bin/sh\n" + HEAD.replace("//", "#"), "other": "#!/bin/sh\necho\n"}, "other:2 spdx")

    NAMES = {"core/ops/row_names.def": '"aten::abs", "aten::add", "aten::cat", "aten::cos", "aten::exp", "aten::sin", "aten::sum",\n'}

    def test_a_table_of_operators_has_names_that_the_compiler_checks(self):
        checked = "struct Row {\n    ops::RowNames names;\n};\n"
        row = "struct Row {\n    std::string_view op;\n};\n"
        table = 'constexpr Row rows[] = {{"aten::add"}, {"aten::cat"}};\n'
        plain = 'constexpr std::array<std::string_view, 6> names{"abs", "add_", "cat", "cos",\n    "exp", "sin"};\n'

        def check(text, *expected, path="core/print/a.cpp"):
            self.check({**self.NAMES, path: HEAD + "namespace cutaway {\n" + text + "}\n"}, *expected)
        check(row + table, "core/print/a.cpp:7 operator-table")
        check(checked + table)
        check(table.replace("Row rows[]", "std::array rows").replace('{"', 'Row{"'), "core/print/a.cpp:4 operator-table")
        check(plain, "core/print/a.cpp:4 operator-table")
        check(plain.replace('"abs", ', ""))  # five
        check(plain.replace('"sin"', '"sin", "blue", "red"'))
        check('constexpr ops::RowNames names = {"aten::add aten::cat"};\n')
        check('bool is(std::string_view name)\n{\n    return name == "aten::add" || name == "aten::cat";\n}\n')
        check('void f()\n{\n    static constexpr std::array all{"aten::add", "aten::cat aten::abs"};\n}\n',
              "core/print/a.cpp:6 operator-table")
        check(row + table, path="core/rules/a.cpp")

    def test_a_checked_row_may_be_declared_in_a_header(self):
        header = HEADER + "struct Row {\n    enum class Kind {\n        One\n    };\n    ops::RowNames names;\n};\n"
        self.check({**self.NAMES, "core/print/a.h": header, "core/print/a.cpp":
                    HEAD + '#include "core/print/a.h"\n\nconstexpr Row rows[] = {{"aten::add"}, {"aten::cat"}};\n'})

    def test_includes_go_down_the_layers_only(self):
        self.check({"core/ir/a.cpp": HEAD + '#include "core/ops/category.h"\n'}, "core/ir/a.cpp:3 layer")
        self.check({"core/ir/a.cpp": HEAD + '#include "views/graph/a.h"\n'}, "core/ir/a.cpp:3 layer")
        self.check({"core/ops/a.cpp": HEAD + '#include "core/ir/graph.h"\n'})

    def test_a_plugin_is_built_of_the_lowest_layers(self):
        self.check({"plugins/a/a.cpp": HEAD + '#include "core/protocol/frame.h"\n#include "plugins/server/server.h"\n'})
        self.check({"plugins/a/a.cpp": HEAD + '#include "core/passes/pass.h"\n'}, "plugins/a/a.cpp:3 layer")

    def test_a_commented_include_is_none(self):
        self.check({"core/ir/a.cpp": HEAD + '/*\n#include "core/ops/category.h"\n*/\n// #include <QString>\n'})

    def test_a_format_includes_no_other_format(self):
        self.check({"core/formats/pt2/a.cpp": HEAD + '#include "core/formats/onnx/wire.h"\n'},
                   "core/formats/pt2/a.cpp:3 layer")
        self.check({"core/formats/pt2/a.cpp": HEAD + '#include "core/formats/archive/zip.h"\n'})

    def test_the_python_module_knows_core_alone(self):
        text = '#include "core/formats/format.h"\n#include "app/python/b.h"\n#include "app/cli/opened.h"\n#include <QString>\n'
        self.check({"app/python/a.cpp": HEAD + text}, "app/python/a.cpp:5 layer", "app/python/a.cpp:6 qt")

    def test_views_know_no_format_and_no_other_view(self):
        text = '#include "core/formats/format.h"\n#include "views/find/find.h"\n#include "views/session/session.h"\n'
        self.check({"views/graph/a.cpp": HEAD + text}, "views/graph/a.cpp:3 layer", "views/graph/a.cpp:4 layer")

    def test_core_has_no_qt(self):
        text = "#include <QString>\n#include <QtCore/QList>\nvoid f(QWidget *w);\n// QWidget\nauto s = \"QWidget\";\nint QInt8;\n"
        self.check({"core/ir/a.cpp": HEAD + text}, "core/ir/a.cpp:5 qt", "core/ir/a.cpp:3 qt", "core/ir/a.cpp:4 qt")
        self.check({"views/graph/a.cpp": HEAD + text})

    def test_formatting_is_compiled_once(self):
        self.check({"core/ir/a.cpp": HEAD + 'auto a = std::format("{}", 1);\nauto b = formatted("{}", 1);\n// std::format(\n'},
                   "core/ir/a.cpp:3 format")

    def test_categories_are_colours(self):
        text = "auto a = ops::categoryOf(node);\n"
        self.check({"core/passes/a.cpp": HEAD + text, "core/layout/a.cpp": HEAD + text}, "core/passes/a.cpp:3 category")

    def test_formats_are_named_in_their_rooms(self):
        text = 'bool f() { return model.format == "onnx"; }\n'
        self.check({"core/passes/a.cpp": HEAD + text, "core/ir/a.cpp": HEAD + text}, "core/passes/a.cpp:3 model-format")

    def test_operators_are_named_in_their_rooms(self):
        text = 'bool a = node.opName() == "relu";\nbool b = ops::kindOf(node) == ops::kind::relu;\n'
        self.check({"core/passes/a.cpp": HEAD + text, "core/ops/network/a.cpp": HEAD + text}, "core/passes/a.cpp:3 operator")

    def test_words_are_those_of_the_field(self):
        text = "int mostTurns = 1;\n// nobody reads it\nint maxIterations = 1; // in turn\n"
        self.check({"core/ir/a.cpp": HEAD + text}, "core/ir/a.cpp:3 glossary", "core/ir/a.cpp:4 glossary")

    def test_comments_have_their_subject(self):
        text = "\n/// Of a node.\nint a;\n/// Counts nodes.\n/// Of them, half.\nint b; ///< What is read\nint c; ///< a node\n"
        self.check({"core/ir/a.cpp": HEAD + text}, "core/ir/a.cpp:4 comment", "core/ir/a.cpp:8 comment")

    def test_comments_behind_code_have_their_noun(self):
        text = "\nint a; ///< of a node\nint b; // those of a graph\nint c; ///< a node\n// Nodes\n// of a graph.\n"
        self.check({"core/ir/a.cpp": HEAD + text}, "core/ir/a.cpp:4 comment", "core/ir/a.cpp:5 comment")

    def test_texts_are_those_of_the_field(self):
        text = 'text("measured by predicted");\ntext("bound by computing, list of ? × tensor");\ntext("compute-bound");\n'
        self.check({"views/run/a.cpp": HEAD + text}, "views/run/a.cpp:3 glossary", "views/run/a.cpp:4 glossary")

    def test_a_header_includes_little(self):
        includes = [f"#include <a{i}>\n" for i in range(9)]
        self.check({"core/ir/a.h": HEADER + "".join(includes)}, "core/ir/a.h:12 includes")
        self.check({"core/ir/a.h": HEADER + "".join(includes[1:])})

    def test_a_folder_is_one_room(self):
        files = {f"core/ir/a{i}.cpp": HEAD for i in range(41)}
        self.check(files, "core/ir:1 folder")
        self.check(dict(list(files.items())[1:]))

    def test_includes_are_written_from_the_root_and_the_own_header_first(self):
        self.check({"core/ir/a.h": HEADER, "core/ir/a.cpp": HEAD + '#include <vector>\n#include "core/ir/a.h"\n',
                    "core/ir/b.cpp": HEAD + '#include "a.h"\n'},
                   "core/ir/a.cpp:1 include", "core/ir/b.cpp:3 include")

    def test_sizes_are_held(self):
        self.check({"core/ir/a.h": HEADER + "\n" * 248}, "core/ir/a.h:251 size")
        self.check({"core/ir/a.h": HEADER + "\n" * 247})
        body = "int x;\n" * 81
        self.check({"core/ir/a.cpp": HEAD + "void f()\n{\n" + body + "}\n"}, "core/ir/a.cpp:4 function")
        self.check({"core/ir/a.cpp": HEAD + "void f()\n{\n" + body[7:] + "}\n\nvoid g()\n{\n}\n"})

    def test_names_say_something(self):
        self.check({"core/ir/string_utils.h": HEADER + "class PassManager {\n};\nenum class Common { A };\n"},
                   "core/ir/string_utils.h:1 name", "core/ir/string_utils.h:4 name", "core/ir/string_utils.h:6 name")
        self.check({"core/ir/utility_function.h": HEADER + "struct Commonality {};\n"})

    def test_machine_paths_are_refused(self):
        self.check({"core/ir/a.cpp": HEAD + 'auto p = "/home/' + 'ann/x";\nauto q = "/etc/passwd";\n'},
                   "core/ir/a.cpp:3 path")

    def test_a_suppression_names_check_and_reason(self):
        text = "int a; // NOLINT\nint b; // NOLINT(bugprone-x)\nint c; // NOLINT(bugprone-x): read by the kernel\n"
        self.check({"core/ir/a.cpp": HEAD + text}, "core/ir/a.cpp:3 nolint", "core/ir/a.cpp:4 nolint")

    def test_an_exception_holds_while_it_is_needed(self):
        files = {"core/ir/a.cpp": HEAD + '#include "core/ops/a.h"\n'}
        self.check(files, allowed={("layer", "core/ir/a.cpp"): "why"})
        self.check(files, "core/ir/a.cpp:3 layer", "core/ir/a.cpp:1 size", allowed={("size", "core/ir/a.cpp"): "why"})


class NamesOfVariables(unittest.TestCase):
    def check(self, lines, expected):
        path = pathlib.PurePosixPath("core/diff/outline.cpp")
        self.assertEqual(len(list(check_tree.named_by_variables(path, lines))), expected)

    def test_a_variable_with_an_operators_name_is_followed(self):
        self.check(["const auto name = node->opName();", 'if (name == "" || other == "")'], 1)

    def test_a_variable_with_a_formats_name_is_followed(self):
        self.check(["const std::string &format = model.format;", 'return format != "";'], 1)

    def test_beginnings_of_names_count(self):
        self.check(["name = node.opName();", 'return name.ends_with("");'], 1)

    def test_another_variable_of_the_same_name_as_a_member_does_not_count(self):
        self.check(["const auto name = node->opName();", 'return file.name == "";'], 0)

    def test_a_comparison_with_a_constant_does_not_count(self):
        self.check(["const auto name = node->opName();", "return name == kind::add;"], 0)


if __name__ == "__main__":
    unittest.main()
