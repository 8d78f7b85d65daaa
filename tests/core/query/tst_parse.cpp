// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Texts parsed as queries, and the positions of errors. Its answers are in tst_answers.cpp.
#include "core/query/query.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using query::Comparison;
using query::Expression;
using query::Property;

Expression parsedQuery(std::string_view text)
{
    const auto parsed = query::parse(text);
    EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.error().message);
    return parsed.value_or(Expression());
}

Expression comparison(std::string_view text) { return parsedQuery(text); }

double numberIn(std::string_view text)
{
    const Expression parsed = comparison(text);
    const auto *found = std::get_if<Comparison>(&parsed.term);
    return found ? found->number : -1;
}

TEST(ParseQuery, sameQueriesInOtherWords)
{
    const std::pair<const char *, const char *> same[] = {
        {"a b", "a and b"},
        {"a and b or c", "(a and b) or c"},
        {"a b or c d", "(a and b) or (c and d)"},
        {"not a b", "(not a) and b"},
        {"not(a or b)", "not ( a  or b )"},
        {"not not a", "not (not a)"},
        {"flops > 1K", "flops>1000"},
        {"flops==5", "flops=5"},
        {"shape:[1, *, ...]", "shape:[1,*,...]"},
        {"ReLU", "relu"},
        {"op:\"Conv\"", "op:conv"},
        {"a\"b c\"", "\"ab c\""},
        {"  a  ", "a"},
    };
    for (const auto &[one, other] : same)
        EXPECT_EQ(parsedQuery(one), parsedQuery(other)) << one;
}

TEST(ParseQuery, colonsOfOperatorsAreOfWords)
{
    EXPECT_TRUE(std::holds_alternative<query::Word>(parsedQuery("aten::conv2d").term));
    EXPECT_TRUE(std::holds_alternative<query::Word>(parsedQuery("prim::").term));
    EXPECT_TRUE(std::holds_alternative<query::Word>(parsedQuery("\"Relu:0\"").term));
    EXPECT_TRUE(std::holds_alternative<query::Word>(parsedQuery("conv1:0").term));
    EXPECT_TRUE(std::holds_alternative<query::TextMatch>(parsedQuery("op:aten::*").term));
}

/// They are names of ONNX's operators: only small letters make a keyword.
TEST(ParseQuery, operatorsAreNoKeywords)
{
    for (const char *text : {"And", "Not", "Or", "\"and\"", "android", "notes"})
        EXPECT_TRUE(std::holds_alternative<query::Word>(parsedQuery(text).term)) << text;
}

TEST(ParseQuery, unitsAreOfTheirFigures)
{
    EXPECT_EQ(numberIn("flops>2.5G"), 2.5e9);
    EXPECT_EQ(numberIn("params>=1k"), 1e3);
    EXPECT_EQ(numberIn("flops<1e12"), 1e12);
    EXPECT_EQ(numberIn("bytes>4KiB"), 4096);
    EXPECT_EQ(numberIn("bytes>4kB"), 4000);
    EXPECT_EQ(numberIn("memory>1GiB"), 1073741824);
    EXPECT_EQ(numberIn("memory>1M"), 1e6);
    EXPECT_EQ(numberIn("time>1.5ms"), 1.5e-3);
    EXPECT_EQ(numberIn("time>2us"), 2e-6);
    EXPECT_EQ(numberIn("time>2\u00B5s"), 2e-6);
    EXPECT_EQ(numberIn("time>0"), 0);
}

TEST(ParseQuery, signs)
{
    using Sign = Comparison::Sign;
    for (const auto &[text, sign] : {std::pair("flops<1", Sign::Less), std::pair("flops<=1", Sign::LessEqual),
                                     std::pair("flops=1", Sign::Equal), std::pair("flops!=1", Sign::NotEqual),
                                     std::pair("flops>=1", Sign::GreaterEqual), std::pair("flops>1", Sign::Greater)})
        EXPECT_EQ(comparison(text), (Expression{.term = Comparison{Property::Flops, sign, 1}})) << text;
}

TEST(ParseQuery, namesAreQuotedWhereTheyHaveTo)
{
    EXPECT_EQ(query::quotedName("layer1.0.conv"), "layer1.0.conv");
    for (const char *name : {"a b", "a..b", "say \"hi\"", "back\\slash", "f(x)", "a*", ""}) {
        const Expression expression = parsedQuery("between:" + query::quotedName(name) + "..z");
        const auto *relation = std::get_if<query::Relation>(&expression.term);
        ASSERT_NE(relation, nullptr) << name;
        ASSERT_NE(relation->name.literal(), nullptr) << name;
        EXPECT_EQ(*relation->name.literal(), name);
    }
}

TEST(ParseQuery, findsWhatItAsksFor)
{
    const Expression all = parsedQuery("a (flops>1 or not time>1ms) time<1s diag:*");
    EXPECT_EQ(query::propertiesIn(all), (std::vector{Property::Diagnostic, Property::Flops, Property::Time}));
    EXPECT_TRUE(query::uses(all, Property::Time));
    EXPECT_FALSE(query::uses(all, Property::Op));
    EXPECT_EQ(query::plainWords(parsedQuery("a B c"))->size(), 3u);
    EXPECT_FALSE(query::plainWords(parsedQuery("a or b")));
    EXPECT_FALSE(query::plainWords(parsedQuery("a op:b")));
}

TEST(ParseQuery, patternsHaveStars)
{
    const auto patternOf = [](std::string_view text) {
        return std::get<query::TextMatch>(parsedQuery("op:" + std::string(text)).term).pattern;
    };
    EXPECT_TRUE(patternOf("conv*").matches("conv2d"));
    EXPECT_FALSE(patternOf("conv").matches("conv2d"));
    EXPECT_TRUE(patternOf("*conv").matches("aten::conv"));
    EXPECT_TRUE(patternOf("a*b*c").matches("abcbc"));
    EXPECT_FALSE(patternOf("ab*bc").matches("abc"));
    EXPECT_TRUE(patternOf("*").matches(""));
    EXPECT_FALSE(patternOf("\"*\"").matches("x"));
    EXPECT_TRUE(patternOf("\"*\"").matches("*"));
    EXPECT_TRUE(patternOf("b*d").occursIn("abcde"));
    EXPECT_FALSE(patternOf("d*b").occursIn("abcde"));
}

Expression aboutModels(std::string_view text)
{
    const auto parsed = query::parse(text, query::Subject::Model);
    EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.error().message);
    return parsed.value_or(Expression());
}

/// Properties that only nodes have are searched in nodes; a figure is the model's unless it stands in has(…).
TEST(ParseQuery, ofModelsAsksTheirNodesByHas)
{
    const std::pair<const char *, const char *> same[] = {
        {"op:Loop", "has(op:Loop)"},
        {"dtype:float64 params>1G", "has( dtype:float64 ) and params>1G"},
        {"not between:a..b", "not has(between:a..b)"},
    };
    for (const auto &[one, other] : same)
        EXPECT_EQ(aboutModels(one), aboutModels(other)) << one;
    const Expression has = aboutModels("has(op:Conv and flops>1G)");
    ASSERT_EQ(has.kind, Expression::Kind::Has);
    EXPECT_EQ(has.operands.front(), parsedQuery("op:Conv and flops>1G"));
    EXPECT_EQ(aboutModels("params>1G").kind, Expression::Kind::Term);
    EXPECT_EQ(aboutModels("class:Conv2d").kind, Expression::Kind::Term);
    EXPECT_EQ(aboutModels("path:*bert*").kind, Expression::Kind::Term);
    EXPECT_TRUE(std::holds_alternative<query::Word>(aboutModels("has").term));
    EXPECT_TRUE(query::uses(has, Property::Op));
}

TEST(ParseQuery, ofModelsHasItsOwnMistakes)
{
    const auto messageOf = [](std::string_view text) {
        const auto parsed = query::parse(text, query::Subject::Model);
        return parsed ? "" : query::printMistake(text, parsed.error());
    };
    EXPECT_TRUE(messageOf("has(op:Conv").starts_with("this '(' is not closed (column 4)"));
    EXPECT_TRUE(messageOf("measured>1ms").starts_with("there is no figure 'measured'"));
    EXPECT_TRUE(messageOf("has(opset>1)").starts_with("there is no figure 'opset'"));
    EXPECT_TRUE(messageOf("opset:13").starts_with("opset is compared with a number: opset>1K"));
    EXPECT_FALSE(query::parse("path:a"));
    EXPECT_FALSE(query::parse("opset>1"));
}

TEST(ParseQuery, deepNestingIsRefused)
{
    EXPECT_TRUE(query::parse(std::string(100, '(') + "a" + std::string(100, ')')));
    const auto deep = query::parse(std::string(100'000, '('));
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().message, "the query is nested too deeply");
}

/// Any bytes are read to an end, and a mistake points into the text or right behind it.
TEST(ParseQuery, everyBeginningOfAQueryIsReadOrWrongSomewhere)
{
    const std::string text =
        "a (b or not op:\"c \\\" d\" and between:x..y) shape:[1,*,...,Max(1, s0)] flops >= 1.5G !=";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const auto parsed = query::parse(text.substr(0, length));
        if (!parsed) {
            EXPECT_LE(parsed.error().at, length) << text.substr(0, length);
            EXPECT_GT(parsed.error().length, 0u);
            EXPECT_FALSE(parsed.error().message.empty());
        }
    }
}

} // namespace
} // namespace cutaway::test
