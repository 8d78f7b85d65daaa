// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/parser.h"

#include "core/formats/python/printer.h"
#include "core/formats/python/token_stream.h"
#include "core/formats/torchscript/source/printer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::torchscript {
namespace {

std::string repeated(std::string_view text, int count)
{
    std::string all;
    for (int i = 0; i < count; ++i)
        all += text;
    return all;
}

/// A function whose body is these lines.
std::string functionOf(std::string_view line) { return "def f():\n  " + std::string(line) + "\n"; }

std::string nestedIfs(int count)
{
    std::string source = "def f():\n";
    for (int i = 1; i <= count; ++i)
        source += repeated("  ", i) + "if c:\n";
    return source + repeated("  ", count + 1) + "pass\n";
}

struct BadSourceRow {
    std::string name;
    std::string source;
    std::string message; ///< a part
    std::string where;
};

class BadSources : public testing::TestWithParam<BadSourceRow> { };

TEST_P(BadSources, AreToldWithLineAndColumn)
{
    const auto parsed = parse(GetParam().source);
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find(GetParam().message), std::string::npos) << parsed.error().message;
    EXPECT_EQ(parsed.error().where, GetParam().where);
}

INSTANTIATE_TEST_SUITE_P(
    Parser, BadSources,
    testing::Values(
        BadSourceRow{"StatementAtTop", "x = 1\n", "found 'x', expected 'class' or 'def'", "line 1, column 1"},
        BadSourceRow{"DefTwice", "def def forward((((self):\n", "found 'forward', expected '('", "line 1, column 9"},
        BadSourceRow{"UnknownBase", "class A(Nodule):\n  pass\n", "found 'Nodule', expected one of the bases Module",
                     "line 1, column 9"},
        BadSourceRow{"NoBlock", "def f():\nreturn x\n", "found 'return', expected a deeper block", "line 2, column 1"},
        BadSourceRow{"NoColon", "def f()\n  return x\n", "found the end of the line, expected ':'", "line 1, column 8"},
        BadSourceRow{"MissingArgument", functionOf("x = torch.add(, 1)"), "found ',', expected an expression",
                     "line 2, column 17"},
        BadSourceRow{"OpenBracket", functionOf("x = torch.add(1"), "a bracket is not closed: '(1'",
                     "line 2, column 16"},
        BadSourceRow{"WrongBracket", functionOf("x = torch.add(1]"), "found ']', expected ')'", "line 2, column 18"},
        BadSourceRow{"OpenString", functionOf("x = \"abc"), "a string is not closed on its line: '\"abc'",
                     "line 2, column 7"},
        BadSourceRow{"InfixOperator", functionOf("x = a * b"), "found '*', expected the end of the line",
                     "line 2, column 9"},
        BadSourceRow{"InfixPlus", functionOf("x = a + b"), "found '+', expected the end of the line",
                     "line 2, column 9"},
        BadSourceRow{"HalfComplex", functionOf("x = 1.+2."), "found '2.', expected the imaginary part",
                     "line 2, column 10"},
        BadSourceRow{"WideInteger", functionOf("x = 9223372036854775808"), "an integer of 19 digits",
                     "line 2, column 7"},
        BadSourceRow{"WideFloat", functionOf("x = 1e999"), "beyond what a double can hold", "line 2, column 7"},
        BadSourceRow{"AssignedValue", functionOf("f(x) = 1"), "expected names or one attribute", "line 2, column 3"},
        BadSourceRow{"UnevenMove", functionOf("a, b, c = d, e"), "found 2 values for 3 names", "line 2, column 13"},
        BadSourceRow{"NamesAlone", functionOf("a, b"), "expected '='", "line 2, column 7"},
        BadSourceRow{"LoopOverList", functionOf("for i in xs:\n    pass"), "found 'xs', expected 'range'",
                     "line 2, column 12"},
        BadSourceRow{"UnevenIndentation", "def f():\n    a = 1\n  b = 2\n", "indented less than its block",
                     "line 3, column 3"},
        BadSourceRow{"SpacedType", "def f(x: a. b) -> int:\n  pass\n", "found 'a. b', expected a type",
                     "line 1, column 10"},
        BadSourceRow{"NumberForAType", "def f(x: List[5]) -> int:\n  pass\n", "found '5', expected a type",
                     "line 1, column 15"},
        BadSourceRow{"Stars", "def f(*x):\n  pass\n", "found '*', expected a parameter's name", "line 1, column 7"},
        BadSourceRow{"NoType", "def f(x: ) -> int:\n  pass\n", "found ')', expected a type", "line 1, column 10"},
        BadSourceRow{"NumberForATypeInACall", functionOf("x = annotate(5, y)"), "found '5', expected a type",
                     "line 2, column 16"},
        BadSourceRow{"SemicolonInBrackets", functionOf("x = f(y; z)"), "found ';', expected ')'", "line 2, column 10"},
        BadSourceRow{"TypeAlone", functionOf("x : int"), "found the end of the line, expected '='",
                     "line 2, column 10"},
        BadSourceRow{"ValueForTwoNames", functionOf("x = y = 1"), "found a value for several names",
                     "line 2, column 11"},
        BadSourceRow{"ValueForNoName", functionOf("() = x"), "expected names or one attribute", "line 2, column 3"},
        BadSourceRow{"Augmentation", functionOf("x += 1"), "found '+=', expected '='", "line 2, column 3"},
        BadSourceRow{"LoopOverTwoRanges", functionOf("for i in range(1, 2):\n    pass"),
                     "found 'range(1, 2)', expected 'range'", "line 2, column 12"},
        BadSourceRow{"Ellipsis", functionOf("x = y[...]"), "found '...', expected an expression", "line 2, column 9"},
        BadSourceRow{"Nul", std::string("\0", 1), "found what no Python code has: '\\x00'", "line 1, column 1"},
        BadSourceRow{"ManyBrackets", functionOf("x = " + repeated("(", 200'000)), "nested deeper than 256",
                     "line 2, column 263"},
        BadSourceRow{"ManyLists", functionOf("x = " + repeated("[", 200'000) + repeated("]", 200'000)),
                     "nested deeper than 256", "line 2, column 263"},
        BadSourceRow{"ManyMinuses", functionOf("x = " + repeated("-", 200'000) + "y"), "nested deeper than 256",
                     "line 2, column 263"},
        BadSourceRow{"LongChain", functionOf("x = y" + repeated(".z", 200'000)), "nested deeper than 256",
                     "line 2, column 7"},
        BadSourceRow{"DeepTypes", functionOf("x : " + repeated("List[", 200'000) + "int"), "nested deeper than 256",
                     "line 2, column 1287"},
        BadSourceRow{"DeepBlocks", nestedIfs(300), "blocks nested deeper than 256", "line 258, column 515"}),
    [](const auto &row) { return row.param.name; });

TEST(Parser, ReadsAnEmptySource)
{
    const auto parsed = parse("");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(print(parsed->tree), "");
}

TEST(Parser, NestsTwoHundredDeep)
{
    EXPECT_TRUE(parse(functionOf("x = " + repeated("f(", 200) + "1" + repeated(")", 200))));
    EXPECT_TRUE(parse(functionOf("x = y" + repeated(".z", 200))));
    EXPECT_TRUE(parse(nestedIfs(200)));
}

TEST(Parser, PlacesNodesAtTheirFirstByte)
{
    const std::string source = "def f(x):\n  y = torch.add(x, (x).b)\n";
    const auto parsed = parse(source);
    ASSERT_TRUE(parsed);
    const Tree &tree = parsed->tree;
    const Statement &statement = tree.at(tree.functions.front().body.front());
    EXPECT_EQ(python::lineAndColumn(source, statement.position), "line 2, column 3");
    const Expression &value = tree.at(*std::get<Assign>(statement.kind).value);
    EXPECT_EQ(python::lineAndColumn(source, value.position), "line 2, column 7");
    const Call &call = std::get<Call>(value.kind);
    EXPECT_EQ(python::lineAndColumn(source, tree.at(call.arguments[1].value).position), "line 2, column 20");
}

TEST(Parser, TellsAnUnpackedValueFromSeveralOutputs)
{
    const auto parsed = parse("def f():\n  a, b, = t\n  a, b = t\n");
    ASSERT_TRUE(parsed);
    const Tree &tree = parsed->tree;
    const Block &body = tree.functions.front().body;
    EXPECT_TRUE(targetsOf(tree, std::get<Assign>(tree.at(body[0]).kind)).areItems);
    EXPECT_FALSE(targetsOf(tree, std::get<Assign>(tree.at(body[1]).kind)).areItems);
}

TEST(Parser, RemarksOnWhatTorchCannotReadBack)
{
    const auto parsed = parse("class A(Module):\n  class : Tensor\n  def f(self):\n"
                              "    return getattr(self, \"w\\0)+\\/.)\")\n");
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->remarks.size(), 2u);
    EXPECT_EQ(parsed->remarks[0].message, "the attribute 'class' is called like a keyword");
    EXPECT_NE(parsed->remarks[1].message.find("escapes"), std::string::npos);
    const auto &statement = parsed->tree.at(parsed->tree.functions.front().body.front());
    const auto &value = parsed->tree.at(*std::get<Return>(statement.kind).value);
    EXPECT_EQ(std::get<Attribute>(value.kind).name, "w\xC3\xA9");
}

TEST(Parser, KeepsStringsWhenItsResultMoves)
{
    const std::string source = functionOf("x = \"a\\n\"");
    auto parsed = parse(source);
    ASSERT_TRUE(parsed);
    const ParsedFile moved = std::move(*parsed);
    EXPECT_EQ(print(moved.tree), source);
}

TEST(Parser, ReadsATypeAlone)
{
    const auto parsed = parseType("Dict[str, List[__torch__.a.C]]");
    ASSERT_TRUE(parsed);
    const ExpressionId last{static_cast<std::uint32_t>(parsed->tree.expressions.size() - 1)};
    EXPECT_EQ(python::print(parsed->tree, last), "Dict[str, List[__torch__.a.C]]");
    EXPECT_FALSE(parseType("int int"));
    EXPECT_FALSE(parseType(""));
}

} // namespace
} // namespace cutaway::formats::torchscript
