// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/symbolic/equivalence.h"

#include "core/symbolic/evaluate.h"

#include <gtest/gtest.h>

namespace cutaway::symbolic {
namespace {

struct PairRow {
    const char *a, *b;
    bool isEqual;
};

void PrintTo(const PairRow &row, std::ostream *out) { *out << row.a << " = " << row.b; }

class Equivalence : public testing::TestWithParam<PairRow> { };

TEST_P(Equivalence, IsProvenOrNot)
{
    const Expr a = parse(GetParam().a).value(), b = parse(GetParam().b).value();
    EXPECT_EQ(isProvablyEqual(a, b), GetParam().isEqual);
    EXPECT_EQ(isProvablyEqual(b, a), GetParam().isEqual);
}

constexpr PairRow pairRows[] = {
    {"2*s0 + 2", "2*(s0 + 1)", true},
    {"(s0 + 1)*(s0 - 1)", "s0**2 - 1", true},
    {"s0*s1", "s1*s0", true},
    {"2*s0", "s0 + 2", false},
    {"s0", "s1", false},
};
INSTANTIATE_TEST_SUITE_P(Formulas, Equivalence, testing::ValuesIn(pairRows));

} // namespace
} // namespace cutaway::symbolic
