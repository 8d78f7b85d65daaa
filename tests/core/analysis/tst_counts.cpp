// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counts.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>
#include <limits>

using namespace cutaway;

namespace {

TEST(Counts, namedTensorsCountInFullAndSharedStoragesOnce)
{
    const analysis::Counts counts = analysis::countTensors(test::smallModel());
    EXPECT_EQ(counts.parameters.tensors, 2);
    EXPECT_EQ(counts.parameters.elements, 15);
    EXPECT_EQ(counts.parameters.bytes, 60);
    EXPECT_EQ(counts.parameters.storageBytes, 48);
    EXPECT_EQ(counts.buffers.bytes, 8);
    EXPECT_EQ(counts.storageBytes, 56);
}

TEST(Counts, nodesIncludeThoseOfRegions)
{
    EXPECT_EQ(analysis::countNodes(test::smallModel().functions.front().graph), 4);
}

TEST(Counts, sparseTensorsAndTheirPartsAreLeftOut)
{
    ir::Model model = test::smallModel();
    model.tensors.edit(1).layout = ir::Layout::SparseCoo;
    model.tensors.edit(1).parts = {ir::TensorId{0}};
    EXPECT_EQ(analysis::countTensors(model).parameters.tensors, 0);
}

TEST(Counts, sumsStopAtTheLargestNumberAndSaySo)
{
    EXPECT_FALSE(analysis::countTensors(test::smallModel()).overflows());
    ir::Model model = test::smallModel();
    model.tensors.edit(0).shape = {std::numeric_limits<std::int64_t>::max()};
    EXPECT_EQ(analysis::countTensors(model).parameters.elements, std::numeric_limits<std::int64_t>::max());
    EXPECT_TRUE(analysis::countTensors(model).overflows());
}

} // namespace
