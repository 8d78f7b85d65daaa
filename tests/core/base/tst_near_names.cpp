// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/near_names.h"

#include <array>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

struct NearRow {
    std::string name, wanted, near;
};

class NearNames : public ::testing::TestWithParam<NearRow> { };

TEST_P(NearNames, areTheOnesProbablyMeant)
{
    constexpr std::array<std::string_view, 7> names{"dead-code",    "dead-inputs",    "fold-if",       "unroll-loops",
                                                    "inline-calls", "fuse-attention", "fuse-pointwise"};
    EXPECT_EQ(nearNames(GetParam().wanted, names), GetParam().near);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, NearNames,
    ::testing::Values(
        NearRow{"aLetterLess", "dead-cod", "dead-code"}, NearRow{"twoLettersExchanged", "fodl-if", "fold-if"},
        NearRow{"aPart", "dead", "dead-code, dead-inputs"}, NearRow{"more", "unroll-loops-now", "unroll-loops"},
        NearRow{"theNearestFirst", "dead-inputx", "dead-inputs"},
        NearRow{"allIfNoneIsNear", "quantize",
                "dead-code, dead-inputs, fold-if, unroll-loops, inline-calls, fuse-attention, fuse-pointwise"}),
    [](const auto &row) { return row.param.name; });

TEST(NearNamesOfMany, areTheNearestFive)
{
    constexpr std::array<std::string_view, 7> names{"abcx", "abcxy", "xabc", "yabc", "abc", "zabc", "wabc"};
    EXPECT_EQ(nearNames("abc", names), "abcx, abcxy, xabc, yabc, abc");
    EXPECT_EQ(nearNames("nothing like it", names, 2), "abcx, abcxy, …");
}

} // namespace
} // namespace cutaway::test
