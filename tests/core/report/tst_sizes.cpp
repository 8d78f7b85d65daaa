// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sizes.h"
#include "small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

struct Row {
    const char *name;
    const char *recorded;
    symbolic::Bindings bindings;
    const char *known;
};

class SizesOf : public testing::TestWithParam<Row> { };

TEST_P(SizesOf, areWhatIsKnown)
{
    const report::Sizes sizes(report::test::smallModel(), GetParam().bindings);
    EXPECT_EQ(ir::print(sizes.of(ir::Dim(symbolic::parse(GetParam().recorded).value()))), GetParam().known);
}

INSTANTIATE_TEST_SUITE_P(Rows, SizesOf,
                         testing::Values(Row{"aSymbolOfTheModel", "s0", {}, "s0"},
                                         Row{"aNameNobodyDeclares", "Pad24_dim_0", {}, "?"},
                                         Row{"aNameNobodyDeclaresInside", "2*Pad24_dim_0", {}, "?"},
                                         Row{"boundInPart", "s0*u0", {{"s0", 3}}, "3*u0"},
                                         Row{"boundAltogether", "s0*u0", {{"s0", 3}, {"u0", 5}}, "15"},
                                         Row{"whatCannotBeComputed", "s0//u0", {{"s0", 3}, {"u0", 0}}, "?"}),
                         [](const auto &row) { return row.param.name; });

} // namespace
