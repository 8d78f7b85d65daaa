// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/formats/python/lexer.h"
#include "core/formats/python/string_literal.h"
#include "core/formats/python/token_stream.h"

#include <gtest/gtest.h>

namespace cutaway::formats::python {
namespace {

/// "1:5 x", with line and column; the ends of lines and blocks by what they are.
std::string printed(const Token &token)
{
    using Kind = Token::Kind;
    constexpr std::pair<Kind, std::string_view> plain[] = {
        {Kind::Newline, "newline"}, {Kind::Indent, "indent"}, {Kind::Dedent, "dedent"}, {Kind::Wrong, "wrong: "}};
    std::string text = formatted("{}:{} ", token.line, token.column);
    for (const auto &[kind, name] : plain)
        if (token.kind == kind)
            text += name;
    return token.kind == Kind::Newline ? text : text + std::string(token.text);
}

std::string tokensOf(std::string_view source)
{
    Lexer lexer(source);
    std::string text;
    for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next())
        text += (text.empty() ? "" : " | ") + printed(token);
    for (const Comment &comment : lexer.comments())
        text += formatted(" | {}: {}", comment.line, comment.text);
    return text;
}

struct TokensRow {
    std::string name;
    std::string source;
    std::string tokens;
};

class Tokens : public testing::TestWithParam<TokensRow> { };

TEST_P(Tokens, HaveLineAndColumn) { EXPECT_EQ(tokensOf(GetParam().source), GetParam().tokens); }

INSTANTIATE_TEST_SUITE_P(
    Lexer, Tokens,
    testing::Values(
        TokensRow{"Nothing", "", ""}, //
        TokensRow{"Line", "x = a.b\n", "1:1 x | 1:3 = | 1:5 a | 1:6 . | 1:7 b | 1:8 newline"},
        TokensRow{"LineWithoutEnd", "x", "1:1 x | 1:2 newline"},
        TokensRow{"Numbers", "1 1. .5 2e-3 4j", "1:1 1 | 1:3 1. | 1:6 .5 | 1:9 2e-3 | 1:14 4j | 1:16 newline"},
        TokensRow{"Symbols", "a<<=b->c...//=", //
                  "1:1 a | 1:2 <<= | 1:5 b | 1:6 -> | 1:8 c | 1:9 ... | 1:12 //= | 1:15 newline"},
        TokensRow{"LinesInBrackets", "f(a,\n\n  b)\nc",
                  "1:1 f | 1:2 ( | 1:3 a | 1:4 , | 3:3 b | 3:4 ) | 3:5 newline | 4:1 c | 4:2 newline"},
        TokensRow{"Blocks", "a:\n  b:\n\n    c\nd\n",
                  "1:1 a | 1:2 : | 1:3 newline | 2:3 indent | 2:3 b | 2:4 : | 2:5 newline | 4:5 indent | 4:5 c | "
                  "4:6 newline | 5:1 dedent | 5:1 dedent | 5:1 d | 5:2 newline"},
        TokensRow{"BlocksThatTheSourceEnds", "a:\n  b",
                  "1:1 a | 1:2 : | 1:3 newline | 2:3 indent | 2:3 b | 2:4 newline | 2:4 dedent"},
        TokensRow{"Semicolons", "a; b;  ;\n;c;", //
                  "1:1 a | 1:2 newline | 1:4 b | 1:9 newline | 2:1 newline | 2:2 c | 2:4 newline"},
        TokensRow{"Comments", "# one\nx # two\n  # three\ny = [ # four\n]  # five",
                  "2:1 x | 2:8 newline | 4:1 y | 4:3 = | 4:5 [ | 5:1 ] | 5:10 newline"
                  " | 1: # one | 2: # two | 3: # three | 4: # four | 5: # five"},
        TokensRow{"StringsOfSeveralLines", "'a\\\nb' c", "1:1 'a\\\nb' | 2:4 c | 2:5 newline"},
        TokensRow{"UnevenBlock", "a:\n    b\n  c",
                  "1:1 a | 1:2 : | 1:3 newline | 2:5 indent | 2:5 b | 2:6 newline | "
                  "3:3 wrong: a line is indented less than its block and more than the one around it"},
        TokensRow{"OpenBracket", "x = f((1)", //
                  "1:1 x | 1:3 = | 1:5 f | 1:6 ( | 1:7 ( | 1:8 1 | 1:9 ) | 1:6 wrong: a bracket is not closed"},
        TokensRow{"OpenString", "x = 'a\n'", "1:1 x | 1:3 = | 1:5 wrong: a string is not closed on its line"},
        TokensRow{"ForeignText", "a $", "1:1 a | 1:3 wrong: found what no Python code has"}),
    [](const auto &row) { return row.param.name; });

TEST(Lexer, GoesOverManySemicolons) { EXPECT_EQ(tokensOf(std::string(200'000, ';')), ""); }

TEST(StringLiteral, HasTheEscapesOfItsLanguage)
{
    const auto python = [](std::string_view text) { return decodeString(text, Escapes::Python).bytes; };
    const auto torchScript = [](std::string_view text) { return decodeString(text, Escapes::TorchScript).bytes; };
    EXPECT_EQ(python(R"('a\n\'\x41\101\q\x-1\')"), "a\n'AA\\q\\x-1\\");
    EXPECT_EQ(torchScript(R"("\x41\101\q")"), "\\x41A\\q");
    EXPECT_EQ(python(R"("w\0)+")"), std::string("w\0)+", 4));
    EXPECT_EQ(torchScript(R"_("w\0)+\/.)")_"), "w\xC3\xA9");
}

TEST(LineAndColumn, CountFromOne) { EXPECT_EQ(lineAndColumn("a\nbc", {3}), "line 2, column 2"); }

} // namespace
} // namespace cutaway::formats::python
