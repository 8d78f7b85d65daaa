// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counts.h"

#include "core/analysis/module_sums.h"
#include "core/ir/text/text.h"
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

TEST(Counts, tiedTensorsAreDistinctOnce)
{
    const ir::Model model = *ir::parseText(R"(
        storage 0: 24 bytes missing "a test"
        storage 1: 24 bytes missing "a test"
        tensor @embedding: float32[2, 3] parameter in storage 0
        tensor @head: float32[2, 3] parameter in storage 0
        tensor @other: float32[2, 3] parameter in storage 1
        tensor @row: float32[3] parameter in storage 1
        graph @forward(%x) { return %x })");
    const analysis::TensorCount count = analysis::countTensors(model).parameters;
    EXPECT_EQ(count.elements, 21);
    EXPECT_EQ(count.distinctElements, 15);
    EXPECT_EQ(count.bytes, 84);
    EXPECT_EQ(count.distinctBytes, 60);
    EXPECT_EQ(analysis::parametersPerModule(model), (std::vector<std::int64_t>{0}));
}

TEST(Counts, packedParametersAreParametersAndCountedApartToo)
{
    const ir::Model model = *ir::parseText(R"(
        storage 0: 15 bytes missing "a test"
        storage 1: 20 bytes missing "a test"
        tensor @fc.packed.weight: qint8[5, 3] packed in storage 0
        tensor @fc.packed.bias: float32[5] packed in storage 1
        graph @forward(%x) { return %x })");
    const analysis::Counts counts = analysis::countTensors(model);
    EXPECT_EQ(counts.parameters.elements, 20);
    EXPECT_EQ(counts.parameters.bytes, 35);
    EXPECT_EQ(counts.parameters.storageBytes, 35);
    EXPECT_EQ(counts.packed.elements, 20);
    EXPECT_EQ(counts.packed.tensors, 2);
    EXPECT_EQ(counts.storageBytes, 35);
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
