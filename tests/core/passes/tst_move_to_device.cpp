// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "tests/core/passes/pass_test.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// Returns the types of inputs and of results.
TEST(MoveToDevice, changesWhatIsRecorded)
{
    const auto model = parsedModel("(%x: float32[2] on \"cpu\") { %r: float32[2] on \"cpu\" = aten::relu(self=%x) "
                                   "return %r }");
    passes::History history(model, ir::FunctionId{0});
    history.run(*passes::parsePipeline("move-to-device{to=cuda:0}"));
    ASSERT_FALSE(history.failure());
    const ir::Model &after = *history.modelAfter(1);
    const ir::Graph &graph = after.at(ir::FunctionId{0}).graph;
    ASSERT_EQ(graph.valueCount(), 2U);
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index) {
        const ir::TensorType *type = ir::ValueRef(graph, id).tensorType();
        ASSERT_TRUE(type && type->device);
        EXPECT_EQ(after.context->text(type->device->kind), "cuda");
        EXPECT_EQ(type->device->index, 0);
    }
}

} // namespace
} // namespace cutaway::test
