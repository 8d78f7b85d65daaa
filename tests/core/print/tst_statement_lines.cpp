// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/statement_lines.h"

#include <gtest/gtest.h>

namespace cutaway::print {
namespace {

using Lines = std::vector<std::string>;
constexpr ir::ValueId x{0};

/// "return x.relu()", with the expression of x in it where that is allowed.
void addReturn(StatementLines &lines)
{
    const Expression made = lines.withPending(
        [&] {
            const Expression *pending = lines.takePending(x);
            return Expression{(pending ? pending->text : "x") + ".relu()", true, pending ? pending->depth + 1 : 1};
        },
        sizeof "return");
    lines.add("return " + made.text);
}

TEST(StatementLines, haveTheValueThatOnlyTheNextOneReadsInThatOne)
{
    StatementLines lines;
    lines.add("x = a.exp()");
    lines.setPending(x, {"a.exp()", true, 1});
    addReturn(lines);
    EXPECT_EQ(lines.take(), (Lines{"    return a.exp().relu()"}));
}

TEST(StatementLines, keepTheNameWhereALineWouldBeTooLong)
{
    StatementLines lines;
    const std::string call = "a.exp(" + std::string(90, 'b') + ")";
    lines.add("x = " + call);
    lines.setPending(x, {call, true, 1});
    addReturn(lines);
    EXPECT_EQ(lines.take(), (Lines{"    x = " + call, "    return x.relu()"}));
}

TEST(StatementLines, keepTheNameWhereCallsWouldBeNestedTooDeep)
{
    StatementLines lines;
    lines.add("x = a");
    lines.setPending(x, {"a", true, 3});
    addReturn(lines);
    EXPECT_EQ(lines.take(), (Lines{"    x = a", "    return x.relu()"}));
}

TEST(StatementLines, keepTheNameAfterAnotherStatement)
{
    StatementLines lines;
    lines.add("x = a");
    lines.setPending(x, {"a", true, 1});
    lines.add("y = b");
    EXPECT_FALSE(lines.hasPending());
    addReturn(lines);
    EXPECT_EQ(lines.take(), (Lines{"    x = a", "    y = b", "    return x.relu()"}));
}

TEST(StatementLines, fillABlockWithoutStatements)
{
    StatementLines lines;
    lines.open("if x:");
    lines.close();
    lines.open("else:");
    lines.add("y = 1");
    lines.close();
    EXPECT_EQ(lines.take(), (Lines{"    if x:", "        pass", "    else:", "        y = 1"}));
}

TEST(StatementLines, moveAllAtOnceButWhatStaysWhereItIs)
{
    StatementLines lines;
    lines.addMoves(Lines{"a", "b", "c"}, Lines{"b", "b", "a"});
    lines.addMoves(Lines{"a"}, Lines{"a"});
    EXPECT_EQ(lines.take(), (Lines{"    a, c = b, a"}));
}

} // namespace
} // namespace cutaway::print
