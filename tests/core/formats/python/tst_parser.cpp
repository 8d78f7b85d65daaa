// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/parser.h"

#include "core/formats/python/printer.h"
#include "core/formats/unusable.h"

#include <gtest/gtest.h>

namespace cutaway::formats::python {
namespace {

class FunctionParser final : public Parser {
public:
    using Parser::function;
    using Parser::Parser;
};

/// Returns the printed result of `read` on a parser of the source, or the error.
template <class Read>
std::string printedBy(const std::string &source, Read read)
{
    Tree tree;
    tree.source = source;
    const auto id = resultOf([&] {
        TokenStream tokens(source);
        FunctionParser parser(tokens, tree);
        return (parser.*read)();
    });
    return id ? print(tree, *id) : id.error().text();
}

struct Row {
    std::string name;
    std::string source;
    std::string printed = source; ///< the source itself where nothing is redundant in it
};

class Expressions : public testing::TestWithParam<Row> { };

TEST_P(Expressions, PrintAsTheyRead)
{
    EXPECT_EQ(printedBy(GetParam().source, &FunctionParser::expression), GetParam().printed);
}

INSTANTIATE_TEST_SUITE_P(
    Parser, Expressions,
    testing::Values(Row{"Literals", "(None, True, False, ..., 1, -2, 0.5, -1e-05)"}, Row{"Imaginary", "-2j", "-0.-2.j"},
                    Row{"Strings", R"(['a\x41', "b" 'c', "d"])", R"(["aA", "bc", "d"])"},
                    Row{"Calls", "a.b(c, d=e, )[0].f", "a.b(c, d=e)[0].f"},
                    Row{"AttributeByText", "getattr(a.b, '0').c", "getattr(a.b, \"0\").c"},
                    Row{"AttributeWithDefault", "getattr(a, \"b\", None)"},
                    Row{"Subscripts", "a[1:, :-1, ::2, None, ...]"}, Row{"SubscriptOfATuple", "a[(1, 2)]", "a[1, 2]"},
                    Row{"SubscriptOfNothing", "Tuple[()]"}, Row{"Products", "a + b * c - d", "(a + (b * c)) - d"},
                    Row{"Powers", "-a ** -b ** c", "-(a ** (-(b ** c)))"}, Row{"NegativeBase", "(-2) ** 2"},
                    Row{"MinusOfAPower", "-2 ** 2", "-(2 ** 2)"},
                    Row{"Comparisons", "not a < b and c is not None or d not in e",
                        "((not (a < b)) and (c is not None)) or (d not in e)"},
                    Row{"Choices", "a if b else c if d else e", "a if b else (c if d else e)"},
                    Row{"Tuples", "((), (a,), (a, b), (a))", "((), (a,), (a, b), a)"},
                    Row{"Dicts", "{\"a\": 1, b: [x]}"},
                    Row{"Lambda", "f(lambda x: x)", "found 'lambda', expected an expression (line 1, column 3)"},
                    Row{"OpenSubscript", "a[1", "a bracket is not closed: '[1' (line 1, column 2)"},
                    Row{"NoOperand", "a + ", "found the end of the line, expected an expression (line 1, column 5)"}),
    [](const auto &row) { return row.param.name; });

class Statements : public testing::TestWithParam<Row> { };

TEST_P(Statements, PrintAsTheyRead)
{
    const auto inFunction = [](const std::string &lines) {
        return "def f(self,\n    x: \"f32[8]\"=None,\n    *rest) -> T:\n" + lines;
    };
    EXPECT_EQ(printedBy(inFunction(GetParam().source), &FunctionParser::function),
              GetParam().printed.starts_with("found") ? GetParam().printed : inFunction(GetParam().printed));
}

INSTANTIATE_TEST_SUITE_P(
    Parser, Statements,
    testing::Values(
        Row{"Assignments", "  a = 1\n  b : \"f32[8, 3][3, 1]cpu\" = a.b\n  c : int\n"},
        Row{"SeveralNames", "  a, b = c\n  a, b, = c\n  (a, b) = c, d\n", "  a, b = c\n  a, b, = c\n  a, b = c, d\n"},
        Row{"Chains", "  a = b = None;  c += 1\n", "  a = b = None\n  c += 1\n"}, Row{"Comparison", "  a <= b\n"},
        Row{"Blocks",
            "  if a:\n    while b:\n      pass\n  else:\n    for i in range(2):\n      with c as d:\n        f(d)\n"},
        Row{"LocalFunction", "  def g(a):\n    return a\n  return g, 1\n",
            "  def g(a):\n    return a\n  return (g, 1)\n"},
        Row{"Comments", "  # one\n  a = 1 # two\n", "  a = 1\n"},
        Row{"PrintedGraph",
            "     # File: m.py:3 in forward, code: return x + 1\n"
            "    add: \"f32[8]\" = torch.ops.aten.add.Tensor(x, 1);  x = None\n    return (add,)\n    \n",
            "  add : \"f32[8]\" = torch.ops.aten.add.Tensor(x, 1)\n  x = None\n  return (add,)\n"},
        Row{"NamesAlone", "  a, b\n", "found the end of the line, expected '=' (line 4, column 7)"},
        Row{"DeeperLine", "  a = 1\n    b = 2\n",
            "found a deeper line, expected a line of this block (line 5, column 5)"},
        Row{"NoBlock", "x\n", "found 'x', expected a deeper block (line 4, column 1)"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::formats::python
