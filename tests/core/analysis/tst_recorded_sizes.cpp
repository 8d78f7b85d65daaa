// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/recorded_sizes.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

struct SizesRow {
    const char *name;
    const char *recorded;
    symbolic::Bindings bindings;
    const char *known;
};

class SizesOf : public testing::TestWithParam<SizesRow> { };

TEST_P(SizesOf, areWhatIsKnown)
{
    const analysis::RecordedSizes sizes(test::smallModel(), GetParam().bindings);
    EXPECT_EQ(ir::print(sizes.of(ir::Dim(symbolic::parse(GetParam().recorded).value()))), GetParam().known);
}

INSTANTIATE_TEST_SUITE_P(Rows, SizesOf,
                         testing::Values(SizesRow{"aSymbolOfTheModel", "s0", {}, "s0"},
                                         SizesRow{"anUndeclaredName", "Pad24_dim_0", {}, "?"},
                                         SizesRow{"anUndeclaredNameInside", "2*Pad24_dim_0", {}, "?"},
                                         SizesRow{"boundInPart", "s0*u0", {{"s0", 3}}, "3*u0"},
                                         SizesRow{"boundAltogether", "s0*u0", {{"s0", 3}, {"u0", 5}}, "15"},
                                         SizesRow{"whatCannotBeComputed", "s0//u0", {{"s0", 3}, {"u0", 0}}, "?"}),
                         [](const auto &row) { return row.param.name; });

} // namespace
